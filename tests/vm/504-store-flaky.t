#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A store that fails now and then for a second: what was acknowledged is there, in
# every caching mode, whether writes are made stable by a flush or by FUA.
#
#	acked --- /dev/sdX --- scst_local --- blockio | fileio --- dm-flakey --- loop

# vm: -t 300
# soak: STORE_SECONDS=15
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/vm/lib-store.sh
. "$here/lib-store.sh"

plan 18
dir=/dev/shm/504
seconds=${STORE_SECONDS:-5}
on_exit rm -rf $dir
ok "a store" store_up
on_exit unload_modules
make -s -C "$SCST_PROJECT/tests/tools" OUT=$dir $dir/acked >/dev/null || bail "acked does not build"
load_modules scst_vdisk scst_local

written=0 failed=0
# flaky_round HOW: some groups of writes must succeed, and some fail
flaky_round()
{
	local out good bad

	rm -f $dir/log
	store_is flaky 2 1
	out=$($dir/acked write "$disk" 2048 "$seconds" "$1" $dir/log)
	store_is good
	echo "$out"
	good=${out%% *} bad=${out##*, }
	bad=${bad%% *}
	written=$((written + good)) failed=$((failed + bad))
	[ "$good" -gt 0 ] && [ "$bad" -gt 0 ]
}

check_round()
{
	# Not what the initiator or the target remember, but what is on the store.
	blockdev --flushbufs "$disk" && blockdev --flushbufs $store
	echo 3 >/proc/sys/vm/drop_caches
	$dir/acked check "$disk" $dir/log
}

for handler in blockio fileio; do
	for mode in "" write_through=1; do
		what="$handler ${mode:-default}"
		scst_write "handlers/vdisk_$handler/mgmt" "add_device d filename=$store;$mode"
		add_lun "scst_local/$LOCAL_TARGET" d 0
		disk=$(local_disk 0)
		for how in sync fua; do
			ok "$what: $how: writing while the store fails now and then" \
				flaky_round $how
			ok "$what: $how: all that was acknowledged is there" check_round
		done
		scst_write "handlers/vdisk_$handler/mgmt" "del_device d"
	done
done
diag "$written groups acknowledged, $failed not"
tally "$failed" "faults injected"
store_down
assert_clean "all gone, kernel log clean"
