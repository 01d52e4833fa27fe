/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared between the sysfs files of scst.ko only: how attributes and mgmt files
 * are read, parsed, refused and printed. doc/sysfs.md has the rules.
 */
#ifndef SCST_SYSFS_H
#define SCST_SYSFS_H

#include "internal.h"

/*
 * Serialises what one object does in the directory of another: the links
 * exported/exportN and handlers/<h>/<device>. Innermost of the mutexes; no
 * attribute takes it.
 */
extern struct mutex scst_sysfs_link_lock;

extern struct kobject *scst_targets_kobj;
extern struct kobject *scst_devices_kobj;
extern struct kobject *scst_handlers_kobj;

/* For every ktype; all attributes are struct kobj_attribute. */
extern const struct sysfs_ops scst_sysfs_ops;

/* ---- directories ----------------------------------------------------- */

/*
 * Initialise @kobj and add it. Whatever the result, kobject_del() and
 * kobject_put() are the caller's. A name that is taken is refused with -EEXIST
 * before sysfs itself complains with a stack dump.
 */
int scst_sysfs_add(struct kobject *kobj, const struct kobj_type *type, struct kobject *parent,
		   const char *name);
bool scst_sysfs_taken(struct kobject *dir, const char *name);
/* A directory that is no object of its own; NULL if there is no memory. */
struct kobject *scst_sysfs_mkdir(struct kobject *parent, const char *name);
int scst_sysfs_map_add(struct scst_lun_map *map);
void scst_sysfs_map_del(struct scst_lun_map *map);

/* ---- refusing -------------------------------------------------------- */

/* Log why a write below @kobj is refused; returns @err. */
__printf(3, 4)
int scst_sysfs_refuse(const struct kobject *kobj, int err, const char *fmt, ...);

/* ---- parsing --------------------------------------------------------- */

int scst_sysfs_bool(struct kobject *kobj, const struct kobj_attribute *attr, const char *buf,
		    bool *val);
int scst_sysfs_number(struct kobject *kobj, const struct kobj_attribute *attr, const char *buf,
		      u64 min, u64 max, u64 *val);
/* First line of a text, to be freed; or an ERR_PTR. */
char *scst_sysfs_line(struct kobject *kobj, const struct kobj_attribute *attr, const char *buf,
		      size_t count);
/* Does @text begin with @word, in any case? */
bool scst_sysfs_begins(const char *text, const char *word);

/* ---- printing -------------------------------------------------------- */

/* Append line 2 to @len bytes of @buf if the attribute differs from its default. */
static inline ssize_t scst_sysfs_key(char *buf, ssize_t len, bool differs)
{
	return differs ? len + sysfs_emit_at(buf, len, "[key]\n") : len;
}

static inline ssize_t scst_sysfs_emit_u64(char *buf, u64 val, bool differs)
{
	return scst_sysfs_key(buf, sysfs_emit(buf, "%llu\n", val), differs);
}

/* Text of a type attribute. */
ssize_t scst_sysfs_emit_type(char *buf, u8 type);

/* ---- mgmt files ------------------------------------------------------ */

/**
 * struct scst_mgmt_verb - a command of a mgmt file
 * @name: first word, lower case. NULL ends a table.
 * @run: does it. What it finds wrong with the rest of the line, it leaves there.
 *	Of the last entry: takes the words that are not in the table, or NULL if
 *	there are none.
 */
struct scst_mgmt_verb {
	const char *name;
	int (*run)(struct kobject *kobj, struct scst_line *line);
};

ssize_t scst_mgmt_store(struct kobject *kobj, const struct kobj_attribute *attr,
			const struct scst_mgmt_verb *verbs, const char *buf, size_t count);
/* Append a comma separated list of names to a help text; returns what it took. */
int scst_mgmt_emit_list(char *buf, int at, const char *list);

/* ---- attributes shared between files ---------------------------------- */

extern const struct kobj_type scst_target_ktype;
extern const struct kobj_type scst_group_ktype;
extern const struct attribute_group scst_access_group;		/* targets and groups */
extern const struct attribute_group scst_target_stats_group;
extern const struct attribute_group scst_groups_mgmt_group;	/* ini_groups/mgmt */

#endif
