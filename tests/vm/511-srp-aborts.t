#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Time-outs and resets over SRP: what is in 510-aborts.t, and the credits of the
# channel come back. A store that hangs keeps an initiator from its disk, but not
# from logging in again, and nobody else from anything. SRP_ABORTS=N: at least so many (8;
# ib_srp asks for one abort at a time, and what ends meanwhile needs none).
#
#	fio, sg_raw --- ib_srp --- rxe0 --- ib_srpt --- blockio --- dm-delay --- loop
#	fio --- scst_local --- nullio

# vm: -t 600
# soak: SRP_ABORTS=20
# debug: SRP_ABORTS=3
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/vm/lib-store.sh
. "$here/lib-store.sh"
# shellcheck source=tests/vm/lib-aborts.sh
. "$here/lib-aborts.sh"

plan 32
aborts=${SRP_ABORTS:-8}
what=srp
ok "a store" store_up
on_exit unload_modules
on_exit rxe_down
on_exit srp_logout
ok "soft-RoCE port" rxe_up
load_modules scst_vdisk scst_nullio scst_local
load_module ib_srpt rdma_cm_port="$SRP_PORT" || bail "cannot load ib_srpt"
target=$(srp_target)
scst_write handlers/vdisk_blockio/mgmt "add_device d filename=$store"
add_nullio null size_mb=64
add_lun "ib_srpt/$target" d 0
add_lun "scst_local/$LOCAL_TARGET" null 1
srp_enable 1
ok "login" srp_login ch_count=1
sessions=$SCST/targets/ib_srpt/$target/sessions
disk=$(scsi_disk "$SRP_HOST" 0) sg=$(scsi_sg "$SRP_HOST" 0)

idle() { ! grep -qv '^0$' "$sessions"/*/active_commands; }
# Credits that the initiator holds and those it is owed, of a channel without work.
credits() { cat "$sessions"/*/req_lim "$sessions"/*/req_lim_delta | awk '{ n += $1 } END { print n }'; }
initiator_credits() { cat "/sys/class/scsi_host/host$SRP_HOST/req_lim"; }

credits_are_back()
{
	sg_turs "$sg" >/dev/null 2>&1
	ok "$1: no command is left" wait_for 30 idle
	is "$(credits)" "$start" "$1: the target has all credits accounted for"
	# What it is owed comes with the next response.
	sg_turs "$sg" >/dev/null 2>&1
	is "$(initiator_credits)" "$start" "$1: the initiator has all of them back"
}

count_functions
bystander_start "$(local_disk 1)"
sg_turs "$sg" >/dev/null 2>&1
start=$(credits)
is "$(initiator_credits)" "$start" "$start credits"

abort_storm "$aborts"
credits_are_back "after aborts"
no_write_after_abort
credits_are_back "after aborted writes"
ok "LUN RESET in between" resets --device 5
credits_are_back "after LUN RESET"
still_works

# ---- the store hangs: the initiator gives up, and connects again
set_timeout 2
store_hangs
dd if=/dev/zero of="$disk" bs=4k count=1 oflag=direct status=none &
writer=$!
ok "a new login while commands of the old session hang" wait_for 60 srp_sessions_are 2
ok "configuration goes on" timeout 10 cat "$SCST/devices/d/size" "$sessions"/*/active_commands
store_goes_on
ok "the old session ends when the store goes on" wait_for 60 srp_sessions_are 1
ok "the initiator's write was repeated" wait $writer
set_timeout 30
credits_are_back "after the new login"

ok "I/O of another initiator went on all the time" bystander_end
is "$(functions_rejected)" 0 "no task management function was rejected"
tally "$(functions_done)" "aborts done"
ok "logout" srp_logout
rxe_down
store_down
assert_clean "all gone, kernel log clean"
