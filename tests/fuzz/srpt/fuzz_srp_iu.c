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

static void check_rsp(const u8 *iu, size_t len)
{
	struct srp_rsp rsp = {
		.tag = len, .sense = iu, .sense_len = len, .resid = (s64)len - 100,
		.dir = len % 3, .has_code = len % 5 == 0,
	};
	size_t room = SRP_RSP_LEN + SRP_RSP_DATA_LEN + len / 2;
	u8 *buf = malloc(room);

	MUST(buf);
	MUST(srp_rsp_build(buf, room, &rsp) <= room);
	free(buf);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct srp_login_limits limits = { .max_it_iu_len = 8276 };
	struct srp_tsk_mgmt tm;
	struct srp_login login;
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
	if (srp_login_parse(iu, size, imm_offset & 1, &login))
		srp_login_check(&login, &limits);
	check_rsp(iu, size);
	free(iu);
	return 0;
}
