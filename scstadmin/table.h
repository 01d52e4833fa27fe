/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SCSTADMIN_TABLE_H
#define SCSTADMIN_TABLE_H

#include "util.h"

#define TABLE_COLS	4

/*
 * A table on stdout: one tab, a head, a dashed line, rows padded to the widest
 * cell. Cells are added row by row.
 */
struct table {
	unsigned int cols;
	const char *head[TABLE_COLS];
	unsigned int head_gap;	/* blanks between columns */
	unsigned int row_gap;
	unsigned int min_width;	/* of the first column */
	struct strv cells;
};

/* NULL is an empty cell. */
void table_cell(struct table *t, const char *text);
/* Prints and frees the cells. */
void table_print(struct table *t);

#endif
