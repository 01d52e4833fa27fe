// SPDX-License-Identifier: GPL-2.0
/*
 * What this system cannot do of a file that is right by itself.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "check.h"

struct sys_check {
	struct node *root;
	const struct node *have;
	struct diags *diags;
};

char *module_for(enum node_kind kind, const char *name)
{
	if (kind == N_HANDLER) {
		if (str_starts(name, "vdisk") || !strcmp(name, "vcdrom"))
			return xstrdup("scst_vdisk");
		if (str_starts(name, "dev_"))
			return xasprintf("scst_%s", name + 4);
		return xstrdup(name);
	}
	if (!strcmp(name, "iscsi"))
		return xstrdup("iscsi_scst");
	if (!strcmp(name, "qla2x00t"))
		return xstrdup("qla2x00tgt");
	return xstrdup(name);
}

static bool is_hex_name(const char *name)
{
	for (; *name; name++)
		if (!isxdigit((unsigned char)*name) && *name != ':')
			return false;
	return true;
}

struct node *find_target(const struct node *driver, const char *name)
{
	struct node *t = node_find(driver, N_TARGET, name);
	size_t i;

	if (t || !driver || !is_hex_name(name))
		return t;
	for_each_child(t, i, driver, N_TARGET)
		if (!strcasecmp(t->name, name))
			return t;
	return NULL;
}

static const char *nearest(const struct node *parent, enum node_kind kind,
			   const char *name, struct strv *names)
{
	const struct node *n;
	size_t i;

	for_each_child(n, i, parent, kind)
		strv_add(names, n->name);
	return did_you_mean(name, names);
}

/* "found X, which is not loaded (did you mean Y?), expected ..." */
static void not_loaded(struct sys_check *c, const struct node *n,
		       enum severity sev)
{
	char *module = module_for(n->kind, n->name);
	struct strv names = { 0 };
	const char *near = nearest(c->have, n->kind, n->name, &names);

	diag_add(c->diags, sev, n->name_pos,
		 "found %s '%s', which is not loaded, expected module %s to be loaded (modprobe %s)%s%s%s",
		 kind_noun(n->kind), n->name, module, module,
		 near ? " or another name (did you mean '" : "",
		 near ? near : "", near ? "'?)" : "");
	strv_free(&names);
	free(module);
}

static void drop(struct node *n)
{
	node_unlink(n);
	node_free(n);
}

static void drop_luns(struct sys_check *c, struct node *n, const char *device)
{
	size_t i;

	for (i = n->nchild; i-- > 0;) {
		struct node *l = n->child[i];

		if (l->kind != N_LUN || strcmp(l->arg, device))
			continue;
		diag_add(c->diags, DIAG_NOTE, l->pos,
			 "LUN %s is left out with its device '%s'", l->name,
			 device);
		drop(l);
	}
}

/* Everything that uses a device which cannot be there. */
static void drop_uses(struct sys_check *c, const char *device)
{
	struct nodes tables = { 0 };
	struct node *dg, *m;
	size_t i;

	nodes_collect(&tables, c->root, N_TARGET);
	nodes_collect(&tables, c->root, N_GROUP);
	for (i = 0; i < tables.n; i++)
		drop_luns(c, tables.v[i], device);
	nodes_free(&tables);
	for_each_child(dg, i, c->root, N_DGROUP) {
		m = node_find(dg, N_DGDEV, device);
		if (m)
			drop(m);
	}
}

static void check_handlers(struct sys_check *c)
{
	struct node *h, *d;
	size_t i, j;

	for (i = c->root->nchild; i-- > 0;) {
		h = c->root->child[i];
		if (h->kind != N_HANDLER ||
		    node_find(c->have, N_HANDLER, h->name))
			continue;
		/* An empty section asks for nothing that could be missed. */
		not_loaded(c, h, node_count(h, N_DEVICE) || h->nattr ?
				 DIAG_BLOCKED : DIAG_WARNING);
		for_each_child(d, j, h, N_DEVICE)
			drop_uses(c, d->name);
		drop(h);
	}
}

/* References that check_file() has told about; now they must not get in. */
static void drop_undeclared(struct sys_check *c, struct node *n)
{
	size_t i;

	for (i = n->nchild; i-- > 0;) {
		struct node *m = n->child[i];
		const char *dev = m->kind == N_LUN ? m->arg :
				  m->kind == N_DGDEV ? m->name : NULL;

		if (dev && !find_device(c->root, dev))
			drop(m);
		else
			drop_undeclared(c, m);
	}
}

static void missing_target(struct sys_check *c, const struct node *t,
			   const struct node *driver)
{
	struct strv names = { 0 };
	const char *near = nearest(driver, N_TARGET, t->name, &names);

	diag_add(c->diags, DIAG_ERROR, t->name_pos,
		 "found target '%s', which %s does not have and cannot make, expected one of its %zu port(s)%s%s%s",
		 t->name, driver->name, node_count(driver, N_TARGET),
		 near ? " (did you mean '" : "", near ? near : "",
		 near ? "'?)" : "");
	strv_free(&names);
}

static void use_name(struct node *n, const char *name)
{
	char *copy = xstrdup(name);

	free(n->name);
	n->name = copy;
}

static void check_targets(struct sys_check *c, struct node *d,
			  const struct node *have)
{
	struct node *t, *running;
	size_t i;

	for (i = d->nchild; i-- > 0;) {
		t = d->child[i];
		if (t->kind != N_TARGET)
			continue;
		running = find_target(have, t->name);
		if (running) {
			use_name(t, running->name);
		} else if (t->flags & NODE_HW || !(have->flags & NODE_CREATES)) {
			missing_target(c, t, have);
			drop(t);
		}
	}
}

static void check_loaded_drivers(struct sys_check *c)
{
	struct node *d, *have;
	size_t i;

	for (i = c->root->nchild; i-- > 0;) {
		d = c->root->child[i];
		if (d->kind != N_DRIVER)
			continue;
		have = node_find(c->have, N_DRIVER, d->name);
		if (have) {
			check_targets(c, d, have);
			continue;
		}
		/* Saved files have this section whether it is wanted or not. */
		if (is_copy_manager(d))
			diag_add(c->diags, DIAG_NOTE, d->pos,
				 "this core has no copy manager; the section is ignored");
		else
			not_loaded(c, d, DIAG_BLOCKED);
		drop(d);
	}
}

/* Cores without ALUA have no directory for device groups. */
static void check_alua(struct sys_check *c)
{
	size_t i;

	if (node_find(c->have, N_ALUA, ""))
		return;
	for (i = c->root->nchild; i-- > 0;) {
		struct node *n = c->root->child[i];

		if (n->kind != N_DGROUP && n->kind != N_ALUA)
			continue;
		diag_add(c->diags, DIAG_BLOCKED, n->pos,
			 "found %s %s, expected a core with device groups (ALUA), which this one has not",
			 kind_keyword(n->kind), n->name);
		drop(n);
	}
}

/* Members of target groups that are targets of this host, in its spelling. */
static void use_local_names(struct sys_check *c)
{
	struct nodes members = { 0 };
	struct node *d, *running;
	size_t i, j;

	nodes_collect(&members, c->root, N_TGTGT);
	for (i = 0; i < members.n; i++)
		for_each_child(d, j, c->have, N_DRIVER) {
			running = find_target(d, members.v[i]->name);
			if (running)
				use_name(members.v[i], running->name);
		}
	nodes_free(&members);
}

/* The kernel splits commands at these, so such a value cannot reach it. */
static void check_params(struct sys_check *c, const struct node *n,
			 const struct strv *params)
{
	size_t i, j;

	for (i = 0; params && i < n->nattr; i++) {
		const struct attr *a = n->attr[i];

		if (!strv_has(params, a->name))
			continue;
		for (j = 0; j < a->n; j++) {
			const char *bad = strpbrk(a->v[j].text, " \t=;");

			if (bad)
				diag_add(c->diags, DIAG_ERROR, a->v[j].pos,
					 "found '%c' in the value of '%s', expected a value without blanks, '=' and ';': it is a creation parameter, and the kernel's commands cannot carry them",
					 *bad, a->name);
		}
	}
}

static void check_new_objects(struct sys_check *c)
{
	struct node *h, *d, *t, *have;
	size_t i, j;

	for_each_child(h, i, c->root, N_HANDLER) {
		have = node_find(c->have, N_HANDLER, h->name);
		for_each_child(d, j, h, N_DEVICE)
			if (!node_find(have, N_DEVICE, d->name))
				check_params(c, d, &have->caps->create);
	}
	for_each_child(d, i, c->root, N_DRIVER) {
		have = node_find(c->have, N_DRIVER, d->name);
		for_each_child(t, j, d, N_TARGET)
			if (!node_find(have, N_TARGET, t->name) && have->caps)
				check_params(c, t, &have->caps->create);
	}
}

void check_system(struct node *root, const struct node *have,
		  struct diags *diags)
{
	struct sys_check c = { .root = root, .have = have, .diags = diags };

	check_handlers(&c);
	drop_undeclared(&c, root);
	check_loaded_drivers(&c);
	check_alua(&c);
	use_local_names(&c);
	check_new_objects(&c);
	diags_sort(diags);
}
