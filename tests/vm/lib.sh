# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What the tests that run in the test machine share. A test begins with
#
#	. "$(dirname "$0")/lib.sh"
#	plan 3
#	load_modules scst_vdisk scst_local
#	on_exit unload_modules
#
# and leaves nothing behind: what on_exit names is run at the end, last first.
#
# TAP		plan ok is isnt like skip skip_all diag bail on_exit tally
# modules	load_module load_modules unload_modules module_loaded
# sysfs		scst_write scst_try scst_read
# objects	add_fileio add_nullio add_lun make_file
# disks		scsi_disk scsi_sg local_host local_disk local_sg rescan_host
# RDMA, SRP	rxe_up rxe_down srp_start srp_enable srp_login srp_logout
#		srp_sessions srp_sessions_are
# checks	wait_for fio_verify kernel_log_clean assert_clean

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/vm/lib-kmsg.sh
. "$here/lib-kmsg.sh"
# Known in the test machine; named here for scripts that are run elsewhere.
SCST_MODULES=${SCST_MODULES:-$here/../..}
SCST_PROJECT=${SCST_PROJECT:-$here/../..}

SCST=/sys/kernel/scst_tgt
LOCAL_TARGET=scst_local_tgt
LOCAL_SESSION=scst_local_host
RXE_ADDR=192.0.2.1
SRP_PORT=5555

# ---- TAP ----------------------------------------------------------------

tap_count=0
tap_failed=0
tap_cleanup=()
tap_output=$(mktemp)

plan() { echo "1..$1"; }
diag() { printf '# %s\n' "$@" >&2; }
# tally NUMBER WHAT: added up over all tests by "make soak", "make check-debug"
tally() { echo "# tally: $1 $2"; }
bail() { echo "Bail out! $*"; exit 1; }

# result STATUS DESCRIPTION
result()
{
	tap_count=$((tap_count + 1))
	if [ "$1" = 0 ]; then
		echo "ok $tap_count - $2"
	else
		echo "not ok $tap_count - $2"
		tap_failed=$((tap_failed + 1))
		return 1
	fi
}

# ok DESCRIPTION COMMAND...: the command succeeds
ok()
{
	local what=$1 rc
	shift

	# Not in a subshell: the command may set variables.
	"$@" >"$tap_output" 2>&1
	rc=$?
	result $rc "$what" || {
		diag "failed ($rc): $*"
		tail -n 40 "$tap_output" | sed 's/^/# /' >&2
		return 1
	}
}

# nok DESCRIPTION COMMAND...: the command fails
nok()
{
	local what=$1
	shift

	if "$@" >"$tap_output" 2>&1; then
		result 1 "$what"
		diag "succeeded: $*"
		tail -n 40 "$tap_output" | sed 's/^/# /' >&2
		return 1
	fi
	result 0 "$what"
}

# is GOT WANTED DESCRIPTION
is()
{
	[ "$1" = "$2" ]
	result $? "$3" || { diag "got:    '$1'" "wanted: '$2'"; return 1; }
}

isnt()
{
	[ "$1" != "$2" ]
	result $? "$3" || { diag "got '$1' where anything else was wanted"; return 1; }
}

# like GOT REGEX DESCRIPTION
like()
{
	[[ $1 =~ $2 ]]
	result $? "$3" || { diag "got:    '$1'" "wanted: /$2/"; return 1; }
}

# skip COUNT REASON
skip()
{
	local i

	for ((i = 0; i < $1; i++)); do
		tap_count=$((tap_count + 1))
		echo "ok $tap_count # SKIP $2"
	done
}

skip_all() { echo "1..0 # SKIP $*"; exit 0; }

# on_exit COMMAND...: run when the test ends, however it ends
on_exit() { tap_cleanup=("$(printf '%q ' "$@")" "${tap_cleanup[@]}"); }

run_cleanup()
{
	local rc=$? c

	for c in "${tap_cleanup[@]}"; do
		eval "$c"
	done
	rm -f "$tap_output"
	[ $tap_failed = 0 ] || rc=1
	exit $rc
}
trap run_cleanup EXIT
trap 'exit 1' INT TERM

# wait_for SECONDS COMMAND...: until the command succeeds
wait_for()
{
	local end=$((SECONDS + $1))
	shift

	until "$@" >/dev/null 2>&1; do
		[ $SECONDS -lt $end ] || return 1
		sleep 0.1
	done
}

# ---- modules ------------------------------------------------------------

module_loaded() { [ -e "/sys/module/$1/refcnt" ]; }

# load_module NAME [PARAMETER=VALUE]...: one of ours, and before it what it needs
load_module()
{
	local name=$1 ko=$SCST_MODULES/$1.ko dep
	shift

	module_loaded "$name" && return 0
	[ -e "$ko" ] || { echo "$ko was not built" >&2; return 1; }
	for dep in $(modinfo -F depends "$ko" | tr , ' '); do
		if [ -e "$SCST_MODULES/$dep.ko" ]; then
			load_module "$dep" || return 1
		else
			modprobe "$dep" || return 1
		fi
	done
	insmod "$ko" "$@"
}

# load_modules NAME...: without parameters
load_modules()
{
	local m

	for m; do
		load_module "$m" || bail "cannot load $m"
	done
}

# unload_modules: all of ours, users first
unload_modules()
{
	local m rc=0

	for m in scst_local ib_srpt scst_vdisk scst_nullio scst; do
		! module_loaded $m || rmmod $m || rc=1
	done
	return $rc
}

# ---- sysfs --------------------------------------------------------------

errno_names=(
	[1]=EPERM [2]=ENOENT [5]=EIO [7]=E2BIG [11]=EAGAIN [12]=ENOMEM [13]=EACCES
	[14]=EFAULT [16]=EBUSY [17]=EEXIST [19]=ENODEV [22]=EINVAL [28]=ENOSPC
	[34]=ERANGE [57]=EBADSLT [124]=EMEDIUMTYPE
)

# scst_try PATH TEXT: write, and print OK or the name of the error. EAGAIN only
# means that the work goes on, its result is in last_sysfs_mgmt_res.
scst_try()
{
	local errno

	errno=$(perl -e '
		my $f;
		sysopen($f, $ARGV[0], 1) && defined(syswrite($f, "$ARGV[1]\n"))
			or do { print $!+0; exit };
		print 0' "$SCST/$1" "$2")
	if [ "$errno" = 11 ]; then
		errno=$(scst_last_result)
	fi
	if [ "$errno" = 0 ]; then
		echo OK
	else
		echo "${errno_names[$errno]:-errno $errno}"
	fi
}

scst_last_result()
{
	local res i

	for ((i = 0; i < 300; i++)); do
		if res=$(cat $SCST/last_sysfs_mgmt_res 2>/dev/null); then
			echo "${res#-}"
			return
		fi
		sleep 1
	done
	echo 110
}

# scst_write PATH TEXT: write; explain a failure
scst_write()
{
	local res

	res=$(scst_try "$1" "$2")
	[ "$res" = OK ] && return 0
	echo "writing '$2' to $1: $res" >&2
	return 1
}

# scst_read PATH: the value, without the [key] mark
scst_read() { head -n 1 "$SCST/$1"; }

# ---- objects ------------------------------------------------------------

# make_file PATH MEGABYTES: without holes
make_file() { dd if=/dev/zero of="$1" bs=1M count="$2" status=none; }

# add_fileio NAME FILE [PARAMETER=VALUE;...]
add_fileio() { scst_write handlers/vdisk_fileio/mgmt "add_device $1 filename=$2;${3:-}"; }

# add_nullio NAME [PARAMETER=VALUE;...]
add_nullio() { scst_write handlers/vdisk_nullio/mgmt "add_device $1 ${2:-}"; }

# add_lun TARGET DEVICE LUN: TARGET is driver/name
add_lun() { scst_write "targets/$1/luns/mgmt" "add $2 $3"; }

# ---- disks --------------------------------------------------------------

# scsi_node HOST LUN KIND: name of the block or scsi_generic device
scsi_node()
{
	local d

	for d in /sys/bus/scsi/devices/"$1":*:*:"$2"/"$3"/*; do
		[ -e "/dev/${d##*/}" ] && echo "/dev/${d##*/}" && return 0
	done
	return 1
}

# scsi_disk HOST LUN: /dev/sdX, as soon as it is there
scsi_disk()
{
	modprobe sd_mod
	wait_for 30 scsi_node "$1" "$2" block
	scsi_node "$1" "$2" block || { echo "host $1 has no disk at LUN $2" >&2; return 1; }
}

# scsi_sg HOST LUN: /dev/sgN, as soon as it is there
scsi_sg()
{
	modprobe sg
	wait_for 30 scsi_node "$1" "$2" scsi_generic
	scsi_node "$1" "$2" scsi_generic ||
		{ echo "host $1 has no sg node at LUN $2" >&2; return 1; }
}

rescan_host() { echo '- - -' >"/sys/class/scsi_host/host$1/scan"; }

# local_host [TARGET [SESSION]]: number of the SCSI host of a scst_local session
# shellcheck disable=SC2120 # both have defaults
local_host()
{
	cat "$SCST/targets/scst_local/${1:-$LOCAL_TARGET}/sessions/${2:-$LOCAL_SESSION}/host_no"
}

# local_disk LUN, local_sg LUN: of the default target's session
# shellcheck disable=SC2119
local_disk() { scsi_disk "$(local_host)" "$1"; }
# shellcheck disable=SC2119
local_sg() { scsi_sg "$(local_host)" "$1"; }

# ---- RDMA and SRP ----------------------------------------------------------

# rxe_up: an RDMA device that talks to itself
#
#	dummy0 192.0.2.1 mtu 4200 --- rxe0 (path mtu 4096)
rxe_up()
{
	modprobe rdma_rxe && modprobe dummy || return 1
	ip link show dummy0 >/dev/null 2>&1 || ip link add dummy0 type dummy
	ip link set dummy0 mtu 4200 up &&
	ip addr add $RXE_ADDR/24 dev dummy0 &&
	rdma link add rxe0 type rxe netdev dummy0
}

rxe_down()
{
	rdma link delete rxe0 2>/dev/null
	ip link delete dummy0 2>/dev/null
	modprobe -rq rdma_rxe dummy
}

# srp_target: the name of our first SRP target
srp_target()
{
	local t

	for t in "$SCST"/targets/ib_srpt/*/login_info; do
		[ -e "$t" ] && t=${t%/login_info} && echo "${t##*/}" && return 0
	done
	return 1
}

srp_enable() { scst_write "targets/ib_srpt/$(srp_target)/enabled" "${1:-1}"; }

# srp_start DEVICE [PARAMETER=VALUE]...: our module, with DEVICE as LUN 0 of its target
srp_start()
{
	local device=$1
	shift

	load_module ib_srpt rdma_cm_port="$SRP_PORT" "$@" &&
		add_lun "ib_srpt/$(srp_target)" "$device" 0 && srp_enable 1
}

# Names of the sessions at our SRP targets, if there are any: one a line, in order.
srp_sessions()
{
	find "$SCST"/targets/ib_srpt/*/sessions -mindepth 1 -maxdepth 1 -type d \
		-printf '%f\n' 2>/dev/null | sort
}

srp_sessions_are() { [ "$(srp_sessions | wc -l)" = "$1" ]; }

scsi_hosts() { find /sys/class/scsi_host -name 'host*' -printf '%f\n' | sort; }

# srp_login [KEY=VALUE,...]: through RDMA/CM, from and to this machine unless SRP_SRC
# and SRP_GUID say that the target is another; SRP_HOST becomes the number of the
# initiator's SCSI host
srp_login()
{
	local guid src before host

	modprobe ib_srp || return 1
	guid=${SRP_GUID:-$(cat /sys/module/ib_srpt/parameters/srpt_service_guid)}
	guid=${guid#0x}
	src=${SRP_SRC:-$RXE_ADDR}
	wait_for 10 test -e /sys/class/infiniband_srp/srp-rxe0-1/add_target
	before=$(scsi_hosts)
	echo "id_ext=$guid,ioc_guid=$guid,dest=$RXE_ADDR:$SRP_PORT,src=$src${1:+,$1}" \
		>/sys/class/infiniband_srp/srp-rxe0-1/add_target || return 1
	host=$(comm -13 <(echo "$before") <(scsi_hosts) | tail -n 1)
	SRP_HOST=${host#host}
	[ -n "$SRP_HOST" ]
}

no_srp_ports() { [ -z "$(ls /sys/class/srp_remote_ports 2>/dev/null)" ]; }

# srp_logout: every session of the initiator
srp_logout()
{
	local p

	for p in /sys/class/srp_remote_ports/*/delete; do
		[ ! -e "$p" ] || echo 1 >"$p"
	done
	wait_for 60 no_srp_ports && modprobe -rq ib_srp
}

# ---- checks -------------------------------------------------------------

# fio_verify DEVICE [FIO OPTION]...: write a region and read it back
fio_verify()
{
	local dev=$1
	shift

	fio --name=verify --filename="$dev" --direct=1 --ioengine=libaio --iodepth=8 \
		--rw=randwrite --bs=4k --size=16M --verify=crc32c --verify_fatal=1 \
		--do_verify=1 --randrepeat=1 --output-format=terse "$@"
}

# kernel_log_clean [ALLOW]: nothing in dmesg since the test began
kernel_log_clean()
{
	dmesg | tac | sed '/vm: begin /q' | tac | kmsg_check "${1:-^$}"
}

nothing_configured()
{
	local left

	left=$(find $SCST/devices $SCST/targets/*/*/sessions $SCST/targets/*/*/ini_groups \
		-mindepth 1 -maxdepth 1 ! -name mgmt 2>/dev/null |
		grep -v "targets/scst_local/$LOCAL_TARGET/sessions/$LOCAL_SESSION\$" |
		grep -v targets/copy_manager/)
	[ -z "$left" ] || { echo "$left"; return 1; }
}

no_modules_left() { ! grep -E '^(scst|ib_srpt)' /proc/modules; }

# assert_clean DESCRIPTION: all modules go, and the kernel has nothing to
# complain about (one test of the plan)
assert_clean()
{
	ok "$1" eval 'unload_modules && no_modules_left && kernel_log_clean'
}
