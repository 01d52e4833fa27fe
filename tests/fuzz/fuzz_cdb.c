// SPDX-License-Identifier: GPL-2.0
/* CDBs and LUNs. Input: type, block size, then the CDB. */
#include "fuzz.h"
#include "scst/proto/cdb.h"
#include "scst/proto/lun_addr.h"

/* Where block commands have their fields, as the standard lays them out by group. */
static void fields(const u8 *cdb, u64 *lba, u32 *count)
{
	switch (cdb[0] >> 5) {
	case 0:
		*lba = get_unaligned_be24(cdb + 1) & 0x1fffff;
		*count = cdb[4] ?: 256;
		break;
	case 1:
	case 2:
		*lba = get_unaligned_be32(cdb + 2);
		*count = get_unaligned_be16(cdb + 7);
		break;
	case 5:
		*lba = get_unaligned_be32(cdb + 2);
		*count = get_unaligned_be32(cdb + 6);
		break;
	default:
		*lba = get_unaligned_be64(cdb + 2);
		/* COMPARE AND WRITE has one byte. */
		*count = cdb[0] == 0x89 ? cdb[13] : get_unaligned_be32(cdb + 10);
	}
}

static bool is_read_write(u8 opcode)
{
	return memchr("\x08\x0a\x28\x2a\x88\x8a\xa8\xaa", opcode, 8);
}

static void check_decoded(const struct scst_cdb *cmd, const u8 *cdb, size_t len, u8 type,
			  unsigned int shift)
{
	u64 lba;
	u32 count;

	MUST(cmd->desc->opcode == cdb[0]);
	MUST(cmd->desc->len <= len);
	MUST(cmd->desc->len == scst_cdb_len(cdb, len));
	MUST(cmd->desc->types & BIT(type));
	MUST(!cmd->xfer_len == (cmd->dir == SCST_DATA_NONE));
	MUST(cmd->dir == SCST_DATA_NONE || cmd->dir == cmd->desc->dir);
	if (!(cmd->desc->flags & SCST_CDB_MEDIUM_IO)) {
		MUST(!cmd->nblocks);
		return;
	}
	fields(cdb, &lba, &count);
	MUST(cmd->lba == lba && cmd->nblocks == count);
	MUST(cmd->lba + cmd->nblocks >= cmd->lba);
	MUST(cmd->xfer_len <= (u64)max(count, 1U) << (shift + 1));
	if (is_read_write(cdb[0]))
		MUST(cmd->xfer_len == (u64)count << shift);
}

static void lun(const u8 *raw, size_t len)
{
	int lun = scst_lun_unpack(raw, len);
	enum scst_addr_method method;
	u8 packed[8];

	MUST(lun >= -1 && lun <= SCST_LUN_MAX);
	if (lun < 0)
		return;
	for (method = SCST_ADDR_PERIPHERAL; method <= SCST_ADDR_LUN; method++) {
		scst_lun_pack(packed, lun, method);
		MUST(scst_lun_unpack(packed, sizeof(packed)) == lun);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct scst_cdb cmd;
	scst_sense_t sense;
	unsigned int shift;
	u8 type;
	u8 *cdb;

	if (size < 2)
		return 0;
	type = data[0] & 1 ? SCST_TYPE_ROM : SCST_TYPE_DISK;
	shift = 9 + data[1] % 8;
	cdb = fuzz_copy(data + 2, size - 2);
	size -= 2;

	sense = scst_cdb_decode(cdb, size, type, shift, &cmd);
	if (sense == SCST_OK)
		check_decoded(&cmd, cdb, size, type, shift);
	else
		MUST(scst_sense_status(sense) == SAM_CHECK_CONDITION);
	lun(cdb, min(size, 9UL));
	free(cdb);
	return 0;
}
