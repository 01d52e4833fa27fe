#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# vm: -c 4 -m 2G -t 600
#
# What an administrator sees of ib_srpt: parameters, targets and their names,
# attributes, sessions and theirs; and which logins are refused. B153, B159.

# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"

plan 46

parameter() { cat "/sys/module/ib_srpt/parameters/$1"; }
targets() { find $SCST/targets/ib_srpt -mindepth 1 -maxdepth 1 -type d -printf '%f\n'; }
attr() { head -n 1 "$SCST/$target/$1"; }
has_key() { [ "$(sed -n 2p "$SCST/$target/$1")" = '[key]' ]; }

# full_form ADDRESS: an IPv6 address as eight groups of four digits
full_form() { perl -MSocket=inet_pton,AF_INET6 -e 'print join(":", unpack("(H4)8", inet_pton(AF_INET6, $ARGV[0])))' "$1"; }

# login GUID DESTINATION [KEYS]
login()
{
	echo "id_ext=$1,ioc_guid=$1,dest=$2,${3:+$3,}ch_count=1" \
		>/sys/class/infiniband_srp/srp-rxe0-1/add_target
}

on_exit unload_modules
on_exit rxe_down
on_exit srp_logout

# ---- parameters ----

for p in srp_max_req_size=995 srp_max_rsp_size=39 srpt_sq_size=15 srpt_srq_size=3 \
	srpt_srq_size=65536 srpt_service_guid=xyz; do
	nok "$p is refused" load_module ib_srpt $p
done
ok "loads without an HCA" load_module ib_srpt rdma_cm_port=$SRP_PORT
is "$(targets)" "" "... and has no target then"
is "$(parameter srp_max_req_size) $(parameter srp_max_rsp_size) $(parameter srp_max_rdma_size)" \
	"8276 256 65536" "default sizes"
is "$(parameter use_srq) $(parameter srpt_srq_size) $(parameter srpt_sq_size)" "N 4095 256" \
	"default queues"
nok "srp_max_rsp_size keeps its limit at run time" \
	eval 'echo 39 >/sys/module/ib_srpt/parameters/srp_max_rsp_size'
echo 1 >/sys/module/ib_srpt/parameters/srp_max_rdma_size
is "$(parameter srp_max_rdma_size)" 256 "srp_max_rdma_size is at least 256"
echo 65536 >/sys/module/ib_srpt/parameters/srp_max_rdma_size

# ---- targets ----

ok "soft-RoCE port" rxe_up
gid=$(cat /sys/class/infiniband/rxe0/ports/1/gids/0)
is "$(targets)" "$gid" "an HCA port is a target named by its GID"
target=targets/ib_srpt/$gid
guid=$(parameter srpt_service_guid)
like "$guid" '^0x00[0-9a-f]{14}$' "service GUID"
guid=${guid#0x}
is "$(attr login_info)" \
	"tid_ext=$guid,ioc_guid=$guid,pkey=ffff,dgid=${gid//:/},service_id=$guid" "login_info"
is "$(attr device) $(attr link_layer)" "rxe0 Ethernet" "device and link_layer"
is "$(cat "$SCST/$target/port_id")" "SCST SRP target" "port_id"
ok "a new port_id" scst_write "$target/port_id" "rack 7   "
is "$(attr port_id)" "rack 7" "... without trailing blanks"
ok "... is marked" has_key port_id
is "$(scst_try "$target/port_id" "$(printf '%064d' 0)")" E2BIG "64 characters are too many"
ok "63 are not" scst_write "$target/port_id" "$(printf '%063d' 0)"
nvec=$(cat /sys/class/infiniband/rxe0/num_comp_vectors 2>/dev/null || nproc)
is "$((0x$(attr comp_v_mask)))" $(((1 << nvec) - 1)) "comp_v_mask names all vectors"
ok "... and is always marked" has_key comp_v_mask
is "$(scst_try "$target/comp_v_mask" 0)" EINVAL "an empty mask is refused"
is "$(scst_try "$target/comp_v_mask" "$(printf %x $((1 << nvec)))")" EINVAL \
	"so is one with more vectors than there are"
is "$(scst_try "$target/comp_v_mask" xyz)" EINVAL "so is what is no mask"
ok "a mask of one vector" scst_write "$target/comp_v_mask" 2

# ---- logins ----

modprobe ib_srp
wait_for 10 test -e /sys/class/infiniband_srp/srp-rxe0-1/add_target
is "$(attr enabled)" 0 "a target is disabled at first"
nok "login at a disabled target is refused" login "$guid" $RXE_ADDR:$SRP_PORT
srp_enable 1
nok "a wrong identifier is refused" login "$(printf %016x $((0x$guid ^ 1)))" $RXE_ADDR:$SRP_PORT
ok "nobody is logged in" srp_sessions_are 0

load_module scst_nullio
add_nullio null0 size_mb=64
add_lun "ib_srpt/$gid" null0 0
ok "login" login "$guid" $RXE_ADDR:$SRP_PORT
is "$(srp_sessions | xargs)" 192.0.2.1 "the session has the name of the address"
s=$target/sessions/192.0.2.1
ok "the channel is live" wait_for 10 eval "[ \"\$(scst_read $s/ch_state)\" = live ]"
is "$(scst_read "$s/initiator_name") $(scst_read "$s/comp_vector")" "192.0.2.1 1" \
	"initiator_name, comp_vector"
ok "credits" wait_for 10 eval "[ \$((\$(scst_read $s/req_lim) + \$(scst_read $s/req_lim_delta))) = 64 ]"
ok "logout" srp_logout
ok "the session is gone" wait_for 30 srp_sessions_are 0

ip addr add 2001:db8::1/64 dev dummy0 nodad
modprobe ib_srp
wait_for 10 test -e /sys/class/infiniband_srp/srp-rxe0-1/add_target
ok "login by IPv6" login "$guid" "[2001:db8::1]:$SRP_PORT"
is "$(srp_sessions | xargs)" "$(full_form 2001:db8::1)" "the session name is the address in full"
srp_logout
wait_for 30 srp_sessions_are 0

scst_write "$target/comp_v_mask" f
ok "login with four channels" srp_login ch_count=4
is "$(srp_sessions | xargs)" "192.0.2.1 192.0.2.1_1 192.0.2.1_2 192.0.2.1_3" "each is a session (B159)"

ok "unload with sessions" rmmod ib_srpt
srp_logout
rxe_down
assert_clean "unload"
