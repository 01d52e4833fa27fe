#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Time-outs by the dozen, each with an ABORT TASK, and resets in between, while I/O
# of other LUNs goes on: every command ends once, none outlives its abort, and
# nothing is left waiting. ABORTS=N: at least so many for each handler (30).
#
#	fio, sg_raw --- scst_local --- blockio | fileio --- dm-delay --- loop

# vm: -t 600
# soak: ABORTS=100
# debug: ABORTS=10
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/vm/lib-store.sh
. "$here/lib-store.sh"
# shellcheck source=tests/vm/lib-aborts.sh
. "$here/lib-aborts.sh"

plan 22
aborts=${ABORTS:-30}
ok "a store" store_up
on_exit unload_modules

load_modules scst_vdisk scst_nullio scst_local
add_nullio null size_mb=64
add_lun "scst_local/$LOCAL_TARGET" null 1
count_functions
bystander_start "$(local_disk 1)"

for handler in blockio fileio; do
	what=$handler
	# A write-through fileio waits for the store with each write.
	scst_write "handlers/vdisk_$handler/mgmt" "add_device d filename=$store;write_through=1"
	add_lun "scst_local/$LOCAL_TARGET" d 0
	disk=$(local_disk 0) sg=$(local_sg 0)
	abort_storm "$aborts"
	no_write_after_abort
	ok "$what: LUN RESET in between" resets --device 5
	ok "$what: TARGET RESET in between" resets --target 5
	still_works
	scst_write "handlers/vdisk_$handler/mgmt" "del_device d"
done
ok "I/O of another LUN went on all the time" bystander_end
is "$(functions_rejected)" 0 "no task management function was rejected"
tally "$(functions_done)" "aborts done"
store_down
assert_clean "all gone, kernel log clean"
