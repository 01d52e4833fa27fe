// SPDX-License-Identifier: GPL-2.0
/*
 * The commands of the mgmt files and the texts of attribute writes.
 */
#include <stdlib.h>
#include <string.h>

#include "mgmt.h"

static const struct {
	const char *create;
	const char *remove;
} verbs[N_KINDS] = {
	[N_DEVICE]	= { "add_device", "del_device" },
	[N_TARGET]	= { "add_target", "del_target" },
	[N_LUN]		= { "add", "del" },
	[N_GROUP]	= { "create", "del" },
	[N_INITIATOR]	= { "add", "del" },
	[N_DGROUP]	= { "create", "del" },
	[N_DGDEV]	= { "add", "del" },
	[N_TGROUP]	= { "add", "del" },
	[N_TGTGT]	= { "add", "del" },
};

void writes_add(struct writes *w, char *path, char *text)
{
	if (w->n == w->cap) {
		w->cap = w->cap ? 2 * w->cap : 4;
		w->v = xrealloc(w->v, w->cap, sizeof(*w->v));
	}
	w->v[w->n].path = path;
	w->v[w->n].text = text;
	w->n++;
}

void writes_free(struct writes *w)
{
	size_t i;

	for (i = 0; i < w->n; i++) {
		free(w->v[i].path);
		free(w->v[i].text);
	}
	free(w->v);
	memset(w, 0, sizeof(*w));
}

static char *mgmt_path(const struct node *n)
{
	/* Devices are reached through their handler, not where they live. */
	char *dir = node_path(n->kind == N_DEVICE ? n->parent : n);
	char *path;

	if (n->kind != N_DEVICE)
		*strrchr(dir, '/') = '\0';
	path = xasprintf("%s/mgmt", dir);
	free(dir);
	return path;
}

bool size_mb_is_spare(const struct node *n)
{
	unsigned long long size, mb;

	return parse_u64(attr_text(node_attr(n, "size")), &size) &&
	       parse_u64(attr_text(node_attr(n, "size_mb")), &mb) &&
	       mb == size >> 20;
}

static void add_params(struct strbuf *sb, const struct node *n,
		       const struct strv *params, bool cluster_mode)
{
	size_t i, j;

	for (i = 0; i < n->nattr; i++) {
		const struct attr *a = n->attr[i];

		if (!strv_has(params, a->name) ||
		    !strcmp(a->name, "cluster_mode") != cluster_mode ||
		    (!strcmp(a->name, "size_mb") && size_mb_is_spare(n)))
			continue;
		/* A command cannot carry an empty value, it is set later. */
		for (j = 0; j < a->n; j++)
			if (*a->v[j].text)
				sb_addf(sb, "%s=%s;", a->name, a->v[j].text);
	}
}

void mgmt_create(struct writes *w, const struct node *n,
		 const struct strv *params)
{
	struct strbuf sb = { 0 };

	if (n->kind == N_LUN)
		sb_addf(&sb, "%s %s %s", verbs[n->kind].create, n->arg, n->name);
	else
		sb_addf(&sb, "%s %s", verbs[n->kind].create, n->name);
	if (params) {
		sb_addch(&sb, ' ');
		add_params(&sb, n, params, false);
		/* Joining the cluster needs all the others to be set. */
		add_params(&sb, n, params, true);
	}
	writes_add(w, mgmt_path(n), sb_detach(&sb));
}

void mgmt_remove(struct writes *w, const struct node *n)
{
	writes_add(w, mgmt_path(n),
		   xasprintf("%s %s", verbs[n->kind].remove, n->name));
}

void mgmt_dynamic(struct writes *w, const struct node *n, const char *verb,
		  const char *attr, const char *value, bool session)
{
	const struct node *driver = n->kind == N_DRIVER ? n : n->parent;
	char *text;

	if (n->kind == N_DRIVER)
		text = xasprintf("%s_attribute %s %s", verb, attr, value);
	else if (session)
		text = xasprintf("%s_session %s %s", verb, n->name, value);
	else
		text = xasprintf("%s_target_attribute %s %s %s", verb, n->name,
				 attr, value);
	writes_add(w, xasprintf("targets/%s/mgmt", driver->name), text);
}

char *attr_write_text(enum node_kind kind, const char *value)
{
	/* Without the newline an empty value would be no write at all (B10). */
	if (*value && (kind == N_DEVICE || kind == N_TARGET))
		return xstrdup(value);
	return xasprintf("%s\n", value);
}

void mgmt_attr(struct writes *w, const struct node *n, const char *attr,
	       const char *value)
{
	char *dir = node_path(n);

	writes_add(w, *dir ? xasprintf("%s/%s", dir, attr) : xstrdup(attr),
		   attr_write_text(n->kind, value));
	free(dir);
}

const struct strv *create_params(const struct node *running_parent,
				 enum node_kind kind)
{
	static const struct strv none;

	if (kind != N_DEVICE && kind != N_TARGET && kind != N_LUN)
		return NULL;
	return running_parent && running_parent->caps ?
		&running_parent->caps->create : &none;
}

static bool is_create_param(const struct node *n, const char *attr)
{
	const struct strv *params = create_params(n->parent, n->kind);

	return params && strv_has(params, attr);
}

bool attr_is_saved(const struct node *n, const struct attr *a)
{
	if (!(a->flags & ATTR_KEY) || a->flags & (ATTR_FLAGS | ATTR_UNREAD))
		return false;
	return a->flags & ATTR_WRITE || is_create_param(n, a->name);
}

/* A copy with only what a command that makes it again has to name. */
static struct node *saved_copy(const struct node *n)
{
	struct node *copy = node_new(n->kind, n->name);
	size_t i, j;

	copy->parent = n->parent;
	copy->arg = n->arg ? xstrdup(n->arg) : NULL;
	for (i = 0; i < n->nattr; i++) {
		const struct attr *a = n->attr[i];
		struct attr *b;

		if (!attr_is_saved(n, a))
			continue;
		b = node_add_attr(copy, a->name, a->pos);
		b->flags = a->flags;
		for (j = 0; j < a->n; j++)
			attr_add_value(b, a->v[j].text, a->v[j].pos);
	}
	return copy;
}

static void rebuild_attrs(struct writes *w, const struct node *n,
			  const struct node *saved)
{
	size_t i, j;

	for (i = 0; i < saved->nattr; i++) {
		const struct attr *a = saved->attr[i];

		if (is_create_param(n, a->name))
			continue;
		for (j = 0; j < a->n; j++) {
			if (a->flags & ATTR_DYNAMIC)
				mgmt_dynamic(w, n, "add", a->name, a->v[j].text,
					     !strcmp(a->name, "session_name"));
			else
				mgmt_attr(w, n, a->name, a->v[j].text);
		}
	}
}

void mgmt_rebuild(struct writes *w, const struct node *n)
{
	struct node *saved = saved_copy(n);
	const char *on = attr_text(node_attr(n, "enabled"));
	size_t i;

	mgmt_create(w, saved, create_params(n->parent, n->kind));
	rebuild_attrs(w, n, saved);
	for (i = 0; i < n->nchild; i++)
		if (n->child[i]->kind != N_SESSION &&
		    !(n->child[i]->flags & NODE_GONE))
			mgmt_rebuild(w, n->child[i]);
	if (n->kind == N_TARGET && !strcmp(on, "1"))
		mgmt_attr(w, n, "enabled", on);
	node_free(saved);
}
