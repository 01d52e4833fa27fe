# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The target that comes with every kernel, configured through configfs. Tests
# use it to try the test machine itself, the benchmark to compare with.
# Source tests/vm/lib.sh first.

CONFIGFS=/sys/kernel/config/target
MAINLINE_WWN=naa.6001405000000001

mainline_up()
{
	modprobe configfs
	mountpoint -q /sys/kernel/config || mount -t configfs configfs /sys/kernel/config
	modprobe target_core_mod
}

# mainline_nullio NAME: a RAM disk of 1 GB that keeps nothing
mainline_nullio()
{
	local dir=$CONFIGFS/core/rd_mcp_0/$1

	modprobe target_core_mod && mkdir -p "$dir" &&
	echo 'rd_pages=262144,rd_nullio=1' >"$dir/control" &&
	echo 1 >"$dir/enable"
}

# mainline_fileio NAME FILE
mainline_fileio()
{
	local dir=$CONFIGFS/core/fileio_0/$1

	modprobe target_core_file && mkdir -p "$dir" &&
	echo "fd_dev_name=$2,fd_dev_size=$(stat -c %s "$2")" >"$dir/control" &&
	echo 1 >"$dir/enable"
}

# mainline_lun TPG LUN HBA/NAME: export a device
mainline_lun()
{
	mkdir -p "$1/lun/lun_$2" && ln -s "$CONFIGFS/core/$3" "$1/lun/lun_$2/port"
}

# mainline_loop: a loopback port; prints its portal group directory
mainline_loop()
{
	local tpg=$CONFIGFS/loopback/$MAINLINE_WWN/tpgt_0

	modprobe tcm_loop && mkdir -p "$tpg" && echo "$MAINLINE_WWN" >"$tpg/nexus" &&
	echo "$tpg"
}

# mainline_loop_host: number of the SCSI host of the loopback port
mainline_loop_host()
{
	local h

	for h in /sys/class/scsi_host/host*; do
		! grep -q tcm_loopback "$h/proc_name" || echo "${h##*host}"
	done | tail -n 1
}

# mainline_srp PORT: a target port on rxe0 that listens for RDMA/CM logins;
# prints its portal group directory
mainline_srp()
{
	local gid srpt=$CONFIGFS/srpt

	modprobe ib_srpt && mkdir -p "$srpt" || return 1
	gid=0x$(tr -d : </sys/class/infiniband/rxe0/ports/1/gids/0)
	mkdir -p "$srpt/$gid/$gid" "$srpt/discovery_auth" &&
	echo "$1" >"$srpt/discovery_auth/rdma_cm_port" &&
	echo "$srpt/$gid/$gid"
}

# mainline_srp_allow TPG: let the initiator of this machine use all LUNs, and
# enable the port
mainline_srp_allow()
{
	local guid acl lun

	guid=$(tr -d : </sys/class/infiniband/rxe0/node_guid)
	acl=$1/acls/0x0000000000000000$guid
	mkdir -p "$acl" || return 1
	for lun in "$1"/lun/lun_*; do
		mkdir -p "$acl/${lun##*/}" && ln -s "$lun" "$acl/${lun##*/}/lun" || return 1
	done
	echo 1 >"$1/enable"
}

# mainline_down: remove all of it, and the modules
mainline_down()
{
	find $CONFIGFS -type l -delete 2>/dev/null
	# What configfs made by itself goes with the directory around it.
	find $CONFIGFS -mindepth 2 -depth -type d -exec rmdir {} + 2>/dev/null
	find $CONFIGFS -mindepth 1 -depth -type d -exec rmdir {} + 2>/dev/null
	modprobe -rq ib_srpt tcm_loop target_core_file target_core_iblock \
		target_core_pscsi target_core_user target_core_mod
	! grep -qE '^(ib_srpt|tcm_loop|target_core_mod) ' /proc/modules
}
