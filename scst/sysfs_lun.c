// SPDX-License-Identifier: GPL-2.0
/*
 * luns/ of a target or an initiator group, and the LUNs in it.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/slab.h>

#include "sysfs.h"

static struct scst_lun_map *to_map(struct kobject *kobj)
{
	return container_of(kobj, struct scst_lun_map, kobj);
}

static struct scst_lun *to_lun(struct kobject *kobj)
{
	return container_of(kobj, struct scst_lun, kobj);
}

/* ---- luns/mgmt ------------------------------------------------------------ */

/* The line that begins with "The following" is an interface, see sysfs_handler.c. */
static ssize_t mgmt_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf,
			  "Commands:\n"
			  "  add DEVICE LUN [read_only=0|1]\n"
			  "  del LUN\n"
			  "  replace DEVICE LUN [read_only=0|1]\n"
			  "  replace_no_ua DEVICE LUN [read_only=0|1]\n"
			  "  clear\n"
			  "\n"
			  "The following parameters available: read_only.\n");
}

/* DEVICE LUN [read_only=0|1] */
static bool take_mapping(struct scst_line *line, const char **dev, unsigned int *lun,
			 int *read_only)
{
	return scst_line_word(line, "the name of a device", dev) && scst_line_lun(line, lun) &&
	       scst_line_read_only(line, read_only);
}

static int lun_add(struct kobject *kobj, struct scst_line *line)
{
	const char *dev;
	unsigned int lun;
	int read_only = 0;

	if (!take_mapping(line, &dev, &lun, &read_only))
		return -EINVAL;
	return scst_lun_add(to_map(kobj), dev, lun, read_only);
}

static int lun_replace(struct kobject *kobj, struct scst_line *line)
{
	const char *dev;
	unsigned int lun;
	int read_only = -1;

	if (!take_mapping(line, &dev, &lun, &read_only))
		return -EINVAL;
	return scst_lun_replace(to_map(kobj), dev, lun, read_only,
				!strcmp(line->verb, "replace"));
}

static int lun_del(struct kobject *kobj, struct scst_line *line)
{
	unsigned int lun;

	if (!scst_line_lun(line, &lun) || !scst_line_end(line))
		return -EINVAL;
	return scst_lun_del(to_map(kobj), lun);
}

static int lun_clear(struct kobject *kobj, struct scst_line *line)
{
	return scst_line_end(line) ? scst_lun_clear(to_map(kobj)) : -EINVAL;
}

static const struct scst_mgmt_verb lun_verbs[] = {
	{ "add", lun_add },
	{ "del", lun_del },
	{ "replace", lun_replace },
	{ "replace_no_ua", lun_replace },
	{ "clear", lun_clear },
	{}
};

static ssize_t mgmt_store(struct kobject *kobj, struct kobj_attribute *attr, const char *buf,
			  size_t count)
{
	return scst_mgmt_store(kobj, attr, lun_verbs, buf, count);
}

static struct kobj_attribute mgmt_attr = __ATTR_RW(mgmt);

static struct attribute *map_attrs[] = {
	&mgmt_attr.attr,
	NULL
};
ATTRIBUTE_GROUPS(map);

/* ---- luns/ ------------------------------------------------------------------ */

/* The object that a map is part of. */
static struct kobject *map_owner(struct scst_lun_map *map)
{
	if (map == &map->tgt->map)
		return &map->tgt->kobj;
	return &container_of(map, struct scst_group, map)->kobj;
}

/*
 * A map has no memory of its own: it holds a reference on what it is part of
 * until nobody holds one on it. kobject_del() would drop the one that a child
 * has on its parent too early for that.
 */
static void map_release(struct kobject *kobj)
{
	kobject_put(map_owner(to_map(kobj)));
}

static const struct kobj_type map_ktype = {
	.release	= map_release,
	.sysfs_ops	= &scst_sysfs_ops,
};

int scst_sysfs_map_add(struct scst_lun_map *map)
{
	struct kobject *owner = kobject_get(map_owner(map));
	int err = scst_sysfs_add(&map->kobj, &map_ktype, owner, "luns");

	return err ?: sysfs_create_groups(&map->kobj, map_groups);
}

/* Also if scst_sysfs_map_add() was not reached. */
void scst_sysfs_map_del(struct scst_lun_map *map)
{
	if (!map->kobj.state_initialized)
		return;
	kobject_del(&map->kobj);
	kobject_put(&map->kobj);
}

/* ---- luns/<n> ---------------------------------------------------------------- */

static ssize_t read_only_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	const struct scst_lun *lun = to_lun(kobj);
	bool read_only;

	/* The LUN may be about to get another device. */
	mutex_lock(&scst_mutex);
	read_only = lun->read_only || lun->dev->p.read_only;
	mutex_unlock(&scst_mutex);
	return scst_sysfs_emit_u64(buf, read_only, read_only);
}

static struct kobj_attribute read_only_attr = __ATTR_RO(read_only);

static struct attribute *lun_attrs[] = {
	&read_only_attr.attr,
	NULL
};
ATTRIBUTE_GROUPS(lun);

static void lun_release(struct kobject *kobj)
{
	struct scst_lun *lun = to_lun(kobj);
	struct scst_device *dev = lun->dev;

	scst_lun_free(lun);
	kobject_put(&dev->kobj);
}

static const struct kobj_type lun_ktype = {
	.release	= lun_release,
	.sysfs_ops	= &scst_sysfs_ops,
};

static int lun_link(struct scst_lun *lun)
{
	char export[32];
	int err;

	err = sysfs_create_link(&lun->kobj, &lun->dev->kobj, "device");
	if (err)
		return err;
	snprintf(export, sizeof(export), "export%u", lun->export_nr);
	mutex_lock(&scst_sysfs_link_lock);
	err = sysfs_create_link(lun->dev->exported_kobj, &lun->kobj, export);
	mutex_unlock(&scst_sysfs_link_lock);
	return err;
}

static void lun_unexport(struct scst_device *dev, unsigned int export_nr)
{
	struct kobject *exported = dev->exported_kobj;
	char export[32];

	snprintf(export, sizeof(export), "export%u", export_nr);
	mutex_lock(&scst_sysfs_link_lock);
	if (exported->state_in_sysfs)
		sysfs_remove_link(exported, export);
	mutex_unlock(&scst_sysfs_link_lock);
}

int scst_sysfs_lun_add(struct scst_lun *lun)
{
	char name[16];
	int err;

	snprintf(name, sizeof(name), "%u", lun->lun);
	/* So that the directory with the exported link is there until the link has gone. */
	kobject_get(&lun->dev->kobj);
	err = scst_sysfs_add(&lun->kobj, &lun_ktype, &lun->map->kobj, name);
	if (!err)
		err = lun_link(lun);
	return err ?: sysfs_create_groups(&lun->kobj, lun_groups);
}

void scst_sysfs_lun_del(struct scst_lun *lun)
{
	lun_unexport(lun->dev, lun->export_nr);
	kobject_del(&lun->kobj);
	kobject_put(&lun->kobj);
}

void scst_sysfs_lun_relink(struct scst_lun *lun)
{
	lockdep_assert_held(&scst_mutex);

	sysfs_remove_link(&lun->kobj, "device");
	lun_unexport(lun->dev, lun->export_nr);
	lun->unlinked = lun_link(lun);
	if (lun->unlinked)
		scst_repair_later_locked();
}

void scst_sysfs_lun_replaced(struct scst_lun *lun, struct scst_device *old,
			     unsigned int old_export)
{
	lockdep_assert_held(&scst_mutex);

	lun_unexport(old, old_export);
	kobject_get(&lun->dev->kobj);
	scst_sysfs_lun_relink(lun);
	kobject_put(&old->kobj);
}
