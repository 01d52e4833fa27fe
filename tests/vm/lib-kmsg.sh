# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What in the kernel log means that something went wrong. Used on the host for
# the console of a test machine and in the guest for dmesg.

kmsg_bad='\bBUG\b|WARNING:|Oops|general protection fault|Kernel panic|KASAN|KCSAN'
kmsg_bad+='|UBSAN|unable to handle|(possible|circular|recursive) .*(deadlock|dependency|locking)'
kmsg_bad+='|INFO: task .* blocked|blocked for more than|detected stall|self-detected stall'
kmsg_bad+='|soft lockup|hard LOCKUP|suspicious RCU usage|inconsistent lock state'
kmsg_bad+='|bad unlock balance|Objects remaining|Slab corruption|list_(add|del) corruption'
kmsg_bad+='|refcount_t:|ODEBUG|DMA-API|unreferenced object|scheduling while atomic'
kmsg_bad+='|sleeping function called|unregister_netdevice: waiting|Bad page|kernel stack overflow'

# Lines of a stock kernel in an emulator that say nothing about our code.
kmsg_ok='ACPI BUG|ACPI BIOS|firmware bug|Firmware Bug|Speculative|Spectre|MDS CPU bug'
kmsg_ok+='|tsc:.*WARNING|UBSAN: .*(enabled|disabled)|DMA-API: (preallocated|debugging)'
kmsg_ok+='|DMA-API: .*entries|Kernel panic on oops'

# kmsg_check [ALLOW]: print the suspicious lines of stdin, each with what
# follows it; succeed if there are none.
kmsg_check()
{
	local allow=${1:-'^$'} text

	text=$(cat)
	if grep -vE -- "$kmsg_ok|$allow" <<<"$text" | grep -qE -- "$kmsg_bad"; then
		grep -vE -- "$kmsg_ok|$allow" <<<"$text" |
			grep -E -A 25 -- "$kmsg_bad" | head -120
		return 1
	fi
}
