#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Reading and writing everything while objects come and go (B100): readers see a
# value or an error, nobody hangs, and nothing is left.
#
#	4 readers: find | cat		writers: targets, sessions, groups, LUNs, devices

# vm: -t 600
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"

plan 7
load_modules scst_nullio scst_local
on_exit unload_modules

driver=$SCST/targets/scst_local
nullio=$SCST/handlers/vdisk_nullio/mgmt
stop=/dev/shm/sysfs-races.stop
on_exit rm -f $stop

put() { { echo "$2" >"$1"; } 2>/dev/null; }

# What a reader cannot read because it is gone is no failure; a hang or an oops is.
reader()
{
	until [ -e $stop ]; do
		find "$SCST/$1" -type f -perm -400 -exec cat {} + 2>/dev/null | wc -c >/dev/null
	done
}

churn_sessions()
{
	until [ -e $stop ]; do
		put "$driver/mgmt" "add_target r session_name=s1;session_name=s2"
		put "$driver/r/luns/mgmt" 'add fix 0'
		put "$driver/r/sessions/s1/force_close" 1
		put "$driver/mgmt" 'add_session r s1'
		put "$driver/mgmt" 'del_session r s2'
		put "$driver/mgmt" 'del_target r'
	done
}

churn_groups()
{
	local g=$driver/$LOCAL_TARGET/ini_groups

	until [ -e $stop ]; do
		put "$g/mgmt" 'create g'
		put "$g/g/initiators/mgmt" 'add scst_local_host'
		put "$g/g/luns/mgmt" 'add fix 3'
		put "$g/g/initiators/mgmt" clear
		put "$g/mgmt" 'del g'
	done
}

churn_luns()
{
	local luns=$driver/$LOCAL_TARGET/luns/mgmt

	until [ -e $stop ]; do
		put "$nullio" 'add_device v'
		put "$luns" 'add v 1'
		put "$luns" 'replace fix 1'
		put "$luns" 'replace v 1 read_only=1'
		put "$SCST/devices/v/usn" x
		put "$SCST/devices/v/threads_pool_type" shared
		put "$SCST/threads" $((RANDOM % 4 + 1))
		put "$luns" 'add v 2'
		put "$luns" 'del 1'
		put "$nullio" 'del_device v'
	done
}

ok 'add a device that stays' scst_write handlers/vdisk_nullio/mgmt 'add_device fix'
pids=()
for job in 'reader targets' 'reader devices' 'reader .' churn_sessions churn_groups churn_luns \
	churn_groups churn_luns; do
	$job &
	pids+=($!)
done
sleep 30
touch $stop
ok 'readers and writers end' wait_for 200 eval '! jobs -r | grep -q .'
wait "${pids[@]}"

for cmd in "$driver/mgmt=del_target r" "$driver/$LOCAL_TARGET/ini_groups/mgmt=del g" \
	"$driver/$LOCAL_TARGET/luns/mgmt=clear" "$nullio=del_device v"; do
	put "${cmd%%=*}" "${cmd#*=}"
done
is "$(cd "$SCST/devices" && echo *)" fix 'one device is left'
is "$(cd "$SCST/devices/fix/exported" && echo *)" '*' 'which is not exported'
is "$(cd "$driver/$LOCAL_TARGET/luns" && echo *)" mgmt 'no LUN is left'
is "$(cd "$driver/$LOCAL_TARGET/sessions" && echo *)" scst_local_host 'one session is left'
ok 'the device goes' scst_write handlers/vdisk_nullio/mgmt 'del_device fix'
