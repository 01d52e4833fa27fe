// SPDX-License-Identifier: GPL-2.0
/*
 * scst.conf: any bytes through lexer, parser and checks. What they accept has
 * to survive being written and read: the second text is the first one.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "scstadmin/check.h"
#include "scstadmin/parse.h"
#include "scstadmin/writer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The writer leaves out what a running system need not save; here all is. */
static void keep_all(struct node *n)
{
	size_t i;

	n->flags |= NODE_KEPT;
	for (i = 0; i < n->nchild; i++)
		keep_all(n->child[i]);
}

static void write_tree(struct strbuf *sb, struct node *root)
{
	keep_all(root);
	node_sort(root);
	conf_write(sb, root, false);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strbuf first = { 0 }, second = { 0 };
	struct diags diags = { 0 }, again = { 0 };
	struct node *root, *copy = NULL;

	root = parse_conf((const char *)data, size, &diags);
	if (!diags.count[DIAG_ERROR]) {
		write_tree(&first, root);
		copy = parse_conf(sb_str(&first), first.len, &again);
		if (again.count[DIAG_ERROR])
			abort();
		write_tree(&second, copy);
		if (strcmp(sb_str(&first), sb_str(&second)))
			abort();
	}
	check_file(root, &diags);

	node_free(copy);
	node_free(root);
	diags_free(&diags);
	diags_free(&again);
	sb_free(&first);
	sb_free(&second);
	return 0;
}
