// SPDX-License-Identifier: GPL-2.0
#include "common.h"
#include "scst/proto/param_list.h"

#define LIST_MAX	(8 + 16 * 8)

/* An UNMAP list with @n descriptors of @nblocks each and LBAs 100, 200, ... */
static size_t fill_unmap(u8 *buf, unsigned int n, u32 nblocks)
{
	unsigned int i;

	memset(buf, 0, 8 + 16 * n);
	put_unaligned_be16(6 + 16 * n, buf);
	put_unaligned_be16(16 * n, buf + 2);
	for (i = 0; i < n; i++) {
		put_unaligned_be64(100 * (i + 1), buf + 8 + 16 * i);
		put_unaligned_be32(nblocks, buf + 16 + 16 * i);
	}
	return 8 + 16 * n;
}

static scst_sense_t count_exact(const u8 *buf, size_t len, u64 max, unsigned int *count)
{
	u8 *copy = exact_copy(buf, len);
	scst_sense_t sense = scst_unmap_count(copy, len, max, count);

	free(copy);
	return sense;
}

/* B55 */
static void test_unmap_lists(void **state)
{
	struct scst_unmap_range range;
	unsigned int count, i;
	u8 buf[LIST_MAX];
	size_t len;

	for (i = 0; i <= 8; i++) {
		len = fill_unmap(buf, i, 10);
		assert_sense(count_exact(buf, len, 1000, &count), SCST_OK);
		assert_int_equal(count, i);
	}
	scst_unmap_get(buf, 7, &range);
	assert_int_equal(range.lba, 800);
	assert_int_equal(range.nblocks, 10);

	put_unaligned_be64(U64_MAX, buf + 8);
	put_unaligned_be32(U32_MAX, buf + 16);
	scst_unmap_get(buf, 0, &range);
	assert_int_equal(range.lba, U64_MAX);
	assert_int_equal(range.nblocks, U32_MAX);
}

/* B55: nothing to do is not an error */
static void test_unmap_empty(void **state)
{
	unsigned int count = 9;
	u8 buf[LIST_MAX];

	assert_sense(scst_unmap_count(NULL, 0, 1000, &count), SCST_OK);
	assert_int_equal(count, 0);
	count = 9;
	assert_sense(count_exact(buf, fill_unmap(buf, 0, 0), 1000, &count), SCST_OK);
	assert_int_equal(count, 0);
	assert_sense(count_exact(buf, fill_unmap(buf, 2, 0), 0, &count), SCST_OK);
	assert_int_equal(count, 2);
}

/* B55 */
static void test_unmap_bad_length(void **state)
{
	unsigned int count = 9;
	u8 buf[LIST_MAX];
	size_t len, odd;

	fill_unmap(buf, 4, 1);
	for (len = 1; len < 8; len++)
		assert_sense(count_exact(buf, len, 1000, &count), SCST_PARAM_LIST_LENGTH);
	for (len = 8; len < 8 + 64; len++)
		assert_sense(count_exact(buf, len, 1000, &count), SCST_PARAM_FIELD(2));
	/* bytes behind the descriptors are of no interest */
	assert_sense(count_exact(buf, 8 + 64 + 5, 1000, &count), SCST_OK);

	for (odd = 1; odd < 16; odd++) {
		put_unaligned_be16(32 + odd, buf + 2);
		assert_sense(count_exact(buf, 8 + 64, 1000, &count), SCST_PARAM_FIELD(2));
		assert_int_equal(count, 0);
	}
	put_unaligned_be16(0xfff0, buf + 2);
	assert_sense(count_exact(buf, 8 + 64, 1000, &count), SCST_PARAM_FIELD(2));
}

/* B55 */
static void test_unmap_limit(void **state)
{
	unsigned int count = 9;
	u8 buf[LIST_MAX];
	size_t len = fill_unmap(buf, 4, 250);

	assert_sense(count_exact(buf, len, 1000, &count), SCST_OK);
	assert_sense(count_exact(buf, len, 999, &count), SCST_PARAM_FIELD(0));
	assert_int_equal(count, 0);
	/* the sum does not wrap at 32 bits */
	len = fill_unmap(buf, 2, 0x80000000);
	assert_sense(count_exact(buf, len, U32_MAX, &count), SCST_PARAM_FIELD(0));
	assert_sense(count_exact(buf, len, 0x100000000ULL, &count), SCST_OK);
}

static scst_sense_t write_same(u8 opcode, u8 bits, u32 nblocks, bool thin,
			       struct scst_write_same *ws)
{
	const u8 cdb[16] = { opcode, bits };

	return scst_write_same_check(cdb, nblocks, 1000, thin, ws);
}

/* B54 */
static void test_write_same_count(void **state)
{
	struct scst_write_same ws;

	assert_sense(write_same(0x41, 0, 0, true, &ws), SCST_CDB_FIELD(7));
	assert_sense(write_same(0x93, 0, 0, true, &ws), SCST_CDB_FIELD(10));
	assert_sense(write_same(0x41, 0, 1, true, &ws), SCST_OK);
	assert_sense(write_same(0x93, 0, 1000, true, &ws), SCST_OK);
	assert_sense(write_same(0x41, 0, 1001, true, &ws), SCST_CDB_FIELD(7));
	assert_sense(write_same(0x93, 0, 1001, true, &ws), SCST_CDB_FIELD(10));
	assert_sense(write_same(0x93, 0x08, U32_MAX, true, &ws), SCST_CDB_FIELD(10));
}

/* B54 */
static void test_write_same_bits(void **state)
{
	struct scst_write_same ws;

	assert_sense(write_same(0x93, 0, 8, false, &ws), SCST_OK);
	assert_false(ws.unmap || ws.ndob);
	assert_sense(write_same(0x93, 0x08, 8, true, &ws), SCST_OK);
	assert_true(ws.unmap && !ws.ndob);
	assert_sense(write_same(0x93, 0x09, 8, true, &ws), SCST_OK);
	assert_true(ws.unmap && ws.ndob);
	assert_sense(write_same(0x93, 0x08, 8, false, &ws), SCST_INVALID_OPCODE);
	assert_sense(write_same(0x41, 0x08, 8, false, &ws), SCST_INVALID_OPCODE);

	assert_sense(write_same(0x93, 0x01, 8, true, &ws), SCST_CDB_FIELD_BIT(1, 0));
	assert_sense(write_same(0x93, 0x10, 8, true, &ws), SCST_CDB_FIELD_BIT(1, 4));
	assert_sense(write_same(0x93, 0x18, 8, true, &ws), SCST_CDB_FIELD_BIT(1, 4));
	assert_sense(write_same(0x41, 0x10, 8, true, &ws), SCST_CDB_FIELD_BIT(1, 4));
	assert_sense(write_same(0x93, 0x02, 8, true, &ws), SCST_CDB_FIELD_BIT(1, 1));
	assert_sense(write_same(0x93, 0x04, 8, true, &ws), SCST_CDB_FIELD_BIT(1, 2));
	assert_sense(write_same(0x93, 0x0c, 8, true, &ws), SCST_CDB_FIELD_BIT(1, 2));

	/* bit 0 of WRITE SAME(10) is not NDOB */
	assert_sense(write_same(0x41, 0x01, 8, true, &ws), SCST_OK);
	assert_false(ws.ndob);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unmap_lists),
		cmocka_unit_test(test_unmap_empty),
		cmocka_unit_test(test_unmap_bad_length),
		cmocka_unit_test(test_unmap_limit),
		cmocka_unit_test(test_write_same_count),
		cmocka_unit_test(test_write_same_bits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
