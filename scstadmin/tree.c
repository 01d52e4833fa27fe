// SPDX-License-Identifier: GPL-2.0
/*
 * The tree of objects and attributes that every stage works on.
 */
#include <stdlib.h>
#include <string.h>

#include "tree.h"

static const struct {
	const char *keyword;
	const char *noun;
} kinds[N_KINDS] = {
	[N_ROOT]	= { NULL, "core" },
	[N_HANDLER]	= { "HANDLER", "handler" },
	[N_DEVICE]	= { "DEVICE", "device" },
	[N_DRIVER]	= { "TARGET_DRIVER", "driver" },
	[N_TARGET]	= { "TARGET", "target" },
	[N_LUN]		= { "LUN", "LUN" },
	[N_GROUP]	= { "GROUP", "group" },
	[N_INITIATOR]	= { "INITIATOR", "initiator" },
	[N_ALUA]	= { "ALUA", "ALUA" },
	[N_DGROUP]	= { "DEVICE_GROUP", "device group" },
	[N_DGDEV]	= { "DEVICE", "device" },
	[N_TGROUP]	= { "TARGET_GROUP", "target group" },
	[N_TGTGT]	= { "TARGET", "target" },
	[N_SESSION]	= { NULL, "session" },
};

const char *kind_keyword(enum node_kind kind)
{
	return kinds[kind].keyword;
}

const char *kind_noun(enum node_kind kind)
{
	return kinds[kind].noun;
}

struct node *node_new(enum node_kind kind, const char *name)
{
	struct node *n = xcalloc(1, sizeof(*n));

	n->kind = kind;
	n->name = xstrdup(name);
	return n;
}

static void attr_free(struct attr *a)
{
	size_t i;

	for (i = 0; i < a->n; i++)
		free(a->v[i].text);
	strv_free(&a->choices);
	free(a->v);
	free(a->name);
	free(a);
}

void node_free(struct node *n)
{
	size_t i;

	if (!n)
		return;
	for (i = 0; i < n->nchild; i++)
		node_free(n->child[i]);
	for (i = 0; i < n->nattr; i++)
		attr_free(n->attr[i]);
	if (n->caps) {
		strv_free(&n->caps->create);
		strv_free(&n->caps->drv_attrs);
		strv_free(&n->caps->tgt_attrs);
		free(n->caps);
	}
	free(n->child);
	free(n->attr);
	free(n->name);
	free(n->arg);
	free(n);
}

void node_add_child(struct node *parent, struct node *child)
{
	if (parent->nchild == parent->child_cap) {
		parent->child_cap = parent->child_cap ? 2 * parent->child_cap : 8;
		parent->child = xrealloc(parent->child, parent->child_cap,
					 sizeof(*parent->child));
	}
	parent->child[parent->nchild++] = child;
	child->parent = parent;
}

void node_unlink(struct node *child)
{
	struct node *parent = child->parent;
	size_t i;

	for (i = 0; i < parent->nchild; i++)
		if (parent->child[i] == child)
			break;
	if (i == parent->nchild)
		return;
	parent->nchild--;
	memmove(&parent->child[i], &parent->child[i + 1],
		(parent->nchild - i) * sizeof(*parent->child));
	child->parent = NULL;
}

struct node *node_find(const struct node *parent, enum node_kind kind,
		       const char *name)
{
	struct node *c;
	size_t i;

	if (!parent)
		return NULL;
	for_each_child(c, i, parent, kind)
		if (!strcmp(c->name, name))
			return c;
	return NULL;
}

struct node *next_child(const struct node *n, size_t *i, enum node_kind kind)
{
	for (; *i < n->nchild; (*i)++)
		if (n->child[*i]->kind == kind)
			return n->child[*i];
	return NULL;
}

void nodes_add(struct nodes *l, struct node *n)
{
	if (l->n == l->cap) {
		l->cap = l->cap ? 2 * l->cap : 16;
		l->v = xrealloc(l->v, l->cap, sizeof(*l->v));
	}
	l->v[l->n++] = n;
}

void nodes_collect(struct nodes *l, const struct node *root,
		   enum node_kind kind)
{
	size_t i;

	for (i = 0; i < root->nchild; i++) {
		if (root->child[i]->kind == kind)
			nodes_add(l, root->child[i]);
		nodes_collect(l, root->child[i], kind);
	}
}

void nodes_free(struct nodes *l)
{
	free(l->v);
	memset(l, 0, sizeof(*l));
}

size_t node_count(const struct node *parent, enum node_kind kind)
{
	size_t i, count = 0;

	for (i = 0; i < parent->nchild; i++)
		count += parent->child[i]->kind == kind;
	return count;
}

static int cmp_node(const void *a, const void *b)
{
	const struct node *x = *(struct node *const *)a;
	const struct node *y = *(struct node *const *)b;
	unsigned long long i, j;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->kind == N_LUN && parse_u64(x->name, &i) &&
	    parse_u64(y->name, &j) && i != j)
		return i < j ? -1 : 1;
	return strcmp(x->name, y->name);
}

static int cmp_attr(const void *a, const void *b)
{
	return strcmp((*(struct attr *const *)a)->name,
		      (*(struct attr *const *)b)->name);
}

void node_sort(struct node *n)
{
	size_t i;

	if (n->nattr)
		qsort(n->attr, n->nattr, sizeof(*n->attr), cmp_attr);
	if (n->nchild)
		qsort(n->child, n->nchild, sizeof(*n->child), cmp_node);
	for (i = 0; i < n->nchild; i++)
		node_sort(n->child[i]);
}

struct caps *node_caps(struct node *n)
{
	if (!n->caps)
		n->caps = xcalloc(1, sizeof(*n->caps));
	return n->caps;
}

struct attr *node_attr(const struct node *n, const char *name)
{
	size_t i;

	if (!n)
		return NULL;
	for (i = 0; i < n->nattr; i++)
		if (!strcmp(n->attr[i]->name, name))
			return n->attr[i];
	return NULL;
}

/* node_add_attr() - the attribute of this name, made when it is not there */
struct attr *node_add_attr(struct node *n, const char *name, struct pos pos)
{
	struct attr *a = node_attr(n, name);

	if (a)
		return a;
	if (n->nattr == n->attr_cap) {
		n->attr_cap = n->attr_cap ? 2 * n->attr_cap : 8;
		n->attr = xrealloc(n->attr, n->attr_cap, sizeof(*n->attr));
	}
	a = xcalloc(1, sizeof(*a));
	a->name = xstrdup(name);
	a->pos = pos;
	n->attr[n->nattr++] = a;
	return a;
}

void node_del_attr(struct node *n, const char *name)
{
	size_t i;

	for (i = 0; i < n->nattr; i++) {
		if (strcmp(n->attr[i]->name, name))
			continue;
		attr_free(n->attr[i]);
		n->nattr--;
		memmove(&n->attr[i], &n->attr[i + 1],
			(n->nattr - i) * sizeof(*n->attr));
		return;
	}
}

void attr_add_value(struct attr *a, const char *text, struct pos pos)
{
	a->v = xrealloc(a->v, a->n + 1, sizeof(*a->v));
	a->v[a->n].text = xstrdup(text);
	a->v[a->n].pos = pos;
	a->n++;
}

bool attr_has(const struct attr *a, const char *text)
{
	size_t i;

	for (i = 0; a && i < a->n; i++)
		if (!strcmp(a->v[i].text, text))
			return true;
	return false;
}

const char *attr_text(const struct attr *a)
{
	return a && a->n ? a->v[0].text : "";
}

struct node *find_device(const struct node *root, const char *name)
{
	struct node *h, *d;
	size_t i;

	for_each_child(h, i, root, N_HANDLER) {
		d = node_find(h, N_DEVICE, name);
		if (d)
			return d;
	}
	return NULL;
}

char *node_id(const struct node *n)
{
	char *up, *id;

	if (!n->parent || n->parent->kind == N_ROOT || n->kind == N_DEVICE)
		return xstrdup(n->name);
	up = node_id(n->parent);
	id = xasprintf("%s/%s", up, n->name);
	free(up);
	return id;
}

char *node_describe(const struct node *n)
{
	char *up, *text;

	switch (n->kind) {
	case N_ROOT:
		return xstrdup("the core");
	case N_ALUA:
		return xstrdup("ALUA");
	case N_DEVICE:
	case N_TARGET:
	case N_HANDLER:
	case N_DRIVER:
	case N_DGROUP:
		up = node_id(n);
		text = xasprintf("%s %s", kind_noun(n->kind), up);
		break;
	default:
		up = node_id(n->parent);
		text = xasprintf("%s %s of %s", kind_noun(n->kind), n->name, up);
		break;
	}
	free(up);
	return text;
}

char *node_path(const struct node *n)
{
	static const char *const below[N_KINDS] = {
		[N_LUN] = "/luns",
		[N_GROUP] = "/ini_groups",
		[N_INITIATOR] = "/initiators",
		[N_DGDEV] = "/devices",
		[N_TGROUP] = "/target_groups",
		[N_SESSION] = "/sessions",
	};
	char *up, *path;

	switch (n->kind) {
	case N_ROOT:
		return xstrdup("");
	case N_HANDLER:
		return xasprintf("handlers/%s", n->name);
	case N_DEVICE:
		return xasprintf("devices/%s", n->name);
	case N_DRIVER:
		return xasprintf("targets/%s", n->name);
	case N_ALUA:
		return xstrdup("device_groups");
	case N_DGROUP:
		return xasprintf("device_groups/%s", n->name);
	default:
		up = node_path(n->parent);
		path = xasprintf("%s%s/%s", up, below[n->kind] ? below[n->kind] : "",
				 n->name);
		free(up);
		return path;
	}
}
