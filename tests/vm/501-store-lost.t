#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Data that was accepted and then lost: everyone who may have written it learns of
# it, and nothing on the way takes the report for something that can be repeated.
#
#	/dev/sdA, /dev/sdB --- scst_local --- fileio | blockio --- dm-flakey --- loop

# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/vm/lib-sgio.sh
. "$here/lib-sgio.sh"
# shellcheck source=tests/vm/lib-store.sh
. "$here/lib-store.sh"

plan 48
ok "a store" store_up
on_exit unload_modules

LOST=4/44/00
sync_cache=35000000000000000000
write_a="2a000000010000000800 out a5*4096"
write_b="2a000000020000000800 out b5*4096"
fua_b="2a080000020000000800 out b6*4096"

# on SG STATUS NAME CDB...
on()
{
	local wanted=$2 name=$3
	dev=$1
	shift 3

	# shellcheck disable=SC2068 # words are wanted
	expect "$wanted" "$what: $name" $@
}

add_store()
{
	scst_write "handlers/vdisk_$handler/mgmt" "add_device d filename=$store;$1" || return 1
	add_lun "scst_local/$LOCAL_TARGET" d 0 && add_lun scst_local/other d 0 || return 1
	a=$(local_sg 0) && b=$(scsi_sg "$(local_host other second)" 0) && settle "$a" "$b" || return 1
	disk=$(local_disk 0)
}

del_store() { scst_write "handlers/vdisk_$handler/mgmt" "del_device d"; }

# written and flushed by way of the initiator's page cache
fsync_of() { dd if=/dev/urandom of="$disk" bs=64k count=4 conv=fsync,notrunc status=none; }

load_modules scst_vdisk scst_local
scst_write targets/scst_local/mgmt "add_target other session_name=second"

# ---- in the page cache of the target
handler=fileio what=fileio
ok "$what: created" add_store
on "$a" GOOD "one initiator writes" "$write_a"
on "$b" GOOD "another too" "$write_b"
store_is no-writes
on "$a" $LOST "the first learns that data was lost" $sync_cache
store_is good
on "$b" $LOST "so does the second" $sync_cache
on "$a" GOOD "the first has been told" $sync_cache
on "$b" GOOD "the second too" $sync_cache

on "$a" GOOD "one initiator writes" "$write_a"
store_is no-writes
on "$b" 3/03/00\ info=512 "a write of another that is to be stable fails" "$fua_b"
store_is good
on "$a" $LOST "the first learns of it nevertheless" $sync_cache

on "$a" GOOD "one initiator writes" "$write_a"
store_is no-writes
isnt "$(scst_try devices/d/sync 1)" OK "$what: the administrator flushes in vain"
store_is good
on "$a" $LOST "which is not all: the initiator learns of it" $sync_cache

on "$a" GOOD "one initiator writes" "$write_a"
store_is no-writes
is "$(scst_try devices/d/active 0)" OK "$what: made inactive"
store_is good
is "$(scst_try devices/d/active 1)" OK "$what: and active again"
settle "$a" "$b"
on "$a" $LOST "what was lost meanwhile is reported" $sync_cache
on "$b" $LOST "to all" $sync_cache

on "$a" GOOD "one initiator writes" "$write_a"
store_is no-writes
on "$a" $LOST "its flush fails" 1b0000000000
store_is good
scst_write targets/scst_local/mgmt "del_session other second"
scst_write targets/scst_local/mgmt "add_session other second"
b=$(scsi_sg "$(local_host other second)" 0)
settle "$b"
on "$b" $LOST "an initiator that logs in again is told" $sync_cache
on "$b" GOOD "once" $sync_cache

on "$a" GOOD "one initiator writes" "$write_a"
store_is late-errors 2500
nok "$what: a flush is aborted" sg_raw -t 1 "$a" 35 00 00 00 00 00 00 00 00 00
store_is good
settle "$a"
on "$a" $LOST "the next one tells what that was to tell" $sync_cache

ok "$what: an initiator's fsync" fsync_of
store_is no-writes
nok "$what: fails if the data did not get through" fsync_of
store_is good
ok "$what: and works again" fsync_of

# The target's kernel has tried in vain before the initiator asks.
dd if=/dev/urandom of="$disk" bs=64k count=4 oflag=direct status=none
store_is no-writes
blockdev --flushbufs $store 2>/dev/null
store_is good
nok "$what: an fsync that comes later fails too" fsync_of
ok "$what: once" fsync_of
del_store

# ---- nv_cache: nobody flushes
what="fileio nv_cache"
ok "$what: created" add_store nv_cache=1
store_is no-writes
on "$a" GOOD "one initiator writes" "$write_a"
blockdev --flushbufs $store 2>/dev/null
store_is good
on "$b" GOOD "a command that finds out" 28000000000000000800 in 4096
on "$b" $LOST "the other's next READ fails" 28000000000000000800 in 4096
on "$b" $LOST "its next WRITE" "$write_b"
on "$a" $LOST "the next READ of the one who wrote" 28000000010000000800 in 4096
on "$a" $LOST "his next WRITE" "$write_a"
on "$a" GOOD "and that is all" "$write_a"
del_store

# ---- in the cache of the drive
handler=blockio what=blockio
ok "$what: created" add_store
on "$a" GOOD "one initiator writes" "$write_a"
on "$b" GOOD "another too" "$write_b"
store_is no-writes
on "$a" $LOST "a flush that fails" $sync_cache
store_is good
on "$b" $LOST "is one for both" $sync_cache
on "$a" GOOD "once" $sync_cache
store_is drops
on "$b" GOOD "a store that drops writes can only be found out" "$write_b"
on "$b" "e/1d/00 info=0" "WRITE AND VERIFY does" "2e020000080000000800 out 77*4096"
store_is good
del_store
store_down
assert_clean "all gone, kernel log clean"
