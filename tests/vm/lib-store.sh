# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# A backing store that misbehaves on request: a device-mapper device, $store, over
# a loop device in memory, $below (which has a write cache, and so takes flushes).
#
#	store_up [MEGABYTES]	make it; it goes when the test ends
#	store_make		make it again after it was removed
#	store_is good		does what it should
#		 error		fails everything
#		 bad LBA COUNT	fails a range of sectors
#		 no-writes	fails writes and flushes
#		 late-errors MS	fails writes after so many milliseconds
#		 drops		says that it has written, and has not
#		 flaky UP DOWN	fails everything for DOWN of UP + DOWN seconds
#		 slow MS	answers so many milliseconds later
#	store_hangs, store_goes_on	I/O waits in between

# shellcheck disable=SC2034 # for the tests
store=/dev/mapper/store
below=
sectors=

store_down()
{
	# What still waits in a suspended device would keep the rest from ending.
	dmsetup resume store
	dmsetup remove --retry store
	dmsetup remove --retry store-error
	losetup -d "$below"
	rm -f /dev/shm/store
} >/dev/null 2>&1

store_up()
{
	sectors=$((${1:-64} * 2048))
	modprobe -a dm-mod dm-flakey dm-delay loop && truncate -s "${1:-64}M" /dev/shm/store &&
		below=$(losetup -f --show /dev/shm/store) || return 1
	on_exit store_down
	store_table error | dmsetup create store-error && store_make
}

store_make() { store_table good | dmsetup create store && dmsetup mknodes; }

# store_table KIND [ARGUMENT]...
store_table()
{
	local end=$sectors

	case $1 in
	good)		echo "0 $end linear $below 0" ;;
	error)		echo "0 $end error" ;;
	bad)		echo "0 $2 linear $below 0"
			echo "$2 $3 error"
			echo "$(($2 + $3)) $((end - $2 - $3)) linear $below $(($2 + $3))" ;;
	no-writes)	echo "0 $end flakey $below 0 0 86400 1 error_writes" ;;
	late-errors)	echo "0 $end delay $below 0 0 /dev/mapper/store-error 0 $2" ;;
	drops)		echo "0 $end flakey $below 0 0 86400 1 drop_writes" ;;
	flaky)		echo "0 $end flakey $below 0 $2 $3" ;;
	slow)		echo "0 $end delay $below 0 $2" ;;
	esac
}

store_is()
{
	store_table "$@" | dmsetup load store && dmsetup suspend --nolockfs store
	# Whatever happened, it must not stay suspended.
	dmsetup resume store
}

store_hangs() { dmsetup suspend --nolockfs --noflush store; }
store_goes_on() { dmsetup resume store; }
