#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Commands that time out at the initiator are aborted, and come back only when
# the store has let go of their buffers; the disk works on afterwards.
#
#	/dev/sdX --- scst_local --- blockio | fileio --- dm-linear (suspended for a while) --- loop

# vm: -t 420
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/vm/lib-store.sh
. "$here/lib-store.sh"

plan 16
store_up 64 || bail "no store"
on_exit unload_modules

stat_of() { sed -n "s/.*$1: \([0-9]*\).*/\1/p" "$SCST/targets/scst_local/stats"; }
aborted() { [ "$(stat_of Aborts)" -gt "$aborts" ]; }

modprobe -a sg sd_mod
load_modules scst_vdisk scst_nullio scst_local
add_nullio null
add_lun "scst_local/$LOCAL_TARGET" null 1

for handler in blockio fileio; do
	scst_write handlers/vdisk_$handler/mgmt "add_device d filename=$store"
	add_lun "scst_local/$LOCAL_TARGET" d 0
	disk=$(local_disk 0) sg=$(local_sg 0)
	echo 2 >"/sys/block/${disk##*/}/device/timeout"
	aborts=$(stat_of Aborts)

	store_hangs
	fio --name=io --filename="$disk" --direct=1 --ioengine=libaio --iodepth=8 --rw=randrw \
		--bs=4k --size=1M --offset=16M --verify=crc32c --output=/dev/null &
	fio=$!
	ok "$handler: time-outs lead to aborts" wait_for 60 aborted
	ok "$handler: another LUN works meanwhile" timeout 20 dd if="$(local_disk 1)" of=/dev/null \
		bs=4k count=10
	ok "$handler: so does configuration" timeout 20 cat "$SCST/devices/d/size"
	store_goes_on
	ok "$handler: all I/O ended well after the store came back" wait $fio
	ok "$handler: the disk is online" grep -qx running "/sys/block/${disk##*/}/device/state"

	resets=$(stat_of 'Device Resets')
	ok "$handler: a LUN RESET on demand" sg_reset --device "$sg"
	is "$(stat_of 'Device Resets')" $((resets + 1)) "$handler: is counted"
	scst_write handlers/vdisk_$handler/mgmt "del_device d"
done
ok "TARGET RESET" sg_reset --target "$(local_sg 1)"
assert_clean "all gone, kernel log clean"
