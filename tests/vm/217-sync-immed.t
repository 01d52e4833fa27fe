#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# SYNCHRONIZE CACHE with IMMED ends before the flush, and an error of that is
# reported by the next one, to each initiator, once.
#
#	sgio --- two hosts --- scst_local --- fileio --- dm-linear | dm-error --- loop

# vm: -t 200
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/vm/lib-sgio.sh
. "$here/lib-sgio.sh"
# shellcheck source=tests/vm/lib-store.sh
. "$here/lib-store.sh"

plan 14
store_up 64 || bail "no store"
on_exit unload_modules

sg_only
load_modules scst_vdisk scst_local
scst_write handlers/vdisk_fileio/mgmt "add_device d filename=$store"
add_lun "scst_local/$LOCAL_TARGET" d 0
scst_write targets/scst_local/mgmt "add_session $LOCAL_TARGET other"
one=$(local_sg 0)
other=$(scsi_sg "$(local_host "$LOCAL_TARGET" other)" 0)
settle "$one" "$other"

flush_failed()
{
	dmesg | tac | sed '/vm: begin /q' | grep -q 'd: data that was accepted could not be written'
}
sync_cache=35000000000000000000
immed=35020000000000000000

dev=$one
expect GOOD "WRITE into the cache" 2a000000000000000800 out "5a*4096"
store_hangs
expect GOOD "IMMED does not wait for a store that is suspended" $immed
cat $SCST/devices/d/filename >/dev/null &
reader=$!
ok "nor does who reads the configuration meanwhile" wait_for 20 eval "! kill -0 $reader"
store_goes_on
expect GOOD "SYNCHRONIZE CACHE after that" $sync_cache

expect GOOD "WRITE into the cache" 2a000000000800000800 out "5a*4096"
store_is error
expect GOOD "IMMED: GOOD comes before the error" $immed
wait_for 30 flush_failed
store_is good
expect 4/44/00 "the next SYNCHRONIZE CACHE reports it" $sync_cache
expect GOOD "once" $sync_cache
dev=$other
expect 4/44/00 "to the other initiator, too" $sync_cache
expect GOOD "once" $sync_cache

# Write through is what the device was made with; what is in force is the mode page.
scst_write handlers/vdisk_fileio/mgmt "del_device d"
scst_write handlers/vdisk_fileio/mgmt "add_device d filename=$store;write_through=1"
add_lun "scst_local/$LOCAL_TARGET" d 0
one=$(local_sg 0)
settle "$one"
dev=$one
expect GOOD "MODE SELECT: WCE 1" 151000001800 out 000000000812040000000000000000008014000000000000
expect GOOD "WRITE into the cache" 2a000000000000000800 out "5a*4096"
store_is error
expect 4/44/00 "which SYNCHRONIZE CACHE flushes" $sync_cache
store_is good
assert_clean "all gone, kernel log clean"
