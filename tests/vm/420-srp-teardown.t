#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# vm: -c 4 -m 2G -t 1200
# soak: SRP_ROUNDS=20
#
# Whatever ends while commands run, everything comes to its end within seconds:
# the initiator logs out, the target port is disabled, a session is closed by
# force, the module is unloaded, the HCA disappears. B141, B192, B193.
#
#	fio --- ib_srp, 4 channels --- rxe0 --- ib_srpt --- nullio (LUN 0), fileio (LUN 1),
#	                                                     blockio on null_blk (LUN 2)

# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"

# A multiple of ten; "make soak" has time for more.
rounds=${SRP_ROUNDS:-10}
file=/dev/shm/srp-teardown
plan 22

set_up()
{
	rxe_up || return 1
	load_module ib_srpt rdma_cm_port=$SRP_PORT || return 1
	configure
}

# The target of a new HCA has no LUNs.
configure()
{
	wait_for 10 srp_target || return 1
	target=ib_srpt/$(srp_target)
	add_lun "$target" null0 0 && add_lun "$target" disk0 1 && add_lun "$target" disk1 2 &&
		srp_enable 1
}

start_io()
{
	# Without a limit the initiator would go on trying for a minute.
	modprobe ib_srp fast_io_fail_tmo=1 dev_loss_tmo=2 reconnect_delay=1 || return 1
	srp_login ch_count=4 || return 1
	null=$(scsi_disk "$SRP_HOST" 0) && disk=$(scsi_disk "$SRP_HOST" 1) &&
		block=$(scsi_disk "$SRP_HOST" 2) || return 1
	fio --thread --direct=1 --ioengine=libaio --iodepth=16 --time_based --runtime=120 \
		--name=null --filename="$null" --rw=randrw --bsrange=512-64k \
		--name=disk --filename="$disk" --rw=randrw --bsrange=4k-1m --size=32m \
		--name=block --filename="$block" --rw=randrw --bsrange=4k-256k --size=32m \
		>/dev/null 2>&1 &
	io=$!
	# Something has to be on its way.
	wait_for 60 busy
}

busy()
{
	grep -qv '^0$' "$SCST/targets/$target"/sessions/*/active_commands
}

io_ended()
{
	wait_for 60 eval "! kill -0 $io" || return 1
	wait "$io"
	return 0
}

# within SECONDS COMMAND...
within()
{
	local limit=$1 begin=$SECONDS
	shift

	"$@" || return 1
	[ $((SECONDS - begin)) -le "$limit" ] ||
		{ echo "took $((SECONDS - begin)) s"; return 1; }
}

# The disks go first, then those who have them open, then the module.
initiator_logout()
{
	local p

	for p in /sys/class/srp_remote_ports/*/delete; do
		[ ! -e "$p" ] || echo 1 >"$p"
	done
	within 30 wait_for 60 no_srp_ports
}

initiator_gone() { io_ended && wait_for 30 srp_sessions_are 0 && wait_for 10 modprobe -r ib_srp; }

logout_round() { start_io && initiator_logout && initiator_gone; }

disable_round()
{
	start_io && within 30 srp_enable 0 && srp_sessions_are 0 && srp_enable 1 &&
		initiator_logout && initiator_gone
}

force_close_round()
{
	local s

	start_io || return 1
	for s in "$SCST/targets/$target"/sessions/*; do
		echo 1 >"$s/force_close" || return 1
	done
	wait_for 30 eval "! [ -e '$s' ]" && initiator_logout && initiator_gone
}

unload_round()
{
	start_io && within 30 rmmod ib_srpt && initiator_logout && initiator_gone &&
		load_module ib_srpt rdma_cm_port=$SRP_PORT && configure
}

link_round()
{
	start_io && within 30 rdma link delete rxe0 && wait_for 60 no_srp_ports &&
		initiator_gone && rxe_down && rxe_up && configure
}

# repeat COUNT COMMAND
repeat()
{
	local i

	for ((i = 1; i <= $1; i++)); do
		"$2" || {
			echo "round $i"
			dmesg | tail -n 20
			kill "$io"
			initiator_logout && initiator_gone
			return 1
		}
	done
}

on_exit rm -f $file
on_exit modprobe -rq null_blk
on_exit unload_modules
on_exit rxe_down
on_exit srp_logout
load_modules scst_nullio scst_vdisk
make_file $file 64
ok "nullio device" add_nullio null0 "size_mb=1024"
ok "fileio device" add_fileio disk0 $file
# It answers slowly enough to be caught, and from timer interrupts.
modprobe null_blk nr_devices=1 gb=1 memory_backed=1 irqmode=2 completion_nsec=1000000
ok "blockio device" \
	scst_write handlers/vdisk_blockio/mgmt "add_device disk1 filename=/dev/nullb0"
ok "soft-RoCE port and target" set_up

ok "$((rounds / 6)) times logout under I/O" repeat $((rounds / 6)) logout_round
ok "$((rounds / 6)) times disable under I/O" repeat $((rounds / 6)) disable_round
ok "$((rounds / 6)) times force_close under I/O" repeat $((rounds / 6)) force_close_round
ok "$((rounds / 6)) times unload under I/O" repeat $((rounds / 6)) unload_round
for ((r = 1; r <= 10; r++)); do
	ok "link delete under I/O, rounds $((r * rounds / 10 - rounds / 10 + 1)) to $((r * rounds / 10))" \
		repeat $((rounds / 10)) link_round
done
tally $((4 * (rounds / 6) + rounds)) "sessions cycled"
ok "login works as before" srp_login ch_count=4
ok "logout" srp_logout
rxe_down
ok "no session is left" srp_sessions_are 0
assert_clean "unload"
