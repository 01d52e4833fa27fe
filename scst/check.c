// SPDX-License-Identifier: GPL-2.0
/*
 * What may refuse a command whose turn has come: rows 14 to 18 of the check
 * order in doc/command-life.md. Reached only if a bit of nexus->except is set.
 */
#include "internal.h"

/* Commands that are answered although the backing store is closed. */
bool scst_served_inactive(const struct scst_cdb_desc *desc)
{
	switch (desc->op) {
	case SCST_OP_TEST_UNIT_READY:
	case SCST_OP_REQUEST_SENSE:
	case SCST_OP_INQUIRY:
	case SCST_OP_MODE_SENSE:
	case SCST_OP_MODE_SELECT:
	case SCST_OP_LOG_SENSE:
	case SCST_OP_LOG_SELECT:
	case SCST_OP_READ_CAPACITY_10:
	case SCST_OP_READ_CAPACITY_16:
	case SCST_OP_REPORT_LUNS:
	case SCST_OP_RESERVE:
	case SCST_OP_RELEASE:
	case SCST_OP_PR_IN:
	case SCST_OP_PR_OUT:
	case SCST_OP_SEND_DIAGNOSTIC:
	case SCST_OP_REPORT_TPG:
	case SCST_OP_SET_TPG:
	case SCST_OP_REPORT_OPCODES:
	case SCST_OP_REPORT_TMF:
		return true;
	default:
		return false;
	}
}

/**
 * scst_check() - may this command be executed
 * @cmd: command that is first in line, with a nexus that has exceptional conditions
 *
 * A reservation conflict hides a unit attention, and a unit attention hides
 * write protection.
 *
 * Context: any.
 * Return: SCST_OK or the reason.
 */
scst_sense_t scst_check(struct scst_cmd *cmd)
{
	const struct scst_cdb_desc *desc = cmd->cdb_info.desc;
	struct scst_nexus *nexus = cmd->nexus;
	unsigned long except = READ_ONCE(nexus->except);
	scst_sense_t ua;

	if (except & BIT(SCST_EXC_RESERVED) && !(desc->flags & SCST_CDB_ALLOW_SPC2_RES))
		return SCST_RESERVATION_CONFLICT;

	if (except & BIT(SCST_EXC_UA) && !(desc->flags & SCST_CDB_NO_UA)) {
		ua = scst_ua_take(nexus);
		if (ua)
			return ua;
	}

	if (except & (BIT(SCST_EXC_LOST_READ) | BIT(SCST_EXC_LOST_WRITE))) {
		scst_sense_t lost = scst_lost_check(cmd);

		if (lost)
			return lost;
	}

	if (except & BIT(SCST_EXC_READ_ONLY) && desc->flags & SCST_CDB_WRITES_MEDIUM)
		return SCST_DATA_PROTECT;

	return SCST_OK;
}
