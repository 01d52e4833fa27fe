// SPDX-License-Identifier: GPL-2.0
/*
 * The difference between the file and the running state, as a plan.
 *
 * Order: first what has to go (device groups, LUNs, targets, devices), then
 * what is added from the bottom up: devices, targets with their LUNs and
 * initiators, device groups, then what is switched on, root attributes last.
 * An initiator leaves a group only after it has found its place in another.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "diff.h"

struct node *live(struct node *n)
{
	return n && !(n->flags & NODE_GONE) ? n : NULL;
}

struct node *find_live(const struct node *parent, enum node_kind kind,
		       const char *name)
{
	return live(node_find(parent, kind, name));
}

/* Says that @n is there although the file does not have it. */
void surplus(struct diff *d, const struct node *n, bool described)
{
	char *what = node_describe(n);

	plan_notice(d->p, described, "%s is not in the file; -force removes it",
		    what);
	free(what);
}

static void remove_tgroup(struct diff *d, struct node *tg)
{
	struct node *t;
	size_t i;

	for_each_child(t, i, tg, N_TGTGT)
		if (live(t))
			plan_remove(d->p, t);
	plan_remove(d->p, tg);
}

static void remove_dgroup(struct diff *d, struct node *dg)
{
	struct node *n;
	size_t i;

	for_each_child(n, i, dg, N_TGROUP)
		remove_tgroup(d, n);
	for_each_child(n, i, dg, N_DGDEV)
		if (live(n))
			plan_remove(d->p, n);
	plan_remove(d->p, dg);
}

static void remove_from_dgroup(struct diff *d, const struct node *want,
			       struct node *have)
{
	struct node *n, *t, *w;
	size_t i, j;

	for (i = 0; i < have->nchild; i++) {
		n = have->child[i];
		w = node_find(want, n->kind, n->name);
		if (w && n->kind == N_TGROUP) {
			for_each_child(t, j, n, N_TGTGT) {
				if (node_find(w, N_TGTGT, t->name))
					continue;
				if (d->force)
					plan_remove(d->p, t);
				else
					surplus(d, t, true);
			}
		}
		if (w)
			continue;
		if (!d->force)
			surplus(d, n, true);
		else if (n->kind == N_TGROUP)
			remove_tgroup(d, n);
		else
			plan_remove(d->p, n);
	}
}

static void remove_from_dgroups(struct diff *d)
{
	struct node *dg, *w;
	size_t i;

	for_each_child(dg, i, d->have, N_DGROUP) {
		w = node_find(d->want, N_DGROUP, dg->name);
		if (w)
			remove_from_dgroup(d, w, dg);
		else if (d->force)
			remove_dgroup(d, dg);
		else
			surplus(d, dg, false);
	}
}

/* The device or target may be a member elsewhere; the kernel allows one place. */
static bool elsewhere(struct diff *d, const struct node *n)
{
	struct node *g, *m;
	const struct node *up;
	size_t i;

	if (n->kind == N_DGDEV)
		up = d->have;
	else
		up = node_find(d->have, N_DGROUP, n->parent->parent->name);
	if (!up)
		return false;
	for (i = 0; i < up->nchild; i++) {
		g = up->child[i];
		if (g->kind != (n->kind == N_DGDEV ? N_DGROUP : N_TGROUP) ||
		    !live(g))
			continue;
		m = find_live(g, n->kind, n->name);
		if (!m || !strcmp(g->name, n->parent->name))
			continue;
		plan_notice(d->p, true,
			    "%s %s is in %s %s, the file has it in %s; -force moves it",
			    kind_noun(n->kind), n->name, kind_noun(g->kind),
			    g->name, n->parent->name);
		return true;
	}
	return false;
}

static void add_members(struct diff *d, struct node *want, struct node *have,
			enum node_kind kind)
{
	struct node *n, *h;
	size_t i;

	for_each_child(n, i, want, kind) {
		h = find_live(have, kind, n->name);
		if (h) {
			diff_attrs(d, n, h, NULL);
		} else if (!elsewhere(d, n)) {
			plan_create(d->p, n, NULL);
			set_new_attrs(d, n, NULL, NULL);
		}
	}
}

static void add_dgroups(struct diff *d)
{
	struct node *dg, *tg, *hg, *ht;
	size_t i, j;

	for_each_child(dg, i, d->want, N_DGROUP) {
		hg = find_live(d->have, N_DGROUP, dg->name);
		if (!hg)
			plan_create(d->p, dg, NULL);
		add_members(d, dg, hg, N_DGDEV);
		for_each_child(tg, j, dg, N_TGROUP) {
			ht = find_live(hg, N_TGROUP, tg->name);
			if (!ht)
				plan_create(d->p, tg, NULL);
			add_members(d, tg, ht, N_TGTGT);
			if (ht) {
				diff_attrs(d, tg, ht, NULL);
				reset_attrs(d, tg, ht, NULL);
			} else {
				set_new_attrs(d, tg, NULL, NULL);
			}
		}
		if (hg)
			diff_attrs(d, dg, hg, NULL);
		else
			set_new_attrs(d, dg, NULL, NULL);
	}
}

static void diff_alua(struct diff *d)
{
	struct node *want = node_find(d->want, N_ALUA, "");
	struct node *have = node_find(d->have, N_ALUA, "");

	if (want && have)
		diff_attrs(d, want, have, NULL);
}

void plan_diff(struct plan *p, struct node *want, struct node *have,
	       bool force)
{
	struct diff d = { .p = p, .want = want, .have = have, .force = force };

	remove_from_dgroups(&d);
	remove_from_drivers(&d);
	close_devices(&d);
	add_devices(&d);
	add_targets(&d);
	diff_alua(&d);
	add_dgroups(&d);
	enable(&d);
	diff_attrs(&d, want, have, NULL);
	reset_attrs(&d, want, have, NULL);
}

static void clear_dynamic(struct diff *d, struct node *n,
			  struct node *driver)
{
	size_t i;

	for (i = 0; i < n->nattr; i++) {
		struct attr none = { .name = n->attr[i]->name };

		if (is_dynamic(n->kind, driver, n->attr[i]->name))
			diff_dynamic(d, n, driver, &none, n->attr[i]);
	}
}

static void clear_target(struct diff *d, struct node *t)
{
	/* A target that goes takes along what is in it. */
	if (!(t->flags & NODE_HW)) {
		plan_remove_target(d->p, d->have, t);
		return;
	}
	/* What follows the devices by itself goes when they go. */
	if (!is_copy_manager(t))
		empty_target(d, t);
	clear_dynamic(d, t, t->parent);
}

static void disable(struct diff *d, struct node *n)
{
	const struct attr *on = node_attr(n, "enabled");

	if (live(n) && on && !is_zero(attr_text(on)) && !is_copy_manager(n))
		plan_set_attr(d->p, n, "enabled", "0", on, 0);
}

void plan_clear(struct plan *p, struct node *have)
{
	struct diff d = { .p = p, .have = have, .force = true };
	struct node *dg, *dr, *t, *h, *dev;
	size_t i, j;

	for_each_child(dg, i, have, N_DGROUP)
		remove_dgroup(&d, dg);
	for_each_child(dr, i, have, N_DRIVER) {
		for_each_child(t, j, dr, N_TARGET)
			clear_target(&d, t);
		clear_dynamic(&d, dr, dr);
	}
	for_each_child(h, i, have, N_HANDLER)
		for_each_child(dev, j, h, N_DEVICE)
			plan_remove(p, dev);
	for_each_child(dr, i, have, N_DRIVER)
		for_each_child(t, j, dr, N_TARGET)
			disable(&d, t);
	for_each_child(dr, i, have, N_DRIVER)
		disable(&d, dr);
}
