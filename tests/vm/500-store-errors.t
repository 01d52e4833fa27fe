#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A store that fails: each command that could not do what it was asked to says so,
# with the block at which that was, in every caching mode.
#
#	sgio --- scst_local --- blockio | fileio --- dm-linear, dm-error --- loop

# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/vm/lib-sgio.sh
. "$here/lib-sgio.sh"
# shellcheck source=tests/vm/lib-store.sh
. "$here/lib-store.sh"

plan 127
ok "a store" store_up
on_exit unload_modules

READ_1000=3/11/00\ info=1000
WRITE_1000=3/03/00\ info=1000
LOST=4/44/00

# 16 KB from block 992 on, so that the bad blocks 1000 to 1007 are in the middle.
read_cmd="2800000003e000002000 in 16384"
verify_cmd=2f00000003e000002000
write() { echo "2a0${1:-0}000003e000002000 out ${2:-5a}*16384"; }
write_same="4100000003e000002000 out 5a*512"
write_and_verify="2e00000003e000002000 out 5a*16384"
compare_and_write="8900 00000000000003e0 000000 20 00 00"
sync_cache=35000000000000000000

# check STATUS NAME CDB...: an expectation with the device's name before it
check()
{
	local wanted=$1 name=$2
	shift 2

	# shellcheck disable=SC2068 # words are wanted
	expect "$wanted" "$what: $name" $@
}

forget_cache() { sync; echo 3 >/proc/sys/vm/drop_caches; }

add_store()
{
	scst_write "handlers/vdisk_$handler/mgmt" "add_device d filename=$store;$1" &&
		add_lun "scst_local/$LOCAL_TARGET" d 0 && dev=$(local_sg 0) && settle "$dev"
}

del_store() { scst_write "handlers/vdisk_$handler/mgmt" "del_device d"; }

reading()
{
	check "$READ_1000" "READ" "$read_cmd"
	check "3/11/00 info=1003" "READ of a bad block" 2800000003eb00000100 in 512
	check GOOD "READ before" 2800000003e000000800 in 4096
	check GOOD "READ behind" 2800000003f000000800 in 4096
	check "$READ_1000" "VERIFY" "$verify_cmd"
	check "$READ_1000" "COMPARE AND WRITE" "${compare_and_write// /} out 5a*32768"
}

# What is written at once, and fails at once.
writing()
{
	check "$WRITE_1000" "WRITE" "$(write)"
	check "$WRITE_1000" "WRITE with FUA" "$(write 8)"
	check "$WRITE_1000" "WRITE SAME" "$write_same"
	check "$WRITE_1000" "WRITE AND VERIFY" "$write_and_verify"
}

# What goes into the page cache is reported when it is flushed, once.
writing_back()
{
	check GOOD "WRITE into the page cache" "$(write)"
	check $LOST "SYNCHRONIZE CACHE reports that it was lost" $sync_cache
	check GOOD "and the next has nothing to report" $sync_cache
	check "$WRITE_1000" "WRITE with FUA" "$(write 8)"
	check $LOST "after that data of others may be lost too" $sync_cache
}

# Nobody flushes: the next commands report it.
writing_nv()
{
	check GOOD "WRITE into the page cache" "$(write 8)"
	blockdev --flushbufs $store 2>/dev/null
	check GOOD "a command that finds out" 28000000000000000800 in 4096
	check $LOST "the next READ reports it" 28000000000000000800 in 4096
	check GOOD "once" 28000000000000000800 in 4096
	check $LOST "the next WRITE too" 2a000000000000000800 out '00*4096'
	check GOOD "once" 2a000000000000000800 out '00*4096'
	check $LOST "the next SYNCHRONIZE CACHE too" $sync_cache
	check GOOD "once" $sync_cache
}

whole()
{
	forget_cache
	store_is error
	check "3/11/00 info=2048" "READ where nothing works" 28000000080000000800 in 4096
	check GOOD "TEST UNIT READY" 000000000000
	check GOOD "READ CAPACITY" 25000000000000000000 in 8
	ok "$what: sysfs answers" timeout 10 cat "$SCST/devices/d/size" "$SCST/devices/d/filename"
	store_is good
	check GOOD "READ when it works again" 28000000080000000800 in 4096
	check GOOD "WRITE" "$(write 8)"
}

set_read_only()
{
	blockdev --setro $store
	check 7/00/00 "WRITE to a store that was set read-only" "$(write)"
	check GOOD "reading goes on" "$read_cmd"
	blockdev --setrw $store
	check GOOD "writing too when that is undone" "$(write 8)"
}

load_modules scst_vdisk scst_local

for handler in blockio fileio; do
	for mode in "" nv_cache=1 write_through=1; do
		what="$handler ${mode:-default}"
		store_is bad 1000 8
		ok "$what: created" add_store "$mode"
		reading
		case $what in
		"fileio nv_cache=1")	writing_nv ;;
		"fileio default")	writing_back ;;
		*)			writing ;;
		esac
		whole
		set_read_only
		del_store
	done
done
store_down
assert_clean "all gone, kernel log clean"
