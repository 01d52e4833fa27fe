#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# vm: -c 2 -m 2G -t 900 -a ib_core.force_mr=1
#
# RDMA through registered memory, as iWARP needs it: regions come from a pool that
# can be empty, and each move takes three work requests. B144, B141.
#
#	ib_srp --- rxe0 (192.0.2.1, talks to itself) --- ib_srpt --- fileio on tmpfs

# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"

plan 15
file=/dev/shm/srp-registered

verify()
{
	local disk queue

	disk=$(scsi_disk "$SRP_HOST" 0) || return 1
	queue=/sys/block/${disk##*/}/queue
	cat "$queue/max_hw_sectors_kb" >"$queue/max_sectors_kb"
	fio_verify "$disk" --bs=4k --size=1m --iodepth=32 &&
		fio_verify "$disk" --bs=64k --size=8m --iodepth=32 &&
		fio_verify "$disk" --bs=4m --size=32m --iodepth=8
}

on_exit rm -f $file
on_exit unload_modules
on_exit rxe_down
on_exit srp_logout
ok "soft-RoCE port" rxe_up
is "$(cat /sys/module/ib_core/parameters/force_mr 2>/dev/null || echo Y)" Y "registration is forced"
load_modules scst_vdisk
make_file $file 64
ok "device" add_fileio disk0 $file "nv_cache=1"

# The second time the pool has two regions only. A region holds 1 MiB at most.
for sq in 256 16; do
	ok "target with $sq send queue entries" \
		load_module ib_srpt rdma_cm_port="$SRP_PORT" srpt_sq_size=$sq \
		srp_max_rdma_size=$((1 << 24))
	add_lun "ib_srpt/$(srp_target)" disk0 0
	srp_enable 1
	modprobe ib_srp never_register=1 use_imm_data=0
	ok "... login" srp_login cmd_sg_entries=255,allow_ext_sg=1,sg_tablesize=2048,max_sect=8192
	ok "... data" verify
	disk=$(scsi_disk "$SRP_HOST" 0)
	fio --thread --direct=1 --ioengine=libaio --iodepth=16 --time_based --runtime=60 \
		--name=io --filename="$disk" --rw=randrw --bsrange=4k-1m >/dev/null 2>&1 &
	io=$!
	sleep 5
	ok "... unload under I/O" rmmod ib_srpt
	kill $io
	for p in /sys/class/srp_remote_ports/*/delete; do
		echo 1 >"$p"
	done
	wait $io
	ok "... logout" srp_logout
done
ok "no session is left" srp_sessions_are 0
rm -f $file
rxe_down
assert_clean "unload"
