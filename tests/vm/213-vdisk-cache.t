#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# B63: what a disk says of its cache, and what a flush or a FUA write does to
# the device below, follow nv_cache, write_through and read_only.
#
#	/dev/sdX --- scst_local --- blockio | fileio --- dm-linear --- scsi_debug
#
# What reaches scsi_debug is read from the block layer's tracepoints.

# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"

plan 44
tracing=/sys/kernel/tracing
clean_up()
{
	echo 0 >$tracing/events/block/block_rq_issue/enable
	dmsetup remove store
	modprobe -r scsi_debug
}
on_exit clean_up
on_exit unload_modules

modprobe -a dm-mod sg sd_mod
modprobe scsi_debug dev_size_mb=32
host=$(basename "$(dirname "$(grep -l scsi_debug /sys/class/scsi_host/*/proc_name)")")
below=$(scsi_disk "${host#host}" 0)
is "$(cat "/sys/block/${below##*/}/queue/write_cache")" "write back" "the store has a write cache"
dmsetup create store --table "0 65536 linear $below 0"
dmsetup mknodes
store=/dev/mapper/store
number=$(lsblk -dno MAJ:MIN "$below" | tr -d ' ' | tr : ,)
echo 1 >$tracing/events/block/block_rq_issue/enable

# flushes COMMAND...: flushes and FUA writes that reach scsi_debug meanwhile
flushes()
{
	: >$tracing/trace
	"$@" >/dev/null 2>&1
	grep "block_rq_issue: $number " $tracing/trace | awk '{ print $7 }' | grep -c F
}

write_plain() { sg_raw -s 4096 -i /dev/zero "$sg" 2a 00 00 00 00 00 00 00 08 00; }
write_fua() { sg_raw -s 4096 -i /dev/zero "$sg" 2a 08 00 00 00 00 00 00 08 00; }
sync_cache() { sg_raw "$sg" 35 00 00 00 00 00 00 00 00 00; }

# matrix MODE TYPE RO PLAIN FUA SYNC: whether each of the last three reaches stable storage
matrix()
{
	local what="B63: $handler ${1:-default}"

	ok "$what: created" scst_write handlers/vdisk_$handler/mgmt "add_device d filename=$store;$1"
	add_lun "scst_local/$LOCAL_TARGET" d 0
	disk=$(local_disk 0) sg=$(local_sg 0)
	is "$(cat "/sys/block/${disk##*/}/queue/write_cache")" "$2" "$what: cache type"
	is "$(cat "/sys/block/${disk##*/}/ro")" "$3" "$what: write protect"
	if [ "$3" = 0 ]; then
		is "$(flushes write_plain | grep -c '[1-9]')" "$4" "$what: flush by a write"
		is "$(flushes write_fua | grep -c '[1-9]')" "$5" "$what: flush by a FUA write"
		write_plain >/dev/null 2>&1
		is "$(flushes sync_cache | grep -c '[1-9]')" "$6" "$what: flush by SYNCHRONIZE CACHE"
	fi
	scst_write handlers/vdisk_$handler/mgmt "del_device d"
}

load_modules scst_vdisk scst_local
for handler in blockio fileio; do
	matrix "" "write back" 0 0 1 1
	matrix nv_cache=1 "write through" 0 0 0 0
	matrix write_through=1 "write through" 0 1 1 0
	# Linux takes the cache of a disk that it cannot write for write-through.
	matrix read_only=1 "write through" 1
done
assert_clean "all gone, kernel log clean"
