#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A CD-ROM drive: empty, with a disc, and who may keep the disc in it. B60.
#
#	sgio --- two hosts --- scst_local --- vcdrom

# vm: -t 200
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/vm/lib-sgio.sh
. "$(dirname "$0")/lib-sgio.sh"

dir=/dev/shm/224
mkdir -p $dir
on_exit rm -rf $dir
on_exit unload_modules

plan 28
perl -e 'print "CD" x 524288' >$dir/disc
load_modules scst_vdisk scst_local
modprobe sg
scst_write handlers/vcdrom/mgmt "add_device cd"
add_lun "scst_local/$LOCAL_TARGET" cd 0
scst_write targets/scst_local/mgmt "add_session $LOCAL_TARGET other"
one=$(local_sg 0)
other=$(scsi_sg "$(local_host "$LOCAL_TARGET" other)" 0)
insert() { scst_try devices/cd/filename $dir/disc; }
eject() { scst_try devices/cd/filename ""; }
prevent=1e0000000100
allow=1e0000000000
# Each command line of a nexus that has something to be told first.
told() { expect 6/28/00 "$1" 000000000000; }

for dev in $one $other; do
	# The first one may be told of the power on.
	cmd 000000000000
	cmd 000000000000
done
dev=$one
expect 2/3a/00 "an empty drive is not ready (B60)" 000000000000
expect 2/3a/00 "READ of an empty drive (B60)" 28000000000000000100 in 2048
expect 2/3a/00 "READ CAPACITY of an empty drive" 25000000000000000000 in 8
cmd 120000002400 in 36
is "$status ${data:0:4}" "GOOD 0580" "INQUIRY works (B60)"
expect GOOD "MODE SENSE works" 1a003f00ff00 in 255

is "$(insert)" OK "a disc is inserted"
told "the initiator hears of it"
expect GOOD "and the drive is ready" 000000000000
returns 000001ff00000800 "its capacity" 25000000000000000000 in 8
returns "$(text CDCD)" "its data" 28000000000000000100 in 4
dev=$other
told "the other one hears of it, too"

expect GOOD "PREVENT MEDIUM REMOVAL by the other one" $prevent
is "$(eject)" EBUSY "the disc stays"
dev=$one
expect GOOD "ALLOW by the one who has not prevented it" $allow
is "$(eject)" EBUSY "allows nothing"
dev=$other
expect GOOD "ALLOW by the other one" $allow
is "$(eject)" OK "the disc is out"
told "which is told"
expect 2/3a/00 "the drive is empty again" 000000000000

is "$(insert)" OK "the disc is in"
told "which is told again"
expect GOOD "PREVENT" $prevent
is "$(eject)" EBUSY "keeps it in"
ok "LUN RESET" sg_reset --device "$other"
is "$(eject)" OK "lets it go"

insert
settle "$other"
expect GOOD "PREVENT" $prevent
scst_write targets/scst_local/mgmt "del_session $LOCAL_TARGET other"
is "$(eject)" OK "ends with the nexus"
assert_clean "all gone, kernel log clean"
