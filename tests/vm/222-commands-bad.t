#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Commands as they should not be, and conditions that keep good ones from being
# executed: sense data with its field pointers, unit attentions, LUNs that are
# read-only or not there, ACA, and rubbish.
#
#	sgio --- two hosts --- scst_local --- fileio (thin, thick, nv_cache), nullio, blockio, vcdrom
#
# B54, B55, B62, B80, B81, B84, B85, B94, B106, B109.

# vm: -m 2G -t 400
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/vm/lib-sgio.sh
. "$(dirname "$0")/lib-sgio.sh"

dir=/dev/shm/222
mkdir -p $dir
on_exit rm -rf $dir
on_exit modprobe -rq brd
on_exit unload_modules

tgt=targets/scst_local/$LOCAL_TARGET
luns=$tgt/luns/mgmt

sg_only
for name in thin thick nv; do
	make_file $dir/$name 64
done
load_modules scst_vdisk scst_nullio scst_local
add_fileio thin $dir/thin thin_provisioned=1
add_fileio thick $dir/thick
add_fileio nv $dir/nv nv_cache=1
add_nullio null
add_nullio null2 size_mb=100
add_nullio dummy dummy=1
scst_write "$luns" "add thin 0"
scst_write "$luns" "add thick 1"
scst_write "$luns" "add thin 2 read_only=1"
scst_write "$luns" "add null 3"
scst_write "$luns" "add nv 4"
scst_write "$luns" "add null2 7"
scst_write targets/scst_local/mgmt "add_session $LOCAL_TARGET other"

host=$(local_host)
other_host=$(local_host "$LOCAL_TARGET" other)
thin=$(scsi_sg "$host" 0)
thick=$(scsi_sg "$host" 1)
read_only=$(scsi_sg "$host" 2)
null=$(scsi_sg "$host" 3)
nv=$(scsi_sg "$host" 4)
lun7=$(scsi_sg "$host" 7)
other=$(scsi_sg "$other_host" 0)
other_thick=$(scsi_sg "$other_host" 1)
# Unit attentions and no events, so that nobody rescans.
scst_write "$tgt/aen_disabled" 1
settle "$thin" "$thick" "$read_only" "$null" "$nv" "$lun7" "$other" "$other_thick"

shopt -s extglob
# table: lines of STATUS | NAME | CDB [in BYTES | out DATA]
table()
{
	local wanted name request

	while IFS='|' read -r wanted name request; do
		name=${name##*([[:space:]])}
		# shellcheck disable=SC2086 # CDB, direction, data
		expect "${wanted%%*([[:space:]])}" "${name%%*([[:space:]])}" $request
	done
}

# ---- the CDB
dev=$thin
table <<'END'
5/20/00		| a vendor specific opcode (B84)		| c10000000000
5/20/00		| a CDB of variable length (B84)		| 7f00000000000018000900000000000000000000000000000000000000000000
5/20/00		| a CDB shorter than its opcode asks for (B84)	| 280000000000
5/24/00 @5:0	| the LINK bit					| 000000000001
5/24/00 @1:1	| INQUIRY: CMDDT				| 12020000ff00 in 255
5/24/00 @2	| INQUIRY: page code without EVPD		| 12008000ff00 in 255
5/24/00 @2	| INQUIRY: unknown VPD page			| 1201b900ff00 in 255
5/24/00 @2	| READ CAPACITY(10): LBA without PMI		| 25000000000100000000 in 8
5/24/00 @2	| READ CAPACITY(16): LBA without PMI		| 9e100000000000000001000000200000 in 32
5/24/00 @1:0	| SERVICE ACTION IN(16): unknown action		| 9e1f0000000000000000000000200000 in 32
5/24/00 @1:0	| GET LBA STATUS				| 9e120000000000000000000000200000 in 32
5/24/00 @2	| REPORT LUNS: unknown selection		| a00003000000000000100000 in 16
5/24/00 @6	| REPORT LUNS: no room for one LUN		| a000000000000000000f0000 in 15
5/24/00 @2:0	| REPORT SUPPORTED OPERATION CODES: option 3	| a30c030000000000ffff0000 in 255
5/24/00 @2:0	| LOG SENSE					| 4d00400000000000ff00 in 255
5/24/00 @3	| MODE SENSE: subpage				| 1a000a01ff00 in 255
5/24/00 @2:0	| MODE SENSE: unknown page			| 1a000500ff00 in 255
5/24/00 @1:4	| RESERVE(6) for a third party			| 161000000000
5/24/00 @2:4	| RESERVE(10) for a third party			| 56100000000000000000
5/24/00 @1:0	| RESERVE(10) of an extent			| 56010000000000000000
5/24/00 @1:7	| READ with RDPROTECT				| 28200000000000000100 in 512
5/24/00 @1:2	| VERIFY with BYTCHK 2				| 2f040000000000000100
5/24/00 @1:2	| VERIFY with BYTCHK 3				| 8f060000000000000000000000010000 out 00*512
5/24/00 @1:2	| WRITE AND VERIFY with BYTCHK 3		| 2e060000000000000100 out 00*512
END

# ---- blocks that are not there
table <<'END'
5/21/00 | READ(10) behind the end		| 28000002000000000100 in 512
5/21/00 | READ(10) over the end			| 28000001ffff00000200 in 1024
5/21/00 | READ(10) of nothing behind the end	| 28000002000100000000
5/21/00 | READ(12) over the end			| a8000001ffff000000020000 in 1024
5/21/00 | READ(16) of block 2^64-1		| 8800ffffffffffffffff000000010000 in 512
5/21/00 | READ(16) of 2^32-1 blocks		| 88000000000000000000ffffffff0000 in 512
5/21/00 | WRITE(6) over the end			| 0a1fffff0200 out 00*1024
5/21/00 | WRITE(10) over the end		| 2a000001ffff00000200 out 00*1024
5/21/00 | WRITE(16) of block 2^63		| 8a008000000000000000000000010000 out 00*512
5/21/00 | VERIFY(10) over the end		| 2f000001ffff00000200
5/21/00 | WRITE AND VERIFY(16) over the end	| 8e00000000000001ffff000000020000 out 00*1024
5/21/00 | SYNCHRONIZE CACHE(10) behind the end	| 35000002000100000100
5/21/00 | WRITE SAME(10) over the end (B54)	| 41000001ffff00000200 out 00*512
5/21/00 | WRITE SAME(16), LBA overflow (B54)	| 9300ffffffffffffffff000000020000 out 00*512
5/21/00 | WRITE SAME(16), UNMAP over the end	| 9308000000000001ffff000000020000 out 00*512
5/21/00 | COMPARE AND WRITE over the end	| 8900000000000001ffff000000020000 out 00*2048
5/21/00 | UNMAP over the end (B55)		| 42000000000000001800 out 0016001000000000,000000000001ffff0000000200000000
5/21/00 | UNMAP of block 2^64-1 (B55)		| 42000000000000001800 out 0016001000000000,ffffffffffffffff0000000100000000
END

# ---- the data phase
table <<'END'
5/49/00 | READ that brings data			| 28000000000000000100 out 00*512
5/49/00 | WRITE that wants data			| 2a000000000000000100 in 512
5/49/00 | TEST UNIT READY that brings data	| 000000000000 out 00*512
GOOD	| TEST UNIT READY that wants data	| 000000000000 in 512
5/0e/03 | WRITE with a block and a half		| 2a000000000000000300 out 00*768
5/0e/03 | WRITE SAME with two blocks (B54)	| 41000000000000000200 out 00*1024
5/24/00 @13 | COMPARE AND WRITE, one half only	| 89000000000000000000000000010000 out 00*512
5/24/00 @13 | COMPARE AND WRITE, too much	| 89000000000000000000000000010000 out 00*1536
END
expect GOOD "WRITE with one block of two" 2a000000001000000200 out "c7*512"
returns "$(yes c7 | head -n 512 | tr -d '\n')$(zeroes 512)" "has written that one" \
	28000000001000000200 in 1024
cmd 28000000001000000200 in 512
is "$status ${#data}" "GOOD 1024" "READ into a buffer that is too small"
cmd 28000000001000000100 in 2048
is "$status ${#data}" "GOOD 1024" "READ into one that is too large"

# ---- WRITE SAME, UNMAP (B54, B55)
table <<'END'
5/24/00 @7	| WRITE SAME(10) of no blocks, WSNZ (B54)	| 41000000000000000000 out 00*512
5/24/00 @10	| WRITE SAME(16) of no blocks, WSNZ (B54)	| 93000000000000000000000000000000 out 00*512
5/24/00 @1:1	| WRITE SAME: LBDATA (B54)			| 41020000000000000100 out 00*512
5/24/00 @1:2	| WRITE SAME: PBDATA (B54)			| 41040000000000000100 out 00*512
5/24/00 @1:4	| WRITE SAME: ANCHOR (B54)			| 41100000000000000100 out 00*512
5/24/00 @1:4	| WRITE SAME: ANCHOR with UNMAP (B54)		| 41180000000000000100 out 00*512
5/24/00 @1:0	| WRITE SAME(16): NDOB alone (B54)		| 93010000000000000000000000010000
5/24/00 @1:0	| UNMAP: ANCHOR (B55)				| 42010000000000001800 out 0016001000000000,00*16
5/1a/00		| UNMAP: list without a header (B55)		| 42000000000000000700 out 00*7
5/26/00 @2	| UNMAP: descriptors of odd length (B55)	| 42000000000000001800 out 0016000f00000000,00*16
5/26/00 @2	| UNMAP: more than the list has (B55)		| 42000000000000001800 out 0016002000000000,00*16
5/26/00 @0	| UNMAP: more than 256 MiB (B55)		| 42000000000000001800 out 0016001000000000,00000000000000000008000100000000
END
dev=$thick
expect 5/20/00 "UNMAP of a disk that is not thin" 42000000000000001800 \
	out "0016001000000000,00*16"
expect 5/20/00 "WRITE SAME with UNMAP of a disk that is not thin" 93080000000000000000000000010000 \
	out "00*512"
expect "5/24/00 @2" "VPD B2 of a disk that is not thin" 1201b200ff00 in 255
cmd 1201b000ff00 in 255
is "${data:40:32}" "$(zeroes 16)" "VPD B0 of a disk that is not thin: no UNMAP"
dev=$null
expect GOOD "WRITE SAME of 256 MiB, the maximum (B54)" 93000000000000000000000800000000 out "00*512"
expect "5/24/00 @10" "WRITE SAME of a block more (B54)" 93000000000000000000000800010000 \
	out "00*512"
expect "5/24/00 @10" "WRITE SAME of 2^32-1 blocks (B54)" 93000000000000000000ffffffff0000 \
	out "00*512"

# ---- MODE SELECT (B62)
dev=$thin
cmd 5a083f00000000ffff00 in 65535
mode=$data
control="0a0a 2010 0000 00000000 024b"
table <<'END'
5/24/00 @1	| MODE SELECT: not in page format	| 150000001000 out 000000000a0a2010000000000000024b
5/24/00 @1:0	| MODE SELECT: to be saved		| 151100001000 out 000000000a0a2010000000000000024b
5/26/00 @3	| MODE SELECT(6): block descriptor	| 151000001400 out 0000000400000000,0a0a2010000000000000024b
5/26/00 @6	| MODE SELECT(10): block descriptor	| 55100000000000001800 out 000000000000000400000000,0a0a2010000000000000024b
5/26/00 @4:7	| MODE SELECT: PS			| 151000001000 out 000000008a0a2010000000000000024b
5/26/00 @4:6	| MODE SELECT: subpage format		| 151000001000 out 000000004a0a2010000000000000024b
5/26/00 @4	| MODE SELECT: a page without choice	| 151000001000 out 00000000010ac001000000000100ffff
5/26/00 @5	| MODE SELECT: length of a page		| 151000001000 out 000000000a0b2010000000000000024b
5/1a/00		| MODE SELECT: half a page		| 151000000a00 out 000000000a0a20100000
5/1a/00		| MODE SELECT: half a header		| 151000000200 out 0000
5/26/00 @6:7	| MODE SELECT: TST			| 151000001000 out 000000000a0a0010000000000000024b
5/26/00 @7:7	| MODE SELECT: QAM 2			| 151000001000 out 000000000a0a2020000000000000024b
5/26/00 @7:2	| MODE SELECT: QErr 2			| 151000001000 out 000000000a0a2014000000000000024b
5/26/00 @24	| MODE SELECT: a good page and a bad one | 151000002400 out 00000000,0812000000000000000000008014000000000000,010ac001000000000100ffff
END
returns "$mode" "none of them changed anything (B62)" 5a083f00000000ffff00 in 65535
dev=$nv
returns "17001000 0812 $(zeroes 18)" "with nv_cache WCE cannot be changed (B62)" \
	1a084800ff00 in 255
expect "5/26/00 @6:2" "nor is it (B62)" 151000001800 \
	out "00000000,0812040000000000000000008014000000000000"

# ---- D_SENSE, SWP
dev=$thin
expect GOOD "MODE SELECT: D_SENSE" 151000001000 out "000000000a0a2410000000000000024b"
expect "5/24/00 @2 descriptor" "sense data in descriptor format" 12008000ff00 in 255
expect GOOD "something to compare with" 2a000000200000000100 out "11*512"
expect "e/1d/00 info=300 descriptor" "INFORMATION in a descriptor" \
	89000000000000002000000000010000 out "11*300,12*212,00*512"
dev=$other
expect 6/2a/01 "a change of mode parameters is told in fixed format" 000000000000
expect "5/24/00 @2 descriptor" "D_SENSE is the device's" 12008000ff00 in 255
dev=$thin
expect GOOD "MODE SELECT: SWP" 151000001000 out "000000000a0a2010080000000000024b"
expect 7/00/00 "a disk that was write-protected by software" 2a000000200000000100 out "11*512"
cmd 1a080a00ff00 in 255
is "${data:4:2}" 90 "MODE SENSE: WP"
expect GOOD "MODE SELECT ends that" 151000001000 out "00000000 $control"
expect GOOD "WRITE works again" 2a000000200000000100 out "11*512"
settle "$thin" "$other" "$read_only"

# ---- a read-only LUN
dev=$read_only
table <<'END'
GOOD	| read-only LUN: TEST UNIT READY	| 000000000000
GOOD	| read-only LUN: READ(10)		| 28000000000000000100 in 512
GOOD	| read-only LUN: VERIFY(10)		| 2f000000000000000100
GOOD	| read-only LUN: SYNCHRONIZE CACHE(10)	| 35000000000000000000
7/00/00 | read-only LUN: WRITE(6)		| 0a0000000100 out 00*512
7/00/00 | read-only LUN: WRITE(10)		| 2a000000000000000100 out 00*512
7/00/00 | read-only LUN: WRITE(12)		| aa0000000000000000010000 out 00*512
7/00/00 | read-only LUN: WRITE(16)		| 8a000000000000000000000000010000 out 00*512
7/00/00 | read-only LUN: WRITE AND VERIFY(10)	| 2e000000000000000100 out 00*512
7/00/00 | read-only LUN: WRITE SAME(10)		| 41000000000000000100 out 00*512
7/00/00 | read-only LUN: UNMAP			| 42000000000000001800 out 0016001000000000,00*16
7/00/00 | read-only LUN: COMPARE AND WRITE	| 89000000000000000000000000010000 out 00*1024
END
cmd 1a080a00ff00 in 255
is "${data:4:2}" 90 "read-only LUN: MODE SENSE has WP"

# ---- unit attentions
dev=$thin
scst_write devices/thin/prod_id "renamed"
expect 6/3f/03 "another product name: 3F/03" 000000000000
expect GOOD "once" 000000000000
dev=$read_only
expect 6/3f/03 "a unit attention hides write protection" 2a000000000000000100 out "00*512"
expect 7/00/00 "which is told then" 2a000000000000000100 out "00*512"
dev=$other
cmd 120000002400 in 36
is "$status ${data:32:14}" "GOOD $(text renamed)" "INQUIRY does not wait for it, and has the name"
settle
expect GOOD "RESERVE of another nexus" 160000000000
scst_write devices/thin/prod_id "thin"
dev=$thin
expect CONFLICT "a reservation conflict hides a unit attention" 28000000000000000100 in 512
dev=$other
expect 6/3f/03 "the holder is told at once" 170000000000
expect GOOD "and releases" 170000000000
dev=$thin
expect 6/3f/03 "the unit attention was not lost" 28000000000000000100 in 512
settle "$read_only"

truncate -s 80M $dir/thick
dev=$thick
scst_write devices/thick/resync_size 1
expect 6/2a/09 "a grown file: 2A/09" 000000000000
returns "00027fff 00000200" "READ CAPACITY(10) has the size" 25000000000000000000 in 8
expect GOOD "the new blocks are there" 2a0000027fff00000100 out "01*512"
dev=$other_thick
expect 6/2a/09 "the other nexus is told too" 28000000000000000100 in 512
expect GOOD "once" 28000000000000000100 in 512
truncate -s 64M $dir/thick
scst_write devices/thick/resync_size 1
expect 6/2a/09 "a shrunken file: 2A/09" 000000000000
expect 5/21/00 "its last blocks are gone" 28000002000000000100 in 512
settle "$thick"

dev=$thin
scst_write "$luns" "add null2 8"
expect 6/3f/0e "a new LUN: 3F/0E (B85)" 000000000000
expect GOOD "once" 000000000000
dev=$thick
expect GOOD "and for all LUNs of the nexus" 000000000000
dev=$other
cmd a00000000000000010000000 in 4096
is "$status ${data:0:8}" "GOOD 00000038" "REPORT LUNS has the new LUN (B85)"
expect GOOD "and whoever has asked is not told" 000000000000

scst_write "$luns" "replace null2 3"
dev=$null
expect 6/3f/03 "another device at a LUN: 3F/03 (B94)" 000000000000
expect GOOD "once (B94)" 000000000000
scst_write "$luns" "replace_no_ua null 3"
expect GOOD "replace_no_ua says nothing (B94)" 000000000000
cmd 9e100000000000000000000000200000 in 32
is "${data:0:16}" 000000013fffffff "but it is another device (B94)"

dev=$other
settle "$thin" "$other"
ok "LUN RESET" sg_reset --device "$thin"
expect 6/29/00 "the other nexus is told of a LUN RESET" 000000000000
expect GOOD "once" 000000000000
settle "$thin" "$read_only"

# ---- a LUN that is not there
dev=$lun7
settle
scst_write "$luns" "del 7"
cmd 12000000ff00 in 255
is "$status $data" "GOOD 7f0006221f000000$(text "SCST    ")$(yes 20 | head -n 20 | tr -d '\n')" \
	"no such LUN: INQUIRY (B80)"
returns 700005000000000a00000000250000000000 "no such LUN: REQUEST SENSE" 03000000ff00 in 255
returns 7205250000000000 "no such LUN: REQUEST SENSE in descriptor format" 03010000ff00 in 255
cmd a00000000000000010000000 in 4096
is "$status ${data:0:8}" "GOOD 00000030" "no such LUN: REPORT LUNS (B80)"
table <<'END'
5/25/00 | no such LUN: TEST UNIT READY		| 000000000000
5/25/00 | no such LUN: INQUIRY of a VPD page	| 12018300ff00 in 255
5/25/00 | no such LUN: READ			| 28000000000000000100 in 512
5/25/00 | no such LUN: WRITE			| 2a000000000000000100 out 00*512
5/25/00 | no such LUN: MODE SELECT		| 151000001000 out 000000000a0a2010000000000000024b
5/25/00 | no such LUN: an unknown opcode	| c10000000000
5/25/00 | no such LUN: INQUIRY that brings data	| 120000002400 out 00*36
5/25/00 | no such LUN: REQUEST SENSE that does	| 030000001200 out 00*18
5/25/00 | no such LUN: REPORT LUNS that does	| a00000000000000010000000 out 00*16
END

scst_write targets/scst_local/mgmt "add_target no_lun0"
scst_write targets/scst_local/no_lun0/luns/mgmt "add null 100"
scst_write targets/scst_local/no_lun0/luns/mgmt "add null2 101"
scst_write targets/scst_local/mgmt "add_session no_lun0 s"
no_lun0=$(local_host no_lun0 s)
ok "LUN 100 is found though there is no LUN 0 (B80)" scsi_sg "$no_lun0" 100
ok "so is LUN 101 (B80)" scsi_sg "$no_lun0" 101
dev=$(scsi_sg "$no_lun0" 100)
returns "00000010 00000000 0064000000000000 0065000000000000" "REPORT LUNS tells of both (B80)" \
	a00000000000000010000000 in 4096

scst_write targets/scst_local/mgmt "add_target with_dummy"
scst_write targets/scst_local/with_dummy/luns/mgmt "add dummy 0"
scst_write targets/scst_local/with_dummy/luns/mgmt "add null 1"
scst_write targets/scst_local/mgmt "add_session with_dummy s"
with_dummy=$(local_host with_dummy s)
dev=$(scsi_sg "$with_dummy" 1)
is "$(find /sys/bus/scsi/devices -name "$with_dummy:*" | wc -l)" 1 \
	"a dummy LUN 0 is no device of the host, LUN 1 is (B81)"
returns "00000010 00000000 0000000000000000 0001000000000000" "REPORT LUNS has the dummy (B81)" \
	a00000000000000010000000 in 4096
dev=$null
scst_write "$luns" "replace_no_ua dummy 3"
cmd 12000000ff00 in 255
is "${data:0:2}" 3f "INQUIRY of the dummy: connected, of no type (B81)"
scst_write "$luns" "replace_no_ua null 3"

# ---- NACA
dev=$thin
settle "$thin" "$other"
expect GOOD "NACA in a command that ends well" 000000000004
expect GOOD "means nothing" 000000000000
expect 5/21/00 "NACA in one that does not" 28000002000000000104 in 512
table <<'END'
ACA | the next one: ACA ACTIVE		| 000000000000
ACA | INQUIRY: ACA ACTIVE		| 120000002400 in 36
ACA | WRITE: ACA ACTIVE			| 2a000000000000000100 out 00*512
ACA | one with NACA: ACA ACTIVE		| 000000000004
END
dev=$other
expect GOOD "another nexus has a task set of its own" 000000000000
ok "LUN RESET" sg_reset --device "$thin"
dev=$thin
settle
expect GOOD "ends the condition" 2a000000000000000100 out "00*512"
settle "$other"

# ---- rubbish, for each handler (B84)
modprobe brd rd_nr=1 rd_size=16384
scst_write handlers/vdisk_blockio/mgmt "add_device block filename=/dev/ram0"
scst_write handlers/vcdrom/mgmt "add_device cd"
scst_write devices/cd/filename $dir/nv
scst_write "$luns" "add block 50"
scst_write "$luns" "add cd 51"
rescan_host "$host"
block=$(scsi_sg "$host" 50)
cd=$(scsi_sg "$host" 51)
for dev in "$null" "$thick" "$block" "$cd"; do
	settle
	# shellcheck disable=SC2154 # of lib-sgio.sh
	like "$("$sgio" "$dev" fuzz 2>&1)" '^sent 11520 answered [1-9][0-9]+ refused [1-9][0-9]+ other 0$' \
		"${dev#/dev/}: 256 opcodes, rubbish behind them: answered or refused (B84)"
	settle
	expect GOOD "${dev#/dev/}: works on (B84)" 28000000000000000100 in 2048
done

assert_clean "unloading, kernel log clean"
plan "$tap_count"
