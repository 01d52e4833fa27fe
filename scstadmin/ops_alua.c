// SPDX-License-Identifier: GPL-2.0
/*
 * Operations on device groups and target groups (ALUA).
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "cli.h"

static int create(struct cli *c, struct node *parent, enum node_kind kind,
		  const char *name)
{
	char *fault = name_fault(kind, name);
	struct plan plan = { 0 };
	struct node *n;
	int res;

	if (fault) {
		cli_error("found %s, expected a %s name without it", fault,
			  kind_noun(kind));
		free(fault);
		return 1;
	}
	if (node_find(parent, kind, name))
		return cli_error("%s '%s' exists already", kind_noun(kind),
				 name);
	n = node_new(kind, name);
	n->parent = parent;
	plan_create(&plan, n, NULL);
	res = cli_apply(c, &plan);
	node_free(n);
	return res;
}

static int remove_one(struct cli *c, struct node *n)
{
	struct plan plan = { 0 };

	if (!n)
		return 1;
	plan_remove(&plan, n);
	return cli_apply(c, &plan);
}

static void list_members(const struct node *n)
{
	size_t i;

	printf("%s '%s' is not empty:\n\n", kind_noun(n->kind), n->name);
	for (i = 0; i < n->nchild; i++)
		printf("\t%s %s\n", kind_noun(n->child[i]->kind),
		       n->child[i]->name);
}

/* From the leaves up: the kernel removes groups, not what is in them. */
static void plan_remove_tree(struct plan *p, struct node *n)
{
	size_t i;

	for (i = 0; i < n->nchild; i++)
		plan_remove_tree(p, n->child[i]);
	plan_remove(p, n);
}

static int remove_group(struct cli *c, struct node *n)
{
	struct plan plan = { 0 };

	if (!n)
		return 1;
	if (n->nchild && !c->force) {
		list_members(n);
		return cli_error("%s '%s' is not empty; -force removes what is in it",
				 kind_noun(n->kind), n->name);
	}
	plan_remove_tree(&plan, n);
	return cli_apply(c, &plan);
}

int cmd_add_dgrp(struct cli *c, const char *name)
{
	return create(c, c->have, N_DGROUP, name);
}

int cmd_rem_dgrp(struct cli *c, const char *name)
{
	return remove_group(c, cli_find(c->have, N_DGROUP, name));
}

int cmd_add_dgrp_dev(struct cli *c, const char *name)
{
	struct node *dg = cli_dgroup(c), *other;
	size_t i;

	if (!dg || !cli_device(c, name))
		return 1;
	for_each_child(other, i, c->have, N_DGROUP)
		if (other != dg && node_find(other, N_DGDEV, name))
			return cli_error("device '%s' is in device group '%s'",
					 name, other->name);
	return create(c, dg, N_DGDEV, name);
}

int cmd_rem_dgrp_dev(struct cli *c, const char *name)
{
	struct node *dg = cli_dgroup(c), *dev, *tg;
	size_t i;

	dev = dg ? cli_find(dg, N_DGDEV, name) : NULL;
	if (!dev)
		return 1;
	for_each_child(tg, i, dg, N_TGROUP) {
		if (!tg->nchild || c->force)
			continue;
		list_members(tg);
		return cli_error("target groups of '%s' have targets; use -force",
				 dg->name);
	}
	return remove_one(c, dev);
}

int cmd_add_tgrp(struct cli *c, const char *name)
{
	struct node *dg = cli_dgroup(c);

	return dg ? create(c, dg, N_TGROUP, name) : 1;
}

int cmd_rem_tgrp(struct cli *c, const char *name)
{
	struct node *dg = cli_dgroup(c);

	return dg ? remove_group(c, cli_find(dg, N_TGROUP, name)) : 1;
}

int cmd_add_tgrp_tgt(struct cli *c, const char *name)
{
	struct node *tg = cli_tgroup(c), *other;
	size_t i;

	if (!tg)
		return 1;
	for_each_child(other, i, tg->parent, N_TGROUP)
		if (other != tg && node_find(other, N_TGTGT, name))
			return cli_error("target '%s' is in target group '%s'",
					 name, other->name);
	return create(c, tg, N_TGTGT, name);
}

int cmd_rem_tgrp_tgt(struct cli *c, const char *name)
{
	struct node *tg = cli_tgroup(c);

	return remove_one(c, tg ? cli_find(tg, N_TGTGT, name) : NULL);
}
