/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SCSTADMIN_SNAPSHOT_H
#define SCSTADMIN_SNAPSHOT_H

#include "sysfs.h"
#include "tree.h"

enum snapshot_flags {
	/*
	 * What planning and saving need: attributes that can be written or
	 * given at creation. Without it only the objects are read, and of
	 * targets and drivers what says whether they are enabled.
	 */
	SNAP_ATTRS	= 1 << 0,
	/* What the lists show: read-only attributes and sessions as well. */
	SNAP_ALL_ATTRS	= 1 << 1,
};

/**
 * snapshot_read() - the running configuration as a tree
 * @s: sysfs
 * @flags: how much to read
 * @names: read-only attributes that SNAP_ATTRS is to read too; may be NULL
 * @notices: one line for each thing that could not be read
 *
 * Objects that vanish while they are read are left out.
 *
 * Return: the tree, or NULL when the core is not loaded.
 */
struct node *snapshot_read(struct sysfs *s, unsigned int flags,
			   const struct strv *names, struct strv *notices);

/*
 * snapshot_load() - read all attributes of an object that was read without
 *
 * With @below also of what is in it.
 */
void snapshot_load(struct sysfs *s, struct node *n, bool below,
		   struct strv *notices);

/*
 * core_version_fault() - is the core there, and can we talk to it
 *
 * Return: NULL when all is well, else what is wrong, to be freed.
 */
char *core_version_fault(struct sysfs *s);

#endif
