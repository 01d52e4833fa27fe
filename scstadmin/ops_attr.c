// SPDX-License-Identifier: GPL-2.0
/*
 * Setting attributes of one object.
 */
#include <stdlib.h>
#include <string.h>

#include "attr.h"
#include "cli.h"
#include "diff.h"

/* "p=v,p=v,flag": the first '=' splits, a flag has value 1, the last wins. */
static void parse_item(struct node *n, const char *item)
{
	const char *eq = strchr(item, '=');
	char *name = eq ? xstrndup(item, (size_t)(eq - item)) : xstrdup(item);
	struct pos none = { 0 };
	struct attr *a;

	node_del_attr(n, name);
	a = node_add_attr(n, name, none);
	attr_add_value(a, eq ? eq + 1 : "1", none);
	free(name);
}

static bool check_value(const struct node *n, const struct attr *a)
{
	const struct attr_info *info = attr_info(n->kind, a->name);
	char *want;

	if (!info)
		return true;
	want = attr_expected(info, attr_text(a));
	if (!want)
		return true;
	cli_error("found '%s' for attribute '%s', expected %s", attr_text(a),
		  a->name, want);
	free(want);
	return false;
}

bool cli_parse_attributes(struct cli *c, struct node *n)
{
	const char *text = c->with[WITH_ATTRIBUTES];
	struct strv items = { 0 };
	bool ok = true;
	size_t i;

	if (!text)
		return true;
	strv_split(&items, text, ",");
	for (i = 0; i < items.n; i++) {
		if (*items.v[i] == '=') {
			ok = !cli_error("found '%s' in -attributes, expected name=value",
					items.v[i]);
			break;
		}
		parse_item(n, items.v[i]);
	}
	if (!items.n)
		ok = !cli_error("found nothing in -attributes, expected name=value");
	strv_free(&items);
	for (i = 0; ok && i < n->nattr; i++)
		ok = check_value(n, n->attr[i]);
	return ok;
}

/* A node of the wanted attributes in the place of the running object. */
static struct node *wanted(const struct node *have)
{
	struct node *w = node_new(have->kind, have->name);

	w->parent = have->parent;
	w->arg = have->arg ? xstrdup(have->arg) : NULL;
	return w;
}

static bool unknown_attr(const struct node *have, const char *name)
{
	char *obj = node_describe(have);
	struct strv names = { 0 };
	const char *near;
	size_t i;

	for (i = 0; i < have->nattr; i++)
		strv_add(&names, have->attr[i]->name);
	near = did_you_mean(name, &names);
	cli_error("%s lacks the settable attribute '%s'%s%s%s", obj, name,
		  near ? " (did you mean '" : "", near ? near : "",
		  near ? "'?)" : "");
	strv_free(&names);
	free(obj);
	return false;
}

/* All of them are looked at before the first is written. */
static bool check_settable(const struct node *w, const struct node *have)
{
	const struct node *drv = have->kind == N_DRIVER ? have :
				 have->kind == N_TARGET ? have->parent : NULL;
	bool ok = true;
	size_t i;

	for (i = 0; i < w->nattr; i++) {
		const char *name = w->attr[i]->name;
		const struct attr *h = node_attr(have, name);

		if (drv && is_dynamic(have->kind, drv, name))
			continue;
		if (!h || (!(h->flags & ATTR_WRITE) && !always_writable(name)))
			ok = unknown_attr(have, name);
	}
	return ok;
}

static void plan_attr(struct diff *d, struct node *w, struct node *have,
		      const struct attr *a)
{
	const struct node *drv = have->kind == N_DRIVER ? have :
				 have->kind == N_TARGET ? have->parent : NULL;
	const struct attr *h = node_attr(have, a->name);

	if (drv && is_dynamic(have->kind, drv, a->name))
		diff_dynamic(d, w, drv, a, h);
	else if (h->flags & ATTR_READ && has_value(w, h, attr_text(a)))
		printf("\t-> Attribute '%s' is already set to '%s'.\n", a->name,
		       attr_text(a));
	else
		plan_set_attr(d->p, w, a->name, attr_text(a), h, 0);
}

static int set_attrs(struct cli *c, struct node *have)
{
	struct plan plan = { 0 };
	struct diff d = { .p = &plan, .have = c->have };
	struct node *w;
	size_t i;
	int status = 1;

	if (!have)
		return 1;
	cli_load(c, have, false);
	w = wanted(have);
	if (cli_parse_attributes(c, w) && check_settable(w, have)) {
		for (i = 0; i < w->nattr; i++)
			plan_attr(&d, w, have, w->attr[i]);
		for (i = 0; i < plan.notices.n; i++)
			printf("\t-> %s.\n", plan.notices.v[i]);
		status = cli_apply(c, &plan);
	}
	node_free(w);
	return status;
}

int cmd_set_scst_attr(struct cli *c, const char *unused)
{
	(void)unused;
	return set_attrs(c, c->have);
}

int cmd_set_hnd_attr(struct cli *c, const char *name)
{
	return set_attrs(c, cli_find(c->have, N_HANDLER, name));
}

int cmd_set_dev_attr(struct cli *c, const char *name)
{
	return set_attrs(c, cli_device(c, name));
}

int cmd_set_drv_attr(struct cli *c, const char *name)
{
	return set_attrs(c, cli_find(c->have, N_DRIVER, name));
}

int cmd_set_tgt_attr(struct cli *c, const char *name)
{
	return set_attrs(c, cli_target(c, name));
}

int cmd_set_grp_attr(struct cli *c, const char *name)
{
	struct node *t = cli_target(c, c->with[WITH_TARGET]);

	return set_attrs(c, t ? cli_find(t, N_GROUP, name) : NULL);
}

int cmd_set_lun_attr(struct cli *c, const char *name)
{
	struct node *n = cli_lun_table(c);

	return set_attrs(c, n ? cli_find(n, N_LUN, name) : NULL);
}

int cmd_set_init_attr(struct cli *c, const char *name)
{
	struct node *g = cli_group(c);

	return set_attrs(c, g ? cli_find(g, N_INITIATOR, name) : NULL);
}

int cmd_set_dgrp_attr(struct cli *c, const char *name)
{
	return set_attrs(c, cli_find(c->have, N_DGROUP, name));
}

int cmd_set_tgrp_attr(struct cli *c, const char *name)
{
	struct node *dg = cli_dgroup(c);

	return set_attrs(c, dg ? cli_find(dg, N_TGROUP, name) : NULL);
}

int cmd_set_ttgt_attr(struct cli *c, const char *name)
{
	struct node *tg = cli_tgroup(c);

	return set_attrs(c, tg ? cli_find(tg, N_TGTGT, name) : NULL);
}

/* ---- one value of a multi-valued attribute ---- */

static int change_dynamic(struct cli *c, struct node *n, const char *verb)
{
	bool add = !strcmp(verb, "add"), ok = true;
	struct plan plan = { 0 };
	const struct node *drv;
	struct node *w;
	size_t i;

	if (!n)
		return 1;
	cli_load(c, n, false);
	drv = n->kind == N_DRIVER ? n : n->parent;
	w = wanted(n);
	ok = cli_parse_attributes(c, w);
	for (i = 0; ok && i < w->nattr; i++) {
		const struct attr *a = w->attr[i];

		if (!is_dynamic(n->kind, drv, a->name))
			ok = !cli_error("'%s' is not a dynamic attribute of %s",
					a->name, n->name);
		else if (attr_has(node_attr(n, a->name), attr_text(a)) != add)
			plan_dynamic(&plan, n, verb, a->name, attr_text(a),
				     is_session_name(drv, a->name));
		else if (add)
			printf("\t-> Attribute '%s' has the value '%s' already.\n",
			       a->name, attr_text(a));
		else
			ok = !cli_error("attribute '%s' has no value '%s'",
					a->name, attr_text(a));
	}
	node_free(w);
	if (ok)
		return cli_apply(c, &plan);
	plan_free(&plan);
	return 1;
}

int cmd_add_drv_attr(struct cli *c, const char *name)
{
	return change_dynamic(c, cli_find(c->have, N_DRIVER, name), "add");
}

int cmd_rem_drv_attr(struct cli *c, const char *name)
{
	return change_dynamic(c, cli_find(c->have, N_DRIVER, name), "del");
}

int cmd_add_tgt_attr(struct cli *c, const char *name)
{
	return change_dynamic(c, cli_target(c, name), "add");
}

int cmd_rem_tgt_attr(struct cli *c, const char *name)
{
	return change_dynamic(c, cli_target(c, name), "del");
}
