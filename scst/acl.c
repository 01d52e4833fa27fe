// SPDX-License-Identifier: GPL-2.0
/*
 * Access control: initiator groups of a target. The first pattern that matches
 * an initiator's name, in order of the groups' creation and of the patterns'
 * insertion, decides which LUN map its sessions see; without a match it is the
 * target's own.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/slab.h>

#include "internal.h"

struct scst_group *scst_group_match_locked(struct scst_target *tgt, const char *initiator)
{
	struct scst_initiator *ini;
	struct scst_group *group;

	lockdep_assert_held(&scst_mutex);
	list_for_each_entry(group, &tgt->groups, entry) {
		if (group->dead)
			continue;
		list_for_each_entry(ini, &group->initiators, entry)
			if (!ini->dead && scst_name_match(ini->pattern, initiator))
				return group;
	}
	return NULL;
}

void scst_group_reassign_locked(struct scst_target *tgt, struct list_head *reap)
{
	struct scst_session *sess;

	lockdep_assert_held(&scst_mutex);
	list_for_each_entry(sess, &tgt->sessions, entry)
		if (sess->ready)
			scst_session_reassign_locked(sess, reap);
}

static struct scst_group *scst_group_find_locked(struct scst_target *tgt, const char *name)
{
	struct scst_group *group;

	list_for_each_entry(group, &tgt->groups, entry)
		if (!strcmp(group->name, name))
			return group;
	return NULL;
}

void scst_group_free(struct scst_group *group)
{
	xa_destroy(&group->map.luns);
	kfree(group->name);
	/* REPORT LUNS may be looking at the address method. */
	kfree_rcu(group, rcu);
}

int scst_group_create(struct scst_target *tgt, const char *name)
{
	struct scst_group *group;
	int err;

	group = kzalloc(sizeof(*group), GFP_KERNEL);
	if (!group)
		return -ENOMEM;
	xa_init(&group->map.luns);
	group->map.tgt = tgt;
	group->tgt = tgt;
	group->addr_method = tgt->addr_method;
	cpumask_setall(&group->cpu_mask);
	INIT_LIST_HEAD(&group->initiators);
	group->name = kstrdup(name, GFP_KERNEL);
	if (!group->name) {
		kfree(group);
		return -ENOMEM;
	}

	mutex_lock(&scst_mutex);
	err = -EINVAL;
	if (tgt->deleting)
		goto err_free;
	err = -EEXIST;
	if (scst_group_find_locked(tgt, name)) {
		pr_err("%s: group %s exists\n", tgt->name, name);
		goto err_free;
	}
	err = scst_sysfs_group_add(group);
	if (err)
		goto err_del;
	list_add_tail(&group->entry, &tgt->groups);
	mutex_unlock(&scst_mutex);
	return 0;

err_del:
	group->dead = true;
	mutex_unlock(&scst_mutex);
	scst_sysfs_group_del(group);
	return err;
err_free:
	mutex_unlock(&scst_mutex);
	scst_group_free(group);
	return err;
}

static void scst_initiator_free(struct scst_initiator *ini)
{
	kfree(ini->pattern);
	kfree(ini);
}

/* Second step for patterns that were marked dead: their files go, then their names are free. */
static void scst_initiators_bury(struct scst_group *group)
{
	struct scst_initiator *ini, *next;
	LIST_HEAD(gone);

	mutex_lock(&scst_mutex);
	list_for_each_entry(ini, &group->initiators, entry) {
		if (!ini->dead || ini->burying)
			continue;
		ini->burying = true;
		list_add_tail(&ini->reap, &gone);
	}
	mutex_unlock(&scst_mutex);

	list_for_each_entry_safe(ini, next, &gone, reap) {
		scst_sysfs_initiator_del(ini);
		mutex_lock(&scst_mutex);
		list_del(&ini->entry);
		mutex_unlock(&scst_mutex);
		scst_initiator_free(ini);
	}
}

static bool scst_group_in_use_locked(const struct scst_group *group)
{
	const struct scst_session *sess;

	list_for_each_entry(sess, &group->tgt->sessions, entry)
		if (sess->group == group)
			return true;
	return false;
}

/* Second step: nobody finds the group any more. Without scst_mutex. */
static void scst_group_bury(struct scst_group *group, struct list_head *luns,
			    struct list_head *reap)
{
	scst_luns_bury(luns, reap);
	scst_initiators_bury(group);
	kobject_get(&group->kobj);
	scst_sysfs_group_del(group);
	mutex_lock(&scst_mutex);
	list_del(&group->entry);
	mutex_unlock(&scst_mutex);
	kobject_put(&group->kobj);
}

/* First step. Sessions of the group are given to whichever matches now. */
static void scst_group_kill_locked(struct scst_group *group, struct list_head *luns,
				   struct list_head *reap)
{
	struct scst_initiator *ini;
	struct scst_session *sess;
	struct scst_lun *lun;
	unsigned long index;

	group->dead = true;
	list_for_each_entry(ini, &group->initiators, entry)
		ini->dead = true;
	list_for_each_entry(sess, &group->tgt->sessions, entry) {
		if (sess->group != group)
			continue;
		if (sess->ready)
			scst_session_reassign_locked(sess, reap);
		else
			WRITE_ONCE(sess->group, NULL);
		if (sess->ops->close_session)
			sess->ops->close_session(sess);
	}
	xa_for_each(&group->map.luns, index, lun)
		if (!lun->dead)
			scst_lun_kill_locked(lun, luns, reap);
}

int scst_group_delete(struct scst_target *tgt, const char *name)
{
	struct scst_group *group;
	LIST_HEAD(luns);
	LIST_HEAD(reap);

	mutex_lock(&scst_mutex);
	group = scst_group_find_locked(tgt, name);
	if (!group || group->dead) {
		pr_err("%s: no group %s\n", tgt->name, name);
		mutex_unlock(&scst_mutex);
		return -EINVAL;
	}
	if (scst_group_in_use_locked(group) && !scst_forcibly_close_sessions) {
		pr_err("%s: group %s has sessions\n", tgt->name, name);
		mutex_unlock(&scst_mutex);
		return -EBUSY;
	}
	scst_group_kill_locked(group, &luns, &reap);
	mutex_unlock(&scst_mutex);

	scst_group_bury(group, &luns, &reap);
	return 0;
}

/**
 * scst_groups_clear() - remove all groups of a target that is being destroyed
 * @tgt: target without sessions
 *
 * Context: process context, without scst_mutex.
 */
void scst_groups_clear(struct scst_target *tgt)
{
	struct scst_group *group, *found;

	for (;;) {
		LIST_HEAD(luns);
		LIST_HEAD(reap);

		found = NULL;
		mutex_lock(&scst_mutex);
		list_for_each_entry(group, &tgt->groups, entry) {
			if (!group->dead) {
				found = group;
				scst_group_kill_locked(group, &luns, &reap);
				break;
			}
		}
		mutex_unlock(&scst_mutex);
		if (!found)
			return;
		scst_group_bury(found, &luns, &reap);
	}
}

/* ---- patterns ----------------------------------------------------------- */

static struct scst_initiator *scst_initiator_find_locked(struct scst_group *group,
							 const char *pattern)
{
	struct scst_initiator *ini;

	list_for_each_entry(ini, &group->initiators, entry)
		if (!strcmp(ini->pattern, pattern))
			return ini;
	return NULL;
}

static int scst_initiator_add_locked(struct scst_group *group, const char *pattern)
{
	struct scst_initiator *ini;
	int err;

	lockdep_assert_held(&scst_mutex);
	if (!*pattern || group->dead)
		return -EINVAL;
	if (scst_initiator_find_locked(group, pattern)) {
		pr_err("group %s: initiator %s exists\n", group->name, pattern);
		return -EEXIST;
	}
	ini = kzalloc(sizeof(*ini), GFP_KERNEL);
	if (!ini)
		return -ENOMEM;
	ini->group = group;
	ini->pattern = kstrdup(pattern, GFP_KERNEL);
	err = ini->pattern ? scst_sysfs_initiator_add(ini) : -ENOMEM;
	if (err) {
		scst_initiator_free(ini);
		return err;
	}
	list_add_tail(&ini->entry, &group->initiators);
	return 0;
}

int scst_initiator_add(struct scst_group *group, const char *pattern)
{
	LIST_HEAD(reap);
	int err;

	mutex_lock(&scst_mutex);
	err = scst_initiator_add_locked(group, pattern);
	if (!err)
		scst_group_reassign_locked(group->tgt, &reap);
	mutex_unlock(&scst_mutex);
	scst_nexus_reap(&reap, false);
	return err;
}

int scst_initiator_del(struct scst_group *group, const char *pattern)
{
	struct scst_initiator *ini;
	LIST_HEAD(reap);

	mutex_lock(&scst_mutex);
	ini = scst_initiator_find_locked(group, pattern);
	if (!ini || ini->dead) {
		pr_err("group %s: no initiator %s\n", group->name, pattern);
		mutex_unlock(&scst_mutex);
		return -EINVAL;
	}
	ini->dead = true;
	scst_group_reassign_locked(group->tgt, &reap);
	mutex_unlock(&scst_mutex);
	scst_nexus_reap(&reap, false);
	scst_initiators_bury(group);
	return 0;
}

int scst_initiator_move(struct scst_group *group, const char *pattern, const char *to)
{
	struct scst_initiator *ini;
	struct scst_group *dest;
	LIST_HEAD(reap);
	int err = -EINVAL;

	mutex_lock(&scst_mutex);
	ini = scst_initiator_find_locked(group, pattern);
	dest = scst_group_find_locked(group->tgt, to);
	if (!ini || ini->dead || !dest || dest->dead)
		pr_err("group %s: cannot move initiator %s to %s: no such %s\n", group->name,
		       pattern, to, ini && !ini->dead ? "group" : "initiator");
	else
		err = scst_initiator_add_locked(dest, pattern);
	if (!err) {
		ini->dead = true;
		scst_group_reassign_locked(group->tgt, &reap);
	}
	mutex_unlock(&scst_mutex);
	scst_nexus_reap(&reap, false);
	scst_initiators_bury(group);
	return err;
}

int scst_initiator_clear(struct scst_group *group)
{
	struct scst_initiator *ini;
	LIST_HEAD(reap);

	mutex_lock(&scst_mutex);
	list_for_each_entry(ini, &group->initiators, entry)
		ini->dead = true;
	scst_group_reassign_locked(group->tgt, &reap);
	mutex_unlock(&scst_mutex);
	scst_nexus_reap(&reap, false);
	scst_initiators_bury(group);
	return 0;
}
