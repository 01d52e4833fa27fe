// SPDX-License-Identifier: GPL-2.0
/*
 * What could not be done for lack of memory, and could not be refused either, is
 * done later.
 *
 * Most of what an administrator asks for is prepared before anything changes, so
 * without memory it is refused and nothing has happened. Two things are not like
 * that: when access control gives a session another LUN map, or a LUN stands for
 * another device, the old is gone before there is room for the new. Sessions that
 * lack LUNs then, and directories that lack links, are marked and looked at
 * again until they are complete.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "internal.h"

#define SCST_REPAIR_DELAY	(HZ / 10)

static void scst_repair_work(struct work_struct *work);
static DECLARE_DELAYED_WORK(scst_repair, scst_repair_work);

/* Somebody was marked. Context: scst_mutex held. */
void scst_repair_later_locked(void)
{
	lockdep_assert_held(&scst_mutex);
	queue_delayed_work(scst_wq, &scst_repair, SCST_REPAIR_DELAY);
}

static void scst_map_repair_locked(struct scst_lun_map *map)
{
	struct scst_lun *lun;
	unsigned long index;

	xa_for_each(&map->luns, index, lun)
		if (lun->unlinked && !lun->dead)
			scst_sysfs_lun_relink(lun);
}

static void scst_target_repair_locked(struct scst_target *tgt)
{
	struct scst_session *sess;
	struct scst_group *group;

	scst_map_repair_locked(&tgt->map);
	list_for_each_entry(group, &tgt->groups, entry)
		if (!group->dead)
			scst_map_repair_locked(&group->map);
	list_for_each_entry(sess, &tgt->sessions, entry) {
		if (!sess->incomplete || !sess->ready)
			continue;
		scst_session_complete_locked(sess);
		if (!sess->incomplete)
			pr_info("%s/%s: session %s has all its LUNs again\n", sess->ops->name,
				tgt->name, sess->dir_name);
		scst_ua_luns_changed(sess);
	}
}

static void scst_repair_work(struct work_struct *work)
{
	struct scst_transport *t;
	struct scst_target *tgt;

	mutex_lock(&scst_mutex);
	list_for_each_entry(t, &scst_transports, entry)
		list_for_each_entry(tgt, &t->targets, entry)
			if (!tgt->deleting)
				scst_target_repair_locked(tgt);
	mutex_unlock(&scst_mutex);
}

void scst_repair_exit(void)
{
	cancel_delayed_work_sync(&scst_repair);
}
