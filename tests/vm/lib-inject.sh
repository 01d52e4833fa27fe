# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# For tests in which memory allocations fail. Only the debug kernel can do that
# (doc/debug-kernel.md); elsewhere they are skipped.
#
#	inject_needed			skip the test where the kernel has no failslab
#	inject PERCENT [MODULE]...	this share of allocations with one of the modules on the
#					stack fails from now on; default: all of ours.
#					PERCENT/N: of every Nth allocation only
#	inject_pause			nothing fails for a while; quick, like
#	inject_resume PERCENT		... this
#	inject_init PERCENT		the same for what module_init functions do
#	load_faults PERCENT MODULE...	each comes and goes a few times so, or insmod says ENOMEM;
#					then all of them are loaded
#	inject_off			no more of them; what failed is added to $injected
#	inject_tally			print the count
#	nth_start			begin with this:
#	write_nth N PATH TEXT		write while the Nth allocation of the writer fails, from
#					whatever code; sets $answer (OK, ENOMEM, ...) and
#					$reached: was there an Nth?

fault_attrs=(/sys/kernel/debug/failslab /sys/kernel/debug/fail_page_alloc)
fault_budget=100000000
injected=0

inject_needed()
{
	[[ -e ${fault_attrs[0]}/require-start && -e ${fault_attrs[1]} ]] ||
		skip_all "this kernel cannot make allocations fail"
	fault_setup
}

fault_set()
{
	local attr

	for attr in "${fault_attrs[@]}"; do
		echo "$2" >"$attr/$1"
	done
}

# What holds for both ways of injecting.
fault_setup()
{
	fault_set verbose 0
	fault_set ignore-gfp-wait N
	echo 0 >"${fault_attrs[1]}/min-order"
	echo N >"${fault_attrs[1]}/ignore-gfp-highmem"
}

# module_range MODULE...: set $start and $end to those of what all of them lie in, or to
# nothing. One after the other they are loaded side by side, if what they need was
# loaded before.
module_range()
{
	local m first last

	start='' end=''
	for m; do
		[ -e "/sys/module/$m/sections/.text" ] || continue
		first=$(<"/sys/module/$m/sections/.text")
		last=$(awk -v m="$m" '$1 == m { print $2 }' /proc/modules)
		last=$(printf '%#x' $((first + last)))
		[[ -n $start && ! $first < $start ]] || start=$first
		[[ -n $end && ! $last > $end ]] || end=$last
	done
}

fault_range()
{
	local start end

	# Without memory for a packet soft-RoCE puts the queue pair into error state: that
	# of connection management for good. Without memory for a queue pair it stops
	# timers that it has not set up.
	module_range rdma_rxe
	fault_set reject-start "${start:-0}"
	fault_set reject-end "${end:-0}"
	module_range "$@"
	[ -n "$start" ] || bail "no module to inject faults into"
	fault_set require-start "$start"
	fault_set require-end "$end"
}

fault_start()
{
	local interval=${1#*/}

	[[ $1 = */* ]] || interval=1
	fault_set interval "$interval"
	fault_set times $fault_budget
	fault_set probability "${1%/*}"
}

inject()
{
	local percent=$1
	shift

	[ $# -gt 0 ] || set -- scst scst_vdisk scst_nullio scst_local ib_srpt
	fault_range "$@"
	fault_start "$percent"
}

inject_pause() { fault_set probability 0; }
inject_resume() { fault_set probability "$1"; }

inject_init()
{
	local range

	range=$(awk '$3 == "do_one_initcall" { start = $1; next }
		start && $1 != start { print start, $1; exit }' /proc/kallsyms)
	fault_set require-start "0x${range% *}"
	fault_set require-end "0x${range#* }"
	fault_start "$1"
}

load_faults()
{
	local percent=$1 m i out
	shift

	for m; do
		for ((i = 0; i < 6; i++)); do
			inject_init "$percent"
			out=$(insmod "$SCST_MODULES/$m.ko" 2>&1)
			inject_off
			if [ -z "$out" ]; then
				rmmod "$m" || return 1
			elif [[ $out != *"Cannot allocate memory"* ]]; then
				echo "$m at $percent %: $out"
				return 1
			fi
		done
		insmod "$SCST_MODULES/$m.ko" || return 1
	done
}

inject_off()
{
	local attr left

	fault_set probability 0
	for attr in "${fault_attrs[@]}"; do
		left=$(<"$attr/times")
		[ "$left" -le 1 ] || injected=$((injected + fault_budget - left))
		echo 1 >"$attr/times"
	done
}

inject_tally() { tally $injected "faults injected"; }

# Nothing of the perl process may fail but the write itself, so everything else
# is ready before; the rest of the count is what was not reached.
nth_server()
{
	perl -e '
		use Errno;
		$| = 1;
		my $root = shift;
		my %names = map { (eval "Errno::$_()") => $_ } grep { !/^(EWOULD|EDEADLOCK)/ }
			@Errno::EXPORT_OK;
		sysopen(my $nth, "/proc/self/fail-nth", 2) or die "fail-nth: $!";
		while (<STDIN>) {
			chomp;
			my ($n, $path, $text) = split /\t/, $_, 3;
			my ($f, $left) = (undef, "");
			if (!sysopen($f, "$root/$path", 1)) {
				print(($names{$! + 0} || $! + 0), " 0\n");
				next;
			}
			sysseek $nth, 0, 0;
			syswrite $nth, $n;
			my $ok = defined syswrite($f, $text);
			my $errno = $! + 0;
			sysseek $nth, 0, 0;
			# Copying the answer to us counts as well, so it may be the one to fail.
			my $got = sysread $nth, $left, 16;
			sysseek $nth, 0, 0;
			syswrite($nth, "0") or syswrite($nth, "0");
			my $reached = defined $got && $left == 0 ? 1 : 0;
			print(($ok ? "OK" : $names{$errno} || $errno), " $reached\n");
		}' "$SCST"
}

# The fault filters do not apply, but the settings of fault_setup do.
nth_start() { coproc NTH { nth_server; }; }

# shellcheck disable=SC2034 # for the caller
write_nth()
{
	printf '%s\t%s\t%s\n' "$@" >&"${NTH[1]}"
	read -r answer reached <&"${NTH[0]}"
	[ "$reached" = 0 ] || injected=$((injected + 1))
}
