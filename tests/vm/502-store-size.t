#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A store that becomes smaller, larger or full under a disk that is in use.
#
#	sgio --- scst_local, 2 nexuses --- fileio | blockio --- file, dm-linear, dm-thin

# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/vm/lib-sgio.sh
. "$here/lib-sgio.sh"
# shellcheck source=tests/vm/lib-store.sh
. "$here/lib-store.sh"

plan 106
dir=/dev/shm/502
mkdir -p $dir/full
clean_up()
{
	dmsetup remove --retry thin
	dmsetup remove --retry pool
	dmsetup remove --retry meta
	dmsetup remove --retry data
	umount $dir/full
	rm -rf $dir
} 2>/dev/null
on_exit clean_up
ok "a store" store_up
on_exit unload_modules

SIZE_CHANGED=6/2a/09
RANGE=5/21/00
NO_SPACE=7/27/07

# check STATUS NAME CDB...
check()
{
	local wanted=$1 name=$2
	shift 2

	# shellcheck disable=SC2068 # words are wanted
	expect "$wanted" "$what: $name" $@
}

rw10() { printf '%s00%08x00%04x00' "$1" "$2" "$3"; }
# read_at, write_at BLOCK COUNT
read_at() { echo "$(rw10 28 "$1" "$2") in $(($2 * 512))"; }
write_at() { echo "$(rw10 2a "$1" "$2") out 5a*$(($2 * 512))"; }
blocks() { printf 'GOOD %08x00000200' $(($1 - 1)); }
sync_cache=35000000000000000000
test_unit_ready=000000000000

# Unit attentions are to be seen, and no host that reads the capacity by itself.
aen_disabled()
{
	for t in "$LOCAL_TARGET" other; do
		echo "$1" >"$SCST/targets/scst_local/$t/aen_disabled"
	done
}

add()
{
	aen_disabled 0
	scst_write "handlers/vdisk_$handler/mgmt" "add_device d filename=$1;${2:-}" || return 1
	add_lun "scst_local/$LOCAL_TARGET" d 0 && add_lun scst_local/other d 0 || return 1
	a=$(local_sg 0) && b=$(scsi_sg "$(local_host other second)" 0) && settle "$a" "$b" || return 1
	aen_disabled 1
	dev=$a
}

del()
{
	aen_disabled 0
	scst_write "handlers/vdisk_$handler/mgmt" "del_device d"
}

# resized BLOCKS: what everyone sees after resync_size
resized()
{
	is "$(scst_try devices/d/resync_size 1)" OK "$what: resync_size"
	for dev in "$a" "$b"; do
		check $SIZE_CHANGED "told that the capacity changed" $test_unit_ready
		check GOOD "once" $test_unit_ready
		cmd 25000000000000000000 in 8
		is "$status $data" "$(blocks "$1")" "$what: READ CAPACITY"
	done
	dev=$a
}

# The store had 65536 blocks and has 49152.
smaller()
{
	check "3/11/00 info=49152" "READ across the new end" "$(read_at 49144 16)"
	check "3/11/00 info=60000" "READ behind it" "$(read_at 60000 8)"
	check "3/03/00 info=49152" "WRITE across it" "$(write_at 49144 16)"
	check "3/03/00 info=60000" "WRITE behind it" "$(write_at 60000 8)"
	check "3/11/00 info=60000" "which has not made zeroes of what was lost" "$(read_at 60000 8)"
	check GOOD "before it all is well" "$(write_at 49144 8)"
	resized 49152
	check $RANGE "READ behind the end" "$(read_at 49152 8)"
	check $RANGE "WRITE" "$(write_at 49152 8)"
}

larger()
{
	check $RANGE "a store that grew changes nothing by itself" "$(read_at 49152 8)"
	resized 65536
	check GOOD "WRITE at the new end" "$(write_at 65528 8)"
	check GOOD "READ" "$(read_at 65528 8)"
}

load_modules scst_vdisk scst_local
scst_write targets/scst_local/mgmt "add_target other session_name=second"

for handler in blockio fileio; do
	what="$handler on a block device"
	sectors=65536
	store_is good
	ok "$what: created" add $store
	sectors=49152
	store_is good
	smaller
	sectors=65536
	store_is good
	larger
	del
done

what="fileio on a file"
make_file $dir/file 32
ok "$what: created" add $dir/file
truncate -s $((49152 * 512)) $dir/file
smaller
is "$(stat -c %s $dir/file)" $((49152 * 512)) "$what: it was not made longer"
del
rm $dir/file

# ---- B65: a store that is no multiple of the block size
for handler in blockio fileio; do
	what="B65: $handler, 1001 sectors and blocks of 4096"
	sectors=1001
	store_is good
	ok "$what: created" add $store blocksize=4096
	cmd 25000000000000000000 in 8
	is "$status $data" "GOOD 0000007c00001000" "$what: what is left over is not there"
	check GOOD "READ of the last block" 28000000007c00000100 in 4096
	check $RANGE "READ behind it" 28000000007d00000100 in 4096
	check $RANGE "WRITE behind it" 2a000000007d00000100 out 00*4096
	del
done
sectors=65536
store_is good

# ---- full
modprobe ext4
truncate -s 20M $dir/img
mkfs.ext4 -q -O ^has_journal $dir/img
mount -o loop $dir/img $dir/full
handler=fileio
for mode in "" nv_cache=1 write_through=1; do
	what="full ext4 ${mode:-default}"
	truncate -s 32M $dir/full/file
	add $dir/full/file "thin_provisioned=1;$mode"
	check GOOD "WRITE while there is space" "$(write_at 0 2048)"
	dd if=/dev/zero of=$dir/full/other bs=64k 2>/dev/null
	check $NO_SPACE "WRITE" "$(write_at 32768 2048)"
	check GOOD "WRITE where there is space" "$(write_at 0 2048)"
	check GOOD "SYNCHRONIZE CACHE" $sync_cache
	check GOOD "UNMAP" "42000000000000001800 out 0016001000000000,0000000000000000,0000080000000000"
	check GOOD "gives space for other blocks" "$(write_at 32768 1024)"
	del
	rm -r $dir/full/*
done

what="full thin pool"
# shellcheck disable=SC2317 # called by ok
thin_pool()
{
	modprobe dm-thin-pool &&
	dmsetup create meta --table "0 8192 linear $below 0" &&
	dmsetup create data --table "0 16384 linear $below 8192" && dmsetup mknodes &&
	dd if=/dev/zero of=/dev/mapper/meta bs=4k count=1 status=none &&
	dmsetup create pool --table \
		"0 16384 thin-pool /dev/mapper/meta /dev/mapper/data 128 0 1 error_if_no_space" &&
	dmsetup mknodes && dmsetup message pool 0 "create_thin 0" &&
	dmsetup create thin --table "0 65536 thin /dev/mapper/pool 0" && dmsetup mknodes
}
ok "$what: made" thin_pool
handler=blockio
add /dev/mapper/thin
for ((i = 0; i < 16384; i += 2048)); do
	cmd "$(rw10 2a $i 2048)" out 5a*$((2048 * 512))
done
is "$status" GOOD "$what: filling it"
check $NO_SPACE "WRITE" "$(write_at 32768 128)"
check $NO_SPACE "WRITE once more" "$(write_at 32768 128)"
check GOOD "WRITE where there is space" "$(write_at 0 128)"
check GOOD "SYNCHRONIZE CACHE" $sync_cache
check GOOD "UNMAP" "42000000000000001800 out 0016001000000000,0000000000000000,0000080000000000"
del
clean_up
store_down
assert_clean "all gone, kernel log clean"
