#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Thin provisioning: freed blocks reach the file (B58), and a file system that
# cannot punch holes is said so once (B57).
#
#	ext4 --- /dev/sdX --- scst_local --- fileio --- sparse file on tmpfs, xfs; ramfs

# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"

plan 29
dir=/dev/shm/211
mkdir -p $dir/xfs $dir/ramfs $dir/mnt
clean_up()
{
	umount $dir/mnt $dir/xfs $dir/ramfs 2>/dev/null
	rm -rf $dir
}
on_exit clean_up
on_exit unload_modules

add() { scst_write handlers/vdisk_fileio/mgmt "add_device $1"; }
kb_used() { du -k "$1" | cut -f1; }
log_lines() { dmesg | tac | sed '/vm: begin /q' | grep -c "$1"; }

modprobe -a loop ext4 xfs
load_modules scst_vdisk scst_local
truncate -s 400M $dir/xfs.img
mkfs.xfs -q $dir/xfs.img
mount -o loop $dir/xfs.img $dir/xfs
mount -t ramfs ramfs $dir/ramfs

truncate -s 256M $dir/tmpfs.file
truncate -s 256M $dir/xfs/file
for fs in tmpfs xfs; do
	[ $fs = xfs ] && file=$dir/xfs/file || file=$dir/tmpfs.file
	ok "$fs: a thin device" add "$fs filename=$file;thin_provisioned=1"
	is "$(cat "$SCST/devices/$fs/thin_provisioned")" "1
[key]" "$fs: sysfs says so"
	add_lun "scst_local/$LOCAL_TARGET" $fs 0
	disk=$(local_disk 0) sg=$(local_sg 0)
	like "$(sg_vpd -p lbpv "$sg" | xargs)" 'Unmap command supported \(LBPU\): 1.*LBPRZ\): 1' \
		"$fs: VPD B2"
	ok "B58: $fs: mkfs" mkfs.ext4 -q "$disk"
	mount "$disk" $dir/mnt
	make_file $dir/mnt/big 150
	sync
	before=$(kb_used "$file")
	[ "$before" -gt 150000 ]
	is $? 0 "B58: $fs: writing takes space"
	rm $dir/mnt/big
	sync
	ok "B58: $fs: fstrim" fstrim $dir/mnt
	umount $dir/mnt
	[ "$(kb_used "$file")" -lt 40000 ]
	is $? 0 "B58: $fs: which comes back"
	ok "$fs: write a pattern" eval "yes | dd of=$disk bs=1M count=1 oflag=direct iflag=fullblock"
	ok "$fs: UNMAP of a range" sg_unmap --force --lba=16 --num=32 "$sg"
	is "$(dd if="$disk" bs=512 skip=16 count=32 iflag=direct status=none | tr -d '\0' | wc -c)" 0 \
		"$fs: reads as zeroes"
	is "$(dd if="$disk" bs=512 count=16 iflag=direct status=none | tr -d '\0' | wc -c)" 8192 \
		"$fs: what is before it stays"
	scst_write handlers/vdisk_fileio/mgmt "del_device $fs"
done

# ---- a file system without holes
truncate -s 16M $dir/ramfs/file
ok "B57: thin_provisioned where holes cannot be punched" \
	add "ramfs filename=$dir/ramfs/file;thin_provisioned=1"
is "$(scst_read devices/ramfs/thin_provisioned)" 0 "B57: is off"
add_lun "scst_local/$LOCAL_TARGET" ramfs 0
sg=$(local_sg 0)
nok "B57: no VPD B2" sg_vpd -p lbpv "$sg"
for _ in $(seq 50); do
	sg_unmap --force --lba=0 --num=8 "$sg"
done >/dev/null 2>&1
like "$(sg_raw -s 24 -i /dev/zero "$sg" 42 00 00 00 00 00 00 00 18 00 2>&1 | xargs)" \
	'Illegal Request.*Invalid command operation code' "B57: UNMAP is not there, as VPD says"
is "$(log_lines 'cannot punch holes')" 1 "B57: one line in the log for all of them"
scst_write handlers/vdisk_fileio/mgmt "del_device ramfs"

add "thick filename=$dir/tmpfs.file"
is "$(scst_read devices/thick/thin_provisioned)" 0 "not thin unless asked for"
assert_clean "all gone, kernel log clean"
