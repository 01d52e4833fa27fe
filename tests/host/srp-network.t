#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What a network does to SRP sessions between two machines: frames are lost,
# doubled and overtake one another, a cable is pulled and put back, addresses come
# and go, the initiator loses power. B143, B150, B157, B165.
#
#	fio --- ib_srp --- rxe0, eth0 192.0.2.2 ======= eth0 192.0.2.1, rxe0 --- ib_srpt --- fileio

# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/../vm/lib.sh"
# shellcheck source=tests/host/lib-pair.sh
. "$(dirname "$0")/lib-pair.sh"

plan 38
seconds=${SRP_NETWORK_SECONDS:-5}

# ---- run in the target ----

wire_up()
{
	modprobe virtio_net && modprobe rdma_rxe && modprobe sch_netem || return 1
	wait_for 10 test -e /sys/class/net/eth0
	ip link set eth0 up && ip addr add "$1/24" dev eth0 &&
		rdma link add rxe0 type rxe netdev eth0
}

target_up()
{
	wire_up 192.0.2.1 && load_module scst_vdisk || return 1
	make_file /dev/shm/file 64
	add_fileio disk0 /dev/shm/file nv_cache=1 && srp_start disk0
}

# No command is left, and the initiator has all credits or is owed them.
settled()
{
	local s

	s=$SCST/targets/ib_srpt/$(srp_target)/sessions/192.0.2.2
	[ "$(cat "$s/active_commands")" = 0 ] &&
		[ $(($(cat "$s/req_lim") + $(cat "$s/req_lim_delta"))) = 64 ]
}

network_restart()
{
	ip link set eth0 down
	ip addr flush dev eth0
	sleep 2
	ip link set eth0 up && ip addr add 192.0.2.1/24 dev eth0 &&
		wait_for 20 eval 'grep -q ffff:c000:0201 /sys/class/infiniband/rxe0/ports/1/gids/*'
}

target_down() { rdma link delete rxe0 && rm /dev/shm/file && unload_modules && no_modules_left; }

# ---- run in the initiator ----

initiator_up()
{
	SRP_GUID=$1
	SRP_SRC=192.0.2.2
	wire_up 192.0.2.2
}

# Commands wait for the session to come back as long as that takes. No registered
# memory: the soft-RoCE of Linux 6.1 registers it once more when it sends again, which
# fails ("mr->lkey not free") and leaves the initiator's queue pair without an error.
# And 6 retries: it takes 7, the default, for no limit, and would never reconnect.
login()
{
	modprobe ib_srp never_register=1 fast_io_fail_tmo=off dev_loss_tmo=600 \
		reconnect_delay=3 &&
		srp_login ch_count=1,tl_retry_count=6 && disk=$(scsi_disk "$SRP_HOST" 0) &&
		echo 300 >"/sys/block/${disk##*/}/device/timeout"
}

idle_login()
{
	srp_login ch_count=1,tl_retry_count=6,initiator_ext=0000000000000001 &&
		idle=$(scsi_disk "$SRP_HOST" 0) &&
		echo 300 >"/sys/block/${idle##*/}/device/timeout"
}

verify_idle() { fio_verify "$idle" --size=512k; }
verify_little() { fio_verify "$disk" --bsrange=512-64k --size=512k; }
verify() { fio_verify "$disk" --size=512k && fio_verify "$disk" --bsrange=512-512k --size=4m; }

start_io()
{
	fio_verify "$disk" --bs=16k --size=16m --serialize_overlap=1 --time_based \
		--runtime="$1" >io.log 2>&1 &
	io=$!
	sleep 1
	kill -0 $io
}

end_io()
{
	wait "$io" && return 0
	cat io.log
	return 1
}

# What soft-RoCE counted, and ib_srp and the disks logged, since the last time.
seen()
{
	local name value out='' log
	local -A was
	eval "was=(${counters:-})"

	counters=
	while IFS=: read -r name value; do
		name=${name#./}
		[ "$value" = "${was[$name]:-0}" ] || out+=", $name $((value - ${was[$name]:-0}))"
		counters+="[$name]=$value "
	done < <(cd /sys/class/infiniband/rxe0/ports/1/hw_counters && grep . ./*_err ./*_request)
	log=$(dmesg -c | sed 's/^\[[^]]*\] //; s/ for CQE.*//' | grep -E 'ib_srp|scsi|sd [0-9]' |
		sort | uniq -c | sed 's/^ *//; s/ /x /')
	out=${out#, }
	echo "soft-RoCE: ${out:-nothing}"
	echo "log: ${log:-nothing}"
}

# ---- run here ----

begin() { begin=$SECONDS; on initiator seen >/dev/null; }

# says WHAT: how long it took since "begin", and what the initiator saw meanwhile
says()
{
	local line

	diag "$1: $((SECONDS - begin)) s, the initiator saw"
	on initiator seen | while read -r line; do diag "  $line"; done
}

# both COMMANDS: in both machines
both() { on target "$*" && on initiator "$*"; }

# Sets $worst to the longest that a read took, in usec: field 15 of what fio says. A
# lost frame costs 2 s if none follows from which the loss shows.
impaired()
{
	local rc

	both tc qdisc replace dev eth0 root netem "$@" || return 1
	worst=$(on initiator verify_little)
	rc=$?
	echo "$worst"
	worst=$(tail -n 1 <<<"$worst" | cut -d ';' -f 15)
	both tc qdisc del dev eth0 root && return $rc
}

cable() { both tc qdisc "$([ "$1" = out ] && echo replace || echo del)" dev eth0 root netem loss 100%; }

ok "two machines" pair_boot target initiator
teach target wire_up target_up settled network_restart target_down
teach initiator wire_up initiator_up login idle_login verify verify_idle verify_little start_io \
	end_io seen
ok "target" on target target_up
guid=$(on target cat /sys/module/ib_srpt/parameters/srpt_service_guid)
ok "initiator" on initiator initiator_up "${guid#0x}"
ok "login" on initiator login
ok "... data" on initiator verify

# ---- frames ----

for how in "loss 1%" "loss 5%" "duplicate 10%" "delay 2ms reorder 98%" \
	"loss 2% duplicate 2% delay 2ms reorder 98%"; do
	begin
	ok "$how: data" impaired "$how" &&
		diag "no command failed, the slowest read took $((${worst:-0} / 1000)) ms"
	says "$how"
done
ok "commands have ended, credits are back" on target wait_for 10 settled
ok "data as before" on initiator verify
is "$(on target srp_sessions)" 192.0.2.2 "it is still the session that logged in"

# ---- the cable ----

ok "login of another initiator, which does nothing" on initiator idle_login
begin
on initiator start_io "$seconds"
cable out
ok "sessions whose cable is pulled end within two minutes, busy or not (B143)" \
	on target wait_for 120 srp_sessions_are 0
diag "after $((SECONDS - begin)) s"
cable in
ok "the initiator reconnects, and none of its I/O fails" on initiator end_io
ok "so does the idle one, when it has something to do" on initiator verify_idle
says "cable pulled and put back"
is "$(on target srp_sessions | wc -l)" 2 "two sessions"
ok "logout" on initiator srp_logout
ok "login" on initiator login

# ---- addresses ----

begin
on initiator start_io "$seconds"
on target ip addr add 198.51.100.1/24 dev eth0
on initiator ip addr add 198.51.100.2/24 dev eth0
on initiator sleep 2
on target ip addr del 198.51.100.1/24 dev eth0
on target ip addr add 198.51.100.7/24 dev eth0
ok "addresses come and go beside a busy session (B150)" on initiator end_io
says "addresses beside a busy session"
ok "... logout" on initiator srp_logout
ok "... login by a new address" \
	on initiator RXE_ADDR=198.51.100.7 SRP_SRC=198.51.100.2 login
is "$(on target srp_sessions)" 198.51.100.2 "... is named by it"
ok "... data" on initiator verify
ok "... logout" on initiator srp_logout
begin
ok "the target's network service restarts (B165)" on target network_restart
ok "... login" on initiator login
ok "... data" on initiator verify
says "network service of the target restarted"

# ---- power ----

on initiator start_io 300
ok "power cut under I/O" pair_kill initiator
ok "... boot" pair_boot initiator
teach initiator wire_up initiator_up login verify seen
on initiator initiator_up "${guid#0x}"
begin
ok "... login at the first attempt (B157)" on initiator login
ok "... the old session is gone" on target wait_for 10 srp_sessions_are 1
ok "... data" on initiator verify
says "login after a power cut"

ok "logout" on initiator srp_logout
on initiator rdma link delete rxe0
ok "the target unloads" on target target_down
ok "the initiator has nothing to complain about" pair_off initiator
ok "nor has the target" pair_off target
