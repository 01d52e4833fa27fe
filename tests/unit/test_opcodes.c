// SPDX-License-Identifier: GPL-2.0
/* B109: what REPORT SUPPORTED OPERATION CODES says is exact, and true. */
#include "common.h"
#include "scst/proto/cdb.h"

#define ALL		0
#define BY_OPCODE	1
#define BY_ACTION	2
#define RCTD		0x80

static u8 data[4096];
static size_t data_len;

static bool not_thin(const struct scst_cdb_desc *desc, void *arg)
{
	return !(desc->flags & SCST_CDB_NEEDS_THIN);
}

static scst_sense_t report(u8 options, u8 opcode, u16 sa, u8 type)
{
	const u8 cdb[12] = { 0xa3, 0x0c, options, opcode, sa >> 8, sa & 0xff };

	data_len = 0;
	memset(data, 0x5a, sizeof(data));
	return scst_report_opcodes(data, sizeof(data), cdb, type, not_thin, NULL, &data_len);
}

static unsigned int listed_rows(u8 type)
{
	unsigned int i, n = 0;

	for (i = 0; i < scst_cdb_table_len; i++)
		if (scst_cdb_table[i].types & BIT(type) && not_thin(&scst_cdb_table[i], NULL) &&
		    scst_cdb_table[i].op != SCST_OP_GET_LBA_STATUS)
			n++;
	return n;
}

/* A descriptor of the list, and the single report about the same command. */
static void check_descriptor(const u8 *desc, u8 type)
{
	const struct scst_cdb_desc *row;
	bool has_sa = desc[5] & 1;
	u16 sa = get_unaligned_be16(desc + 2);
	u8 opcode = desc[0];
	u8 cdb[SCST_CDB_MAX] = { opcode, sa };
	struct scst_cdb decoded;

	row = scst_cdb_find(opcode, has_sa ? sa : -1, type);
	assert_non_null(row);
	assert_int_equal(get_unaligned_be16(desc + 6), row->len);
	assert_int_equal(desc[1] | desc[4], 0);
	assert_sense(scst_cdb_decode(cdb, row->len, type, 9, &decoded), SCST_OK);
	assert_ptr_equal(decoded.desc, row);

	assert_sense(report(has_sa ? BY_ACTION : BY_OPCODE, opcode, sa, type), SCST_OK);
	assert_int_equal(data_len, 4 + row->len);
	assert_int_equal(data[0], 0);
	assert_int_equal(data[1], 3);
	assert_int_equal(get_unaligned_be16(data + 2), row->len);
	assert_memory_equal(data + 4, row->usage, row->len);
	assert_sense(report(has_sa ? BY_OPCODE : BY_ACTION, opcode, sa, type),
		     SCST_CDB_FIELD_BIT(2, 0));
}

static void check_all(u8 type)
{
	u8 list[4096];
	size_t len, off;

	assert_sense(report(ALL, 0, 0, type), SCST_OK);
	len = data_len;
	memcpy(list, data, len);
	assert_int_equal(get_unaligned_be32(list), len - 4);
	assert_int_equal(len - 4, 8 * listed_rows(type));
	for (off = 4; off < len; off += 8) {
		assert_int_equal(list[off + 5] & ~1, 0);
		check_descriptor(list + off, type);
	}
}

static void test_all(void **state)
{
	check_all(SCST_TYPE_DISK);
	check_all(SCST_TYPE_ROM);
}

static void test_all_timeouts(void **state)
{
	size_t off;
	u32 s;

	assert_sense(report(RCTD | ALL, 0, 0, SCST_TYPE_DISK), SCST_OK);
	assert_int_equal(get_unaligned_be32(data), data_len - 4);
	assert_int_equal(data_len - 4, 20 * listed_rows(SCST_TYPE_DISK));
	for (off = 4; off < data_len; off += 20) {
		assert_int_equal(data[off + 5] & 2, 2);
		assert_int_equal(get_unaligned_be16(data + off + 8), 10);
		assert_int_equal(get_unaligned_be32(data + off + 12), 1);
		s = get_unaligned_be32(data + off + 16);
		assert_true(s == 10 || s == 60 || s == 3600);
	}
}

static void expect_recommended(u8 opcode, u32 seconds)
{
	size_t len = scst_cdb_len(&opcode, 1);

	assert_sense(report(RCTD | BY_OPCODE, opcode, 0, SCST_TYPE_DISK), SCST_OK);
	assert_int_equal(data[1], 0x83);
	assert_int_equal(data_len, 4 + len + 12);
	assert_int_equal(get_unaligned_be16(data + 4 + len), 10);
	assert_int_equal(get_unaligned_be32(data + 4 + len + 8), seconds);
}

static void test_one_timeouts(void **state)
{
	expect_recommended(0x00, 10);
	expect_recommended(0x28, 60);
	expect_recommended(0x35, 60);
	expect_recommended(0x04, 3600);
	expect_recommended(0x93, 3600);
}

static void expect_unsupported(u8 options, u8 opcode, u16 sa)
{
	static const u8 nothing[4];

	assert_sense(report(options, opcode, sa, SCST_TYPE_DISK), SCST_OK);
	assert_int_equal(data_len, sizeof(nothing));
	assert_memory_equal(data, nothing, sizeof(nothing));
}

static void test_unsupported(void **state)
{
	expect_unsupported(BY_OPCODE, 0xff, 0);
	expect_unsupported(RCTD | BY_OPCODE, 0xff, 0);
	expect_unsupported(BY_ACTION, 0xff, 1);
	expect_unsupported(BY_OPCODE, 0x43, 0);		/* of the other type */
	expect_unsupported(BY_OPCODE, 0x42, 0);		/* filtered */
	expect_unsupported(BY_ACTION, 0x9e, 0x12);	/* GET LBA STATUS */
	expect_unsupported(BY_ACTION, 0x5e, 0x1f);
	expect_unsupported(BY_ACTION, 0x5e, 0x100);	/* 16 bits count */
}

static void test_no_filter(void **state)
{
	const u8 cdb[12] = { 0xa3, 0x0c, BY_OPCODE, 0x42 };
	size_t needed;

	assert_sense(scst_report_opcodes(data, sizeof(data), cdb, SCST_TYPE_DISK, NULL, NULL,
					 &needed), SCST_OK);
	assert_int_equal(needed, 14);
	assert_int_equal(data[1], 3);
}

static void test_bad_option(void **state)
{
	u8 option;

	for (option = 3; option < 8; option++)
		assert_sense(report(option, 0x28, 0, SCST_TYPE_DISK), SCST_CDB_FIELD_BIT(2, 0));
}

static size_t build(u8 *buf, size_t room, const void *arg)
{
	size_t needed = 0;

	assert_sense(scst_report_opcodes(buf, room, arg, SCST_TYPE_DISK, NULL, NULL, &needed),
		     SCST_OK);
	return needed;
}

static void test_every_room(void **state)
{
	static const u8 cdbs[][12] = {
		{ 0xa3, 0x0c, ALL },
		{ 0xa3, 0x0c, RCTD | ALL },
		{ 0xa3, 0x0c, RCTD | BY_OPCODE, 0x88 },
		{ 0xa3, 0x0c, BY_OPCODE, 0xff },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cdbs); i++)
		check_every_room(build, cdbs[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all),
		cmocka_unit_test(test_all_timeouts),
		cmocka_unit_test(test_one_timeouts),
		cmocka_unit_test(test_unsupported),
		cmocka_unit_test(test_no_filter),
		cmocka_unit_test(test_bad_option),
		cmocka_unit_test(test_every_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
