#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A store that hangs, or goes away, holds up nothing but its own commands: LUNs are
# replaced, other disks work, configuration goes on; and in the end it is free.
# B20, B43, B93.
#
#	/dev/sdX --- scst_local --- blockio | fileio --- dm (suspended, removed) --- loop

# vm: -t 420
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/vm/lib-store.sh
. "$here/lib-store.sh"

plan 48
file=/dev/shm/503-file
on_exit rm -f $file
ok "a store" store_up
on_exit unload_modules

luns=targets/scst_local/$LOCAL_TARGET/luns
add_dev() { scst_write "handlers/vdisk_$handler/mgmt" "add_device $1 filename=$store;${2:-}"; }
del_dev() { scst_write "handlers/vdisk_$handler/mgmt" "del_device $1"; }
# soon WHAT COMMAND...: while the store hangs
soon()
{
	local what=$1 pid
	shift

	"$@" &
	pid=$!
	ok "$handler: $what" ended $pid
}
ended() { wait_for 20 eval "! kill -0 $1" && wait "$1"; }
in_flight()
{
	local session=$SCST/targets/scst_local/$LOCAL_TARGET/sessions/$LOCAL_SESSION

	[ "$(cat "$session/active_commands")" -ge "$1" ]
}

# ---- B93
load_modules scst_vdisk scst_nullio scst_local
add_nullio null
make_file $file 4
add_fileio other $file
add_lun "scst_local/$LOCAL_TARGET" null 1
add_lun "scst_local/$LOCAL_TARGET" other 2
null=$(local_disk 1) other=$(local_disk 2)

for handler in blockio fileio; do
	# A write-through fileio waits for the store with each write.
	add_dev hung write_through=1
	add_lun "scst_local/$LOCAL_TARGET" hung 0
	disk=$(local_disk 0)
	store_hangs
	fio --name=io --filename="$disk" --direct=1 --ioengine=libaio --iodepth=8 --rw=write \
		--bs=4k --size=64k --output=/dev/null &
	fio=$!
	ok "$handler: commands wait for the store" wait_for 20 in_flight 8
	soon "B93: replace" scst_write "$luns/mgmt" "replace null 0"
	is "$(basename "$(readlink "$SCST/$luns/0/device")")" null \
		"$handler: B93: the LUN map shows the new device"
	soon "B93: the old one is listed still" cat "$SCST/devices/hung/size"
	soon "B93: adding a device" \
		scst_write handlers/vdisk_nullio/mgmt "add_device more size_mb=1"
	soon "B93: adding a LUN" scst_write "$luns/mgmt" "add more 3"
	soon "B93: adding a target" scst_write targets/scst_local/mgmt "add_target another"
	soon "B93: a new login" scst_write targets/scst_local/mgmt "add_session another s"
	soon "B93: another disk" dd if="$other" of=/dev/null bs=4k count=16 iflag=direct
	soon "B93: and another handler's" dd if="$null" of=/dev/null bs=4k count=16 iflag=direct
	soon "B93: task management for another LUN" sg_reset --device "$null"
	soon "B93: deleting a LUN" scst_write "$luns/mgmt" "del 3"
	soon "B93: deleting a device" scst_write handlers/vdisk_nullio/mgmt "del_device more"
	soon "B93: deleting a target" scst_write targets/scst_local/mgmt "del_target another"
	scst_write "handlers/vdisk_$handler/mgmt" "del_device hung" &
	del=$!
	sleep 1
	ok "$handler: B93: only the deletion of the old device waits" kill -0 $del
	soon "B93: and does not keep others waiting" scst_write "$luns/mgmt" "add null 4"
	scst_write "$luns/mgmt" "del 4"

	store_goes_on
	ok "$handler: B93: it ends when the store goes on" wait $del
	ok "$handler: B93: the initiator's I/O ended well, on the new device" wait $fio
	scst_write "$luns/mgmt" "del 0"
	wait_for 20 eval "! [ -e $disk ]"
done

# ---- B43
round()
{
	add_dev d && add_lun "scst_local/$LOCAL_TARGET" d 0 && disk=$(local_disk 0) &&
		dd if=/dev/zero of="$disk" bs=64k count=16 oflag=direct status=none &&
		del_dev d && dmsetup remove store && store_make
}

for handler in blockio fileio; do
	for ((i = 0; i < 10; i++)); do
		round || break
	done
	is $i 10 "$handler: B43: 10 times: add, I/O, del_device, and the store can be removed at once"
done

# ---- B20
handler=blockio
add_dev d
add_lun "scst_local/$LOCAL_TARGET" d 0
disk=$(local_disk 0)
dump() { "$SCST_PROJECT/scstadmin/scstadmin" -write_config /dev/stdout -nonkey 2>/dev/null; }
before=$(dump)
dmsetup remove -f store 2>/dev/null
nok "B20: a store that is taken away" dd if="$disk" of=/dev/null bs=4k count=1 iflag=direct
ok "B20: leaves the LUN where it was" test -e "$SCST/$luns/0/device"
is "$(dump)" "$before" "B20: and the configuration"
is "$(scst_try devices/d/active 0)" OK "B20: made inactive"
ok "B20: what is left of the store can go" dmsetup remove store
store_make
is "$(scst_try devices/d/active 1)" OK "B20: active 1 when it is back"
ok "B20: the disk works" dd if="$disk" of=/dev/null bs=4k count=1 iflag=direct
is "$(dump)" "$before" "B20: the configuration is the same"
assert_clean "all gone, kernel log clean"
