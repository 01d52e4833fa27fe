// SPDX-License-Identifier: GPL-2.0
#include "common.h"
#include "scst/proto/cdb.h"

#define SHIFT	9	/* 512 byte blocks, unless said otherwise */

static struct scst_cdb decoded;

static scst_sense_t decode_type(const u8 *cdb, size_t len, u8 type, unsigned int shift)
{
	u8 *copy = exact_copy(cdb, len);
	scst_sense_t sense;

	memset(&decoded, 0xee, sizeof(decoded));
	sense = scst_cdb_decode(copy, len, type, shift, &decoded);
	free(copy);
	return sense;
}

static scst_sense_t decode(const u8 *cdb, size_t len)
{
	return decode_type(cdb, len, SCST_TYPE_DISK, SHIFT);
}

#define DECODE(...)	decode((const u8[]) { __VA_ARGS__ }, sizeof((const u8[]) { __VA_ARGS__ }))

/* --- the table itself --- */

static bool covers(const struct scst_cdb_desc *desc, u8 off, u8 len)
{
	u8 i;

	for (i = off; i < off + len; i++)
		if (desc->usage[i] != 0xff && !(desc->lba_len == 3 && i == 1))
			return false;
	return off + len < desc->len;
}

static void check_row(const struct scst_cdb_desc *desc)
{
	u8 i;

	assert_non_null(desc->name);
	assert_true(desc->op < SCST_OP_NR);
	assert_true(desc->types != 0);
	assert_int_equal(desc->usage[0], desc->opcode);
	assert_int_equal(desc->len, scst_cdb_len(&desc->opcode, 1));
	/* NACA; LINK is obsolete and has to be zero */
	assert_int_equal(desc->usage[desc->len - 1], 0x04);
	for (i = desc->len; i < SCST_CDB_MAX; i++)
		assert_int_equal(desc->usage[i], 0);
	if (desc->has_sa)
		assert_int_equal(desc->usage[1] & 0x1f, desc->service_action);
	else
		assert_int_equal(desc->service_action, 0);

	if (desc->lba_len)
		assert_true(covers(desc, desc->lba_off, desc->lba_len));
	if (desc->cnt_len)
		assert_true(covers(desc, desc->cnt_off, desc->cnt_len));
	assert_int_equal(desc->dir != SCST_DATA_NONE,
			 desc->unit != SCST_LEN_NONE && desc->unit != SCST_LEN_RANGE);
	assert_int_equal(!!(desc->flags & SCST_CDB_MEDIUM_IO), desc->lba_len != 0);
	if (desc->flags & SCST_CDB_FAST_RW)
		assert_true(desc->op == SCST_OP_READ || desc->op == SCST_OP_WRITE);
}

static void test_table_rows(void **state)
{
	bool named[SCST_OP_NR] = { false };
	const struct scst_cdb_desc *desc;
	unsigned int i;

	for (i = 0; i < scst_cdb_table_len; i++) {
		desc = &scst_cdb_table[i];
		check_row(desc);
		named[desc->op] = true;
		/* sorted, so rows of an opcode are together and none is there twice */
		if (i)
			assert_true(desc[-1].opcode < desc->opcode ||
				    (desc[-1].opcode == desc->opcode && desc->has_sa &&
				     desc[-1].service_action < desc->service_action));
	}
	for (i = 0; i < SCST_OP_NR; i++)
		assert_true(named[i]);
}

static void test_find(void **state)
{
	const struct scst_cdb_desc *desc;
	unsigned int i;

	for (i = 0; i < scst_cdb_table_len; i++) {
		desc = &scst_cdb_table[i];
		if (!(desc->types & BIT(SCST_TYPE_DISK)))
			continue;
		assert_ptr_equal(scst_cdb_find(desc->opcode,
					       desc->has_sa ? desc->service_action : -1,
					       SCST_TYPE_DISK), desc);
	}
	assert_null(scst_cdb_find(0xff, -1, SCST_TYPE_DISK));
	assert_null(scst_cdb_find(0x28, 0, SCST_TYPE_DISK));
	assert_null(scst_cdb_find(0x9e, 0x11, SCST_TYPE_DISK));
	assert_null(scst_cdb_find(0x28, -1, 0x01));
	assert_null(scst_cdb_find(0x28, -1, 0xff));
	assert_null(scst_cdb_find(0x2a, -1, SCST_TYPE_ROM));
	assert_non_null(scst_cdb_find(0x43, -1, SCST_TYPE_ROM));
	assert_null(scst_cdb_find(0x43, -1, SCST_TYPE_DISK));
	assert_string_equal(scst_cdb_find(0x5e, -1, SCST_TYPE_DISK)->name,
			    "PERSISTENT RESERVE IN, READ KEYS");
}

/*
 * Who may do what, by the letters of the reference: W writes, R although
 * another nexus holds RESERVE, E and X although Write Exclusive or Exclusive
 * Access, H head of queue, S sleeps, T thin only, U hides unit attentions.
 */
static const struct {
	u8 opcode;
	int sa;
	const char *letters;
} letters[] = {
	{ 0x00, -1, "REXH" }, { 0x03, -1, "REXU" }, { 0x04, -1, "WS" },
	{ 0x08, -1, "E" }, { 0x28, -1, "E" }, { 0xa8, -1, "E" }, { 0x88, -1, "E" },
	{ 0x0a, -1, "W" }, { 0x2a, -1, "W" }, { 0xaa, -1, "W" }, { 0x8a, -1, "W" },
	{ 0x12, -1, "REXHU" }, { 0x15, -1, "S" }, { 0x55, -1, "S" },
	{ 0x16, -1, "EX" }, { 0x56, -1, "EX" }, { 0x17, -1, "REX" }, { 0x57, -1, "REX" },
	{ 0x1a, -1, "E" }, { 0x5a, -1, "E" }, { 0x1b, -1, "S" }, { 0x1d, -1, "" },
	{ 0x1e, -1, "" }, { 0x25, -1, "REXH" },
	{ 0x2e, -1, "WS" }, { 0xae, -1, "WS" }, { 0x8e, -1, "WS" },
	{ 0x2f, -1, "ES" }, { 0xaf, -1, "ES" }, { 0x8f, -1, "ES" },
	{ 0x35, -1, "S" }, { 0x91, -1, "S" }, { 0x41, -1, "WS" }, { 0x93, -1, "WS" },
	{ 0x42, -1, "WST" }, { 0x4c, -1, "" }, { 0x4d, -1, "REX" },
	{ 0x5e, 0, "EX" }, { 0x5e, 1, "EX" }, { 0x5e, 2, "EX" }, { 0x5e, 3, "EX" },
	{ 0x5f, 0, "EXS" }, { 0x5f, 1, "EXS" }, { 0x5f, 2, "EXS" }, { 0x5f, 3, "EXS" },
	{ 0x5f, 4, "EXS" }, { 0x5f, 5, "EXS" }, { 0x5f, 6, "EXS" }, { 0x5f, 7, "EXS" },
	{ 0x89, -1, "WS" }, { 0x9e, 0x10, "REXH" }, { 0xa0, -1, "REXHUS" },
	{ 0xa3, 0x0a, "REX" }, { 0xa3, 0x0c, "E" }, { 0xa3, 0x0d, "E" }, { 0xa4, 0x0a, "S" },
};

static void test_letters(void **state)
{
	static const struct {
		char letter;
		u32 flag;
	} meaning[] = {
		{ 'W', SCST_CDB_WRITES_MEDIUM }, { 'R', SCST_CDB_ALLOW_SPC2_RES },
		{ 'E', SCST_CDB_ALLOW_WR_EX }, { 'X', SCST_CDB_ALLOW_EX_AC },
		{ 'H', SCST_CDB_IMPLICIT_HQ }, { 'S', SCST_CDB_SLEEPS },
		{ 'T', SCST_CDB_NEEDS_THIN }, { 'U', SCST_CDB_NO_UA },
	};
	const struct scst_cdb_desc *desc;
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(letters); i++) {
		desc = scst_cdb_find(letters[i].opcode, letters[i].sa, SCST_TYPE_DISK);
		assert_non_null(desc);
		for (j = 0; j < ARRAY_SIZE(meaning); j++)
			if (!strchr(letters[i].letters, meaning[j].letter) !=
			    !(desc->flags & meaning[j].flag))
				fail_msg("%s: flag %c", desc->name, meaning[j].letter);
	}
	assert_true(scst_cdb_find(0x89, -1, SCST_TYPE_DISK)->flags & SCST_CDB_ATOMIC);
	assert_true(scst_cdb_find(0x16, -1, SCST_TYPE_DISK)->flags & SCST_CDB_ATOMIC);
	assert_false(scst_cdb_find(0x28, -1, SCST_TYPE_DISK)->flags & SCST_CDB_ATOMIC);
	/* What excludes or is excluded without a range in its CDB. */
	assert_true(scst_cdb_find(0x16, -1, SCST_TYPE_DISK)->flags & SCST_CDB_ANY_RANGE);
	assert_true(scst_cdb_find(0x56, -1, SCST_TYPE_DISK)->flags & SCST_CDB_ANY_RANGE);
	assert_true(scst_cdb_find(0x42, -1, SCST_TYPE_DISK)->flags & SCST_CDB_ANY_RANGE);
	assert_false(scst_cdb_find(0x89, -1, SCST_TYPE_DISK)->flags & SCST_CDB_ANY_RANGE);
}

/* --- decoding --- */

static void expect_rw(u64 lba, u32 nblocks, enum scst_op op)
{
	assert_int_equal(decoded.desc->op, op);
	assert_int_equal(decoded.lba, lba);
	assert_int_equal(decoded.nblocks, nblocks);
	assert_int_equal(decoded.xfer_len, nblocks << SHIFT);
	assert_int_equal(decoded.dir, !nblocks ? SCST_DATA_NONE :
				      op == SCST_OP_READ ? SCST_DATA_IN : SCST_DATA_OUT);
}

static void test_read_write(void **state)
{
	assert_sense(DECODE(0x08, 0xff, 0x12, 0x34, 0x05, 0), SCST_OK);
	expect_rw(0x1f1234, 5, SCST_OP_READ);
	assert_false(decoded.fua);
	assert_sense(DECODE(0x0a, 0x01, 0x00, 0x02, 0x00, 0), SCST_OK);
	expect_rw(0x10002, 256, SCST_OP_WRITE);

	assert_sense(DECODE(0x28, 0, 0x01, 0x02, 0x03, 0x04, 0, 0x01, 0x00, 0), SCST_OK);
	expect_rw(0x01020304, 256, SCST_OP_READ);
	assert_sense(DECODE(0x2a, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0), SCST_OK);
	expect_rw(0xffffffff, 0xffff, SCST_OP_WRITE);

	assert_sense(DECODE(0xa8, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0), SCST_OK);
	expect_rw(1, 0x10000, SCST_OP_READ);
	assert_sense(DECODE(0xaa, 0, 0, 0, 0, 1, 0, 0, 0, 7, 0, 0), SCST_OK);
	expect_rw(1, 7, SCST_OP_WRITE);

	assert_sense(DECODE(0x88, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 9, 0, 0), SCST_OK);
	expect_rw(0x0102030405060708, 9, SCST_OP_READ);
	assert_sense(DECODE(0x8a, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0x80, 0, 0, 0), SCST_OK);
	expect_rw(8, 0x8000, SCST_OP_WRITE);

	/* only READ(6) and WRITE(6) read 0 as 256 */
	assert_sense(DECODE(0x28, 0, 0, 0, 0, 1, 0, 0, 0, 0), SCST_OK);
	expect_rw(1, 0, SCST_OP_READ);
}

static void test_dpo_fua(void **state)
{
	assert_sense(DECODE(0x28, 0x18, 0, 0, 0, 0, 0, 0, 1, 0), SCST_OK);
	assert_true(decoded.fua);
	assert_sense(DECODE(0x2a, 0x10, 0, 0, 0, 0, 0, 0, 1, 0), SCST_OK);
	assert_false(decoded.fua);
	assert_sense(DECODE(0x8a, 0x08, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0), SCST_OK);
	assert_true(decoded.fua);
	assert_sense(DECODE(0x89, 0x08, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0), SCST_OK);
	assert_true(decoded.fua);
	assert_sense(DECODE(0x2e, 0x10, 0, 0, 0, 0, 0, 0, 1, 0), SCST_OK);
	assert_true(decoded.fua);
	/* bit 3 is part of the LBA, or UNMAP */
	assert_sense(DECODE(0x0a, 0x08, 0, 0, 1, 0), SCST_OK);
	assert_false(decoded.fua);
	assert_sense(DECODE(0x93, 0x08, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0), SCST_OK);
	assert_false(decoded.fua);
}

static void test_protect(void **state)
{
	static const u8 opcodes[] = {
		0x28, 0x2a, 0x2e, 0x2f, 0x41, 0xa8, 0xaa, 0xae, 0xaf, 0x88, 0x8a, 0x8e, 0x8f,
		0x89, 0x93,
	};
	u8 cdb[16] = { 0 };
	size_t i;
	u8 bit;

	for (i = 0; i < sizeof(opcodes); i++)
		for (bit = 0x20; bit; bit <<= 1) {
			cdb[0] = opcodes[i];
			cdb[1] = bit;
			assert_sense(decode(cdb, sizeof(cdb)), SCST_CDB_FIELD_BIT(1, 7));
		}
	/* there these bits are reserved */
	assert_sense(DECODE(0x35, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0), SCST_OK);
}

static void test_link(void **state)
{
	assert_sense(DECODE(0x00, 0, 0, 0, 0, 0x01), SCST_CDB_FIELD_BIT(5, 0));
	assert_sense(DECODE(0x00, 0, 0, 0, 0, 0x04), SCST_OK);
	assert_sense(DECODE(0x28, 0, 0, 0, 0, 0, 0, 0, 1, 0x03), SCST_CDB_FIELD_BIT(9, 0));
	assert_sense(DECODE(0xa0, 0, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0x01), SCST_CDB_FIELD_BIT(11, 0));
	assert_sense(DECODE(0x88, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1),
		     SCST_CDB_FIELD_BIT(15, 0));
	/* what follows a 6-byte CDB in a longer field is not its control byte */
	assert_sense(DECODE(0x00, 0, 0, 0, 0, 0, 0, 0, 0, 0xff), SCST_OK);
}

static void test_verify(void **state)
{
	assert_sense(DECODE(0x2f, 0, 0, 0, 0, 5, 0, 0, 3, 0), SCST_OK);
	assert_int_equal(decoded.nblocks, 3);
	assert_int_equal(decoded.xfer_len, 0);
	assert_int_equal(decoded.dir, SCST_DATA_NONE);
	assert_sense(DECODE(0x2f, 0x02, 0, 0, 0, 5, 0, 0, 3, 0), SCST_OK);
	assert_int_equal(decoded.xfer_len, 3 << SHIFT);
	assert_int_equal(decoded.dir, SCST_DATA_OUT);
	assert_sense(DECODE(0x2f, 0x02, 0, 0, 0, 5, 0, 0, 0, 0), SCST_OK);
	assert_int_equal(decoded.dir, SCST_DATA_NONE);
	assert_sense(DECODE(0x2f, 0x04, 0, 0, 0, 5, 0, 0, 3, 0), SCST_CDB_FIELD_BIT(1, 2));
	assert_sense(DECODE(0x2f, 0x06, 0, 0, 0, 5, 0, 0, 3, 0), SCST_CDB_FIELD_BIT(1, 2));
	assert_sense(DECODE(0x2e, 0x06, 0, 0, 0, 5, 0, 0, 3, 0), SCST_CDB_FIELD_BIT(1, 2));
	/* without a data phase the length has no bytes to overflow */
	assert_sense(DECODE(0x8f, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 0),
		     SCST_OK);
	assert_int_equal(decoded.nblocks, U32_MAX);
	assert_sense(DECODE(0x8f, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 0),
		     SCST_LBA_RANGE);
	assert_sense(DECODE(0x2e, 0x02, 0, 0, 0, 5, 0, 0, 3, 0), SCST_OK);
	assert_int_equal(decoded.xfer_len, 3 << SHIFT);
}

/* B54 for the data phase */
static void test_write_same(void **state)
{
	assert_sense(DECODE(0x41, 0, 0, 0, 0, 5, 0, 0x10, 0, 0), SCST_OK);
	assert_int_equal(decoded.nblocks, 0x1000);
	assert_int_equal(decoded.xfer_len, 512);
	assert_sense(DECODE(0x93, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0xff, 0xff, 0xff, 0xff, 0, 0),
		     SCST_OK);
	assert_int_equal(decoded.nblocks, U32_MAX);
	assert_int_equal(decoded.xfer_len, 512);
	assert_int_equal(decoded.dir, SCST_DATA_OUT);
	/* NDOB */
	assert_sense(DECODE(0x93, 0x09, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 8, 0, 0), SCST_OK);
	assert_int_equal(decoded.xfer_len, 0);
	assert_int_equal(decoded.dir, SCST_DATA_NONE);
	assert_sense(DECODE(0x41, 0x01, 0, 0, 0, 5, 0, 0, 1, 0), SCST_OK);
	assert_int_equal(decoded.xfer_len, 512);
	assert_sense(decode_type((const u8[10]) { 0x41 }, 10, SCST_TYPE_DISK, 12), SCST_OK);
	assert_int_equal(decoded.xfer_len, 4096);
}

static void test_compare_and_write(void **state)
{
	assert_sense(DECODE(0x89, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0xff, 0xff, 0xff, 255, 0, 0), SCST_OK);
	assert_int_equal(decoded.nblocks, 255);
	assert_int_equal(decoded.xfer_len, 2 * 255 << SHIFT);
	assert_int_equal(decoded.dir, SCST_DATA_OUT);
	assert_sense(DECODE(0x89, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0), SCST_OK);
	assert_int_equal(decoded.dir, SCST_DATA_NONE);
}

static void test_sync_cache(void **state)
{
	assert_sense(DECODE(0x35, 0x02, 0, 0, 0, 5, 0, 0, 3, 0), SCST_OK);
	assert_int_equal(decoded.lba, 5);
	assert_int_equal(decoded.nblocks, 3);
	assert_int_equal(decoded.xfer_len, 0);
	assert_int_equal(decoded.dir, SCST_DATA_NONE);
	assert_sense(DECODE(0x91, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 0),
		     SCST_OK);
	assert_int_equal(decoded.nblocks, U32_MAX);
}

static void test_byte_lengths(void **state)
{
	assert_sense(DECODE(0x12, 0, 0, 0x02, 0x01, 0), SCST_OK);
	assert_int_equal(decoded.xfer_len, 0x201);
	assert_int_equal(decoded.dir, SCST_DATA_IN);
	assert_int_equal(decoded.nblocks, 0);
	assert_sense(DECODE(0x12, 0, 0, 0, 0, 0), SCST_OK);
	assert_int_equal(decoded.dir, SCST_DATA_NONE);
	assert_sense(DECODE(0x25, 0, 0, 0, 0, 0, 0, 0, 0, 0), SCST_OK);
	assert_int_equal(decoded.xfer_len, 8);
	assert_sense(DECODE(0x5f, 0x03, 0, 0, 0, 1, 2, 3, 4, 0), SCST_OK);
	assert_int_equal(decoded.xfer_len, 0x01020304);
	assert_int_equal(decoded.desc->service_action, 3);
	assert_sense(DECODE(0x42, 0, 0, 0, 0, 0, 0, 0, 24, 0), SCST_OK);
	assert_int_equal(decoded.xfer_len, 24);
	assert_sense(DECODE(0x42, 1, 0, 0, 0, 0, 0, 0, 24, 0), SCST_CDB_FIELD_BIT(1, 0));
	assert_sense(DECODE(0x9e, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 32, 0, 0), SCST_OK);
	assert_int_equal(decoded.xfer_len, 32);
	assert_sense(DECODE(0x04, 0, 0, 0, 0, 0), SCST_OK);
	assert_int_equal(decoded.xfer_len, 0);
	assert_sense(DECODE(0x04, 0x10, 0, 0, 0, 0), SCST_OK);
	assert_int_equal(decoded.xfer_len, 4);
	assert_sense(DECODE(0x04, 0x30, 0, 0, 0, 0), SCST_OK);
	assert_int_equal(decoded.xfer_len, 8);
	assert_sense(DECODE(0x04, 0x80, 0, 0, 0, 0), SCST_CDB_FIELD_BIT(1, 6));
}

static void test_overflow(void **state)
{
	/* 2^32 bytes do not fit, one block less does */
	assert_sense(DECODE(0x88, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x00, 0x80, 0, 0, 0, 0),
		     SCST_LBA_RANGE);
	assert_sense(DECODE(0x88, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x7f, 0xff, 0xff, 0, 0), SCST_OK);
	assert_int_equal(decoded.xfer_len, 0xfffffe00);
	assert_sense(DECODE(0xaa, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 0), SCST_LBA_RANGE);

	assert_sense(DECODE(0x88, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
			    0, 0, 0, 1, 0, 0), SCST_LBA_RANGE);
	assert_sense(DECODE(0x88, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
			    0, 0, 0, 0, 0, 0), SCST_OK);
	assert_sense(DECODE(0x91, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
			    0, 0, 0, 1, 0, 0), SCST_LBA_RANGE);
}

static void test_service_actions(void **state)
{
	assert_sense(DECODE(0xa3, 0x2a, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0), SCST_OK);
	assert_int_equal(decoded.desc->op, SCST_OP_REPORT_TPG);
	assert_sense(DECODE(0xa3, 0x0c, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0), SCST_OK);
	assert_int_equal(decoded.desc->op, SCST_OP_REPORT_OPCODES);
	assert_sense(DECODE(0xa3, 0x05, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0), SCST_CDB_FIELD_BIT(1, 0));
	assert_sense(DECODE(0x5e, 0x04, 0, 0, 0, 0, 0, 0, 8, 0), SCST_CDB_FIELD_BIT(1, 0));
	assert_sense(DECODE(0x9e, 0x12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 32, 0, 0),
		     SCST_CDB_FIELD_BIT(1, 0));
	assert_sense(DECODE(0x9e, 0x11, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 32, 0, 0),
		     SCST_CDB_FIELD_BIT(1, 0));
	/* the type has no such opcode at all */
	assert_sense(decode_type((const u8[16]) { 0x9e, 0x10 }, 16, SCST_TYPE_ROM, 11),
		     SCST_INVALID_OPCODE);
}

static void test_rom(void **state)
{
	static const u8 good[] = {
		0x00, 0x03, 0x12, 0x15, 0x1a, 0x1b, 0x1e, 0x25, 0x28, 0xa8, 0x43, 0xa0, 0x2f, 0x35,
	};
	static const u8 bad[] = { 0x04, 0x0a, 0x2a, 0x8a, 0xaa, 0x2e, 0x41, 0x42, 0x89, 0x93 };
	u8 cdb[16] = { 0 };
	size_t i;

	for (i = 0; i < sizeof(good); i++) {
		cdb[0] = good[i];
		assert_sense(decode_type(cdb, sizeof(cdb), SCST_TYPE_ROM, 11), SCST_OK);
	}
	for (i = 0; i < sizeof(bad); i++) {
		cdb[0] = bad[i];
		assert_sense(decode_type(cdb, sizeof(cdb), SCST_TYPE_ROM, 11), SCST_INVALID_OPCODE);
	}
	assert_sense(decode_type((const u8[10]) { 0x28, [8] = 2 }, 10, SCST_TYPE_ROM, 11), SCST_OK);
	assert_int_equal(decoded.xfer_len, 4096);
}

/* B84: every opcode, cut at every length, with fields all zeros and all ones */
static void test_every_opcode(void **state)
{
	const struct scst_cdb_desc *desc;
	u8 cdb[SCST_CDB_MAX];
	scst_sense_t sense;
	unsigned int op;
	size_t len;
	int fill;

	for (op = 0; op < 256; op++)
		for (fill = 0; fill <= 0xff; fill += 0xff)
			for (len = 0; len <= sizeof(cdb); len++) {
				memset(cdb, fill, sizeof(cdb));
				cdb[0] = op;
				sense = decode(cdb, len);
				desc = scst_cdb_find(op, -1, SCST_TYPE_DISK);
				if (!desc || len < 2)
					assert_sense(sense, SCST_INVALID_OPCODE);
				else if (!desc->has_sa && len < desc->len)
					assert_sense(sense, SCST_INVALID_OPCODE);
				else if (!desc->has_sa && !fill)
					assert_sense(sense, SCST_OK);
				else if (fill)	/* LINK, if nothing else */
					assert_int_not_equal((u64)sense, (u64)SCST_OK);
			}
}

static void test_cdb_len(void **state)
{
	u8 cdb[8] = { 0x7f, 0, 0, 0, 0, 0, 0, 0x18 };

	assert_int_equal(scst_cdb_len(cdb, 0), 0);
	assert_int_equal(scst_cdb_len(cdb, 7), 0);
	assert_int_equal(scst_cdb_len(cdb, 8), 32);
	cdb[7] = 0xff;
	assert_int_equal(scst_cdb_len(cdb, 8), 263);
	assert_int_equal(scst_cdb_len((const u8[]){ 0x1f }, 1), 6);
	assert_int_equal(scst_cdb_len((const u8[]){ 0x20 }, 1), 10);
	assert_int_equal(scst_cdb_len((const u8[]){ 0x5f }, 1), 10);
	assert_int_equal(scst_cdb_len((const u8[]){ 0x7e }, 1), 0);
	assert_int_equal(scst_cdb_len((const u8[]){ 0x9f }, 1), 16);
	assert_int_equal(scst_cdb_len((const u8[]){ 0xbf }, 1), 12);
	assert_int_equal(scst_cdb_len((const u8[]){ 0xc0 }, 1), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table_rows),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_letters),
		cmocka_unit_test(test_read_write),
		cmocka_unit_test(test_dpo_fua),
		cmocka_unit_test(test_protect),
		cmocka_unit_test(test_link),
		cmocka_unit_test(test_verify),
		cmocka_unit_test(test_write_same),
		cmocka_unit_test(test_compare_and_write),
		cmocka_unit_test(test_sync_cache),
		cmocka_unit_test(test_byte_lengths),
		cmocka_unit_test(test_overflow),
		cmocka_unit_test(test_service_actions),
		cmocka_unit_test(test_rom),
		cmocka_unit_test(test_every_opcode),
		cmocka_unit_test(test_cdb_len),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
