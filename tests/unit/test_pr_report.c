// SPDX-License-Identifier: GPL-2.0
/* PERSISTENT RESERVE IN, and the state as a file and as text. */
#include "pr_world.h"

static u8 data[4096];
static size_t data_len;

static struct scst_pr_reg loaded_regs[WORLD_MAX];
static struct scst_pr loaded;

static scst_sense_t pr_in_room(u8 *buf, size_t room, u8 action, u16 allocation)
{
	const u8 cdb[10] = { 0x5e, action, [7] = allocation >> 8, [8] = allocation & 0xff };

	data_len = ~0UL;
	return scst_pr_in(buf, room, cdb, &pr, &data_len);
}

static scst_sense_t pr_in(u8 action)
{
	memset(data, 0x5a, sizeof(data));
	return pr_in_room(data, sizeof(data), action, 0xffff);
}

static void test_read_keys(void **state)
{
	static const u8 want[] = {
		0, 0, 0, 3, 0, 0, 0, 24, 0, 0, 0, 0, 0, 0, 0, 0xa, 0, 0, 0, 0, 0, 0, 0, 0xb,
		0, 0, 0, 0, 0, 0, 0, 0xc,
	};

	assert_sense(pr_in(0), SCST_OK);
	assert_int_equal(data_len, 8);
	assert_int_equal(get_unaligned_be64(data), 0);
	three(1);
	assert_sense(pr_in(0), SCST_OK);
	assert_int_equal(data_len, sizeof(want));
	assert_memory_equal(data, want, sizeof(want));
}

static void test_read_reservation(void **state)
{
	unsigned int i;
	u8 type;

	three(0);
	assert_sense(pr_in(1), SCST_OK);
	assert_int_equal(data_len, 8);
	assert_int_equal(get_unaligned_be32(data), 3);
	assert_int_equal(get_unaligned_be32(data + 4), 0);
	for (i = 0; i < sizeof(pr_types); i++) {
		type = pr_types[i];
		three(type);
		assert_sense(pr_in(1), SCST_OK);
		assert_int_equal(data_len, 24);
		assert_int_equal(get_unaligned_be32(data + 4), 16);
		assert_int_equal(get_unaligned_be64(data + 8), pr_type_all(type) ? 0 : 0xa);
		assert_int_equal(get_unaligned_be32(data + 16), 0);
		assert_int_equal(get_unaligned_be32(data + 20), (u32)type << 16);
	}
}

static void test_report_capabilities(void **state)
{
	assert_sense(pr_in(2), SCST_OK);
	assert_int_equal(data_len, 8);
	assert_memory_equal(data, ((u8[]){ 0, 8, 0x1d, 0xc0, 0xea, 0x01, 0, 0 }), 8);
	assert_sense(pr_do("a1", REGISTER, 0, 0, 0xa, 1), SCST_OK);
	assert_sense(pr_in(2), SCST_OK);
	assert_int_equal(data[3], 0xc1);
}

/* B122: for every type, scope in the upper half of the byte and type in the lower */
static void test_read_full_status(void **state)
{
	unsigned int i, j;
	const u8 *d;
	bool holder;

	for (i = 0; i < sizeof(pr_types); i++) {
		three(pr_types[i]);
		assert_sense(pr_in(3), SCST_OK);
		assert_int_equal(data_len, 8 + 3 * 48);
		assert_int_equal(get_unaligned_be32(data + 4), 3 * 48);
		for (j = 0; j < 3; j++) {
			d = data + 8 + 48 * j;
			holder = !j || pr_type_all(pr_types[i]);
			assert_int_equal(get_unaligned_be64(d), 0xa + j);
			assert_int_equal(get_unaligned_be32(d + 8), 0);
			assert_int_equal(d[12], holder);
			assert_int_equal(d[13], holder ? pr_types[i] : 0);
			assert_int_equal(get_unaligned_be32(d + 14), 0);
			assert_int_equal(get_unaligned_be16(d + 18), 1);
			assert_int_equal(get_unaligned_be32(d + 20), SCST_TID_LEN);
			assert_memory_equal(d + 24, tids[j], SCST_TID_LEN);
		}
	}
}

static void test_in_refused(void **state)
{
	unsigned int action, allocation;

	for (action = 4; action < 32; action++)
		assert_sense(pr_in(action), SCST_CDB_FIELD_BIT(1, 0));
	for (action = 0; action < 4; action++)
		for (allocation = 0; allocation < 8; allocation++) {
			assert_sense(pr_in_room(data, 8, action, allocation), SCST_OK);
			assert_int_equal(data_len, 0);
		}
	assert_sense(pr_in_room(data, 8, 0, 8), SCST_OK);
	assert_int_equal(data_len, 8);
}

static size_t build_in(u8 *buf, size_t room, const void *arg)
{
	const u8 *action = arg;

	assert_sense(pr_in_room(buf, room, *action, 0xffff), SCST_OK);
	return data_len;
}

static size_t build_file(u8 *buf, size_t room, const void *arg)
{
	return scst_pr_save(buf, room, &pr);
}

static size_t build_text(u8 *buf, size_t room, const void *arg)
{
	return scst_pr_print((char *)buf, room, &pr);
}

static void test_every_room(void **state)
{
	u8 action;

	three(5);
	for (action = 0; action < 4; action++)
		check_every_room(build_in, &action);
	check_every_room(build_file, NULL);
	check_every_room(build_text, NULL);
}

/* --- the file --- */

static int load_exact(const u8 *file, size_t len)
{
	u8 *copy = exact_copy(file, len);
	int ret;

	loaded = (struct scst_pr){ .regs = loaded_regs, .max = WORLD_MAX };
	ret = scst_pr_load(&loaded, copy, len);
	free(copy);
	if (ret) {
		assert_int_equal(loaded.nr, 0);
		assert_int_equal(loaded.type, SCST_PR_NONE);
		assert_false(loaded.aptpl);
	}
	return ret;
}

static void expect_same(bool aptpl, u32 generation)
{
	unsigned int i;

	assert_int_equal(loaded.nr, pr.nr);
	assert_int_equal(loaded.type, pr.type);
	assert_int_equal(loaded.aptpl, aptpl);
	assert_int_equal(loaded.generation, generation);
	for (i = 0; i < pr.nr; i++) {
		assert_int_equal(loaded_regs[i].key, regs[i].key);
		assert_int_equal(loaded_regs[i].rel_tgt_id, regs[i].rel_tgt_id);
		assert_int_equal(loaded_regs[i].tid_len, regs[i].tid_len);
		assert_memory_equal(loaded_regs[i].tid, regs[i].tid, regs[i].tid_len);
		assert_int_equal(scst_pr_is_holder(&loaded, &loaded_regs[i]),
				 scst_pr_is_holder(&pr, &regs[i]));
	}
}

/* Registers an iSCSI port, whose TransportID is longer. */
static void add_iscsi(void)
{
	u8 list[24] = { [15] = 0x99 }, tid[SCST_TID_MAX];
	const u8 cdb[10] = { 0x5f };
	struct scst_pr_request req = {
		.cdb = cdb,
		.list = list,
		.len = sizeof(list),
		.nexus = { .tid = tid, .rel_tgt_id = 0x1234 },
	};

	req.nexus.tid_len = scst_tid_iscsi(tid, "iqn.2001-04.com.example:host,i,0x00023d000001");
	assert_sense(scst_pr_out(&pr, &req), SCST_OK);
}

static void test_file_round_trip(void **state)
{
	unsigned int i;
	size_t len;

	for (i = 0; i <= sizeof(pr_types); i++) {
		three(i < sizeof(pr_types) ? pr_types[i] : 0);
		add_iscsi();
		pr.aptpl = true;
		len = scst_pr_save(data, sizeof(data), &pr);
		assert_int_equal(load_exact(data, len), 0);
		expect_same(true, 0);
	}
}

static void test_file_layout(void **state)
{
	u64 sign = 0xbbeeeeaaeebbdd77ULL, version = 1;
	u16 port = 1;

	three(5);
	pr.aptpl = true;
	assert_int_equal(scst_pr_save(data, sizeof(data), &pr), 20 + 3 * 35);
	assert_memory_equal(data, &sign, 8);
	assert_memory_equal(data + 8, &version, 8);
	assert_memory_equal(data + 16, ((u8[]){ 1, 1, 5, 0 }), 4);
	assert_int_equal(data[20], 1);
	assert_memory_equal(data + 21, tids[0], SCST_TID_LEN);
	assert_int_equal(get_unaligned_be64(data + 45), 0xa);
	assert_memory_equal(data + 53, &port, 2);
	assert_int_equal(data[55], 0);

	world_setup(NULL);
	assert_int_equal(scst_pr_save(data, sizeof(data), &pr), 20);
	assert_int_equal(load_exact(data, 20), 0);
	assert_int_equal(loaded.nr, 0);
}

static void test_file_cut(void **state)
{
	size_t len, n;

	three(5);
	pr.aptpl = true;
	add_iscsi();
	len = scst_pr_save(data, sizeof(data), &pr);
	for (n = 0; n < len; n++) {
		int ret = load_exact(data, n);

		/* between records a file looks complete, if the holder is in it */
		if (n >= 55 && n <= 125 && (n - 20) % 35 == 0)
			assert_int_equal(ret, 0);
		else
			assert_int_equal(ret, -1);
	}
}

static void expect_file_refused(size_t off, u8 value)
{
	size_t len = scst_pr_save(data, sizeof(data), &pr);

	data[off] = value;
	assert_int_equal(load_exact(data, len), -1);
}

static void test_file_refused(void **state)
{
	size_t len;

	three(5);
	expect_file_refused(0, 0);	/* signature: not completely written */
	expect_file_refused(8, 2);	/* version */
	expect_file_refused(18, 2);	/* type */
	expect_file_refused(18, 0);
	expect_file_refused(19, 1);	/* scope */
	expect_file_refused(20, 0);	/* nobody holds it */
	expect_file_refused(55, 1);	/* two do */
	expect_file_refused(21, 0x0f);	/* TransportID */
	expect_file_refused(52, 0);	/* key */

	/* one registrant twice */
	len = scst_pr_save(data, sizeof(data), &pr);
	memcpy(data + 90 + 1, data + 55 + 1, 34);
	assert_int_equal(load_exact(data, len), -1);

	len = scst_pr_save(data, sizeof(data), &pr);
	loaded = (struct scst_pr){ .regs = loaded_regs, .max = 2 };
	assert_int_equal(scst_pr_load(&loaded, data, len), -2);
	assert_int_equal(loaded.nr, 0);
}

/* --- the text --- */

static int parse_exact(const char *text, unsigned int *unknown)
{
	char *copy = (char *)exact_copy(text, strlen(text) + 1);
	int ret;

	loaded = (struct scst_pr){ .regs = loaded_regs, .max = WORLD_MAX };
	ret = scst_pr_parse(&loaded, copy, unknown);
	free(copy);
	if (ret)
		assert_int_equal(loaded.nr, 0);
	return ret;
}

static void test_text_round_trip(void **state)
{
	unsigned int i, unknown;
	size_t len;

	for (i = 0; i <= sizeof(pr_types); i++) {
		three(i < sizeof(pr_types) ? pr_types[i] : 0);
		add_iscsi();
		len = scst_pr_print((char *)data, sizeof(data) - 1, &pr);
		data[len] = '\0';
		assert_int_equal(parse_exact((char *)data, &unknown), 0);
		assert_int_equal(unknown, 0);
		expect_same(false, pr.generation);
	}
}

#define TID_A	"040000000000000000000000000000000000000000000061"
#define TID_B	"040000000000000000000000000000000000000000000062"
#define REG_A	"registrant 1 000000000000000a 1 24 " TID_A "\n"
#define REG_B	"registrant 65535 00000000000000ff 0 24 " TID_B "\n"

static void test_text_format(void **state)
{
	size_t len;

	assert_sense(pr_do("a1", REGISTER, 0, 0, 0xa, 0), SCST_OK);
	assert_sense(pr_do("a1", RESERVE, 5, 0xa, 0, 0), SCST_OK);
	len = scst_pr_print((char *)data, sizeof(data), &pr);
	data[len] = '\0';
	assert_string_equal((char *)data, "version 1\ngeneration 1\nreservation 05 00\n" REG_A);
}

static void test_text_accepted(void **state)
{
	unsigned int unknown;

	assert_int_equal(parse_exact("version 1\n", &unknown), 0);
	assert_int_equal(parse_exact("version 1", &unknown), 0);
	assert_int_equal(parse_exact("version 1\n\ngeneration 7\nfuture thing\n# x\n" REG_A REG_B,
				     &unknown), 0);
	assert_int_equal(unknown, 2);
	assert_int_equal(loaded.nr, 2);
	assert_int_equal(loaded.generation, 7);
	/* without a reservation nobody holds it */
	assert_false(loaded_regs[0].holder);
	assert_int_equal(loaded_regs[1].rel_tgt_id, 65535);
	assert_int_equal(loaded_regs[1].key, 0xff);
	assert_int_equal(parse_exact("version 1\nreservation 07 00\n" REG_B, &unknown), 0);
	assert_true(scst_pr_is_holder(&loaded, &loaded_regs[0]));
}

static void test_text_refused(void **state)
{
	static const char * const bad[] = {
		"", "\n", "version 2\n", "version\n", "generation 1\nversion 1\n", "version 1x\n",
		"version 1\ngeneration -1\n", "version 1\ngeneration 4294967296\n",
		"version 1\nreservation 05 00\n" REG_B,		/* no holder */
		"version 1\nreservation 07 00\n",
		"version 1\nreservation 02 00\n" REG_A,
		"version 1\nreservation 00 00\n" REG_A,
		"version 1\nreservation 5 0\n" REG_A,
		"version 1\nreservation 05 01\n" REG_A,
		"version 1\nreservation 05\n" REG_A,
		"version 1\n" REG_A REG_A,
		"version 1\nregistrant\n",
		"version 1\nregistrant 65536 000000000000000a 1 24 " TID_A "\n",
		"version 1\nregistrant 1 0000000000000000 1 24 " TID_A "\n",
		"version 1\nregistrant 1 a 1 24 " TID_A "\n",
		"version 1\nregistrant 1 000000000000000a 2 24 " TID_A "\n",
		"version 1\nregistrant 1 000000000000000a 1 23 " TID_A "\n",
		"version 1\nregistrant 1 000000000000000a 1 25 " TID_A "\n",
		"version 1\nregistrant 1 000000000000000a 1 24 " TID_A "0\n",
		"version 1\nregistrant 1 000000000000000a 1 9999 " TID_A "\n",
		"version 1\nregistrant 1 000000000000000a 1 0 \n",
		"version 1\nregistrant 1 000000000000000a 1 1 0f\n",
		"version 1\nregistrant 1 00000000000000zz 1 24 " TID_A "\n",
	};
	unsigned int unknown;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++)
		if (parse_exact(bad[i], &unknown) != -1)
			fail_msg("accepted: %s", bad[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_read_keys, world_setup),
		cmocka_unit_test_setup(test_read_reservation, world_setup),
		cmocka_unit_test_setup(test_report_capabilities, world_setup),
		cmocka_unit_test_setup(test_read_full_status, world_setup),
		cmocka_unit_test_setup(test_in_refused, world_setup),
		cmocka_unit_test_setup(test_every_room, world_setup),
		cmocka_unit_test_setup(test_file_round_trip, world_setup),
		cmocka_unit_test_setup(test_file_layout, world_setup),
		cmocka_unit_test_setup(test_file_cut, world_setup),
		cmocka_unit_test_setup(test_file_refused, world_setup),
		cmocka_unit_test_setup(test_text_round_trip, world_setup),
		cmocka_unit_test_setup(test_text_format, world_setup),
		cmocka_unit_test_setup(test_text_accepted, world_setup),
		cmocka_unit_test_setup(test_text_refused, world_setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
