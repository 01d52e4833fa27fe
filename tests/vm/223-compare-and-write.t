#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# COMPARE AND WRITE is atomic: while it reads, what touches its blocks, or does
# not say what it touches, waits, whichever nexus it comes from; others do not.
#
#	two sessions --- scst_local --- blockio --- dm-delay (reads take 10 s) --- scsi_debug

# vm: -t 300
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"

plan 15
clean_up()
{
	dmsetup remove slow
	modprobe -r scsi_debug
	rm -rf /dev/shm/223
} 2>/dev/null
on_exit clean_up
on_exit unload_modules
mkdir -p /dev/shm/223

modprobe -a dm-delay sg sd_mod
modprobe scsi_debug dev_size_mb=8 lbpu=1 lbprz=1
host=$(basename "$(dirname "$(grep -l scsi_debug /sys/class/scsi_host/*/proc_name)")")
below=$(scsi_disk "${host#host}" 0)
dmsetup create slow --table "0 16384 delay $below 0 0 $below 0 0"
dmsetup mknodes
load_modules scst_vdisk scst_local
ok "a thin disk" scst_write handlers/vdisk_blockio/mgmt "add_device d filename=/dev/mapper/slow"
is "$(scst_read devices/d/thin_provisioned)" 1 "offers UNMAP"
add_lun "scst_local/$LOCAL_TARGET" d 0
scst_write targets/scst_local/mgmt "add_session $LOCAL_TARGET other"
mine=$(local_sg 0)
other=$(scsi_sg "$(local_host "$LOCAL_TARGET" other)" 0)
wait_for 60 eval "sg_turs $mine && sg_turs $other"
udevadm settle 2>/dev/null
# Only now, for sd has read what it wants to know.
dmsetup reload slow --table "0 16384 delay $below 0 10000 $below 0 0"
dmsetup suspend slow
dmsetup resume slow

commands=$SCST/targets/scst_local/$LOCAL_TARGET/sessions/$LOCAL_SESSION/commands
# bytes HEX COUNT
bytes() { perl -e 'print chr(hex($ARGV[0])) x $ARGV[1]' "$1" "$2"; }
bytes 00 512 >/dev/shm/223/zero
bytes 11 512 >/dev/shm/223/one
bytes 22 512 >/dev/shm/223/two
cat /dev/shm/223/one /dev/shm/223/two >/dev/shm/223/caw
# Unmap 8 blocks from LBA 0.
printf '\0\x16\0\x10\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x08\0\0\0\0' >/dev/shm/223/unmap
on_disk() { dd if="$below" iflag=direct bs=512 count=1 status=none | od -An -tx1 -N1 | tr -d ' '; }
write_one() { sg_raw -s 512 -i "/dev/shm/223/$2" "$1" 2a 00 00 00 00 "$3" 00 00 01 00; }

start_caw()
{
	write_one "$mine" one 00
	sg_raw -t 100 -s 1024 -i /dev/shm/223/caw "$mine" 89 00 00 00 00 00 00 00 00 00 00 00 00 01 00 00 &
	caw=$!
	wait_for 20 eval "[ \$(cat $commands) = 1 ]"
	sleep 0.5
}
caw_runs() { kill -0 $caw; }
caw_is_over() { wait_for 3 eval "! kill -0 $caw"; }

start_caw
ok "a WRITE beside it" write_one "$other" one 40
ok "does not wait" caw_runs
ok "a WRITE to the same block" write_one "$other" zero 00
ok "waits" caw_is_over
is "$(on_disk)" 00 "and comes second"

start_caw
ok "UNMAP" sg_raw -t 100 -s 24 -i /dev/shm/223/unmap "$other" 42 00 00 00 00 00 00 00 18 00
ok "waits for COMPARE AND WRITE" caw_is_over
ok "that was GOOD" wait $caw
is "$(on_disk)" 00 "UNMAP came second"

start_caw
ok "RESERVE" sg_raw -t 100 "$other" 16 00 00 00 00 00
ok "waits for COMPARE AND WRITE" caw_is_over
is "$(on_disk)" 22 "which has written"
sg_raw "$other" 17 00 00 00 00 00
assert_clean "all gone, kernel log clean"
