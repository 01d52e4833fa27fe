// SPDX-License-Identifier: GPL-2.0
#include "iu.h"

/* Offsets in the 64-byte login request. */
enum {
	LOGIN_TAG		= 8,
	LOGIN_IT_IU_LEN		= 16,
	LOGIN_BUF_FMT		= 24,
	LOGIN_FLAGS		= 26,
	LOGIN_IMM_OFFSET	= 28,
	LOGIN_INITIATOR		= 32,
	LOGIN_TARGET		= 48,
};

/* ... and in the compact one. */
enum {
	LOGIN_CM_TAG		= 0,
	LOGIN_CM_BUF_FMT	= 8,
	LOGIN_CM_FLAGS		= 10,
	LOGIN_CM_OPCODE		= 11,
	LOGIN_CM_IT_IU_LEN	= 12,
	LOGIN_CM_INITIATOR	= 16,
	LOGIN_CM_TARGET		= 32,
	LOGIN_CM_IMM_OFFSET	= 48,
};

enum {
	CMD_BUF_FMT		= 5,	/* Data-Out in the upper half, Data-In in the lower */
	CMD_OUT_COUNT		= 6,
	CMD_IN_COUNT		= 7,
	CMD_TAG			= 8,
	CMD_LUN			= 20,
	CMD_TASK_ATTR		= 29,
	CMD_ADD_CDB_LEN		= 31,	/* in units of 4 bytes, in the upper six bits */
	CMD_CDB			= 32,
};

enum {
	TM_TAG			= 8,
	TM_LUN			= 20,
	TM_FUNCTION		= 30,
	TM_TASK_TAG		= 32,
};

enum {
	RSP_REQ_LIM_DELTA	= 4,
	RSP_TAG			= 8,
	RSP_FLAGS		= 18,
	RSP_STATUS		= 19,
	RSP_OUT_RESID		= 20,
	RSP_IN_RESID		= 24,
	RSP_SENSE_LEN		= 28,
	RSP_DATA_LEN		= 32,
};

/* Flags of SRP_RSP. */
#define RSP_CODE_VALID		BIT(0)
#define RSP_SENSE_VALID		BIT(1)
#define RSP_OUT_OVER		BIT(2)
#define RSP_OUT_UNDER		BIT(3)
#define RSP_IN_OVER		BIT(4)
#define RSP_IN_UNDER		BIT(5)

enum srp_buf_fmt {
	BUF_NONE, BUF_DIRECT, BUF_INDIRECT, BUF_IMMEDIATE,
};

bool srp_login_parse(const u8 *buf, size_t len, bool compact, struct srp_login *login)
{
	memset(login, 0, sizeof(*login));
	if (len < (compact ? SRP_LOGIN_REQ_CM_LEN : SRP_LOGIN_REQ_LEN))
		return false;

	if (compact) {
		login->tag = get_unaligned_be64(buf + LOGIN_CM_TAG);
		login->it_iu_len = get_unaligned_be32(buf + LOGIN_CM_IT_IU_LEN);
		login->buf_fmt = get_unaligned_be16(buf + LOGIN_CM_BUF_FMT);
		login->imm_offset = get_unaligned_be16(buf + LOGIN_CM_IMM_OFFSET);
		login->flags = buf[LOGIN_CM_FLAGS];
		memcpy(login->initiator_port, buf + LOGIN_CM_INITIATOR, 16);
		memcpy(login->target_port, buf + LOGIN_CM_TARGET, 16);
		return buf[LOGIN_CM_OPCODE] == SRP_OP_LOGIN_REQ;
	}
	login->tag = get_unaligned_be64(buf + LOGIN_TAG);
	login->it_iu_len = get_unaligned_be32(buf + LOGIN_IT_IU_LEN);
	login->buf_fmt = get_unaligned_be16(buf + LOGIN_BUF_FMT);
	login->imm_offset = get_unaligned_be16(buf + LOGIN_IMM_OFFSET);
	login->flags = buf[LOGIN_FLAGS];
	memcpy(login->initiator_port, buf + LOGIN_INITIATOR, 16);
	memcpy(login->target_port, buf + LOGIN_TARGET, 16);
	return buf[0] == SRP_OP_LOGIN_REQ;
}

u32 srp_login_check(const struct srp_login *login, const struct srp_login_limits *limits)
{
	if (login->it_iu_len < SRP_MIN_IT_IU_LEN || login->it_iu_len > limits->max_it_iu_len)
		return SRP_REJ_IT_IU_TOO_LARGE;
	if (get_unaligned_be64(login->target_port) != limits->guid ||
	    get_unaligned_be64(login->target_port + 8) != limits->guid)
		return SRP_REJ_NO_ASSOCIATION;
	if (login->buf_fmt & ~(SRP_FMT_DIRECT | SRP_FMT_INDIRECT))
		return SRP_REJ_BUFFER_FORMAT;
	if ((login->flags & SRP_LOGIN_MULTICHAN) > SRP_LOGIN_INDEPENDENT)
		return SRP_REJ_MULTICHAN;
	return 0;
}

bool srp_login_wants_imm_data(const struct srp_login *login)
{
	return login->flags & SRP_LOGIN_IMM_DATA && login->imm_offset >= SRP_CMD_LEN;
}

void srp_login_rsp_build(u8 buf[SRP_LOGIN_RSP_LEN], const struct srp_login_rsp *rsp)
{
	memset(buf, 0, SRP_LOGIN_RSP_LEN);
	buf[0] = SRP_OP_LOGIN_RSP;
	put_unaligned_be32(rsp->req_lim_delta, buf + 4);
	put_unaligned_be64(rsp->tag, buf + 8);
	put_unaligned_be32(rsp->max_it_iu_len, buf + 16);
	put_unaligned_be32(rsp->max_ti_iu_len, buf + 20);
	put_unaligned_be16(SRP_FMT_DIRECT | SRP_FMT_INDIRECT, buf + 24);
	buf[26] = rsp->flags;
}

void srp_login_rej_build(u8 buf[SRP_LOGIN_REJ_LEN], u64 tag, u32 reason)
{
	memset(buf, 0, SRP_LOGIN_REJ_LEN);
	buf[0] = SRP_OP_LOGIN_REJ;
	put_unaligned_be32(reason, buf + 4);
	put_unaligned_be64(tag, buf + 8);
	put_unaligned_be16(SRP_FMT_DIRECT | SRP_FMT_INDIRECT, buf + 24);
}

void srp_desc_get(const u8 *raw, struct srp_desc *desc)
{
	desc->va = get_unaligned_be64(raw);
	desc->key = get_unaligned_be32(raw + 8);
	desc->len = get_unaligned_be32(raw + 12);
}

bool srp_descs_cover(const u8 *raw, u32 nr, u32 len)
{
	u64 sum = 0;

	for (; nr && sum < len; nr--, raw += SRP_DESC_LEN)
		sum += get_unaligned_be32(raw + 12);
	return sum >= len;
}

static bool srp_cmd_direct(const u8 *buf, size_t len, size_t off, struct srp_cmd *cmd)
{
	if (len - off < SRP_DESC_LEN)
		return false;
	cmd->descs = buf + off;
	cmd->nr_descs = 1;
	cmd->data_len = get_unaligned_be32(cmd->descs + 12);
	return true;
}

/*
 * The table may be in the information unit as a whole, in part (the count says how many
 * descriptors are here) or not at all. Unless it is complete it is read from the initiator.
 */
static bool srp_cmd_indirect(const u8 *buf, size_t len, size_t off, u32 max_descs,
			     struct srp_cmd *cmd)
{
	u32 here = buf[CMD_OUT_COUNT] + buf[CMD_IN_COUNT];

	if (len - off < SRP_INDIRECT_LEN)
		return false;
	srp_desc_get(buf + off, &cmd->table);
	cmd->data_len = get_unaligned_be32(buf + off + SRP_DESC_LEN);
	off += SRP_INDIRECT_LEN;

	if (cmd->table.len % SRP_DESC_LEN || here > (len - off) / SRP_DESC_LEN)
		return false;
	cmd->nr_descs = cmd->table.len / SRP_DESC_LEN;
	if (cmd->nr_descs > max_descs)
		return false;
	cmd->ext_table = cmd->nr_descs > here;
	if (cmd->ext_table)
		return true;
	cmd->descs = buf + off;
	return srp_descs_cover(cmd->descs, cmd->nr_descs, cmd->data_len);
}

static bool srp_cmd_immediate(const u8 *buf, size_t len, size_t off, u32 imm_offset,
			      struct srp_cmd *cmd)
{
	u32 data_len;

	if (!imm_offset || len - off < 4 || imm_offset < off + 4)
		return false;
	data_len = get_unaligned_be32(buf + off);
	if (imm_offset > len || data_len > len - imm_offset)
		return false;
	cmd->data_len = data_len;
	cmd->imm_data = buf + imm_offset;
	return true;
}

enum srp_parsed srp_cmd_parse(const u8 *buf, size_t len, u32 imm_offset, u32 max_descs,
			      struct srp_cmd *cmd)
{
	u8 in, out, fmt;
	size_t off;
	bool good;

	memset(cmd, 0, sizeof(*cmd));
	if (len < SRP_CMD_LEN)
		return SRP_TOO_SHORT;
	cmd->tag = get_unaligned_be64(buf + CMD_TAG);
	cmd->lun = buf + CMD_LUN;
	cmd->task_attr = buf[CMD_TASK_ATTR] & 7;
	off = buf[CMD_ADD_CDB_LEN] & ~3U;
	if (off > len - SRP_CMD_LEN)
		return SRP_BAD_DATA;
	cmd->cdb = buf + CMD_CDB;
	cmd->cdb_len = 16 + off;
	off += SRP_CMD_LEN;

	/* No bidirectional commands. */
	in = buf[CMD_BUF_FMT] & 0xf;
	out = buf[CMD_BUF_FMT] >> 4;
	if (in && out)
		return SRP_BAD_DATA;
	fmt = in ? in : out;

	switch (fmt) {
	case BUF_NONE:
		return SRP_PARSED;
	case BUF_DIRECT:
		good = srp_cmd_direct(buf, len, off, cmd);
		break;
	case BUF_INDIRECT:
		good = srp_cmd_indirect(buf, len, off, max_descs, cmd);
		break;
	case BUF_IMMEDIATE:
		good = out && srp_cmd_immediate(buf, len, off, imm_offset, cmd);
		break;
	default:
		good = false;
	}
	if (!good)
		return SRP_BAD_DATA;
	if (cmd->data_len)
		cmd->dir = in ? SRP_DATA_IN : SRP_DATA_OUT;
	return SRP_PARSED;
}

bool srp_tsk_mgmt_parse(const u8 *buf, size_t len, struct srp_tsk_mgmt *tm)
{
	if (len < SRP_TSK_MGMT_LEN)
		return false;
	tm->tag = get_unaligned_be64(buf + TM_TAG);
	tm->task_tag = get_unaligned_be64(buf + TM_TASK_TAG);
	tm->lun = buf + TM_LUN;
	tm->function = buf[TM_FUNCTION];
	return true;
}

static u8 srp_rsp_resid(u8 *buf, const struct srp_rsp *rsp)
{
	bool out = rsp->dir == SRP_DATA_OUT;
	u64 count;

	if (!rsp->resid || rsp->dir == SRP_DATA_NONE)
		return 0;
	count = rsp->resid < 0 ? -rsp->resid : rsp->resid;
	put_unaligned_be32(min_t(u64, count, U32_MAX), buf + (out ? RSP_OUT_RESID : RSP_IN_RESID));
	if (rsp->resid < 0)
		return out ? RSP_OUT_OVER : RSP_IN_OVER;
	return out ? RSP_OUT_UNDER : RSP_IN_UNDER;
}

size_t srp_rsp_build(u8 *buf, size_t room, const struct srp_rsp *rsp)
{
	size_t len = SRP_RSP_LEN, sense_len;

	memset(buf, 0, SRP_RSP_LEN);
	buf[0] = SRP_OP_RSP;
	put_unaligned_be32(rsp->req_lim_delta, buf + RSP_REQ_LIM_DELTA);
	put_unaligned_be64(rsp->tag, buf + RSP_TAG);
	buf[RSP_FLAGS] = srp_rsp_resid(buf, rsp);
	buf[RSP_STATUS] = rsp->status;

	if (rsp->has_code) {
		buf[RSP_FLAGS] |= RSP_CODE_VALID;
		put_unaligned_be32(SRP_RSP_DATA_LEN, buf + RSP_DATA_LEN);
		put_unaligned_be32(rsp->code, buf + len);
		return len + SRP_RSP_DATA_LEN;
	}
	sense_len = min_t(size_t, rsp->sense_len, room - len);
	if (sense_len) {
		buf[RSP_FLAGS] |= RSP_SENSE_VALID;
		put_unaligned_be32(sense_len, buf + RSP_SENSE_LEN);
		memcpy(buf + len, rsp->sense, sense_len);
	}
	return len + sense_len;
}

void srp_sense_invalid_field(u8 sense[SRP_SENSE_LEN])
{
	memset(sense, 0, SRP_SENSE_LEN);
	sense[0] = 0x70;
	sense[2] = 0x05;		/* ILLEGAL REQUEST */
	sense[7] = SRP_SENSE_LEN - 8;
	sense[12] = 0x24;		/* INVALID FIELD IN CDB */
}
