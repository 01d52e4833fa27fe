#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# vm: -c 2 -m 3G -t 900
#
# Data through every kind of buffer description that an SRP initiator can send:
# direct, indirect inside the message, tables in the initiator's memory (one
# descriptor in the message and hundreds outside), immediate data, and requests
# up to 8 MB; answered from process context and from interrupts. B144, B163, B154.
#
#	ib_srp --- rxe0 (192.0.2.1, talks to itself) --- ib_srpt --+-- fileio on tmpfs
#	                                                           +-- blockio on null_blk

# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"

file=/dev/shm/srp-io

# One row: parameters of ib_srp; keys of the login; block sizes.
# never_register: each page is a descriptor of its own. register_always: one for all.
rows=(
	"use_imm_data=1|ch_count=1|512 4k 64k 1m"
	"use_imm_data=0|ch_count=2|512 4k 1m"
	"never_register=1 use_imm_data=0|cmd_sg_entries=1,sg_tablesize=1,allow_ext_sg=0,ch_count=1|512 4k 64k"
	"never_register=1|cmd_sg_entries=1,allow_ext_sg=1,sg_tablesize=1024,max_sect=8192,ch_count=1|4k 64k 1m 4m"
	"never_register=1|cmd_sg_entries=12,sg_tablesize=12,allow_ext_sg=0,ch_count=1|4k 64k 1m"
	"never_register=1 use_imm_data=0|cmd_sg_entries=12,allow_ext_sg=1,sg_tablesize=1024,max_sect=8192,ch_count=2|512 64k 4m"
	"never_register=1|cmd_sg_entries=255,allow_ext_sg=0,max_sect=8192,ch_count=1|4k 1m 4m"
	"never_register=1|cmd_sg_entries=255,allow_ext_sg=1,sg_tablesize=2048,max_sect=32768,ch_count=1|64k 16m"
	"register_always=1|cmd_sg_entries=255,max_sect=8192,ch_count=2|64k 4m"
	"register_always=1|cmd_sg_entries=255,allow_ext_sg=1,sg_tablesize=2048,max_sect=32768,ch_count=1|16m"
)
# Enough of each, as the machine may be slow.
declare -A size=([512]=128k [4k]=1m [64k]=4m [1m]=8m [4m]=16m [16m]=48m)
plan $((7 + ${#rows[@]} * 3))

# The descriptors as the initiator lays them out: small pages, so that each is one.
one_row()
{
	local parameters=$1 keys=$2 sizes=$3 lun

	# shellcheck disable=SC2086 # words are wanted
	modprobe ib_srp $parameters || return 1
	srp_login "$keys" || return 1
	for lun in 0 1; do
		verify_sizes "$(scsi_disk "$SRP_HOST" $lun)" "$sizes" || return 1
	done
}

verify_sizes()
{
	local disk=$1 queue=/sys/block/${1##*/}/queue bs mem kb

	# Not more than the target says, which is 8 MB, or what its own disk takes.
	for kb in $(cat "$queue/max_hw_sectors_kb") 8192 4096 1024; do
		! echo "$kb" 2>/dev/null >"$queue/max_sectors_kb" || break
	done
	for bs in $2; do
		mem=()
		[[ "$bs $parameters" != "16m register"* ]] || mem=("${huge[@]}")
		fio_verify "$disk" --bs="$bs" --size="${size[$bs]}" --iodepth=4 "${mem[@]}" ||
			return 1
	done
}

# Buffers of few large pieces.
huge=()
huge_pages() { echo "$1" >/proc/sys/vm/nr_hugepages; } 2>/dev/null
huge_pages 64 && [ "$(cat /proc/sys/vm/nr_hugepages)" -ge 48 ] &&
	huge=(--mem=shmhuge --hugepage-size=2m)

credits_back()
{
	local s

	for s in "$target"/sessions/*; do
		[ "$(cat "$s/active_commands")" = 0 ] || return 1
		[ $(($(cat "$s/req_lim") + $(cat "$s/req_lim_delta"))) = 64 ] || return 1
	done
}

on_exit huge_pages 0
on_exit modprobe -rq null_blk
on_exit unload_modules
on_exit rxe_down
on_exit srp_logout
ok "soft-RoCE port" rxe_up
load_modules scst_vdisk
load_module ib_srpt rdma_cm_port=$SRP_PORT || bail "cannot load ib_srpt"
target=$SCST/targets/ib_srpt/$(srp_target)
make_file $file 64
ok "device" add_fileio disk0 $file "nv_cache=1"
# It completes in timer interrupts, as disks do.
modprobe null_blk nr_devices=1 gb=1 memory_backed=1 irqmode=2
ok "device of the other kind" \
	scst_write handlers/vdisk_blockio/mgmt "add_device disk1 filename=/dev/nullb0"
ok "LUN" add_lun "ib_srpt/$(srp_target)" disk0 0
ok "another LUN" add_lun "ib_srpt/$(srp_target)" disk1 1
ok "enable" srp_enable

for row in "${rows[@]}"; do
	IFS='|' read -r parameters keys sizes <<<"$row"
	ok "$parameters, $keys: $sizes verified" one_row "$parameters" "$keys" "$sizes"
	ok "all credits are back" wait_for 10 credits_back
	ok "logout" srp_logout
done

rxe_down
rm -f $file
assert_clean "unload"
