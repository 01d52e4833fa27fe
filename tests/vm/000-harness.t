#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The test machine itself, with nothing but the kernel's own modules: SCSI disks,
# RDMA without hardware, an SRP login, file systems, and a clean end.
#
#	/dev/sdX --- ib_srp --- rxe0 (192.0.2.1) --- the mainline target

# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/lib/mainline.sh
. "$here/../lib/mainline.sh"

plan 13

ok "stock modules load" modprobe -a sg sd_mod sr_mod ext4 xfs dm-mod loop brd \
	ib_srp rdma_rxe dummy
modprobe -r brd loop

ok "scsi_debug gives a disk" modprobe scsi_debug dev_size_mb=32
host=$(basename "$(dirname "$(grep -l scsi_debug /sys/class/scsi_host/*/proc_name)")")
disk=$(scsi_disk "${host#host}" 0)
ok "fio verifies it" fio_verify "$disk" --size=1M
ok "sg_inq sees it" sg_inq "$(scsi_sg "${host#host}" 0)"
ok "scsi_debug unloads" modprobe -r scsi_debug

on_exit rxe_down
ok "an RDMA device without hardware" rxe_up
like "$(rdma link show rxe0/1)" 'state ACTIVE' "its link is active"

on_exit mainline_down
mainline_up
mainline_nullio null
tpg=$(mainline_srp "$SRP_PORT")
mainline_lun "$tpg" 0 rd_mcp_0/null
ok "the mainline target accepts us" mainline_srp_allow "$tpg"

on_exit srp_logout
ok "SRP login" srp_login queue_size=32
disk=$(scsi_disk "$SRP_HOST" 0)
like "$disk" '^/dev/sd' "the LUN is a disk"
ok "reads from it" dd if="$disk" of=/dev/null bs=4k count=100 iflag=direct status=none

ok "SRP logout" srp_logout
ok "the mainline target unloads" mainline_down
