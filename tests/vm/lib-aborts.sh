# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2154 # set by the tests
#
# Commands that take longer than their initiator waits. For tests with lib-store.sh;
# $disk and $sg are a disk on $store, $what is its name in descriptions.
#
#	count_functions		task management functions that the target has answered,
#				functions_done, functions_rejected: by its tracepoint
#	abort_storm COUNT	I/O under time-outs until so many were done
#	no_write_after_abort	what was aborted does not reach the store any more
#	resets OPTION COUNT	sg_reset under I/O
#	still_works		the disk does, with all that was queued
#	bystander_start DISK, bystander_end	I/O elsewhere, which must not fail

tracing=/sys/kernel/tracing

count_functions()
{
	: >$tracing/trace
	# The event itself goes with the module.
	on_exit eval ": >$tracing/trace"
	echo 1 >$tracing/events/scst/scst_tmf_done/enable
}

functions_done() { grep -c 'scst_tmf_done:' $tracing/trace; }
functions_rejected() { grep -c 'scst_tmf_done:.*result 3' $tracing/trace; }

bystander_start()
{
	fio --name=bystander --filename="$1" --direct=1 --ioengine=libaio --iodepth=4 \
		--rw=randrw --bs=4k --rate_iops=50 --time_based --runtime=3600 \
		--output=/dev/null &
	bystander=$!
	on_exit eval "kill $bystander 2>/dev/null; wait $bystander"
}

# fio ends with an error if there was one, and with 128 + 2 when interrupted.
bystander_end()
{
	local rc

	kill -0 "$bystander" || return 1
	kill -INT "$bystander"
	wait "$bystander"
	rc=$?
	[ $rc = 0 ] || [ $rc = 128 ]
}

set_timeout() { echo "$1" >"/sys/block/${disk##*/}/device/timeout"; }

# Commands time out in the slow half of each round, and are sent again until a fast
# one lets them through; how many of them fail for good does not matter.
abort_storm()
{
	local begin enough fio end=$((SECONDS + 120 + 10 * $1))

	begin=$(functions_done)
	enough=$((begin + $1))
	set_timeout 1
	fio --name=storm --filename="$disk" --direct=1 --ioengine=libaio --iodepth=32 --rw=randwrite \
		--bs=4k --size=16M --offset=32M --time_based --runtime=3600 \
		--continue_on_error=all --output=/dev/null &
	fio=$!
	while [ "$(functions_done)" -lt $enough ] && [ $SECONDS -lt $end ]; do
		store_is slow 1800
		sleep 4
		store_is good
		sleep 1
	done
	ok "$what: $1 aborts" test "$(functions_done)" -ge $enough
	diag "$what: $(($(functions_done) - begin)) aborts"
	set_timeout 30
	kill $fio
	ok "$what: all I/O came to its end" wait_for 60 eval "! kill -0 $fio"
	wait $fio
}

write_block() { sg_raw -t "$1" -s 4096 -i "$2" "$sg" 2a 00 00 00 "$3" 00 00 00 08 00; }

# Sixteen writes time out together. As soon as their aborts are answered other data
# is written in their places, and that is what has to be there in the end.
no_write_after_abort()
{
	local dir=/dev/shm/aborts i n writers=() failed=0 wrong=0

	mkdir -p $dir
	head -c 4096 /dev/zero | tr '\0' A >$dir/aborted
	head -c 4096 /dev/zero | tr '\0' B >$dir/final
	store_is slow 2500
	for i in {16..31}; do
		(
			! write_block 1 $dir/aborted "$(printf %x "$i")" && echo "$i" >>$dir/aborts
			write_block 60 $dir/final "$(printf %x "$i")"
		) >/dev/null 2>&1 &
		writers+=($!)
	done
	for i in "${writers[@]}"; do
		wait "$i" || failed=$((failed + 1))
	done
	n=$(wc -l <$dir/aborts)
	ok "$what: writes were aborted" test "$n" -ge 8
	diag "$what: $n of 16 writes were aborted"
	is $failed 0 "$what: and others done in their place"
	sleep 4
	store_is good
	for i in {16..31}; do
		dd if="$disk" bs=4096 skip=$((i * 32)) count=1 iflag=direct status=none |
			cmp -s - $dir/final || wrong=$((wrong + 1))
	done
	is $wrong 0 "$what: no aborted write came after those that followed it"
	rm -rf $dir
}

resets()
{
	local before i fio rc=0

	before=$(functions_done)
	store_is slow 300
	fio --name=io --filename="$disk" --direct=1 --ioengine=libaio --iodepth=16 --rw=randrw \
		--bs=4k --size=16M --time_based --runtime=3600 --output=/dev/null &
	fio=$!
	for ((i = 0; i < $2; i++)); do
		sleep 0.5
		timeout 60 sg_reset "$1" "$sg" || rc=1
	done
	store_is good
	kill -0 $fio || { echo "I/O failed"; rc=1; }
	kill -INT $fio
	wait $fio
	[ $rc = 0 ] && [ "$(functions_done)" -ge $((before + $2)) ]
}

still_works()
{
	ok "$what: the disk is online" grep -qx running "/sys/block/${disk##*/}/device/state"
	ok "$what: and keeps what is written" fio_verify "$disk" --iodepth=32 --size=4M
}
