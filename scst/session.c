// SPDX-License-Identifier: GPL-2.0
/*
 * Sessions (I_T nexuses) and what they see: one scst_nexus (I_T_L nexus) per
 * LUN of the map that access control chose.
 *
 * A nexus goes in two steps. Unlink, under scst_mutex: no command finds it any
 * more, and its percpu_ref is killed. Reap, without the mutex: its commands are
 * aborted and waited for, then it is freed. It holds a reference of its session
 * and of its device, so neither goes before.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/slab.h>
#include <linux/timekeeping.h>

#include "internal.h"

/* ---- I_T_L nexus ------------------------------------------------------- */

static void scst_nexus_drained(struct percpu_ref *ref)
{
	complete(&container_of(ref, struct scst_nexus, ref)->drained);
}

struct scst_nexus *scst_nexus_get(struct scst_session *sess, unsigned int lun)
{
	struct scst_nexus *nexus;

	rcu_read_lock();
	nexus = xa_load(&sess->nexuses, lun);
	if (nexus && unlikely(!percpu_ref_tryget_live(&nexus->ref)))
		nexus = NULL;
	rcu_read_unlock();
	return nexus;
}

static void scst_nexus_free(struct scst_nexus *nexus)
{
	scst_pool_put(rcu_dereference_protected(nexus->pool, true));
	percpu_ref_exit(&nexus->ref);
	kfree(nexus);
}

/* Threads of a nexus: the device's, or its own. */
static struct scst_pool *scst_nexus_pool_locked(struct scst_device *dev)
{
	lockdep_assert_held(&scst_mutex);
	if (dev->pool) {
		scst_pool_get(dev->pool);
		return dev->pool;
	}
	return scst_pool_create(dev->name, dev->threads_num ?: scst_settings.threads,
				dev->numa_node_id);
}

/**
 * scst_nexus_create_locked() - a session gets to see a LUN
 * @sess: session
 * @lun: LUN of its map
 * @ua: unit attention to begin with, or SCST_OK
 *
 * Context: process context, scst_mutex held.
 * Return: 0 or -ENOMEM.
 */
int scst_nexus_create_locked(struct scst_session *sess, const struct scst_lun *lun, scst_sense_t ua)
{
	struct scst_device *dev = lun->dev;
	struct scst_nexus *nexus;
	struct scst_pool *pool;
	int err;

	lockdep_assert_held(&scst_mutex);
	nexus = kzalloc(sizeof(*nexus), GFP_KERNEL);
	if (!nexus)
		return -ENOMEM;
	nexus->dev = dev;
	nexus->sess = sess;
	nexus->lun = lun->lun;
	nexus->lun_read_only = lun->read_only;
	nexus->max_cmds = dev->max_tgt_dev_commands ?: UINT_MAX;
	scst_taskset_init(&nexus->own_ts);
	nexus->ts = dev->mode.tst ? &nexus->own_ts : &dev->tasks;
	spin_lock_init(&nexus->ua_lock);
	init_completion(&nexus->drained);
	INIT_WORK(&nexus->flush_work, scst_sbc_flush_work);
	if (ua)
		scst_ua_queue(nexus, ua, true);

	err = percpu_ref_init(&nexus->ref, scst_nexus_drained, 0, GFP_KERNEL);
	if (err)
		goto err_free;
	pool = scst_nexus_pool_locked(dev);
	if (!pool) {
		err = -ENOMEM;
		goto err_ref;
	}
	RCU_INIT_POINTER(nexus->pool, pool);
	/* Others find the nexus through its device before it is stored, so that may not fail. */
	err = xa_reserve(&sess->nexuses, nexus->lun, GFP_KERNEL);
	if (err)
		goto err_pool;
	err = scst_sysfs_nexus_add(nexus);
	if (err)
		goto err_slot;

	percpu_ref_get(&sess->ref);
	percpu_ref_get(&dev->ref);
	spin_lock_irq(&dev->state_lock);
	list_add_tail(&nexus->dev_entry, &dev->nexuses);
	if (dev->reserved_by)
		set_bit(SCST_EXC_RESERVED, &nexus->except);
	spin_unlock_irq(&dev->state_lock);
	scst_nexus_untold(nexus);
	scst_device_update_except(dev);

	xa_store(&sess->nexuses, nexus->lun, nexus, GFP_KERNEL);
	return 0;

err_slot:
	xa_release(&sess->nexuses, nexus->lun);
err_pool:
	scst_pool_put(pool);
err_ref:
	percpu_ref_exit(&nexus->ref);
err_free:
	kfree(nexus);
	return err;
}

void scst_nexus_unlink_locked(struct scst_session *sess, unsigned int lun, struct list_head *reap)
{
	struct scst_nexus *nexus = xa_erase(&sess->nexuses, lun);

	lockdep_assert_held(&scst_mutex);
	if (!nexus)
		return;
	scst_sysfs_nexus_del(nexus);
	percpu_ref_kill(&nexus->ref);
	list_add_tail(&nexus->reap, reap);
}

/* Nobody finds the nexus any more; when its commands are over, nobody has it either. */
static void scst_nexus_drain(struct scst_nexus *nexus)
{
	struct scst_session *sess = nexus->sess;
	struct scst_device *dev = nexus->dev;

	while (!wait_for_completion_timeout(&nexus->drained, 60 * HZ)) {
		pr_warn("%s: still waiting for %u commands of %s, LUN %u\n", dev->name,
			READ_ONCE(nexus->nr_cmds), sess->initiator, nexus->lun);
		/* One that had found the nexus before it went may have joined after the abort. */
		scst_nexus_abort(nexus);
	}
	scst_taskset_clear_aca(nexus->ts, nexus);
	scst_reservation_release(dev, nexus);
	spin_lock_irq(&dev->state_lock);
	list_del(&nexus->dev_entry);
	spin_unlock_irq(&dev->state_lock);
	scst_nexus_free(nexus);
	percpu_ref_put(&dev->ref);
	percpu_ref_put(&sess->ref);
}

static void scst_nexus_reap_work(struct work_struct *work)
{
	scst_nexus_drain(container_of(work, struct scst_nexus, reap_work));
}

/**
 * scst_nexus_reap() - finish what scst_nexus_unlink_locked() began
 * @reap: list of nexuses; empty afterwards
 * @wait: return when all are gone
 *
 * Context: process context; without scst_mutex if @wait.
 */
void scst_nexus_reap(struct list_head *reap, bool wait)
{
	struct scst_nexus *nexus, *next;

	/* First abort all, then wait: so many take no longer than one. */
	list_for_each_entry(nexus, reap, reap)
		scst_nexus_abort(nexus);
	list_for_each_entry_safe(nexus, next, reap, reap) {
		list_del(&nexus->reap);
		if (wait) {
			scst_nexus_drain(nexus);
		} else {
			INIT_WORK(&nexus->reap_work, scst_nexus_reap_work);
			queue_work(scst_wq, &nexus->reap_work);
		}
	}
}

/* ---- statistics -------------------------------------------------------- */

static void scst_stats_sum(struct scst_session *sess, struct scst_stats *sum)
{
	unsigned int i;
	int cpu;

	memset(sum, 0, sizeof(*sum));
	for_each_possible_cpu(cpu) {
		const struct scst_stats *stats = per_cpu_ptr(sess->stats, cpu);

		for (i = 0; i < SCST_IO_NR; i++) {
			sum->cmds[i] += READ_ONCE(stats->cmds[i]);
			sum->bytes[i] += READ_ONCE(stats->bytes[i]);
			sum->unaligned[i] += READ_ONCE(stats->unaligned[i]);
		}
	}
}

/* Counters since the session began or since they were reset. Context: process context. */
void scst_session_stats(struct scst_session *sess, struct scst_stats *out)
{
	unsigned int i;

	scst_stats_sum(sess, out);
	for (i = 0; i < SCST_IO_NR; i++) {
		out->cmds[i] -= sess->base.cmds[i];
		out->bytes[i] -= sess->base.bytes[i];
		out->unaligned[i] -= sess->base.unaligned[i];
	}
}

void scst_session_reset_stats(struct scst_session *sess, unsigned int which)
{
	struct scst_stats sum;

	scst_stats_sum(sess, &sum);
	sess->base.cmds[which] = sum.cmds[which];
	sess->base.bytes[which] = sum.bytes[which];
	sess->base.unaligned[which] = sum.unaligned[which];
}

unsigned int scst_session_active_cmds(struct scst_session *sess)
{
	struct scst_nexus *nexus;
	unsigned int sum = 0;
	unsigned long lun;

	rcu_read_lock();
	xa_for_each(&sess->nexuses, lun, nexus)
		sum += READ_ONCE(nexus->nr_cmds);
	rcu_read_unlock();
	return sum;
}

unsigned int scst_session_luns(struct scst_session *sess, unsigned int *lun)
{
	struct scst_nexus *nexus;
	unsigned int count = 0;
	unsigned long index;

	rcu_read_lock();
	xa_for_each(&sess->nexuses, index, nexus)
		if (!count++)
			*lun = index;
	rcu_read_unlock();
	return count;
}
EXPORT_SYMBOL_GPL(scst_session_luns);

/* ---- sessions ---------------------------------------------------------- */

void *scst_session_priv(const struct scst_session *sess)
{
	return sess->priv;
}
EXPORT_SYMBOL_GPL(scst_session_priv);

struct scst_target *scst_session_target(const struct scst_session *sess)
{
	return sess->tgt;
}
EXPORT_SYMBOL_GPL(scst_session_target);

const char *scst_session_initiator(const struct scst_session *sess)
{
	return sess->initiator;
}
EXPORT_SYMBOL_GPL(scst_session_initiator);

static void scst_session_drained(struct percpu_ref *ref)
{
	complete(&container_of(ref, struct scst_session, ref)->drained);
}

void scst_session_free(struct scst_session *sess)
{
	percpu_ref_exit(&sess->ref);
	xa_destroy(&sess->nexuses);
	free_percpu(sess->stats);
	kfree(sess->transport_id);
	kfree(sess->initiator);
	kfree(sess->dir_name);
	kfree(sess);
}

static struct scst_session *scst_session_alloc(struct scst_target *tgt, const char *initiator,
					       const u8 *transport_id, unsigned int tid_len)
{
	struct scst_session *sess = kzalloc(sizeof(*sess), GFP_KERNEL);

	if (!sess)
		return NULL;
	xa_init(&sess->nexuses);
	INIT_LIST_HEAD(&sess->entry);
	init_completion(&sess->drained);
	sess->ops = tgt->ops;
	sess->tgt = tgt;
	sess->created = ktime_get_real_seconds();
	sess->next_absent_msg = jiffies;
	if (percpu_ref_init(&sess->ref, scst_session_drained, 0, GFP_KERNEL))
		goto err_free;
	sess->stats = alloc_percpu(struct scst_stats);
	sess->initiator = kstrdup(initiator, GFP_KERNEL);
	if (!sess->stats || !sess->initiator)
		goto err_free_all;
	if (tid_len) {
		sess->transport_id = kmemdup(transport_id, tid_len, GFP_KERNEL);
		if (!sess->transport_id)
			goto err_free_all;
		sess->transport_id_len = tid_len;
	}
	return sess;

err_free_all:
	free_percpu(sess->stats);
	kfree(sess->initiator);
	percpu_ref_exit(&sess->ref);
err_free:
	kfree(sess);
	return NULL;
}

static int scst_session_see_luns_locked(struct scst_session *sess, scst_sense_t ua)
{
	struct scst_lun *lun;
	unsigned long index;
	int err = 0;

	xa_for_each(&sess->map->luns, index, lun) {
		if (!lun->dead && !xa_load(&sess->nexuses, index))
			err = scst_nexus_create_locked(sess, lun, ua);
		if (err)
			break;
	}
	return err;
}

static void scst_session_unlink_luns_locked(struct scst_session *sess, struct list_head *reap)
{
	struct scst_nexus *nexus;
	unsigned long index;

	xa_for_each(&sess->nexuses, index, nexus)
		scst_nexus_unlink_locked(sess, index, reap);
}

static void scst_session_choose_map_locked(struct scst_session *sess)
{
	WRITE_ONCE(sess->group, scst_group_match_locked(sess->tgt, sess->initiator));
	sess->map = sess->group ? &sess->group->map : &sess->tgt->map;
}

void scst_session_complete_locked(struct scst_session *sess)
{
	int err = scst_session_see_luns_locked(sess, SCST_UA_RESET);

	if (scst_sysfs_session_relink(sess))
		err = -ENOMEM;
	if (err && !sess->incomplete)
		pr_err("%s/%s: no memory for all LUNs of session %s yet\n", sess->ops->name,
		       sess->tgt->name, sess->dir_name);
	sess->incomplete = err;
	if (err)
		scst_repair_later_locked();
}

/**
 * scst_session_reassign_locked() - access control may have changed its mind
 * @sess: session
 * @reap: gets the nexuses that go
 *
 * Context: process context, scst_mutex held.
 */
void scst_session_reassign_locked(struct scst_session *sess, struct list_head *reap)
{
	struct scst_lun_map *old = sess->map;

	lockdep_assert_held(&scst_mutex);
	scst_session_choose_map_locked(sess);
	if (sess->map == old)
		return;
	scst_session_unlink_luns_locked(sess, reap);
	scst_session_complete_locked(sess);
	scst_ua_luns_changed(sess);
}

struct scst_session *scst_session_create(struct scst_target *tgt, const char *initiator_name,
					 const u8 *transport_id, unsigned int transport_id_len,
					 void *priv)
{
	struct scst_session *sess;
	unsigned int first;
	int err;

	sess = scst_session_alloc(tgt, initiator_name, transport_id, transport_id_len);
	if (!sess)
		return ERR_PTR(-ENOMEM);
	sess->priv = priv;

	mutex_lock(&scst_mutex);
	err = -ENOENT;
	if (tgt->deleting)
		goto err_unlock;
	scst_session_choose_map_locked(sess);
	err = scst_sysfs_session_add(sess);
	if (err)
		goto err_del;
	list_add_tail(&sess->entry, &tgt->sessions);
	err = scst_session_see_luns_locked(sess, SCST_UA_RESET);
	if (err)
		goto err_unlist;
	sess->ready = true;
	pr_info_ratelimited("%s/%s: session %s, initiator %s, %s%s, %u LUNs\n", tgt->ops->name,
			    tgt->name, sess->dir_name, initiator_name,
			    sess->group ? "group " : "no group",
			    sess->group ? sess->group->name : "",
			    scst_session_luns(sess, &first));
	mutex_unlock(&scst_mutex);
	return sess;

err_unlist:
	mutex_unlock(&scst_mutex);
	scst_session_destroy(sess);
	return ERR_PTR(err);
err_del:
	mutex_unlock(&scst_mutex);
	scst_sysfs_session_del(sess);
	return ERR_PTR(err);
err_unlock:
	mutex_unlock(&scst_mutex);
	scst_session_free(sess);
	return ERR_PTR(err);
}
EXPORT_SYMBOL_GPL(scst_session_create);

void scst_session_destroy(struct scst_session *sess)
{
	LIST_HEAD(reap);

	mutex_lock(&scst_mutex);
	/* Nobody gives a LUN, and so a reference, to a session whose count may have reached 0. */
	sess->ready = false;
	/* No new command gets in; those of a LUN that does not exist hold this reference only. */
	percpu_ref_kill(&sess->ref);
	scst_session_unlink_luns_locked(sess, &reap);
	mutex_unlock(&scst_mutex);

	scst_nexus_reap(&reap, true);
	while (!wait_for_completion_timeout(&sess->drained, 60 * HZ))
		pr_warn("session %s: still waiting for its commands\n", sess->dir_name);

	/* The name is free when the directory is gone. */
	kobject_get(&sess->kobj);
	scst_sysfs_session_del(sess);
	mutex_lock(&scst_mutex);
	list_del(&sess->entry);
	mutex_unlock(&scst_mutex);
	kobject_put(&sess->kobj);
}
EXPORT_SYMBOL_GPL(scst_session_destroy);
