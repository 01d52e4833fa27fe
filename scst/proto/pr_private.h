/* SPDX-License-Identifier: GPL-2.0 */
/* Between the files of the persistent reservation state machine. */
#ifndef SCST_PROTO_PR_PRIVATE_H
#define SCST_PROTO_PR_PRIVATE_H

#include "pr_state.h"

static inline bool scst_pr_type_valid(u8 type)
{
	switch (type) {
	case SCST_PR_WRITE_EXCL:
	case SCST_PR_EXCL_ACCESS:
	case SCST_PR_WRITE_EXCL_REG:
	case SCST_PR_EXCL_ACCESS_REG:
	case SCST_PR_WRITE_EXCL_ALL:
	case SCST_PR_EXCL_ACCESS_ALL:
		return true;
	default:
		return false;
	}
}

/* All registrants hold it. */
static inline bool scst_pr_is_all(u8 type)
{
	return type == SCST_PR_WRITE_EXCL_ALL || type == SCST_PR_EXCL_ACCESS_ALL;
}

/* Being registered gives access: registrants only and all registrants. */
static inline bool scst_pr_is_reg_only(u8 type)
{
	return type >= SCST_PR_WRITE_EXCL_REG;
}

/* A new registrant at the end, without key; NULL if there is no room. */
static inline struct scst_pr_reg *scst_pr_append(struct scst_pr *pr,
						 const struct scst_pr_nexus *nexus)
{
	struct scst_pr_reg *reg;

	if (pr->nr >= pr->max || nexus->tid_len > sizeof(reg->tid))
		return NULL;
	reg = &pr->regs[pr->nr++];
	memset(reg, 0, sizeof(*reg));
	reg->rel_tgt_id = nexus->rel_tgt_id;
	reg->tid_len = nexus->tid_len;
	memcpy(reg->tid, nexus->tid, nexus->tid_len);
	return reg;
}

#endif
