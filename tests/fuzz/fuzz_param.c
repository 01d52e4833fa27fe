// SPDX-License-Identifier: GPL-2.0
/* Parameter lists. Input: which one, flags, first bytes of the CDB, then the list. */
#include "fuzz.h"
#include "scst/proto/mode.h"
#include "scst/proto/param_list.h"

#define MAX_BLOCKS	1000000

static void mode_select(u8 opcode, u8 flags, u8 byte1, const u8 *list, size_t len)
{
	const u8 cdb[10] = { opcode, byte1 };
	struct scst_mode_ctx ctx = {
		.type = flags & 1 ? 0x05 : 0x00,
		.wce_fixed = flags & 2,
		.can_save = flags & 4,
	};
	struct scst_mode mode, before;

	scst_mode_default(&mode, flags & 8, flags & 16 ? 1 : 0);
	before = mode;
	if (scst_mode_select(cdb, list, len, &mode, &ctx) != SCST_OK) {
		MUST(!memcmp(&mode, &before, sizeof(mode)));
		return;
	}
	MUST(mode.tst == before.tst);
	MUST(mode.qam <= 1);
	MUST(mode.qerr != 2);
	MUST(!ctx.wce_fixed || mode.wce == before.wce);
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
