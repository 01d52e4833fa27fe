// SPDX-License-Identifier: GPL-2.0
/*
 * targets/<driver> and targets/<driver>/<target>.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/slab.h>

#include "sysfs.h"

static struct scst_transport *to_transport(struct kobject *kobj)
{
	return container_of(kobj, struct scst_transport, kobj);
}

struct scst_target *scst_target_of_kobj(struct kobject *kobj)
{
	return container_of(kobj, struct scst_target, kobj);
}
EXPORT_SYMBOL_GPL(scst_target_of_kobj);

struct kobject *scst_target_kobj(struct scst_target *tgt)
{
	return &tgt->kobj;
}
EXPORT_SYMBOL_GPL(scst_target_kobj);

/* ---- targets/<driver>/mgmt ---------------------------------------------- */

/* The lines that begin with "The following" are an interface, see sysfs_handler.c. */
static ssize_t mgmt_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	const struct scst_transport_ops *ops = to_transport(kobj)->ops;
	int at;

	at = sysfs_emit(buf,
			"Commands:\n"
			"  add_target NAME [parameter=value[;parameter=value]...]\n"
			"  del_target NAME\n");
	if (ops->mgmt_help)
		at += sysfs_emit_at(buf, at, "%s", ops->mgmt_help);
	if (buf[at - 1] != '\n')
		at += sysfs_emit_at(buf, at, "\n");
	if (!ops->target_params)
		return at;
	at += sysfs_emit_at(buf, at, "\nThe following parameters available: ");
	at += scst_mgmt_emit_list(buf, at, ops->target_params);
	return at + sysfs_emit_at(buf, at, ".\n");
}

static int add_target(struct kobject *kobj, struct scst_line *line)
{
	const char *name;

	if (!scst_line_name(line, "the name of a target", &name))
		return -EINVAL;
	return to_transport(kobj)->ops->add_target(name, line->pos);
}

static int del_target(struct kobject *kobj, struct scst_line *line)
{
	const char *name;

	if (!scst_line_name(line, "the name of a target", &name) || !scst_line_end(line))
		return -EINVAL;
	return scst_target_delete(to_transport(kobj), name);
}

static int other_command(struct kobject *kobj, struct scst_line *line)
{
	const struct scst_transport_ops *ops = to_transport(kobj)->ops;
	int err = -EINVAL;

	if (ops->mgmt_command)
		err = ops->mgmt_command(line->verb, line->pos);
	if (err)
		scst_sysfs_refuse(kobj, err, "command '%s' is refused: error %d", line->verb, err);
	return err;
}

static const struct scst_mgmt_verb transport_verbs[] = {
	{ "add_target", add_target },
	{ "del_target", del_target },
	{ NULL, other_command },
};

static ssize_t mgmt_store(struct kobject *kobj, struct kobj_attribute *attr, const char *buf,
			  size_t count)
{
	struct module *owner = to_transport(kobj)->ops->owner;
	ssize_t ret;

	/* The transport must not go in the middle of its own command. */
	if (!try_module_get(owner))
		return scst_sysfs_refuse(kobj, -ENOENT, "the module is being unloaded");
	ret = scst_mgmt_store(kobj, attr, transport_verbs, buf, count);
	module_put(owner);
	return ret;
}

static struct kobj_attribute driver_mgmt_attr = __ATTR_RW(mgmt);

static umode_t driver_visible(struct kobject *kobj, struct attribute *attr, int n)
{
	return to_transport(kobj)->ops->add_target ? attr->mode : 0;
}

static struct attribute *driver_attrs[] = {
	&driver_mgmt_attr.attr,
	NULL
};

static const struct attribute_group driver_group = {
	.is_visible	= driver_visible,
	.attrs		= driver_attrs,
};
__ATTRIBUTE_GROUPS(driver);

static void transport_release(struct kobject *kobj)
{
	kfree(to_transport(kobj));
}

static const struct kobj_type transport_ktype = {
	.release	= transport_release,
	.sysfs_ops	= &scst_sysfs_ops,
};

int scst_sysfs_transport_add(struct scst_transport *t)
{
	int err = scst_sysfs_add(&t->kobj, &transport_ktype, scst_targets_kobj, t->ops->name);

	if (!err && t->ops->driver_groups)
		err = sysfs_create_groups(&t->kobj, t->ops->driver_groups);
	return err ?: sysfs_create_groups(&t->kobj, driver_groups);
}

void scst_sysfs_transport_del(struct scst_transport *t)
{
	kobject_del(&t->kobj);
	kobject_put(&t->kobj);
}

/* ---- target attributes --------------------------------------------------- */

static ssize_t enabled_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return scst_sysfs_emit_u64(buf, scst_target_of_kobj(kobj)->enabled, false);
}

static ssize_t enabled_store(struct kobject *kobj, struct kobj_attribute *attr, const char *buf,
			     size_t count)
{
	bool enable;
	int err = scst_sysfs_bool(kobj, attr, buf, &enable);

	if (!err)
		err = scst_target_set_enabled(scst_target_of_kobj(kobj), enable);
	return err ?: count;
}

static struct kobj_attribute enabled_attr = __ATTR_RW(enabled);

static ssize_t rel_tgt_id_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	u16 id = scst_target_of_kobj(kobj)->rel_tgt_id;

	return scst_sysfs_emit_u64(buf, id, id != 0);
}

static ssize_t rel_tgt_id_store(struct kobject *kobj, struct kobj_attribute *attr,
				const char *buf, size_t count)
{
	u64 id;
	int err = scst_sysfs_number(kobj, attr, buf, 0, U16_MAX, &id);

	if (!err)
		err = scst_target_set_rel_id(scst_target_of_kobj(kobj), id);
	return err ?: count;
}

static struct kobj_attribute rel_tgt_id_attr = __ATTR_RW(rel_tgt_id);

static ssize_t comment_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	struct scst_target *tgt = scst_target_of_kobj(kobj);
	ssize_t len = 0;

	mutex_lock(&scst_mutex);
	if (tgt->comment)
		len = sysfs_emit(buf, "%s\n[key]\n", tgt->comment);
	mutex_unlock(&scst_mutex);
	return len;
}

static ssize_t comment_store(struct kobject *kobj, struct kobj_attribute *attr, const char *buf,
			     size_t count)
{
	struct scst_target *tgt = scst_target_of_kobj(kobj);
	char *comment = scst_sysfs_line(kobj, attr, buf, count);

	if (IS_ERR(comment))
		return PTR_ERR(comment);
	if (strlen(comment) + sizeof("\n[key]\n") > PAGE_SIZE) {
		kfree(comment);
		return scst_sysfs_refuse(kobj, -EINVAL, "comment: too long");
	}
	if (!*comment) {
		kfree(comment);
		comment = NULL;
	}

	mutex_lock(&scst_mutex);
	swap(tgt->comment, comment);
	mutex_unlock(&scst_mutex);
	kfree(comment);
	return count;
}

static struct kobj_attribute comment_attr = __ATTR_RW(comment);

#define SCST_TARGET_BOOL(_name, _field) \
static ssize_t _name##_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf) \
{ \
	bool val = scst_target_of_kobj(kobj)->_field; \
\
	return scst_sysfs_emit_u64(buf, val, val); \
} \
\
static ssize_t _name##_store(struct kobject *kobj, struct kobj_attribute *attr, \
			     const char *buf, size_t count) \
{ \
	return scst_sysfs_bool(kobj, attr, buf, &scst_target_of_kobj(kobj)->_field) ?: count; \
} \
static struct kobj_attribute _name##_attr = __ATTR_RW(_name)

SCST_TARGET_BOOL(forward_src, forward_src);
SCST_TARGET_BOOL(forward_dst, forward_dst);
SCST_TARGET_BOOL(forwarding, forward_dst);
SCST_TARGET_BOOL(aen_disabled, aen_disabled);

static ssize_t sg_tablesize_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return scst_sysfs_emit_u64(buf, scst_target_of_kobj(kobj)->ops->sg_tablesize, false);
}

static struct kobj_attribute sg_tablesize_attr = __ATTR_RO(sg_tablesize);

static umode_t target_visible(struct kobject *kobj, struct attribute *attr, int n)
{
	if (attr == &enabled_attr.attr && !scst_target_of_kobj(kobj)->ops->enable_target)
		return 0;
	return attr->mode;
}

static struct attribute *target_attrs[] = {
	&enabled_attr.attr,
	&rel_tgt_id_attr.attr,
	&comment_attr.attr,
	&forward_src_attr.attr,
	&forward_dst_attr.attr,
	&forwarding_attr.attr,
	&aen_disabled_attr.attr,
	&sg_tablesize_attr.attr,
	NULL
};

static const struct attribute_group target_group = {
	.is_visible	= target_visible,
	.attrs		= target_attrs,
};

static const struct attribute_group *target_groups[] = {
	&target_group,
	&scst_access_group,
	&scst_target_stats_group,
	NULL
};

/* ---- targets/<driver>/<target> -------------------------------------------- */

static void target_release(struct kobject *kobj)
{
	struct scst_target *tgt = scst_target_of_kobj(kobj);

	kobject_put(tgt->sessions_kobj);
	kobject_put(tgt->groups_kobj);
	scst_target_free(tgt);
}

const struct kobj_type scst_target_ktype = {
	.release	= target_release,
	.sysfs_ops	= &scst_sysfs_ops,
};

int scst_sysfs_target_add(struct scst_target *tgt)
{
	int err = scst_sysfs_add(&tgt->kobj, &scst_target_ktype, &tgt->transport->kobj, tgt->name);

	if (err)
		return err;
	tgt->sessions_kobj = scst_sysfs_mkdir(&tgt->kobj, "sessions");
	tgt->groups_kobj = scst_sysfs_mkdir(&tgt->kobj, "ini_groups");
	if (!tgt->sessions_kobj || !tgt->groups_kobj)
		return -ENOMEM;

	/* Files through which something can be added come last: nothing may fail after that. */
	if (tgt->ops->target_groups)
		err = sysfs_create_groups(&tgt->kobj, tgt->ops->target_groups);
	if (!err)
		err = sysfs_create_groups(&tgt->kobj, target_groups);
	if (!err)
		err = scst_sysfs_map_add(&tgt->map);
	return err ?: sysfs_create_group(tgt->groups_kobj, &scst_groups_mgmt_group);
}

void scst_sysfs_target_del(struct scst_target *tgt)
{
	kobject_del(tgt->sessions_kobj);
	kobject_del(tgt->groups_kobj);
	scst_sysfs_map_del(&tgt->map);
	kobject_del(&tgt->kobj);
	kobject_put(&tgt->kobj);
}
