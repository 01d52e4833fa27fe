// SPDX-License-Identifier: GPL-2.0
/*
 * handlers/<h>: creating and deleting devices.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/slab.h>

#include "sysfs.h"

static struct scst_handler *to_handler(struct kobject *kobj)
{
	return container_of(kobj, struct scst_handler, kobj);
}

static const char *type_name(u8 type)
{
	switch (type) {
	case SCST_TYPE_DISK:
		return "direct access block device (disk)";
	case SCST_TYPE_ROM:
		return "CD/DVD device";
	}
	return "other";
}

ssize_t scst_sysfs_emit_type(char *buf, u8 type)
{
	return sysfs_emit(buf, "%u - %s\n", type, type_name(type));
}

static ssize_t type_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return scst_sysfs_emit_type(buf, to_handler(kobj)->ops->type);
}

static struct kobj_attribute type_attr = __ATTR_RO(type);

/* ---- mgmt -------------------------------------------------------------- */

/* Creation parameters that the core parses for a handler with @need. */
static const struct {
	u32 need;
	const char *names;
} common_params[] = {
	{ 0, "t10_dev_id,tst" },
	{ SCST_DEV_FILENAME, "filename" },
	{ SCST_DEV_BLOCKSIZE, "blocksize,numa_node_id" },
	{ SCST_DEV_READ_ONLY, "read_only" },
	{ SCST_DEV_WRITE_CACHE, "nv_cache,write_through" },
	{ SCST_DEV_ROTATIONAL, "rotational" },
	{ SCST_DEV_THIN, "thin_provisioned" },
	{ SCST_DEV_REMOVABLE, "removable" },
	{ SCST_DEV_ACTIVE, "active,bind_alua_state" },
	{ SCST_DEV_CLUSTER, "cluster_mode" },
	{ SCST_DEV_SIZE_PARAM, "size,size_mb" },
};

/*
 * The lines that begin with "The following" are an interface: tools look for
 * them to learn which names may be given.
 */
static ssize_t mgmt_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	const struct scst_handler_ops *ops = to_handler(kobj)->ops;
	const char *sep = "";
	unsigned int i;
	int at;

	at = sysfs_emit(buf,
			"Commands:\n"
			"  add_device NAME [parameter=value[;parameter=value]...]\n"
			"  del_device NAME\n"
			"\n"
			"The following parameters available: ");
	for (i = 0; i < ARRAY_SIZE(common_params); i++) {
		u32 need = common_params[i].need;

		if ((ops->dev_attrs & need) != need)
			continue;
		/* A drive is created empty; its medium comes by the attribute. */
		if (need == SCST_DEV_FILENAME && ops->type == SCST_TYPE_ROM)
			continue;
		at += sysfs_emit_at(buf, at, "%s", sep);
		at += scst_mgmt_emit_list(buf, at, common_params[i].names);
		sep = ", ";
	}
	if (ops->params) {
		at += sysfs_emit_at(buf, at, "%s", sep);
		at += scst_mgmt_emit_list(buf, at, ops->params);
	}
	return at + sysfs_emit_at(buf, at, ".\n");
}

static int add_device(struct kobject *kobj, struct scst_line *line)
{
	struct scst_handler *h = to_handler(kobj);
	const char *name;
	int err;

	if (!scst_line_word(line, "the name of a device", &name))
		return -EINVAL;
	if (!try_module_get(h->ops->owner))
		return scst_sysfs_refuse(kobj, -ENOENT, "%s: the module is being unloaded",
					 line->verb);
	err = scst_device_create(h, name, line->pos);
	module_put(h->ops->owner);
	return err;
}

static int del_device(struct kobject *kobj, struct scst_line *line)
{
	const char *name;

	if (!scst_line_word(line, "the name of a device", &name) || !scst_line_end(line))
		return -EINVAL;
	return scst_device_delete(name);
}

static const struct scst_mgmt_verb handler_verbs[] = {
	{ "add_device", add_device },
	{ "del_device", del_device },
	{}
};

static ssize_t mgmt_store(struct kobject *kobj, struct kobj_attribute *attr, const char *buf,
			  size_t count)
{
	return scst_mgmt_store(kobj, attr, handler_verbs, buf, count);
}

static struct kobj_attribute mgmt_attr = __ATTR_RW(mgmt);

/* ---- directory ---------------------------------------------------------- */

static struct attribute *handler_attrs[] = {
	&mgmt_attr.attr,
	&type_attr.attr,
	NULL
};
ATTRIBUTE_GROUPS(handler);

static void handler_release(struct kobject *kobj)
{
	kfree(to_handler(kobj));
}

static const struct kobj_type handler_ktype = {
	.release	= handler_release,
	.sysfs_ops	= &scst_sysfs_ops,
};

int scst_sysfs_handler_add(struct scst_handler *h)
{
	int err = scst_sysfs_add(&h->kobj, &handler_ktype, scst_handlers_kobj, h->ops->name);

	return err ?: sysfs_create_groups(&h->kobj, handler_groups);
}

void scst_sysfs_handler_del(struct scst_handler *h)
{
	kobject_del(&h->kobj);
	kobject_put(&h->kobj);
}
