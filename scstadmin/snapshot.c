// SPDX-License-Identifier: GPL-2.0
/*
 * The running state, read once, in the shape of a configuration file.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "snapshot.h"

struct snapshot {
	struct sysfs *s;
	unsigned int flags;
	const struct strv *names;
	struct strv *notices;
};

static void cannot_read(struct snapshot *sn, const char *path, int err)
{
	char *text;

	/* Gone while we were looking: as if it had never been there. */
	if (err == -ENOENT || err == -ENODEV)
		return;
	text = xasprintf("cannot read %s: %s", path, strerror(-err));
	strv_add(sn->notices, text);
	free(text);
}

static void list_dir(struct snapshot *sn, const char *path,
		     struct sysfs_dir *dir)
{
	int err = sysfs_list(sn->s, path, dir);

	if (err)
		cannot_read(sn, path, err);
}

/* A value line that "[key]" follows is to be saved; else line 1 is the value. */
static void add_lines(struct attr *a, const char *text)
{
	struct pos none = { 0 };
	const char *line = text;

	while (*line) {
		size_t n = strcspn(line, "\n");
		const char *next = line[n] ? line + n + 1 : line + n;

		if (!strncmp(next, "[key]", 5)) {
			char *val = xstrndup(line, n);

			if (!attr_has(a, val))
				attr_add_value(a, val, none);
			free(val);
			a->flags |= ATTR_KEY;
		}
		line = next;
	}
	if (!a->n) {
		char *val = xstrndup(text, strcspn(text, "\n"));

		attr_add_value(a, val, none);
		free(val);
	}
}

/*
 * trace_level and its like: the active names joined by " | ", then help with
 * the possible ones in brackets.
 */
static bool add_flag_names(struct attr *a, const char *text)
{
	const char *nl = strchr(text, '\n'), *open = NULL;
	struct pos none = { 0 };
	struct strv names = { 0 };
	char *part;
	size_t i;

	if (!nl || strcmp(a->name, "trace_level"))
		return false;
	part = xstrndup(text, (size_t)(nl - text));
	strv_split(&names, part, " |");
	free(part);
	for (i = 0; i < names.n; i++)
		attr_add_value(a, names.v[i], none);
	strv_free(&names);

	for (open = strchr(nl, '['); open; open = strchr(open + 1, '['))
		if (open[1] != 'k' && strchr(open, ']') && strchr(open, ','))
			break;
	if (open) {
		part = xstrndup(open + 1, strcspn(open + 1, "]"));
		strv_split(&a->choices, part, ", \n");
		free(part);
	}
	a->flags |= ATTR_FLAGS;
	return true;
}

/* Some attributes are bytes (transport_id); shown in hex, never saved. */
static bool add_binary(struct attr *a, const struct strbuf *sb)
{
	struct strbuf hex = { 0 };
	struct pos none = { 0 };
	bool binary = false;
	size_t i;

	for (i = 0; i < sb->len; i++) {
		unsigned char c = (unsigned char)sb->s[i];

		sb_addf(&hex, "%02x", c);
		if (c < ' ' && c != '\n' && c != '\t')
			binary = true;
	}
	if (binary)
		attr_add_value(a, sb_str(&hex), none);
	sb_free(&hex);
	return binary;
}

static void read_attr(struct snapshot *sn, struct node *n, const char *dir,
		      const struct sysfs_entry *e)
{
	struct pos none = { 0 };
	struct strbuf sb = { 0 };
	struct attr *a;
	char *path;
	int err;

	a = node_add_attr(n, e->name, none);
	if (e->mode & 0200)
		a->flags |= ATTR_WRITE;
	if (!(e->mode & 0400))
		return;
	a->flags |= ATTR_READ;

	path = *dir ? xasprintf("%s/%s", dir, e->name) : xstrdup(e->name);
	err = sysfs_read(sn->s, path, &sb);
	if (err) {
		a->flags |= ATTR_UNREAD;
		cannot_read(sn, path, err);
	} else if (!add_binary(a, &sb) && !add_flag_names(a, sb_str(&sb))) {
		add_lines(a, sb_str(&sb));
	}
	sb_free(&sb);
	free(path);
}

/* name, name1, name2 with [key] are one attribute with several values. */
static void fold_numbered(struct node *n)
{
	struct pos none = { 0 };
	size_t i = 0, j;

	while (i < n->nattr) {
		struct attr *a = n->attr[i], *base;
		size_t len = strlen(a->name);
		char *name;

		while (len && isdigit((unsigned char)a->name[len - 1]))
			len--;
		if (!len || !a->name[len] || !(a->flags & ATTR_KEY)) {
			i++;
			continue;
		}
		name = xstrndup(a->name, len);
		base = node_attr(n, name);
		if (!base) {
			base = node_add_attr(n, name, none);
			base->flags = a->flags;
			a = n->attr[i];
		}
		for (j = 0; j < a->n; j++)
			if (!attr_has(base, a->v[j].text))
				attr_add_value(base, a->v[j].text, none);
		base->flags |= ATTR_KEY;
		free(name);
		name = xstrdup(a->name);
		node_del_attr(n, name);
		free(name);
	}
}

/* What has to be known of an object whatever is asked for. */
static bool is_essential(const struct node *n, const char *name)
{
	return (n->kind == N_TARGET || n->kind == N_DRIVER) &&
	       (!strcmp(name, "enabled") || !strcmp(name, "hw_target"));
}

/* Attributes that the planner reads although they are not writable. */
static bool wanted_read_only(const struct snapshot *sn, const struct node *n,
			     const char *name)
{
	const struct caps *caps = n->caps;

	if (sn->names && strv_has(sn->names, name))
		return true;
	if (n->kind == N_DEVICE || n->kind == N_TARGET)
		caps = n->parent->caps;
	else if (n->kind == N_LUN)
		return true;
	return caps && strv_has(&caps->create, name);
}

static bool is_wanted(const struct snapshot *sn, const struct node *n,
		      const struct sysfs_entry *e)
{
	if (sn->flags & SNAP_ALL_ATTRS || is_essential(n, e->name))
		return true;
	if (!(sn->flags & SNAP_ATTRS))
		return false;
	return e->mode & 0200 || wanted_read_only(sn, n, e->name);
}

static void read_attrs(struct snapshot *sn, struct node *n, const char *path,
		       const struct sysfs_dir *dir)
{
	size_t i;

	for (i = 0; i < dir->n; i++) {
		const struct sysfs_entry *e = &dir->v[i];

		if (!S_ISREG(e->mode) || !strcmp(e->name, "mgmt") ||
		    !strcmp(e->name, "uevent"))
			continue;
		if (is_wanted(sn, n, e))
			read_attr(sn, n, path, e);
	}
	fold_numbered(n);
}

static void parse_list(const char *line, const char *head, struct strv *list)
{
	char *rest;

	if (!str_starts(line, head))
		return;
	rest = xstrndup(line + strlen(head), strcspn(line + strlen(head), "\n"));
	strv_split(list, rest, ", \t.\r");
	free(rest);
}

/* The help text of a mgmt file is an interface: it lists names by headings. */
static void read_mgmt(struct snapshot *sn, struct node *n, const char *path)
{
	struct caps *caps = node_caps(n);
	struct strbuf sb = { 0 };
	const char *line;
	int err;

	err = sysfs_read(sn->s, path, &sb);
	if (err)
		cannot_read(sn, path, err);
	for (line = sb_str(&sb); line; line = strchr(line, '\n')) {
		line += *line == '\n';
		parse_list(line, "The following parameters available:",
			   &caps->create);
		parse_list(line,
			   "The following target driver attributes available:",
			   &caps->drv_attrs);
		parse_list(line, "The following target attributes available:",
			   &caps->tgt_attrs);
		parse_list(line,
			   "The following dev handler attributes available:",
			   &caps->drv_attrs);
	}
	if (strstr(sb_str(&sb), "H:C:I:L"))
		n->flags |= NODE_PASS;
	if (strstr(sb_str(&sb), "add_session") &&
	    strstr(sb_str(&sb), "del_session"))
		n->flags |= NODE_SESS_CMDS;
	sb_free(&sb);
}

static char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return xstrdup(slash ? slash + 1 : path);
}

static void read_device(struct snapshot *sn, struct node *handler,
			const char *name)
{
	struct node *d = node_new(N_DEVICE, name);
	struct sysfs_dir dir;
	char *path;

	node_add_child(handler, d);
	path = node_path(d);
	list_dir(sn, path, &dir);
	read_attrs(sn, d, path, &dir);
	sysfs_dir_free(&dir);
	free(path);
}

static void read_handler(struct snapshot *sn, struct node *root,
			 const char *name)
{
	struct node *h = node_new(N_HANDLER, name);
	struct sysfs_dir dir;
	char *path, *mgmt;
	size_t i;

	node_add_child(root, h);
	path = node_path(h);
	mgmt = xasprintf("%s/mgmt", path);
	read_mgmt(sn, h, mgmt);
	list_dir(sn, path, &dir);
	read_attrs(sn, h, path, &dir);
	for (i = 0; i < dir.n; i++)
		if (S_ISLNK(dir.v[i].mode) && strcmp(dir.v[i].name, "module"))
			read_device(sn, h, dir.v[i].name);
	sysfs_dir_free(&dir);
	free(mgmt);
	free(path);
}

/* A LUN's directory holds one link, and that is its device. */
static void read_lun(struct snapshot *sn, struct node *parent,
		     const char *name)
{
	struct node *l = node_new(N_LUN, name);
	struct sysfs_dir dir;
	char *path, *link;
	size_t i;

	node_add_child(parent, l);
	path = node_path(l);
	list_dir(sn, path, &dir);
	read_attrs(sn, l, path, &dir);
	for (i = 0; i < dir.n && !l->arg; i++) {
		if (!S_ISLNK(dir.v[i].mode))
			continue;
		link = xasprintf("%s/%s", path, dir.v[i].name);
		free(path);
		path = sysfs_link(sn->s, link);
		free(link);
		if (path)
			l->arg = last_part(path);
	}
	if (!l->arg)
		l->arg = xstrdup("");
	sysfs_dir_free(&dir);
	free(path);
}

static void read_luns(struct snapshot *sn, struct node *n)
{
	char *up = node_path(n);
	char *path = xasprintf("%s/luns", up);
	char *mgmt = xasprintf("%s/mgmt", path);
	struct sysfs_dir dir;
	size_t i;

	read_mgmt(sn, n, mgmt);
	list_dir(sn, path, &dir);
	for (i = 0; i < dir.n; i++)
		if (S_ISDIR(dir.v[i].mode))
			read_lun(sn, n, dir.v[i].name);
	sysfs_dir_free(&dir);
	free(mgmt);
	free(path);
	free(up);
}

static void read_group(struct snapshot *sn, struct node *target,
		       const char *name)
{
	struct node *g = node_new(N_GROUP, name);
	char *path, *inis;
	struct sysfs_dir dir;
	size_t i;

	node_add_child(target, g);
	path = node_path(g);
	inis = xasprintf("%s/initiators", path);
	list_dir(sn, path, &dir);
	read_attrs(sn, g, path, &dir);
	sysfs_dir_free(&dir);
	read_luns(sn, g);

	list_dir(sn, inis, &dir);
	for (i = 0; i < dir.n; i++)
		if (S_ISREG(dir.v[i].mode) && strcmp(dir.v[i].name, "mgmt"))
			node_add_child(g, node_new(N_INITIATOR, dir.v[i].name));
	sysfs_dir_free(&dir);
	free(inis);
	free(path);
}

static void read_session(struct snapshot *sn, struct node *target,
			 const char *name)
{
	struct node *se = node_new(N_SESSION, name);
	struct sysfs_dir dir;
	char *path, *luns;

	node_add_child(target, se);
	path = node_path(se);
	list_dir(sn, path, &dir);
	/* Nothing of a session is planned or saved. */
	if (sn->flags & SNAP_ALL_ATTRS)
		read_attrs(sn, se, path, &dir);
	sysfs_dir_free(&dir);

	luns = xasprintf("%s/luns", path);
	se->arg = sysfs_link(sn->s, luns);
	free(luns);
	free(path);
}

/*
 * Drivers whose sessions are made by command (scst_local) list them in the
 * file as the target's session_name.
 */
static void sessions_as_attr(struct node *target)
{
	struct pos none = { 0 };
	struct node *se;
	struct attr *a;
	size_t i;

	if (!(target->parent->flags & NODE_SESS_CMDS) ||
	    node_attr(target, "session_name"))
		return;
	a = node_add_attr(target, "session_name", none);
	a->flags = ATTR_READ | ATTR_WRITE | ATTR_DYNAMIC;
	for_each_child(se, i, target, N_SESSION) {
		a->flags |= ATTR_KEY;
		attr_add_value(a, se->name, none);
	}
}

static void mark_dynamic(struct node *n, const struct strv *names)
{
	size_t i;

	for (i = 0; i < n->nattr; i++)
		if (strv_has(names, n->attr[i]->name))
			n->attr[i]->flags |= ATTR_DYNAMIC;
}

static void read_children(struct snapshot *sn, struct node *n,
			  const char *path, const char *sub,
			  void (*read_one)(struct snapshot *sn, struct node *n,
					   const char *name))
{
	char *full = xasprintf("%s/%s", path, sub);
	struct sysfs_dir dir;
	size_t i;

	list_dir(sn, full, &dir);
	for (i = 0; i < dir.n; i++)
		if (S_ISDIR(dir.v[i].mode))
			read_one(sn, n, dir.v[i].name);
	sysfs_dir_free(&dir);
	free(full);
}

static void read_target(struct snapshot *sn, struct node *driver,
			const char *name)
{
	struct node *t = node_new(N_TARGET, name);
	struct sysfs_dir dir;
	char *path;

	node_add_child(driver, t);
	path = node_path(t);
	list_dir(sn, path, &dir);
	read_attrs(sn, t, path, &dir);
	sysfs_dir_free(&dir);

	if (!(driver->flags & NODE_CREATES) ||
	    !strcmp(attr_text(node_attr(t, "hw_target")), "1"))
		t->flags |= NODE_HW;
	read_luns(sn, t);
	read_children(sn, t, path, "ini_groups", read_group);
	read_children(sn, t, path, "sessions", read_session);
	mark_dynamic(t, &node_caps(driver)->tgt_attrs);
	sessions_as_attr(t);
	free(path);
}

static void read_driver(struct snapshot *sn, struct node *root,
			const char *name)
{
	struct node *d = node_new(N_DRIVER, name);
	struct sysfs_dir dir;
	char *path, *mgmt;
	mode_t mode;
	size_t i;

	node_add_child(root, d);
	path = node_path(d);
	mgmt = xasprintf("%s/mgmt", path);
	if (!sysfs_mode(sn->s, mgmt, &mode)) {
		read_mgmt(sn, d, mgmt);
		if (mode & 0200)
			d->flags |= NODE_CREATES;
	}
	list_dir(sn, path, &dir);
	read_attrs(sn, d, path, &dir);
	for (i = 0; i < dir.n; i++)
		if (S_ISDIR(dir.v[i].mode))
			read_target(sn, d, dir.v[i].name);
	sysfs_dir_free(&dir);
	mark_dynamic(d, &node_caps(d)->drv_attrs);
	free(mgmt);
	free(path);
}

/* Only the id is the target group's business; the rest is the target's. */
static void read_local_member(struct snapshot *sn, struct node *t)
{
	struct sysfs_entry e = { .name = (char[]){ "rel_tgt_id" } };
	char *path = node_path(t);
	char *file = xasprintf("%s/%s", path, e.name);

	if (!sysfs_mode(sn->s, file, &e.mode))
		read_attr(sn, t, path, &e);
	free(file);
	free(path);
}

static void read_remote_member(struct snapshot *sn, struct node *t)
{
	char *path = node_path(t);
	struct sysfs_dir dir;

	t->flags |= NODE_REMOTE;
	list_dir(sn, path, &dir);
	read_attrs(sn, t, path, &dir);
	sysfs_dir_free(&dir);
	free(path);
}

/* A link is a target of this host, a directory one of a peer. */
static void read_target_group(struct snapshot *sn, struct node *dgroup,
			      const char *name)
{
	struct node *tg = node_new(N_TGROUP, name);
	struct sysfs_dir dir;
	char *path;
	size_t i;

	node_add_child(dgroup, tg);
	path = node_path(tg);
	list_dir(sn, path, &dir);
	read_attrs(sn, tg, path, &dir);
	for (i = 0; i < dir.n; i++) {
		struct node *t;

		if (S_ISREG(dir.v[i].mode))
			continue;
		t = node_new(N_TGTGT, dir.v[i].name);
		node_add_child(tg, t);
		if (S_ISDIR(dir.v[i].mode))
			read_remote_member(sn, t);
		else
			read_local_member(sn, t);
	}
	sysfs_dir_free(&dir);
	free(path);
}

static void read_device_group(struct snapshot *sn, struct node *root,
			      const char *name)
{
	struct node *dg = node_new(N_DGROUP, name);
	struct sysfs_dir dir;
	char *path, *devs;
	size_t i;

	node_add_child(root, dg);
	path = node_path(dg);
	devs = xasprintf("%s/devices", path);
	list_dir(sn, path, &dir);
	read_attrs(sn, dg, path, &dir);
	sysfs_dir_free(&dir);
	list_dir(sn, devs, &dir);
	for (i = 0; i < dir.n; i++)
		if (S_ISLNK(dir.v[i].mode))
			node_add_child(dg, node_new(N_DGDEV, dir.v[i].name));
	sysfs_dir_free(&dir);
	read_children(sn, dg, path, "target_groups", read_target_group);
	free(devs);
	free(path);
}

static void read_alua(struct snapshot *sn, struct node *root)
{
	struct sysfs_dir dir;
	struct node *alua;

	/* Device groups are an option of the core. */
	if (sysfs_list(sn->s, "device_groups", &dir))
		return;
	alua = node_new(N_ALUA, "");
	node_add_child(root, alua);
	read_attrs(sn, alua, "device_groups", &dir);
	sysfs_dir_free(&dir);
	read_children(sn, root, "device_groups", "", read_device_group);
}

struct node *snapshot_read(struct sysfs *s, unsigned int flags,
			   const struct strv *names, struct strv *notices)
{
	struct snapshot sn = {
		.s = s, .flags = flags, .names = names, .notices = notices,
	};
	struct node *root;
	struct sysfs_dir dir;

	if (sysfs_list(s, "", &dir))
		return NULL;
	root = node_new(N_ROOT, "");
	read_attrs(&sn, root, "", &dir);
	sysfs_dir_free(&dir);
	read_children(&sn, root, "handlers", "", read_handler);
	read_children(&sn, root, "targets", "", read_driver);
	read_alua(&sn, root);
	node_sort(root);
	return root;
}

static void load(struct snapshot *sn, struct node *n, bool below)
{
	char *path = node_path(n);
	struct sysfs_dir dir;
	size_t i;

	while (n->nattr)
		node_del_attr(n, n->attr[n->nattr - 1]->name);
	/* An initiator is a file, the members of device groups are links. */
	if (n->kind == N_TGTGT && !(n->flags & NODE_REMOTE)) {
		read_local_member(sn, n);
	} else if (n->kind != N_INITIATOR && n->kind != N_DGDEV) {
		list_dir(sn, path, &dir);
		read_attrs(sn, n, path, &dir);
		sysfs_dir_free(&dir);
	}
	if (n->kind == N_TARGET) {
		mark_dynamic(n, &node_caps(n->parent)->tgt_attrs);
		sessions_as_attr(n);
	} else if (n->kind == N_DRIVER) {
		mark_dynamic(n, &node_caps(n)->drv_attrs);
	}
	for (i = 0; below && i < n->nchild; i++)
		load(sn, n->child[i], below);
	free(path);
}

void snapshot_load(struct sysfs *s, struct node *n, bool below,
		   struct strv *notices)
{
	struct snapshot sn = {
		.s = s, .flags = SNAP_ALL_ATTRS, .notices = notices,
	};

	load(&sn, n, below);
	node_sort(n);
}

/* Line 1 of the version file holds "x.y.z" and may go on as it likes (B17). */
static bool find_version(const char *text, unsigned int ver[2])
{
	for (; *text && *text != '\n'; text++)
		if (isdigit((unsigned char)*text) &&
		    sscanf(text, "%u.%u", &ver[0], &ver[1]) == 2)
			return true;
	return false;
}

char *core_version_fault(struct sysfs *s)
{
	struct strbuf sb = { 0 };
	unsigned int ver[2];
	char *res = NULL;
	int err;

	err = sysfs_read(s, "version", &sb);
	if (err == -ENOENT)
		res = xasprintf("the core is not loaded (%s does not exist): modprobe scst",
				s->root);
	else if (err)
		res = xasprintf("cannot read %s/version: %s", s->root,
				strerror(-err));
	else if (!find_version(sb_str(&sb), ver))
		res = xasprintf("found '%.*s' in %s/version, expected a version number",
				(int)strcspn(sb_str(&sb), "\n"), sb_str(&sb),
				s->root);
	else if (ver[0] < 2)
		res = xasprintf("the loaded core has version %u.%u, expected 2.0.0 or later",
				ver[0], ver[1]);
	sb_free(&sb);
	return res;
}
