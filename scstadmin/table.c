// SPDX-License-Identifier: GPL-2.0
/*
 * Tables of the list operations. Scripts read their columns.
 */
#include <stdio.h>
#include <string.h>

#include "table.h"

void table_cell(struct table *t, const char *text)
{
	strv_add(&t->cells, text ? text : "");
}

static void print_row(const struct table *t, char *const *cells,
		      const size_t *width, unsigned int gap)
{
	unsigned int i;

	putchar('\t');
	for (i = 0; i < t->cols; i++) {
		/* The last column is not padded: no blanks at line ends. */
		if (i + 1 == t->cols)
			printf("%s\n", cells[i]);
		else
			printf("%-*s%*s", (int)width[i], cells[i], (int)gap, "");
	}
}

void table_print(struct table *t)
{
	size_t width[TABLE_COLS] = { 0 }, total = 0, i;
	char *head[TABLE_COLS];
	unsigned int col;

	for (col = 0; col < t->cols; col++) {
		head[col] = (char *)t->head[col];
		width[col] = strlen(t->head[col]);
	}
	if (width[0] < t->min_width)
		width[0] = t->min_width;
	for (i = 0; i < t->cells.n; i++)
		if (strlen(t->cells.v[i]) > width[i % t->cols])
			width[i % t->cols] = strlen(t->cells.v[i]);

	print_row(t, head, width, t->head_gap);
	for (col = 0; col < t->cols; col++)
		total += width[col] + (col ? t->head_gap : 0);
	putchar('\t');
	for (i = 0; i < total; i++)
		putchar('-');
	putchar('\n');
	for (i = 0; i + t->cols <= t->cells.n; i += t->cols)
		print_row(t, &t->cells.v[i], width, t->row_gap);
	strv_free(&t->cells);
}
