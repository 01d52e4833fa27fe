// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>

#include "common.h"
#include "scst/proto/inquiry.h"

static struct scst_ids ids;
static struct scst_inquiry inq;
static u8 data[1024];

static int setup(void **state)
{
	scst_ids_default(&ids, "disk1", 0, 0x1234abcd, "SCST_FIO", "3110");
	inq = (struct scst_inquiry){
		.ids = &ids,
		.third_party_copy = true,
		.transport_version = 0x0940,
		.rel_tgt_id = 0x0102,
		.transport_protocol = 4,
		.block_shift = 9,
		.wce = true,
		.page_size_blocks = 8,
		.max_xfer_blocks = 16384,
		.opt_xfer_blocks = 1024,
		.max_ws_blocks = 524288,
		.max_caw_blocks = 0xff,
	};
	memset(data, 0x5a, sizeof(data));
	return 0;
}

/* --- standard data --- */

static void test_std(void **state)
{
	static const u8 head[8] = { 0x00, 0x00, 0x06, 0x22, 66 - 5, 0x08, 0x10, 0x02 };
	static const u8 versions[] = { 0x00, 0x8b, 0x09, 0x40, 0x04, 0x63, 0x04, 0xc0 };
	static const u8 zeros[22];

	assert_int_equal(scst_inquiry_std(data, sizeof(data), &inq), 66);
	assert_memory_equal(data, head, sizeof(head));
	assert_memory_equal(data + 8, "SCST_FIOdisk1           3110", 28);
	assert_memory_equal(data + 36, zeros, 22);
	assert_memory_equal(data + 58, versions, sizeof(versions));
}

static void test_std_bits(void **state)
{
	inq.type = 0x05;
	inq.removable = true;
	inq.tpgs = 3;
	inq.third_party_copy = false;
	inq.phys_version = 0x1747;
	assert_int_equal(scst_inquiry_std(data, sizeof(data), &inq), 68);
	assert_int_equal(data[0], 0x05);
	assert_int_equal(data[1], 0x80);
	assert_int_equal(data[4], 68 - 5);
	assert_int_equal(data[5], 0x30);
	assert_int_equal(get_unaligned_be16(data + 60), 0x1747);
	assert_int_equal(get_unaligned_be16(data + 62), 0x0940);
	assert_int_equal(get_unaligned_be16(data + 66), 0x02a0);

	inq.qualifier = 1;
	inq.type = 0x1f;
	inq.tpgs = 1;
	inq.transport_version = 0;
	inq.phys_version = 0;
	assert_int_equal(scst_inquiry_std(data, sizeof(data), &inq), 64);
	assert_int_equal(data[0], 0x3f);
	assert_int_equal(data[5], 0x10);
}

static void test_std_vendor_specific(void **state)
{
	memset(ids.inq_vend_specific, 'v', 20);
	assert_int_equal(scst_inquiry_std(data, sizeof(data), &inq), 66);
	assert_memory_equal(data + 36, "vvvvvvvvvvvvvvvvvvvv", 20);
	assert_int_equal(data[56], 0);

	/* one more does not fit there */
	ids.inq_vend_specific[20] = 'w';
	assert_int_equal(scst_inquiry_std(data, sizeof(data), &inq), 96 + 21);
	assert_int_equal(data[4], 96 + 21 - 5);
	assert_int_equal(data[36], 0);
	assert_int_equal(data[66], 0);
	assert_int_equal(data[95], 0);
	assert_memory_equal(data + 96, "vvvvvvvvvvvvvvvvvvvvw", 21);

	memset(ids.inq_vend_specific, 'v', SCST_INQ_VEND_LEN);
	assert_int_equal(scst_inquiry_std(data, sizeof(data), &inq), 256);
	assert_int_equal(data[4], 251);
}

static void test_absent(void **state)
{
	assert_int_equal(scst_inquiry_absent(data, sizeof(data)), 36);
	assert_int_equal(data[0], 0x7f);
	assert_int_equal(data[2], 6);
	assert_int_equal(data[4], 31);
	assert_memory_equal(data + 8, "SCST                        ", 28);
}

/* --- VPD --- */

static void expect_page(u8 page, size_t len)
{
	memset(data, 0x5a, sizeof(data));
	assert_int_equal(scst_vpd_page(data, sizeof(data), page, &inq), len);
	if (!len)
		return;
	assert_int_equal(data[0], inq.qualifier << 5 | inq.type);
	assert_int_equal(data[1], page);
	assert_int_equal(get_unaligned_be16(data + 2), len - 4);
}

static void test_vpd_list(void **state)
{
	expect_page(0x00, 4 + 6);
	assert_memory_equal(data + 4, ((u8[]){ 0x00, 0x80, 0x83, 0x86, 0xb0, 0xb1 }), 6);
	inq.thin = true;
	expect_page(0x00, 4 + 7);
	assert_int_equal(data[10], 0xb2);
	inq.type = 0x05;
	expect_page(0x00, 4 + 4);
}

/* The list names exactly the pages that exist. */
static void test_vpd_list_is_true(void **state)
{
	unsigned int variant, page;
	u8 list[64];
	size_t n;

	for (variant = 0; variant < 4; variant++) {
		inq.thin = variant & 1;
		inq.type = variant & 2 ? 0x05 : 0x00;
		n = scst_vpd_page(list, sizeof(list), 0x00, &inq) - 4;
		for (page = 0; page < 256; page++)
			assert_int_equal(scst_vpd_page(NULL, 0, page, &inq) != 0,
					 !!memchr(list + 4, page, n));
	}
}

static void test_vpd_80(void **state)
{
	expect_page(0x80, 4 + 8);
	assert_memory_equal(data + 4, "1234abcd", 8);
}

/* The designator at *@off: header as given; moves on. */
static const u8 *expect_designator(size_t *off, u8 b0, u8 b1, u8 len)
{
	const u8 *d = data + *off;

	assert_int_equal(d[0], b0);
	assert_int_equal(d[1], b1);
	assert_int_equal(d[2], 0);
	assert_int_equal(d[3], len);
	*off += 4 + len;
	return d + 4;
}

static void test_vpd_83_default(void **state)
{
	size_t off = 4;

	expect_page(0x83, 4 + (4 + 8 + 14) + 8 + 12);
	assert_memory_equal(expect_designator(&off, 0x02, 0x01, 22), "SCST_FIO1234abcd-disk1", 22);
	assert_memory_equal(expect_designator(&off, 0x41, 0x94, 4), ((u8[]){ 0, 0, 1, 2 }), 4);
	/* neither naa_id nor eui64_id */
	assert_memory_equal(expect_designator(&off, 0x01, 0x02, 8), "1234abcd", 8);
}

static void test_vpd_83_all(void **state)
{
	size_t off = 4;
	const u8 *name;

	strscpy(ids.scsi_device_name, "iqn.a:b", sizeof(ids.scsi_device_name));
	strscpy(ids.vendor, "ACME", sizeof(ids.vendor));
	inq.tpg_id = 7;
	inq.transport_protocol = 0xf;
	ids.eui64_len = scst_ids_parse_hex("0x00112233445566778899aabb", ids.eui64, false);
	ids.naa_len = scst_ids_parse_hex("6001405aabbccddeeff0011223344556", ids.naa, true);
	expect_page(0x83, 4 + 12 + 26 + 8 + 8 + 16 + 20);
	name = expect_designator(&off, 0x03, 0x28, 8);
	assert_memory_equal(name, "iqn.a:b", 8);
	assert_memory_equal(expect_designator(&off, 0x02, 0x01, 22), "ACME    1234abcd-disk1", 22);
	assert_memory_equal(expect_designator(&off, 0x01, 0x14, 4), ((u8[]){ 0, 0, 1, 2 }), 4);
	assert_memory_equal(expect_designator(&off, 0x01, 0x15, 4), ((u8[]){ 0, 0, 0, 7 }), 4);
	assert_memory_equal(expect_designator(&off, 0x01, 0x02, 12), ids.eui64, 12);
	assert_memory_equal(expect_designator(&off, 0x01, 0x03, 16), ids.naa, 16);
}

static void test_vpd_83_only_what_is_set(void **state)
{
	size_t off = 4 + 26 + 8;

	ids.naa_len = scst_ids_parse_hex("5000000000000001", ids.naa, true);
	expect_page(0x83, off + 12);
	expect_designator(&off, 0x01, 0x03, 8);
}

/* Padded with 1 to 4 NULs; the length byte cannot wrap. */
static void test_vpd_83_name_padding(void **state)
{
	unsigned int n;
	size_t padded;

	inq.transport_protocol = 0xf;
	for (n = 1; n <= SCST_SCSI_NAME_LEN; n++) {
		memset(ids.scsi_device_name, 0, sizeof(ids.scsi_device_name));
		memset(ids.scsi_device_name, 'n', n);
		padded = (min(n, 251U) / 4 + 1) * 4;
		expect_page(0x83, 4 + (4 + padded) + 26 + 8 + 12);
		assert_int_equal(data[7], padded);
		assert_int_equal(data[8 + padded - 1], 0);
	}
}

static void test_vpd_83_short_fallback(void **state)
{
	size_t off = 4 + 26 + 8;

	strscpy(ids.t10_dev_id, "abc", sizeof(ids.t10_dev_id));
	expect_page(0x83, off + 12);
	assert_memory_equal(expect_designator(&off, 0x01, 0x02, 8), "abc\0\0\0\0\0", 8);
}

static void test_vpd_86(void **state)
{
	expect_page(0x86, 64);
	assert_memory_equal(data + 4, ((u8[]){ 0, 0x07, 0x01, 0x01, 0 }), 5);
	inq.wce = false;
	expect_page(0x86, 64);
	assert_int_equal(data[6], 0);
}

static void test_vpd_b0(void **state)
{
	expect_page(0xb0, 64);
	assert_int_equal(data[4], 0x01);
	assert_int_equal(data[5], 0xff);
	assert_int_equal(get_unaligned_be16(data + 6), 8);
	assert_int_equal(get_unaligned_be32(data + 8), 16384);
	assert_int_equal(get_unaligned_be32(data + 12), 1024);
	assert_int_equal(get_unaligned_be32(data + 16), 0);
	assert_int_equal(get_unaligned_be64(data + 20) | get_unaligned_be64(data + 28), 0);
	assert_int_equal(get_unaligned_be64(data + 36), 524288);

	inq.page_size_blocks = 0;
	inq.thin = true;
	inq.max_unmap_blocks = 77;
	inq.unmap_granularity = 8;
	expect_page(0xb0, 64);
	assert_int_equal(get_unaligned_be16(data + 6), 1);
	assert_int_equal(get_unaligned_be32(data + 20), 77);
	assert_int_equal(get_unaligned_be32(data + 24), 4095);
	assert_int_equal(get_unaligned_be32(data + 28), 8);
	assert_int_equal(get_unaligned_be32(data + 32), 0);
	inq.unmap_alignment = 3;
	inq.page_size_blocks = 1 << 20;
	expect_page(0xb0, 64);
	assert_int_equal(get_unaligned_be32(data + 32), 0x80000003);
	assert_int_equal(get_unaligned_be16(data + 6), 0xffff);
}

static void test_vpd_b1(void **state)
{
	expect_page(0xb1, 64);
	assert_int_equal(get_unaligned_be16(data + 4), 1);
	inq.rotational = true;
	expect_page(0xb1, 64);
	assert_int_equal(get_unaligned_be16(data + 4), 0x3a98);
}

static void test_vpd_b2(void **state)
{
	expect_page(0xb2, 0);
	inq.thin = true;
	expect_page(0xb2, 8);
	assert_memory_equal(data + 4, ((u8[]){ 0, 0xe0, 2, 0 }), 4);
	inq.lbprz = true;
	expect_page(0xb2, 8);
	assert_int_equal(data[5], 0xe4);
}

/* --- every room --- */

static size_t build_std(u8 *buf, size_t room, const void *arg)
{
	return scst_inquiry_std(buf, room, arg);
}

static size_t build_absent(u8 *buf, size_t room, const void *arg)
{
	return scst_inquiry_absent(buf, room);
}

static size_t build_vpd(u8 *buf, size_t room, const void *arg)
{
	const u8 *page = arg;

	return scst_vpd_page(buf, room, *page, &inq);
}

static void test_every_room(void **state)
{
	static const u8 vpds[] = { 0x00, 0x80, 0x83, 0x86, 0xb0, 0xb1, 0xb2 };
	size_t i;

	check_every_room(build_std, &inq);
	check_every_room(build_absent, NULL);
	memset(ids.inq_vend_specific, 'v', SCST_INQ_VEND_LEN);
	memset(ids.scsi_device_name, 'n', SCST_SCSI_NAME_LEN);
	memset(ids.vend_specific_id, 's', SCST_VEND_SPEC_ID_LEN);
	ids.naa_len = 16;
	ids.eui64_len = 16;
	inq.tpg_id = 1;
	inq.thin = true;
	check_every_room(build_std, &inq);
	for (i = 0; i < sizeof(vpds); i++) {
		check_every_room(build_vpd, &vpds[i]);
		assert_true(build_vpd(NULL, 0, &vpds[i]) <= SCST_INQUIRY_MAX);
	}
	assert_true(scst_inquiry_std(NULL, 0, &inq) <= SCST_INQUIRY_MAX);
}

/* --- identity --- */

/* CRC-32C bit by bit: start value as given, result not inverted. */
static u32 crc32c(u32 crc, const void *p, size_t n)
{
	const u8 *b = p;
	int bit;

	while (n--) {
		crc ^= *b++;
		for (bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78 : 0);
	}
	return crc;
}

static void test_ids_default(void **state)
{
	scst_ids_default(&ids, "a_rather_long_device_name", 0, 0x00ab, "SCST_BIO", "3110");
	assert_string_equal(ids.vendor, "SCST_BIO");
	assert_string_equal(ids.product, "a_rather_long_de");
	assert_string_equal(ids.revision, "3110");
	assert_string_equal(ids.usn, "ab");
	assert_string_equal(ids.t10_dev_id, "ab-a_rather_long_device_n");
	assert_string_equal(ids.vend_specific_id, ids.t10_dev_id);
	assert_string_equal(ids.scsi_device_name, "");
	assert_int_equal(ids.naa_len | ids.eui64_len, 0);

	scst_ids_default(&ids, "disk", 0xfedcba98, 0x00000012, "SCST_FIO", "3110");
	assert_string_equal(ids.usn, "fedcba9800000012");
	assert_string_equal(ids.t10_dev_id, "fedcba9800000012-disk");
}

/* B89 */
static void test_ids_many_names(void **state)
{
	static char heads[1000][9];
	char name[16], before[SCST_T10_ID_LEN + 1];
	unsigned int i, j;
	u32 crc;

	for (i = 0; i < 1000; i++) {
		snprintf(name, sizeof(name), "vol%04u", i);
		crc = crc32c(0, name, strlen(name) + 1);
		scst_ids_default(&ids, name, 0, crc, "SCST_FIO", "3110");
		memcpy(heads[i], ids.t10_dev_id, 8);
		strscpy(before, ids.t10_dev_id, sizeof(before));
		for (j = 0; j < i; j++)
			assert_string_not_equal(heads[i], heads[j]);
		/* the same again, and another with another setup_id */
		scst_ids_default(&ids, name, 0, crc, "SCST_FIO", "3110");
		assert_string_equal(ids.t10_dev_id, before);
		scst_ids_default(&ids, name, 1, crc, "SCST_FIO", "3110");
		assert_string_not_equal(ids.t10_dev_id, before);
	}
}

static void test_parse_hex(void **state)
{
	u8 out[17];

	memset(out, 0xee, sizeof(out));
	assert_int_equal(scst_ids_parse_hex("0x2123456789ABCDEF", out, true), 8);
	assert_memory_equal(out, ((u8[]){ 0x21, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0 }), 9);
	assert_int_equal(out[16], 0xee);
	assert_int_equal(scst_ids_parse_hex("3123456789abcdef", out, true), 8);
	assert_int_equal(scst_ids_parse_hex("5123456789abcdef", out, true), 8);
	assert_int_equal(scst_ids_parse_hex("0X61234567890123456789012345678901", out, true), 16);
	assert_int_equal(out[16], 0xee);
	assert_int_equal(scst_ids_parse_hex("0011223344556677", out, false), 8);
	assert_int_equal(scst_ids_parse_hex("001122334455667788990011", out, false), 12);
	assert_int_equal(scst_ids_parse_hex("f0112233445566778899001122334455", out, false), 16);
	assert_int_equal(scst_ids_parse_hex("", out, true), 0);
	assert_int_equal(out[0], 0);
	assert_int_equal(scst_ids_parse_hex("", out, false), 0);
}

static void test_parse_hex_refused(void **state)
{
	static const char * const bad_naa[] = {
		"0x", "2", "212345678901234", "21234567890123456", "6123456789012345",
		"1123456789012345", "0123456789012345", "21234567890123456789012345678901",
		"612345678901234567890123", "212345678901234g", "0x0x112345678901",
		"2123456789012345 ", "-123456789012345",
	};
	static const char * const bad_eui[] = {
		"0x", "00", "001122334455667", "00112233445566770", "0011223344556677889900112233",
		"001122334455667788990011223344556", "00112233 4556677", "zzzzzzzzzzzzzzzz",
	};
	u8 out[16];
	size_t i;

	memset(out, 0xee, sizeof(out));
	for (i = 0; i < ARRAY_SIZE(bad_naa); i++)
		assert_int_equal(scst_ids_parse_hex(bad_naa[i], out, true), -1);
	for (i = 0; i < ARRAY_SIZE(bad_eui); i++)
		assert_int_equal(scst_ids_parse_hex(bad_eui[i], out, false), -1);
	/* nothing is changed by what is refused */
	for (i = 0; i < sizeof(out); i++)
		assert_int_equal(out[i], 0xee);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_std, setup),
		cmocka_unit_test_setup(test_std_bits, setup),
		cmocka_unit_test_setup(test_std_vendor_specific, setup),
		cmocka_unit_test_setup(test_absent, setup),
		cmocka_unit_test_setup(test_vpd_list, setup),
		cmocka_unit_test_setup(test_vpd_list_is_true, setup),
		cmocka_unit_test_setup(test_vpd_80, setup),
		cmocka_unit_test_setup(test_vpd_83_default, setup),
		cmocka_unit_test_setup(test_vpd_83_all, setup),
		cmocka_unit_test_setup(test_vpd_83_only_what_is_set, setup),
		cmocka_unit_test_setup(test_vpd_83_name_padding, setup),
		cmocka_unit_test_setup(test_vpd_83_short_fallback, setup),
		cmocka_unit_test_setup(test_vpd_86, setup),
		cmocka_unit_test_setup(test_vpd_b0, setup),
		cmocka_unit_test_setup(test_vpd_b1, setup),
		cmocka_unit_test_setup(test_vpd_b2, setup),
		cmocka_unit_test_setup(test_every_room, setup),
		cmocka_unit_test_setup(test_ids_default, setup),
		cmocka_unit_test_setup(test_ids_many_names, setup),
		cmocka_unit_test(test_parse_hex),
		cmocka_unit_test(test_parse_hex_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
