#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# vdisk_blockio and the device below: who may have it, which sizes it takes,
# what its errors become.
#
#	scst_local --- blockio --- dm-linear, dm-error --- brd;  scsi_debug

# vm: -t 600
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"

plan 47
dir=/dev/shm/214
file=/dev/shm/214.img
mkdir -p $dir
clean_up()
{
	umount $dir
	rmdir $dir
	rm -f $file
	dmsetup remove_all
	modprobe -r brd
	modprobe -r scsi_debug
} 2>/dev/null
on_exit clean_up
on_exit unload_modules

try() { scst_try handlers/vdisk_blockio/mgmt "add_device $1"; }
add() { scst_write handlers/vdisk_blockio/mgmt "add_device $1"; }
del() { scst_write handlers/vdisk_blockio/mgmt "del_device $1"; }
log_says() { dmesg | tac | sed '/vm: begin /q' | grep -q "$1"; }
sense() { "$@" 2>&1 | tr -s ' \n' ' '; }
dm() { dmsetup "$@" && dmsetup mknodes; }

modprobe -a dm-mod sg sd_mod ext4
modprobe brd rd_nr=1 rd_size=65536
load_modules scst_vdisk scst_local

# ---- who has it
mkfs.ext4 -q /dev/ram0
mount /dev/ram0 $dir
is "$(try "d filename=/dev/ram0")" EBUSY "B66: a mounted device is refused"
ok "B66: the log says that it is mounted" log_says '/dev/ram0 is mounted'
umount $dir
is "$(try "first filename=/dev/ram0")" OK "B66: after umount it can be had"
is "$(try "second filename=/dev/ram0")" EBUSY "B66: once"
ok "B66: the log names the other" log_says '/dev/ram0 is in use by device first'
is "$(scst_try handlers/vdisk_fileio/mgmt "add_device second filename=/dev/ram0")" EBUSY \
	"B66: fileio neither"
nok "B66: nor can it be mounted" mount /dev/ram0 $dir
del first
ok "B43: after del_device it is free" mount /dev/ram0 $dir
umount $dir
# One partition, from sector 2048 on, on a disk.
modprobe loop
truncate -s 8M $file
printf '\0\0\0\0\203\0\0\0\0\010\0\0\0\020\0\0' | dd of=$file bs=1 seek=446 conv=notrunc status=none
printf '\125\252' | dd of=$file bs=1 seek=510 conv=notrunc status=none
whole=$(losetup -Pf --show $file)
is "$(try "part filename=${whole}p1")" OK "B66: a partition"
is "$(try "whole filename=$whole")" EBUSY "B66: its disk is then refused"
ok "B66: the log names the other" log_says "$whole is in use by device part"
del part
losetup -d "$whole"
is "$(try "d filename=/etc/passwd")" "errno 15" "a regular file is refused"
is "$(try "d filename=/dev/none")" ENOENT "a device that does not exist"

for i in $(seq 15); do
	dm create loop --table "0 16384 linear /dev/ram0 0" || break
	add "d filename=/dev/mapper/loop" || break
	scst_write "targets/scst_local/$LOCAL_TARGET/luns/mgmt" "add d 0" || break
	wait_for 20 scsi_node "$(local_host)" 0 block
	dd if="$(local_disk 0)" of=/dev/null bs=64k count=4 iflag=direct status=none || break
	del d || break
	dmsetup remove loop || break
done
is "$i" 15 "B43: 15 times add, map, I/O, del_device, and dmsetup remove at once"

# ---- active, resize
dm create d1 --table "0 16384 linear /dev/ram0 0"
add "d filename=/dev/mapper/d1"
add_lun "scst_local/$LOCAL_TARGET" d 0
disk=$(local_disk 0) sg=$(local_sg 0)
is "$(scst_try devices/d/filename /dev/ram0)" EINVAL "filename cannot change while active"
is "$(scst_try devices/d/active 0)" OK "active 0"
ok "the device is free" dmsetup remove d1
like "$(sense sg_raw -r 4096 "$sg" 28 00 00 00 00 00 00 00 08 00)" 'Not Ready.*Medium not present' \
	"reading meanwhile"
ok "TEST UNIT READY is GOOD" sg_turs "$sg"
is "$(scst_try devices/d/active 1)" ENOENT "active 1 without the device"
dm create d1 --table "0 32768 linear /dev/ram0 0"
is "$(scst_try devices/d/active 1)" OK "B20: active 1 when it is there again"
grown() { [ "$(blockdev --getsize64 "$disk")" = $((16 << 20)) ]; }
ok "B20: the disk works on, with its new size" wait_for 20 grown
is "$(scst_try devices/d/size $((1 << 30)))" EINVAL "size may not exceed the device"
is "$(scst_try devices/d/size $((4 << 20)))" OK "but be smaller"
ok "the disk shrinks" wait_for 20 eval "[ \$(blockdev --getsize64 $disk) = $((4 << 20)) ]"
scst_write devices/d/active 0
is "$(scst_try devices/d/active 1)" OK "active 0 and 1"
is "$(scst_read devices/d/size)" $((4 << 20)) "the size stays what the administrator made it"
dmsetup suspend d1
dmsetup load d1 --table "0 65536 linear /dev/ram0 0"
dmsetup resume d1
is "$(scst_try devices/d/resync_size 1)" OK "resync_size"
ok "W11: the disk has the device's size" wait_for 20 eval \
	"[ \$(blockdev --getsize64 $disk) = $((32 << 20)) ]"
del d
dmsetup remove d1

# ---- errors name their block
dm create bad <<-EOF
	0 1001 linear /dev/ram0 0
	1001 3 error
	1004 15380 linear /dev/ram0 1004
EOF
add "d filename=/dev/mapper/bad"
add_lun "scst_local/$LOCAL_TARGET" d 0
disk=$(local_disk 0) sg=$(local_sg 0)
like "$(sense sg_raw -r 1048576 "$sg" 28 00 00 00 00 00 00 08 00 00)" \
	'Medium Error.*Unrecovered read error.*0x3e9 \[1001\]' "a read error names the first bad block"
like "$(sense sg_raw -r 512 "$sg" 28 00 00 00 03 ea 00 00 01 00)" '0x3ea \[1002\]' \
	"whichever is asked for"
like "$(sense sg_raw -s 65536 -i /dev/zero "$sg" 2a 00 00 00 03 d8 00 00 80 00)" \
	'Medium Error.*write fault.*0x3e9 \[1001\]' "so does a write error"
ok "blocks before are good" sg_raw -r 512 "$sg" 28 00 00 00 03 e8 00 00 01 00
ok "blocks behind too" sg_raw -r 4096 "$sg" 28 00 00 00 03 ec 00 00 08 00
ok "a transfer that is shorter than a block" sg_raw -r 100 "$sg" 28 00 00 00 00 00 00 00 01 00
del d
dmsetup remove bad

# ---- a read-only device
blockdev --setro /dev/ram0
is "$(try "d filename=/dev/ram0")" OK "a device set read-only"
is "$(scst_read devices/d/read_only)" 1 "makes a read-only disk"
add_lun "scst_local/$LOCAL_TARGET" d 0
sg=$(local_sg 0)
like "$(sense sg_raw -s 512 -i /dev/zero "$sg" 2a 00 00 00 00 00 00 00 01 00)" 'Data Protect' \
	"that cannot be written"
scst_write devices/d/active 0
like "$(sense sg_raw -r 512 "$sg" 28 00 00 00 00 00 00 00 01 00)" 'Medium not present' \
	"nor read while its device is away"
blockdev --setrw /dev/ram0
scst_write devices/d/active 1
wait_for 10 sg_turs "$sg"
ok "but written when it has come back writable" \
	sg_raw -s 512 -i /dev/zero "$sg" 2a 00 00 00 00 00 00 00 01 00
del d

# ---- block size and thin provisioning
modprobe scsi_debug sector_size=4096 dev_size_mb=16 lbpu=1
host=$(basename "$(dirname "$(grep -l scsi_debug /sys/class/scsi_host/*/proc_name)")")
four_k=$(scsi_disk "${host#host}" 0)
is "$(try "d filename=$four_k")" EINVAL "B46: blocksize 512 on blocks of 4096 is refused"
ok "B46: with a message" log_says "$four_k has blocks of 4096 bytes"
is "$(try "d filename=$four_k;blocksize=4096")" OK "B46: 4096 is taken"
is "$(scst_read devices/d/thin_provisioned)" 1 "B58: thin, as the device supports discard"
add_lun "scst_local/$LOCAL_TARGET" d 0
ok "B58: UNMAP reaches it" sg_unmap --force --lba=0 --num=16 "$(local_sg 0)"
ok "B46: fio verify" fio_verify "$(local_disk 0)" --size=2M
del d
assert_clean "all gone, kernel log clean"
