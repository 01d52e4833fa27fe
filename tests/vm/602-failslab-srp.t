#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# vm: -m 2G -t 600
#
# SRP while there is no memory. A login is accepted, or refused with "insufficient
# resources" and leaves nothing (B161); a command ends well, or is to be sent again,
# or at worst its channel is lost; and when memory is back all is as before.
#
#	srp-hostile, fio (ib_srp) --- rxe0 --- ib_srpt --- fileio

# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/vm/lib-hostile.sh
. "$(dirname "$0")/lib-hostile.sh"
# shellcheck source=tests/vm/lib-inject.sh
. "$(dirname "$0")/lib-inject.sh"

inject_needed
hostile_needed
logins=${FAILSLAB_LOGINS:-200}
count=${FAILSLAB_COMMANDS:-300}
on_exit unload_modules
on_exit rxe_down
on_exit srp_logout

# pressed PERCENT COMMAND...: the command succeeds while memory fails
pressed()
{
	local percent=$1 rc
	shift

	inject "$percent" scst scst_vdisk ib_srpt
	"$@"
	rc=$?
	inject_off
	return $rc
}

accepted() { [[ $(attack logins 20) == "20 of 20"* ]]; }
all_good() { [[ $(attack pressed-io 50) == "50 of 50"* ]]; }

setup_target()
{
	load_module ib_srpt rdma_cm_port="$SRP_PORT" || return 1
	add_fileio disk $hostile/file && add_lun "ib_srpt/$(srp_target)" disk 0 && srp_enable 1
}

plan 17
ok "soft-RoCE port" rxe_up
modprobe -a rdma_ucm rdma_cm ib_cm
make_file $hostile/file 32
load_modules scst_vdisk
for percent in 2 10 30; do
	ok "ib_srpt comes or not, $percent % of its allocations fail" load_faults $percent ib_srpt
	rmmod ib_srpt
done
ok "target" setup_target

# Where rejects are lost as well, the initiator waits and asks again, so that takes long.
while read -r percent n; do
	ok "$percent % of all allocations fail, $n logins (B161)" pressed "$percent" attack logins "$n"
done <<END
1/20 $logins
1/5 $logins
1 $((logins / 4))
5 $((logins / 20))
END
ok "no session is left (B161)" wait_for 60 srp_sessions_are 0
ok "every login is accepted again" accepted
# Each lost channel is another login.
while read -r percent n; do
	ok "$percent %, $n commands" pressed "$percent" attack pressed-io "$n"
done <<END
1 $count
5 $((count / 5))
20 $((count / 15))
END
ok "every command ends well again" all_good
ok "no session is left" wait_for 60 srp_sessions_are 0
inject_tally
rxe_down
rm -f $hostile/file
assert_clean "unload"
