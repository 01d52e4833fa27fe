#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# B41: o_direct works, or the device is refused with a reason.
#
#	scst_local --- fileio, o_direct=1 --- file on tmpfs | ext4 | xfs | btrfs, block device

# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"

plan 26
dir=/dev/shm/212
mkdir -p $dir/mnt
clean_up()
{
	umount $dir/mnt 2>/dev/null
	rm -rf $dir
	modprobe -qr scsi_debug
}
on_exit clean_up
on_exit unload_modules

try() { scst_try handlers/vdisk_fileio/mgmt "add_device $1"; }
log_says() { dmesg | tac | sed '/vm: begin /q' | grep -q "$1"; }

modprobe -a loop ext4 xfs
load_modules scst_vdisk scst_local
make_file $dir/file 16
is "$(try "d filename=$dir/file;o_direct=1")" EINVAL "o_direct without async"
is "$(try "d filename=$dir/file;o_direct=1;async=1")" EINVAL "tmpfs has no direct I/O"
ok "and the log says so" log_says "does not support o_direct"

for fs in ext4 xfs; do
	rm -f $dir/img
	truncate -s 400M $dir/img
	mkfs.$fs -q $dir/img
	mount -o loop $dir/img $dir/mnt
	make_file $dir/mnt/file 64
	is "$(try "$fs filename=$dir/mnt/file;async=1;o_direct=1")" OK "B41: $fs takes blocks of 512"
	is "$(cat "$SCST/devices/$fs/o_direct")" "1
[key]" "$fs: sysfs says so"
	is "$(scst_try devices/$fs/async 0)" EINVAL "$fs: async cannot be taken away"
	add_lun "scst_local/$LOCAL_TARGET" $fs 0
	disk=$(local_disk 0)
	ok "B41: $fs: pieces of 512 at odd offsets" fio_verify "$disk" --bs=512 --size=1M
	ok "B41: $fs: mixed sizes" fio_verify "$disk" --bsrange=512-256k --bs_unaligned=0 --size=32M \
		--iodepth=16
	dd if="$disk" bs=512 count=1 iflag=direct status=none | head -c 100 >$dir/wanted
	ok "B41: $fs: READ into a buffer of 100 bytes" eval \
		"sg_raw -b -r 100 -o $dir/got $(local_sg 0) 28 00 00 00 00 00 00 00 01 00 &&
		cmp $dir/wanted $dir/got"
	ok "B41: $fs: buffered, several pages at once" fio --name=c --filename="$disk" \
		--rw=randwrite --bs=64k --size=32M --verify=crc32c --verify_fatal=1 --end_fsync=1
	scst_write handlers/vdisk_fileio/mgmt "del_device $fs"
	umount $dir/mnt
done

if mkfs.btrfs --version >/dev/null 2>&1 && modprobe -q btrfs; then
	truncate -s 400M $dir/img
	mkfs.btrfs -qf $dir/img
	mount -o loop $dir/img $dir/mnt
	make_file $dir/mnt/file 64
	is "$(try "b filename=$dir/mnt/file;async=1;o_direct=1")" EINVAL \
		"B41: btrfs refuses blocks of 512"
	ok "B41: with a reason" log_says "needs a blocksize of at least 4096"
	is "$(try "b filename=$dir/mnt/file;async=1;o_direct=1;blocksize=4096")" OK \
		"B41: and takes blocks of 4096"
	add_lun "scst_local/$LOCAL_TARGET" b 0
	ok "B41: btrfs: buffered writes keep their checksums" fio --name=c \
		--filename="$(local_disk 0)" --rw=randwrite --bs=64k --size=32M --verify=crc32c \
		--verify_fatal=1 --end_fsync=1
	scst_write handlers/vdisk_fileio/mgmt "del_device b"
	umount $dir/mnt
else
	skip 4 "no btrfs, or no mkfs.btrfs"
fi

# ---- block devices with blocks of 4096
modprobe scsi_debug sector_size=4096 dev_size_mb=16
host=$(basename "$(dirname "$(grep -l scsi_debug /sys/class/scsi_host/*/proc_name)")")
four_k=$(scsi_disk "${host#host}" 0)
is "$(try "d filename=$four_k;async=1;o_direct=1")" EINVAL "B46: o_direct in 512 on blocks of 4096"
is "$(try "d filename=$four_k")" OK "B46: fileio emulates them through the page cache"
add_lun "scst_local/$LOCAL_TARGET" d 0
ok "B46: and keeps what is written" fio_verify "$(local_disk 0)" --bs=512 --size=1M
scst_write handlers/vdisk_fileio/mgmt "del_device d"
is "$(try "d filename=$four_k;async=1;o_direct=1;blocksize=4096")" OK "o_direct in blocks of 4096"
assert_clean "all gone, kernel log clean"
