#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# "replace" of a LUN, with each of its memory allocations failing once: either
# the LUN is the new device, or it is the old one, and initiators can use it.
#
#	two hosts --- scst_local --- nullio a, or b

# vm: -t 300
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/vm/lib-sgio.sh
. "$(dirname "$0")/lib-sgio.sh"

[ -w /proc/self/fail-nth ] || skip_all "the kernel cannot let the n-th allocation fail"
plan 5
on_exit unload_modules

modprobe sg
load_modules scst_nullio scst_local
add_nullio a size_mb=1
add_nullio b size_mb=2
lun=targets/scst_local/$LOCAL_TARGET/luns
add_lun "scst_local/$LOCAL_TARGET" a 0
scst_write targets/scst_local/mgmt "add_session $LOCAL_TARGET other"
one=$(local_sg 0)
other=$(scsi_sg "$(local_host "$LOCAL_TARGET" other)" 0)

# The n-th allocation of a debug kernel's slab fails, not just whichever is ours.
echo N >/sys/kernel/debug/failslab/ignore-gfp-wait
echo 0 >/sys/kernel/debug/failslab/verbose

# replace DEVICE N: with the N-th allocation failing; prints what came of it
replace()
{
	perl -e '
		open(my $nth, "+<", "/proc/self/fail-nth") or die;
		open(my $mgmt, ">", $ARGV[0]) or die;
		syswrite($nth, $ARGV[2]);
		my $done = syswrite($mgmt, "replace $ARGV[1] 0\n") ? "OK" : "failed";
		sysseek($nth, 0, 0);
		sysread($nth, my $left, 16);
		syswrite($nth, "0");
		print $done, $left > 0 ? " untouched" : "";
	' "$SCST/$lun/mgmt" "$1" "$2"
}

device_of() { basename "$(readlink "$SCST/$lun/$1/device")"; }
declare -A last=([a]=000007ff [b]=00000fff)
# sees DEVICE: both nexuses
sees()
{
	local d

	settle "$one" "$other"
	for d in $one $other; do
		dev=$d
		cmd 25000000000000000000 in 8
		[ "$status ${data:0:8}" = "GOOD ${last[$1]}" ] || { echo "$d: $status $data"; return 1; }
	done
}

now=a failed=0 wrong=""
for n in $(seq 1000); do
	[ "$now" = a ] && to=b || to=a
	res=$(replace "$to" "$n")
	case $res in
	failed*) failed=$((failed + 1)) ;;
	*) now=$to ;;
	esac
	sees "$now" || wrong+=" $n:$res"
	[[ $res = *untouched ]] && break
done
tally "$failed" "faults injected"
ok "some allocations could fail" [ "$failed" -gt 3 ]
like "$res" "OK untouched" "until there were no more"
is "$wrong" "" "both initiators saw one of the devices each time"
is "$(device_of 0)" "$now" "sysfs shows which one"
assert_clean "all gone, kernel log clean"
