// SPDX-License-Identifier: GPL-2.0
/* PERSISTENT RESERVE IN, SPC-4 6.14. */
#include "pr_state.h"
#include "pr_private.h"
#include "out.h"

enum {
	READ_KEYS		= 0,
	READ_RESERVATION	= 1,
	REPORT_CAPABILITIES	= 2,
	READ_FULL_STATUS	= 3,
};

#define HEADER_LEN		8

/* 6.14.4 */
#define CAPABILITIES		0x1d	/* CRH, SIP_C, ATP_C, PTPL_C */
#define TMV_ALLOW_COMMANDS	0xc0
#define PTPL_A			0x01
#define TYPE_MASK		0xea01	/* all six types */

static void read_keys(struct scst_out *out, const struct scst_pr *pr)
{
	const struct scst_pr_reg *reg;

	for (reg = pr->regs; reg < pr->regs + pr->nr; reg++)
		scst_out_be64(out, reg->key);
}

static u64 holder_key(const struct scst_pr *pr)
{
	const struct scst_pr_reg *reg;

	/* 6.14.3.2: there is no one key if all registrants hold it. */
	if (scst_pr_is_all(pr->type))
		return 0;
	for (reg = pr->regs; reg < pr->regs + pr->nr; reg++)
		if (reg->holder)
			return reg->key;
	return 0;
}

static void read_reservation(struct scst_out *out, const struct scst_pr *pr)
{
	if (pr->type == SCST_PR_NONE)
		return;
	scst_out_be64(out, holder_key(pr));
	scst_out_fill(out, 0, 5);
	scst_out_u8(out, pr->type);	/* SCOPE 0 in the upper half */
	scst_out_be16(out, 0);
}

static void read_full_status(struct scst_out *out, const struct scst_pr *pr)
{
	const struct scst_pr_reg *reg;
	bool holder;

	for (reg = pr->regs; reg < pr->regs + pr->nr; reg++) {
		holder = scst_pr_is_holder(pr, reg);
		scst_out_be64(out, reg->key);
		scst_out_be32(out, 0);
		scst_out_u8(out, holder ? 0x01 : 0);	/* R_HOLDER */
		scst_out_u8(out, holder ? pr->type : 0);
		scst_out_be32(out, 0);
		scst_out_be16(out, reg->rel_tgt_id);
		scst_out_be32(out, reg->tid_len);
		scst_out_bytes(out, reg->tid, reg->tid_len);
	}
}

static void report_capabilities(struct scst_out *out, const struct scst_pr *pr)
{
	scst_out_be16(out, HEADER_LEN);
	scst_out_u8(out, CAPABILITIES);
	scst_out_u8(out, TMV_ALLOW_COMMANDS | (pr->aptpl ? PTPL_A : 0));
	scst_out_be16(out, TYPE_MASK);
	scst_out_be16(out, 0);
}

scst_sense_t scst_pr_in(u8 *buf, size_t room, const u8 *cdb, const struct scst_pr *pr,
			size_t *needed)
{
	static void (* const read[])(struct scst_out *out, const struct scst_pr *pr) = {
		[READ_KEYS] = read_keys,
		[READ_RESERVATION] = read_reservation,
		[READ_FULL_STATUS] = read_full_status,
	};
	struct scst_out out = { .buf = buf, .room = room };
	u8 action = cdb[1] & 0x1f;

	if (action == REPORT_CAPABILITIES) {
		report_capabilities(&out, pr);
	} else if (action < ARRAY_SIZE(read)) {
		scst_out_be32(&out, pr->generation);
		scst_out_be32(&out, 0);
		read[action](&out, pr);
		scst_out_patch_be32(&out, 4, out.len - HEADER_LEN);
	} else {
		return SCST_CDB_FIELD_BIT(1, 0);
	}
	/* Less than a header means nothing to whoever gets it. */
	*needed = get_unaligned_be16(cdb + 7) < HEADER_LEN ? 0 : out.len;
	return SCST_OK;
}
