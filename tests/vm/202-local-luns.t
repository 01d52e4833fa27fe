#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# LUNs that come, go and change while the disks beside them work: hosts follow
# without anybody asking for a rescan.

# vm: -t 420
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"

plan 21
dir=/dev/shm/202
mkdir -p $dir
on_exit rm -rf $dir
on_exit unload_modules

luns=targets/scst_local/$LOCAL_TARGET/luns/mgmt
has_lun() { scsi_node "$host" "$1" block; }
no_lun() { [ -z "$(ls -d "/sys/bus/scsi/devices/$host:0:0:$1" 2>/dev/null)" ]; }
size_of() { blockdev --getsize64 "$1"; }
has_size() { [ "$(size_of "$1")" = "$2" ]; }

load_modules scst_vdisk scst_nullio scst_local
modprobe sd_mod
host=$(local_host)
make_file $dir/a 64
make_file $dir/b 32
add_fileio a $dir/a
add_fileio b $dir/b
for i in 1 2 3 4 5; do
	add_nullio "n$i" size_mb=$((i * 100))
done

ok "a first LUN, not 0" scst_write "$luns" "add n1 3"
ok "is a disk by itself" wait_for 20 has_lun 3
ok "LUN 0" scst_write "$luns" "add a 0"
disk=$(local_disk 0)

fio --name=load --filename="$disk" --direct=1 --ioengine=libaio --iodepth=16 --rw=randwrite \
	--bsrange=4k-128k --size=48M --verify=crc32c --verify_fatal=1 --loops=1000 \
	--output=$dir/fio.log &
fio=$!
# The disk of LUN 1 is in use all the time too, and its errors are expected.
(
	while kill -0 $fio; do
		d=$(scsi_node "$host" 1 block) && timeout 5 dd if="$d" of=/dev/null bs=64k count=64
	done
) >/dev/null 2>&1 &
reader=$!
# So do the threads that serve the load come and go.
while kill -0 $fio; do
	echo $((RANDOM % 8 + 1)) >"$SCST/devices/a/threads_num"
	sleep 0.1
done 2>/dev/null &
changer=$!

for i in $(seq 10); do
	scst_write "$luns" "add n$((i % 5 + 1)) 1" || break
	wait_for 20 has_lun 1 || break
	scst_write "$luns" "del 1" || break
	wait_for 20 no_lun 1 || break
done
is "$i" 10 "a LUN was added and removed ten times beside the load"
ok "the load is still there" kill -0 $fio

# ---- many at once, large numbers
for i in 2 255 256 511 16383; do
	scst_write "$luns" "add n2 $i"
done
ok "LUN 2" wait_for 20 has_lun 2
ok "LUN 255" wait_for 20 has_lun 255
ok "five LUNs more than before" wait_for 20 eval \
	"[ \$(ls -d /sys/bus/scsi/devices/$host:0:0:* | wc -l) = 7 ]"
ok "they all go" scst_write "$luns" "del 16383"
for i in 511 256 255 2; do
	scst_write "$luns" "del $i"
done
ok "and their disks with them" wait_for 20 eval \
	"[ \$(ls -d /sys/bus/scsi/devices/$host:0:0:* | wc -l) = 2 ]"

# ---- replace: the same disk with another size
scst_write "$luns" "add n1 1"
ok "a disk" wait_for 20 has_lun 1
d=$(scsi_node "$host" 1 block)
is "$(size_of "$d")" $((100 << 20)) "its size"
ok "replace" scst_write "$luns" "replace n3 1"
# 3F/03 reaches the disk with a command.
ok "the disk has the size of the other device" wait_for 20 eval \
	"sg_turs $d; echo 1 >/sys/block/${d##*/}/device/rescan; has_size $d $((300 << 20))"

# ---- a device goes under its LUN
ok "del_device removes it from the LUN map" scst_write handlers/vdisk_nullio/mgmt "del_device n3"
ok "and from the hosts" wait_for 20 no_lun 1

kill -0 $fio
is $? 0 "the load never stopped"
kill -INT $fio
wait $fio
kill $reader 2>/dev/null
wait $reader $changer
is "$(grep -c 'err= 0' $dir/fio.log)" 1 "and had no error"
like "$(scst_read targets/scst_local/stats)" 'Aborts: 0,' "nor a command that nobody woke a thread for"
ok "clear" scst_write "$luns" clear
# A reader may have its disk open for a moment longer.
wait_for 30 rmmod scst_local
assert_clean "modules unload, kernel log clean"
