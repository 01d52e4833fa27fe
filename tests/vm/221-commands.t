#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Every command of the device server, sent as it should be: what it returns,
# byte for byte, and what it does to the disk.
#
#	sgio, sg3_utils --- two hosts --- scst_local --- thin fileio on tmpfs
#
# B54, B55, B62, B85, B89, B106, B109, B196.

# vm: -m 2G -t 400
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/vm/lib-sgio.sh
. "$(dirname "$0")/lib-sgio.sh"

dir=/dev/shm/221
file=$dir/file
mkdir -p $dir
on_exit rm -rf $dir
on_exit unload_modules

tgt=targets/scst_local/$LOCAL_TARGET
# on_disk BLOCK BYTES: what the file holds there
on_disk() { od -An -v -tx1 -j $(($1 * 512)) -N "$2" $file | tr -d ' \n'; }
# runs BLOCK COUNT: like blocks there, how many and their first and last byte
runs()
{
	od -An -v -tx1 -w512 -j $(($1 * 512)) -N $(($2 * 512)) $file | uniq -c |
		awk '{ print $1, $2, $NF }' | xargs
}
# repeat HH COUNT
repeat() { yes "$1" | head -n "$2" | tr -d '\n'; }
# CRC-32C of the name and its NUL, from zero, not inverted at the end
name_crc()
{
	perl -e '
		my $crc = 0;
		for my $byte (unpack("C*", "$ARGV[0]\0")) {
			$crc ^= $byte;
			$crc = $crc >> 1 ^ ($crc & 1 ? 0x82f63b78 : 0) for 1 .. 8;
		}
		printf "%x", $crc' "$1"
}

sg_only
make_file $file 64
load_modules scst_vdisk scst_nullio scst_local
add_fileio disk $file thin_provisioned=1
add_lun "scst_local/$LOCAL_TARGET" disk 0
scst_write targets/scst_local/mgmt "add_session $LOCAL_TARGET other"
sg=$(local_sg 0)
other=$(scsi_sg "$(local_host "$LOCAL_TARGET" other)" 0)

# ---- TEST UNIT READY, REQUEST SENSE, unit attentions
dev=$sg
expect 6/29/00 "the first command of a nexus: 29/00" 000000000000
expect GOOD "TEST UNIT READY, the second time" 000000000000
dev=$other
returns 700006000000000a00000000290000000000 \
	"REQUEST SENSE of the other nexus returns its own 29/00" 030000001200 in 18
expect GOOD "and took it" 000000000000
dev=$sg
returns 700000000000000a00000000000000000000 "REQUEST SENSE, nothing to tell" 03000000fc00 in 252
returns 7200000000000000 "REQUEST SENSE, descriptor format" 03010000fc00 in 252

# ---- INQUIRY and what names a disk (B89)
cmd 12000000ff00 in 255
rev=$(scst_read devices/disk/prod_rev_lvl)
like "$data" "^000006223d(00|08)1002$(text "SCST_FIOdisk            $rev")$(zeroes 22)" \
	"INQUIRY: standard data"
is "${data:116}" 008b0be0046304c0 "INQUIRY: version descriptors"
cmd 120000002400 in 255
is "${#data}" 72 "INQUIRY with an allocation length of 36 returns 36 bytes"
returns "" "INQUIRY with an allocation length of 0" 120000000000

usn=$(scst_read devices/disk/usn)
t10=$(scst_read devices/disk/t10_dev_id)
rel=$(printf %04x "$(scst_read "$tgt/rel_tgt_id")")
is "$usn" "$(name_crc disk)" "the serial number is made of the name (B89)"
is "$t10" "$usn-disk" "so is t10_dev_id (B89)"
returns 0000000700808386b0b1b2 "VPD 00: the pages of a thin disk" 12010000ff00 in 255
returns "008000$(printf %02x ${#usn})$(text "$usn")" "VPD 80: the serial number" 12018000ff00 in 255
vend=$(scst_read devices/disk/vend_specific_id)
designators=020100$(printf %02x $((8 + ${#vend})))$(text "SCST_FIO$vend")
designators+=619400040000$rel
designators+=01020008$(text "${t10:0:8}")
returns "0083$(printf %04x $((${#designators} / 2)))$designators" \
	"VPD 83: vendor id, port, EUI-64 made of the name" 12018300ff00 in 255
returns "0086003c 00070101 $(zeroes 56)" "VPD 86: task attributes, volatile cache" \
	12018600ff00 in 255
# 255 blocks, a page, 8 MiB, 512 KiB; 256 MiB in 4095 ranges of 1; 256 MiB
returns "00b0003c 01ff0008 00004000 00000400 00000000 00080000 00000fff 00000001 00000000
	0000000000080000 $(zeroes 20)" "VPD B0: limits" 1201b000ff00 in 255
returns "00b1003c 3a98 $(zeroes 58)" "VPD B1: rotates at 15000 rpm" 1201b100ff00 in 255
returns "00b20004 00e40200" "VPD B2: thin, zeroes behind UNMAP" 1201b200ff00 in 255

# ---- capacity
returns "0001ffff 00000200" "READ CAPACITY(10)" 25000000000000000000 in 8
returns "000000000001ffff 00000200 0003c000 $(zeroes 16)" "READ CAPACITY(16)" \
	9e100000000000000000000000200000 in 32
cmd 9e1000000000000000000000000c0000 in 32
is "${#data}" 24 "READ CAPACITY(16) with an allocation length of 12 returns 12 bytes"

# ---- REPORT LUNS
returns "00000008 00000000 0000000000000000" "REPORT LUNS: LUN 0" a00000000000000000100000 in 16
returns "00000000 00000000" "REPORT LUNS: no well known ones" a00001000000000000100000 in 16

# ---- MODE SENSE, MODE SELECT (B62)
descriptor="00020000 00000200"
caching="0812 0400 $(zeroes 8) 8014 $(zeroes 6)"
returns "1f001008 $descriptor $caching" "MODE SENSE(6): caching page" 1a000800ff00 in 255
returns "00220010 00000008 $descriptor $caching" "MODE SENSE(10): caching page" \
	5a000800000000ffff00 in 255
returns "17001000 $caching" "MODE SENSE without block descriptor" 1a080800ff00 in 255
returns "17001000 $caching" "MODE SENSE: defaults" 1a088800ff00 in 255
returns "17001000 0812 0400 $(zeroes 16)" "MODE SENSE: WCE is all that can be changed (B62)" \
	1a084800ff00 in 255
returns "0f001000 0a0a 2010 0000 $(zeroes 4) 024b" "MODE SENSE: control page" 1a080a00ff00 in 255
cmd 5a080a00000000ffff00 in 255
cmd 5a083f00000000ffff00 in 255
is "$status ${#data}" "GOOD $(((8 + 12 + 16 + 24 + 20 + 12 + 12 + 24) * 2))" \
	"MODE SENSE: all pages, each once"
off=16 order=
while [ $off -lt ${#data} ]; do
	order+=${data:off:2}
	off=$((off + 4 + 2 * 16#${data:off + 2:2}))
done
is "$order" 010203080a1c04 "MODE SENSE: in the order of old"

no_wce="0812 0000 $(zeroes 8) 8014 $(zeroes 6)"
expect GOOD "MODE SELECT(6) turns the write cache off (B62)" 151000001800 out "00000000 $no_wce"
returns "17001000 $no_wce" "MODE SENSE tells (B62)" 1a080800ff00 in 255
is "$(scst_read devices/disk/write_through)" 1 "so does write_through"
returns "17001000 $caching" "the default is as it was" 1a088800ff00 in 255
returns "0086003c 00070001 $(zeroes 56)" "VPD 86: no volatile cache any more" 12018600ff00 in 255
expect GOOD "the sender gets no unit attention" 000000000000
dev=$other
expect 6/2a/01 "the other nexus is told once that mode parameters changed" 000000000000
expect GOOD "and only once" 000000000000
expect GOOD "MODE SELECT(10), with a block descriptor" 55100000000000002400 \
	out "0000000000000008 $descriptor $caching"
dev=$sg
expect 6/2a/01 "MODE SELECT of the other one is told as well" 000000000000
returns "17001000 $caching" "the write cache is back (B62)" 1a080800ff00 in 255
is "$(scst_read devices/disk/write_through)" 0 "write_through knows"
expect GOOD "MODE SELECT without a list" 151000000000

# ---- READ, WRITE; FUA and DPO from 10 bytes up
n=1
while read -r name write read; do
	lba=$((16 * n)) pattern=a$n
	printf -v write '%s' "${write/LBA/$(printf %06x $lba)}"
	printf -v read '%s' "${read/LBA/$(printf %06x $lba)}"
	expect GOOD "WRITE($name)" "$write" out "$pattern*512,5$n*512"
	is "$(on_disk $lba 1024)" "$(repeat $pattern 512)$(repeat 5$n 512)" \
		"WRITE($name) arrives where it should"
	returns "$(repeat $pattern 512)$(repeat 5$n 512)" "READ($name)" "$read" in 1024
	n=$((n + 1))
done <<'END'
6 0aLBA0200 08LBA0200
10 2a0000LBA00000200 280000LBA00000200
10,FUA,DPO 2a1800LBA00000200 281800LBA00000200
12 aa0000LBA000000020000 a80000LBA000000020000
12,FUA,DPO aa1800LBA000000020000 a81800LBA000000020000
16 8a000000000000LBA000000020000 88000000000000LBA000000020000
16,FUA,DPO 8a180000000000LBA000000020000 88180000000000LBA000000020000
END
expect GOOD "WRITE(6) of length 0" 0a0010000000 out "c5*131072"
is "$(runs 4095 258)" "1 00 00 256 c5 c5 1 00 00" "is 256 blocks"
cmd 080010000000 in 131072
is "$status ${#data}" "GOOD 262144" "READ(6) of length 0 is 256 blocks"
returns "" "READ(10) of length 0 is nothing" 28000000000000000000
returns "" "READ(16) of length 0 at the end of the disk" 88000000000000020000000000000000
expect GOOD "WRITE(16) of the last block" 8a00000000000001ffff000000010000 out "ee*512"
returns "$(repeat ee 512)" "READ(10) of it" 28000001ffff00000100 in 512

# ---- VERIFY, WRITE AND VERIFY
while read -r name verify both; do
	expect GOOD "WRITE AND VERIFY($name)" "${both/F/0}" out "31*512,32*512"
	is "$(on_disk 768 1024)" "$(repeat 31 512)$(repeat 32 512)" "WRITE AND VERIFY($name) writes"
	expect GOOD "WRITE AND VERIFY($name), comparing" "${both/F/2}" out "33*512,34*512"
	expect GOOD "VERIFY($name)" "${verify/F/0}"
	expect GOOD "VERIFY($name), comparing" "${verify/F/2}" out "33*512,34*512"
	expect "e/1d/00 info=515" "VERIFY($name) finds the first difference" "${verify/F/2}" \
		out "33*512,34*3,35*509"
	is "$(on_disk 768 1024)" "$(repeat 33 512)$(repeat 34 512)" "VERIFY($name) does not write"
done <<'END'
10 2f0F0000030000000200 2e0F0000030000000200
12 af0F00000300000000020000 ae0F00000300000000020000
16 8f0F0000000000000300000000020000 8e0F0000000000000300000000020000
END

# ---- SYNCHRONIZE CACHE, START STOP UNIT and other small things
expect GOOD "SYNCHRONIZE CACHE(10) of a range" 35000000030000000200
expect GOOD "SYNCHRONIZE CACHE(10) of everything" 35000000000000000000
expect GOOD "SYNCHRONIZE CACHE(10), IMMED" 35020000000000000000
expect GOOD "SYNCHRONIZE CACHE(16) to the end" 91000000000000000300000000000000
expect GOOD "START STOP UNIT, stop" 1b0000000000
returns "$(repeat ee 512)" "a stopped disk works on" 28000001ffff00000100 in 512
expect GOOD "START STOP UNIT, start" 1b0000000100
expect GOOD "SEND DIAGNOSTIC, self test" 1d0400000000
expect GOOD "PREVENT MEDIUM REMOVAL" 1e0000000100
expect GOOD "ALLOW MEDIUM REMOVAL" 1e0000000000

# ---- WRITE SAME (B54)
expect GOOD "WRITE SAME(10) of 300 blocks (B54)" 41000000100000012c00 out "01*256,fe*256"
is "$(runs 4096 301)" "300 01 fe 1 00 00" "the block is there 300 times, not more often (B54)"
expect GOOD "WRITE SAME(16) of one block (B54)" 93000000000000001000000000010000 out "77*512"
is "$(runs 4095 3)" "1 00 00 1 77 77 1 01 fe" "is one block (B54)"
expect GOOD "WRITE SAME(16) up to the last block (B54)" 9300000000000001ff00000001000000 \
	out "ab*512"
is "$(runs 130815 300)" "1 00 00 256 ab ab" "does not make the file grow (B54)"
expect GOOD "WRITE SAME(10) with UNMAP" 41080000100000006400 out "99*512"
is "$(runs 4096 101)" "100 00 00 1 01 fe" "reads as zeroes then"
expect GOOD "WRITE SAME(16) with UNMAP and NDOB" 93090000000000001064000000640000
is "$(runs 4096 201)" "200 00 00 1 01 fe" "reads as zeroes as well"

# ---- UNMAP (B55)
used() { stat -c %b $file; }
expect GOOD "a megabyte of something" 41000000200000080000 out "5a*512"
before=$(used)
expect GOOD "UNMAP of two ranges (B55)" 42000000000000002800 \
	out "0026002000000000 0000000000002000 00000400 00000000 0000000000002600 00000008 00000000"
is $((before - $(used))) $((1024 + 8)) "gives the space back, exactly (B55)"
is "$(runs $((0x2000)) $((0x800)))" "1024 00 00 512 5a 5a 8 00 00 504 5a 5a" \
	"and nothing beside it (B55)"
expect GOOD "UNMAP without descriptors (B55)" 42000000000000000800 out 0006000000000000
expect GOOD "UNMAP without a list (B55)" 42000000000000000000
expect GOOD "UNMAP of no blocks (B55)" 42000000000000001800 \
	out "0016001000000000 0000000000002400 00000000 00000000"
expect GOOD "UNMAP of 4095 ranges, as VPD B0 has it (B55)" 42000000000000fff800 \
	out "fff6fff000000000,00000000000024000000000100000000*4095"

# ---- COMPARE AND WRITE
expect GOOD "something to compare with" 2a000000300000000200 out "11*512,22*512"
expect GOOD "COMPARE AND WRITE of two blocks" 89000000000000003000000000020000 \
	out "11*512,22*512,33*512,44*512"
returns "$(repeat 33 512)$(repeat 44 512)" "has written" 28000000300000000200 in 1024
expect "e/1d/00 info=700" "COMPARE AND WRITE: INFORMATION is where the first difference is" \
	89000000000000003000000000020000 out "33*512,44*188,45*324,55*1024"
returns "$(repeat 33 512)$(repeat 44 512)" "has not written" 28000000300000000200 in 1024
expect GOOD "COMPARE AND WRITE of no blocks" 89000000000000003000000000000000
expect GOOD "COMPARE AND WRITE of 255 blocks" 89000000000000005000000000ff0000 \
	out "00*130560,66*130560"
is "$(runs $((0x5000)) 256)" "255 66 66 1 00 00" "has written them"

# ---- RESERVE, RELEASE (B106)
while read -r name reserve release; do
	expect GOOD "RESERVE($name) (B106)" "$reserve"
	expect GOOD "RESERVE($name) again (B106)" "$reserve"
	expect GOOD "the holder writes" 2a000000300000000100 out "01*512"
	dev=$other
	expect CONFLICT "RESERVE($name) of another nexus (B106)" "$reserve"
	expect CONFLICT "READ of another nexus" 28000000300000000100 in 512
	expect CONFLICT "WRITE of another nexus" 2a000000300000000100 out "02*512"
	expect CONFLICT "MODE SENSE of another nexus" 1a000800ff00 in 255
	expect GOOD "TEST UNIT READY of another nexus" 000000000000
	cmd 120000002400 in 36
	is "$status" GOOD "INQUIRY of another nexus"
	cmd 25000000000000000000 in 8
	is "$status" GOOD "READ CAPACITY of another nexus"
	expect GOOD "RELEASE($name) of another nexus does nothing (B106)" "$release"
	expect CONFLICT "the reservation is still there (B106)" 28000000300000000100 in 512
	dev=$sg
	expect GOOD "RELEASE($name) (B106)" "$release"
	dev=$other
	returns "$(repeat 01 512)" "the other nexus reads again (B106)" 28000000300000000100 in 512
	dev=$sg
done <<'END'
6 160000000000 170000000000
10 56000000000000000000 57000000000000000000
END
expect GOOD "RESERVE(6) of the other nexus" 160000000000
ok "LUN RESET" sg_reset --device "$other"
settle "$sg" "$other"
expect GOOD "LUN RESET clears the reservation (B106)" 2a000000300000000100 out "01*512"
dev=$other
expect GOOD "RESERVE(6) of the other nexus" 160000000000
scst_write targets/scst_local/mgmt "del_session $LOCAL_TARGET other"
dev=$sg
expect GOOD "so does the end of its holder (B106)" 2a000000300000000100 out "01*512"

# ---- what is supported (B109)
cmd a30c000000000000ffff0000 in 65535
is "$status $((16#${data:0:8} + 4))" "GOOD $((${#data} / 2))" \
	"REPORT SUPPORTED OPERATION CODES tells its length (B109)"
listed=
for ((off = 8; off < ${#data}; off += 16)); do
	[ "${listed: -2}" = "${data:off:2}" ] || listed+=" ${data:off:2}"
	sa=${data:off + 4:4} has_sa=$((16#${data:off + 10:2} & 1)) len=$((16#${data:off + 12:4}))
	entries+=("${data:off:2} $sa $has_sa $len")
done
diag "listed:$listed"
wrong=
for entry in "${entries[@]}"; do
	read -r op sa has_sa len <<<"$entry"
	cmd "a30c0$((1 + has_sa))$op${sa}000000ff0000" in 255
	# SUPPORT 3, the CDB length, and usage data that begins with the opcode
	[[ $data =~ ^0003$(printf %04x "$len")$op ]] && [ ${#data} = $((8 + 2 * len)) ] ||
		wrong+=" $op/$sa:$data"
	cmd "a30c0$((2 - has_sa))$op${sa}000000ff0000" in 255
	[ "$status" = "5/24/00 @2:0" ] || wrong+=" $op/$sa:$status"
done
is "$wrong" "" "each listed command is described when asked for alone, and only so (B109)"
returns 00000000 "one that is not: four zeroes (B109)" a30c013c0000000000ff0000 in 255
returns 00000000 "an unknown service action: four zeroes (B109)" a30c02a3001f000000ff0000 in 255
cmd a30c800000000000ffff0000 in 65535
is "$((16#${data:0:8} + 4)) ${data:24:4}" "$((4 + 20 * ${#entries[@]})) 000a" \
	"with RCTD each one has time-outs (B109)"
refused=$("$sgio" "$dev" probe | sed -n 's,^\(..\) 5/20/00.*,\1,p' | xargs)
unlisted=
for ((op = 0; op < 256; op++)); do
	printf -v op2 %02x $op
	[[ $listed == *" $op2"* ]] || unlisted+="${unlisted:+ }$op2"
done
is "$refused" "$unlisted" "exactly what is not listed is an INVALID COMMAND OPERATION CODE (B109)"
ok "sg_opcodes agrees with itself (B109)" sg_opcodes -a "$dev"
settle

returns f8000000 "REPORT SUPPORTED TASK MANAGEMENT FUNCTIONS" a30d00000000000000ff0000 in 255
returns "f800000c 0100a000 0000012c 00000096" "the same with REPD" a30d80000000000000ff0000 in 255

# ---- the initiator's tools find their way
ok "sg_inq" sg_inq "$dev"
ok "sg_vpd: unit serial number" sg_vpd -p sn "$dev"
ok "sg_modes: all pages" sg_modes -a "$dev"
ok "sg_luns" sg_luns "$dev"
ok "sg_readcap" sg_readcap -16 "$dev"
ok "sg_sync" sg_sync "$dev"
ok "sg_verify" sg_verify --lba=0 --count=128 "$dev"
ok "sg_unmap" sg_unmap --lba=0x2400 --num=8 "$dev"

# ---- B196: no byte of a reply is left to chance
replies()
{
	local request

	while read -r request; do
		# shellcheck disable=SC2086 # CDB, direction, length
		cmd $request
		echo "$status $data"
	done <<-'END'
		12000000ff00 in 255
		12010000ff00 in 255
		12018000ff00 in 255
		12018300ff00 in 255
		12018600ff00 in 255
		1201b000ff00 in 255
		1201b100ff00 in 255
		1201b200ff00 in 255
		25000000000000000000 in 255
		9e100000000000000000000000ff0000 in 255
		1a003f00ff00 in 255
		5a003f00000000ffff00 in 65535
		5a007f00000000ffff00 in 65535
		a00000000000000010000000 in 4096
		a30c000000000000ffff0000 in 65535
		a30c800000000000ffff0000 in 65535
		a30d80000000000000ff0000 in 255
		03000000ff00 in 255
		03010000ff00 in 255
	END
}
replies >$dir/first
expect GOOD "other data through the same buffers" 2a000000700000010000 out "d7*131072"
echo 3 >/proc/sys/vm/drop_caches
replies >$dir/second
ok "replies are the same byte for byte (B196)" cmp $dir/first $dir/second

# ---- B89: names and setup_id
scst_write setup_id 0x1a
add_nullio disk2 size_mb=64
add_nullio "$(repeat x 40)" size_mb=64
is "$(scst_read devices/disk2/usn)" "1a$(printf %08x "0x$(name_crc disk2)")" \
	"setup_id is the upper half of the ids (B89)"
is "$(scst_read devices/disk/usn)" "$usn" "those of a device that exists stay (B89)"
t10=$(scst_read "devices/$(repeat x 40)/t10_dev_id")
is "${#t10}" 25 "t10_dev_id is cut at 25 characters (B89)"
usns=
for i in 0 1 2 3 4 5 6 7 8 9; do
	add_nullio vol000$i size_mb=64
	usns+=$(scst_read devices/vol000$i/t10_dev_id | cut -c1-8)$'\n'
done
is "$(sort -u <<<"${usns%$'\n'}" | wc -l)" 10 "names alike, ids that begin differently (B89)"

assert_clean "unloading, kernel log clean"
plan "$tap_count"
