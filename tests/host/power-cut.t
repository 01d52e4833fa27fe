#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The target loses power while an initiator writes. When it is up again each block
# is there that was acknowledged and flushed, or written with FUA.
#
#	acked --- /dev/sdX --- scst_local --- fileio --- file on ext4 --- virtio disk
#
# The list of what was acknowledged is kept outside of the machine. The machine
# checks what the last one left behind, then writes until it is killed.

set -u
self=$(realpath "$0")
cd "$(dirname "$0")/../.." || exit 1
lines=${POWER_CUT_BLOCKS:-800}

# In the machine. guest CHECK WRITE: each a way of making writes stable, or "none".
guest()
{
	local acked=$1/acked disk rc=0

	# shellcheck source=tests/vm/lib.sh
	. tests/vm/lib.sh
	modprobe -a virtio_blk ext4 && mkdir -p /run/store && mount /dev/vda /run/store || exit 1
	load_modules scst_vdisk scst_local
	add_fileio d /run/store/file && add_lun "scst_local/$LOCAL_TARGET" d 0 || exit 1
	disk=$(local_disk 0)
	[ "$2" = none ] || $acked check "$disk" "/run/vm/$2.log" || rc=1
	[ $rc != 0 ] || [ "$3" = none ] ||
		$acked write "$disk" 4096 600 "$3" "/run/vm/$3.log"
	unload_modules
	umount /run/store
	exit $rc
}
[ $# = 0 ] || guest "$@"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/vm"

echo 1..5
n=0
# check DESCRIPTION COMMAND...
check()
{
	local what=$1
	shift

	n=$((n + 1))
	if "$@" >"$dir/log" 2>&1; then
		echo "ok $n - $what"
	else
		echo "not ok $n - $what"
		sed 's/^/# /' "$dir/log" >&2
	fi
}

make_disk()
{
	make -s -C tests/tools OUT="$dir" "$dir/acked" && truncate -s 128M "$dir/disk" &&
		mkdir "$dir/files" && truncate -s 16M "$dir/files/file" &&
		mkfs.ext4 -q -d "$dir/files" "$dir/disk"
}

# machine CHECK WRITE
machine()
{
	tests/vm/run -o "$dir/vm" -m 1G -t 700 -e "$self $dir $1 $2" -q \
		"-pidfile $dir/pid -drive file=$dir/disk,if=virtio,format=raw"
}

wrote_enough() { [ "$(wc -l <"$dir/vm/$1.log")" -ge "$lines" ]; } 2>/dev/null

# killed CHECK WRITE: the machine writes, and then is no more
killed()
{
	local run end=$((SECONDS + 400))

	rm -f "$dir/pid"
	machine "$1" "$2" &
	run=$!
	until wrote_enough "$2" || ! kill -0 $run || [ $SECONDS -gt $end ]; do
		sleep 0.2
	done
	kill -KILL "$(cat "$dir/pid")"
	wait $run
	wrote_enough "$2"
}

check "a disk with a file system" make_disk
check "the machine is killed while it writes and flushes" killed none sync
check "what was flushed is there; the machine is killed while it writes with FUA" killed sync fua
check "what was written with FUA is there" machine fua none
check "the file system is clean" e2fsck -fn "$dir/disk"
