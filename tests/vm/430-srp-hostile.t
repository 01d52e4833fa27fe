#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# vm: -c 2 -m 2G -t 900
# soak: SRP_MUTATIONS=5000
#
# An initiator that sends whatever it wants gets what SRP names, and nobody else
# notices. B140, B157, B159, B161.
#
#	fio --- ib_srp ----\
#	                    rxe0 --- ib_srpt --- nullio (ib_srp's), fileio (the other's)
#	srp-hostile -------/

# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"

hostile=/dev/shm/hostile
make -s -C "$SCST_PROJECT/tests/hostile" OUT=$hostile >/dev/null 2>&1 ||
	skip_all "srp-hostile does not build (librdmacm-dev, libibverbs-dev)"
mapfile -t cases < <($hostile/srp-hostile -l)
count=${SRP_MUTATIONS:-2000}
plan $((14 + ${#cases[@]}))

attack() { $hostile/srp-hostile "$RXE_ADDR" "$SRP_PORT" "$guid" "$@"; }

# The victim of it all is the session that was there before.
fio_runs() { kill -0 $io; }

# relogins COUNT: of the initiator that logs in again and again one session is left
relogins()
{
	local pipe=$hostile/pipe out=$hostile/relogins rc=1 pid

	mkfifo $pipe
	attack relogins "$1" <$pipe >$out 2>&1 &
	pid=$!
	exec 3>$pipe
	# It keeps the last session until we have seen that there is no other.
	wait_for 300 eval "grep -q works $out || ! kill -0 $pid" && wait_for 60 srp_sessions_are 2 && rc=0
	echo >&3
	exec 3>&-
	cat $out
	srp_sessions
	wait $pid && return $rc
}

# half_open COUNT: no more than 64 are in that state at a time
half_open()
{
	local pid n most=0

	attack half-open "$1" &
	pid=$!
	while kill -0 $pid 2>/dev/null; do
		n=$(grep -ls connecting "$target"/sessions/*/ch_state | wc -l)
		[ "$n" -le "$most" ] || most=$n
		sleep 0.2
	done
	echo "$most half-open channels at most"
	wait $pid && [ "$most" -gt 0 ] && [ "$most" -le 64 ]
}

on_exit rm -rf $hostile
on_exit unload_modules
on_exit rxe_down
on_exit srp_logout
ok "soft-RoCE port" rxe_up
load_modules scst_nullio scst_vdisk
load_module ib_srpt rdma_cm_port="$SRP_PORT" || bail "cannot load ib_srpt"
guid=$(cat /sys/module/ib_srpt/parameters/srpt_service_guid)
target=$SCST/targets/ib_srpt/$(srp_target)
make_file $hostile/file 16
add_nullio null0 size_mb=64
add_fileio disk0 $hostile/file
ok "LUN" add_lun "ib_srpt/$(srp_target)" disk0 0
ok "LUN for others" add_lun "ib_srpt/$(srp_target)" null0 1
ok "enable" srp_enable 1
ok "login of a good initiator" srp_login ch_count=1
disk=$(scsi_disk "$SRP_HOST" 1)
fio --thread --direct=1 --ioengine=libaio --iodepth=4 --time_based --runtime=3600 --name=victim \
	--filename="$disk" --rw=randrw --bsrange=512-64k --rate=1m >/dev/null 2>&1 &
io=$!

for c in "${cases[@]}"; do
	ok "$c" attack "$c"
done
ok "more commands than credits" attack burst 500
ok "$((count / 10)) logins of the same port leave one session (B140)" relogins $((count / 10))
tally $((count / 10)) "sessions cycled"
ok "half-open logins are bounded" half_open 100
ok "$count mutated messages" attack mutations "$count" &&
	tally "$count" "mutated messages sent"
ok "only the good initiator is left" wait_for 180 srp_sessions_are 1
ok "its I/O goes on" fio_runs
kill $io
wait $io 2>/dev/null
ok "logout" srp_logout
ok "no session is left" wait_for 30 srp_sessions_are 0
rxe_down
rm -f $hostile/file
assert_clean "unload"
