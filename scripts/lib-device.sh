# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Whether a device may be used for measurements. The caller defines die().

# block_node DEVICE: the block device itself, or that of a SCSI generic node
block_node()
{
	local d

	if [ -b "$1" ]; then
		realpath "$1"
		return
	fi
	for d in "/sys/class/scsi_generic/$(basename "$(realpath "$1")")"/device/block/*; do
		[ ! -e "$d" ] || echo "/dev/${d##*/}"
	done
}

# device_users NODE: what is mounted from it, swaps to it or is built upon it,
# partitions included
device_users()
{
	local node

	while read -r node; do
		findmnt -rn -S "$node" -o TARGET | sed "s|^|$node is mounted on |"
		awk -v n="$node" '$1 == n { print n " is used for swap" }' /proc/swaps
	done < <(lsblk -nrpo NAME "$1")
	lsblk -nrpo NAME,TYPE "$1" |
		awk 'NR > 1 && $2 != "part" { print $1 " (" $2 ") is built upon it" }'
}

# device_contents NODE: signatures of file systems, partition tables and so on
device_contents()
{
	wipefs --noheadings --output OFFSET,TYPE,LABEL "$1" |
		awk '{ print $2 " signature at offset " $1 ($3 ? " (" $3 ")" : "") }'
}

refuse_used_device()
{
	local node users

	node=$(block_node "$1")
	[ -n "$node" ] || return 0
	users=$(device_users "$node")
	[ -z "$users" ] || die "$1 is in use: $users"
}
