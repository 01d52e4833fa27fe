// SPDX-License-Identifier: GPL-2.0
/*
 * Differences between targets: LUNs, initiators, groups, what is enabled.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "diff.h"

static bool device_read_only(const struct diff *d, const char *device)
{
	const struct node *dev = find_device(d->want, device);

	if (!dev || !node_attr(dev, "read_only"))
		dev = find_device(d->have, device);
	return dev && !is_zero(attr_text(node_attr(dev, "read_only")));
}

/* A LUN of a read-only device shows read_only whatever it was made with. */
static bool lun_params_differ(const struct diff *d, const struct node *want,
			      const struct node *have)
{
	const struct strv *params = create_params(have->parent, N_LUN);
	size_t i;

	for (i = 0; i < params->n; i++) {
		if (!strcmp(params->v[i], "read_only") &&
		    device_read_only(d, want->arg))
			continue;
		if (param_differs(want, have, params->v[i]))
			return true;
	}
	return false;
}

/* LUNs of a described table that have to go before others can come. */
static void remove_luns(struct diff *d, const struct node *want,
			struct node *have)
{
	const struct node *w;
	struct node *l;
	char *what;
	size_t i;

	for_each_child(l, i, have, N_LUN) {
		w = node_find(want, N_LUN, l->name);
		if (w && !strcmp(w->arg, l->arg) && !lun_params_differ(d, w, l))
			continue;
		if (d->force) {
			plan_remove(d->p, l);
			continue;
		}
		if (!w) {
			surplus(d, l, true);
			continue;
		}
		what = node_describe(l);
		if (strcmp(w->arg, l->arg))
			plan_notice(d->p, true,
				    "%s has device %s, the file has %s; -force replaces it",
				    what, l->arg, w->arg);
		else
			plan_notice(d->p, true,
				    "%s has other attributes than the file; -force replaces it",
				    what);
		free(what);
	}
}

static void add_luns(struct diff *d, const struct node *want,
		     const struct node *have, const struct strv *params)
{
	const struct node *l;
	size_t i, j;

	for_each_child(l, i, want, N_LUN) {
		if (find_live(have, N_LUN, l->name))
			continue;
		plan_create(d->p, l, params);
		for (j = 0; params && j < l->nattr; j++)
			if (!strv_has(params, l->attr[j]->name))
				plan_notice(d->p, false,
					    "LUN %s has no attribute '%s'; ignored",
					    l->name, l->attr[j]->name);
	}
}

static struct node *group_with(const struct node *target, const char *ini)
{
	struct node *g, *n;
	size_t i;

	for_each_child(g, i, target, N_GROUP) {
		n = find_live(g, N_INITIATOR, ini);
		if (n)
			return n;
	}
	return NULL;
}

static void move_initiator(struct diff *d, const struct node *want,
			   struct node *have)
{
	struct writes w = { 0 };
	char *obj = node_describe(have), *path;
	char *what = xasprintf("%s: to group %s", obj, want->parent->name);
	struct step *st;

	path = node_path(have);
	*strrchr(path, '/') = '\0';
	writes_add(&w, xasprintf("%s/mgmt", path),
		   xasprintf("move %s %s", have->name, want->parent->name));
	st = plan_add(d->p, STEP_CHANGE, STEP_OBJECT, &w, what);
	st->pos = want->pos;
	free(path);
	path = node_path(want);
	*strrchr(path, '/') = '\0';
	writes_add(&st->undo, xasprintf("%s/mgmt", path),
		   xasprintf("move %s %s", have->name, have->parent->name));
	have->flags |= NODE_GONE;
	free(path);
	free(what);
	free(obj);
}

static void add_initiators(struct diff *d, const struct node *want,
			   const struct node *have_target)
{
	const struct node *ini;
	struct node *other;
	size_t i;

	for_each_child(ini, i, want, N_INITIATOR) {
		other = have_target ? group_with(have_target, ini->name) : NULL;
		if (!other) {
			plan_create(d->p, ini, NULL);
		} else if (strcmp(other->parent->name, want->name)) {
			if (d->force)
				move_initiator(d, ini, other);
			else
				plan_notice(d->p, true,
					    "initiator %s is in group %s of %s/%s, the file has it in %s; -force moves it",
					    ini->name, other->parent->name,
					    have_target->parent->name,
					    have_target->name, want->name);
		}
	}
}

static void remove_group(struct diff *d, struct node *g)
{
	struct node *ini;
	size_t i;

	/* Its sessions have to find another group, or deleting is refused. */
	for_each_child(ini, i, g, N_INITIATOR)
		if (live(ini))
			plan_remove(d->p, ini);
	plan_remove(d->p, g);
}

/* What the target has and the file does not, after all that moves has moved. */
static void remove_from_target(struct diff *d, const struct node *want,
			       struct node *have)
{
	struct node *g, *ini, *wg;
	size_t i, j;

	for_each_child(g, i, have, N_GROUP) {
		wg = node_find(want, N_GROUP, g->name);
		if (!wg) {
			if (d->force)
				remove_group(d, g);
			else
				surplus(d, g, true);
			continue;
		}
		for_each_child(ini, j, g, N_INITIATOR) {
			if (!live(ini) ||
			    node_find(wg, N_INITIATOR, ini->name))
				continue;
			/* In another group of the file: told when adding. */
			if (!d->force && group_with(want, ini->name))
				continue;
			if (d->force)
				plan_remove(d->p, ini);
			else
				surplus(d, ini, true);
		}
	}
}

static void add_groups(struct diff *d, struct node *want, struct node *have)
{
	const struct strv *params = create_params(have, N_LUN);
	struct node *g, *hg;
	size_t i;

	for_each_child(g, i, want, N_GROUP) {
		hg = find_live(have, N_GROUP, g->name);
		if (hg) {
			diff_attrs(d, g, hg, NULL);
			reset_attrs(d, g, hg, NULL);
		} else {
			plan_create(d->p, g, NULL);
			set_new_attrs(d, g, NULL, NULL);
		}
		add_luns(d, g, hg, have ? params : NULL);
		add_initiators(d, g, have);
	}
}

/* Targets of a driver that the file does not mention are emptied only. */
void empty_target(struct diff *d, struct node *t)
{
	struct node *g, *l;
	size_t i;

	for_each_child(l, i, t, N_LUN)
		if (d->force)
			plan_remove(d->p, l);
		else
			surplus(d, l, false);
	for_each_child(g, i, t, N_GROUP)
		if (d->force)
			remove_group(d, g);
		else
			surplus(d, g, false);
}

static void remove_target(struct diff *d, struct node *t)
{
	if (t->flags & NODE_HW)
		plan_notice(d->p, false,
			    "target %s/%s is not in the file; it belongs to the hardware and stays as it is",
			    t->parent->name, t->name);
	else if (d->force)
		plan_remove_target(d->p, d->have, t);
	else
		surplus(d, t, false);
}

void remove_from_drivers(struct diff *d)
{
	struct node *dr, *t, *wd, *wt, *g, *wg;
	size_t i, j, k;

	for_each_child(dr, i, d->have, N_DRIVER) {
		if (is_copy_manager(dr))
			continue;
		wd = node_find(d->want, N_DRIVER, dr->name);
		for_each_child(t, j, dr, N_TARGET) {
			wt = node_find(wd, N_TARGET, t->name);
			if (!wd) {
				empty_target(d, t);
			} else if (!wt) {
				remove_target(d, t);
			} else {
				remove_luns(d, wt, t);
				for_each_child(g, k, t, N_GROUP) {
					wg = node_find(wt, N_GROUP, g->name);
					if (wg)
						remove_luns(d, wg, g);
				}
			}
		}
	}
}

/* A driver with virtual ports needs its hardware ports up to make them. */
static void enable_hardware(struct diff *d, const struct node *want,
			    const struct node *have)
{
	const struct node *t, *w;
	const struct attr *on;
	size_t i;

	for_each_child(t, i, have, N_TARGET) {
		on = node_attr(t, "enabled");
		w = node_find(want, N_TARGET, t->name);
		if (!(t->flags & NODE_HW) || strcmp(attr_text(on), "0") ||
		    (w && node_attr(w, "enabled")))
			continue;
		plan_set_attr(d->p, t, "enabled", "1", on, 0);
	}
}

/* The LUN parameters of a target that does not exist yet: any other's. */
static const struct strv *lun_params(const struct node *have_root)
{
	const struct strv *params = NULL;
	struct nodes targets = { 0 };
	size_t i;

	nodes_collect(&targets, have_root, N_TARGET);
	for (i = 0; i < targets.n && !params; i++)
		if (targets.v[i]->caps && targets.v[i]->caps->create.n)
			params = &targets.v[i]->caps->create;
	nodes_free(&targets);
	return params;
}

static void add_new_target(struct diff *d, struct node *want,
			   struct node *have_driver)
{
	const struct strv *params = create_params(have_driver, N_TARGET);
	const struct strv *luns = lun_params(d->have);
	struct strv usual = { 0 };
	struct node *g;
	size_t i;

	/* The first target of all: nobody to ask, but every core has this one. */
	strv_add(&usual, "read_only");
	if (!luns)
		luns = &usual;
	plan_create(d->p, want, params);
	set_new_attrs(d, want, have_driver, params);
	for_each_child(g, i, want, N_GROUP) {
		plan_create(d->p, g, NULL);
		set_new_attrs(d, g, NULL, NULL);
		add_luns(d, g, NULL, luns);
		add_initiators(d, g, NULL);
	}
	add_luns(d, want, NULL, luns);
	strv_free(&usual);
}

static void change_target(struct diff *d, struct node *want,
			  struct node *have)
{
	diff_attrs(d, want, have, NULL);
	reset_attrs(d, want, have, NULL);
	add_groups(d, want, have);
	add_luns(d, want, have, create_params(have, N_LUN));
	remove_from_target(d, want, have);
}

void add_targets(struct diff *d)
{
	struct node *dr, *t, *hd, *ht;
	bool enabled;
	size_t i, j;

	for_each_child(dr, i, d->want, N_DRIVER) {
		hd = node_find(d->have, N_DRIVER, dr->name);
		if (!hd)
			continue;
		enabled = false;
		for_each_child(t, j, dr, N_TARGET) {
			ht = find_live(hd, N_TARGET, t->name);
			if (ht) {
				change_target(d, t, ht);
				continue;
			}
			if (!enabled)
				enable_hardware(d, dr, hd);
			enabled = true;
			add_new_target(d, t, hd);
		}
		diff_attrs(d, dr, hd, NULL);
		reset_attrs(d, dr, hd, NULL);
	}
}

static void diff_enabled(struct diff *d, struct node *want, struct node *have)
{
	const struct attr *w = node_attr(want, "enabled");
	const struct attr *h = node_attr(have, "enabled");
	char *what;

	if (!have && w) {
		plan_set_attr(d->p, want, "enabled", attr_text(w), NULL,
			      STEP_LOOK_FIRST | STEP_OPTIONAL);
	} else if (h && w) {
		if (!has_value(want, h, attr_text(w)))
			plan_set_attr(d->p, want, "enabled", attr_text(w), h, 0);
	} else if (h && !is_zero(attr_text(h)) && !is_copy_manager(have)) {
		what = node_describe(want);
		if (d->force)
			plan_set_attr(d->p, want, "enabled", "0", h, 0);
		else
			plan_notice(d->p, true,
				    "%s is enabled and the file has no 'enabled' line for it; -force disables it",
				    what);
		free(what);
	}
}

void enable(struct diff *d)
{
	struct node *dr, *t, *hd;
	size_t i, j;

	for_each_child(dr, i, d->want, N_DRIVER) {
		hd = node_find(d->have, N_DRIVER, dr->name);
		for_each_child(t, j, dr, N_TARGET)
			diff_enabled(d, t, find_live(hd, N_TARGET, t->name));
	}
	for_each_child(dr, i, d->want, N_DRIVER) {
		hd = node_find(d->have, N_DRIVER, dr->name);
		if (hd)
			diff_enabled(d, dr, hd);
	}
}
