# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# For tests with an initiator that sends what it wants (tests/hostile) to ib_srpt.
#
#	hostile_build		build it below $hostile, where the test may put more files
#	hostile_needed		the same, or skip the test
#	attack CASE [COUNT]	run a case; its answer is on standard output
#	attack_held CASE COUNT	the same for one that, once it has answered, stays as it
#				is until ...
#	attack_over		... this; prints the answer

hostile=/dev/shm/hostile

hostile_fails="srp-hostile does not build (librdmacm-dev, libibverbs-dev)"

hostile_build()
{
	on_exit rm -rf $hostile
	make -s -C "$SCST_PROJECT/tests/hostile" OUT=$hostile >/dev/null 2>&1
}

hostile_needed() { hostile_build || skip_all "$hostile_fails"; }

attack()
{
	timeout 600 $hostile/srp-hostile "$RXE_ADDR" "$SRP_PORT" \
		"$(</sys/module/ib_srpt/parameters/srpt_service_guid)" "$@"
}

attack_held()
{
	mkfifo $hostile/pipe
	# Not the last one's, until this one gets around to opening it.
	: >$hostile/answer
	attack "$@" <$hostile/pipe >$hostile/answer &
	attacker=$!
	exec 3>$hostile/pipe
	wait_for 600 eval "[ -s $hostile/answer ] || ! kill -0 $attacker"
}

attack_over()
{
	echo >&3
	exec 3>&-
	rm $hostile/pipe
	cat $hostile/answer
	wait "$attacker"
}
