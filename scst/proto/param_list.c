// SPDX-License-Identifier: GPL-2.0
/* Parameter lists of block commands, SBC-3. */
#include "param_list.h"

#define UNMAP_HEADER_LEN	8
#define UNMAP_DESC_LEN		16

void scst_unmap_get(const u8 *buf, unsigned int i, struct scst_unmap_range *range)
{
	const u8 *desc = buf + UNMAP_HEADER_LEN + (size_t)i * UNMAP_DESC_LEN;

	range->lba = get_unaligned_be64(desc);
	range->nblocks = get_unaligned_be32(desc + 8);
}

scst_sense_t scst_unmap_count(const u8 *buf, size_t len, u64 max_blocks, unsigned int *count)
{
	struct scst_unmap_range range;
	unsigned int n, i;
	size_t desc_bytes;
	u64 sum = 0;

	*count = 0;
	if (!len)
		return SCST_OK;
	if (len < UNMAP_HEADER_LEN)
		return SCST_PARAM_LIST_LENGTH;

	desc_bytes = get_unaligned_be16(buf + 2);
	if (desc_bytes % UNMAP_DESC_LEN || desc_bytes > len - UNMAP_HEADER_LEN)
		return SCST_PARAM_FIELD(2);

	/* At most 4095 descriptors of 32 bits each: the sum cannot overflow. */
	n = desc_bytes / UNMAP_DESC_LEN;
	for (i = 0; i < n; i++) {
		scst_unmap_get(buf, i, &range);
		sum += range.nblocks;
	}
	if (sum > max_blocks)
		return SCST_PARAM_FIELD(0);
	*count = n;
	return SCST_OK;
}

#define WRITE_SAME_16		0x93

/* Bits of byte 1, SBC-3 5.42 and 5.43. */
#define WS_NDOB			BIT(0)
#define WS_LBDATA		BIT(1)
#define WS_PBDATA		BIT(2)
#define WS_UNMAP		BIT(3)
#define WS_ANCHOR		BIT(4)

scst_sense_t scst_write_same_check(const u8 *cdb, u32 nblocks, u32 max_blocks, bool thin,
				   struct scst_write_same *ws)
{
	bool is_16 = cdb[0] == WRITE_SAME_16;
	u8 bits = cdb[1];

	/* In WRITE SAME(10) bit 0 is the obsolete RELADR. */
	ws->ndob = is_16 && (bits & WS_NDOB);
	ws->unmap = bits & WS_UNMAP;

	if (bits & WS_ANCHOR)
		return SCST_CDB_FIELD_BIT(1, 4);
	if (ws->ndob && !ws->unmap)
		return SCST_CDB_FIELD_BIT(1, 0);
	if (bits & WS_PBDATA)
		return SCST_CDB_FIELD_BIT(1, 2);
	if (bits & WS_LBDATA)
		return SCST_CDB_FIELD_BIT(1, 1);
	/* VPD B0 says WSNZ: zero does not mean "to the end". */
	if (!nblocks || nblocks > max_blocks)
		return SCST_CDB_FIELD(is_16 ? 10 : 7);
	if (ws->unmap && !thin)
		return SCST_INVALID_OPCODE;
	return SCST_OK;
}
