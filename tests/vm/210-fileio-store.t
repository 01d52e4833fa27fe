#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What happens to the file behind a disk, and what the initiator is told: it
# grows (W11), has an odd size (B65), is cut, its file system is full, or
# read-only.

# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"

plan 43
dir=/dev/shm/210
mkdir -p $dir/small
clean_up()
{
	umount $dir/small
	rm -rf $dir
}
on_exit clean_up
on_exit unload_modules

add() { scst_write handlers/vdisk_fileio/mgmt "add_device $1"; }
size_of() { blockdev --getsize64 "$1"; }
# sense COMMAND...: one line of what a command says that fails
sense() { "$@" 2>&1 | tr -s ' \n' ' '; }
# 4 KB at block 0xNN00
read_at() { sg_raw -r 4096 "$1" 28 00 00 00 "$2" 00 00 00 08 00; }
write_at() { sg_raw -s 4096 -i $dir/block "$1" 2a 00 00 00 "$2" 00 00 00 08 00; }

load_modules scst_vdisk scst_local
dd if=/dev/urandom of=$dir/block bs=4096 count=1 status=none

# ---- growing
make_file $dir/grow 16
add "grow filename=$dir/grow"
add_lun "scst_local/$LOCAL_TARGET" grow 0
disk=$(local_disk 0) sg=$(local_sg 0)
is "$(size_of "$disk")" $((16 << 20)) "size at first"
is "$(cat "$SCST/devices/grow/size")" "16777216
[key]" "also in sysfs"
sg_turs "$sg" 2>/dev/null
is "$(scst_try devices/grow/resync_size 1)" OK "resync_size without a change"
ok "raises no unit attention" sg_turs "$sg"
truncate -s 24M $dir/grow
is "$(size_of "$disk")" $((16 << 20)) "a file that grew changes nothing by itself"
is "$(scst_try devices/grow/resync_size 1)" OK "resync_size after it grew"
is "$(scst_read devices/grow/size_mb)" 24 "sysfs has the new size"
grown() { [ "$(size_of "$disk")" = $((24 << 20)) ]; }
ok "W11: the disk grows by itself: its host was told" wait_for 20 grown
ok "its end can be written" dd if=$dir/block of="$disk" bs=4096 seek=6143 oflag=direct status=none
ok "and is in the file" cmp -n 4096 $dir/block $dir/grow 0 $((6143 * 4096))
is "$(scst_try devices/grow/size 1048576)" EACCES "the size of a file is not written by hand"

# ---- cut under us: an error with the right block, never stale pages
truncate -s 8M $dir/grow
echo 3 >/proc/sys/vm/drop_caches
like "$(sense read_at "$sg" 40)" 'Medium Error.*Unrecovered read error' "reading behind the cut"
like "$(sense sg_raw -r 65536 "$sg" 28 00 00 00 3f c0 00 00 80 00)" '0x4000 *\[16384\]' \
	"names the first block that is not there"
ok "before the cut all is well" read_at "$sg" 00
is "$(scst_try devices/grow/resync_size 1)" OK "resync_size after it shrank"
like "$(sense read_at "$sg" 40)" 'Illegal Request.*out of range' "makes it a smaller disk"
shrunk() { [ "$(size_of "$disk")" = $((8 << 20)) ]; }
ok "for the host too" wait_for 20 shrunk
scst_write handlers/vdisk_fileio/mgmt "del_device grow"

# ---- odd sizes
truncate -s $(((1 << 20) + 511)) $dir/odd
add "odd512 filename=$dir/odd"
add "odd4096 filename=$dir/odd;blocksize=4096"
add_lun "scst_local/$LOCAL_TARGET" odd512 0
add_lun "scst_local/$LOCAL_TARGET" odd4096 1
is "$(size_of "$(local_disk 0)")" 1048576 "B65: a tail of 511 bytes is not exposed"
is "$(size_of "$(local_disk 1)")" 1048576 "B65: nor with blocks of 4096"
like "$(sense sg_raw -r 512 "$(local_sg 0)" 28 00 00 00 08 00 00 00 01 00)" 'out of range' \
	"B65: and cannot be read"
is "$(cat "/sys/block/$(basename "$(local_disk 1)")/queue/logical_block_size")" 4096 \
	"blocksize 4096 is seen"
scst_write handlers/vdisk_fileio/mgmt "del_device odd512"
scst_write handlers/vdisk_fileio/mgmt "del_device odd4096"

# ---- no space
mount -t tmpfs -o size=8M tmpfs $dir/small
truncate -s 32M $dir/small/file
for mode in "" nv_cache=1 write_through=1; do
	rm -f $dir/small/file
	truncate -s 32M $dir/small/file
	add "full filename=$dir/small/file;$mode"
	add_lun "scst_local/$LOCAL_TARGET" full 0
	sg=$(local_sg 0)
	disk=$(local_disk 0)
	ok "${mode:-default}: filling the file system" eval \
		"! dd if=/dev/urandom of=$disk bs=64k count=256 oflag=direct status=none"
	like "$(sense write_at "$sg" f0)" 'Data Protect.*Space allocation failed' \
		"${mode:-default}: a full file system is DATA PROTECT"
	ok "${mode:-default}: what has space can be written" write_at "$sg" 00
	ok "${mode:-default}: and read" read_at "$sg" f0
	scst_write handlers/vdisk_fileio/mgmt "del_device full"
done

# ---- read-only
mount -o remount,ro $dir/small
ok "a file on a read-only file system" add "ro filename=$dir/small/file"
is "$(scst_read devices/ro/read_only)" 1 "makes a read-only device"
add_lun "scst_local/$LOCAL_TARGET" ro 0
like "$(sense write_at "$(local_sg 0)" 00)" 'Data Protect' "writing is DATA PROTECT"
is "$(cat "/sys/block/$(basename "$(local_disk 0)")/ro")" 1 "the initiator knows"
scst_write handlers/vdisk_fileio/mgmt "del_device ro"

# ---- what is no backing store
is "$(scst_try handlers/vdisk_fileio/mgmt "add_device d filename=$dir/none")" ENOENT "no such file"
is "$(scst_try handlers/vdisk_fileio/mgmt "add_device d filename=$dir")" "errno 21" "a directory"
is "$(scst_try handlers/vdisk_fileio/mgmt "add_device d filename=/dev/null")" EINVAL \
	"a character device"
is "$(scst_try handlers/vdisk_fileio/mgmt "add_device d filename=$dir/odd;read_only=1;nv_cache=1")" \
	EINVAL "read_only with nv_cache"
is "$(find "$SCST/devices" -mindepth 1 -maxdepth 1)" "" "nothing of that left a device"
assert_clean "all gone, kernel log clean"
