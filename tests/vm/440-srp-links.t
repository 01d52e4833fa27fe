#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# vm: -c 2 -m 2G -t 900
#
# Kinds of queues, and what happens to links: a shared receive queue, short send
# queues, a cable that is pulled, a network service that is restarted. B143, B150,
# B165.

# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"

plan 21
file=/dev/shm/srp-links

login()
{
	modprobe ib_srp fast_io_fail_tmo=1 dev_loss_tmo=2 && srp_login "ch_count=1${1:+,$1}"
}

# The address is among the port's GIDs, which takes the stack a moment.
address_is_back()
{
	grep -q ACTIVE /sys/class/infiniband/rxe0/ports/1/state &&
		grep -q ffff:c000:0201 /sys/class/infiniband/rxe0/ports/1/gids/*
}

verify()
{
	local disk

	disk=$(scsi_disk "$SRP_HOST" 0) &&
		fio_verify "$disk" --bs=512 --size=64k && fio_verify "$disk" --bs=64k --size=4m &&
		fio_verify "$disk" --bs=1m --size=16m
}

on_exit rm -f $file
on_exit unload_modules
on_exit rxe_down
on_exit srp_logout
ok "soft-RoCE port" rxe_up
load_modules scst_vdisk
make_file $file 32
ok "device" add_fileio disk0 $file "nv_cache=1"

# ---- queues ----

ok "shared receive queue" srp_start disk0 use_srq=1 srpt_srq_size=64
ok "... login" login
ok "... data" verify
ok "... logout" srp_logout
ok "... the session is gone" wait_for 30 srp_sessions_are 0
rmmod ib_srpt

ok "16 work requests of 4 KB at most" srp_start disk0 srpt_sq_size=16 srp_max_rdma_size=4096
ok "... login" login queue_size=64
ok "... data" verify
ok "... logout" srp_logout

# ---- links ----

# For longer than the target waits until it looks after an idle session.
ok "login" login
ip link set dummy0 down
sleep 31
ip link set dummy0 up
ok "a link was down for half a minute" wait_for 20 address_is_back
ok "... data in the session that was there (B165)" verify
ip addr flush dev dummy0
ip addr add "$RXE_ADDR/24" dev dummy0
ok "the address was removed and added" wait_for 20 address_is_back
ok "... login of another initiator" srp_login ch_count=1,initiator_ext=0000000000000001
ok "... data" verify
ip addr add 198.51.100.7/24 dev dummy0
ok "a new address does not disturb the session (B150)" verify
ip link set dummy0 down
begin=$SECONDS
ok "sessions whose cable is pulled end within two minutes (B143)" wait_for 120 srp_sessions_are 0
diag "after $((SECONDS - begin)) s"
ok "... logout" srp_logout
rm -f $file
rxe_down
assert_clean "unload"
