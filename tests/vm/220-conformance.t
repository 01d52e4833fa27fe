#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The libiscsi conformance suite on a thin fileio disk. What may fail stands in
# 220-conformance.expected with its reason; a test that fails and is not named
# there fails this one, and so does a name there that passes now: the list may
# only shrink.
#
#	iscsi-test-cu --- /dev/sdX --- scst_local --- fileio on tmpfs

# vm: -m 3G -t 900
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"

plan 7
dir=/dev/shm/220
out=$dir/output
expected=$(dirname "$0")/220-conformance.expected

mkdir -p $dir
on_exit rm -rf $dir
on_exit unload_modules

make_file $dir/file 256
load_modules scst_vdisk scst_local
ok "a thin disk" add_fileio disk $dir/file thin_provisioned=1
add_lun "scst_local/$LOCAL_TARGET" disk 0
modprobe sg
disk=$(local_disk 0)
# Its exit status tells of failures, which are looked at one by one below.
iscsi-test-cu -d -n "$disk" >$out 2>&1
ok "the suite runs to its end" grep -q '^Tests completed' $out

read -r total passed < <(awk '$1 == "tests" { print $3, $4 }' $out)
diag "libiscsi: ${passed:-0} of ${total:-0} tests passed; reasons for what was skipped:"
grep -o '\[SKIPPED\].*' $out | sort | uniq -c | sort -rn | sed 's/^/# /' >&2
result "$((${passed:-0} < 593))" "at least 593 tests pass"
like "${total:-0}" '^6[0-9][0-9]$' "all tests of the suite were run"

grep -o 'Suite [A-Za-z0-9]*, Test [A-Za-z0-9-]* had failures' $out |
	sed 's/Suite \(.*\), Test \(.*\) had failures/\1.\2/' | sort -u >$dir/failed
sed 's/[ \t]*#.*//; /^$/d' "$expected" | sort -u >$dir/expected
is "$(comm -23 $dir/failed $dir/expected | xargs)" "" "nothing fails that is not expected to"
is "$(comm -13 $dir/failed $dir/expected | xargs)" "" "what is expected to fail does"

# Commands of ours that the suite believes to be missing.
ours='INQUIRY|VPD|REPORT_?LUNS|TESTUNITREADY|READCAPACITY|MODESENSE|MODESELECT|READ(6|10|12|16) |'
ours+='WRITE(6|10|12|16) |VERIFY|WRITEVERIFY|SYNCHRONIZECACHE|WRITESAME|UNMAP|COMPAREANDWRITE|'
ours+='STARTSTOPUNIT|RESERVE6|RELEASE6|REPORT_SUPPORTED'
is "$(grep -E "\[SKIPPED\] ($ours).*not implemented" $out | sort -u)" "" \
	"no command of ours is skipped as not implemented"
