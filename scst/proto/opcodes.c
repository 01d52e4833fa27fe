// SPDX-License-Identifier: GPL-2.0
/* REPORT SUPPORTED OPERATION CODES, SPC-4 6.34. */
#include "cdb.h"
#include "cdb_table.h"
#include "out.h"

#define RCTD			0x80
#define REPORTING_OPTIONS	0x07

#define TIMEOUTS_LEN		12
#define NOMINAL_S		1

enum {
	OPTION_ALL		= 0,
	OPTION_OPCODE		= 1,
	OPTION_SERVICE_ACTION	= 2,
};

enum {
	SUPPORT_STANDARD	= 3,
};

struct report {
	struct scst_out out;
	bool (*listed)(const struct scst_cdb_desc *desc, void *arg);
	void *arg;
	u8 type;
	bool timeouts;
};

static bool is_listed(const struct report *rep, const struct scst_cdb_desc *desc)
{
	/* GET LBA STATUS has a row so that it is refused the way it is. */
	return desc->types & BIT(rep->type) && desc->op != SCST_OP_GET_LBA_STATUS &&
	       (!rep->listed || rep->listed(desc, rep->arg));
}

static u32 recommended_s(const struct scst_cdb_desc *desc)
{
	switch (desc->op) {
	case SCST_OP_FORMAT_UNIT:
	case SCST_OP_WRITE_SAME:
	case SCST_OP_UNMAP:
		return 3600;
	default:
		return desc->flags & (SCST_CDB_SLEEPS | SCST_CDB_MEDIUM_IO) ? 60 : 10;
	}
}

/* Command timeouts descriptor, 6.34.4. */
static void put_timeouts(struct scst_out *out, const struct scst_cdb_desc *desc)
{
	scst_out_be16(out, TIMEOUTS_LEN - 2);
	scst_out_be16(out, 0);
	scst_out_be32(out, NOMINAL_S);
	scst_out_be32(out, recommended_s(desc));
}

/* All commands, 6.34.2. */
static void report_all(struct report *rep)
{
	struct scst_out *out = &rep->out;
	const struct scst_cdb_desc *desc;
	unsigned int i;

	scst_out_be32(out, 0);
	for (i = 0; i < scst_cdb_table_len; i++) {
		desc = &scst_cdb_table[i];
		if (!is_listed(rep, desc))
			continue;
		scst_out_u8(out, desc->opcode);
		scst_out_u8(out, 0);
		scst_out_be16(out, desc->service_action);
		scst_out_u8(out, 0);
		scst_out_u8(out, (rep->timeouts ? 0x02 : 0) | (desc->has_sa ? 0x01 : 0));
		scst_out_be16(out, desc->len);
		if (rep->timeouts)
			put_timeouts(out, desc);
	}
	scst_out_patch_be32(out, 0, out->len - 4);
}

/* One command, 6.34.3. */
static void report_one(struct report *rep, const struct scst_cdb_desc *desc)
{
	struct scst_out *out = &rep->out;

	if (!desc) {
		scst_out_be32(out, 0);
		return;
	}
	scst_out_u8(out, 0);
	scst_out_u8(out, (rep->timeouts ? 0x80 : 0) | SUPPORT_STANDARD);
	scst_out_be16(out, desc->len);
	scst_out_bytes(out, desc->usage, desc->len);
	if (rep->timeouts)
		put_timeouts(out, desc);
}

/* A listed row of @opcode, with this service action if @sa is not negative. */
static const struct scst_cdb_desc *find_listed(const struct report *rep, u8 opcode, int sa)
{
	const struct scst_cdb_desc *desc = scst_cdb_first_row(opcode);
	const struct scst_cdb_desc *end = scst_cdb_table + scst_cdb_table_len;

	if (!desc)
		return NULL;
	for (; desc < end && desc->opcode == opcode; desc++)
		if (is_listed(rep, desc) && (sa < 0 || desc->service_action == sa))
			return desc;
	return NULL;
}

scst_sense_t scst_report_opcodes(u8 *buf, size_t room, const u8 *cdb, u8 type,
				 bool (*listed)(const struct scst_cdb_desc *desc, void *arg),
				 void *arg, size_t *needed)
{
	struct report rep = {
		.out = { .buf = buf, .room = room },
		.listed = listed,
		.arg = arg,
		.type = type & 0x1f,
		.timeouts = cdb[2] & RCTD,
	};
	u8 option = cdb[2] & REPORTING_OPTIONS;
	const struct scst_cdb_desc *desc;
	bool by_sa;

	switch (option) {
	case OPTION_ALL:
		report_all(&rep);
		break;
	case OPTION_OPCODE:
	case OPTION_SERVICE_ACTION:
		/* The question has to know whether there are service actions. */
		desc = find_listed(&rep, cdb[3], -1);
		by_sa = option == OPTION_SERVICE_ACTION;
		if (desc && desc->has_sa != by_sa)
			return SCST_CDB_FIELD_BIT(2, 0);
		if (desc && by_sa)
			desc = find_listed(&rep, cdb[3], get_unaligned_be16(cdb + 4));
		report_one(&rep, desc);
		break;
	default:
		return SCST_CDB_FIELD_BIT(2, 0);
	}
	*needed = rep.out.len;
	return SCST_OK;
}
