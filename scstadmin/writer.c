// SPDX-License-Identifier: GPL-2.0
/*
 * From the running state to the text of a file.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "mgmt.h"
#include "version.h"
#include "writer.h"

struct writer {
	struct strbuf *sb;
	const struct node *root;
	bool nonkey;
	unsigned int depth;
};

static void add_word(struct strbuf *sb, const char *word, bool quote)
{
	/* ';' and braces end a word in one way or another, a quote begins one. */
	if (!*word || strpbrk(word, " \t\r\v\f{};\""))
		quote = true;
	if (quote)
		sb_addch(sb, '"');
	for (; *word; word++) {
		if (strchr("\\#\"", *word))
			sb_addch(sb, '\\');
		sb_addch(sb, *word);
	}
	if (quote)
		sb_addch(sb, '"');
}

void conf_add_word(struct strbuf *sb, const char *word)
{
	add_word(sb, word, false);
}

/* As the first word of a line, what means something else has to be quoted. */
static void add_attr_name(struct strbuf *sb, const char *name)
{
	bool quote = *name == '[' || !strcmp(name, "HW_TARGET");
	enum node_kind k;

	for (k = N_ROOT; k < N_KINDS; k++)
		if (kind_keyword(k) && !strcmp(kind_keyword(k), name))
			quote = true;
	add_word(sb, name, quote);
}

static void start_line(struct writer *w)
{
	unsigned int i;

	for (i = 0; i < w->depth; i++)
		sb_addch(w->sb, '\t');
}

static void write_values(struct writer *w, const struct attr *a)
{
	struct strv vals = { 0 };
	size_t i;

	for (i = 0; i < a->n; i++)
		strv_add(&vals, a->v[i].text);
	strv_sort(&vals);
	for (i = 0; i < vals.n; i++) {
		start_line(w);
		add_attr_name(w->sb, a->name);
		sb_addch(w->sb, ' ');
		conf_add_word(w->sb, vals.v[i]);
		sb_addch(w->sb, '\n');
	}
	strv_free(&vals);
}

/* A LUN shows read_only when its device is; the device's section says it. */
static bool inherited(const struct writer *w, const struct node *n,
		      const struct attr *a)
{
	const struct node *dev;

	if (n->kind != N_LUN || strcmp(a->name, "read_only"))
		return false;
	dev = find_device(w->root, n->arg);
	return dev && !strcmp(attr_text(node_attr(dev, "read_only")), "1");
}

static bool always_saved(const struct node *n, const struct attr *a)
{
	return (!strcmp(a->name, "enabled") &&
		(n->kind == N_TARGET || n->kind == N_DRIVER)) ||
	       (!strcmp(a->name, "hw_target") && n->kind == N_TARGET);
}

static bool is_key(const struct writer *w, const struct node *n,
		   const struct attr *a)
{
	if (n->flags & NODE_KEPT)
		return true;
	/* The id of a local member is the target's own and saved there. */
	if (n->kind == N_TGTGT && !(n->flags & NODE_REMOTE))
		return false;
	if (always_saved(n, a))
		return a->flags & ATTR_READ && !(a->flags & ATTR_UNREAD);
	return attr_is_saved(n, a) && !inherited(w, n, a);
}

static bool is_nonkey(const struct writer *w, const struct node *n,
		      const struct attr *a)
{
	return !is_key(w, n, a) && !(a->flags & ATTR_KEY) &&
	       a->flags & ATTR_READ && a->flags & ATTR_WRITE &&
	       !(a->flags & (ATTR_UNREAD | ATTR_FLAGS)) &&
	       strcmp(a->name, "dif_checks_failed");
}

static bool has_attrs(const struct writer *w, const struct node *n)
{
	size_t i;

	for (i = 0; i < n->nattr; i++)
		if (is_key(w, n, n->attr[i]) ||
		    (w->nonkey && is_nonkey(w, n, n->attr[i])))
			return true;
	return false;
}

static void write_attrs(struct writer *w, const struct node *n)
{
	bool head = false;
	size_t i;

	for (i = 0; i < n->nattr; i++)
		if (is_key(w, n, n->attr[i]))
			write_values(w, n->attr[i]);
	for (i = 0; w->nonkey && i < n->nattr; i++) {
		if (!is_nonkey(w, n, n->attr[i]))
			continue;
		if (!head) {
			sb_addch(w->sb, '\n');
			start_line(w);
			sb_add(w->sb, "# Non-key attributes\n");
			head = true;
		}
		write_values(w, n->attr[i]);
	}
}

/* LUNs that the copy manager takes up by itself are not the file's business. */
static bool is_left_out(const struct node *n)
{
	return n->kind == N_SESSION ||
	       (n->kind == N_LUN && is_copy_manager(n));
}

static bool has_content(const struct writer *w, const struct node *n)
{
	size_t i;

	if (has_attrs(w, n) || (n->kind == N_TARGET && n->flags & NODE_HW &&
				node_attr(n, "hw_target")))
		return true;
	for (i = 0; i < n->nchild; i++)
		if (!is_left_out(n->child[i]))
			return true;
	return false;
}

static void write_head(struct writer *w, const struct node *n)
{
	start_line(w);
	sb_add(w->sb, kind_keyword(n->kind));
	if (n->kind != N_ALUA) {
		sb_addch(w->sb, ' ');
		conf_add_word(w->sb, n->name);
	}
	if (n->kind == N_LUN) {
		sb_addch(w->sb, ' ');
		conf_add_word(w->sb, n->arg);
	}
}

static void write_node(struct writer *w, const struct node *n);

static bool write_children(struct writer *w, const struct node *n,
			   enum node_kind kind, bool gap)
{
	const struct node *c;
	bool any = false;
	size_t i;

	for_each_child(c, i, n, kind) {
		if (is_left_out(c))
			continue;
		if (gap || (any && kind == N_GROUP))
			sb_addch(w->sb, '\n');
		gap = kind == N_INITIATOR || kind == N_TGROUP;
		/* A device's block is set off from the device after it. */
		if (any && kind == N_DEVICE &&
		    w->sb->s[w->sb->len - 2] == '}')
			sb_addch(w->sb, '\n');
		write_node(w, c);
		any = true;
	}
	return any;
}

static void write_group_body(struct writer *w, const struct node *n)
{
	bool any = write_children(w, n, N_LUN, false);

	any |= write_children(w, n, N_INITIATOR, any);
	if (has_attrs(w, n)) {
		if (any)
			sb_addch(w->sb, '\n');
		write_attrs(w, n);
	}
}

static void write_body(struct writer *w, const struct node *n)
{
	static const enum node_kind order[] = {
		N_DEVICE, N_TARGET, N_LUN, N_GROUP, N_DGDEV, N_TGROUP, N_TGTGT,
	};
	bool gap = false;
	size_t i;

	if (n->kind == N_GROUP) {
		write_group_body(w, n);
		return;
	}
	if (n->kind == N_TARGET && n->flags & NODE_HW &&
	    (node_attr(n, "hw_target") || n->flags & NODE_KEPT)) {
		start_line(w);
		sb_add(w->sb, "HW_TARGET\n\n");
	}
	if (has_attrs(w, n)) {
		write_attrs(w, n);
		gap = true;
	}
	for (i = 0; i < ARRAY_SIZE(order); i++)
		if (node_count(n, order[i]))
			gap |= write_children(w, n, order[i], gap);
}

static void write_node(struct writer *w, const struct node *n)
{
	write_head(w, n);
	if (!has_content(w, n)) {
		sb_addch(w->sb, '\n');
		return;
	}
	sb_add(w->sb, " {\n");
	w->depth++;
	write_body(w, n);
	w->depth--;
	start_line(w);
	sb_add(w->sb, "}\n");
}

void conf_write(struct strbuf *sb, const struct node *root, bool nonkey)
{
	static const enum node_kind order[] = {
		N_HANDLER, N_DRIVER, N_ALUA, N_DGROUP,
	};
	struct writer w = { .sb = sb, .root = root, .nonkey = nonkey };
	const struct node *n;
	size_t i, j;

	sb_addf(sb, "# Automatically generated by scstadmin %s.\n\n",
		SCSTADMIN_VERSION);
	write_attrs(&w, root);
	sb_addch(sb, '\n');
	for (i = 0; i < ARRAY_SIZE(order); i++)
		for_each_child(n, j, root, order[i]) {
			if (!has_content(&w, n))
				continue;
			write_node(&w, n);
			sb_addch(sb, '\n');
		}
}

static void keep(struct node *parent, struct node *n, struct strv *notices)
{
	char *obj = node_describe(n), *text;

	node_unlink(n);
	node_add_child(parent, n);
	text = xasprintf("%s is not there now; its section is kept from the old file",
			 obj);
	strv_add(notices, text);
	free(text);
	free(obj);
}

static void mark_kept(struct node *n)
{
	size_t i;

	n->flags |= NODE_KEPT;
	for (i = 0; i < n->nchild; i++)
		mark_kept(n->child[i]);
}

static void keep_targets(struct node *have, struct node *old,
			 struct strv *notices)
{
	size_t i;

	for (i = old->nchild; i-- > 0;) {
		struct node *t = old->child[i];

		if (t->kind != N_TARGET || find_target(have, t->name))
			continue;
		if (have->flags & NODE_CREATES && !(t->flags & NODE_HW))
			continue;
		mark_kept(t);
		keep(have, t, notices);
	}
}

void conf_keep_absent(struct node *have, struct node *old,
		      struct strv *notices)
{
	size_t i;

	for (i = old->nchild; i-- > 0;) {
		struct node *n = old->child[i], *running;

		if (n->kind != N_HANDLER && n->kind != N_DRIVER)
			continue;
		running = node_find(have, n->kind, n->name);
		if (running) {
			if (n->kind == N_DRIVER)
				keep_targets(running, n, notices);
			continue;
		}
		if (is_copy_manager(n) || (!n->nchild && !n->nattr))
			continue;
		mark_kept(n);
		keep(have, n, notices);
	}
	node_sort(have);
}

size_t conf_objects(const struct node *n)
{
	size_t i, count = 0;

	switch (n->kind) {
	case N_DEVICE:
	case N_LUN:
	case N_GROUP:
	case N_INITIATOR:
	case N_DGROUP:
	case N_TGROUP:
		count = 1;
		break;
	case N_DRIVER:
		if (is_copy_manager(n))
			return 0;
		break;
	default:
		break;
	}
	for (i = 0; i < n->nchild; i++)
		count += conf_objects(n->child[i]);
	return count;
}
