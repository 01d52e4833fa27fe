#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A command times out after its LUN has been removed or replaced, while the old
# device still has its buffer: it comes back only when that has let go of it.
#
#	/dev/sdX --- scst_local --- blockio --- dm-linear (suspended for a while) --- loop

# vm: -t 300
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/vm/lib-store.sh
. "$here/lib-store.sh"

plan 9
store_up 64 || bail "no store"
on_exit unload_modules

luns=targets/scst_local/$LOCAL_TARGET/luns/mgmt
abort_count() { sed -n 's/.*Aborts: \([0-9]*\).*/\1/p' "$SCST/targets/scst_local/stats"; }
aborted() { [ "$(abort_count)" -gt "$aborts" ]; }
in_flight() { [ "$(cat "$SCST/targets/scst_local/$LOCAL_TARGET/sessions/$LOCAL_SESSION/commands")" -gt 0 ]; }
ends() { wait_for 60 eval "! kill -0 $1" && wait "$1"; }
gone() { wait_for 60 eval "! kill -0 $1"; }

modprobe sd_mod
load_modules scst_vdisk scst_nullio scst_local
scst_write handlers/vdisk_blockio/mgmt "add_device d filename=$store"
add_nullio other size_mb=32

for verb in "del 0" "replace other 0"; do
	add_lun "scst_local/$LOCAL_TARGET" d 0
	disk=$(local_disk 0)
	echo 2 >"/sys/block/${disk##*/}/device/timeout"
	aborts=$(abort_count)
	store_hangs
	dd if="$disk" of=/dev/null bs=4k count=1 iflag=direct &
	reader=$!
	wait_for 20 in_flight
	scst_write "$luns" "$verb" &
	writer=$!
	ok "$verb: the command is aborted" wait_for 60 aborted
	sleep 2
	ok "$verb: but does not come back as long as the device has it" kill -0 $reader
	store_goes_on
	ok "$verb: it does afterwards" gone $reader
	ok "$verb: and the LUN map has changed" ends $writer
	scst_write "$luns" clear
	wait_for 60 eval "! scsi_node $(local_host) 0 block"
done
assert_clean "all gone, kernel log clean"
