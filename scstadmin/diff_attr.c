// SPDX-License-Identifier: GPL-2.0
/*
 * Differences between attributes.
 */
#include <stdlib.h>
#include <string.h>

#include "attr.h"
#include "diff.h"

bool is_zero(const char *text)
{
	unsigned long long num;

	return !*text || (parse_u64(text, &num) && !num);
}

/* Two names of one setting: when the file gives either, both are settled. */
static const char *const aliases[][2] = {
	{ "size", "size_mb" },
	{ "forward_dst", "forwarding" },
};

static bool settled_by_alias(const struct node *want, const char *attr)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(aliases); i++)
		if ((!strcmp(attr, aliases[i][0]) &&
		     node_attr(want, aliases[i][1])) ||
		    (!strcmp(attr, aliases[i][1]) &&
		     node_attr(want, aliases[i][0])))
			return true;
	return false;
}

static const struct node *driver_of(const struct node *n)
{
	return n->kind == N_DRIVER ? n : n->kind == N_TARGET ? n->parent : NULL;
}

/* Sessions made by add_session, for which sysfs has no attribute file. */
bool is_session_name(const struct node *have_driver, const char *attr)
{
	return have_driver && have_driver->flags & NODE_SESS_CMDS &&
	       !strcmp(attr, "session_name") &&
	       !strv_has(&have_driver->caps->tgt_attrs, attr);
}

bool is_dynamic(enum node_kind kind, const struct node *have_driver,
		const char *attr)
{
	const struct caps *caps = have_driver ? have_driver->caps : NULL;

	if (kind == N_TARGET && is_session_name(have_driver, attr))
		return true;
	if (!caps)
		return false;
	return strv_has(kind == N_TARGET ? &caps->tgt_attrs : &caps->drv_attrs,
			attr);
}

void diff_dynamic(struct diff *d, struct node *want,
		  const struct node *driver, const struct attr *w,
		  const struct attr *h)
{
	bool session = want->kind == N_TARGET && is_session_name(driver, w->name);
	char *obj = node_describe(want);
	size_t i;

	for (i = 0; i < w->n; i++)
		if (!attr_has(h, w->v[i].text))
			plan_dynamic(d->p, want, "add", w->name, w->v[i].text,
				     session);
	for (i = 0; h && i < h->n; i++) {
		if (!*h->v[i].text || attr_has(w, h->v[i].text))
			continue;
		if (d->force)
			plan_dynamic(d->p, want, "del", w->name, h->v[i].text,
				     session);
		else
			plan_notice(d->p, true,
				    "%s '%s' of %s is not in the file; -force removes it",
				    w->name, h->v[i].text, obj);
	}
	free(obj);
}

static void no_such_attr(struct diff *d, const struct node *want,
			 const struct node *have, const char *attr)
{
	char *obj = node_describe(want);
	struct strv names = { 0 };
	const char *near;
	size_t i;

	for (i = 0; i < have->nattr; i++)
		strv_add(&names, have->attr[i]->name);
	near = did_you_mean(attr, &names);
	plan_notice(d->p, false, "%s has no attribute '%s'%s%s%s; ignored", obj,
		    attr, near ? " (did you mean '" : "", near ? near : "",
		    near ? "'?)" : "");
	strv_free(&names);
	free(obj);
}

/* These take a write whatever the mode of their file says. */
bool always_writable(const char *attr)
{
	static const char *const names[] = {
		"filename", "threads_num", "threads_pool_type", "cpu_mask",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(names[i], attr))
			return true;
	return false;
}

bool has_value(const struct node *want, const struct attr *h,
	       const char *value)
{
	size_t i;

	if (h->flags & ATTR_UNREAD)
		return false;
	for (i = 0; i < h->n; i++)
		if (attr_same(want->kind, h->name, value, h->v[i].text))
			return true;
	return false;
}

static void diff_attr(struct diff *d, struct node *want, struct node *have,
		      const struct attr *w)
{
	const struct attr *h = node_attr(have, w->name);
	char *obj;
	size_t i;

	if (!h) {
		no_such_attr(d, want, have, w->name);
		return;
	}
	for (i = 0; i < w->n; i++) {
		if (has_value(want, h, w->v[i].text))
			continue;
		if (h->flags & ATTR_WRITE || always_writable(w->name)) {
			plan_set_attr(d->p, want, w->name, w->v[i].text, h, 0);
			continue;
		}
		obj = node_describe(want);
		plan_notice(d->p, false,
			    "%s of %s is '%s' and cannot be set to '%s'; ignored",
			    w->name, obj, attr_text(h), w->v[i].text);
		free(obj);
	}
}

static bool skip_attr(const struct node *n, const char *attr,
		      const struct strv *params)
{
	if (!strcmp(attr, "enabled") &&
	    (n->kind == N_TARGET || n->kind == N_DRIVER))
		return true;
	if (!strcmp(attr, "hw_target"))
		return true;
	return n->kind == N_DEVICE && params && strv_has(params, attr);
}

void diff_attrs(struct diff *d, struct node *want, struct node *have,
		const struct strv *params)
{
	const struct node *drv = driver_of(have);
	size_t i;

	for (i = 0; i < want->nattr; i++) {
		const struct attr *w = want->attr[i];

		if (skip_attr(want, w->name, params))
			continue;
		if (drv && is_dynamic(want->kind, drv, w->name))
			diff_dynamic(d, want, drv, w,
				     node_attr(have, w->name));
		else
			diff_attr(d, want, have, w);
	}
}

/*
 * A saved attribute that the file no longer has goes back to its default with
 * -force (B15); dynamic ones lose all their values.
 */
static void reset_attr(struct diff *d, struct node *want,
		       const struct attr *h)
{
	const struct attr_info *info = attr_info(want->kind, h->name);
	char *obj = node_describe(want);

	if (!info || !info->def)
		plan_notice(d->p, false,
			    "%s of %s is '%s' and not in the file; it stays, its default is not known here",
			    h->name, obj, attr_text(h));
	else if (attr_same(want->kind, h->name, attr_text(h), info->def))
		;
	else if (d->force)
		plan_set_attr(d->p, want, h->name, info->def, h, 0);
	else
		plan_notice(d->p, false,
			    "%s of %s is '%s' and not in the file; -force sets it back to '%s'",
			    h->name, obj, attr_text(h), info->def);
	free(obj);
}

void reset_attrs(struct diff *d, struct node *want,
		 const struct node *have, const struct strv *params)
{
	const struct node *drv = driver_of(have);
	size_t i;

	for (i = 0; i < have->nattr; i++) {
		const struct attr *h = have->attr[i];
		const struct attr_info *info = attr_info(want->kind, h->name);
		struct attr none = { .name = h->name };

		if (!(h->flags & ATTR_KEY) || node_attr(want, h->name) ||
		    skip_attr(want, h->name, params) ||
		    settled_by_alias(want, h->name))
			continue;
		if (drv && is_dynamic(want->kind, drv, h->name))
			diff_dynamic(d, want, drv, &none, h);
		else if (h->flags & ATTR_WRITE &&
			 !(info && info->flags & AI_AUTO))
			reset_attr(d, want, h);
	}
}

/* The attributes of an object that this run makes. */
void set_new_attrs(struct diff *d, struct node *want,
		   const struct node *have_driver,
		   const struct strv *params)
{
	size_t i, j;

	for (i = 0; i < want->nattr; i++) {
		const struct attr *w = want->attr[i];

		if (params && strv_has(params, w->name)) {
			if (*attr_text(w))
				continue;
		} else if (skip_attr(want, w->name, NULL)) {
			continue;
		}
		if (is_dynamic(want->kind, have_driver, w->name)) {
			diff_dynamic(d, want, have_driver, w, NULL);
			continue;
		}
		for (j = 0; j < w->n; j++)
			plan_set_attr(d->p, want, w->name, w->v[j].text, NULL,
				      STEP_LOOK_FIRST);
	}
}
