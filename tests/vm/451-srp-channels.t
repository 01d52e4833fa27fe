#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# vm: -c 8 -m 2G -t 900
#
# Sessions of one to eight channels, and what happens when one of them is lost.
# B159.
#
#	fio --- ib_srp --- rxe0 (192.0.2.1, talks to itself) --- ib_srpt --- fileio

# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"

file=/dev/shm/srp-channels
plan 26

login() { srp_login "$1" && disk=$(scsi_disk "$SRP_HOST" 0); }

on_exit rm -f $file
on_exit unload_modules
on_exit rxe_down
on_exit srp_logout
ok "soft-RoCE port" rxe_up
load_modules scst_vdisk
make_file $file 32
ok "device" add_fileio disk0 $file nv_cache=1
ok "target" srp_start disk0

for n in 1 2 4 8; do
	ok "login with $n channels (B159)" login ch_count=$n
	is "$(srp_sessions | wc -l)" $n "... each is a session"
	ok "... data" fio_verify "$disk" --size=1m --numjobs=2 --offset_increment=2m
	if [ $n = 4 ]; then
		echo 1 >"$SCST/targets/ib_srpt/$(srp_target)/sessions/192.0.2.1_2/force_close"
		ok "... data after one channel was lost" fio_verify "$disk" --size=1m --numjobs=4 --offset_increment=2m
		ok "... all channels are there again" wait_for 30 srp_sessions_are 4
	fi
	ok "... logout" srp_logout
	ok "... no session is left" wait_for 30 srp_sessions_are 0
done
rm -f $file
rxe_down
assert_clean "unload"
