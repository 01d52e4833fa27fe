// SPDX-License-Identifier: GPL-2.0
/* Input: offset of immediate data (two bytes), then the information unit. */
#include "fuzz.h"
#include "srpt/proto/iu.h"

#define MAX_DESCS	64

static void check_inside(const u8 *p, size_t n, const u8 *iu, size_t len)
{
	MUST(p >= iu && p <= iu + len && n <= (size_t)(iu + len - p));
}

static void check_cmd(const struct srp_cmd *cmd, const u8 *iu, size_t len)
{
	struct srp_desc desc;
	u64 sum = 0;
	u32 i;

	check_inside(cmd->lun, 8, iu, len);
	MUST(cmd->tag == get_unaligned_be64(iu + 8));
	check_inside(cmd->cdb, cmd->cdb_len, iu, len);
	MUST(cmd->cdb_len >= 16);
	MUST(!cmd->data_len == (cmd->dir == SRP_DATA_NONE));
	MUST(cmd->nr_descs <= MAX_DESCS);
	if (cmd->ext_table) {
		MUST(!cmd->descs && cmd->table.len == cmd->nr_descs * SRP_DESC_LEN);
		return;
	}
	if (cmd->imm_data) {
		check_inside(cmd->imm_data, cmd->data_len, iu, len);
		MUST(!cmd->descs && cmd->dir != SRP_DATA_IN);
		return;
	}
	if (cmd->descs)
		check_inside(cmd->descs, cmd->nr_descs * SRP_DESC_LEN, iu, len);
	for (i = 0; i < cmd->nr_descs; i++) {
		srp_desc_get(cmd->descs + i * SRP_DESC_LEN, &desc);
		sum += desc.len;
	}
	MUST(sum >= cmd->data_len);
}

/* A response says what it was told to; sense data are cut where the room ends. */
static void check_rsp(const u8 *iu, size_t len)
{
	struct srp_rsp rsp = {
		.tag = len, .sense = iu, .sense_len = len, .resid = (s64)len - 100,
		.dir = len % 3, .has_code = len % 5 == 0,
	};
	size_t room = SRP_RSP_LEN + SRP_RSP_DATA_LEN + len / 2;
	u8 *buf = malloc(room);
	size_t used;

	MUST(buf);
	memset(buf, 0xff, room);
	used = srp_rsp_build(buf, room, &rsp);
	MUST(used <= room && get_unaligned_be64(buf + 8) == rsp.tag);
	MUST(used == SRP_RSP_LEN + get_unaligned_be32(buf + 28) + get_unaligned_be32(buf + 32));
	MUST(rsp.has_code || used == min(room, SRP_RSP_LEN + len));
	if (!rsp.has_code && used > SRP_RSP_LEN)
		MUST(!memcmp(buf + SRP_RSP_LEN, iu, used - SRP_RSP_LEN));
	if (rsp.dir == SRP_DATA_OUT && rsp.resid)
		MUST(get_unaligned_be32(buf + 20) == (rsp.resid < 0 ? -rsp.resid : rsp.resid));
	free(buf);
}

static void check_login(const struct srp_login *login, const u8 *iu, bool compact)
{
	const struct srp_login_limits limits = { .guid = 1, .max_it_iu_len = 8276 };

	MUST(!memcmp(login->initiator_port, iu + (compact ? 16 : 32), 16));
	MUST(!memcmp(login->target_port, iu + (compact ? 32 : 48), 16));
	MUST(login->tag == get_unaligned_be64(iu + (compact ? 0 : 8)));
	if (!srp_login_check(login, &limits))
		MUST(login->it_iu_len >= 64 && login->it_iu_len <= 8276);
	if (srp_login_wants_imm_data(login))
		MUST(login->imm_offset >= SRP_CMD_LEN);
}

/* Of a login request nothing shorter than its form is one. */
static void login(const u8 *iu, size_t size, bool compact)
{
	const size_t need = compact ? SRP_LOGIN_REQ_CM_LEN : SRP_LOGIN_REQ_LEN;
	struct srp_login login;
	size_t len;
	u8 *copy;

	if (!srp_login_parse(iu, size, compact, &login))
		return;
	MUST(size >= need);
	check_login(&login, iu, compact);
	for (len = 0; len < need; len++) {
		copy = fuzz_copy(iu, len);
		MUST(!srp_login_parse(copy, len, compact, &login));
		free(copy);
	}
}

static void check_login_answers(u64 tag, u32 reason)
{
	struct srp_login_rsp rsp = { .tag = tag, .req_lim_delta = reason };
	u8 *a = malloc(SRP_LOGIN_RSP_LEN), *j = malloc(SRP_LOGIN_REJ_LEN);

	MUST(a && j);
	srp_login_rsp_build(a, &rsp);
	srp_login_rej_build(j, tag, reason);
	MUST(a[0] == SRP_OP_LOGIN_RSP && get_unaligned_be64(a + 8) == tag);
	MUST(j[0] == SRP_OP_LOGIN_REJ && get_unaligned_be64(j + 8) == tag);
	MUST(get_unaligned_be32(j + 4) == reason);
	free(a);
	free(j);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct srp_tsk_mgmt tm;
	struct srp_cmd cmd;
	u32 imm_offset;
	u8 *iu;

	if (size < 2)
		return 0;
	imm_offset = get_unaligned_be16(data);
	if (imm_offset < SRP_CMD_LEN)
		imm_offset = 0;
	iu = fuzz_copy(data + 2, size - 2);
	size -= 2;

	if (srp_cmd_parse(iu, size, imm_offset, MAX_DESCS, &cmd) == SRP_PARSED)
		check_cmd(&cmd, iu, size);
	if (srp_tsk_mgmt_parse(iu, size, &tm))
		check_inside(tm.lun, 8, iu, size);
	login(iu, size, false);
	login(iu, size, true);
	check_rsp(iu, size);
	check_login_answers(size, imm_offset);
	free(iu);
	return 0;
}
