#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# vm: -c 2 -m 2G -t 500
# debug: SRP_STALE_LUNS=1000
#
# Limits that an initiator cannot push the target past (doc/limits.md): channels,
# half-open logins, silence (B143), memory of channels, data buffers, commands, log
# lines (B105). What is beyond gets the answer that is documented, is counted, and
# nobody else suffers.
#
#	srp-hostile, ib_srp --- rxe0 --- ib_srpt --- fileio

# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"

# shellcheck source=tests/vm/lib-hostile.sh
. "$(dirname "$0")/lib-hostile.sh"
# shellcheck source=tests/vm/lib-store.sh
. "$here/lib-store.sh"

hostile_needed
store_up 16 || bail "no store"
on_exit unload_modules
on_exit rxe_down
on_exit srp_logout

param=/sys/module/ib_srpt/parameters
usage() { cat "$target/$1"; }
no_channels() { [ "$(usage channels)" = 0 ]; }
failures() { sed -n 's/.*failures: [0-9]*.//p' $SCST/sgv/global_stats; }
active_pages() { sed -n 's/^Inactive.*: [0-9]*.//p' $SCST/sgv/global_stats; }

# hold COUNT: how many sessions there can be; sets $accepted and what is in use then
hold()
{
	attack_held hold "$1"
	channels=$(usage channels)
	mem_kb=$(usage channel_mem_kb)
	attack_over || return 1
	read -r accepted _ <$hostile/answer
	wait_for 60 no_channels
}

# holds COUNT WANTED: of COUNT logins so many are accepted, and the others counted
holds()
{
	local before after

	before=$(usage logins_refused)
	hold "$1" || return 1
	after=$(usage logins_refused)
	echo "$accepted accepted, $channels channels, $mem_kb KB, $((after - before)) refused"
	[ "$accepted" = "$2" ] && [ "$channels" = "$2" ] && [ $((after - before)) = $(($1 - $2)) ]
}

half_open()
{
	local n

	attack_held half-open "$1"
	n=$(usage connecting)
	attack_over || return 1
	echo "$n are connecting"
	[ "$n" -gt 0 ] && [ "$n" -le "$2" ]
}

no_pages() { [ "$(active_pages)" = 0 ]; }

# few_lines COMMAND...: meanwhile the kernel logs less than 50 lines in any 5 seconds
few_lines()
{
	local most

	echo "few lines: $*" >/dev/kmsg
	"$@" || return 1
	most=$(dmesg | awk -F '[][]' '
		/few lines: / { first = n + 1; most = 0 }
		{
			time[++n] = $2
			while ($2 - time[first] > 5)
				first++
			if (n - first >= most)
				most = n - first + 1
		}
		END { print most }')
	echo "$most lines in 5 seconds"
	[ "$most" -lt 50 ]
}

# Far more at once than the buffers that there may be; the initiator waits and gets it all.
crowd() { fio --name=crowd --filename="$disk" --direct=1 --ioengine=libaio --iodepth=32 \
	--rw=read --bs=512k --size=16M --loops=2 --output-format=terse; }

# aca_full: the queue becomes full while there is an ACA condition
aca_full()
{
	local depth=devices/slow/max_tgt_dev_commands

	echo 3 >/proc/sys/vm/drop_caches
	store_hangs
	attack_held aca-full 0
	scst_write $depth 1
	echo >&3
	wait_for 60 eval "[ \$(wc -l <$hostile/answer) = 2 ] || ! kill -0 $attacker"
	scst_write $depth 48
	store_goes_on
	attack_over
}

plan 23
ok "soft-RoCE port" rxe_up
load_module scst scst_max_cmd_mem=8 || bail "cannot load scst"
load_modules scst_vdisk
load_module ib_srpt rdma_cm_port="$SRP_PORT" || bail "cannot load ib_srpt"
target=$SCST/targets/ib_srpt/$(srp_target)
make_file $hostile/file 16
add_fileio disk0 $hostile/file
ok "LUN" add_lun "ib_srpt/$(srp_target)" disk0 0
ok "enable" srp_enable 1

ok "a few sessions" holds 3 3
like "$((mem_kb / 3))" '^[0-9]{3,4}$' "a session takes about a megabyte"
echo 4 >$param/srpt_max_channels
ok "no more channels than srpt_max_channels" holds 7 4
echo 1024 >$param/srpt_max_channels
echo 5 >$param/srpt_max_connecting
ok "no more half-open logins than srpt_max_connecting" half_open 20 5
wait_for 180 no_channels
echo 64 >$param/srpt_max_connecting
echo $((mem_kb * 2 / 1024 + 1)) >$param/srpt_max_channel_mem
ok "no more memory for channels than srpt_max_channel_mem" hold 20
nok "not all of 20 logins are accepted" test "$accepted" = 20
echo 256 >$param/srpt_max_channel_mem
ok "then there is room again" holds 8 8

attack_held deaf 1
wait_for 10 srp_sessions_are 2
begin=$SECONDS
ok "the session of an initiator that acknowledges nothing ends (B143)" \
	wait_for 120 srp_sessions_are 1
diag "after $((SECONDS - begin)) s"
ok "... not that of one which is merely idle" attack_over
wait_for 30 no_channels

count=${SRP_STALE_LUNS:-10000}
ok "$count commands to LUNs that are not there: few lines in the log (B105)" \
	few_lines attack absent-luns "$count"
ok "100 logins: few lines in the log" few_lines attack logins 100
ok "more task management than credits" attack tm-burst 500

is "$(cat /sys/module/scst/parameters/scst_max_dev_cmd_mem)" 3 "a device may have two fifths"
echo 0 >$SCST/sgv/global_stats
ok "login of a good initiator" srp_login ch_count=1
disk=$(scsi_disk "$SRP_HOST" 0)
ok "more at once than there are buffers: all of it is read" crowd
isnt "$(failures)" 0 "commands were refused meanwhile"
ok "no buffer is in use" wait_for 10 no_pages
ok "logout" srp_logout

add_fileio slow "$store"
scst_write "targets/ib_srpt/$(srp_target)/luns/mgmt" "replace slow 0"
ok "a task that finds the queue full during ACA is not the one that there may be" aca_full

rxe_down
rm -f $hostile/file
assert_clean "unload"
