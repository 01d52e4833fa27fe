// SPDX-License-Identifier: GPL-2.0
#include "common.h"
#include "srpt/proto/iu.h"

#define GUID		0x0002c90300a1b2c3ULL
#define MAX_DESCS	4096

static const struct srp_login_limits limits = { .guid = GUID, .max_it_iu_len = 8276 };

/* A login request in both forms. */
static void make_login(u8 full[SRP_LOGIN_REQ_LEN], u8 compact[SRP_LOGIN_REQ_CM_LEN])
{
	int i;

	memset(full, 0, SRP_LOGIN_REQ_LEN);
	put_unaligned_be64(0x1122334455667788ULL, full + 8);
	put_unaligned_be32(2116, full + 16);
	put_unaligned_be16(SRP_FMT_DIRECT | SRP_FMT_INDIRECT, full + 24);
	full[26] = SRP_LOGIN_IMM_DATA | SRP_LOGIN_INDEPENDENT;
	put_unaligned_be16(80, full + 28);
	for (i = 0; i < 16; i++)
		full[32 + i] = 0xa0 + i;
	put_unaligned_be64(GUID, full + 48);
	put_unaligned_be64(GUID, full + 56);

	memset(compact, 0, SRP_LOGIN_REQ_CM_LEN);
	memcpy(compact, full + 8, 8);
	memcpy(compact + 8, full + 24, 3);
	memcpy(compact + 12, full + 16, 4);
	memcpy(compact + 16, full + 32, 32);
	memcpy(compact + 48, full + 28, 2);
}

static void test_login_forms(void **state)
{
	u8 full[SRP_LOGIN_REQ_LEN], compact[SRP_LOGIN_REQ_CM_LEN];
	struct srp_login a, b;

	make_login(full, compact);
	assert_true(srp_login_parse(full, sizeof(full), false, &a));
	assert_true(srp_login_parse(compact, sizeof(compact), true, &b));
	assert_memory_equal(&a, &b, sizeof(a));
	assert_true(a.tag == 0x1122334455667788ULL);
	assert_int_equal(a.it_iu_len, 2116);
	assert_int_equal(a.imm_offset, 80);
	assert_int_equal(a.initiator_port[15], 0xaf);
	assert_int_equal(srp_login_check(&a, &limits), 0);
	assert_true(srp_login_wants_imm_data(&a));

	full[0] = SRP_OP_CMD;
	compact[11] = SRP_OP_CMD;
	assert_false(srp_login_parse(full, sizeof(full), false, &a));
	assert_false(srp_login_parse(compact, sizeof(compact), true, &b));
}

static void test_login_length(void **state)
{
	u8 full[SRP_LOGIN_REQ_LEN], compact[SRP_LOGIN_REQ_CM_LEN];
	struct srp_login login;
	size_t len;

	make_login(full, compact);
	for (len = 0; len <= sizeof(full); len++) {
		u8 *copy = exact_copy(full, len);

		assert_int_equal(srp_login_parse(copy, len, false, &login), len == 64);
		free(copy);
	}
	for (len = 0; len <= sizeof(compact); len++) {
		u8 *copy = exact_copy(compact, len);

		assert_int_equal(srp_login_parse(copy, len, true, &login), len == 56);
		free(copy);
	}
}

static void test_login_check(void **state)
{
	u8 full[SRP_LOGIN_REQ_LEN], compact[SRP_LOGIN_REQ_CM_LEN];
	struct srp_login good, l;

	make_login(full, compact);
	assert_true(srp_login_parse(full, sizeof(full), false, &good));

	l = good;
	l.it_iu_len = 64;
	assert_int_equal(srp_login_check(&l, &limits), 0);
	l.it_iu_len = 63;
	assert_int_equal(srp_login_check(&l, &limits), SRP_REJ_IT_IU_TOO_LARGE);
	l.it_iu_len = 8276;
	assert_int_equal(srp_login_check(&l, &limits), 0);
	l.it_iu_len = 8277;
	assert_int_equal(srp_login_check(&l, &limits), SRP_REJ_IT_IU_TOO_LARGE);

	l = good;
	l.target_port[7] ^= 1;
	assert_int_equal(srp_login_check(&l, &limits), SRP_REJ_NO_ASSOCIATION);
	l = good;
	l.target_port[8] ^= 1;
	assert_int_equal(srp_login_check(&l, &limits), SRP_REJ_NO_ASSOCIATION);
	l = good;
	l.buf_fmt = 0;
	assert_int_equal(srp_login_check(&l, &limits), 0);
	l.buf_fmt = BIT(4);
	assert_int_equal(srp_login_check(&l, &limits), SRP_REJ_BUFFER_FORMAT);
	l = good;
	l.flags = 2;
	assert_int_equal(srp_login_check(&l, &limits), SRP_REJ_MULTICHAN);

	l = good;
	l.imm_offset = 47;
	assert_false(srp_login_wants_imm_data(&l));
	l.imm_offset = 48;
	assert_true(srp_login_wants_imm_data(&l));
	l.flags = 0;
	assert_false(srp_login_wants_imm_data(&l));
}

static void test_login_answers(void **state)
{
	static const u8 rsp_want[SRP_LOGIN_RSP_LEN] = {
		0xc0, 0, 0, 0, 0, 0, 0, 64, 1, 2, 3, 4, 5, 6, 7, 8,
		0, 0, 0x20, 0x54, 0, 0, 0x08, 0x44, 0, 6, 0x81,
	};
	static const u8 rej_want[SRP_LOGIN_REJ_LEN] = {
		0xc2, 0, 0, 0, 0, 1, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8,
		0, 0, 0, 0, 0, 0, 0, 0, 0, 6,
	};
	const struct srp_login_rsp rsp = {
		.tag		= 0x0102030405060708ULL,
		.req_lim_delta	= 64,
		.max_it_iu_len	= 8276,
		.max_ti_iu_len	= 2116,
		.flags		= SRP_LOGIN_TERMINATED | SRP_LOGIN_IMM_DATA,
	};
	u8 buf[SRP_LOGIN_RSP_LEN];

	memset(buf, 0xa5, sizeof(buf));
	srp_login_rsp_build(buf, &rsp);
	assert_memory_equal(buf, rsp_want, sizeof(rsp_want));
	memset(buf, 0xa5, sizeof(buf));
	srp_login_rej_build(buf, rsp.tag, SRP_REJ_RESOURCES);
	assert_memory_equal(buf, rej_want, sizeof(rej_want));
}

/* An SRP_CMD without a data buffer: tag 0x42, LUN 3, READ(10). */
static size_t make_cmd(u8 *iu, u8 add_cdb_len)
{
	memset(iu, 0, SRP_CMD_LEN + add_cdb_len);
	iu[0] = SRP_OP_CMD;
	put_unaligned_be64(0x42, iu + 8);
	iu[21] = 3;
	iu[29] = 2;
	iu[31] = add_cdb_len;
	iu[32] = 0x28;
	return SRP_CMD_LEN + add_cdb_len;
}

static size_t add_desc(u8 *iu, size_t len, u64 va, u32 key, u32 bytes)
{
	put_unaligned_be64(va, iu + len);
	put_unaligned_be32(key, iu + len + 8);
	put_unaligned_be32(bytes, iu + len + 12);
	return len + SRP_DESC_LEN;
}

/* Parse a copy that ends where the information unit ends; its pointers are not for use. */
static enum srp_parsed parse(const u8 *iu, size_t len, u32 imm_offset, struct srp_cmd *cmd)
{
	u8 *copy = exact_copy(iu, len);
	enum srp_parsed res = srp_cmd_parse(copy, len, imm_offset, MAX_DESCS, cmd);

	free(copy);
	return res;
}

static void test_cmd_no_data(void **state)
{
	struct srp_cmd cmd;
	u8 iu[512];
	size_t len = make_cmd(iu, 0);

	assert_int_equal(srp_cmd_parse(iu, len, 0, MAX_DESCS, &cmd), SRP_PARSED);
	assert_int_equal(cmd.tag, 0x42);
	assert_int_equal(cmd.lun[1], 3);
	assert_int_equal(cmd.cdb_len, 16);
	assert_int_equal(cmd.cdb[0], 0x28);
	assert_int_equal(cmd.task_attr, 2);
	assert_int_equal(cmd.dir, SRP_DATA_NONE);
	assert_int_equal(cmd.data_len, 0);

	for (len = 0; len < SRP_CMD_LEN; len++)
		assert_int_equal(parse(iu, len, 0, &cmd), SRP_TOO_SHORT);
}

static void test_cmd_direct(void **state)
{
	struct srp_cmd cmd;
	struct srp_desc desc;
	u8 iu[512];
	size_t len = make_cmd(iu, 0);

	iu[5] = 0x01;
	len = add_desc(iu, len, 0x1000, 7, 4096);
	assert_int_equal(srp_cmd_parse(iu, len, 0, MAX_DESCS, &cmd), SRP_PARSED);
	assert_int_equal(cmd.dir, SRP_DATA_IN);
	assert_int_equal(cmd.data_len, 4096);
	assert_int_equal(cmd.nr_descs, 1);
	srp_desc_get(cmd.descs, &desc);
	assert_int_equal(desc.va, 0x1000);
	assert_int_equal(desc.key, 7);
	assert_int_equal(desc.len, 4096);
	for (; len > SRP_CMD_LEN; len--)
		assert_int_equal(parse(iu, len - 1, 0, &cmd), SRP_BAD_DATA);
	assert_int_equal(cmd.tag, 0x42);

	/* A buffer of no bytes is no buffer. */
	iu[5] = 0x10;
	len = add_desc(iu, make_cmd(iu, 0), 0, 0, 0);
	iu[5] = 0x10;
	assert_int_equal(parse(iu, len, 0, &cmd), SRP_PARSED);
	assert_int_equal(cmd.dir, SRP_DATA_NONE);
}

static void test_cmd_additional_cdb(void **state)
{
	struct srp_cmd cmd;
	u8 iu[512];
	size_t len = make_cmd(iu, 16);

	iu[5] = 0x10;
	iu[31] |= 3;			/* not part of the length */
	len = add_desc(iu, len, 0x1000, 7, 512);
	assert_int_equal(srp_cmd_parse(iu, len, 0, MAX_DESCS, &cmd), SRP_PARSED);
	assert_int_equal(cmd.cdb_len, 32);
	assert_int_equal(cmd.dir, SRP_DATA_OUT);
	assert_int_equal(cmd.data_len, 512);

	iu[31] = 0xfc;			/* a CDB longer than the message */
	assert_int_equal(parse(iu, len, 0, &cmd), SRP_BAD_DATA);
}

static size_t make_indirect(u8 *iu, u32 total, u32 table_len, u8 here, u32 each)
{
	size_t len = make_cmd(iu, 0);
	u8 i;

	iu[5] = 0x20;
	iu[6] = here;
	len = add_desc(iu, len, 0xdead0000, 99, table_len);
	put_unaligned_be32(total, iu + len);
	len += 4;
	for (i = 0; i < here; i++)
		len = add_desc(iu, len, 0x10000ULL * i, i, each);
	return len;
}

static void test_cmd_indirect(void **state)
{
	struct srp_cmd cmd;
	u8 iu[8192];
	size_t len, i;

	len = make_indirect(iu, 12288, 48, 3, 4096);
	assert_int_equal(srp_cmd_parse(iu, len, 0, MAX_DESCS, &cmd), SRP_PARSED);
	assert_int_equal(cmd.dir, SRP_DATA_OUT);
	assert_int_equal(cmd.nr_descs, 3);
	assert_int_equal(cmd.data_len, 12288);
	assert_false(cmd.ext_table);
	for (i = SRP_CMD_LEN; i < len; i++)
		assert_int_equal(parse(iu, i, 0, &cmd), SRP_BAD_DATA);

	/* The total may be less than the sum, but not more. */
	len = make_indirect(iu, 12287, 48, 3, 4096);
	assert_int_equal(parse(iu, len, 0, &cmd), SRP_PARSED);
	len = make_indirect(iu, 12289, 48, 3, 4096);
	assert_int_equal(parse(iu, len, 0, &cmd), SRP_BAD_DATA);

	/* Sums beyond 32 bits are sums. */
	len = make_indirect(iu, 0xffffffff, 48, 3, 0x80000000);
	assert_int_equal(parse(iu, len, 0, &cmd), SRP_PARSED);

	/* Table lengths: no multiple, shorter than the count, none, too long. */
	len = make_indirect(iu, 4096, 47, 3, 4096);
	assert_int_equal(parse(iu, len, 0, &cmd), SRP_BAD_DATA);
	len = make_indirect(iu, 4096, 16, 3, 4096);
	assert_int_equal(parse(iu, len, 0, &cmd), SRP_PARSED);
	assert_int_equal(cmd.nr_descs, 1);
	len = make_indirect(iu, 4096, 0, 0, 0);
	assert_int_equal(parse(iu, len, 0, &cmd), SRP_BAD_DATA);
	len = make_indirect(iu, 0, 0, 0, 0);
	assert_int_equal(parse(iu, len, 0, &cmd), SRP_PARSED);
	assert_int_equal(cmd.dir, SRP_DATA_NONE);
	len = make_indirect(iu, 4096, (MAX_DESCS + 1) * 16, 3, 4096);
	assert_int_equal(parse(iu, len, 0, &cmd), SRP_BAD_DATA);
	len = make_indirect(iu, 4096, 0xfffffff0, 255, 4096);
	assert_int_equal(parse(iu, len, 0, &cmd), SRP_BAD_DATA);
}

/* A table that the message holds in part, or not at all: it has to be fetched. */
static void test_cmd_table(void **state)
{
	struct srp_cmd cmd;
	u8 iu[8192];
	size_t len = make_indirect(iu, 1 << 20, 256 * 16, 12, 4096);

	assert_int_equal(parse(iu, len, 0, &cmd), SRP_PARSED);
	assert_true(cmd.ext_table);
	assert_null(cmd.descs);
	assert_int_equal(cmd.nr_descs, 256);
	assert_true(cmd.table.va == 0xdead0000);
	assert_int_equal(cmd.table.key, 99);
	assert_int_equal(cmd.table.len, 4096);

	len = make_indirect(iu, 1 << 20, 256 * 16, 0, 0);
	assert_int_equal(parse(iu, len, 0, &cmd), SRP_PARSED);
	assert_true(cmd.ext_table);
	/* More descriptors announced than there are. */
	iu[7] = 1;
	assert_int_equal(parse(iu, len, 0, &cmd), SRP_BAD_DATA);
}

static void test_cmd_immediate(void **state)
{
	struct srp_cmd cmd;
	u8 iu[1024];
	size_t len = make_cmd(iu, 0), i;

	iu[5] = 0x30;
	put_unaligned_be32(512, iu + len);
	memset(iu + len + 4, 0xcc, 80 - len - 4);
	memset(iu + 80, 0x77, 512);
	len = 80 + 512;
	assert_int_equal(srp_cmd_parse(iu, len, 80, MAX_DESCS, &cmd), SRP_PARSED);
	assert_int_equal(cmd.dir, SRP_DATA_OUT);
	assert_int_equal(cmd.data_len, 512);
	assert_ptr_equal(cmd.imm_data, iu + 80);
	for (i = SRP_CMD_LEN; i < len; i++)
		assert_int_equal(parse(iu, i, 80, &cmd), SRP_BAD_DATA);

	/* Not negotiated; data inside the descriptor; for Data-In; more than there is. */
	assert_int_equal(parse(iu, len, 0, &cmd), SRP_BAD_DATA);
	assert_int_equal(parse(iu, len, 51, &cmd), SRP_BAD_DATA);
	assert_int_equal(parse(iu, len, 52, &cmd), SRP_PARSED);
	assert_int_equal(parse(iu, len, 65535, &cmd), SRP_BAD_DATA);
	put_unaligned_be32(0xffffffff, iu + SRP_CMD_LEN);
	assert_int_equal(parse(iu, len, 80, &cmd), SRP_BAD_DATA);
	put_unaligned_be32(512, iu + SRP_CMD_LEN);
	iu[5] = 0x03;
	assert_int_equal(parse(iu, len, 80, &cmd), SRP_BAD_DATA);
}

static void test_cmd_formats(void **state)
{
	struct srp_cmd cmd;
	u8 iu[512];
	size_t len = add_desc(iu, make_cmd(iu, 0), 0x1000, 7, 512);
	unsigned int fmt;

	for (fmt = 0; fmt < 256; fmt++) {
		bool good = fmt == 0x00 || fmt == 0x01 || fmt == 0x10;

		iu[5] = fmt;
		assert_int_equal(parse(iu, len, 80, &cmd), good ? SRP_PARSED : SRP_BAD_DATA);
	}
}

static void test_tsk_mgmt(void **state)
{
	struct srp_tsk_mgmt tm;
	u8 iu[SRP_TSK_MGMT_LEN] = { SRP_OP_TSK_MGMT };
	size_t len;

	put_unaligned_be64(0x1111222233334444ULL, iu + 8);
	iu[21] = 9;
	iu[30] = SRP_TMF_LUN_RESET;
	put_unaligned_be64(0x5555666677778888ULL, iu + 32);
	assert_true(srp_tsk_mgmt_parse(iu, sizeof(iu), &tm));
	assert_true(tm.tag == 0x1111222233334444ULL);
	assert_true(tm.task_tag == 0x5555666677778888ULL);
	assert_int_equal(tm.lun[1], 9);
	assert_int_equal(tm.function, SRP_TMF_LUN_RESET);
	for (len = 0; len < sizeof(iu); len++) {
		u8 *copy = exact_copy(iu, len);

		assert_false(srp_tsk_mgmt_parse(copy, len, &tm));
		free(copy);
	}
}

static void check_resid(enum srp_data_dir dir, s64 resid, u8 flags, u32 out, u32 in)
{
	const struct srp_rsp rsp = { .dir = dir, .resid = resid };
	u8 buf[SRP_RSP_LEN];

	memset(buf, 0xa5, sizeof(buf));
	assert_int_equal(srp_rsp_build(buf, sizeof(buf), &rsp), SRP_RSP_LEN);
	assert_int_equal(buf[18], flags);
	assert_int_equal(get_unaligned_be32(buf + 20), out);
	assert_int_equal(get_unaligned_be32(buf + 24), in);
}

static void test_rsp_residual(void **state)
{
	check_resid(SRP_DATA_IN, 0, 0, 0, 0);
	check_resid(SRP_DATA_IN, 512, 0x20, 0, 512);
	check_resid(SRP_DATA_IN, -512, 0x10, 0, 512);
	check_resid(SRP_DATA_OUT, 4096, 0x08, 4096, 0);
	check_resid(SRP_DATA_OUT, -4096, 0x04, 4096, 0);
	check_resid(SRP_DATA_NONE, 512, 0, 0, 0);
	check_resid(SRP_DATA_IN, 0x1ffffffffLL, 0x20, 0, 0xffffffff);
}

static void test_rsp_sense(void **state)
{
	u8 sense[SRP_SENSE_LEN], buf[SRP_RSP_LEN + SRP_SENSE_LEN];
	struct srp_rsp rsp = {
		.tag = 0x42, .req_lim_delta = 3, .status = 2,
		.sense = sense, .sense_len = sizeof(sense),
	};
	size_t room;

	srp_sense_invalid_field(sense);
	assert_int_equal(sense[0], 0x70);
	assert_int_equal(sense[2], 5);
	assert_int_equal(sense[7], 10);
	assert_int_equal(sense[12], 0x24);

	assert_int_equal(srp_rsp_build(buf, sizeof(buf), &rsp), sizeof(buf));
	assert_int_equal(buf[0], SRP_OP_RSP);
	assert_int_equal(get_unaligned_be32(buf + 4), 3);
	assert_int_equal(get_unaligned_be64(buf + 8), 0x42);
	assert_int_equal(buf[18], 0x02);
	assert_int_equal(buf[19], 2);
	assert_int_equal(get_unaligned_be32(buf + 28), SRP_SENSE_LEN);
	assert_int_equal(get_unaligned_be32(buf + 32), 0);
	assert_memory_equal(buf + SRP_RSP_LEN, sense, sizeof(sense));

	/* Sense data is cut to the room, nothing is written behind it. */
	for (room = SRP_RSP_LEN; room < sizeof(buf); room++) {
		u8 *cut = malloc(room);

		assert_int_equal(srp_rsp_build(cut, room, &rsp), room);
		assert_int_equal(get_unaligned_be32(cut + 28), room - SRP_RSP_LEN);
		assert_int_equal(cut[18], room > SRP_RSP_LEN ? 0x02 : 0);
		free(cut);
	}
}

static void test_rsp_code(void **state)
{
	const struct srp_rsp rsp = {
		.tag = 0x42, .req_lim_delta = 1, .has_code = true, .code = SRP_RSP_NOT_SUPPORTED,
	};
	u8 buf[SRP_RSP_LEN + SRP_RSP_DATA_LEN];

	memset(buf, 0xa5, sizeof(buf));
	assert_int_equal(srp_rsp_build(buf, sizeof(buf), &rsp), sizeof(buf));
	assert_int_equal(buf[18], 0x01);
	assert_int_equal(buf[19], 0);
	assert_int_equal(get_unaligned_be32(buf + 28), 0);
	assert_int_equal(get_unaligned_be32(buf + 32), 4);
	assert_int_equal(get_unaligned_be32(buf + 36), 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_login_forms),
		cmocka_unit_test(test_login_length),
		cmocka_unit_test(test_login_check),
		cmocka_unit_test(test_login_answers),
		cmocka_unit_test(test_cmd_no_data),
		cmocka_unit_test(test_cmd_direct),
		cmocka_unit_test(test_cmd_additional_cdb),
		cmocka_unit_test(test_cmd_indirect),
		cmocka_unit_test(test_cmd_table),
		cmocka_unit_test(test_cmd_immediate),
		cmocka_unit_test(test_cmd_formats),
		cmocka_unit_test(test_tsk_mgmt),
		cmocka_unit_test(test_rsp_residual),
		cmocka_unit_test(test_rsp_sense),
		cmocka_unit_test(test_rsp_code),
	};

	return cmocka_run_group_tests_name("SRP information units", tests, NULL, NULL);
}
