#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# vm: -m 2G -t 500
#
# Configuration while there is no memory: each allocation of each operation fails
# once, then many at random, those of work queues among them. An operation says
# ENOMEM and has changed nothing, or it is done; and when memory is back all works.
#
#	fileio, nullio, blockio, vcdrom --- LUNs, groups --- scst_local --- sd

# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/vm/lib-inject.sh
. "$(dirname "$0")/lib-inject.sh"

inject_needed
nth_start
rounds=${FAILSLAB_ROUNDS:-1}
limit=${FAILSLAB_NTH:-1500}
dir=/dev/shm/600
mkdir -p $dir
tgt=targets/scst_local/$LOCAL_TARGET
groups=$tgt/ini_groups

# Operations, each with the one that takes it back: PATH TEXT PATH TEXT
operations=(
	"handlers/vdisk_nullio/mgmt|add_device null size_mb=16|handlers/vdisk_nullio/mgmt|del_device null"
	"handlers/vdisk_fileio/mgmt|add_device file filename=$dir/file|handlers/vdisk_fileio/mgmt|del_device file"
	"handlers/vdisk_blockio/mgmt|add_device block filename=/dev/ram0|handlers/vdisk_blockio/mgmt|del_device block"
	"handlers/vcdrom/mgmt|add_device cd|handlers/vcdrom/mgmt|del_device cd"
	"devices/cd/filename|$dir/file|devices/cd/filename| "
	"devices/null/t10_dev_id|something|devices/null/t10_dev_id|null"
	"devices/file/threads_num|3|devices/file/threads_num|1"
	"devices/file/threads_pool_type|shared|devices/file/threads_pool_type|per_initiator"
	"devices/file/active|0|devices/file/active|1"
	"devices/null/size_mb|32|devices/null/size_mb|16"
	"$tgt/comment|no comment|$tgt/comment| "
	"$tgt/luns/mgmt|add file 0|$tgt/luns/mgmt|del 0"
	"$tgt/luns/mgmt|add null 1|$tgt/luns/mgmt|del 1"
	"$tgt/luns/mgmt|add block 2|$tgt/luns/mgmt|del 2"
	"$tgt/luns/mgmt|replace null 0|$tgt/luns/mgmt|replace file 0"
	"devices/file/threads_pool_type|shared|devices/file/threads_pool_type|per_initiator"
	"$groups/mgmt|create one|$groups/mgmt|del one"
	"$groups/mgmt|create two|$groups/mgmt|del two"
	"$groups/one/luns/mgmt|add null 0|$groups/one/luns/mgmt|del 0"
	"$groups/one/luns/mgmt|add block 7|$groups/one/luns/mgmt|del 7"
	"$groups/two/luns/mgmt|add file 0|$groups/two/luns/mgmt|del 0"
	"$groups/one/initiators/mgmt|add scst_local*|$groups/one/initiators/mgmt|del scst_local*"
	"$groups/one/initiators/mgmt|move scst_local* two|$groups/two/initiators/mgmt|move scst_local* one"
	"$groups/one/cpu_mask|1|$groups/one/cpu_mask|1"
	"targets/scst_local/mgmt|add_target other|targets/scst_local/mgmt|del_target other"
	"targets/scst_local/other/rel_tgt_id|77|targets/scst_local/other/rel_tgt_id|78"
	"targets/scst_local/other/luns/mgmt|add null 0|targets/scst_local/other/luns/mgmt|del 0"
	"targets/scst_local/mgmt|add_session other host|targets/scst_local/mgmt|del_session other host"
)

plain() { write_nth 0 "$1" "$2"; }

must()
{
	plain "$1" "$2"
	[ "$answer" = OK ] || { echo "without faults: '$2' to $1: $answer"; return 1; }
}

# What a write may end with: EFAULT is from copying the text.
tolerable() { [[ $answer == OK || $answer == ENOMEM || $answer == EFAULT ]]; }

# The attribute's value; a mgmt file has none.
value_of()
{
	value=''
	[[ $1 == */mgmt ]] || { read -r value <"$SCST/$1"; } 2>/dev/null
}

# nth_faults PATH TEXT UNDO-PATH UNDO-TEXT: until one gets through with none left to fail
nth_faults()
{
	local n before value

	value_of "$1"
	before=$value
	for ((n = 1; n < limit; n += n < 300 ? 1 : 7)); do
		write_nth $n "$1" "$2"
		tolerable || { echo "fault $n: '$2' to $1: $answer"; return 1; }
		if [ "$reached" = 0 ]; then
			echo "$((n - 1)) allocations"
			[ "$answer" = OK ]
			return
		fi
		value_of "$1"
		if [ "$answer" = OK ]; then
			must "$3" "$4" || return 1
			value_of "$1"
			before=$value
		elif [ "$value" != "$before" ]; then
			echo "fault $n: '$2' to $1: $answer, but '$before' became '$value'"
			return 1
		fi
	done
	must "$1" "$2"
}

each_operation()
{
	local o path text undo_path undo_text

	for o in "${operations[@]}"; do
		IFS='|' read -r path text undo_path undo_text <<<"$o"
		"$@" "$path" "$text" "$undo_path" "$undo_text" || { echo "$o"; return 1; }
	done
}

undo_last_first()
{
	local i path text

	for ((i = ${#operations[@]} - 1; i >= 0; i--)); do
		IFS='|' read -r _ _ path text <<<"${operations[i]}"
		"$@" "$path" "$text" || return 1
	done
}

# With faults at random; after a few times the memory is back.
insist()
{
	local path=$1 text=$2 i

	for i in 1 2 3 4 5; do
		inject_resume "$percent"
		plain "$path" "$text"
		inject_pause
		[ "$answer" != OK ] || return 0
		tolerable || { echo "$percent %: '$text' to $path: $answer"; return 1; }
	done
	must "$path" "$text"
}

storm()
{
	local i rc=0

	percent=$1
	inject 0
	for ((i = 0; i < rounds && !rc; i++)); do
		each_operation insist && undo_last_first insist
		rc=$?
	done
	inject_off
	return $rc
}

reads() { dd if="$1" of=/dev/null bs=64k count=16 iflag=direct; }

all_works()
{
	local host

	each_operation must || return 1
	host=$(local_host other host)
	reads "$(scsi_disk "$host" 0)" || return 1
	undo_last_first must
}

plan 12
modprobe -a sd_mod sg brd
make_file $dir/file 4
on_exit rm -rf $dir
on_exit modprobe -r brd
on_exit unload_modules
for percent in 2 10 30; do
	ok "modules come or not, $percent % of their allocations fail" \
		load_faults $percent scst scst_vdisk scst_nullio scst_local
	[ $percent = 30 ] || unload_modules
done
for percent in 1 5 20 50; do
	ok "$percent % of all allocations fail" storm $percent
done
ok "each allocation of each operation fails once" each_operation nth_faults
ok "all of it goes" undo_last_first must
ok "everything works again" all_works
inject_tally
ok "nothing is configured" nothing_configured
assert_clean "unload"
