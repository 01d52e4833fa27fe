#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What happens to a device, and to its initiators, while the store holds one of
# its commands.
#
#	sgio --- three hosts --- scst_local --- fileio | blockio --- dm-linear (suspended) --- loop

# vm: -t 300
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/vm/lib-sgio.sh
. "$here/lib-sgio.sh"
# shellcheck source=tests/vm/lib-store.sh
. "$here/lib-store.sh"

plan 31
dir=/dev/shm/218
mkdir -p $dir
on_exit rm -rf $dir
store_up 32 || bail "no store"
on_exit unload_modules
on_exit store_goes_on

tgt=targets/scst_local/$LOCAL_TARGET
sessions=$SCST/$tgt/sessions
stat_of() { sed -n "s/.*$1: \([0-9]*\).*/\1/p" "$SCST/targets/scst_local/stats"; }
more_than() { [ "$(stat_of "$1")" -gt "$2" ]; }
in_flight() { [ "$(awk '{ n += $1 } END { print n }' "$sessions"/*/commands)" = "$1" ]; }
threads() { cat "$sessions/$LOCAL_SESSION/lun0/thread_pid"; }
threads_are() { [ "$(threads | wc -w)" = "$1" ]; }
module_used() { [ "$(cat /sys/module/scst_vdisk/refcnt)" -gt 0 ]; }
ended() { ! kill -0 "$@"; }

# hold REQUEST: send it to $dev while the store stands still
hold()
{
	echo "$dev $*" | "$sgio" serve >/dev/null 2>&1 &
	held+=($!)
}

# The page cache has nothing that a READ could return instead.
suspend()
{
	held=()
	echo 3 >/proc/sys/vm/drop_caches
	store_hangs
}

# hold_read [CONTROL]: as above, a READ and nothing else
hold_read()
{
	suspend
	hold "280000000000000001${1:-00}" in 512
	wait_for 30 in_flight 1
}

# reset DEVICE: LUN RESET, which is on its way when this returns
reset()
{
	local before

	before=$(stat_of 'Device Resets')
	sg_reset --device "$1" &
	reset=$!
	wait_for 30 more_than 'Device Resets' "$before" && sleep 1
}

sg_only
load_modules scst_vdisk scst_nullio scst_local
hosts=("$(local_host)")
for session in other third; do
	scst_write targets/scst_local/mgmt "add_session $LOCAL_TARGET $session"
	hosts+=("$(local_host "$LOCAL_TARGET" $session)")
done

# add HANDLER [PARAMETERS]: as LUN 0
add()
{
	scst_write "handlers/$1/mgmt" "add_device d filename=$store;${2:-}"
	add_lun "scst_local/$LOCAL_TARGET" d 0
	mine=$(scsi_sg "${hosts[0]}" 0)
	other=$(scsi_sg "${hosts[1]}" 0)
	third=$(scsi_sg "${hosts[2]}" 0)
	settle "$mine" "$other" "$third"
	dev=$mine
}

no_lun()
{
	local host

	for host in "${hosts[@]}"; do
		[ ! -e "/sys/bus/scsi/devices/$host:0:0:0" ] || return 1
	done
}
del() { scst_write "handlers/$1/mgmt" "del_device d" && wait_for 30 no_lun; }

# ---- COMPARE AND WRITE: the difference is in a block that is not compared any more
add vdisk_blockio
perl -e 'print "\0" x (200 * 512), "\xff" x (55 * 512), "\xaa" x (255 * 512)' >$dir/caw
aborts=$(stat_of Aborts)
suspend
sg_raw -t 2 -s 261120 -i $dir/caw "$dev" 89 00 00 00 00 00 00 00 00 00 00 00 00 ff 00 00 \
	>/dev/null 2>&1 &
held=($!)
ok "COMPARE AND WRITE: aborted while it reads" wait_for 90 more_than Aborts "$aborts"
sleep 1
store_goes_on
ok "it ends" wait_for 90 ended "${held[@]}"
is "$(head -c 130560 /dev/shm/store | tr -d '\0' | wc -c)" 0 \
	"and has not written what it did not compare"
del vdisk_blockio

# ---- closing the store, while a MODE SELECT waits for the thread that the store holds
add vdisk_fileio
scst_write devices/d/threads_num 1
ok "a READ is held" hold_read
hold 151000001000 out 000000000a0a2010000000000000024b
ok "a MODE SELECT behind it" wait_for 30 in_flight 2
echo 0 >"$SCST/devices/d/active" &
closing=$!
sleep 1
store_goes_on
ok "active 0 and MODE SELECT do not wait for one another" wait_for 30 ended $closing "${held[@]}"
kill $closing 2>/dev/null
wait $closing
is "$(scst_read devices/d/active)" 0 "the store is closed"
scst_write devices/d/active 1
settle "$mine" "$other" "$third"

# ---- the number of threads changes while all that there are wait for the store
scst_write threads 1
scst_write devices/d/threads_num 0
suspend
for lba in 00 40 80; do
	hold "2800000000${lba}00000100" in 512
done
ok "three READs" wait_for 30 in_flight 3
# Of the first commands there may be one that has nothing to do any more.
ok "not so many threads" test "$(threads | wc -w)" -lt 3
scst_write threads 3
ok "writing threads gives the others one, too" wait_for 20 threads_are 3
store_goes_on
ok "all are answered" wait_for 30 ended "${held[@]}"

# ---- a reset, while a MODE SELECT that it aborts writes the cache to the store
expect GOOD "something for the cache" 2a000000000000000100 out "5a*512"
suspend
hold 151000001800 out 000000000812000000000000000000008014000000000000
wait_for 30 in_flight 1
ok "LUN RESET while a MODE SELECT waits" reset "$other"
store_goes_on
ok "both end" wait_for 60 ended "$reset" "${held[@]}"
settle "$mine" "$other" "$third"
cmd 1a080800ff00 in 255
is "${data:12:2}" 04 "what the reset has restored is not changed by what it aborted"

# ---- a reset tells the others of itself and of nothing else
dev=$other
ok "a READ of another initiator is held" hold_read
ok "LUN RESET" reset "$mine"
store_goes_on
ok "is done when the READ has ended" wait_for 60 ended "$reset" "${held[@]}"
expect 6/29/00 "whose initiator is told of the reset" 000000000000
expect GOOD "and of nothing else" 000000000000
del vdisk_fileio

# ---- one task set for all: the first fault has the ACA condition, whatever fails later
add vdisk_fileio tst=0
dev=$other
hold_read 04
dev=$mine
expect 5/21/00 "a fault, with NACA" 28000002000000000104 in 512
store_is error
ok "then the READ of another initiator fails, with NACA, too" wait_for 30 ended "${held[@]}"
store_is good
expect ACA "the first one still has the condition" 000000000000
sg_reset --device "$other"
settle "$mine" "$other" "$third"

# ---- QErr: who loses tasks is told, who has none is not
dev=$mine
expect GOOD "MODE SELECT: QErr 1" 151000001000 out 000000000a0a0012000000000000024b
settle "$other" "$third"
dev=$other
hold_read
dev=$mine
expect 5/21/00 "a fault" 28000002000000000100 in 512
dev=$third
expect GOOD "an initiator without tasks hears nothing of it" 000000000000
store_goes_on
wait_for 60 ended "${held[@]}"
dev=$other
expect 6/2f/00 "one whose task was cleared does" 000000000000

# ---- a device that goes keeps the module of its handler, whoever deletes it
hold_read
scst_write handlers/vdisk_nullio/mgmt "del_device d" &
deleting=$!
# If rmmod came first, it would itself wait for the READ, and with it this test.
wait_for 30 module_used
ok "del_device waits for a READ" kill -0 $deleting
nok "and keeps its module" rmmod scst_vdisk
store_goes_on
ok "until that has ended" wait_for 60 ended $deleting "${held[@]}"
assert_clean "all gone, kernel log clean"
