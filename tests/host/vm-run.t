#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The runner of the virtual machine notices what it is there for: a failed test,
# a warning in the kernel log, a crash, a test without end, and goes on after
# each of them.

set -u
cd "$(dirname "$0")/../.." || exit 1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# try NAME COMMANDS: a test of one assertion
try() { printf '%s\n' "$3" 'echo 1..1' "$2" 'echo ok 1' >"$dir/$1.t"; }

try a-good : ''
try b-warning 'echo "<4>WARNING: CPU: 0 PID: 1 at nowhere" >/dev/kmsg' ''
try c-allowed 'echo "<4>WARNING: expected" >/dev/kmsg' ''
try c-own 'echo "<4>WARNING: known here" >/dev/kmsg' '# vm: -A WARNING:.known'
try d-not-ok 'echo not ok 1; exit' ''
try e-status 'echo ok 1; exit 3' ''
try f-oops 'echo c >/proc/sysrq-trigger; sleep 60' ''
try g-lockdep 'echo "<4>WARNING: possible circular locking dependency detected" >/dev/kmsg' ''
try h-endless 'sleep 1000' '# vm: -t 3'
try i-good 'modprobe scsi_debug && rmmod scsi_debug' ''
# shellcheck disable=SC2016 # for the machine
try j-counts 'echo "# tally: 3 nice things"; echo "# tally: $MORE nice things"' ''

mkdir "$dir/out"
tests/vm/run -o "$dir/out" -E MORE=4 -A 'WARNING: expected' "$dir"/*.t >"$dir/log" 2>&1
rc=$?

echo 1..20
n=0
# check DESCRIPTION COMMAND...
check()
{
	local what=$1
	shift

	n=$((n + 1))
	if "$@" >/dev/null; then
		echo "ok $n - $what"
	else
		echo "not ok $n - $what"
		sed 's/^/# /' "$dir/log" >&2
	fi
}

failed() { grep "^$dir/$1.t " "$dir/log" | grep -q Wstat; }
passed() { grep "$dir/$1.t \.* *ok" "$dir/log" && ! failed "$1"; }

check "the run fails" test $rc != 0
check "a good test passes" passed a-good
check "a warning fails" failed b-warning
check "the log excerpt is shown" grep 'at nowhere' "$dir/log"
check "an expected warning passes" passed c-allowed
check "so does one that the test itself expects" passed c-own
check "not ok fails" failed d-not-ok
check "an exit status fails" failed e-status
check "a crash fails" failed f-oops
check "it is called one" grep 'f-oops: the machine went down' "$dir/log"
check "a lockdep report fails" failed g-lockdep
check "a test without end fails" failed h-endless
check "it is told" grep 'h-endless: the test did not end in time' "$dir/log"
check "a good test after them passes" passed i-good
check "the exit status of a command is passed on" \
	eval 'tests/vm/run -e "exit 7" >/dev/null 2>&1; [ $? = 7 ]'

check "what tests counted is added up" grep -x 'tally: 7 nice things' "$dir/log"

tests/vm/run -j 2 -A 'WARNING: expected' -E MORE=5 "$dir"/{c,d,j}-*.t >"$dir/log" 2>&1
check "each in a machine of its own: a good test passes" passed c-allowed
check "not ok fails" failed d-not-ok
check "counts are added up" grep -x 'tally: 8 nice things' "$dir/log"
VM_DEADLINE=1 tests/vm/run -j 2 "$dir/d-not-ok.t" >"$dir/log" 2>&1
check "when the time is over none is begun" grep 'd-not-ok.t .* skipped: the time is over' "$dir/log"
