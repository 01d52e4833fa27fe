/* SPDX-License-Identifier: GPL-2.0 */
/* Parameter lists of block commands: UNMAP, WRITE SAME bits, COMPARE AND WRITE. */
#ifndef SCST_PROTO_PARAM_LIST_H
#define SCST_PROTO_PARAM_LIST_H

#include "base.h"
#include "sense.h"

/* UNMAP descriptors that a parameter list of 65535 bytes can hold behind its header. */
#define SCST_UNMAP_MAX_RANGES	4095

struct scst_unmap_range {
	u64 lba;
	u32 nblocks;
};

/**
 * scst_unmap_count() - check the header of an UNMAP parameter list (SBC-3 5.28)
 * @buf: list as received
 * @len: bytes received
 * @max_blocks: maximum sum of blocks
 * @count: number of descriptors
 *
 * Return: SCST_OK, 5/1A/00 (list shorter than its header), 5/26/00 at 2 (descriptor length not
 * a multiple of 16 or more than the list holds), 5/26/00 at 0 (more blocks than @max_blocks).
 */
scst_sense_t scst_unmap_count(const u8 *buf, size_t len, u64 max_blocks, unsigned int *count);

/* Descriptor @i of a list that scst_unmap_count() accepted. */
void scst_unmap_get(const u8 *buf, unsigned int i, struct scst_unmap_range *range);

struct scst_write_same {
	bool unmap;
	bool ndob;
};

/**
 * scst_write_same_check() - the bits of WRITE SAME 10/16 (SBC-3 5.42)
 * @cdb: the CDB
 * @nblocks: its number of blocks
 * @max_blocks: limit of VPD B0
 * @thin: the device can unmap
 * @ws: result
 *
 * Return: SCST_OK or the sense of reference section 9.
 */
scst_sense_t scst_write_same_check(const u8 *cdb, u32 nblocks, u32 max_blocks, bool thin,
				   struct scst_write_same *ws);

#endif
