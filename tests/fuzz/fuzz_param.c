// SPDX-License-Identifier: GPL-2.0
/* Parameter lists. Input: which one, flags, first bytes of the CDB, then the list. */
#include "fuzz.h"
#include "scst/proto/mode.h"
#include "scst/proto/param_list.h"

#define MAX_BLOCKS	1000000

/* All pages, of one page control. */
static size_t mode_sense(u8 *buf, u8 pc, u8 page, const struct scst_mode *mode,
			 const struct scst_mode_ctx *ctx)
{
	const u8 cdb[10] = { 0x5a, 0x08, pc << 6 | page };
	size_t len;

	if (scst_mode_sense(buf, SCST_MODE_MAX, cdb, mode, mode, mode, ctx, &len) != SCST_OK)
		return 0;
	MUST(len <= SCST_MODE_MAX);
	return len;
}

/* Only what MODE SENSE calls changeable has changed. */
static void check_changes(const struct scst_mode *before, const struct scst_mode *after,
			  const struct scst_mode_ctx *ctx)
{
	u8 old[SCST_MODE_MAX], new[SCST_MODE_MAX], mask[SCST_MODE_MAX];
	size_t len = mode_sense(old, 0, 0x3f, before, ctx), i;

	MUST(mode_sense(new, 0, 0x3f, after, ctx) == len);
	MUST(mode_sense(mask, 1, 0x3f, after, ctx) == len);
	for (i = 8; i < len; i++)
		MUST(!((old[i] ^ new[i]) & ~mask[i]));
}

/* What MODE SENSE gives is what MODE SELECT takes, and changes nothing. */
static void check_sent_back(const struct scst_mode *mode, const struct scst_mode_ctx *ctx)
{
	static const u8 pages[] = { 0x08, 0x0a };
	const u8 cdb[10] = { 0x55, 0x10 };
	struct scst_mode copy = *mode;
	u8 buf[SCST_MODE_MAX];
	size_t len, i;

	for (i = 0; i < ARRAY_SIZE(pages); i++) {
		len = mode_sense(buf, 0, pages[i], mode, ctx);
		if (!len)
			continue;
		buf[8] &= 0x7f;		/* PS, reserved in MODE SELECT */
		MUST(scst_mode_select(cdb, buf, len, &copy, ctx) == SCST_OK);
		MUST(!memcmp(&copy, mode, sizeof(copy)));
	}
}

static void mode_select(u8 opcode, u8 flags, u8 byte1, const u8 *list, size_t len)
{
	const u8 cdb[10] = { opcode, byte1 };
	struct scst_mode_ctx ctx = {
		.type = flags & 1 ? 0x05 : 0x00,
		.wce_fixed = flags & 2,
		.can_save = flags & 4,
		.block_shift = 9,
		.nblocks = MAX_BLOCKS,
	};
	struct scst_mode mode, before;

	scst_mode_default(&mode, flags & 8, flags & 16 ? 1 : 0);
	before = mode;
	if (scst_mode_select(cdb, list, len, &mode, &ctx) != SCST_OK) {
		MUST(!memcmp(&mode, &before, sizeof(mode)));
		return;
	}
	check_changes(&before, &mode, &ctx);
	check_sent_back(&mode, &ctx);
}

static void unmap(const u8 *list, size_t len)
{
	struct scst_unmap_range range;
	unsigned int count, i;
	u64 sum = 0;

	if (scst_unmap_count(list, len, MAX_BLOCKS, &count) != SCST_OK) {
		MUST(!count);
		return;
	}
	MUST(count <= SCST_UNMAP_MAX_RANGES && (!count || 8 + 16UL * count <= len));
	for (i = 0; i < count; i++) {
		scst_unmap_get(list, i, &range);
		sum += range.nblocks;
	}
	MUST(sum <= MAX_BLOCKS);
}

static void write_same(u8 opcode, u8 byte1, u8 flags, const u8 *list, size_t len)
{
	const u8 cdb[16] = { opcode, byte1 };
	u32 nblocks = len >= 4 ? get_unaligned_be32(list) : len;
	struct scst_write_same ws;
	scst_sense_t sense;

	sense = scst_write_same_check(cdb, nblocks, MAX_BLOCKS, flags & 1, &ws);
	if (sense != SCST_OK)
		return;
	MUST(nblocks && nblocks <= MAX_BLOCKS);
	MUST(!ws.unmap || flags & 1);
	MUST(!ws.ndob || (ws.unmap && opcode == 0x93));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	u8 *list;

	if (size < 3)
		return 0;
	list = fuzz_copy(data + 3, size - 3);
	switch (data[0] % 5) {
	case 0:
		mode_select(0x15, data[1], data[2], list, size - 3);
		break;
	case 1:
		mode_select(0x55, data[1], data[2], list, size - 3);
		break;
	case 2:
		unmap(list, size - 3);
		break;
	case 3:
		write_same(0x41, data[2], data[1], list, size - 3);
		break;
	case 4:
		write_same(0x93, data[2], data[1], list, size - 3);
		break;
	}
	free(list);
	return 0;
}
