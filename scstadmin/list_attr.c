// SPDX-License-Identifier: GPL-2.0
/*
 * The lists of attributes.
 */
#include <string.h>

#include "cli.h"
#include "json.h"
#include "list.h"
#include "table.h"

#define FLAGS_PER_LINE	5

static const char *shown_value(const struct attr *a, size_t i)
{
	if (!(a->flags & ATTR_READ))
		return "<n/a>";
	if (a->flags & ATTR_UNREAD)
		return "<unreadable>";
	return i < a->n && *a->v[i].text ? a->v[i].text : "<not set>";
}

static void attr_rows(struct table *t, const struct attr *a)
{
	size_t i;

	for (i = 0; i < a->n || !i; i++) {
		table_cell(t, i ? "" : a->name);
		table_cell(t, shown_value(a, i));
		table_cell(t, a->flags & ATTR_WRITE ? "Yes" : "No");
		table_cell(t, a->flags & ATTR_KEY ? "Yes" : "No");
	}
}

static void print_choices(const struct attr *a)
{
	size_t i;

	printf("\n\tPossible values of %s:\n", a->name);
	for (i = 0; i < a->choices.n; i++)
		printf("%s%s%s", i % FLAGS_PER_LINE ? " " : "\t",
		       a->choices.v[i],
		       i % FLAGS_PER_LINE == FLAGS_PER_LINE - 1 ||
		       i + 1 == a->choices.n ? "\n" : ",");
}

void print_attr_table(const struct node *n, bool all)
{
	struct table t = {
		.cols = 4,
		.head = { "Attribute", "Value", "Writable", "KEY" },
		.head_gap = 5,
		.row_gap = 5,
	};
	size_t i;

	for (i = 0; i < n->nattr; i++)
		if (all || n->attr[i]->flags & ATTR_KEY)
			attr_rows(&t, n->attr[i]);
	if (!t.cells.n) {
		printf("\t(none)\n");
		return;
	}
	table_print(&t);
	for (i = 0; i < n->nattr; i++)
		if (all && n->attr[i]->choices.n)
			print_choices(n->attr[i]);
}

static void print_available(const char *title, const struct strv *names)
{
	struct strv sorted = { 0 };
	size_t i;

	printf("\n\t%s\n\t", title);
	for (i = 0; i < strlen(title); i++)
		putchar('-');
	putchar('\n');
	for (i = 0; names && i < names->n; i++)
		strv_add(&sorted, names->v[i]);
	strv_sort(&sorted);
	for (i = 0; i < sorted.n; i++)
		printf("\t%s\n", sorted.v[i]);
	if (!sorted.n)
		printf("\t(none)\n");
	strv_free(&sorted);
}

static int list_attrs(struct cli *c, struct node *n, const char *key)
{
	if (!n)
		return 1;
	cli_load(c, n, false);
	if (c->list_json)
		json_print(key, &n, 1,
			   JSON_ATTRS | (c->nonkey ? JSON_ALL_ATTRS : 0));
	else
		print_attr_table(n, c->nonkey);
	return 0;
}

int cmd_list_scst_attr(struct cli *c, const char *unused)
{
	(void)unused;
	return list_attrs(c, c->have, "core");
}

int cmd_list_hnd_attr(struct cli *c, const char *name)
{
	struct node *h = cli_find(c->have, N_HANDLER, name);
	int res = list_attrs(c, h, "handlers");

	if (h && !c->list_json)
		print_available("Device CREATE attributes available",
				&node_caps(h)->create);
	return res;
}

int cmd_list_dev_attr(struct cli *c, const char *name)
{
	return list_attrs(c, cli_device(c, name), "devices");
}

int cmd_list_drv_attr(struct cli *c, const char *name)
{
	struct node *d = cli_find(c->have, N_DRIVER, name);
	int res = list_attrs(c, d, "drivers");

	if (!d || c->list_json)
		return res;
	print_available("Dynamic attributes available",
			&node_caps(d)->drv_attrs);
	if (d->flags & NODE_CREATES)
		print_available("Target CREATE attributes available:",
				&node_caps(d)->create);
	return res;
}

int cmd_list_tgt_attr(struct cli *c, const char *name)
{
	struct node *t = cli_target(c, name);
	int res = list_attrs(c, t, "targets");

	if (!t || c->list_json)
		return res;
	print_available("Dynamic attributes available",
			&node_caps(t->parent)->tgt_attrs);
	print_available("LUN CREATE attributes available",
			&node_caps(t)->create);
	return res;
}

int cmd_list_grp_attr(struct cli *c, const char *name)
{
	struct node *t = cli_target(c, c->with[WITH_TARGET]);
	struct node *g = t ? cli_find(t, N_GROUP, name) : NULL;
	int res = list_attrs(c, g, "groups");

	if (!g || c->list_json)
		return res;
	print_available("LUN CREATE attributes available",
			&node_caps(g)->create);
	/* The interface has none; the heading is part of the layout. */
	print_available("Initiator CREATE attributes available", NULL);
	return res;
}

int cmd_list_lun_attr(struct cli *c, const char *name)
{
	struct node *n = cli_lun_table(c);

	return list_attrs(c, n ? cli_find(n, N_LUN, name) : NULL, "luns");
}

int cmd_list_init_attr(struct cli *c, const char *name)
{
	struct node *g = cli_group(c);

	return list_attrs(c, g ? cli_find(g, N_INITIATOR, name) : NULL,
			  "initiators");
}

int cmd_list_dgrp_attr(struct cli *c, const char *name)
{
	return list_attrs(c, cli_find(c->have, N_DGROUP, name),
			  "device_groups");
}

int cmd_list_tgrp_attr(struct cli *c, const char *name)
{
	struct node *dg = cli_dgroup(c);

	return list_attrs(c, dg ? cli_find(dg, N_TGROUP, name) : NULL,
			  "target_groups");
}

int cmd_list_ttgt_attr(struct cli *c, const char *name)
{
	struct node *tg = cli_tgroup(c);

	return list_attrs(c, tg ? cli_find(tg, N_TGTGT, name) : NULL,
			  "targets");
}

static void dump_attrs(const struct node *n, const char *indent)
{
	size_t i, j;

	for (i = 0; i < n->nattr; i++) {
		const struct attr *a = n->attr[i];

		printf("%s%s:", indent, a->name);
		for (j = 0; j < a->n || !j; j++)
			printf(" '%s'", shown_value(a, j));
		printf("%s\n", a->flags & ATTR_KEY ? " [key]" : "");
	}
}

int cmd_dump_attrs(struct cli *c, const char *unused)
{
	struct node *h, *d;
	size_t i, j;

	(void)unused;
	cli_load(c, c->have, false);
	for_each_child(h, i, c->have, N_HANDLER)
		cli_load(c, h, true);
	if (c->list_json) {
		json_print("core", &c->have, 1, JSON_ATTRS | JSON_ALL_ATTRS);
		return 0;
	}
	printf("core {\n");
	dump_attrs(c->have, "\t");
	printf("}\n");
	for_each_child(h, i, c->have, N_HANDLER) {
		printf("handler %s {\n", h->name);
		for_each_child(d, j, h, N_DEVICE) {
			printf("\tdevice %s {\n", d->name);
			dump_attrs(d, "\t\t");
			printf("\t}\n");
		}
		printf("}\n");
	}
	return 0;
}
