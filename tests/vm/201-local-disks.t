#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Every handler behind scst_local is a disk that keeps what is written to it,
# with small and large, aligned and scattered buffers.
#
#	fio --- /dev/sdX --- scst_local --- nullio | fileio on tmpfs, ext4 on loop | blockio on brd

# vm: -m 3G -t 600
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"

plan 29
dir=/dev/shm/201

clean_up()
{
	umount "$dir/ext4"
	rm -rf "$dir"
	modprobe -r brd
}
mkdir -p "$dir/ext4"
on_exit clean_up
on_exit unload_modules

modprobe -a loop ext4
modprobe brd rd_nr=1 rd_size=65536
truncate -s 100M "$dir/ext4.img"
mkfs.ext4 -q "$dir/ext4.img"
mount -o loop "$dir/ext4.img" "$dir/ext4"
make_file "$dir/file" 64
make_file "$dir/ext4/file" 64

load_modules scst_vdisk scst_nullio scst_local
ok "nullio" add_nullio null size_mb=1024
ok "fileio on tmpfs" add_fileio tmpfs "$dir/file"
ok "fileio on ext4" add_fileio ext4 "$dir/ext4/file" nv_cache=1
ok "fileio on a block device" add_fileio bdev /dev/ram0
scst_write handlers/vdisk_fileio/mgmt "del_device bdev"
ok "which is free afterwards (B43)" scst_write handlers/vdisk_blockio/mgmt \
	"add_device brd filename=/dev/ram0;blocksize=4096"

lun=0
for dev in null tmpfs ext4 brd; do
	add_lun "scst_local/$LOCAL_TARGET" $dev $lun
	lun=$((lun + 1))
done

null=$(local_disk 0)
is "$(blockdev --getsize64 "$null")" 1073741824 "nullio: size"
ok "nullio: reads" fio --name=r --filename="$null" --rw=randread --bs=4k --iodepth=32 \
	--ioengine=libaio --direct=1 --size=16M
ok "nullio: writes" fio --name=w --filename="$null" --rw=randwrite --bs=1M --iodepth=4 \
	--ioengine=libaio --direct=1 --size=64M
is "$(tr -d " " <"/sys/block/${null##*/}/device/vendor")" SCST_FIO "nullio: vendor"

for lun in 1 2 3; do
	disk=$(local_disk $lun)
	name=$(tr -d ' ' <"/sys/block/${disk##*/}/device/model")
	is "$(blockdev --getsize64 "$disk")" $((64 << 20)) "$name: size"
	ok "$name: 4 KB blocks" fio_verify "$disk" --iodepth=32
	ok "$name: blocks of 4 KB to 1 MB, four jobs" fio --name=v --filename="$disk" --direct=1 \
		--ioengine=libaio --iodepth=32 --rw=randwrite --bsrange=4k-1M --size=8M \
		--offset_increment=16M --numjobs=4 --verify=md5 --verify_fatal=1
	ok "$name: 8 MB at a time" fio_verify "$disk" --bs=8M --size=32M --iodepth=2
	ok "$name: scattered buffers through the page cache" fio --name=c --filename="$disk" \
		--rw=randwrite --bs=4k --size=8M --verify=crc32c --verify_fatal=1 --end_fsync=1
	like "$(cat "/sys/class/block/${disk##*/}/queue/scheduler")" none "$name: has a queue"
done

ok "blockio wrote to the block device itself" cmp -n 33554432 "$(local_disk 3)" /dev/ram0
assert_clean "unloading with LUNs mapped, kernel log clean"
