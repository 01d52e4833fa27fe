// SPDX-License-Identifier: GPL-2.0
/*
 * Operations on one device or one target.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "attr.h"
#include "check.h"
#include "cli.h"
#include "diff.h"
#include "table.h"

/* A new object below @parent; NULL after an error about its name. */
static struct node *new_object(struct node *parent, enum node_kind kind,
			       const char *name)
{
	char *fault = name_fault(kind, name);
	struct node *n;

	if (fault) {
		cli_error("found %s, expected a %s name without it", fault,
			  kind_noun(kind));
		free(fault);
		return NULL;
	}
	n = node_new(kind, name);
	n->parent = parent;
	return n;
}

/*
 * An attribute that is neither a creation parameter nor known for such an
 * object is taken for a slip, before anything is made.
 */
static bool check_new_attrs(const struct node *n, const struct node *drv,
			    const struct strv *params)
{
	struct strv names = { 0 };
	const char *near;
	bool ok = true;
	size_t i;

	for (i = 0; i < params->n; i++)
		strv_add(&names, params->v[i]);
	attr_names(n->kind, &names);
	for (i = 0; ok && i < n->nattr; i++) {
		const char *name = n->attr[i]->name;
		const char *value = attr_text(n->attr[i]);

		if (strv_has(params, name) && strpbrk(value, " \t=;")) {
			cli_error("found '%s' for '%s', expected no blank, '=' or ';' in it",
				  value, name);
			ok = false;
		} else if (!strv_has(&names, name) &&
			   !is_dynamic(n->kind, drv, name)) {
			near = did_you_mean(name, &names);
			cli_error("'%s' is no parameter of %s%s%s%s", name,
				  n->parent->name,
				  near ? " (did you mean '" : "",
				  near ? near : "", near ? "'?)" : "");
			ok = false;
		}
	}
	strv_free(&names);
	return ok;
}

static int create_with_attrs(struct cli *c, struct node *n, struct node *drv,
			     const struct strv *params)
{
	struct plan plan = { 0 };
	struct diff d = { .p = &plan, .have = c->have };

	plan_create(&plan, n, params);
	set_new_attrs(&d, n, drv, params);
	return cli_apply(c, &plan);
}

int cmd_open_dev(struct cli *c, const char *name)
{
	struct node *h = cli_find(c->have, N_HANDLER, c->with[WITH_HANDLER]);
	const struct node *old = find_device(c->have, name);
	const struct strv *params;
	struct node *n;
	char *module;
	int res = 1;

	if (!h) {
		module = module_for(N_HANDLER, c->with[WITH_HANDLER]);
		fprintf(stderr, "Is its module loaded? (modprobe %s)\n",
			module);
		free(module);
		return 1;
	}
	if (old)
		return cli_error("device '%s' is open in handler %s", name,
				 old->parent->name);
	n = new_object(h, N_DEVICE, name);
	if (!n)
		return 1;
	params = create_params(h, N_DEVICE);
	if (cli_parse_attributes(c, n) && check_new_attrs(n, NULL, params))
		res = create_with_attrs(c, n, NULL, params);
	node_free(n);
	return res;
}

static void add_users(struct table *t, const struct node *target,
		      const struct node *group, const char *device)
{
	const struct node *n = group ? group : target, *l;
	size_t i;

	for_each_child(l, i, n, N_LUN) {
		if (strcmp(l->arg, device))
			continue;
		table_cell(t, target->parent->name);
		table_cell(t, target->name);
		table_cell(t, group ? group->name : "");
		table_cell(t, l->name);
	}
}

/* Every place where a device is seen; the copy manager's does not count. */
static void find_users(struct cli *c, struct table *t, const char *device)
{
	const struct node *d, *tgt, *g;
	size_t i, j, k;

	for_each_child(d, i, c->have, N_DRIVER) {
		if (is_copy_manager(d))
			continue;
		for_each_child(tgt, j, d, N_TARGET) {
			add_users(t, tgt, NULL, device);
			for_each_child(g, k, tgt, N_GROUP)
				add_users(t, tgt, g, device);
		}
	}
}

int cmd_close_dev(struct cli *c, const char *name)
{
	struct table users = {
		.cols = 4, .head = { "Driver", "Target", "Group", "Lun" },
		.head_gap = 1, .row_gap = 1,
	};
	struct node *h = cli_find(c->have, N_HANDLER, c->with[WITH_HANDLER]);
	struct node *d = h ? cli_find(h, N_DEVICE, name) : NULL;
	struct plan plan = { 0 };

	if (!d)
		return 1;
	find_users(c, &users, name);
	if (users.cells.n && !c->force) {
		printf("Device '%s' is exported:\n\n", name);
		table_print(&users);
		return cli_error("device '%s' is in use; -force closes it and removes these LUNs",
				 name);
	}
	strv_free(&users.cells);
	plan_remove(&plan, d);
	return cli_apply(c, &plan);
}

static char *read_size(struct cli *c, const char *device)
{
	char *path = xasprintf("devices/%s/size", device);
	struct strbuf sb = { 0 };
	char *size;

	sysfs_read(c->s, path, &sb);
	size = xstrndup(sb_str(&sb), strcspn(sb_str(&sb), "\n"));
	sb_free(&sb);
	free(path);
	return size;
}

int cmd_resync_dev(struct cli *c, const char *name)
{
	struct node *d = cli_device(c, name);
	struct plan plan = { 0 };
	char *before, *after;
	int res;

	if (!d)
		return 1;
	cli_load(c, d, false);
	if (!node_attr(d, "resync_size"))
		return cli_error("device '%s' of %s has no size to read again",
				 name, d->parent->name);
	before = read_size(c, name);
	plan_set_attr(&plan, d, "resync_size", "1", NULL, 0);
	res = cli_apply(c, &plan);
	after = read_size(c, name);
	if (!res)
		printf("\t-> Size of '%s': %s bytes before, %s now.\n", name,
		       before, after);
	free(before);
	free(after);
	return res;
}

static void plan_hardware(struct plan *p, const struct node *driver)
{
	const struct node *t;
	const struct attr *on;
	size_t i;

	for_each_child(t, i, driver, N_TARGET) {
		on = node_attr(t, "enabled");
		if (t->flags & NODE_HW && !strcmp(attr_text(on), "0"))
			plan_set_attr(p, t, "enabled", "1", on, 0);
	}
}

int cmd_add_target(struct cli *c, const char *name)
{
	struct node *drv = cli_driver(c), *n;
	struct plan plan = { 0 };
	struct diff d = { .p = &plan, .have = c->have };
	const struct strv *params;
	int res = EXIT_ADD_TARGET;

	if (!drv)
		return EXIT_NO_DRIVER;
	if (!(drv->flags & NODE_CREATES)) {
		cli_error("driver %s cannot make targets, it has those of its hardware",
			  drv->name);
		return EXIT_DRIVER_CANNOT;
	}
	if (node_find(drv, N_TARGET, name)) {
		cli_error("target %s/%s exists already", drv->name, name);
		return EXIT_TARGET_EXISTS;
	}
	n = new_object(drv, N_TARGET, name);
	if (!n)
		return EXIT_ADD_TARGET;
	params = create_params(drv, N_TARGET);
	if (!cli_parse_attributes(c, n) || !check_new_attrs(n, drv, params)) {
		res = EXIT_TARGET_PARAM;
	} else {
		plan_hardware(&plan, drv);
		plan_create(&plan, n, params);
		set_new_attrs(&d, n, drv, params);
		if (!cli_apply(c, &plan))
			res = 0;
	}
	node_free(n);
	return res;
}

int cmd_rem_target(struct cli *c, const char *name)
{
	struct node *drv = cli_driver(c), *t;
	struct plan plan = { 0 };

	if (!drv)
		return EXIT_NO_DRIVER;
	if (!(drv->flags & NODE_CREATES)) {
		cli_error("driver %s cannot remove targets, they belong to the hardware",
			  drv->name);
		return EXIT_DRIVER_CANNOT;
	}
	t = cli_find(drv, N_TARGET, name);
	if (!t)
		return EXIT_NO_TARGET;
	/* Its attributes are needed should it have to be made again. */
	cli_load(c, t, true);
	plan_remove_target(&plan, c->have, t);
	if (!cli_apply(c, &plan))
		return 0;
	return c->last_err == -ETIMEDOUT ? EXIT_SESSIONS_REMAIN :
					   EXIT_REMOVE_TARGET;
}

static int switch_target(struct cli *c, const char *name, const char *value)
{
	struct node *t = cli_target(c, name);
	struct plan plan = { 0 };
	const struct attr *on;

	if (!t)
		return 1;
	on = node_attr(t, "enabled");
	if (!on)
		return cli_error("target %s/%s has no 'enabled' attribute, it is always enabled",
				 t->parent->name, t->name);
	if (!strcmp(attr_text(on), value)) {
		printf("\t-> Target %s/%s is %s already.\n", t->parent->name,
		       t->name, *value == '1' ? "enabled" : "disabled");
		return 0;
	}
	plan_set_attr(&plan, t, "enabled", value, on, 0);
	return cli_apply(c, &plan);
}

int cmd_enable_target(struct cli *c, const char *name)
{
	return switch_target(c, name, "1");
}

int cmd_disable_target(struct cli *c, const char *name)
{
	return switch_target(c, name, "0");
}

/* Return: 0, -errno, or -ENOENT for a target that is no FC port. */
static int lip_target(struct cli *c, const struct node *t)
{
	char *path = node_path(t);
	int err = sysfs_issue_lip(c->s, path);

	if (!err)
		printf("\t-> Issued a LIP on %s/%s.\n", t->parent->name,
		       t->name);
	else if (err != -ENOENT)
		cli_error("cannot issue a LIP on %s/%s: %s", t->parent->name,
			  t->name, strerror(-err));
	free(path);
	return err;
}

unsigned int cli_lip(struct cli *c, const struct node *have)
{
	const struct node *d, *t;
	unsigned int done = 0;
	size_t i, j;

	if (c->no_lip)
		return 0;
	for_each_child(d, i, have, N_DRIVER)
		for_each_child(t, j, d, N_TARGET)
			done += !lip_target(c, t);
	return done;
}

int cmd_issue_lip(struct cli *c, const char *name)
{
	struct node *t;
	int err;

	if (c->no_lip)
		return 0;
	if (!name) {
		if (!cli_lip(c, c->have))
			printf("\t-> No target is a fibre channel port.\n");
		return 0;
	}
	t = cli_target(c, name);
	if (!t)
		return 1;
	err = lip_target(c, t);
	if (err == -ENOENT)
		printf("\t-> Target %s/%s is not a fibre channel port; ignored.\n",
		       t->parent->name, t->name);
	return err && err != -ENOENT;
}
