#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# B192: unloading and closing in all orders while disks and a CD-ROM are there
# and I/O runs: it ends, or it is refused because a disk is open. Never a hang.

# vm: -t 600
# soak: LOCAL_ROUNDS=6
# debug: LOCAL_ROUNDS=1
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"

plan 15
dir=/dev/shm/203
mkdir -p $dir
on_exit rm -rf $dir
on_exit unload_modules
make_file $dir/disk 64
make_file $dir/disc 8
modprobe -a sd_mod sr_mod sg

mgmt=targets/scst_local/mgmt
set_up()
{
	load_modules scst_vdisk scst_nullio scst_local
	add_fileio disk $dir/disk || return 1
	add_nullio null || return 1
	scst_write handlers/vcdrom/mgmt "add_device cd" || return 1
	scst_write devices/cd/filename $dir/disc || return 1
	add_lun "scst_local/$LOCAL_TARGET" null 0
	add_lun "scst_local/$LOCAL_TARGET" disk 1
	add_lun "scst_local/$LOCAL_TARGET" cd 2
	wait_for 20 scsi_node "$(local_host)" 2 block
}

# Readers that keep no device open for long, and one that does until its disk goes.
start_io()
{
	disk=$(local_disk 1) cdrom=$(scsi_node "$(local_host)" 2 block)
	fio --name=io --filename="$disk" --direct=1 --ioengine=libaio --iodepth=32 --rw=randrw \
		--bs=4k --time_based --runtime=300 >/dev/null 2>&1 &
	fio=$!
	( while :; do dd if="$cdrom" of=/dev/null bs=2k count=100; done ) >/dev/null 2>&1 &
	reader=$!
	wait_for 60 io_in_flight
}

io_in_flight() { awk '{ exit $9 == 0 }' "/sys/block/${disk##*/}/stat"; }

stop_io()
{
	kill $reader
	kill -INT $fio
	wait $reader $fio
} 2>/dev/null

ok "set up" set_up
start_io
nok "rmmod scst_local is refused while a disk is open" rmmod scst_local
nok "rmmod scst is refused while it has users" rmmod scst
ok "del_session under I/O" scst_write $mgmt "del_session $LOCAL_TARGET $LOCAL_SESSION"
stop_io
ok "rmmod scst_local" rmmod scst_local
ok "the rest unloads with devices in place" unload_modules

ok "set up again" set_up
start_io
ok "rmmod scst_vdisk under I/O takes its devices away" timeout 60 rmmod scst_vdisk
ok "the other LUN stays" dd if="$(local_disk 0)" of=/dev/null bs=4k count=10 iflag=direct
stop_io
ok "all unload" unload_modules

ok "set up again" set_up
start_io
ok "force_close under I/O" sh -c \
	"echo 1 >$SCST/targets/scst_local/$LOCAL_TARGET/sessions/$LOCAL_SESSION/force_close"
ok "closes the session" wait_for 60 test ! -e \
	"$SCST/targets/scst_local/$LOCAL_TARGET/sessions/$LOCAL_SESSION"
stop_io

# Each order as often as the time of "make check" allows; "make soak" wants more.
rounds=${LOCAL_ROUNDS:-6}
unload_modules
for i in $(seq "$rounds"); do
	set_up || break
	case $((i % 3)) in
	0) order='scst_local scst_vdisk scst_nullio' ;;
	1) order='scst_vdisk scst_local scst_nullio' ;;
	2) order='scst_nullio scst_vdisk scst_local' ;;
	esac
	for m in $order scst; do
		# A disk or drive that was just found may still be read by its driver.
		wait_for 20 rmmod "$m" || break 2
	done
done
is "$i" "$rounds" "$rounds rounds of loading, mapping and unloading in three orders"
tally "$i" "sessions cycled"
assert_clean "all gone, kernel log clean"
