// SPDX-License-Identifier: GPL-2.0
/* Decoding of command descriptor blocks by the table of cdb_table.c. */
#include "cdb.h"
#include "cdb_table.h"

#define BYTE1_PROTECT		0xe0	/* RDPROTECT, WRPROTECT, VRPROTECT */
#define BYTE1_FUA		0x08
#define BYTE1_BYTCHK		0x06
#define BYTE1_SERVICE_ACTION	0x1f
#define CONTROL_LINK		0x01

size_t scst_cdb_len(const u8 *cdb, size_t avail)
{
	if (!avail)
		return 0;
	switch (cdb[0] >> 5) {
	case 0:
		return 6;
	case 1:
	case 2:
		return 10;
	case 3:	/* variable length format, SPC-4 4.2.3.1; the rest is reserved */
		return cdb[0] == 0x7f && avail >= 8 ? cdb[7] + 8 : 0;
	case 4:
		return 16;
	case 5:
		return 12;
	default:
		return 0;
	}
}

const struct scst_cdb_desc *scst_cdb_find(u8 opcode, int sa, u8 type)
{
	const struct scst_cdb_desc *desc = scst_cdb_first_row(opcode);
	const struct scst_cdb_desc *end = scst_cdb_table + scst_cdb_table_len;

	if (!desc || type > 0x1f)
		return NULL;
	for (; desc < end && desc->opcode == opcode; desc++) {
		if (!(desc->types & BIT(type)))
			continue;
		if (sa < 0 || (desc->has_sa && desc->service_action == sa))
			return desc;
	}
	return NULL;
}

/*
 * An opcode without service actions has one row, so that READ and WRITE find
 * theirs without a search.
 */
static scst_sense_t find_row(const u8 *cdb, size_t cdb_len, u8 type,
			     const struct scst_cdb_desc **row)
{
	const struct scst_cdb_desc *desc;

	if (!cdb_len)
		return SCST_INVALID_OPCODE;
	desc = scst_cdb_first_row(cdb[0]);
	if (!desc || type > 0x1f)
		return SCST_INVALID_OPCODE;

	if (desc->has_sa) {
		if (cdb_len < 2 || !scst_cdb_find(cdb[0], -1, type))
			return SCST_INVALID_OPCODE;
		desc = scst_cdb_find(cdb[0], cdb[1] & BYTE1_SERVICE_ACTION, type);
		if (!desc)
			return SCST_CDB_FIELD_BIT(1, 0);
	}
	if (!(desc->types & BIT(type)) || cdb_len < desc->len)
		return SCST_INVALID_OPCODE;
	*row = desc;
	return SCST_OK;
}

static u64 read_lba(const u8 *cdb, const struct scst_cdb_desc *desc)
{
	switch (desc->lba_len) {
	case 3:
		return get_unaligned_be24(cdb + desc->lba_off) & 0x1fffff;
	case 4:
		return get_unaligned_be32(cdb + desc->lba_off);
	case 8:
		return get_unaligned_be64(cdb + desc->lba_off);
	default:
		return 0;
	}
}

static u32 read_count(const u8 *cdb, const struct scst_cdb_desc *desc)
{
	switch (desc->cnt_len) {
	case 1:
		return cdb[desc->cnt_off];
	case 2:
		return get_unaligned_be16(cdb + desc->cnt_off);
	case 4:
		return get_unaligned_be32(cdb + desc->cnt_off);
	default:
		return 0;
	}
}

/* Fields whose only accepted value is zero, and commands with a shape of their own. */
static scst_sense_t check_fields(const u8 *cdb, const struct scst_cdb_desc *desc)
{
	switch (desc->op) {
	case SCST_OP_VERIFY:
	case SCST_OP_WRITE_AND_VERIFY:
		/* 1xb: compare with one block, or reserved (SBC-3 5.31) */
		return cdb[1] & 0x04 ? SCST_CDB_FIELD_BIT(1, 2) : SCST_OK;
	case SCST_OP_UNMAP:		/* ANCHOR */
		return cdb[1] & 0x01 ? SCST_CDB_FIELD_BIT(1, 0) : SCST_OK;
	case SCST_OP_FORMAT_UNIT:	/* FMTPINFO: no protection information */
		return cdb[1] & 0xc0 ? SCST_CDB_FIELD_BIT(1, 6) : SCST_OK;
	case SCST_OP_GET_LBA_STATUS:	/* as if the service action were unknown */
		return SCST_CDB_FIELD_BIT(1, 0);
	default:
		return SCST_OK;
	}
}

/* Bytes of the data phase of a command whose CDB counts bytes or nothing at all. */
static u32 byte_length(const u8 *cdb, const struct scst_cdb_desc *desc, u32 count)
{
	switch (desc->op) {
	case SCST_OP_READ_CAPACITY_10:
		return 8;
	case SCST_OP_FORMAT_UNIT:
		/*
		 * With FMTDATA there is a parameter list, with LONGLIST its header has
		 * 8 bytes. An initialization pattern or defect list, which would
		 * follow, is not supported.
		 */
		if (!(cdb[1] & 0x10))
			return 0;
		return cdb[1] & 0x20 ? 8 : 4;
	default:
		return count;
	}
}

/* Bytes of the data phase. */
static u64 data_length(const u8 *cdb, const struct scst_cdb_desc *desc, unsigned int block_shift,
		       u32 count)
{
	u64 blocks = (u64)count << block_shift;

	switch (desc->unit) {
	case SCST_LEN_BLOCKS:
		return blocks;
	case SCST_LEN_BYTES:
		return byte_length(cdb, desc, count);
	case SCST_LEN_TWICE:
		return blocks * 2;
	case SCST_LEN_ONE_BLOCK:
		/* NDOB: the block is all zeroes and not sent (WRITE SAME(16) only) */
		if (cdb[1] & desc->usage[1] & 0x01)
			return 0;
		return 1ULL << block_shift;
	case SCST_LEN_VERIFY:
		return cdb[1] & BYTE1_BYTCHK ? blocks : 0;
	default:
		return 0;
	}
}

scst_sense_t scst_cdb_decode(const u8 *cdb, size_t cdb_len, u8 type, unsigned int block_shift,
			     struct scst_cdb *out)
{
	const struct scst_cdb_desc *desc;
	scst_sense_t sense;
	u64 lba, end, bytes;
	u32 count;
	u8 bits;

	sense = find_row(cdb, cdb_len, type, &desc);
	if (sense != SCST_OK)
		return sense;

	/* READ(6) and WRITE(6) have LBA bits where the others have flags. */
	bits = desc->len == 6 ? 0 : cdb[1] & desc->usage[1];
	if (desc->flags & SCST_CDB_MEDIUM_IO && bits & BYTE1_PROTECT)
		return SCST_CDB_FIELD_BIT(1, 7);
	if (!(desc->flags & SCST_CDB_FAST_RW)) {
		sense = check_fields(cdb, desc);
		if (sense != SCST_OK)
			return sense;
	}
	if (cdb[desc->len - 1] & CONTROL_LINK)
		return SCST_CDB_FIELD_BIT(desc->len - 1, 0);

	lba = read_lba(cdb, desc);
	count = read_count(cdb, desc);
	if (desc->lba_len == 3 && !count)
		count = 256;
	bytes = data_length(cdb, desc, block_shift, count);
	if (bytes > U32_MAX)
		return SCST_LBA_RANGE;
	if (desc->flags & SCST_CDB_MEDIUM_IO && check_add_overflow(lba, (u64)count, &end))
		return SCST_LBA_RANGE;

	out->desc = desc;
	out->lba = lba;
	out->nblocks = desc->flags & SCST_CDB_MEDIUM_IO ? count : 0;
	out->xfer_len = bytes;
	out->dir = bytes ? desc->dir : SCST_DATA_NONE;
	/* WRITE AND VERIFY has no FUA bit: it checks what is on the medium. */
	out->fua = desc->op == SCST_OP_WRITE_AND_VERIFY ||
		   (scst_cdb_has_fua(desc) && bits & BYTE1_FUA);
	return SCST_OK;
}
