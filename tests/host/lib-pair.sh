# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Two test machines with a network between them, driven from here. Source
# tests/vm/lib.sh first. VM_KERNEL and VM_MODULES choose another kernel, as
# options -k and -M of tests/vm/run do, and VM_FACTOR multiplies time limits.
#
#	pair_boot VM...		boot "target" or "initiator"; both are then up
#	pair_kill VM		as if the power went
#	on VM COMMANDS		run them in the machine's one shell; their output and status
#	teach VM FUNCTION...	define functions of ours there
#	pair_off VM		end the shell, power off; the kernel log was clean all the time

pair_dir=$(mktemp -d)
declare -A pair_pid

pair_clean_up()
{
	local vm

	for vm in "${!pair_pid[@]}"; do
		kill -KILL "${pair_pid[$vm]}" 2>/dev/null
	done
	wait
	rm -rf "$pair_dir"
}
on_exit pair_clean_up

pair_alive() { kill -0 "${pair_pid[$1]}" 2>/dev/null; }

# A frame is a datagram; whoever is not there does not get it.
pair_start()
{
	local vm=$1 other=initiator mac=52:54:00:00:00:01 dir=$pair_dir/$1

	[ "$vm" != initiator ] || other=target mac=52:54:00:00:00:02
	rm -rf "$dir"
	mkdir -p "$dir/modules"
	[ -n "${VM_MODULES:-}" ] ||
		find "$SCST_PROJECT" -maxdepth 2 -name '*.ko' -exec cp -t "$dir/modules" {} +
	echo "pair $((3600 * ${VM_FACTOR:-1})) $(realpath "$SCST_PROJECT/tests/host/pair-shell")" \
		>"$dir/queue"
	VM_CPUS=1 VM_MEM=1G VM_QEMU="-netdev dgram,id=net,local.type=unix,local.path=$dir.sock,\
remote.type=unix,remote.path=$pair_dir/$other.sock -device virtio-net-pci,netdev=net,mac=$mac" \
		"$SCST_PROJECT/tests/vm/boot" "$dir" >"$dir/qemu.log" 2>&1 </dev/null &
	pair_pid[$vm]=$!
}

pair_boot()
{
	local vm

	for vm; do
		pair_start "$vm"
	done
	for vm; do
		wait_for $((120 * ${VM_FACTOR:-1})) \
			eval "[ -e '$pair_dir/$vm/booted' ] || ! pair_alive $vm"
		[ -e "$pair_dir/$vm/booted" ] || { cat "$pair_dir/$vm/qemu.log"; return 1; }
	done
}

pair_kill()
{
	kill -KILL "${pair_pid[$1]}"
	wait "${pair_pid[$1]}" 2>/dev/null
	pair_log_clean "$1"
}

on()
{
	local dir=$pair_dir/$1 n
	shift

	n=$(find "$dir" -name 'rc.*' | wc -l)
	printf '%s\n' "$*" >"$dir/cmd"
	mv "$dir/cmd" "$dir/cmd.$n"
	wait_for $((240 * ${VM_FACTOR:-1})) eval "[ -e '$dir/rc.$n' ] || ! pair_alive ${dir##*/}"
	cat "$dir/out.$n"
	[ -e "$dir/rc.$n" ] || { echo "no answer of ${dir##*/}"; return 1; }
	return "$(cat "$dir/rc.$n")"
}

teach()
{
	local vm=$1
	shift

	on "$vm" "$(declare -f "$@")"
}

pair_log_clean() { tr -d '\r' <"$pair_dir/$1/console" | kmsg_check; }

pair_off()
{
	local dir=$pair_dir/$1

	: >"$dir/cmd.end"
	wait_for $((120 * ${VM_FACTOR:-1})) eval "! pair_alive $1"
	cat "$dir/pair.err"
	[ "$(cat "$dir/pair.rc")" = 0 ] && pair_log_clean "$1"
}
