// SPDX-License-Identifier: GPL-2.0
/*
 * ini_groups/: initiator groups, and the attributes that they have in common
 * with targets.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bitmap.h>
#include <linux/slab.h>

#include "sysfs.h"

static struct scst_group *to_group(struct kobject *kobj)
{
	return container_of(kobj, struct scst_group, kobj);
}

/* ---- attributes of targets and groups --------------------------------------- */

/* The settings of a target's own LUNs or of a group. */
struct access {
	enum scst_addr_method *addr_method;
	int *io_grouping_type;
	cpumask_t *cpu_mask;
	unsigned int *black_hole;
};

static struct access access_of(struct kobject *kobj)
{
	if (kobj->ktype == &scst_target_ktype) {
		struct scst_target *tgt = scst_target_of_kobj(kobj);

		return (struct access) { &tgt->addr_method, &tgt->io_grouping_type,
					 &tgt->cpu_mask, &tgt->black_hole };
	} else {
		struct scst_group *group = to_group(kobj);

		return (struct access) { &group->addr_method, &group->io_grouping_type,
					 &group->cpu_mask, &group->black_hole };
	}
}

static const char * const addr_names[] = {
	[SCST_ADDR_PERIPHERAL]	= "PERIPHERAL",
	[SCST_ADDR_FLAT]	= "FLAT",
	[SCST_ADDR_LUN]		= "LUN",
};

static ssize_t addr_method_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	enum scst_addr_method method = *access_of(kobj).addr_method;

	return scst_sysfs_key(buf, sysfs_emit(buf, "%s\n", addr_names[method]),
			      method != SCST_ADDR_PERIPHERAL);
}

static ssize_t addr_method_store(struct kobject *kobj, struct kobj_attribute *attr,
				 const char *buf, size_t count)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(addr_names); i++) {
		if (!scst_sysfs_begins(buf, addr_names[i]))
			continue;
		WRITE_ONCE(*access_of(kobj).addr_method, i);
		return count;
	}
	return scst_sysfs_refuse(kobj, -EINVAL, "addr_method takes PERIPHERAL, FLAT or LUN");
}

static struct kobj_attribute addr_method_attr = __ATTR_RW(addr_method);

static const struct {
	const char *name;
	int type;
} io_groupings[] = {
	{ "auto", SCST_IO_GROUPING_AUTO },
	{ "this_group_only", SCST_IO_GROUPING_THIS },
	{ "never", SCST_IO_GROUPING_NEVER },
};

static ssize_t io_grouping_type_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	int type = *access_of(kobj).io_grouping_type;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(io_groupings); i++)
		if (io_groupings[i].type == type)
			return scst_sysfs_key(buf, sysfs_emit(buf, "%s\n", io_groupings[i].name),
					      type != SCST_IO_GROUPING_AUTO);
	return scst_sysfs_emit_u64(buf, type, true);
}

static ssize_t io_grouping_type_store(struct kobject *kobj, struct kobj_attribute *attr,
				      const char *buf, size_t count)
{
	int *type = access_of(kobj).io_grouping_type;
	unsigned int i;
	u64 val;

	for (i = 0; i < ARRAY_SIZE(io_groupings); i++) {
		if (!scst_sysfs_begins(buf, io_groupings[i].name))
			continue;
		*type = io_groupings[i].type;
		return count;
	}
	if (scst_text_u64(buf, &val) || !val || val > INT_MAX)
		return scst_sysfs_refuse(kobj, -EINVAL,
					 "io_grouping_type takes auto, this_group_only, never or a number above 0");
	*type = val;
	return count;
}

static struct kobj_attribute io_grouping_type_attr = __ATTR_RW(io_grouping_type);

static ssize_t cpu_mask_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	const cpumask_t *mask = access_of(kobj).cpu_mask;

	return scst_sysfs_key(buf, sysfs_emit(buf, "%*pb\n", cpumask_pr_args(mask)),
			      !cpumask_subset(cpu_possible_mask, mask));
}

static ssize_t cpu_mask_store(struct kobject *kobj, struct kobj_attribute *attr, const char *buf,
			      size_t count)
{
	cpumask_var_t mask;
	ssize_t ret = count;

	if (!zalloc_cpumask_var(&mask, GFP_KERNEL))
		return -ENOMEM;
	if (cpumask_parse(buf, mask) || !cpumask_intersects(mask, cpu_possible_mask)) {
		ret = scst_sysfs_refuse(kobj, -EINVAL,
					"cpu_mask takes a hexadecimal mask with at least one of the CPUs %*pbl",
					cpumask_pr_args(cpu_possible_mask));
	} else {
		mutex_lock(&scst_mutex);
		cpumask_copy(access_of(kobj).cpu_mask, mask);
		mutex_unlock(&scst_mutex);
	}
	free_cpumask_var(mask);
	return ret;
}

static struct kobj_attribute cpu_mask_attr = __ATTR_RW(cpu_mask);

static ssize_t black_hole_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return scst_sysfs_emit_u64(buf, *access_of(kobj).black_hole, false);
}

static ssize_t black_hole_store(struct kobject *kobj, struct kobj_attribute *attr,
				const char *buf, size_t count)
{
	u64 val;
	int err = scst_sysfs_number(kobj, attr, buf, 0, 4, &val);

	if (err)
		return err;
	WRITE_ONCE(*access_of(kobj).black_hole, val);
	return count;
}

static struct kobj_attribute black_hole_attr = __ATTR_RW(black_hole);

static struct attribute *access_attrs[] = {
	&addr_method_attr.attr,
	&io_grouping_type_attr.attr,
	&cpu_mask_attr.attr,
	&black_hole_attr.attr,
	NULL
};

const struct attribute_group scst_access_group = {
	.attrs	= access_attrs,
};

/* ---- ini_groups/mgmt ----------------------------------------------------------- */

/* The target that ini_groups/ belongs to. */
static struct scst_target *groups_target(struct kobject *kobj)
{
	return scst_target_of_kobj(kobj->parent);
}

/* The one word of most commands here. */
static bool take_name(struct scst_line *line, const char *what, const char **name)
{
	return scst_line_name(line, what, name) && scst_line_end(line);
}

static int group_create(struct kobject *kobj, struct scst_line *line)
{
	const char *name;

	if (!take_name(line, "the name of a group", &name))
		return -EINVAL;
	return scst_group_create(groups_target(kobj), name);
}

static int group_del(struct kobject *kobj, struct scst_line *line)
{
	const char *name;

	if (!take_name(line, "the name of a group", &name))
		return -EINVAL;
	return scst_group_delete(groups_target(kobj), name);
}

static const struct scst_mgmt_verb group_verbs[] = {
	{ "create", group_create },
	{ "del", group_del },
	{}
};

static ssize_t groups_mgmt_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf,
			  "Commands:\n"
			  "  create GROUP\n"
			  "  del GROUP\n");
}

static ssize_t groups_mgmt_store(struct kobject *kobj, struct kobj_attribute *attr,
				 const char *buf, size_t count)
{
	return scst_mgmt_store(kobj, attr, group_verbs, buf, count);
}

static struct kobj_attribute groups_mgmt_attr =
	__ATTR(mgmt, 0644, groups_mgmt_show, groups_mgmt_store);

static struct attribute *groups_mgmt_attrs[] = {
	&groups_mgmt_attr.attr,
	NULL
};

const struct attribute_group scst_groups_mgmt_group = {
	.attrs	= groups_mgmt_attrs,
};

/* ---- ini_groups/<group>/initiators ----------------------------------------------- */

static struct scst_group *initiators_group(struct kobject *kobj)
{
	return to_group(kobj->parent);
}

static int initiator_add(struct kobject *kobj, struct scst_line *line)
{
	const char *pattern;

	if (!take_name(line, "the name of an initiator", &pattern))
		return -EINVAL;
	return scst_initiator_add(initiators_group(kobj), pattern);
}

static int initiator_del(struct kobject *kobj, struct scst_line *line)
{
	const char *pattern;

	if (!take_name(line, "the name of an initiator", &pattern))
		return -EINVAL;
	return scst_initiator_del(initiators_group(kobj), pattern);
}

static int initiator_move(struct kobject *kobj, struct scst_line *line)
{
	const char *pattern, *to;

	if (!scst_line_name(line, "the name of an initiator", &pattern) ||
	    !take_name(line, "the name of a group", &to))
		return -EINVAL;
	return scst_initiator_move(initiators_group(kobj), pattern, to);
}

static int initiator_clear(struct kobject *kobj, struct scst_line *line)
{
	return scst_line_end(line) ? scst_initiator_clear(initiators_group(kobj)) : -EINVAL;
}

static const struct scst_mgmt_verb initiator_verbs[] = {
	{ "add", initiator_add },
	{ "del", initiator_del },
	{ "move", initiator_move },
	{ "clear", initiator_clear },
	{}
};

static ssize_t initiators_mgmt_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf,
			  "Commands:\n"
			  "  add INITIATOR\n"
			  "  del INITIATOR\n"
			  "  move INITIATOR GROUP\n"
			  "  clear\n");
}

static ssize_t initiators_mgmt_store(struct kobject *kobj, struct kobj_attribute *attr,
				     const char *buf, size_t count)
{
	return scst_mgmt_store(kobj, attr, initiator_verbs, buf, count);
}

static struct kobj_attribute initiators_mgmt_attr =
	__ATTR(mgmt, 0644, initiators_mgmt_show, initiators_mgmt_store);

static ssize_t initiator_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%s\n", container_of(attr, struct scst_initiator, attr)->pattern);
}

int scst_sysfs_initiator_add(struct scst_initiator *ini)
{
	struct kobject *dir = ini->group->initiators_kobj;

	if (scst_sysfs_taken(dir, ini->pattern))
		return scst_sysfs_refuse(dir, -EEXIST, "there is a '%s' already", ini->pattern);

	sysfs_attr_init(&ini->attr.attr);
	ini->attr.attr.name = ini->pattern;
	ini->attr.attr.mode = 0444;
	ini->attr.show = initiator_show;
	return sysfs_create_file(dir, &ini->attr.attr);
}

void scst_sysfs_initiator_del(struct scst_initiator *ini)
{
	sysfs_remove_file(ini->group->initiators_kobj, &ini->attr.attr);
}

/* ---- ini_groups/<group> ------------------------------------------------------------ */

static void group_release(struct kobject *kobj)
{
	struct scst_group *group = to_group(kobj);

	kobject_put(group->initiators_kobj);
	scst_group_free(group);
}

const struct kobj_type scst_group_ktype = {
	.release	= group_release,
	.sysfs_ops	= &scst_sysfs_ops,
};

int scst_sysfs_group_add(struct scst_group *group)
{
	int err = scst_sysfs_add(&group->kobj, &scst_group_ktype, group->tgt->groups_kobj,
				 group->name);

	if (err)
		return err;
	group->initiators_kobj = scst_sysfs_mkdir(&group->kobj, "initiators");
	if (!group->initiators_kobj)
		return -ENOMEM;
	err = sysfs_create_group(&group->kobj, &scst_access_group);
	if (!err)
		err = scst_sysfs_map_add(&group->map);
	return err ?: sysfs_create_file(group->initiators_kobj, &initiators_mgmt_attr.attr);
}

/*
 * kobject_del() takes the directory from its kobject before it waits for those
 * who write to a file in it. One who still removes a pattern needs it.
 */
void scst_sysfs_group_del(struct scst_group *group)
{
	if (group->initiators_kobj)
		sysfs_remove_file(group->initiators_kobj, &initiators_mgmt_attr.attr);
	kobject_del(group->initiators_kobj);
	scst_sysfs_map_del(&group->map);
	kobject_del(&group->kobj);
	kobject_put(&group->kobj);
}
