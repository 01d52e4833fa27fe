// SPDX-License-Identifier: GPL-2.0
/* Input: type, block size, then the CDB. */
#include "fuzz.h"
#include "scst/proto/cdb.h"
#include "scst/proto/lun_addr.h"

static bool some(const struct scst_cdb_desc *desc, void *arg)
{
	const u8 *pick = arg;

	return desc->opcode & *pick || desc->service_action & *pick;
}

static void check_decoded(const struct scst_cdb *cmd, const u8 *cdb, size_t len, u8 type)
{
	MUST(cmd->desc->opcode == cdb[0]);
	MUST(cmd->desc->len <= len);
	MUST(cmd->desc->types & BIT(type));
	MUST(cmd->lba + cmd->nblocks >= cmd->lba);
	MUST(!cmd->xfer_len == (cmd->dir == SCST_DATA_NONE));
	MUST(cmd->dir == SCST_DATA_NONE || cmd->dir == cmd->desc->dir);
	MUST(!cmd->nblocks || cmd->desc->flags & SCST_CDB_MEDIUM_IO);
}

static void report(const u8 *cdb, u8 type, u8 pick)
{
	size_t needed = 0, room = cdb[9];
	u8 *buf = malloc(room);

	MUST(buf);
	if (scst_report_opcodes(buf, room, cdb, type, some, &pick, &needed) == SCST_OK)
		MUST(needed >= 4);
	free(buf);
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
		check_decoded(&cmd, cdb, size, type);
	else
		MUST(scst_sense_status(sense) == SAM_CHECK_CONDITION);
	scst_cdb_len(cdb, size);
	if (size >= 12)
		report(cdb, type, data[1]);
	MUST(scst_lun_unpack(cdb, size) <= SCST_LUN_MAX);
	free(cdb);
	return 0;
}
