/* SPDX-License-Identifier: GPL-2.0 */
/* Between cdb.c, opcodes.c and the command table. */
#ifndef SCST_PROTO_CDB_TABLE_H
#define SCST_PROTO_CDB_TABLE_H

#include "cdb.h"

/* Number of an opcode's first row plus one, 0 if there is none. */
extern const u8 scst_cdb_first[256];

/* Rows of one opcode follow one another. */
static inline const struct scst_cdb_desc *scst_cdb_first_row(u8 opcode)
{
	u8 row = scst_cdb_first[opcode];

	return row ? &scst_cdb_table[row - 1] : NULL;
}

/* In WRITE SAME the bit that is FUA elsewhere is UNMAP. */
static inline bool scst_cdb_has_fua(const struct scst_cdb_desc *desc)
{
	return desc->flags & SCST_CDB_FAST_RW || desc->op == SCST_OP_COMPARE_AND_WRITE;
}

#endif
