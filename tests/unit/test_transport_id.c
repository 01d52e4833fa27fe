// SPDX-License-Identifier: GPL-2.0
#include "common.h"
#include "scst/proto/transport_id.h"

static const u8 port_a[16] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };
static const u8 port_b[16] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17 };

static size_t len_exact(const u8 *tid, size_t len)
{
	u8 *copy = exact_copy(tid, len);
	size_t ret = scst_tid_len(copy, len);

	free(copy);
	return ret;
}

static void test_srp(void **state)
{
	u8 a[SCST_TID_LEN], b[SCST_TID_LEN];
	static const u8 zeros[7];

	memset(a, 0xee, sizeof(a));
	scst_tid_srp(a, port_a);
	assert_int_equal(a[0], 0x04);
	assert_memory_equal(a + 1, zeros, 7);
	assert_memory_equal(a + 8, port_a, 16);
	assert_int_equal(len_exact(a, sizeof(a)), 24);
	scst_tid_srp(b, port_b);
	assert_false(scst_tid_equal(a, 24, b, 24));
	/* B129: nothing but the port's name counts */
	scst_tid_srp(b, port_a);
	b[3] = 0x77;
	assert_true(scst_tid_equal(a, 24, b, 24));
}

static void test_sas(void **state)
{
	u8 a[SCST_TID_LEN], b[SCST_TID_LEN];

	scst_tid_sas(a, 0x5000112233445566);
	assert_int_equal(a[0], 0x06);
	assert_int_equal(get_unaligned_be64(a + 4), 0x5000112233445566);
	assert_int_equal(len_exact(a, sizeof(a)), 24);
	scst_tid_sas(b, 0x5000112233445567);
	assert_false(scst_tid_equal(a, 24, b, 24));
	b[11]--;
	assert_true(scst_tid_equal(a, 24, b, 24));
	/* the same bytes, another protocol */
	b[0] = 0x04;
	assert_false(scst_tid_equal(a, 24, b, 24));
}

static void test_iscsi(void **state)
{
	u8 a[SCST_TID_MAX], b[SCST_TID_MAX];
	size_t len;

	memset(a, 0xee, sizeof(a));
	len = scst_tid_iscsi(a, "iqn.2001-04.com.example:h1");
	assert_int_equal(len, 4 + 28);
	assert_int_equal(a[0], 0x05);
	assert_int_equal(get_unaligned_be16(a + 2), 28);
	assert_memory_equal(a + 4, "iqn.2001-04.com.example:h1\0", 28);
	assert_int_equal(a[len], 0xee);
	assert_int_equal(len_exact(a, len), len);

	len = scst_tid_iscsi(b, "iqn.a,i,0x0123456789ab");
	assert_int_equal(b[0], 0x45);
	assert_int_equal(len_exact(b, len), len);
	assert_false(scst_tid_equal(a, 32, b, len));
	assert_true(scst_tid_equal(b, len, b, len));

	/* at least 20 bytes of name, always a terminator */
	assert_int_equal(scst_tid_iscsi(a, "x"), 24);
	assert_int_equal(scst_tid_iscsi(a, "12345678901234567890"), 4 + 24);
	assert_int_equal(scst_tid_iscsi(a, ""), 0);
}

static void test_iscsi_longest(void **state)
{
	char name[300];
	u8 *tid = malloc(SCST_TID_MAX);
	size_t n, len;

	memset(name, 'n', sizeof(name));
	for (n = 1; n < sizeof(name); n++) {
		name[n] = '\0';
		len = scst_tid_iscsi(tid, name);
		assert_int_equal(len != 0, n <= 251);
		if (len)
			assert_int_equal(scst_tid_len(tid, len), len);
		name[n] = 'n';
	}
	free(tid);
}

static void test_refused(void **state)
{
	u8 tid[SCST_TID_MAX];
	unsigned int b0;
	size_t n, len;

	for (n = 0; n < 24; n++) {
		scst_tid_srp(tid, port_a);
		assert_int_equal(len_exact(tid, n), 0);
		scst_tid_sas(tid, 1);
		assert_int_equal(len_exact(tid, n), 0);
	}
	memset(tid, 0, sizeof(tid));
	for (b0 = 0; b0 < 256; b0++) {
		tid[0] = b0;
		len = len_exact(tid, 24);
		/* bits 4 and 5 are reserved */
		assert_int_equal(len, (b0 & 0xcf) == 4 || (b0 & 0xcf) == 6 ? 24 : 0);
	}

	len = scst_tid_iscsi(tid, "iqn.a,i,0x0123456789ab");
	for (n = 0; n < len; n++)
		assert_int_equal(len_exact(tid, n), 0);
	assert_int_equal(len_exact(tid, len + 1), len);
	tid[0] = 0x05;		/* says "no ISID" */
	assert_int_equal(len_exact(tid, len), 0);
	tid[0] = 0x85;
	assert_int_equal(len_exact(tid, len), 0);
	tid[0] = 0x45;
	put_unaligned_be16(len - 4 - 1, tid + 2);
	assert_int_equal(len_exact(tid, len), 0);
	put_unaligned_be16(16, tid + 2);
	assert_int_equal(len_exact(tid, len), 0);
	put_unaligned_be16(0xfffc, tid + 2);
	assert_int_equal(len_exact(tid, len), 0);
	put_unaligned_be16(len - 4, tid + 2);
	memset(tid + 4, 'n', len - 4);	/* no terminator */
	assert_int_equal(len_exact(tid, len), 0);
	memset(tid + 4, 0, len - 4);	/* no name */
	assert_int_equal(len_exact(tid, len), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_srp),
		cmocka_unit_test(test_sas),
		cmocka_unit_test(test_iscsi),
		cmocka_unit_test(test_iscsi_longest),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
