/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Device management of an I/O unit (InfiniBand Architecture, volume 1, 16.3):
 * how initiators on an InfiniBand fabric find SRP targets.
 */
#ifndef SRPT_PROTO_DM_H
#define SRPT_PROTO_DM_H

#include "scst/proto/base.h"

#define SRP_DM_MAD_LEN		256
#define SRP_DM_SLOTS		16	/* I/O controller slots; slot 1 holds the controller */

/* What the I/O unit says of itself. */
struct srp_dm_info {
	u64 guid;		/* service GUID: controller and service id */
	u32 vendor_id;
	u32 device_id;
	u16 device_version;
	u16 send_queue_depth;
	u8 rdma_read_depth;
	u32 send_size;
	u32 rdma_size;
	const char *id;		/* at most 64 characters */
};

/**
 * srp_dm_answer() - answer a device management request
 * @req: management datagram as received
 * @info: see there
 * @rsp: the answer
 *
 * Return: false if the datagram is itself an answer; then there is nothing to send.
 */
bool srp_dm_answer(const u8 req[SRP_DM_MAD_LEN], const struct srp_dm_info *info,
		   u8 rsp[SRP_DM_MAD_LEN]);

#endif
