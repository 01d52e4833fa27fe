// SPDX-License-Identifier: GPL-2.0
#include "common.h"
#include "scst/proto/sense.h"

static void test_parts(void **state)
{
	scst_sense_t s = SCST_SENSE_AT(0x5, 0x26, 0x02, SCST_FIELD(0, 0x1234, 1, 5));

	assert_int_equal(scst_sense_status(s), SAM_CHECK_CONDITION);
	assert_int_equal(scst_sense_key(s), 0x5);
	assert_int_equal(scst_sense_asc(s), 0x26);
	assert_int_equal(scst_sense_ascq(s), 0x02);
	assert_int_equal(scst_sense_status(SCST_BUSY), SAM_BUSY);
	assert_int_equal(scst_sense_status(SCST_OK), SAM_GOOD);
	/* "nothing to report" is not "not refused" */
	assert_int_not_equal((u64)SCST_NO_SENSE, (u64)SCST_OK);
}

static void test_fixed(void **state)
{
	static const u8 want[18] = {
		0x70, 0, 0x05, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0x20, 0x00,
	};
	u8 buf[32];

	memset(buf, 0xff, sizeof(buf));
	assert_int_equal(scst_sense_build(buf, sizeof(buf), false, SCST_INVALID_OPCODE, false, 0),
			 SCST_SENSE_FIXED_LEN);
	assert_memory_equal(buf, want, sizeof(want));
}

static void test_fixed_field_pointer(void **state)
{
	u8 buf[SCST_SENSE_FIXED_LEN];

	scst_sense_build(buf, sizeof(buf), false, SCST_CDB_FIELD_BIT(2, 4), false, 0);
	assert_int_equal(buf[12], 0x24);
	assert_int_equal(buf[15], 0xcc);	/* SKSV, C/D, BPV, bit 4 */
	assert_int_equal(get_unaligned_be16(buf + 16), 2);

	scst_sense_build(buf, sizeof(buf), false, SCST_CDB_FIELD(9), false, 0);
	assert_int_equal(buf[15], 0xc0);
	assert_int_equal(get_unaligned_be16(buf + 16), 9);

	scst_sense_build(buf, sizeof(buf), false, SCST_PARAM_FIELD_BIT(0x1234, 7), false, 0);
	assert_int_equal(buf[12], 0x26);
	assert_int_equal(buf[15], 0x8f);
	assert_int_equal(get_unaligned_be16(buf + 16), 0x1234);

	scst_sense_build(buf, sizeof(buf), false, SCST_PARAM_FIELD(8), false, 0);
	assert_int_equal(buf[15], 0x80);
}

static void test_fixed_information(void **state)
{
	u8 buf[SCST_SENSE_FIXED_LEN];

	scst_sense_build(buf, sizeof(buf), false, SCST_MISCOMPARE, true, 0x01020304);
	assert_int_equal(buf[0], 0xf0);
	assert_int_equal(get_unaligned_be32(buf + 3), 0x01020304);
	scst_sense_build(buf, sizeof(buf), false, SCST_MISCOMPARE, true, U32_MAX);
	assert_int_equal(buf[0], 0xf0);
	/* does not fit: not valid, and nothing misleading in the field */
	scst_sense_build(buf, sizeof(buf), false, SCST_MISCOMPARE, true, 1ULL << 32);
	assert_int_equal(buf[0], 0x70);
	assert_int_equal(get_unaligned_be32(buf + 3), 0);
	scst_sense_build(buf, sizeof(buf), false, SCST_MISCOMPARE, false, 77);
	assert_int_equal(buf[0], 0x70);
	assert_int_equal(get_unaligned_be32(buf + 3), 0);
}

static void test_descriptor(void **state)
{
	static const u8 bare[8] = { 0x72, 0x06, 0x3f, 0x0e };
	static const u8 both[28] = {
		0x72, 0x0e, 0x1d, 0x00, 0, 0, 0, 20,
		0x00, 0x0a, 0x80, 0, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88,
		0x02, 0x06, 0, 0, 0x80, 0x00, 0x09, 0,
	};
	u8 buf[SCST_SENSE_MAX];

	assert_int_equal(scst_sense_build(buf, sizeof(buf), true, SCST_UA(0x3f, 0x0e), false, 0),
			 8);
	assert_memory_equal(buf, bare, sizeof(bare));

	assert_int_equal(scst_sense_build(buf, sizeof(buf), true,
					  SCST_SENSE_AT(0xe, 0x1d, 0, SCST_FIELD(0, 9, 0, 0)),
					  true, 0x1122334455667788), 28);
	assert_memory_equal(buf, both, sizeof(both));

	assert_int_equal(scst_sense_build(buf, sizeof(buf), true, SCST_READ_ERROR, true, 5), 20);
	assert_int_equal(buf[7], 12);
	assert_int_equal(scst_sense_build(buf, sizeof(buf), true, SCST_CDB_FIELD(1), false, 5), 16);
	assert_int_equal(buf[7], 8);
	assert_int_equal(buf[8], 0x02);
}

static void test_reset_and_mode_ua_always_fixed(void **state)
{
	static const scst_sense_t fixed[] = {
		SCST_UA(0x29, 0x00), SCST_UA(0x29, 0x07), SCST_UA(0x2a, 0x01),
	};
	static const scst_sense_t as_asked[] = {
		SCST_UA(0x2a, 0x09), SCST_UA(0x3f, 0x0e), SCST_UA(0x28, 0x00),
		SCST_SENSE(0x5, 0x29, 0x00),
	};
	u8 buf[SCST_SENSE_MAX];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(fixed); i++) {
		assert_int_equal(scst_sense_build(buf, sizeof(buf), true, fixed[i], false, 0), 18);
		assert_int_equal(buf[0], 0x70);
	}
	for (i = 0; i < ARRAY_SIZE(as_asked); i++) {
		scst_sense_build(buf, sizeof(buf), true, as_asked[i], false, 0);
		assert_int_equal(buf[0], 0x72);
	}
}

static void test_status_without_sense(void **state)
{
	u8 buf[4] = { 1, 2, 3, 4 };

	assert_int_equal(scst_sense_build(buf, sizeof(buf), false, SCST_BUSY, false, 0), 0);
	assert_int_equal(scst_sense_build(buf, sizeof(buf), true, SCST_OK, true, 1), 0);
	assert_int_equal(buf[0], 1);
}

struct sense_args {
	bool descriptor;
	scst_sense_t sense;
};

static size_t build(u8 *buf, size_t room, const void *arg)
{
	const struct sense_args *a = arg;

	return scst_sense_build(buf, room, a->descriptor, a->sense, true, 42);
}

static void test_every_room(void **state)
{
	static const struct sense_args args[] = {
		{ false, SCST_CDB_FIELD_BIT(1, 2) },
		{ true, SCST_CDB_FIELD_BIT(1, 2) },
		{ true, SCST_NO_SENSE },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(args); i++)
		check_every_room(build, &args[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_fixed),
		cmocka_unit_test(test_fixed_field_pointer),
		cmocka_unit_test(test_fixed_information),
		cmocka_unit_test(test_descriptor),
		cmocka_unit_test(test_reset_and_mode_ua_always_fixed),
		cmocka_unit_test(test_status_without_sense),
		cmocka_unit_test(test_every_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
