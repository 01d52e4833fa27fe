#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# vm: -c 2 -m 2G -t 900
# debug: SRP_LOGINS=4
#
# Sessions in number: logins with commands at once, logins while the queue is
# full, a thousand LUNs, a service that stops under twenty busy sessions. B87,
# B146, B149, B193.
#
#	fio --- ib_srp --- rxe0 (192.0.2.1, talks to itself) --- ib_srpt --- fileio, nullio

# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"

logins=${SRP_LOGINS:-12}
file=/dev/shm/srp-sessions
plan 14

# Lines of the kernel log since mark was called, of MODULE if given.
mark() { echo "mark $((++marks))" >/dev/kmsg; }
since() { dmesg | sed "1,/mark $marks\$/d" | grep "${1:-.}"; }
quiet() { ! since 'timing out\|SRP abort\|SRP reset\|FAILED\|I/O error'; }

login() { srp_login "$1" && disk=$(scsi_disk "$SRP_HOST" 0); }

start_io()
{
	fio --thread --direct=1 --ioengine=libaio --iodepth=128 --time_based --runtime=300 \
		--name=io --filename="$disk" --rw=randread --bs=4k "$@" >/dev/null 2>&1 &
	io=$!
	wait_for 30 busy
}

stop_io()
{
	kill "$io" 2>/dev/null
	wait "$io" 2>/dev/null
	return 0
}

busy() { grep -qv '^0$' "$SCST"/targets/ib_srpt/*/sessions/*/active_commands; }

on_exit rm -f $file
on_exit unload_modules
on_exit rxe_down
on_exit srp_logout
ok "soft-RoCE port" rxe_up
load_modules scst_vdisk scst_nullio
make_file $file 32
ok "device" add_fileio disk0 $file nv_cache=1
ok "target" srp_start disk0

# ---- logins ----

# Commands are on their way before the initiator's last message of the login.
quick_login() { login ch_count=2 && dd if="$disk" of=/dev/null bs=4k count=16 iflag=direct && srp_logout; }

quick_logins()
{
	local i

	mark
	for ((i = 0; i < $1; i++)); do
		quick_login || return 1
	done
	quiet
}

ok "$logins logins with commands at once, none times out (B149)" quick_logins "$logins"
tally "$logins" "sessions cycled"

# As initiators do when they give up a session.
relogins()
{
	local i

	for ((i = 0; i < $1; i++)); do
		mark
		sg_reset --host --no-esc "$disk" || return 1
		wait_for 30 busy || return 1
		# Not counted: that the kernel left out some.
		since 'scst\|srpt' | grep -v 'callbacks suppressed' >$file.log
		[ "$(wc -l <$file.log)" -lt 5 ] || { cat $file.log; return 1; }
	done
}

login ch_count=2,queue_size=128
start_io
ok "relogin with 128 commands under way says less than 5 lines (B146)" relogins 5
tally 5 "sessions cycled"
stop_io
ok "... data" fio_verify "$disk" --size=1m
srp_logout

# ---- LUNs ----

# No process per LUN.
mgmt=$SCST/targets/ib_srpt/$(srp_target)/luns/mgmt
for ((i = 1; i <= 1000; i++)); do
	echo "add_device null$i size_mb=16" >$SCST/handlers/vdisk_nullio/mgmt
	echo "add null$i $i" >"$mgmt"
done
# A session sees them whether the initiator looks for them or not.
printf none >/sys/module/scsi_mod/parameters/scan
srp_login ch_count=1
printf sync >/sys/module/scsi_mod/parameters/scan
s=$SCST/targets/ib_srpt/$(srp_target)/sessions/192.0.2.1
is "$(find "$s" -maxdepth 1 -name 'lun[0-9]*' | wc -l)" 1001 "a session with 1001 LUNs"
begin=$(date +%s%N)
srp_logout
ok "... is gone within 10 s of the logout (B87)" wait_for 10 srp_sessions_are 0
diag "after $((($(date +%s%N) - begin) / 1000000)) ms"
begin=$(date +%s%N)
ok "all LUNs go" scst_write "targets/ib_srpt/$(srp_target)/luns/mgmt" clear
diag "after $((($(date +%s%N) - begin) / 1000000)) ms"
rmmod scst_nullio
is "$(ls $SCST/devices)" disk0 "as do the devices"

# ---- the service stops ----

twenty_logins()
{
	local i

	modprobe ib_srp fast_io_fail_tmo=1 dev_loss_tmo=2 reconnect_delay=1
	for ((i = 0; i < 20; i++)); do
		login "ch_count=1,initiator_ext=$(printf %016x $i)" || return 1
		disks+=${disks:+:}$disk
	done
	srp_sessions_are 20
}

# What systemctl stop scst does.
stop_service()
{
	local begin=$SECONDS

	"$SCST_PROJECT/scstadmin/scstadmin" -clear_config -force -noprompt && unload_modules &&
		no_modules_left && [ $((SECONDS - begin)) -le 30 ]
}

disks=
add_lun "ib_srpt/$(srp_target)" disk0 0
ok "twenty sessions" twenty_logins
disk=$disks
start_io --numjobs=4 --iodepth=40
ok "... under I/O, the service stops within 30 s (B193)" stop_service
stop_io
ok "the initiator logs out of what is no longer there" srp_logout
rm -f $file $file.log
rxe_down
assert_clean "unload"
