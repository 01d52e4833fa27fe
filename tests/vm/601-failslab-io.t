#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# vm: -m 2G -t 500
#
# Commands while there is no memory: each ends, well or with BUSY or TASK SET FULL
# or a sense key that makes the initiator try again; what ended well is not lost;
# and when memory is back all of them work.
#
#	sgio, fio --- scst_local --- fileio (thin), nullio, blockio

# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/vm/lib-inject.sh
. "$(dirname "$0")/lib-inject.sh"
inject_needed
# shellcheck source=tests/vm/lib-sgio.sh
. "$(dirname "$0")/lib-sgio.sh"

rounds=${FAILSLAB_ROUNDS:-4}
dir=/dev/shm/601
mkdir -p $dir
on_exit rm -rf $dir
on_exit modprobe -r brd
on_exit unload_modules

shopt -s extglob
# What an initiator sends again.
retried='@(BUSY|FULL|4/*|b/*)'
# An order in which all of them work: each compares with what came before.
mapfile -t commands <<'END'
000000000000
120000002400 drop 36
12010000ff00 drop 255
12018300ff00 drop 255
1201b000ff00 drop 255
03000000ff00 drop 255
030100001200 drop 18
a00000000000000010000000 drop 4096
a30c00000000000020000000 drop 8192
a30c01280000000000ff0000 drop 255
1a003f00ff00 drop 255
5a003f000000000fff00 drop 4095
25000000000000000000 drop 8
9e100000000000000000000000200000 drop 32
2a000000000000001000 out 5a*8192
28000000000000001000 drop 8192
2a000000000000080000 out 5a*1048576
28000000000000080000 drop 1048576
2f000000000000001000
2f020000000000001000 out 5a*8192
8f000000000000000000000001000000
2e000000000000001000 out 5a*8192
2e020000000000001000 out 5a*8192
89000000000000000000000000010000 out 5a*512,5a*512
41000000000000010000 out 5a*512
93000000000000000000000000400000 out 5a*512
35000000000000000000
91000000000000000000000000000000
1b0000000100
160000000000
170000000000
150000000000
151000001800 out 00000000,0812040000000000000000008014000000000000
55100000000000001c00 out 0000000000000000,0812040000000000000000008014000000000000
END
unmap=(
	'42000000000000001800 out 0016001000000000,00000000000000100000001000000000'
	'93080000000000000010000000100000 out 00*512'
)

# each_command WANTED: all of them on all disks, ending like this
each_command()
{
	local wanted=$1 c rc=0 thin=("${unmap[@]}")

	for dev in "$fileio" "$nullio" "$blockio"; do
		[ "$dev" = "$fileio" ] || thin=()
		for c in "${commands[@]}" "${thin[@]}"; do
			# shellcheck disable=SC2086 # CDB, direction, data
			cmd $c
			# shellcheck disable=SC2053 # a pattern
			[[ $status == $wanted ]] || { echo "$dev, $c: $status"; rc=1; }
		done
	done
	return $rc
}

pressed()
{
	local i rc=0

	inject "$1"
	for ((i = 0; i < rounds; i++)); do
		each_command "@(GOOD|$retried)" || rc=1
	done
	inject_off
	return $rc
}

# The mid-layer sends BUSY commands again, so nothing of it is seen here.
verified()
{
	local rc

	inject "$1"
	fio_verify "$(local_disk 0)" --size=4M && fio_verify "$(local_disk 2)" --size=4M
	rc=$?
	inject_off
	return $rc
}

plan 12
modprobe sg
modprobe brd rd_nr=1 rd_size=16384
make_file $dir/file 16
load_modules scst_vdisk scst_nullio scst_local
luns=scst_local/$LOCAL_TARGET
ok "devices" eval "add_fileio file $dir/file thin_provisioned=1 && add_nullio null size_mb=16 &&
	scst_write handlers/vdisk_blockio/mgmt 'add_device block filename=/dev/ram0'"
ok "LUNs" eval "add_lun $luns file 0 && add_lun $luns null 1 && add_lun $luns block 2"
fileio=$(local_sg 0)
nullio=$(local_sg 1)
blockio=$(local_sg 2)
settle "$fileio" "$nullio" "$blockio"

ok "all commands work" each_command GOOD
for percent in 2 10 30 70; do
	ok "$percent %: commands end well or are to be sent again" pressed $percent
done
settle "$fileio" "$nullio" "$blockio"
ok "all commands work again" each_command GOOD
for percent in 5 30; do
	ok "$percent %: no write is lost" verified $percent
done
inject_tally
ok "something failed" test "$injected" -gt 100
assert_clean "unload"
