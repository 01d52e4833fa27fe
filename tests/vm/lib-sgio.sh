# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# For tests that look closely at single commands. They are sent by sgio
# (tests/tools/sgio.c, which tells how it prints sense data), which is compiled
# on the way and serves all of them: no process per command.
#
#	cmd CDB [in|drop BYTES | out DATA]	to $dev; sets $status and $data
#	expect STATUS NAME CDB [in|out ...]	it ends so
#	returns DATA NAME CDB in BYTES		it ends well and returns exactly that
#	settle [DEVICE]...			until no unit attention is pending
#	sg_only					disks that appear hear from nobody else
#	zeroes BYTES, text WORDS		in hexadecimal digits

sgio=/dev/shm/sgio/sgio
make -s -C "$SCST_PROJECT/tests/tools" OUT="${sgio%/*}" "$sgio" >/dev/null || bail "sgio does not build"
on_exit rm -rf "${sgio%/*}"
dev=
status=
data=

coproc SGIO { "$sgio" serve; }

cmd()
{
	echo "$dev $1 ${2:-} ${3//[[:space:]]/}" >&"${SGIO[1]}"
	read -r status <&"${SGIO[0]}"
	read -r data <&"${SGIO[0]}"
}

expect()
{
	local wanted=$1 name=$2
	shift 2

	cmd "$@"
	is "$status" "$wanted" "$name"
}

returns()
{
	local wanted=$1 name=$2
	shift 2

	cmd "$@"
	is "$status $data" "GOOD ${wanted//[[:space:]]/}" "$name"
}

# sd, which some kernels have built in, begins with commands of its own.
sg_only()
{
	local autoprobe=/sys/bus/scsi/drivers_autoprobe

	modprobe sg && on_exit eval "echo 1 >$autoprobe" && echo 0 >$autoprobe
}

is_settled()
{
	cmd 000000000000
	[ "$status" = GOOD ]
}

settle()
{
	local dev=$dev d

	for d in "${@:-$dev}"; do
		dev=$d
		wait_for 10 is_settled
	done
}

zeroes() { printf "%0$(($1 * 2))d" 0; }
text() { printf %s "$*" | od -An -v -tx1 | tr -d ' \n'; }
