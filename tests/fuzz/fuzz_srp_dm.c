// SPDX-License-Identifier: GPL-2.0
/* Device management datagrams. Input: length of the name, then the datagram. */
#include "fuzz.h"
#include "srpt/proto/dm.h"

#define DATA	64	/* what comes before it is the header */

static void check_answer(const u8 *req, const u8 *rsp)
{
	size_t i;

	/* The transaction is the one that was asked for. */
	MUST(!memcmp(req, rsp, 3) && !memcmp(req + 6, rsp + 6, 18));
	MUST(rsp[3] == 0x81);
	for (i = 24; i < DATA; i++)
		MUST(!rsp[i]);
	/* A refusal tells nothing else. */
	if (get_unaligned_be16(rsp + 4))
		for (i = DATA; i < SRP_DM_MAD_LEN; i++)
			MUST(!rsp[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	u8 req[SRP_DM_MAD_LEN] = { 0 };
	struct srp_dm_info info = {
		.guid = 0x0011223344556677, .vendor_id = 0x123456, .device_id = 0x789,
		.send_queue_depth = 128, .rdma_read_depth = 8, .send_size = 8276,
		.rdma_size = 1 << 16,
	};
	u8 *rsp, *again;
	char id[65];
	bool answered;

	if (!size)
		return 0;
	memset(id, 'x', sizeof(id));
	id[data[0] % sizeof(id)] = '\0';
	info.id = id;
	memcpy(req, data + 1, min(size - 1, sizeof(req)));
	rsp = malloc(SRP_DM_MAD_LEN);
	again = malloc(SRP_DM_MAD_LEN);
	MUST(rsp && again);

	memset(rsp, 0x00, SRP_DM_MAD_LEN);
	memset(again, 0xff, SRP_DM_MAD_LEN);
	answered = srp_dm_answer(req, &info, rsp);
	MUST(srp_dm_answer(req, &info, again) == answered);
	MUST(answered == !(req[3] & 0x80));
	if (answered) {
		/* No byte is left as it was found. */
		MUST(!memcmp(rsp, again, SRP_DM_MAD_LEN));
		check_answer(req, rsp);
	}
	free(rsp);
	free(again);
	return 0;
}
