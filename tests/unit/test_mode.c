// SPDX-License-Identifier: GPL-2.0
#include "common.h"
#include "scst/proto/mode.h"

#define PC_CURRENT	0x00
#define PC_CHANGEABLE	0x40
#define PC_DEFAULT	0x80
#define PC_SAVED	0xc0
#define DBD		0x08
#define PF		0x10
#define SP		0x01

static struct scst_mode cur, saved, def;
static struct scst_mode_ctx ctx;
static u8 data[SCST_MODE_MAX];
static size_t data_len;

static int setup(void **state)
{
	scst_mode_default(&cur, true, 1);
	saved = cur;
	def = cur;
	ctx = (struct scst_mode_ctx){ .block_shift = 9, .nblocks = 0x12345 };
	return 0;
}

static scst_sense_t sense6(u8 b1, u8 page, u8 subpage)
{
	const u8 cdb[6] = { 0x1a, b1, page, subpage };

	data_len = 0;
	memset(data, 0x5a, sizeof(data));
	return scst_mode_sense(data, sizeof(data), cdb, &cur, &saved, &def, &ctx, &data_len);
}

static scst_sense_t sense10(u8 b1, u8 page)
{
	const u8 cdb[10] = { 0x5a, b1, page };

	data_len = 0;
	memset(data, 0x5a, sizeof(data));
	return scst_mode_sense(data, sizeof(data), cdb, &cur, &saved, &def, &ctx, &data_len);
}

/* --- MODE SENSE --- */

static void test_header_6(void **state)
{
	static const u8 want[12] = { 11 + 20, 0, 0x10, 8, 0, 1, 0x23, 0x45, 0, 0, 2, 0 };

	assert_sense(sense6(0, 0x08, 0), SCST_OK);
	assert_int_equal(data_len, 32);
	assert_memory_equal(data, want, sizeof(want));
	assert_sense(sense6(DBD, 0x08, 0), SCST_OK);
	assert_int_equal(data_len, 24);
	assert_memory_equal(data, ((u8[]){ 23, 0, 0x10, 0, 0x08, 0x12 }), 6);
}

static void test_header_10(void **state)
{
	static const u8 want[16] = {
		0, 34, 0, 0x90, 0, 0, 0, 8, 0, 1, 0x23, 0x45, 0, 0, 2, 0,
	};

	ctx.read_only = true;
	assert_sense(sense10(0, 0x08), SCST_OK);
	assert_int_equal(data_len, 36);
	assert_memory_equal(data, want, sizeof(want));
	assert_sense(sense10(DBD, 0x08), SCST_OK);
	assert_int_equal(data_len, 28);
	assert_int_equal(data[7], 0);
}

static void test_block_descriptor(void **state)
{
	ctx.nblocks = 1ULL << 32;
	ctx.block_shift = 12;
	assert_sense(sense6(0, 0x08, 0), SCST_OK);
	assert_int_equal(get_unaligned_be32(data + 4), U32_MAX);
	assert_int_equal(get_unaligned_be32(data + 8), 4096);

	/* byte 0 is the density code of a CD-ROM */
	ctx.type = 0x05;
	assert_sense(sense6(0, 0x0a, 0), SCST_OK);
	assert_int_equal(get_unaligned_be32(data + 4), 0xffffff);
	assert_int_equal(data[2], 0);
}

static void test_pages(void **state)
{
	static const u8 p01[12] = { 0x01, 0x0a, 0xc0, 0x01, [8] = 0x01, [10] = 0xff, [11] = 0xff };
	static const u8 p02[16] = { 0x02, 0x0e, 0x80, 0x80, [5] = 0x0a };
	static const u8 p03[24] = { 0x03, 0x16, [11] = 56, [12] = 0x02, [20] = 0x40 };
	static const u8 p04[24] = { 0x04, 0x16, 0, 0, 6, 255, [20] = 0x3a, [21] = 0x98 };
	static const u8 p08[20] = { 0x08, 0x12, 0x04, [12] = 0x80, [13] = 0x14 };
	static const u8 p0a[12] = { 0x0a, 0x0a, 0x20, 0x10, [10] = 0x02, [11] = 0x4b };
	static const u8 p1c[12] = { 0x1c, 0x0a, 0x08 };
	static const struct {
		const u8 *want;
		size_t len;
	} pages[] = {	/* in the order of page 3F */
		{ p01, sizeof(p01) }, { p02, sizeof(p02) }, { p03, sizeof(p03) },
		{ p08, sizeof(p08) }, { p0a, sizeof(p0a) }, { p1c, sizeof(p1c) },
		{ p04, sizeof(p04) },
	};
	size_t i, off = 4;

	for (i = 0; i < ARRAY_SIZE(pages); i++) {
		assert_sense(sense6(DBD, pages[i].want[0], 0), SCST_OK);
		assert_int_equal(data_len, 4 + pages[i].len);
		assert_memory_equal(data + 4, pages[i].want, pages[i].len);
	}
	assert_sense(sense6(DBD, 0x3f, 0), SCST_OK);
	for (i = 0; i < ARRAY_SIZE(pages); i++) {
		assert_memory_equal(data + off, pages[i].want, pages[i].len);
		off += pages[i].len;
	}
	assert_int_equal(data_len, off);
	assert_int_equal(data[0], off - 1);
}

static void test_pages_rom(void **state)
{
	ctx.type = 0x05;
	assert_sense(sense6(DBD, 0x3f, 0), SCST_OK);
	assert_int_equal(data_len, 4 + 36);
	assert_int_equal(data[2], 0);
	assert_int_equal(data[4], 0x01);
	assert_int_equal(data[16], 0x0a);
	assert_int_equal(data[28], 0x1c);
	assert_sense(sense6(0, 0x08, 0), SCST_CDB_FIELD_BIT(2, 0));
}

static void test_geometry(void **state)
{
	static const struct {
		u64 nblocks;
		u32 cylinders;
	} cases[] = {
		{ 0, 0 }, { 1, 1 }, { 14280, 1 }, { 14281, 2 },
		{ 0xffffffULL * 14280, 0xffffff }, { U64_MAX, 0xffffff },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		ctx.nblocks = cases[i].nblocks;
		assert_sense(sense6(DBD, 0x04, 0), SCST_OK);
		assert_int_equal(get_unaligned_be24(data + 6), cases[i].cylinders);
	}
}

/* B63 asks for WCE, DPOFUA and WP to tell the truth; this is the WCE part. */
static void test_page_control(void **state)
{
	cur.wce = false;
	saved.wce = true;
	def.wce = true;
	ctx.can_save = true;
	assert_sense(sense6(DBD, PC_CURRENT | 0x08, 0), SCST_OK);
	assert_int_equal(data[4], 0x88);	/* PS */
	assert_int_equal(data[6], 0x00);
	assert_sense(sense6(DBD, PC_DEFAULT | 0x08, 0), SCST_OK);
	assert_int_equal(data[6], 0x04);
	assert_sense(sense6(DBD, PC_SAVED | 0x08, 0), SCST_OK);
	assert_int_equal(data[6], 0x04);
	ctx.can_save = false;
	assert_sense(sense6(DBD, PC_SAVED | 0x08, 0), SCST_SAVING_NOT_SUPPORTED);
	assert_sense(sense6(DBD, PC_CURRENT | 0x08, 0), SCST_OK);
	assert_int_equal(data[4], 0x08);
}

/* B62 */
static void test_changeable(void **state)
{
	static const u8 p08[20] = { 0x08, 0x12, 0x04 };
	static const u8 p0a[12] = { 0x0a, 0x0a, 0x1c, 0xf6, 0x08, 0x40 };
	static const u8 fixed[] = { 0x01, 0x02, 0x03, 0x04, 0x1c };
	size_t i, j;

	assert_sense(sense6(DBD, PC_CHANGEABLE | 0x08, 0), SCST_OK);
	assert_memory_equal(data + 4, p08, sizeof(p08));
	assert_sense(sense6(DBD, PC_CHANGEABLE | 0x0a, 0), SCST_OK);
	assert_memory_equal(data + 4, p0a, sizeof(p0a));
	for (i = 0; i < sizeof(fixed); i++) {
		assert_sense(sense6(DBD, PC_CHANGEABLE | fixed[i], 0), SCST_OK);
		assert_int_equal(data[4], fixed[i]);
		for (j = 6; j < data_len; j++)
			assert_int_equal(data[j], 0);
	}

	ctx.wce_fixed = true;
	ctx.can_save = true;
	assert_sense(sense6(DBD, PC_CHANGEABLE | 0x08, 0), SCST_OK);
	assert_int_equal(data[4], 0x08);	/* not saveable either */
	assert_int_equal(data[6], 0);
}

static void test_control_bits(void **state)
{
	cur = (struct scst_mode){
		.tst = 0, .tmf_only = true, .qam = 0, .qerr = 3, .swp = true, .tas = true,
		.d_sense = true, .dpicz = true,
	};
	assert_sense(sense6(DBD, 0x0a, 0), SCST_OK);
	assert_memory_equal(data + 6, ((u8[]){ 0x1c, 0x06, 0x08, 0x40 }), 4);
}

static void test_sense_refused(void **state)
{
	unsigned int page;

	assert_sense(sense6(0, 0x08, 1), SCST_CDB_FIELD(3));
	assert_sense(sense6(0, 0x3f, 0xff), SCST_CDB_FIELD(3));
	for (page = 0; page < 0x3f; page++)
		if (!memchr("\x01\x02\x03\x04\x08\x0a\x1c", page, 7))
			assert_sense(sense6(0, page, 0), SCST_CDB_FIELD_BIT(2, 0));
}

static size_t build(u8 *buf, size_t room, const void *arg)
{
	size_t needed = 0;

	assert_sense(scst_mode_sense(buf, room, arg, &cur, &saved, &def, &ctx, &needed), SCST_OK);
	return needed;
}

static void test_every_room(void **state)
{
	static const u8 all_6[6] = { 0x1a, 0, 0x3f };
	static const u8 all_10[10] = { 0x5a, 0, 0x3f };
	static const u8 mask_6[6] = { 0x1a, DBD, PC_CHANGEABLE | 0x3f };

	check_every_room(build, all_6);
	check_every_room(build, all_10);
	check_every_room(build, mask_6);
	assert_true(build(NULL, 0, all_10) <= SCST_MODE_MAX);
}

/* --- MODE SELECT --- */

static scst_sense_t select_exact(const u8 *cdb, const u8 *list, size_t len)
{
	u8 *copy = exact_copy(list, len);
	scst_sense_t sense = scst_mode_select(cdb, copy, len, &cur, &ctx);

	free(copy);
	return sense;
}

static scst_sense_t select6(u8 b1, const u8 *list, size_t len)
{
	return select_exact((const u8[6]) { 0x15, b1 }, list, len);
}

static scst_sense_t select10(u8 b1, const u8 *list, size_t len)
{
	return select_exact((const u8[10]) { 0x55, b1 }, list, len);
}

/* What MODE SENSE reports, sent back with one byte changed. */
static scst_sense_t select_back(u8 b1, u8 page, size_t off, u8 clear, u8 set)
{
	u8 list[SCST_MODE_MAX];

	assert_sense(sense6(0, page, 0), SCST_OK);
	memcpy(list, data, data_len);
	list[0] = 0;
	list[12] &= 0x3f;
	list[12 + off] = (list[12 + off] & ~clear) | set;
	return select6(b1, list, data_len);
}

static void test_select_wce(void **state)
{
	assert_sense(select_back(PF, 0x08, 2, 0x04, 0), SCST_OK);
	assert_false(cur.wce);
	assert_sense(select_back(PF, 0x08, 2, 0, 0x04), SCST_OK);
	assert_true(cur.wce);

	ctx.wce_fixed = true;
	assert_sense(select_back(PF, 0x08, 2, 0x04, 0x04), SCST_OK);
	assert_sense(select_back(PF, 0x08, 2, 0x04, 0), SCST_PARAM_FIELD_BIT(12 + 2, 2));
	assert_true(cur.wce);
}

static void test_select_control(void **state)
{
	assert_sense(select_back(PF, 0x0a, 2, 0, 0x1c), SCST_OK);
	assert_true(cur.tmf_only && cur.dpicz && cur.d_sense);
	assert_sense(select_back(PF, 0x0a, 3, 0xff, 0x06), SCST_OK);
	assert_int_equal(cur.qam, 0);
	assert_int_equal(cur.qerr, 3);
	assert_sense(select_back(PF, 0x0a, 4, 0, 0x08), SCST_OK);
	assert_true(cur.swp);
	assert_sense(select_back(PF, 0x0a, 5, 0, 0x40), SCST_OK);
	assert_true(cur.tas);

	assert_sense(select_back(PF, 0x0a, 2, 0xe0, 0x00), SCST_PARAM_FIELD_BIT(14, 7));
	assert_sense(select_back(PF, 0x0a, 3, 0xf0, 0x20), SCST_PARAM_FIELD_BIT(15, 7));
	assert_sense(select_back(PF, 0x0a, 3, 0x06, 0x04), SCST_PARAM_FIELD_BIT(15, 2));
	assert_int_equal(cur.qerr, 3);
}

static void test_select_cdb_bits(void **state)
{
	assert_sense(select_back(0, 0x0a, 4, 0, 0x08), SCST_CDB_FIELD(1));
	assert_sense(select_back(PF | SP, 0x0a, 4, 0, 0x08), SCST_CDB_FIELD_BIT(1, 0));
	assert_false(cur.swp);
	ctx.can_save = true;
	assert_sense(select_back(PF | SP, 0x0a, 4, 0, 0x08), SCST_OK);
	assert_sense(select_back(PF | SP, 0x08, 2, 0, 0), SCST_OK);
	ctx.wce_fixed = true;
	assert_sense(select_back(PF | SP, 0x08, 2, 0, 0), SCST_CDB_FIELD_BIT(1, 0));
	assert_sense(select_back(PF, 0x08, 2, 0, 0), SCST_OK);
}

static void test_select_header(void **state)
{
	u8 list[32] = { 0 };
	unsigned int n;

	assert_sense(select6(PF, list, 0), SCST_OK);
	for (n = 1; n < 4; n++)
		assert_sense(select6(PF, list, n), SCST_PARAM_LIST_LENGTH);
	for (n = 1; n < 8; n++)
		assert_sense(select10(PF, list, n), SCST_PARAM_LIST_LENGTH);
	assert_sense(select6(PF, list, 4), SCST_OK);
	assert_sense(select10(PF, list, 8), SCST_OK);

	for (n = 1; n < 256; n++) {
		list[3] = n;
		assert_sense(select6(PF, list, 12), n == 8 ? SCST_OK : SCST_PARAM_FIELD(3));
	}
	list[3] = 8;
	for (n = 4; n < 12; n++)
		assert_sense(select6(PF, list, n), SCST_PARAM_LIST_LENGTH);
	list[7] = 8;
	assert_sense(select10(PF, list, 16), SCST_OK);
	assert_sense(select10(PF, list, 15), SCST_PARAM_LIST_LENGTH);
	list[6] = 1;
	assert_sense(select10(PF, list, 16), SCST_PARAM_FIELD(6));
}

static void test_select_page_header(void **state)
{
	u8 list[64] = { [4] = 0x08, [5] = 0x12 };
	unsigned int code;

	assert_sense(select6(PF, list, 5), SCST_PARAM_LIST_LENGTH);
	assert_sense(select6(PF, list, 6), SCST_PARAM_LIST_LENGTH);
	assert_sense(select6(PF, list, 23), SCST_PARAM_LIST_LENGTH);
	assert_true(cur.wce);
	assert_sense(select6(PF, list, 24), SCST_OK);
	assert_false(cur.wce);
	list[4] = 0x88;
	assert_sense(select6(PF, list, 24), SCST_PARAM_FIELD_BIT(4, 7));
	list[4] = 0x48;
	assert_sense(select6(PF, list, 24), SCST_PARAM_FIELD_BIT(4, 6));
	list[4] = 0x08;
	for (code = 0; code < 256; code++) {
		list[5] = code;
		if (code != 0x12)
			assert_sense(select6(PF, list, 24), SCST_PARAM_FIELD(5));
	}
	list[5] = 0x12;
	for (code = 0; code < 0x40; code++) {
		list[4] = code;
		if (code != 0x08 && code != 0x0a)
			assert_sense(select6(PF, list, 24), SCST_PARAM_FIELD(4));
	}
	list[4] = 0x08;
	ctx.type = 0x05;
	assert_sense(select6(PF, list, 24), SCST_PARAM_FIELD(4));
}

/* All pages are good, or nothing changes. */
static void test_select_all_or_nothing(void **state)
{
	u8 list[8 + 20 + 12] = {
		[8] = 0x08, [9] = 0x12,				/* WCE 0 */
		[28] = 0x0a, [29] = 0x0a, [30] = 0x24, [31] = 0x14,	/* QErr 2 */
	};

	assert_sense(select10(PF, list, sizeof(list)), SCST_PARAM_FIELD_BIT(31, 2));
	assert_true(cur.wce);
	assert_false(cur.d_sense);
	assert_sense(select10(PF, list, sizeof(list) - 1), SCST_PARAM_LIST_LENGTH);
	assert_true(cur.wce);
	list[31] = 0x12;
	assert_sense(select10(PF, list, sizeof(list)), SCST_OK);
	assert_false(cur.wce);
	assert_true(cur.d_sense);
	assert_int_equal(cur.qerr, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_header_6, setup),
		cmocka_unit_test_setup(test_header_10, setup),
		cmocka_unit_test_setup(test_block_descriptor, setup),
		cmocka_unit_test_setup(test_pages, setup),
		cmocka_unit_test_setup(test_pages_rom, setup),
		cmocka_unit_test_setup(test_geometry, setup),
		cmocka_unit_test_setup(test_page_control, setup),
		cmocka_unit_test_setup(test_changeable, setup),
		cmocka_unit_test_setup(test_control_bits, setup),
		cmocka_unit_test_setup(test_sense_refused, setup),
		cmocka_unit_test_setup(test_every_room, setup),
		cmocka_unit_test_setup(test_select_wce, setup),
		cmocka_unit_test_setup(test_select_control, setup),
		cmocka_unit_test_setup(test_select_cdb_bits, setup),
		cmocka_unit_test_setup(test_select_header, setup),
		cmocka_unit_test_setup(test_select_page_header, setup),
		cmocka_unit_test_setup(test_select_all_or_nothing, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
