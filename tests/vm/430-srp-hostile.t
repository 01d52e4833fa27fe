#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# vm: -c 2 -m 2G -t 900
# soak: SRP_MUTATIONS=5000
# debug: SRP_MUTATIONS=400
#
# An initiator that sends whatever it wants gets what SRP names, and nobody else
# notices. B140, B157, B159, B161.
#
#	fio --- ib_srp ----\
#	                    rxe0 --- ib_srpt --- nullio (ib_srp's), fileio (the other's)
#	srp-hostile -------/

# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"

# shellcheck source=tests/vm/lib-hostile.sh
. "$(dirname "$0")/lib-hostile.sh"

hostile_needed
mapfile -t cases < <($hostile/srp-hostile -l)
count=${SRP_MUTATIONS:-2000}
plan $((14 + ${#cases[@]}))

# The victim of it all is the session that was there before.
fio_runs() { kill -0 $io; }

# relogins COUNT: of the initiator that logs in again and again one session is left
relogins()
{
	local rc=0

	attack_held relogins "$1"
	wait_for 60 srp_sessions_are 2 || rc=1
	srp_sessions
	attack_over && return $rc
}

# half_open COUNT: no more than 64 are in that state at a time
half_open()
{
	local n

	attack_held half-open "$1"
	n=$(grep -ls connecting "$target"/sessions/*/ch_state | wc -l)
	attack_over || return 1
	echo "$n are connecting"
	[ "$n" -gt 0 ] && [ "$n" -le 64 ]
}

on_exit unload_modules
on_exit rxe_down
on_exit srp_logout
ok "soft-RoCE port" rxe_up
load_modules scst_nullio scst_vdisk
load_module ib_srpt rdma_cm_port="$SRP_PORT" || bail "cannot load ib_srpt"
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
