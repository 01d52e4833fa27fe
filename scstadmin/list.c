// SPDX-License-Identifier: GPL-2.0
/*
 * The lists of objects.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli.h"
#include "json.h"
#include "list.h"
#include "table.h"

static void nodes_children(struct nodes *l, const struct node *parent,
			   enum node_kind kind)
{
	struct node *n;
	size_t i;

	for_each_child(n, i, parent, kind)
		nodes_add(l, n);
}

static int print_json(struct nodes *l, const char *key, unsigned int what)
{
	json_print(key, l->v, l->n, what);
	nodes_free(l);
	return 0;
}

/* One column; "(none)" when there is nothing. */
static void print_names(const char *head, const struct node *parent,
			enum node_kind kind, unsigned int min_width)
{
	struct table t = { .cols = 1, .head = { head }, .min_width = min_width };
	const struct node *n;
	size_t i;

	for_each_child(n, i, parent, kind)
		table_cell(&t, n->name);
	table_print(&t);
}

static void handler_rows(struct table *t, const struct node *h)
{
	const struct node *d;
	bool first = true;
	size_t i;

	for_each_child(d, i, h, N_DEVICE) {
		table_cell(t, first ? h->name : "");
		table_cell(t, d->name);
		first = false;
	}
	if (first) {
		table_cell(t, h->name);
		table_cell(t, "-");
	}
}

static const struct table handler_table = {
	.cols = 2,
	.head = { "Handler", "Device" },
	.head_gap = 5,
	.row_gap = 4,
};

int cmd_list_handler(struct cli *c, const char *name)
{
	struct table t = handler_table;
	struct nodes l = { 0 };
	struct node *h;

	if (!name) {
		nodes_children(&l, c->have, N_HANDLER);
		if (c->list_json)
			return print_json(&l, "handlers", 0);
		print_names("Handler", c->have, N_HANDLER, 0);
		nodes_free(&l);
		return 0;
	}
	h = cli_find(c->have, N_HANDLER, name);
	if (!h)
		return 1;
	nodes_add(&l, h);
	if (c->list_json)
		return print_json(&l, "handlers", JSON_MEMBERS);
	handler_rows(&t, h);
	table_print(&t);
	nodes_free(&l);
	return 0;
}

int cmd_list_device(struct cli *c, const char *name)
{
	struct table t = handler_table;
	struct nodes l = { 0 };
	struct node *h;
	size_t i;

	if (name)
		return cmd_list_dev_attr(c, name);
	for_each_child(h, i, c->have, N_HANDLER) {
		nodes_children(&l, h, N_DEVICE);
		handler_rows(&t, h);
	}
	if (c->list_json) {
		strv_free(&t.cells);
		return print_json(&l, "devices", 0);
	}
	table_print(&t);
	nodes_free(&l);
	return 0;
}

static void driver_rows(struct table *t, const struct node *d)
{
	const struct node *tgt;
	bool first = true;
	size_t i;

	for_each_child(tgt, i, d, N_TARGET) {
		table_cell(t, first ? d->name : "");
		table_cell(t, tgt->name);
		first = false;
	}
}

static const struct table target_table = {
	.cols = 2,
	.head = { "Driver", "Target" },
	.head_gap = 1,
	.row_gap = 1,
};

int cmd_list_driver(struct cli *c, const char *name)
{
	struct table t = target_table;
	struct nodes l = { 0 };
	struct node *d;

	if (!name) {
		if (c->list_json) {
			nodes_children(&l, c->have, N_DRIVER);
			return print_json(&l, "drivers", 0);
		}
		print_names("Driver", c->have, N_DRIVER, 0);
		return 0;
	}
	d = cli_find(c->have, N_DRIVER, name);
	if (!d)
		return 1;
	if (c->list_json) {
		nodes_add(&l, d);
		return print_json(&l, "drivers", JSON_MEMBERS);
	}
	driver_rows(&t, d);
	table_print(&t);
	return 0;
}

/* ---- LUNs and initiators ---- */

static int cmp_name(const void *a, const void *b)
{
	return strcmp((*(struct node *const *)a)->name,
		      (*(struct node *const *)b)->name);
}

static void print_luns(const struct node *n)
{
	struct table t = {
		.cols = 2, .head = { "LUN", "Device" },
		.head_gap = 1, .row_gap = 1, .min_width = 4,
	};
	struct nodes l = { 0 };
	size_t i;

	printf("\tAssigned LUNs:\n\n");
	nodes_children(&l, n, N_LUN);
	if (!l.n) {
		printf("\t(none)\n\n");
		return;
	}
	qsort(l.v, l.n, sizeof(*l.v), cmp_name);
	for (i = 0; i < l.n; i++) {
		table_cell(&t, l.v[i]->name);
		table_cell(&t, l.v[i]->arg);
	}
	table_print(&t);
	putchar('\n');
	nodes_free(&l);
}

static void print_initiators(const struct node *g)
{
	printf("\tAssigned Initiators:\n\n");
	if (node_count(g, N_INITIATOR))
		print_names("Initiator", g, N_INITIATOR, 0);
	else
		printf("\t(none)\n");
	putchar('\n');
}

static void print_group(const struct node *g)
{
	printf("Group: %s\n\n", g->name);
	if (!node_count(g, N_LUN) && !node_count(g, N_INITIATOR)) {
		printf("Group '%s' has no associated LUNs or initiators.\n\n",
		       g->name);
		return;
	}
	print_luns(g);
	print_initiators(g);
}

static void print_target(const struct node *t, const char *group)
{
	const struct node *g;
	size_t i;

	printf("Driver: %s\nTarget: %s\n\n", t->parent->name, t->name);
	if (!group) {
		if (node_count(t, N_LUN))
			print_luns(t);
		else
			printf("Driver/target '%s/%s' has no associated LUNs.\n\n",
			       t->parent->name, t->name);
	}
	for_each_child(g, i, t, N_GROUP)
		if (!group || !strcmp(g->name, group))
			print_group(g);
}

/* The targets that -driver, -target and a group's name leave. */
static struct nodes select_targets(struct cli *c, const char *target,
				   const char *group)
{
	const char *driver = c->with[WITH_DRIVER];
	struct nodes l = { 0 };
	struct node *d, *t;
	size_t i, j;

	for_each_child(d, i, c->have, N_DRIVER) {
		if (driver && strcmp(d->name, driver))
			continue;
		for_each_child(t, j, d, N_TARGET) {
			if (target && strcasecmp(t->name, target))
				continue;
			if (!group || node_find(t, N_GROUP, group))
				nodes_add(&l, t);
		}
	}
	return l;
}

static int list_contents(struct cli *c, const char *target, const char *group)
{
	struct nodes l = select_targets(c, target, group);
	size_t i;

	if (!l.n && (target || group || c->with[WITH_DRIVER])) {
		cli_error("no such %s", group ? "group" : "target");
		nodes_free(&l);
		return 1;
	}
	if (c->list_json)
		return print_json(&l, "targets", JSON_MEMBERS | JSON_DEEP);
	for (i = 0; i < l.n; i++)
		print_target(l.v[i], group);
	nodes_free(&l);
	return 0;
}

int cmd_list_target(struct cli *c, const char *name)
{
	const char *driver = c->with[WITH_DRIVER];
	struct table t = target_table;
	struct node *d;
	size_t i;

	if (name)
		return list_contents(c, name, NULL);
	if (driver && !cli_driver(c))
		return 1;
	if (c->list_json) {
		struct nodes l = select_targets(c, NULL, NULL);

		return print_json(&l, "targets", 0);
	}
	for_each_child(d, i, c->have, N_DRIVER)
		if (!driver || !strcmp(d->name, driver))
			driver_rows(&t, d);
	table_print(&t);
	return 0;
}

int cmd_list_group(struct cli *c, const char *name)
{
	return list_contents(c, c->with[WITH_TARGET], name);
}

/* ---- sessions ---- */

/* "../../ini_groups/g/luns" names the group, "../../luns" the target. */
char *session_group_name(const struct node *se)
{
	const char *p = se->arg ? strstr(se->arg, "ini_groups/") : NULL;

	if (!p)
		return NULL;
	p += strlen("ini_groups/");
	return xstrndup(p, strcspn(p, "/"));
}

/* The session's own attributes, its group, and what it sees. */
static void print_session(struct node *se)
{
	struct node *table = se->parent, *l;
	char *group = session_group_name(se), *name;
	struct pos none = { 0 };
	struct attr *a;
	size_t i;

	a = node_add_attr(se, "group", none);
	a->flags = ATTR_READ;
	attr_add_value(a, group ? group : "(target)", none);
	if (group)
		table = node_find(se->parent, N_GROUP, group);
	for (i = 0; table && i < table->nchild; i++) {
		l = table->child[i];
		if (l->kind != N_LUN)
			continue;
		name = xasprintf("LUN %s", l->name);
		a = node_add_attr(se, name, none);
		a->flags = ATTR_READ;
		attr_add_value(a, l->arg, none);
		free(name);
	}
	printf("\tSession: %s\n\n", se->name);
	node_sort(se);
	print_attr_table(se, true);
	putchar('\n');
	free(group);
}

int cmd_list_sessions(struct cli *c, const char *unused)
{
	struct nodes l = { 0 };
	struct node *d, *t, *se;
	size_t i, j, k;

	(void)unused;
	for_each_child(d, i, c->have, N_DRIVER)
		nodes_children(&l, d, N_TARGET);
	for (i = 0; i < l.n; i++)
		cli_load(c, l.v[i], c->list_json);
	if (c->list_json)
		return print_json(&l, "targets",
				  JSON_ATTRS | JSON_MEMBERS | JSON_SESSIONS);
	nodes_free(&l);
	for_each_child(d, i, c->have, N_DRIVER)
		for_each_child(t, j, d, N_TARGET) {
			printf("Driver/Target: %s/%s\n\n", d->name, t->name);
			if (!node_count(t, N_SESSION))
				printf("\t(no sessions)\n\n");
			for_each_child(se, k, t, N_SESSION) {
				cli_load(c, se, false);
				print_session(se);
			}
		}
	return 0;
}

/* ---- device groups ---- */

int cmd_list_dgrp(struct cli *c, const char *name)
{
	struct nodes l = { 0 };
	struct node *dg;

	if (!name) {
		if (c->list_json) {
			nodes_children(&l, c->have, N_DGROUP);
			return print_json(&l, "device_groups", 0);
		}
		print_names("Device Group", c->have, N_DGROUP, 12);
		return 0;
	}
	dg = cli_find(c->have, N_DGROUP, name);
	if (!dg)
		return 1;
	if (c->list_json) {
		nodes_add(&l, dg);
		return print_json(&l, "device_groups",
				  JSON_MEMBERS | JSON_DEEP);
	}
	print_names("Devices", dg, N_DGDEV, 0);
	putchar('\n');
	print_names("Target Groups", dg, N_TGROUP, 0);
	return 0;
}

int cmd_list_tgrp(struct cli *c, const char *name)
{
	struct node *dg = cli_dgroup(c), *tg;
	struct nodes l = { 0 };

	if (!dg)
		return 1;
	if (!name) {
		if (c->list_json) {
			nodes_children(&l, dg, N_TGROUP);
			return print_json(&l, "target_groups", 0);
		}
		putchar('\n');
		print_names("Target Groups", dg, N_TGROUP, 0);
		return 0;
	}
	tg = cli_find(dg, N_TGROUP, name);
	if (!tg)
		return 1;
	if (c->list_json) {
		nodes_add(&l, tg);
		return print_json(&l, "target_groups", JSON_MEMBERS);
	}
	print_names("Targets", tg, N_TGTGT, 0);
	return 0;
}
