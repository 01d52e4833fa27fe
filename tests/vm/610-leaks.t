#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# vm: -m 2G -t 400
#
# No byte of the target's memory leaves it (B196). Data-In commands with all kinds
# of lengths, every opcode, through both transports: what is returned does not
# depend on what was in the memory before, what is not returned is not touched, and
# on the debug kernel none of it is the pattern of fresh or freed memory.
#
#	sgleak      --- scst_local ---\
#	srp-hostile --- ib_srpt    --- fileio (thin), nullio, vcdrom
#	sg3_utils   --- scst_local ---/

# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/vm/lib-hostile.sh
. "$(dirname "$0")/lib-hostile.sh"

bin=/dev/shm/610
make -s -C "$SCST_PROJECT/tests/tools" OUT=$bin >/dev/null || bail "sgleak does not build"
on_exit rm -rf $bin
on_exit unload_modules
luns=scst_local/$LOCAL_TARGET

# What sg3_utils prints, in hexadecimal where it can.
sg3_commands=(
	"sg_inq -H" "sg_inq -e -p 0x00 -H" "sg_inq -e -p 0x80 -H" "sg_inq -e -p 0x83 -H"
	"sg_vpd -p ei -H" "sg_vpd -p bl -H" "sg_vpd -p bdc -H" "sg_vpd -p lbpv -H"
	"sg_modes -6 -a -H" "sg_modes -a -H" "sg_modes -c 1 -a -H" "sg_modes -c 2 -a -H"
	"sg_luns -H" "sg_luns -s 2 -H" "sg_readcap -H" "sg_readcap -l -H" "sg_requests -H"
	"sg_requests -d -H" "sg_opcodes -H" "sg_opcodes -o 0x9e -s 0x10 -H" "sg_opcodes -m -H"
	"sg_get_lba_status -l 0 -H" "sg_logs -a -H" "sg_persist -i -k -H" "sg_rtpg -H"
	"sg_ident" "sg_senddiag -l" "sg_verify -l 0 -c 8" "sg_sync" "sg_turs -v"
	"sg_start -v 1" "sg_referrals -H" "sg_rep_zones -H" "sg_read_buffer -m 0 -H"
)

sg3_output()
{
	local c

	for c in "${sg3_commands[@]}"; do
		echo "== $c"
		# shellcheck disable=SC2086 # a command and its options
		$c "$1" 2>&1
	done
}

poisoned() { grep -nE '(5a 5a 5a 5a|6b 6b 6b 6b|aa aa aa aa)' "$1"; }

sg3_repeats()
{
	sg3_output "$1" >$bin/first
	sg3_output "$1" >$bin/second
	diff $bin/first $bin/second && [ "$(wc -l <$bin/first)" -gt 60 ] && ! poisoned $bin/first
}

plan 10
modprobe sg
echo 1 >/sys/module/sg/parameters/allow_dio
load_modules scst_vdisk scst_nullio scst_local
make_file $bin/file 4
make_file $bin/iso 1
add_fileio disk $bin/file thin_provisioned=1
add_nullio null size_mb=4
# Else a READ leaves the initiator's own pages as they are.
scst_write devices/null/read_zero 1
scst_write handlers/vcdrom/mgmt "add_device cd"
scst_write devices/cd/filename $bin/iso
add_lun $luns disk 0
add_lun $luns null 1
add_lun $luns cd 2
for i in 0 1 2; do
	sg_turs -n 4 "$(local_sg $i)" >/dev/null 2>&1
done
ok "fileio: data and sense (B196)" $bin/sgleak "$(local_sg 0)"
ok "nullio: data and sense (B196)" $bin/sgleak "$(local_sg 1)"
ok "vcdrom: data and sense (B196)" $bin/sgleak "$(local_sg 2)"
for i in 0 1 2; do
	ok "sg3_utils get the same twice from LUN $i (B196)" sg3_repeats "$(local_sg $i)"
done

if hostile_build; then
	on_exit rxe_down
	ok "soft-RoCE port" rxe_up
	load_module ib_srpt rdma_cm_port="$SRP_PORT"
	add_lun "ib_srpt/$(srp_target)" disk 0
	ok "enable" srp_enable 1
	ok "SRP: data, responses, login response (B196)" attack leaks
	rxe_down
else
	skip 3 "$hostile_fails"
fi
rm -rf $bin
assert_clean "unload"
