// SPDX-License-Identifier: GPL-2.0
/*
 * The commands of the simulated kernel.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake_tree.h"

#define COMMON	"blocksize, read_only, rotational, removable, tst, t10_dev_id, cluster_mode"
#define STORE	"filename, write_through, nv_cache, thin_provisioned, active, bind_alua_state"

enum { FILEIO = 1, BLOCKIO = 2, NULLIO = 4, CDROM = 8 };

static const struct {
	const char *name;
	unsigned int bit;
	const char *params;
} handlers[] = {
	{ "vdisk_fileio", FILEIO, COMMON ", " STORE ", o_direct, async" },
	{ "vdisk_blockio", BLOCKIO, COMMON ", " STORE },
	{ "vdisk_nullio", NULLIO, COMMON ", size, size_mb, dummy" },
	{ "vcdrom", CDROM, "tst" },
};

#define ALL	(FILEIO | BLOCKIO | NULLIO | CDROM)
#define DISKS	(FILEIO | BLOCKIO | NULLIO)

static const struct spec device_specs[] = {
	{ "type", 0444, "0 - disk", KEY_NEVER, ALL },
	{ "filename", 0644, "", KEY_CHANGED, FILEIO | BLOCKIO | CDROM },
	{ "size", 0444, "1048576", KEY_ALWAYS, FILEIO | CDROM },
	{ "size", 0644, "1048576", KEY_ALWAYS, BLOCKIO },
	{ "size", 0644, "2748779069440", KEY_CHANGED, NULLIO },
	{ "size_mb", 0444, "1", KEY_NEVER, FILEIO | CDROM },
	{ "size_mb", 0644, "1", KEY_NEVER, BLOCKIO },
	{ "size_mb", 0644, "2621440", KEY_NEVER, NULLIO },
	{ "blocksize", 0444, "512", KEY_CHANGED, DISKS },
	{ "read_only", 0444, "0", KEY_CHANGED, DISKS },
	{ "write_through", 0444, "0", KEY_CHANGED, FILEIO | BLOCKIO },
	{ "nv_cache", 0444, "0", KEY_CHANGED, FILEIO | BLOCKIO },
	{ "o_direct", 0444, "0", KEY_CHANGED, FILEIO },
	{ "async", 0644, "0", KEY_CHANGED, FILEIO },
	{ "rotational", 0444, "1", KEY_CHANGED, DISKS },
	{ "removable", 0444, "0", KEY_CHANGED, DISKS },
	{ "thin_provisioned", 0444, "0", KEY_CHANGED, FILEIO | BLOCKIO },
	{ "tst", 0444, "1", KEY_CHANGED, ALL },
	{ "active", 0644, "1", KEY_CHANGED, FILEIO | BLOCKIO },
	{ "bind_alua_state", 0644, "0", KEY_CHANGED, FILEIO | BLOCKIO },
	{ "cluster_mode", 0644, "0", KEY_CHANGED, DISKS },
	{ "dummy", 0444, "0", KEY_CHANGED, NULLIO },
	{ "read_zero", 0644, "0", KEY_CHANGED, NULLIO },
	{ "resync_size", 0200, "", KEY_NEVER, FILEIO | BLOCKIO },
	{ "threads_num", 0644, "8", KEY_CHANGED, ALL },
	{ "threads_pool_type", 0644, "per_initiator", KEY_CHANGED, ALL },
	{ "t10_vend_id", 0644, "SCST_FIO", KEY_CHANGED, ALL },
	{ "prod_id", 0644, "dev", KEY_CHANGED, ALL },
	{ "t10_dev_id", 0644, "generated", KEY_CHANGED, ALL },
	{ "usn", 0644, "generated", KEY_CHANGED, ALL },
	{ "naa_id", 0644, "", KEY_CHANGED, ALL },
	{ "pr_file_name", 0644, "/var/lib/scst/pr/x", KEY_CHANGED, ALL },
};

static const struct spec target_specs[] = {
	{ "rel_tgt_id", 0644, "0", KEY_CHANGED, 0 },
	{ "comment", 0644, "", KEY_CHANGED, 0 },
	{ "addr_method", 0644, "PERIPHERAL", KEY_CHANGED, 0 },
	{ "io_grouping_type", 0644, "auto", KEY_CHANGED, 0 },
	{ "cpu_mask", 0644, "3", KEY_CHANGED, 0 },
	{ "forward_dst", 0644, "0", KEY_CHANGED, 0 },
	{ "forwarding", 0644, "0", KEY_CHANGED, 0 },
	{ "read_cmd_count", 0444, "0", KEY_NEVER, 0 },
};

static const struct spec enabled_spec = {
	"enabled", 0644, "0", KEY_NEVER, 0
};

static const struct spec root_specs[] = {
	{ "setup_id", 0644, "0x0", KEY_CHANGED, 0 },
	{ "threads", 0644, "2", KEY_CHANGED, 0 },
	{ "max_tasklet_cmd", 0644, "10", KEY_CHANGED, 0 },
	{ "cluster_name", 0644, "", KEY_CHANGED, 0 },
};

static const struct spec group_specs[] = {
	{ "addr_method", 0644, "PERIPHERAL", KEY_CHANGED, 0 },
	{ "io_grouping_type", 0644, "auto", KEY_CHANGED, 0 },
};

static const struct spec tgroup_specs[] = {
	{ "group_id", 0644, "0", KEY_ALWAYS, 0 },
	{ "preferred", 0644, "0", KEY_CHANGED, 0 },
	{ "state", 0644, "active", KEY_ALWAYS, 0 },
};

static const struct spec remote_spec = {
	"rel_tgt_id", 0644, "0", KEY_ALWAYS, 0
};

/* A command: its words, and its parameters behind them. */
struct cmd {
	struct strv word;
	char *rest;
};

static void make_specs(struct fake *f, const char *dir,
		       const struct spec *specs, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		spec_make(f, dir, &specs[i]);
}

static char *join(const char *dir, const char *name)
{
	return xasprintf("%s/%s", dir, name);
}

/* ---- devices ---- */

static const struct spec *device_spec(unsigned int bit, const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(device_specs); i++)
		if (device_specs[i].where & bit &&
		    !strcmp(device_specs[i].name, name))
			return &device_specs[i];
	return NULL;
}

/* One size, shown in two units. */
static void set_size(struct fake *f, const char *dir, const char *value,
		     unsigned int shift)
{
	unsigned long long bytes = strtoull(value, NULL, 0) << shift;
	char *path = join(dir, "size"), *text = xasprintf("%llu", bytes);

	spec_set(f, path, text, KEY_CHANGED);
	free(path);
	free(text);
	path = join(dir, "size_mb");
	text = xasprintf("%llu", bytes >> 20);
	spec_set(f, path, text, KEY_NEVER);
	free(path);
	free(text);
}

static int set_param(struct fake *f, const char *dir, unsigned int bit,
		     const char *param)
{
	const char *eq = strchr(param, '=');
	const struct spec *sp;
	char *name, *path;

	if (!eq || !eq[1])
		return -EINVAL;
	name = xstrndup(param, (size_t)(eq - param));
	sp = device_spec(bit, name);
	if (!sp) {
		free(name);
		return -EINVAL;
	}
	path = join(dir, name);
	spec_set(f, path, eq + 1, sp->key);
	free(path);
	if (!strcmp(name, "size"))
		set_size(f, dir, eq + 1, 0);
	else if (!strcmp(name, "size_mb"))
		set_size(f, dir, eq + 1, 20);
	free(name);
	return 0;
}

static void map_in_copy_manager(struct fake *f, const char *dev);
static int unmap_everywhere(struct fake *f, const char *dev);

static int del_device(struct fake *f, size_t h, const char *name)
{
	char *dir = join("devices", name);
	char *link = xasprintf("handlers/%s/%s", handlers[h].name, name);
	int err = fake_exists(f, link) ? 0 : -EINVAL;

	if (!err) {
		unmap_everywhere(f, name);
		tree_remove(f, link);
		tree_remove(f, dir);
		spec_forget(f, dir);
	}
	free(link);
	free(dir);
	return err;
}

static int add_device(struct fake *f, size_t h, const struct cmd *c)
{
	const char *name = c->word.v[1];
	char *dir = join("devices", name), *link, *to;
	struct strv params = { 0 };
	int err = 0;
	size_t i;

	if (fake_exists(f, dir)) {
		free(dir);
		return -EEXIST;
	}
	fake_dir(f, dir);
	for (i = 0; i < ARRAY_SIZE(device_specs); i++) {
		struct spec sp = device_specs[i];

		/* No two devices have the same identity. */
		if (!strcmp(sp.def, "generated"))
			sp.def = name;
		if (sp.where & handlers[h].bit)
			spec_make(f, dir, &sp);
	}
	link = xasprintf("handlers/%s/%s", handlers[h].name, name);
	to = xasprintf("../../devices/%s", name);
	tree_link(f, link, to);

	strv_split(&params, c->rest, "; \n");
	for (i = 0; i < params.n && !err; i++)
		err = set_param(f, dir, handlers[h].bit, params.v[i]);
	if (!err && handlers[h].bit & (FILEIO | BLOCKIO) &&
	    !strstr(c->rest, "filename="))
		err = -EINVAL;
	if (err)
		del_device(f, h, name);
	else
		map_in_copy_manager(f, name);
	strv_free(&params);
	free(link);
	free(to);
	free(dir);
	return err;
}

static int handler_mgmt(struct fake *f, const char *handler,
			const struct cmd *c)
{
	size_t h;

	for (h = 0; h < ARRAY_SIZE(handlers); h++)
		if (!strcmp(handlers[h].name, handler))
			break;
	if (h == ARRAY_SIZE(handlers) || c->word.n < 2)
		return -EINVAL;
	if (!strcmp(c->word.v[0], "add_device"))
		return add_device(f, h, c);
	if (!strcmp(c->word.v[0], "del_device"))
		return del_device(f, h, c->word.v[1]);
	return -EINVAL;
}

/* ---- LUNs ---- */

static bool device_read_only(struct fake *f, const char *dev)
{
	char *path = xasprintf("devices/%s/read_only", dev);
	bool ro = !strcmp(fake_value(f, path), "1");

	free(path);
	return ro;
}

static int add_lun(struct fake *f, const char *dir, const struct cmd *c,
		   bool replace)
{
	char *dev, *lun, *path, *to;
	bool ro;

	if (c->word.n < 3)
		return -EINVAL;
	dev = join("devices", c->word.v[1]);
	if (!fake_exists(f, dev)) {
		free(dev);
		return -EINVAL;
	}
	free(dev);
	lun = join(dir, c->word.v[2]);
	if (fake_exists(f, lun)) {
		if (!replace) {
			free(lun);
			return -EEXIST;
		}
		tree_remove(f, lun);
	}
	fake_dir(f, lun);
	ro = strstr(c->rest, "read_only=1") ||
	     device_read_only(f, c->word.v[1]);
	path = join(lun, "read_only");
	tree_make(f, path, 0444, ro ? "1\n[key]\n" : "0\n");
	free(path);
	path = join(lun, "device");
	to = xasprintf("../../../../../devices/%s", c->word.v[1]);
	tree_link(f, path, to);
	free(path);
	free(to);
	free(lun);
	return 0;
}

static int del_lun(struct fake *f, const char *dir, const char *name)
{
	char *lun = join(dir, name);
	int err = fake_exists(f, lun) ? 0 : -EINVAL;

	if (!err)
		tree_remove(f, lun);
	free(lun);
	return err;
}

static int clear_dir(struct fake *f, const char *dir)
{
	struct sysfs_dir d;
	size_t i;

	if (sysfs_list(&f->s, dir, &d))
		return -EINVAL;
	for (i = 0; i < d.n; i++) {
		char *path = join(dir, d.v[i].name);

		if (strcmp(d.v[i].name, "mgmt"))
			tree_remove(f, path);
		free(path);
	}
	sysfs_dir_free(&d);
	return 0;
}

static int luns_mgmt(struct fake *f, const char *dir, const struct cmd *c)
{
	const char *verb = c->word.v[0];

	if (!strcmp(verb, "add") || !strcmp(verb, "replace"))
		return add_lun(f, dir, c, *verb == 'r');
	if (!strcmp(verb, "del") && c->word.n == 2)
		return del_lun(f, dir, c->word.v[1]);
	if (!strcmp(verb, "clear") && c->word.n == 1)
		return clear_dir(f, dir);
	return -EINVAL;
}

static void make_luns(struct fake *f, const char *parent)
{
	char *dir = join(parent, "luns");
	char *mgmt = join(dir, "mgmt");

	fake_dir(f, dir);
	tree_make(f, mgmt, 0644,
		  "Usage: echo \"add|del H:C:I:L lun [parameters]\" >mgmt\n"
		  "       echo \"clear\" >mgmt\n\n"
		  "The following parameters available: read_only.\n");
	free(mgmt);
	free(dir);
}

typedef void (*luns_fn)(struct fake *f, const char *dir, const char *dev);

/* Calls @fn on every LUN directory there is. */
static void visit_luns_dirs(struct fake *f, luns_fn fn, const char *dev)
{
	struct sysfs_dir drv, tgt, grp;
	size_t i, j, k;

	if (sysfs_list(&f->s, "targets", &drv))
		return;
	for (i = 0; i < drv.n; i++) {
		char *d = join("targets", drv.v[i].name);

		sysfs_list(&f->s, d, &tgt);
		for (j = 0; j < tgt.n; j++) {
			char *t = join(d, tgt.v[j].name);
			char *l = join(t, "luns"), *g = join(t, "ini_groups");

			fn(f, l, dev);
			if (!sysfs_list(&f->s, g, &grp))
				for (k = 0; k < grp.n; k++) {
					char *gl = xasprintf("%s/%s/luns", g,
							     grp.v[k].name);

					fn(f, gl, dev);
					free(gl);
				}
			sysfs_dir_free(&grp);
			free(l);
			free(g);
			free(t);
		}
		sysfs_dir_free(&tgt);
		free(d);
	}
	sysfs_dir_free(&drv);
}

static void unmap_from(struct fake *f, const char *dir, const char *dev)
{
	struct sysfs_dir d;
	size_t i;

	if (sysfs_list(&f->s, dir, &d))
		return;
	for (i = 0; i < d.n; i++) {
		char *lun = join(dir, d.v[i].name);
		char *link = join(lun, "device");
		char *to = sysfs_link(&f->s, link);

		if (to && !strcmp(strrchr(to, '/') + 1, dev))
			tree_remove(f, lun);
		free(to);
		free(link);
		free(lun);
	}
	sysfs_dir_free(&d);
}

static int unmap_everywhere(struct fake *f, const char *dev)
{
	struct sysfs_dir d;
	size_t i;

	visit_luns_dirs(f, unmap_from, dev);
	if (sysfs_list(&f->s, "device_groups", &d))
		return 0;
	for (i = 0; i < d.n; i++) {
		char *path = xasprintf("device_groups/%s/devices/%s",
				       d.v[i].name, dev);

		if (fake_exists(f, path))
			tree_remove(f, path);
		free(path);
	}
	sysfs_dir_free(&d);
	return 0;
}

static void map_in_copy_manager(struct fake *f, const char *dev)
{
	const char *dir = "targets/copy_manager/copy_manager_tgt/luns";
	struct cmd c = { .rest = (char[]){ "" } };
	struct sysfs_dir d;
	char *lun;

	if (sysfs_list(&f->s, dir, &d))
		return;
	lun = xasprintf("%zu", d.n - 1);
	strv_add(&c.word, "add");
	strv_add(&c.word, dev);
	strv_add(&c.word, lun);
	add_lun(f, dir, &c, false);
	strv_free(&c.word);
	sysfs_dir_free(&d);
	free(lun);
}

/* ---- targets ---- */

static void make_target(struct fake *f, const char *driver, const char *name,
			bool enabled)
{
	char *dir = xasprintf("targets/%s/%s", driver, name);
	char *sub;

	fake_dir(f, dir);
	make_specs(f, dir, target_specs, ARRAY_SIZE(target_specs));
	if (enabled)
		spec_make(f, dir, &enabled_spec);
	make_luns(f, dir);
	sub = join(dir, "ini_groups");
	fake_dir(f, sub);
	free(sub);
	sub = join(dir, "ini_groups/mgmt");
	tree_make(f, sub, 0644, "create GROUP, del GROUP\n");
	free(sub);
	sub = join(dir, "sessions");
	fake_dir(f, sub);
	free(sub);
	free(dir);
}

void fake_session(struct fake *f, const char *target_path, const char *name,
		  const char *group)
{
	char *dir = xasprintf("%s/sessions/%s", target_path, name);
	char *to = group ? xasprintf("../../ini_groups/%s/luns", group) :
			   xstrdup("../../luns");
	char *file;

	fake_dir(f, dir);
	file = join(dir, "luns");
	tree_link(f, file, to);
	free(file);
	file = join(dir, "initiator_name");
	tree_make(f, file, 0444, name);
	free(file);
	file = join(dir, "active_commands");
	tree_make(f, file, 0444, "3\n");
	free(file);
	file = join(dir, "force_close");
	tree_make(f, file, 0200, "");
	free(file);
	free(to);
	free(dir);
}

static int add_target(struct fake *f, const char *drv, const struct cmd *c)
{
	char *dir = xasprintf("targets/%s/%s", drv, c->word.v[1]);
	bool local = !strcmp(drv, "scst_local");
	struct strv params = { 0 };
	int err = 0;
	size_t i;

	if (fake_exists(f, dir)) {
		free(dir);
		return -EFAULT;
	}
	make_target(f, drv, c->word.v[1], !local);
	strv_split(&params, c->rest, "; \n");
	for (i = 0; i < params.n && !err; i++) {
		if (local && str_starts(params.v[i], "session_name="))
			fake_session(f, dir, params.v[i] + 13, NULL);
		else
			err = -EINVAL;
	}
	if (err)
		tree_remove(f, dir);
	strv_free(&params);
	free(dir);
	return err;
}

static int del_target(struct fake *f, const char *drv, const char *name)
{
	char *dir = xasprintf("targets/%s/%s", drv, name);
	int err = fake_exists(f, dir) ? 0 : -ENOENT;

	if (!err) {
		tree_remove(f, dir);
		spec_forget(f, dir);
	}
	free(dir);
	return err;
}

/* Values of a dynamic attribute: name, name1, name2, ... */
static int dynamic(struct fake *f, const char *dir, const char *name,
		   const char *value, bool add)
{
	char *line = xasprintf("%s\n[key]\n", value);
	unsigned int i;
	int err = -ENOENT;

	for (i = 0; i < 1000; i++) {
		char *path = i ? xasprintf("%s/%s%u", dir, name, i) :
				 join(dir, name);
		bool exists = fake_exists(f, path);

		if (add && !exists) {
			tree_make(f, path, 0644, line);
			err = 0;
		} else if (exists && !strcmp(fake_value(f, path), value)) {
			err = add ? -EEXIST : 0;
			if (!add)
				tree_remove(f, path);
		} else {
			free(path);
			continue;
		}
		free(path);
		break;
	}
	free(line);
	return err;
}

static int session_cmd(struct fake *f, const char *drv, const struct cmd *c)
{
	char *dir = xasprintf("targets/%s/%s", drv, c->word.v[1]);
	char *path = xasprintf("%s/sessions/%s", dir, c->word.v[2]);
	bool add = *c->word.v[0] == 'a', exists = fake_exists(f, path);
	int err = add == exists ? -EINVAL : 0;

	if (!err && add)
		fake_session(f, dir, c->word.v[2], NULL);
	else if (!err)
		tree_remove(f, path);
	free(path);
	free(dir);
	return err;
}

/* The part of a command behind its first @n words. */
static const char *behind(const char *text, unsigned int n)
{
	while (n--) {
		text += strcspn(text, " ");
		text += strspn(text, " ");
	}
	return text;
}

static int driver_mgmt(struct fake *f, const char *drv, const struct cmd *c,
		       const char *text)
{
	const char *verb = c->word.v[0];
	char *dir;
	int err;

	if (c->word.n < 2)
		return -EINVAL;
	if (!strcmp(verb, "add_target"))
		return add_target(f, drv, c);
	if (!strcmp(verb, "del_target"))
		return del_target(f, drv, c->word.v[1]);
	if (c->word.n < 3)
		return -EINVAL;
	if (strstr(verb, "_session"))
		return session_cmd(f, drv, c);
	if (strstr(verb, "_target_attribute")) {
		dir = xasprintf("targets/%s/%s", drv, c->word.v[1]);
		err = dynamic(f, dir, c->word.v[2], behind(text, 3),
			      *verb == 'a');
	} else if (strstr(verb, "_attribute")) {
		dir = join("targets", drv);
		err = dynamic(f, dir, c->word.v[1], behind(text, 2),
			      *verb == 'a');
	} else {
		return -EINVAL;
	}
	free(dir);
	return err;
}

/* ---- groups ---- */

static int group_mgmt(struct fake *f, const char *dir, const struct cmd *c)
{
	char *path = join(dir, c->word.v[1]), *sub;
	bool exists = fake_exists(f, path);
	int err = 0;

	if (!strcmp(c->word.v[0], "del")) {
		err = exists ? 0 : -EINVAL;
		if (exists) {
			tree_remove(f, path);
			spec_forget(f, path);
		}
	} else if (strcmp(c->word.v[0], "create") || exists) {
		err = exists ? -EEXIST : -EINVAL;
	} else {
		fake_dir(f, path);
		make_specs(f, path, group_specs, ARRAY_SIZE(group_specs));
		make_luns(f, path);
		sub = join(path, "initiators");
		fake_dir(f, sub);
		free(sub);
		sub = join(path, "initiators/mgmt");
		tree_make(f, sub, 0644, "add, del, move, clear\n");
		free(sub);
	}
	free(path);
	return err;
}

static int move_initiator(struct fake *f, const char *dir, const struct cmd *c)
{
	char *groups = xstrndup(dir, strlen(dir) - strlen("/initiators"));
	char *from = join(dir, c->word.v[1]), *to, *text;
	int err = -EINVAL;

	*strrchr(groups, '/') = '\0';
	to = xasprintf("%s/%s/initiators/%s", groups, c->word.v[2],
		       c->word.v[1]);
	if (fake_exists(f, from)) {
		text = xasprintf("%s\n", c->word.v[1]);
		tree_remove(f, from);
		tree_make(f, to, 0444, text);
		free(text);
		err = 0;
	}
	free(groups);
	free(from);
	free(to);
	return err;
}

static int initiator_mgmt(struct fake *f, const char *dir, const struct cmd *c)
{
	const char *verb = c->word.v[0];
	char *path, *text;
	int err = 0;

	if (!strcmp(verb, "clear"))
		return clear_dir(f, dir);
	if (!strcmp(verb, "move") && c->word.n == 3)
		return move_initiator(f, dir, c);
	if (c->word.n != 2)
		return -EINVAL;
	path = join(dir, c->word.v[1]);
	text = xasprintf("%s\n", c->word.v[1]);
	if (!strcmp(verb, "add") && !fake_exists(f, path))
		tree_make(f, path, 0444, text);
	else if (!strcmp(verb, "del") && fake_exists(f, path))
		tree_remove(f, path);
	else
		err = *verb == 'a' ? -EEXIST : -EINVAL;
	free(text);
	free(path);
	return err;
}

/* ---- device groups ---- */

static int dgroup_mgmt(struct fake *f, const struct cmd *c)
{
	static const char *const dirs[] = { "devices", "target_groups" };
	char *path = join("device_groups", c->word.v[1]), *sub;
	bool exists = fake_exists(f, path);
	size_t i;

	if (!strcmp(c->word.v[0], "del")) {
		tree_remove(f, path);
		free(path);
		return exists ? 0 : -EINVAL;
	}
	if (exists) {
		free(path);
		return -EEXIST;
	}
	fake_dir(f, path);
	for (i = 0; i < ARRAY_SIZE(dirs); i++) {
		sub = join(path, dirs[i]);
		fake_dir(f, sub);
		free(sub);
		sub = xasprintf("%s/%s/mgmt", path, dirs[i]);
		tree_make(f, sub, 0644, "add, del\n");
		free(sub);
	}
	free(path);
	return 0;
}

static int link_or_remove(struct fake *f, const char *path, const char *to,
			  bool add)
{
	bool exists = fake_exists(f, path);

	if (add == exists)
		return add ? -EEXIST : -EINVAL;
	if (add)
		tree_link(f, path, to);
	else
		tree_remove(f, path);
	return 0;
}

static int dgdev_mgmt(struct fake *f, const char *dir, const struct cmd *c)
{
	char *path = join(dir, c->word.v[1]);
	char *to = xasprintf("../../../devices/%s", c->word.v[1]);
	int err = link_or_remove(f, path, to, *c->word.v[0] == 'a');

	free(path);
	free(to);
	return err;
}

static int tgroup_mgmt(struct fake *f, const char *dir, const struct cmd *c)
{
	char *path = join(dir, c->word.v[1]), *mgmt;
	bool exists = fake_exists(f, path), add = *c->word.v[0] != 'd';
	int err = add == exists ? -EINVAL : 0;

	if (!err && add) {
		fake_dir(f, path);
		make_specs(f, path, tgroup_specs, ARRAY_SIZE(tgroup_specs));
		mgmt = join(path, "mgmt");
		tree_make(f, mgmt, 0644, "add, del\n");
		free(mgmt);
	} else if (!err) {
		tree_remove(f, path);
		spec_forget(f, path);
	}
	free(path);
	return err;
}

/* Where a target of this host is, as seen from a target group. */
static char *local_target(struct fake *f, const char *name)
{
	struct sysfs_dir d;
	char *res = NULL;
	size_t i;

	if (sysfs_list(&f->s, "targets", &d))
		return NULL;
	for (i = 0; i < d.n && !res; i++) {
		char *t = xasprintf("targets/%s/%s", d.v[i].name, name);

		if (tree_is_dir(f, t))
			res = join("../../../..", t);
		free(t);
	}
	sysfs_dir_free(&d);
	return res;
}

static int tgtgt_mgmt(struct fake *f, const char *dir, const struct cmd *c)
{
	char *path = join(dir, c->word.v[1]);
	char *to = local_target(f, c->word.v[1]);
	bool add = *c->word.v[0] == 'a', exists = fake_exists(f, path);
	int err = 0;

	if (to || !add) {
		err = link_or_remove(f, path, to, add);
		spec_forget(f, path);
	} else if (exists) {
		err = -EEXIST;
	} else {
		fake_dir(f, path);
		spec_make(f, path, &remote_spec);
	}
	free(path);
	free(to);
	return err;
}

/* ---- dispatch ---- */

static void parse_cmd(struct cmd *c, const char *text)
{
	/* The first word with a '=' begins the parameters. */
	const char *p = text, *eq = strchr(text, '=');
	char *words;

	c->rest = xstrdup("");
	if (eq) {
		for (p = eq; p > text && p[-1] != ' '; p--)
			;
		free(c->rest);
		c->rest = xstrdup(p);
	} else {
		p = text + strlen(text);
	}
	words = xstrndup(text, (size_t)(p - text));
	strv_split(&c->word, words, " \n");
	free(words);
}

static int mgmt(struct fake *f, const char *path, const char *text)
{
	struct strv part = { 0 };
	struct cmd c = { 0 };
	int err = -EINVAL;
	char *dir;

	strv_split(&part, path, "/");
	parse_cmd(&c, text);
	dir = xstrndup(path, strlen(path) - strlen("/mgmt"));
	if (!c.word.n || (c.word.n < 2 && strcmp(c.word.v[0], "clear")))
		goto out;
	if (!strcmp(part.v[0], "handlers"))
		err = handler_mgmt(f, part.v[1], &c);
	else if (!strcmp(path, "device_groups/mgmt"))
		err = dgroup_mgmt(f, &c);
	else if (!strcmp(part.v[0], "targets") && part.n == 3)
		err = driver_mgmt(f, part.v[1], &c, text);
	else if (!strcmp(part.v[part.n - 2], "luns"))
		err = luns_mgmt(f, dir, &c);
	else if (!strcmp(part.v[part.n - 2], "ini_groups"))
		err = group_mgmt(f, dir, &c);
	else if (!strcmp(part.v[part.n - 2], "initiators"))
		err = initiator_mgmt(f, dir, &c);
	else if (!strcmp(part.v[part.n - 2], "devices"))
		err = dgdev_mgmt(f, dir, &c);
	else if (!strcmp(part.v[part.n - 2], "target_groups"))
		err = tgroup_mgmt(f, dir, &c);
	else if (part.n == 5)
		err = tgtgt_mgmt(f, dir, &c);
out:
	strv_free(&part);
	strv_free(&c.word);
	free(c.rest);
	free(dir);
	return err;
}

static int set_attribute(struct fake *f, const char *path, const char *text)
{
	char *value = xstrndup(text, strcspn(text, "\n"));
	const char *name = strrchr(path, '/');
	int key = KEY_CHANGED;

	name = name ? name + 1 : path;
	if (!strcmp(name, "force_close")) {
		char *dir = xstrndup(path, strlen(path) - strlen("/force_close"));

		tree_remove(f, dir);
		free(dir);
		free(value);
		return 0;
	}
	if (!strcmp(name, "enabled"))
		key = KEY_NEVER;
	else if (!strcmp(name, "group_id") || !strcmp(name, "state"))
		key = KEY_ALWAYS;
	spec_set(f, path, value, key);
	free(value);
	return 0;
}

static bool faulty(struct fake *f, const char *line)
{
	struct fake_fault *ft = &f->fault;

	if (!ft->match || !strstr(line, ft->match))
		return false;
	ft->hits++;
	return ft->hits > ft->skip &&
	       (!ft->times || ft->hits <= ft->skip + ft->times);
}

static int fake_write(struct sysfs *s, const char *path, const char *text)
{
	struct fake *f = s->priv;
	char *line = xasprintf("%s<-%s", path, text);
	size_t n = strlen(path);
	int err;

	if (faulty(f, line)) {
		err = f->fault.err;
	} else if (!fake_exists(f, path)) {
		err = -ENOENT;
	} else {
		if (n > 4 && !strcmp(path + n - 4, "mgmt"))
			err = mgmt(f, path, text);
		else
			err = set_attribute(f, path, text);
		if (!err)
			strv_add(&f->writes, line);
	}
	free(line);
	if (f->queue) {
		f->queued_result = err;
		return -EAGAIN;
	}
	return err;
}

static ssize_t fake_read(struct sysfs *s, const char *path, char *buf,
			 size_t size)
{
	struct fake *f = s->priv;

	if (!strcmp(path, "last_sysfs_mgmt_res")) {
		if (f->busy_reads) {
			f->busy_reads--;
			return -EAGAIN;
		}
		return snprintf(buf, size, "%d\n", f->queued_result);
	}
	if (f->unreadable && strstr(path, f->unreadable))
		return -EIO;
	return sysfs_real_ops.read(s, path, buf, size);
}

static void fake_sleep(struct sysfs *s, unsigned int seconds)
{
	struct fake *f = s->priv;

	f->slept += seconds;
}

static const struct sysfs_ops fake_ops = {
	.read	= fake_read,
	.write	= fake_write,
	.sleep	= fake_sleep,
};

static void make_handlers(struct fake *f)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(handlers); i++) {
		char *dir = join("handlers", handlers[i].name), *file, *text;

		fake_dir(f, dir);
		file = join(dir, "mgmt");
		text = xasprintf("Usage: echo \"add_device device_name [parameters]\" >mgmt\n"
				 "       echo \"del_device device_name\" >mgmt\n\n"
				 "The following parameters available: %s.\n",
				 handlers[i].params);
		tree_make(f, file, 0644, text);
		free(file);
		free(text);
		file = join(dir, "type");
		tree_make(f, file, 0444, "0 - disk\n");
		free(file);
		free(dir);
	}
}

static void make_drivers(struct fake *f, bool copy_manager)
{
	fake_dir(f, "targets/scst_local");
	tree_make(f, "targets/scst_local/mgmt", 0644,
		  "Usage: add_target, del_target\n"
		  "add_session TARGET SESSION, del_session TARGET SESSION\n\n"
		  "The following parameters available: session_name.\n");
	fake_dir(f, "targets/ib_srpt");
	make_target(f, "ib_srpt", PORT_1, true);
	make_target(f, "ib_srpt", PORT_2, true);
	fake_dir(f, "targets/iscsi");
	tree_make(f, "targets/iscsi/mgmt", 0644,
		  "Usage: add_target, del_target, ...\n\n"
		  "The following target driver attributes available: IncomingUser, OutgoingUser.\n"
		  "The following target attributes available: IncomingUser, OutgoingUser, allowed_portal.\n");
	spec_make(f, "targets/iscsi", &enabled_spec);
	if (copy_manager) {
		fake_dir(f, "targets/copy_manager");
		make_target(f, "copy_manager", "copy_manager_tgt", false);
	}
}

struct fake *fake_new(bool copy_manager)
{
	static const char *const dirs[] = {
		"handlers", "devices", "targets", "device_groups",
	};
	struct fake *f = xcalloc(1, sizeof(*f));
	size_t i;

	strcpy(f->dir, "/tmp/scstadmin-test.XXXXXX");
	if (!mkdtemp(f->dir)) {
		perror("mkdtemp");
		abort();
	}
	snprintf(f->root, sizeof(f->root), "%s/sys", f->dir);
	fake_dir(f, "");
	f->s.root = f->root;
	f->s.ops = &fake_ops;
	f->s.priv = f;
	for (i = 0; i < ARRAY_SIZE(dirs); i++)
		fake_dir(f, dirs[i]);
	tree_make(f, "version", 0444, "SCST version: 3.11.0-pre\n");
	tree_make(f, "last_sysfs_mgmt_res", 0444, "0\n");
	tree_make(f, "device_groups/mgmt", 0644, "create, del\n");
	make_specs(f, "", root_specs, ARRAY_SIZE(root_specs));
	make_handlers(f);
	make_drivers(f, copy_manager);
	return f;
}

void fake_free(struct fake *f)
{
	tree_remove(f, "..");
	strv_free(&f->writes);
	strv_free(&f->defaults);
	free(f);
}
