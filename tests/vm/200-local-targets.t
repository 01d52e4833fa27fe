#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Targets and sessions of scst_local: the default ones, more of them, the
# commands of its mgmt file and what they refuse.

# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"

plan 53
on_exit unload_modules

local=$SCST/targets/scst_local
mgmt=targets/scst_local/mgmt

host_exists() { [ -e "/sys/class/scsi_host/host$1" ]; }
no_session() { [ ! -e "$local/$1/sessions/$2" ]; }

load_modules scst_vdisk scst_nullio scst_local

# ---- what is there after loading
session=$local/$LOCAL_TARGET/sessions/$LOCAL_SESSION
ok "a default target" test -d "$local/$LOCAL_TARGET"
ok "without an attribute enabled" test ! -e "$local/$LOCAL_TARGET/enabled"
is "$(cat "$session/initiator_name")" "$LOCAL_SESSION" "a default session"
host=$(cat "$session/host_no")
is "$(readlink -f "$session/host")" "$(readlink -f "/sys/class/scsi_host/host$host/device")" \
	"its host link leads to its SCSI host"
is "$(cat "/sys/class/scsi_host/host$host/proc_name")" scst_local "which is one of ours"
is "$(stat -c %s "$session/transport_id" >/dev/null; wc -c <"$session/transport_id")" 24 \
	"a TransportID of 24 bytes"
is "$(od -An -tx1 -N1 "$session/transport_id" | tr -d ' ')" 06 "of the SAS kind"
like "$(cat "$local/version")" '^[0-9]+\.[0-9]+\.[0-9]+/' "version"
like "$(cat "$local/stats")" 'Aborts: 0, Device Resets: 0, Target Resets: 0' "stats"
like "$(cat "$local/mgmt")" 'The following parameters available: session_name' \
	"help names the creation parameter"

# ---- version descriptors
is "$(cat "$local/$LOCAL_TARGET/scsi_transport_version")" 0xbe0 "scsi_transport_version: SAS"
is "$(cat "$local/$LOCAL_TARGET/phys_transport_version")" 0x0 "phys_transport_version: none"
add_nullio null
add_lun "scst_local/$LOCAL_TARGET" null 0
sg=$(local_sg 0)
like "$(sg_inq -d "$sg" 2>&1 | tr '\n' ' ')" 'SAS \(no version' "INQUIRY says SAS"
is "$(scst_try "targets/scst_local/$LOCAL_TARGET/scsi_transport_version" 0x940)" OK "change it"
is "$(cat "$local/$LOCAL_TARGET/scsi_transport_version")" "0x940
[key]" "it is kept"
like "$(sg_inq -d "$sg" 2>&1 | tr '\n' ' ')" 'SRP \(no version' "INQUIRY says SRP"
is "$(scst_try "targets/scst_local/$LOCAL_TARGET/phys_transport_version" 0x12345)" EINVAL \
	"17 bits are too many"

# ---- more targets and sessions
is "$(scst_try $mgmt "add_target t1")" OK "add_target without a session"
is "$(ls "$local/t1/sessions")" "" "has none"
is "$(scst_try $mgmt "add_session t1 s1")" OK "add_session"
h1=$(local_host t1 s1)
ok "gives a SCSI host" host_exists "$h1"
isnt "$h1" "$host" "of its own"
is "$(scst_try $mgmt "add_session t1 s1")" EFAULT "a second session of that name is refused"
is "$(scst_try $mgmt "ADD_SESSION t1 s2")" OK "command words in any case"
is "$(scst_try $mgmt "add_target t2 session_name=a;session_name=b;")" OK \
	"add_target with two sessions"
is "$(echo "$local"/t2/sessions/*/host_no | wc -w)" 2 "has both"
cmp -s "$local/t2/sessions/a/transport_id" "$local/t2/sessions/b/transport_id"
is $? 1 "TransportIDs of two sessions differ"
is "$(scst_try $mgmt "add_target t4 session_name=a/../b")" OK "an initiator's name that is no file name"
is "$(cat "$local"/t4/sessions/*/initiator_name)" a/../b "has a directory all the same"
scst_write $mgmt "del_target t4"

# ---- what is refused
is "$(scst_try $mgmt "add_target t1")" EFAULT "a second target of that name"
is "$(scst_try $mgmt "add_target t3 sessionname=a")" EINVAL "an unknown parameter"
ok "leaves no target" test ! -e "$local/t3"
is "$(scst_try $mgmt "add_target t3 session_name=a;session_name")" EINVAL "a bad second parameter"
ok "leaves no target either" test ! -e "$local/t3"
is "$(scst_try $mgmt "add_session t9 s")" EINVAL "a session for a target that does not exist"
is "$(scst_try $mgmt "add_session t1")" EINVAL "a session without a name"
is "$(scst_try $mgmt "add_session t1 s3 extra")" EINVAL "a word too many"
is "$(scst_try $mgmt "add_session t1 a/b")" EINVAL "a name with a slash"
is "$(scst_try $mgmt "del_session t1 s9")" EINVAL "deleting an unknown session"
is "$(scst_try $mgmt "del_session t9 s1")" EINVAL "or that of an unknown target"
is "$(scst_try $mgmt "del_target t9")" ENOENT "deleting an unknown target"
is "$(scst_try $mgmt "frobnicate t1")" EINVAL "an unknown command"

# ---- removal
is "$(scst_try $mgmt "del_session t1 s1")" OK "del_session"
nok "takes the SCSI host with it" host_exists "$h1"
h2=$(local_host t1 s2)
ok "force_close" sh -c "echo 1 >$local/t1/sessions/s2/force_close"
ok "closes the session soon" wait_for 20 no_session t1 s2
nok "and its SCSI host" host_exists "$h2"
ha=$(local_host t2 a)
is "$(scst_try $mgmt "del_target t2")" OK "del_target with sessions"
nok "takes their hosts with it" host_exists "$ha"
ok "the default session is still there" host_exists "$host"

ok "modules unload" unload_modules
load_module scst_local add_default_tgt=0
is "$(find "$local" -mindepth 1 -maxdepth 1 -type d)" "" "add_default_tgt=0: no target"
assert_clean "all gone, kernel log clean"
