// SPDX-License-Identifier: GPL-2.0
#include "common.h"
#include "scst/proto/lun_addr.h"

static int unpack(u8 b0, u8 b1)
{
	u8 lun[8] = { b0, b1 };

	return scst_lun_unpack(lun, sizeof(lun));
}

static void test_unpack_methods(void **state)
{
	assert_int_equal(unpack(0x00, 0x00), 0);
	assert_int_equal(unpack(0x00, 0xff), 255);
	assert_int_equal(unpack(0x01, 0x00), -1);	/* bus 1 */
	assert_int_equal(unpack(0x3f, 0x05), -1);
	assert_int_equal(unpack(0x40, 0x00), 0);
	assert_int_equal(unpack(0x41, 0x23), 0x123);
	assert_int_equal(unpack(0x7f, 0xff), SCST_LUN_MAX);
	assert_int_equal(unpack(0x80, 0x1f), 31);
	assert_int_equal(unpack(0x80, 0x25), -1);	/* bus 1 */
	assert_int_equal(unpack(0x81, 0x05), -1);	/* target 1 */
	assert_int_equal(unpack(0xc1, 0x01), -1);	/* well-known: REPORT LUNS */
	assert_int_equal(unpack(0xd2, 0x00), -1);	/* extended flat */
	assert_int_equal(unpack(0xff, 0xff), -1);
}

static void test_unpack_length(void **state)
{
	static const u8 lun[8] = { 0x41, 0x02 };
	size_t len;

	for (len = 0; len <= 16; len++) {
		u8 *copy = exact_copy(lun, min(len, sizeof(lun)));
		bool good = len == 2 || len == 4 || len == 6 || len == 8;

		assert_int_equal(scst_lun_unpack(copy, len), good ? 0x102 : -1);
		free(copy);
	}
}

static void test_unpack_multi_level(void **state)
{
	size_t i;

	for (i = 2; i < 8; i++) {
		u8 lun[8] = { 0x00, 0x01 };

		lun[i] = 0x01;
		assert_int_equal(scst_lun_unpack(lun, 8), -1);
		/* what is not part of the LUN is not looked at */
		assert_int_equal(scst_lun_unpack(lun, i & ~1UL), 1);
	}
}

static void expect_packed(unsigned int lun, enum scst_addr_method method, u8 b0, u8 b1)
{
	u8 want[8] = { b0, b1 };
	u8 got[8];

	memset(got, 0xee, sizeof(got));
	scst_lun_pack(got, lun, method);
	assert_memory_equal(got, want, sizeof(want));
}

static void test_pack(void **state)
{
	expect_packed(0, SCST_ADDR_PERIPHERAL, 0x00, 0x00);
	expect_packed(0, SCST_ADDR_FLAT, 0x00, 0x00);
	expect_packed(0, SCST_ADDR_LUN, 0x00, 0x00);
	expect_packed(255, SCST_ADDR_PERIPHERAL, 0x00, 0xff);
	expect_packed(256, SCST_ADDR_PERIPHERAL, 0x41, 0x00);
	expect_packed(1, SCST_ADDR_FLAT, 0x40, 0x01);
	expect_packed(31, SCST_ADDR_LUN, 0x80, 0x1f);
	expect_packed(32, SCST_ADDR_LUN, 0x40, 0x20);
	expect_packed(SCST_LUN_MAX, SCST_ADDR_FLAT, 0x7f, 0xff);
}

static void test_round_trip(void **state)
{
	enum scst_addr_method method;
	unsigned int lun;
	u8 packed[8];

	for (method = SCST_ADDR_PERIPHERAL; method <= SCST_ADDR_LUN; method++)
		for (lun = 0; lun <= SCST_LUN_MAX; lun++) {
			scst_lun_pack(packed, lun, method);
			assert_int_equal(scst_lun_unpack(packed, 8), lun);
			assert_int_equal(scst_lun_unpack(packed, 2), lun);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unpack_methods),
		cmocka_unit_test(test_unpack_length),
		cmocka_unit_test(test_unpack_multi_level),
		cmocka_unit_test(test_pack),
		cmocka_unit_test(test_round_trip),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
