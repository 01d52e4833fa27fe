// SPDX-License-Identifier: GPL-2.0
/*
 * LUN maps: which number stands for which device, per target or initiator
 * group. Sessions have nexuses for the LUNs of their map; they follow each
 * change here at once.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/slab.h>

#include "internal.h"

static const char *scst_map_name(const struct scst_lun_map *map)
{
	return kobject_name(map->kobj.parent);
}

void scst_lun_free(struct scst_lun *lun)
{
	kfree(lun);
}

/* Does a session see a map, and is it not on its way out? */
static bool scst_map_seen_by(const struct scst_lun_map *map, const struct scst_session *sess)
{
	return sess->map == map && sess->ready;
}

static void scst_lun_hide_locked(struct scst_lun *lun, struct list_head *reap)
{
	struct scst_session *sess;

	list_for_each_entry(sess, &lun->map->tgt->sessions, entry)
		if (scst_map_seen_by(lun->map, sess))
			scst_nexus_unlink_locked(sess, lun->lun, reap);
}

static int scst_lun_show_locked(struct scst_lun *lun, scst_sense_t ua, struct list_head *reap)
{
	struct scst_session *sess;
	int err = 0;

	list_for_each_entry(sess, &lun->map->tgt->sessions, entry) {
		if (scst_map_seen_by(lun->map, sess))
			err = scst_nexus_create_locked(sess, lun, ua);
		if (err) {
			scst_lun_hide_locked(lun, reap);
			break;
		}
	}
	return err;
}

/* The same for a LUN that sessions had before: who gets nothing now gets it later. */
static void scst_lun_show_again_locked(struct scst_lun *lun)
{
	struct scst_session *sess;

	list_for_each_entry(sess, &lun->map->tgt->sessions, entry)
		if (scst_map_seen_by(lun->map, sess) &&
		    scst_nexus_create_locked(sess, lun, SCST_UA_RESET))
			scst_session_complete_locked(sess);
}

/* Let every session that sees a map know of a change. */
static void scst_map_tell_locked(struct scst_lun_map *map, void (*tell)(struct scst_session *sess))
{
	struct scst_session *sess;

	list_for_each_entry(sess, &map->tgt->sessions, entry)
		if (scst_map_seen_by(map, sess))
			tell(sess);
}

static void scst_map_changed_locked(struct scst_lun_map *map)
{
	scst_map_tell_locked(map, scst_ua_luns_changed);
}

/* What the map is part of is being deleted: what is added now would stay behind. */
static bool scst_map_dead_locked(const struct scst_lun_map *map)
{
	lockdep_assert_held(&scst_mutex);
	if (map->tgt->deleting)
		return true;
	return map != &map->tgt->map && container_of(map, struct scst_group, map)->dead;
}

static struct scst_device *scst_lun_device_locked(const char *name, unsigned int lun)
{
	struct scst_device *dev = scst_device_find_locked(name);

	if (!dev)
		pr_err("LUN %u: no device %s\n", lun, name);
	return dev;
}

/**
 * scst_lun_add() - map a device
 * @map: LUN map
 * @name: device
 * @lun: number
 * @read_only: writes through this LUN are refused
 *
 * Context: process context; takes scst_mutex.
 * Return: 0, -EINVAL (no such device, number too large), -EEXIST, -ENOMEM; logged.
 */
int scst_lun_add(struct scst_lun_map *map, const char *name, unsigned int lun, bool read_only)
{
	struct scst_device *dev;
	struct scst_lun *new;
	LIST_HEAD(reap);
	int err;

	if (lun > SCST_LUN_MAX) {
		pr_err("LUN %u is larger than %u\n", lun, SCST_LUN_MAX);
		return -EINVAL;
	}
	new = kzalloc(sizeof(*new), GFP_KERNEL);
	if (!new)
		return -ENOMEM;
	new->lun = lun;
	new->read_only = read_only;
	new->map = map;

	mutex_lock(&scst_mutex);
	err = -EINVAL;
	dev = scst_lun_device_locked(name, lun);
	if (!dev)
		goto err_free;
	if (scst_map_dead_locked(map))
		goto err_free;
	new->dev = dev;
	new->export_nr = dev->export_nr++;
	err = xa_insert(&map->luns, lun, new, GFP_KERNEL);
	if (err) {
		err = err == -EBUSY ? -EEXIST : err;
		pr_err("%s: LUN %u %s\n", scst_map_name(map), lun,
		       err == -EEXIST ? "exists" : "cannot be added");
		goto err_free;
	}
	percpu_ref_get(&dev->ref);
	list_add_tail(&new->dev_entry, &dev->luns);
	err = scst_sysfs_lun_add(new);
	if (err)
		goto err_del;
	err = scst_lun_show_locked(new, SCST_UA_RESET, &reap);
	if (err)
		goto err_del;
	scst_map_changed_locked(map);
	pr_info("%s: LUN %u is %s%s\n", scst_map_name(map), lun, name,
		read_only ? ", read-only" : "");
	mutex_unlock(&scst_mutex);
	return 0;

err_del:
	new->dead = true;
	mutex_unlock(&scst_mutex);
	scst_nexus_reap(&reap, true);
	kobject_get(&new->kobj);
	scst_sysfs_lun_del(new);
	mutex_lock(&scst_mutex);
	list_del(&new->dev_entry);
	percpu_ref_put(&dev->ref);
	xa_erase(&map->luns, lun);
	mutex_unlock(&scst_mutex);
	kobject_put(&new->kobj);
	return err;

err_free:
	mutex_unlock(&scst_mutex);
	kfree(new);
	return err;
}

/**
 * scst_lun_kill_locked() - take a LUN out of its map, first step
 * @lun: LUN that is not dead yet
 * @luns: gets the LUN
 * @reap: gets its nexuses
 *
 * Context: process context, scst_mutex held. scst_luns_bury() follows without it.
 */
void scst_lun_kill_locked(struct scst_lun *lun, struct list_head *luns, struct list_head *reap)
{
	lockdep_assert_held(&scst_mutex);
	lun->dead = true;
	scst_lun_hide_locked(lun, reap);
	list_add_tail(&lun->reap, luns);
}

/**
 * scst_luns_bury() - second step for LUNs and nexuses that were unlinked
 * @luns: from scst_lun_kill_locked()
 * @reap: likewise
 *
 * Context: process context, without scst_mutex; waits for their commands.
 */
void scst_luns_bury(struct list_head *luns, struct list_head *reap)
{
	struct scst_lun *lun, *next;

	scst_nexus_reap(reap, true);
	list_for_each_entry_safe(lun, next, luns, reap) {
		struct kobject *map = &lun->map->kobj;

		/* It may be all that still holds a group or target that went meanwhile. */
		kobject_get(map);
		kobject_get(&lun->kobj);
		scst_sysfs_lun_del(lun);
		mutex_lock(&scst_mutex);
		xa_erase(&lun->map->luns, lun->lun);
		list_del(&lun->dev_entry);
		mutex_unlock(&scst_mutex);
		percpu_ref_put(&lun->dev->ref);
		kobject_put(&lun->kobj);
		kobject_put(map);
	}
}

static struct scst_lun *scst_lun_find_locked(struct scst_lun_map *map, unsigned int nr)
{
	struct scst_lun *lun = xa_load(&map->luns, nr);

	return lun && !lun->dead ? lun : NULL;
}

int scst_lun_del(struct scst_lun_map *map, unsigned int nr)
{
	struct scst_lun *lun;
	LIST_HEAD(luns);
	LIST_HEAD(reap);

	mutex_lock(&scst_mutex);
	lun = scst_lun_find_locked(map, nr);
	if (!lun) {
		pr_err("%s: no LUN %u\n", scst_map_name(map), nr);
		mutex_unlock(&scst_mutex);
		return -EINVAL;
	}
	scst_lun_kill_locked(lun, &luns, &reap);
	scst_map_changed_locked(map);
	mutex_unlock(&scst_mutex);

	scst_luns_bury(&luns, &reap);
	pr_info("%s: LUN %u removed\n", scst_map_name(map), nr);
	return 0;
}

int scst_lun_clear(struct scst_lun_map *map)
{
	struct scst_lun *lun;
	unsigned long index;
	LIST_HEAD(luns);
	LIST_HEAD(reap);

	mutex_lock(&scst_mutex);
	xa_for_each(&map->luns, index, lun)
		if (!lun->dead)
			scst_lun_kill_locked(lun, &luns, &reap);
	if (!list_empty(&luns))
		scst_map_changed_locked(map);
	mutex_unlock(&scst_mutex);

	scst_luns_bury(&luns, &reap);
	return 0;
}

/* Let a LUN stand for another device. No session sees it then. */
static void scst_lun_switch_locked(struct scst_lun *lun, struct scst_device *dev,
				   struct list_head *reap)
{
	struct scst_device *old = lun->dev;
	unsigned int old_export = lun->export_nr;

	scst_lun_hide_locked(lun, reap);
	percpu_ref_get(&dev->ref);
	list_move_tail(&lun->dev_entry, &dev->luns);
	lun->dev = dev;
	lun->export_nr = dev->export_nr++;
	scst_sysfs_lun_replaced(lun, old, old_export);
	percpu_ref_put(&old->ref);
}

/**
 * scst_lun_replace() - let a LUN stand for another device
 * @map: LUN map
 * @name: device
 * @nr: number; if it is not in use, this is scst_lun_add()
 * @read_only: 0, 1, or -1 to keep what the LUN had
 * @ua: tell initiators that INQUIRY data changed
 *
 * Does not wait for commands that the old device holds: they are aborted, and
 * what belongs to it goes when they are over (B93). Without memory the old
 * device comes back.
 *
 * Context: process context; takes scst_mutex.
 * Return: 0 or -errno, logged.
 */
int scst_lun_replace(struct scst_lun_map *map, const char *name, unsigned int nr, int read_only,
		     bool ua)
{
	struct scst_device *dev, *old;
	struct scst_lun *lun;
	LIST_HEAD(reap);
	bool was_read_only;
	int err = -EINVAL;

	mutex_lock(&scst_mutex);
	lun = scst_lun_find_locked(map, nr);
	if (!lun) {
		mutex_unlock(&scst_mutex);
		return scst_lun_add(map, name, nr, read_only > 0);
	}
	dev = scst_lun_device_locked(name, nr);
	if (!dev)
		goto out;

	old = lun->dev;
	was_read_only = lun->read_only;
	if (read_only >= 0)
		lun->read_only = read_only;
	scst_lun_switch_locked(lun, dev, &reap);
	err = scst_lun_show_locked(lun, ua ? SCST_UA_INQUIRY_CHANGED : SCST_OK, &reap);
	if (err) {
		pr_err("%s: LUN %u cannot become %s: error %d\n", scst_map_name(map), nr, name,
		       err);
		lun->read_only = was_read_only;
		scst_lun_switch_locked(lun, old, &reap);
		scst_lun_show_again_locked(lun);
		goto out;
	}
	if (ua)
		scst_map_tell_locked(map, scst_ua_lun_replaced);
	pr_info("%s: LUN %u is now %s\n", scst_map_name(map), nr, name);
out:
	mutex_unlock(&scst_mutex);
	scst_nexus_reap(&reap, false);
	return err;
}
