// SPDX-License-Identifier: GPL-2.0
/*
 * A plan: writes in the order in which they are to be done, each with what
 * undoes it. diff.c decides what goes into one.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan.h"

struct step *plan_add(struct plan *p, enum step_op op, unsigned int flags,
		      struct writes *w, const char *what)
{
	struct step *st;

	if (p->n == p->cap) {
		p->cap = p->cap ? 2 * p->cap : 64;
		p->v = xrealloc(p->v, p->cap, sizeof(*p->v));
	}
	st = &p->v[p->n++];
	memset(st, 0, sizeof(*st));
	st->op = op;
	st->flags = flags;
	st->what = xstrdup(what);
	st->write = w->v[0];
	free(w->v);
	memset(w, 0, sizeof(*w));
	p->count[op]++;
	return st;
}

static char *describe(const struct node *n)
{
	char *text = node_describe(n), *more = text;

	if (n->kind == N_DEVICE)
		more = xasprintf("%s (%s)", text, n->parent->name);
	else if (n->kind == N_LUN)
		more = xasprintf("%s (device %s)", text, n->arg);
	if (more != text)
		free(text);
	return more;
}

void plan_create(struct plan *p, const struct node *n,
		 const struct strv *params)
{
	struct writes w = { 0 };
	char *what = describe(n);
	struct step *st;

	mgmt_create(&w, n, params);
	st = plan_add(p, STEP_ADD, STEP_OBJECT, &w, what);
	st->pos = n->pos;
	st->kind = n->kind;
	/* Sessions may have found the new target meanwhile. */
	if (n->kind == N_TARGET)
		writes_add(&st->undo, node_path(n), NULL);
	mgmt_remove(&st->undo, n);
	free(what);
}

void plan_remove(struct plan *p, struct node *n)
{
	struct writes w = { 0 };
	char *what = describe(n);
	struct step *st;

	mgmt_remove(&w, n);
	st = plan_add(p, STEP_REMOVE, STEP_OBJECT, &w, what);
	st->kind = n->kind;
	mgmt_rebuild(&st->undo, n);
	n->flags |= NODE_GONE;
	free(what);
}

void plan_set_attr(struct plan *p, const struct node *n, const char *attr,
		   const char *value, const struct attr *old,
		   unsigned int flags)
{
	char *obj = node_describe(n), *what;
	struct writes w = { 0 };
	const struct attr *mine;
	struct step *st;

	if (old && old->flags & ATTR_READ && !(old->flags & ATTR_UNREAD))
		what = xasprintf("%s of %s: '%s' -> '%s'", attr, obj,
				 attr_text(old), value);
	else
		what = xasprintf("%s of %s: '%s'", attr, obj, value);
	mgmt_attr(&w, n, attr, value);
	st = plan_add(p, STEP_CHANGE, flags, &w, what);
	mine = node_attr(n, attr);
	st->pos = mine ? mine->pos : n->pos;
	st->kind = n->kind;
	st->attr = xstrdup(attr);
	st->value = xstrdup(value);
	if (old && old->flags & ATTR_READ && !(old->flags & ATTR_UNREAD))
		mgmt_attr(&st->undo, n, attr, attr_text(old));
	free(what);
	free(obj);
}

void plan_dynamic(struct plan *p, const struct node *n, const char *verb,
		  const char *attr, const char *value, bool session)
{
	bool add = !strcmp(verb, "add");
	char *obj = node_describe(n);
	char *what = xasprintf("%s '%s' of %s", attr, value, obj);
	struct writes w = { 0 };
	const struct attr *mine;
	struct step *st;

	mgmt_dynamic(&w, n, verb, attr, value, session);
	st = plan_add(p, add ? STEP_ADD : STEP_REMOVE,
		      session ? STEP_OBJECT : 0, &w, what);
	mine = node_attr(n, attr);
	st->pos = mine ? mine->pos : n->pos;
	st->kind = n->kind;
	mgmt_dynamic(&st->undo, n, add ? "del" : "add", attr, value, session);
	free(what);
	free(obj);
}

static void remove_members(struct plan *p, const struct node *have,
			   const char *target)
{
	struct nodes members = { 0 };
	struct node *t;
	size_t i;

	nodes_collect(&members, have, N_TGTGT);
	for (i = 0; i < members.n; i++) {
		t = members.v[i];
		if (!strcmp(t->name, target) &&
		    !(t->flags & (NODE_GONE | NODE_REMOTE)))
			plan_remove(p, t);
	}
	nodes_free(&members);
}

/* Sessions made by command are removed by command, which can be undone. */
static void remove_named_sessions(struct plan *p, struct node *t)
{
	const struct attr *a = node_attr(t, "session_name");
	size_t i;

	if (!(t->parent->flags & NODE_SESS_CMDS) || !a)
		return;
	for (i = 0; i < a->n; i++)
		plan_dynamic(p, t, "del", a->name, a->v[i].text, true);
	node_del_attr(t, "session_name");
}

void plan_remove_target(struct plan *p, struct node *have, struct node *t)
{
	const struct attr *on = node_attr(t, "enabled");
	struct writes w = { 0 };
	char *what;

	remove_members(p, have, t->name);
	if (!strcmp(attr_text(on), "1"))
		plan_set_attr(p, t, "enabled", "0", on, STEP_MAY_FAIL);
	remove_named_sessions(p, t);
	what = xasprintf("sessions of %s/%s", t->parent->name, t->name);
	writes_add(&w, node_path(t), NULL);
	plan_add(p, STEP_REMOVE, STEP_OBJECT, &w, what);
	free(what);
	plan_remove(p, t);
}

void plan_notice(struct plan *p, bool remains, const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		text = xstrdup("out of memory");
	va_end(ap);
	strv_add(&p->notices, text);
	p->remaining += remains;
	free(text);
}

void plan_free(struct plan *p)
{
	size_t i;

	for (i = 0; i < p->n; i++) {
		free(p->v[i].what);
		free(p->v[i].attr);
		free(p->v[i].value);
		free(p->v[i].write.path);
		free(p->v[i].write.text);
		writes_free(&p->v[i].undo);
	}
	free(p->v);
	strv_free(&p->notices);
	memset(p, 0, sizeof(*p));
}

void plan_print(const struct plan *p)
{
	static const char sign[] = {
		[STEP_ADD] = '+', [STEP_CHANGE] = '~', [STEP_REMOVE] = '-',
	};
	size_t i;

	for (i = 0; i < p->n; i++)
		printf("\t%c %s\n", sign[p->v[i].op], p->v[i].what);
	printf("\t%u to add, %u to change, %u to remove\n", p->count[STEP_ADD],
	       p->count[STEP_CHANGE], p->count[STEP_REMOVE]);
}
