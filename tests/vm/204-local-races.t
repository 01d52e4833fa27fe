#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Targets and sessions of scst_local that two administrators create and delete at
# the same time: whoever comes second is refused, or waits (B91, B100).

# vm: -c 2 -t 600
# soak: RACE_ROUNDS=30
# debug: RACE_ROUNDS=5
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"

plan 6
rounds=${RACE_ROUNDS:-15}
on_exit unload_modules
load_modules scst_nullio scst_local

mgmt=$SCST/targets/scst_local/mgmt
t=$SCST/targets/scst_local/t

put() { { echo "$2" >"$1"; } 2>/dev/null; }

# at_once COMMAND...: each in a process of its own
at_once()
{
	local c

	for c; do
		$c &
	done
	wait
}

add() { put "$mgmt" 'add_target t session_name=a;session_name=b;session_name=c'; }
del() { put "$mgmt" 'del_target t'; }
del_a() { put "$mgmt" 'del_session t a'; }
add_d() { put "$mgmt" 'add_session t d'; }
close_a() { put "$t/sessions/a/force_close" 1; put "$t/sessions/a/force_close" 1; }
map() { put "$t/luns/mgmt" 'add null 0'; }
gone() { ! [ -e "$t" ]; }

# race COMMAND...: with a target of three sessions; nothing of it is left
race()
{
	local i

	for ((i = 0; i < rounds; i++)); do
		add && at_once "$@"
		gone || del || return 1
		wait_for 10 gone || return 1
	done
}

# The target goes while it still gets its sessions.
creation()
{
	local i

	for ((i = 0; i < rounds; i++)); do
		at_once add del_at_sight
		gone || del || return 1
		wait_for 10 gone || return 1
	done
}

del_at_sight()
{
	local i

	for ((i = 0; i < 2000; i++)); do
		[ -e "$t" ] && del && return
	done
}

add_nullio null size_mb=64
ok "del_target while add_target creates sessions" creation
ok "del_target while del_session removes a session" race del_a del
ok "del_target while add_session creates one" race add_d del map
ok "force_close twice, del_session, del_target" race close_a close_a del_a del
ok "two times del_target" race del del
assert_clean "all gone, kernel log clean"
