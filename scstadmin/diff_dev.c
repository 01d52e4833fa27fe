// SPDX-License-Identifier: GPL-2.0
/*
 * Differences between devices: what is to be closed, opened, opened anew.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "diff.h"

/* The file may give a size in bytes or in MiB; sysfs shows both. */
static bool same_size(const struct node *want, const struct node *have)
{
	unsigned long long size, mb, now;
	const struct attr *w = node_attr(want, "size");
	const struct attr *m = node_attr(want, "size_mb");

	if (!parse_u64(attr_text(node_attr(have, "size")), &now))
		return true;
	if (m && (!w || (m->pos.line > w->pos.line && !size_mb_is_spare(want))))
		return parse_u64(attr_text(m), &mb) && mb << 20 == now;
	return !w || (parse_u64(attr_text(w), &size) && size == now);
}

bool param_differs(const struct node *want, const struct node *have,
		   const char *name)
{
	const struct attr *w = node_attr(want, name);
	const struct attr *h = node_attr(have, name);

	if (!strcmp(name, "size") || !strcmp(name, "size_mb"))
		return (w || (h && h->flags & ATTR_KEY)) &&
		       !same_size(want, have);
	if (!w)
		return h && h->flags & ATTR_KEY;
	if (!h)
		return !is_zero(attr_text(w));
	return !has_value(want, h, attr_text(w));
}

static const char *device_difference(const struct node *want,
				     const struct node *have,
				     const struct strv *params)
{
	size_t i;

	for (i = 0; i < params->n; i++)
		if (param_differs(want, have, params->v[i]))
			return params->v[i];
	return NULL;
}

static void unmap_luns(struct diff *d, struct node *n, const char *device)
{
	struct node *l;
	size_t i;

	for_each_child(l, i, n, N_LUN)
		if (live(l) && !strcmp(l->arg, device))
			plan_remove(d->p, l);
}

/* Takes the device out of everything that uses it, so that all can be undone. */
static void release_device(struct diff *d, const char *device)
{
	struct node *dr, *t, *g, *dg, *m;
	size_t i, j, k;

	for_each_child(dg, i, d->have, N_DGROUP) {
		m = find_live(dg, N_DGDEV, device);
		if (m)
			plan_remove(d->p, m);
	}
	for_each_child(dr, i, d->have, N_DRIVER) {
		/* Its LUNs follow the devices by themselves. */
		if (is_copy_manager(dr))
			continue;
		for_each_child(t, j, dr, N_TARGET) {
			if (!live(t))
				continue;
			unmap_luns(d, t, device);
			for_each_child(g, k, t, N_GROUP)
				unmap_luns(d, g, device);
		}
	}
}

static void close_device(struct diff *d, struct node *dev)
{
	release_device(d, dev->name);
	plan_remove(d->p, dev);
}

void close_devices(struct diff *d)
{
	struct node *h, *dev, *want_h, *want;
	const char *diff;
	size_t i, j;

	for_each_child(h, i, d->have, N_HANDLER) {
		want_h = node_find(d->want, N_HANDLER, h->name);
		for_each_child(dev, j, h, N_DEVICE) {
			want = node_find(want_h, N_DEVICE, dev->name);
			if (!want) {
				if (d->force)
					close_device(d, dev);
				else
					surplus(d, dev, false);
				continue;
			}
			diff = device_difference(want, dev, &h->caps->create);
			if (!diff)
				continue;
			if (d->force)
				close_device(d, dev);
			else
				plan_notice(d->p, true,
					    "device %s is open with another %s ('%s', the file has '%s'); -force opens it anew",
					    dev->name, diff,
					    attr_text(node_attr(dev, diff)),
					    attr_text(node_attr(want, diff)));
		}
	}
}

void add_devices(struct diff *d)
{
	struct node *h, *want, *have_h, *have;
	const struct strv *params;
	size_t i, j;

	for_each_child(h, i, d->want, N_HANDLER) {
		have_h = node_find(d->have, N_HANDLER, h->name);
		if (!have_h)
			continue;
		params = create_params(have_h, N_DEVICE);
		for_each_child(want, j, h, N_DEVICE) {
			have = live(find_device(d->have, want->name));
			if (!have) {
				plan_create(d->p, want, params);
				set_new_attrs(d, want, NULL, params);
			} else if (strcmp(have->parent->name, h->name)) {
				plan_notice(d->p, true,
					    "device %s is open in handler %s, the file has it in %s; -force moves it",
					    want->name, have->parent->name,
					    h->name);
			} else {
				diff_attrs(d, want, have, params);
				reset_attrs(d, want, have, params);
			}
		}
		diff_attrs(d, h, have_h, NULL);
		reset_attrs(d, h, have_h, NULL);
	}
}
