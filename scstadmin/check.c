// SPDX-License-Identifier: GPL-2.0
/*
 * What can be said about a file without asking the system.
 */
#include <stdlib.h>
#include <string.h>

#include "attr.h"
#include "check.h"

char *name_fault(enum node_kind kind, const char *name)
{
	size_t len = strlen(name);
	const char *c;

	if (!len)
		return xstrdup("an empty name");
	if (!strcmp(name, ".") || !strcmp(name, ".."))
		return xasprintf("the name '%s'", name);
	if (kind == N_DEVICE && len > DEVICE_NAME_MAX)
		return xasprintf("a name of %zu characters, more than the %d a device can have",
				 len, DEVICE_NAME_MAX);
	if (len > NAME_LEN_MAX)
		return xasprintf("a name of %zu characters, more than the possible %d",
				 len, NAME_LEN_MAX);
	for (c = name; *c; c++) {
		unsigned char ch = (unsigned char)*c;

		if (ch < ' ' || ch == 0x7f)
			return xasprintf("the control character 0x%02x in the name",
					 ch);
		if (strchr(" =;/", ch) || (kind == N_DEVICE && ch == '.'))
			return xasprintf("the character '%c' in the name '%s'",
					 ch, name);
	}
	return NULL;
}

bool is_copy_manager(const struct node *n)
{
	while (n && n->kind != N_DRIVER)
		n = n->parent;
	return n && !strcmp(n->name, "copy_manager");
}

static void check_name(struct diags *diags, const struct node *n)
{
	char *fault;

	switch (n->kind) {
	case N_ROOT:
	case N_ALUA:
	case N_LUN:
		return;
	default:
		break;
	}
	fault = name_fault(n->kind, n->name);
	if (fault)
		diag_add(diags, DIAG_ERROR, n->name_pos,
			 "found %s, expected a %s name without it", fault,
			 kind_noun(n->kind));
	free(fault);
}

static void check_repeated(struct diags *diags, const struct node *n,
			   const struct attr *a, const struct attr_info *info)
{
	bool known = info || n->kind == N_DEVICE || n->kind == N_LUN;
	size_t i;

	if (a->n < 2 || (info && info->flags & AI_MULTI))
		return;
	/* Drivers have attributes of their own, which may take several values. */
	for (i = 1; i < a->n; i++)
		diag_add(diags, known ? DIAG_ERROR : DIAG_WARNING, a->v[i].pos,
			 "found '%s' a second time with value '%s', expected one value for it (line %u gives '%s')",
			 a->name, a->v[i].text, a->v[0].pos.line, a->v[0].text);
}

static void check_attr(struct diags *diags, const struct node *n,
		       const struct attr *a)
{
	const struct attr_info *info = attr_info(n->kind, a->name);
	struct strv names = { 0 };
	const char *near;
	char *want;
	size_t i;

	check_repeated(diags, n, a, info);
	for (i = 0; info && i < a->n; i++) {
		want = attr_expected(info, a->v[i].text);
		if (!want)
			continue;
		if (*a->v[i].text)
			diag_add(diags, DIAG_ERROR, a->v[i].pos,
				 "found '%s' for attribute '%s', expected %s",
				 a->v[i].text, a->name, want);
		else
			diag_add(diags, DIAG_ERROR, a->v[i].pos,
				 "found attribute '%s' without a value, expected %s",
				 a->name, info->type == AT_BOOL ? "0 or 1" : want);
		free(want);
	}
	if (info)
		return;
	attr_names(n->kind, &names);
	near = did_you_mean(a->name, &names);
	if (near)
		diag_add(diags, DIAG_WARNING, a->pos,
			 "found attribute '%s' of a %s, which is not a known one (did you mean '%s'?)",
			 a->name, kind_noun(n->kind), near);
	else if (a->flags & ATTR_BARE)
		diag_add(diags, DIAG_WARNING, a->pos,
			 "found '%s' without a value, taken as an empty one (write %s \"\" to say so)",
			 a->name, a->name);
	strv_free(&names);
}

static void check_names_and_attrs(struct diags *diags, const struct node *n)
{
	size_t i;

	check_name(diags, n);
	for (i = 0; i < n->nattr; i++)
		check_attr(diags, n, n->attr[i]);
	for (i = 0; i < n->nchild; i++)
		check_names_and_attrs(diags, n->child[i]);
}

/* "/dev/x" names device "x", as the reference reader has it. */
static void strip_dev(struct diags *diags, struct node *n)
{
	char **name = n->kind == N_LUN ? &n->arg : &n->name;
	bool is_name = n->kind == N_DEVICE || n->kind == N_DGDEV ||
		       n->kind == N_LUN;
	size_t i;

	if (is_name && str_starts(*name, "/dev/") && strlen(*name) > 5) {
		char *rest = xstrdup(*name + 5);

		diag_add(diags, DIAG_WARNING,
			 n->kind == N_LUN ? n->arg_pos : n->name_pos,
			 "found device name '%s', taken as '%s' (names have no directory)",
			 *name, rest);
		free(*name);
		*name = rest;
	}
	for (i = 0; i < n->nchild; i++)
		strip_dev(diags, n->child[i]);
}

/* Two devices that would show an initiator the same identity (W23). */
static void check_identity(struct diags *diags, const struct nodes *devices,
			   const struct node *d, const char *id)
{
	const struct attr *a = node_attr(d, id), *b;
	size_t i;

	if (!*attr_text(a))
		return;
	for (i = 0; i < devices->n && devices->v[i] != d; i++) {
		b = node_attr(devices->v[i], id);
		if (b && attr_same(N_DEVICE, id, attr_text(a), attr_text(b)))
			diag_add(diags, DIAG_WARNING, a->pos,
				 "found %s '%s' for device '%s', which device '%s' has too: initiators will take them for one disk",
				 id, attr_text(a), d->name,
				 devices->v[i]->name);
	}
}

static bool is_on(const struct node *n, const char *attr)
{
	return !strcmp(attr_text(node_attr(n, attr)), "1");
}

static void check_device(struct diags *diags, const struct node *d)
{
	const char *h = d->parent->name;
	bool fileio = !strcmp(h, "vdisk_fileio");

	if ((fileio || !strcmp(h, "vdisk_blockio")) &&
	    !*attr_text(node_attr(d, "filename")))
		diag_add(diags, DIAG_ERROR, d->pos,
			 "found device '%s' of %s without a filename, expected \"filename <path>\"",
			 d->name, h);
	if (fileio && is_on(d, "o_direct") && !is_on(d, "async"))
		diag_add(diags, DIAG_ERROR, node_attr(d, "o_direct")->pos,
			 "found o_direct 1 without async 1, expected both");
	if (fileio && is_on(d, "read_only") &&
	    (is_on(d, "nv_cache") || is_on(d, "write_through")))
		diag_add(diags, DIAG_ERROR, node_attr(d, "read_only")->pos,
			 "found read_only 1 together with nv_cache or write_through, expected one of them");
	if (is_on(d, "nv_cache"))
		diag_add(diags, DIAG_NOTE, node_attr(d, "nv_cache")->pos,
			 "nv_cache 1 on device '%s': flushes are not carried out; data is lost at a power failure unless the cache survives it",
			 d->name);
}

static void check_devices(struct diags *diags, const struct node *root)
{
	static const char *const ids[] = {
		"naa_id", "eui64_id", "usn", "t10_dev_id",
	};
	struct nodes devices = { 0 };
	const struct node *d, *other;
	size_t i, id;

	nodes_collect(&devices, root, N_DEVICE);
	for (i = 0; i < devices.n; i++) {
		d = devices.v[i];
		check_device(diags, d);
		for (id = 0; id < ARRAY_SIZE(ids); id++)
			check_identity(diags, &devices, d, ids[id]);
		other = find_device(root, d->name);
		if (other != d)
			diag_add(diags, DIAG_ERROR, d->name_pos,
				 "found device '%s' in handler %s, expected a name of its own (line %u has it in %s)",
				 d->name, d->parent->name, other->pos.line,
				 other->parent->name);
	}
	nodes_free(&devices);
}

static void device_names(const struct node *root, struct strv *names)
{
	struct nodes devices = { 0 };
	size_t i;

	nodes_collect(&devices, root, N_DEVICE);
	for (i = 0; i < devices.n; i++)
		strv_add(names, devices.v[i]->name);
	nodes_free(&devices);
}

/*
 * A device that is used but not declared. It may be a misspelt one, so the
 * reference is never dropped without a word.
 */
static void check_device_ref(struct diags *diags, const struct node *root,
			     const char *dev, struct pos pos, const char *user)
{
	struct strv names = { 0 };
	const char *near;

	if (find_device(root, dev))
		return;
	device_names(root, &names);
	near = did_you_mean(dev, &names);
	diag_add(diags, DIAG_BLOCKED, pos,
		 "found device '%s' in %s, expected a device declared in a HANDLER section%s%s%s",
		 dev, user, near ? " (did you mean '" : "", near ? near : "",
		 near ? "'?)" : "");
	strv_free(&names);
}

static void check_luns(struct diags *diags, const struct node *root,
		       const struct node *n)
{
	const struct node *l;
	size_t i;

	for_each_child(l, i, n, N_LUN) {
		char *user = node_describe(l);

		check_device_ref(diags, root, l->arg, l->arg_pos, user);
		free(user);
	}
	if (node_count(n, N_LUN) && !node_find(n, N_LUN, "0") &&
	    !is_copy_manager(n))
		diag_add(diags, DIAG_WARNING, n->pos,
			 "found no LUN 0 in %s %s, expected one (many initiators look there first)",
			 kind_noun(n->kind), n->name);
}

/* Is the initiator in a group of the target that stands before @g? */
static void check_initiator(struct diags *diags, const struct node *t,
			    const struct node *g, const struct node *ini)
{
	const struct node *other, *twin;
	size_t i;

	for_each_child(other, i, t, N_GROUP) {
		if (other == g)
			break;
		twin = node_find(other, N_INITIATOR, ini->name);
		if (twin)
			diag_add(diags, DIAG_ERROR, ini->name_pos,
				 "found initiator '%s' in group %s, expected it in one group of target %s (line %u has it in %s)",
				 ini->name, g->name, t->name, twin->pos.line,
				 other->name);
	}
}

static void check_group(struct diags *diags, const struct node *t,
			const struct node *g)
{
	const struct node *ini;
	size_t i;

	if (node_count(g, N_LUN) && !node_count(g, N_INITIATOR))
		diag_add(diags, DIAG_WARNING, g->pos,
			 "found LUNs but no INITIATOR in group %s, expected one: nobody will see these LUNs",
			 g->name);
	for_each_child(ini, i, g, N_INITIATOR)
		check_initiator(diags, t, g, ini);
}

/* A target counts as enabled when the file says so or it cannot be disabled. */
static const char *enabled_rel_id(const struct node *t)
{
	const struct attr *a = node_attr(t, "rel_tgt_id");

	if (!a || (!is_on(t, "enabled") && strcmp(t->parent->name, "scst_local")))
		return "0";
	return attr_text(a);
}

static void check_rel_id(struct diags *diags, const struct nodes *targets,
			 const struct node *t)
{
	const char *id = enabled_rel_id(t);
	const struct node *other;
	size_t i;

	if (attr_same(N_TARGET, "rel_tgt_id", id, "0"))
		return;
	for (i = 0; i < targets->n && targets->v[i] != t; i++) {
		other = targets->v[i];
		if (attr_same(N_TARGET, "rel_tgt_id", enabled_rel_id(other), id))
			diag_add(diags, DIAG_ERROR,
				 node_attr(t, "rel_tgt_id")->pos,
				 "found rel_tgt_id %s for target %s, expected an id of its own (target %s has it too)",
				 id, t->name, other->name);
	}
}

static void check_target(struct diags *diags, const struct node *root,
			 const struct node *t)
{
	const struct node *g;
	size_t i;

	check_luns(diags, root, t);
	for_each_child(g, i, t, N_GROUP) {
		check_luns(diags, root, g);
		check_group(diags, t, g);
	}
}

static void check_drivers(struct diags *diags, const struct node *root)
{
	struct nodes targets = { 0 };
	const struct node *d;
	size_t i;

	for_each_child(d, i, root, N_DRIVER)
		if (!node_count(d, N_TARGET))
			diag_add(diags, DIAG_WARNING, d->pos,
				 "found no TARGET in TARGET_DRIVER %s, expected one",
				 d->name);
	nodes_collect(&targets, root, N_TARGET);
	for (i = 0; i < targets.n; i++) {
		check_target(diags, root, targets.v[i]);
		check_rel_id(diags, &targets, targets.v[i]);
	}
	nodes_free(&targets);
}

/* Is the target in a target group of @dg that stands before @tg? */
static void check_member_target(struct diags *diags, const struct node *dg,
				const struct node *tg, const struct node *t)
{
	const struct node *other, *twin;
	size_t i;

	for_each_child(other, i, dg, N_TGROUP) {
		if (other == tg)
			break;
		twin = node_find(other, N_TGTGT, t->name);
		if (twin)
			diag_add(diags, DIAG_ERROR, t->name_pos,
				 "found target '%s' in target group %s, expected it in one target group of %s (line %u has it in %s)",
				 t->name, tg->name, dg->name, twin->pos.line,
				 other->name);
	}
}

static void check_member_device(struct diags *diags, const struct node *root,
				const struct node *d)
{
	const struct node *dg = d->parent, *other;
	char *user = node_describe(dg);
	size_t i;

	check_device_ref(diags, root, d->name, d->name_pos, user);
	free(user);
	for_each_child(other, i, root, N_DGROUP) {
		if (other == dg)
			break;
		if (node_find(other, N_DGDEV, d->name))
			diag_add(diags, DIAG_ERROR, d->name_pos,
				 "found device '%s' in device group %s, expected it in one device group (%s has it too)",
				 d->name, dg->name, other->name);
	}
}

static void check_device_groups(struct diags *diags, const struct node *root)
{
	const struct node *dg, *d, *tg, *t;
	size_t i, j, k;

	for_each_child(dg, i, root, N_DGROUP) {
		for_each_child(d, j, dg, N_DGDEV)
			check_member_device(diags, root, d);
		for_each_child(tg, j, dg, N_TGROUP)
			for_each_child(t, k, tg, N_TGTGT)
				check_member_target(diags, dg, tg, t);
	}
}

void check_file(struct node *root, struct diags *diags)
{
	struct pos none = { 0 };
	size_t handlers = node_count(root, N_HANDLER);
	size_t drivers = node_count(root, N_DRIVER);

	if (!root->nattr && !root->nchild) {
		if (!diags->count[DIAG_ERROR])
			diag_add(diags, DIAG_WARNING, none,
				 "found nothing in the file, expected sections");
		diags_sort(diags);
		return;
	}

	strip_dev(diags, root);
	check_names_and_attrs(diags, root);
	check_devices(diags, root);
	check_drivers(diags, root);
	check_device_groups(diags, root);
	if (diags->count[DIAG_ERROR])
		;	/* what is missing may be behind the error */
	else if (!handlers && !drivers)
		diag_add(diags, DIAG_ERROR, none,
			 "found neither HANDLER nor TARGET_DRIVER, expected at least one");
	else if (!handlers)
		diag_add(diags, DIAG_WARNING, none,
			 "found no HANDLER section, expected one");
	else if (!drivers)
		diag_add(diags, DIAG_WARNING, none,
			 "found no TARGET_DRIVER section, expected one");
	diags_sort(diags);
}
