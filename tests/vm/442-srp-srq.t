#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# vm: -c 2 -m 2G -t 400
#
# Shared receive queue: data, an initiator that fills all of it at once, and the
# end of it all.
#
#	fio --- ib_srp ----\
#	                    rxe0 --- ib_srpt use_srq=1 --- fileio on tmpfs
#	srp-hostile -------/

# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/vm/lib-hostile.sh
. "$(dirname "$0")/lib-hostile.sh"

hostile_needed
plan 13

on_exit unload_modules
on_exit rxe_down
on_exit srp_logout
load_modules scst_vdisk
load_module ib_srpt rdma_cm_port="$SRP_PORT" use_srq=1 || bail "cannot load ib_srpt"
ok "soft-RoCE port" rxe_up
make_file $hostile/file 16
ok "device" add_fileio disk0 $hostile/file
ok "LUN" add_lun "ib_srpt/$(srp_target)" disk0 0
ok "enable" srp_enable 1
like "$(rdma resource show srq 2>/dev/null)" 'ib_srpt|kernel' "the queue is shared" ||
	rdma resource show
ok "login of a good initiator" srp_login ch_count=1
disk=$(scsi_disk "$SRP_HOST" 0)
ok "data" fio_verify "$disk" --size=4m
ok "far more commands than credits" attack burst 4000
ok "the session of that initiator ends" wait_for 60 srp_sessions_are 1
ok "the good one works on" fio_verify "$disk" --size=1m
ok "logout" srp_logout
ok "no session is left" wait_for 30 srp_sessions_are 0
rxe_down
rm -f $hostile/file
assert_clean "unload"
