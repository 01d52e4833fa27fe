// SPDX-License-Identifier: GPL-2.0
#include "common.h"
#include "srpt/proto/dm.h"

static const struct srp_dm_info info = {
	.guid			= 0x0002c90300a1b2c3ULL,
	.vendor_id		= 0x2c9,
	.device_id		= 26428,
	.device_version		= 0xb0,
	.send_queue_depth	= 128,
	.rdma_read_depth	= 4,
	.send_size		= 8276,
	.rdma_size		= 65536,
	.id			= "SCST SRP target",
};

/* Ask, check that the header is the request's, and return the status. */
static u16 ask(u8 method, u16 attr, u32 modifier, u8 rsp[SRP_DM_MAD_LEN])
{
	u8 req[SRP_DM_MAD_LEN];

	memset(req, 0x5a, sizeof(req));
	req[3] = method;
	put_unaligned_be16(attr, req + 16);
	put_unaligned_be32(modifier, req + 20);
	memset(rsp, 0xa5, SRP_DM_MAD_LEN);
	assert_true(srp_dm_answer(req, &info, rsp));
	assert_int_equal(rsp[3], 0x81);
	assert_memory_equal(rsp, req, 3);
	assert_memory_equal(rsp + 6, req + 6, 18);
	return get_unaligned_be16(rsp + 4);
}

static void assert_zero(const u8 *p, size_t n)
{
	while (n--)
		assert_int_equal(*p++, 0);
}

static void test_class_port_info(void **state)
{
	static const u8 want[8] = { 1, 1, 0, 0, 0, 0, 0, 20 };
	u8 rsp[SRP_DM_MAD_LEN];

	assert_int_equal(ask(1, 0x0001, 0, rsp), 0);
	assert_memory_equal(rsp + 64, want, sizeof(want));
	assert_zero(rsp + 72, SRP_DM_MAD_LEN - 72);
	assert_zero(rsp + 24, 40);
}

static void test_io_unit_info(void **state)
{
	static const u8 want[5] = { 0, 1, 16, 0, 0x10 };
	u8 rsp[SRP_DM_MAD_LEN];

	assert_int_equal(ask(1, 0x0010, 0, rsp), 0);
	assert_memory_equal(rsp + 64, want, sizeof(want));
	assert_zero(rsp + 69, SRP_DM_MAD_LEN - 69);
}

static void test_ioc_profile(void **state)
{
	u8 rsp[SRP_DM_MAD_LEN], *p = rsp + 64;
	u32 slot;

	assert_int_equal(ask(1, 0x0011, 1, rsp), 0);
	assert_true(get_unaligned_be64(p) == info.guid);
	assert_int_equal(get_unaligned_be32(p + 8), 0x2c9);
	assert_int_equal(get_unaligned_be32(p + 12), 26428);
	assert_int_equal(get_unaligned_be16(p + 28), 0x0100);
	assert_int_equal(get_unaligned_be16(p + 30), 0x609e);
	assert_int_equal(get_unaligned_be16(p + 32), 0x0108);
	assert_int_equal(get_unaligned_be16(p + 34), 1);
	assert_int_equal(get_unaligned_be16(p + 40), 128);
	assert_int_equal(p[43], 4);
	assert_int_equal(get_unaligned_be32(p + 44), 8276);
	assert_int_equal(get_unaligned_be32(p + 48), 65536);
	assert_int_equal(p[52], 0x2b);
	assert_int_equal(p[54], 1);
	assert_string_equal(p + 64, "SCST SRP target");

	assert_int_equal(ask(1, 0x0011, 0, rsp), 0x1c);
	assert_zero(p, 192);
	assert_int_equal(ask(1, 0x0011, 2, rsp), 0);
	for (slot = 3; slot <= 16; slot++)
		assert_int_equal(ask(1, 0x0011, slot, rsp), 0x0100);
	assert_int_equal(ask(1, 0x0011, 17, rsp), 0x1c);
	assert_int_equal(ask(1, 0x0011, 0x10001, rsp), 0x1c);
}

static void test_service_entries(void **state)
{
	u8 rsp[SRP_DM_MAD_LEN], *p = rsp + 64;

	assert_int_equal(ask(1, 0x0012, 0x00010000, rsp), 0);
	assert_string_equal(p, "SRP.T10:0002c90300a1b2c3");
	assert_true(get_unaligned_be64(p + 40) == info.guid);
	assert_zero(p + 48, 192 - 48);
	assert_int_equal(ask(1, 0x0012, 0x00010100, rsp), 0);
	assert_int_equal(ask(1, 0x0012, 0x00010200, rsp), 0x0100);	/* last > 1 */
	assert_int_equal(ask(1, 0x0012, 0x00010001, rsp), 0x0100);	/* first > last */
	assert_int_equal(ask(1, 0x0012, 0x00030000, rsp), 0x0100);	/* no controller */
	assert_int_equal(ask(1, 0x0012, 0x00000000, rsp), 0x1c);
	assert_int_equal(ask(1, 0x0012, 0x00110000, rsp), 0x1c);
}

static void test_others(void **state)
{
	u8 req[SRP_DM_MAD_LEN] = { 1, 6, 1 }, rsp[SRP_DM_MAD_LEN];

	assert_int_equal(ask(1, 0x0013, 0, rsp), 0x0c);
	assert_int_equal(ask(2, 0x0010, 0, rsp), 0x0c);
	assert_int_equal(ask(3, 0x0010, 0, rsp), 0x08);
	assert_int_equal(ask(0, 0x0010, 0, rsp), 0x08);
	req[3] = 0x81;
	assert_false(srp_dm_answer(req, &info, rsp));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_class_port_info),
		cmocka_unit_test(test_io_unit_info),
		cmocka_unit_test(test_ioc_profile),
		cmocka_unit_test(test_service_entries),
		cmocka_unit_test(test_others),
	};

	return cmocka_run_group_tests_name("device management", tests, NULL, NULL);
}
