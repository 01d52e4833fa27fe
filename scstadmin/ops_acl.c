// SPDX-License-Identifier: GPL-2.0
/*
 * Operations on groups, initiators and LUNs: who sees what.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "cli.h"
#include "match.h"

static bool good_name(enum node_kind kind, const char *name)
{
	char *fault = name_fault(kind, name);

	if (fault)
		cli_error("found %s, expected a %s name without it", fault,
			  kind_noun(kind));
	free(fault);
	return !fault;
}

static int create(struct cli *c, struct node *parent, enum node_kind kind,
		  const char *name)
{
	struct plan plan = { 0 };
	struct node *n;
	int res;

	if (!good_name(kind, name))
		return 1;
	n = node_new(kind, name);
	n->parent = parent;
	plan_create(&plan, n, NULL);
	res = cli_apply(c, &plan);
	node_free(n);
	return res;
}

/* The command "clear" of the mgmt file in a directory of @n. */
static int clear(struct cli *c, struct node *n, const char *dir,
		 enum node_kind kind)
{
	struct plan plan = { 0 };
	struct writes w = { 0 };
	char *path = node_path(n), *obj = node_describe(n);
	char *what = xasprintf("%s of %s", dir, obj);
	struct step *st;

	writes_add(&w, xasprintf("%s/%s/mgmt", path, dir), xstrdup("clear"));
	st = plan_add(&plan, STEP_REMOVE, STEP_OBJECT, &w, what);
	st->kind = kind;
	free(path);
	free(obj);
	free(what);
	return cli_apply(c, &plan);
}

int cmd_add_group(struct cli *c, const char *name)
{
	struct node *t = cli_target(c, c->with[WITH_TARGET]);

	if (!t)
		return 1;
	if (node_find(t, N_GROUP, name))
		return cli_error("group '%s' of %s/%s exists already", name,
				 t->parent->name, t->name);
	return create(c, t, N_GROUP, name);
}

int cmd_rem_group(struct cli *c, const char *name)
{
	struct node *t = cli_target(c, c->with[WITH_TARGET]);
	struct node *g = t ? cli_find(t, N_GROUP, name) : NULL;
	struct plan plan = { 0 };
	const struct node *m;
	size_t i;

	if (!g)
		return 1;
	if (g->nchild && !c->force) {
		printf("Group '%s' is not empty:\n\n", name);
		for (i = 0; i < g->nchild; i++) {
			m = g->child[i];
			printf("\t%s %s%s%s\n", kind_noun(m->kind), m->name,
			       m->arg ? " " : "", m->arg ? m->arg : "");
		}
		return cli_error("group '%s' has LUNs or initiators; -force removes them with it",
				 name);
	}
	plan_remove(&plan, g);
	return cli_apply(c, &plan);
}

static const struct node *group_of(const struct node *target, const char *ini)
{
	const struct node *g;
	size_t i;

	for_each_child(g, i, target, N_GROUP)
		if (node_find(g, N_INITIATOR, ini))
			return g;
	return NULL;
}

int cmd_add_init(struct cli *c, const char *name)
{
	struct node *g = cli_group(c);
	const struct node *other = g ? group_of(g->parent, name) : NULL;

	if (!g)
		return 1;
	if (other == g) {
		printf("\t-> Initiator '%s' is in group '%s' already.\n", name,
		       g->name);
		return 0;
	}
	if (other)
		return cli_error("initiator '%s' is in group '%s'; use -move_init",
				 name, other->name);
	return create(c, g, N_INITIATOR, name);
}

int cmd_rem_init(struct cli *c, const char *name)
{
	struct node *g = cli_group(c);
	struct node *ini = g ? cli_find(g, N_INITIATOR, name) : NULL;
	struct plan plan = { 0 };

	if (!ini)
		return 1;
	plan_remove(&plan, ini);
	return cli_apply(c, &plan);
}

int cmd_move_init(struct cli *c, const char *name)
{
	struct node *g = cli_group(c);
	struct node *ini = g ? cli_find(g, N_INITIATOR, name) : NULL;
	struct plan plan = { 0 };
	struct writes w = { 0 };
	char *path, *what;
	struct node *to;

	if (!ini)
		return 1;
	to = cli_find(g->parent, N_GROUP, c->with[WITH_TO]);
	if (!to)
		return 1;
	if (to == g)
		return cli_error("initiator '%s' is in group '%s' already",
				 name, g->name);
	path = node_path(g);
	what = xasprintf("group of initiator %s to %s", name, to->name);
	writes_add(&w, xasprintf("%s/initiators/mgmt", path),
		   xasprintf("move %s %s", name, to->name));
	plan_add(&plan, STEP_CHANGE, STEP_OBJECT, &w, what);
	free(what);
	free(path);
	return cli_apply(c, &plan);
}

int cmd_clear_inits(struct cli *c, const char *unused)
{
	struct node *g = cli_group(c);

	(void)unused;
	return g ? clear(c, g, "initiators", N_INITIATOR) : 1;
}

/* ---- LUNs ---- */

/* The number as the kernel prints it; NULL after an error. */
static char *lun_number(const char *text)
{
	unsigned long long num;

	if (parse_u64(text, &num) && num <= 16383)
		return xasprintf("%llu", num);
	cli_error("found LUN number '%s', expected a number from 0 to 16383",
		  text);
	return NULL;
}

static bool check_params(const struct node *l, const struct strv *params)
{
	const char *near;
	size_t i;

	for (i = 0; i < l->nattr; i++) {
		if (strv_has(params, l->attr[i]->name))
			continue;
		near = did_you_mean(l->attr[i]->name, params);
		cli_error("'%s' is no parameter of a LUN%s%s%s",
			  l->attr[i]->name, near ? " (did you mean '" : "",
			  near ? near : "", near ? "'?)" : "");
		return false;
	}
	return true;
}

static void plan_replace(struct plan *p, const struct node *l,
			 const struct strv *params)
{
	struct writes w = { 0 };
	struct step *st;
	char *text, *what;

	mgmt_create(&w, l, params);
	text = xasprintf("replace%s", w.v[0].text + strlen("add"));
	free(w.v[0].text);
	w.v[0].text = text;
	what = xasprintf("device of LUN %s: %s", l->name, l->arg);
	st = plan_add(p, STEP_CHANGE, STEP_OBJECT, &w, what);
	st->kind = N_LUN;
	free(what);
}

/* A LUN that exists keeps read_only unless -attributes says otherwise (B95). */
static void keep_params(struct node *l, const struct node *old)
{
	const struct attr *a = node_attr(old, "read_only");
	struct pos none = { 0 };

	if (a && a->flags & ATTR_KEY && !node_attr(l, a->name))
		attr_add_value(node_add_attr(l, a->name, none), attr_text(a),
			       none);
}

static int map_lun(struct cli *c, const char *number, bool replace)
{
	struct node *n = cli_lun_table(c), *old, *l;
	char *name = n ? lun_number(number) : NULL;
	struct plan plan = { 0 };
	int res = 1;

	if (!name)
		return 1;
	l = node_new(N_LUN, name);
	l->arg = xstrdup(c->with[WITH_DEVICE]);
	l->parent = n;
	old = node_find(n, N_LUN, name);
	if (!cli_device(c, l->arg) || !cli_parse_attributes(c, l) ||
	    !check_params(l, create_params(n, N_LUN)))
		goto out;
	if (replace && !old) {
		cli_error("there is no LUN %s to replace", name);
	} else if (replace) {
		cli_load(c, old, false);
		keep_params(l, old);
		plan_replace(&plan, l, create_params(n, N_LUN));
		res = cli_apply(c, &plan);
	} else if (old && is_copy_manager(n)) {
		res = 0;
	} else if (old) {
		cli_error("LUN %s exists already, with device '%s'", name,
			  old->arg);
	} else {
		plan_create(&plan, l, create_params(n, N_LUN));
		res = cli_apply(c, &plan);
	}
out:
	node_free(l);
	free(name);
	return res;
}

int cmd_add_lun(struct cli *c, const char *lun)
{
	return map_lun(c, lun, false);
}

int cmd_replace_lun(struct cli *c, const char *lun)
{
	return map_lun(c, lun, true);
}

int cmd_rem_lun(struct cli *c, const char *lun)
{
	struct node *n = cli_lun_table(c), *l;
	char *name = n ? lun_number(lun) : NULL;
	struct plan plan = { 0 };

	if (!name)
		return 1;
	l = cli_find(n, N_LUN, name);
	free(name);
	if (!l)
		return 1;
	plan_remove(&plan, l);
	return cli_apply(c, &plan);
}

int cmd_clear_luns(struct cli *c, const char *unused)
{
	struct node *n = cli_lun_table(c);

	(void)unused;
	return n ? clear(c, n, "luns", N_LUN) : 1;
}

/* ---- what an initiator would see ---- */

static unsigned int explain_target(const struct node *t, const char *name)
{
	const struct node *g, *ini;
	unsigned int found = 0;
	size_t i, j;

	printf("Target %s/%s:\n", t->parent->name, t->name);
	for_each_child(g, i, t, N_GROUP) {
		for_each_child(ini, j, g, N_INITIATOR) {
			if (!initiator_matches(name, ini->name))
				continue;
			printf("\tgroup '%s' matches by '%s', %zu LUN(s)\n",
			       g->name, ini->name, node_count(g, N_LUN));
			found++;
			break;
		}
	}
	if (!found)
		printf("\tno group matches, the target's own %zu LUN(s) are seen\n",
		       node_count(t, N_LUN));
	else if (found > 1)
		printf("\tof these, the group that was made first is taken\n");
	return found;
}

int cmd_explain(struct cli *c, const char *initiator)
{
	const char *driver = c->with[WITH_DRIVER];
	const char *target = c->with[WITH_TARGET];
	const struct node *d, *t;
	unsigned int targets = 0;
	size_t i, j;

	for_each_child(d, i, c->have, N_DRIVER) {
		if (is_copy_manager(d) || (driver && strcmp(driver, d->name)))
			continue;
		for_each_child(t, j, d, N_TARGET) {
			if (target && t != find_target(d, target))
				continue;
			explain_target(t, initiator);
			targets++;
		}
	}
	return targets ? 0 : cli_error("no such target");
}
