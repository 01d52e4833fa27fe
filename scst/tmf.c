// SPDX-License-Identifier: GPL-2.0
/*
 * Task management functions (SAM-5 7). Each runs in a work of its own: it marks
 * the tasks that it affects as aborted, waits until they have left their task
 * sets, then for a grace period, because a command is released inside the
 * read-side section in which it leaves. After that no callback of an affected
 * command runs any more, and the function is answered.
 *
 * A function waits for its tasks without a bound, since a task that a hung
 * backing device holds cannot be taken back. Only the functions for that device
 * wait with it: scst_wq is unbound and nothing else is held.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "internal.h"
#include "trace.h"

/* A nexus of the device that still has aborted tasks, with a reference. */
static struct scst_nexus *scst_device_aborting(struct scst_device *dev,
					       const struct scst_scope *scope)
{
	struct scst_nexus *nexus, *found = NULL;

	spin_lock_irq(&dev->state_lock);
	list_for_each_entry(nexus, &dev->nexuses, dev_entry) {
		/* One that is on its way out waits for its tasks itself. */
		if (scst_taskset_aborting(nexus->ts, scope) && percpu_ref_tryget(&nexus->ref)) {
			found = nexus;
			break;
		}
	}
	spin_unlock_irq(&dev->state_lock);
	return found;
}

void scst_device_abort(struct scst_device *dev, const struct scst_scope *scope,
		       const struct scst_session *by, bool tell)
{
	bool tas = READ_ONCE(dev->mode.tas);
	struct scst_scope part = *scope;
	struct scst_nexus *nexus;
	unsigned long flags;

	spin_lock_irqsave(&dev->state_lock, flags);
	list_for_each_entry(nexus, &dev->nexuses, dev_entry) {
		bool other = by && nexus->sess != by;

		/* The task set may be shared, but only those who lose tasks are told. */
		part.nexus = nexus;
		if (scst_taskset_abort(nexus->ts, &part, by, tas) && other && !tas && tell)
			scst_ua_queue(nexus, SCST_UA_CLEARED_BY_OTHER, false);
	}
	spin_unlock_irqrestore(&dev->state_lock, flags);
}

static void scst_device_abort_wait(struct scst_device *dev, const struct scst_scope *scope)
{
	struct scst_nexus *nexus;

	while ((nexus = scst_device_aborting(dev, scope))) {
		scst_taskset_wait(nexus->ts, scope);
		scst_nexus_put(nexus);
	}
}

static void scst_device_reset_state(struct scst_device *dev)
{
	struct scst_nexus *nexus, *holder;

	spin_lock_irq(&dev->state_lock);
	list_for_each_entry(nexus, &dev->nexuses, dev_entry) {
		scst_taskset_clear_aca(nexus->ts, NULL);
		nexus->prevent_removal = false;
	}
	holder = dev->reserved_by;
	scst_device_set_mode_locked(dev, &dev->mode_saved);
	spin_unlock_irq(&dev->state_lock);
	if (holder)
		scst_reservation_release(dev, holder);
	scst_device_update_except(dev);
}

/**
 * scst_lun_reset() - reset a logical unit (SAM-5 6.3.3)
 * @dev: device
 * @by: session that asked, or NULL
 *
 * Every session gets POWER ON, RESET, OR BUS DEVICE RESET OCCURRED. Persistent
 * reservations stay.
 *
 * Context: process context; sleeps until the tasks are gone.
 */
void scst_lun_reset(struct scst_device *dev, struct scst_session *by)
{
	const struct scst_scope all = {};

	scst_device_abort(dev, &all, by, false);
	scst_device_reset_state(dev);
	scst_device_abort_wait(dev, &all);
	scst_ua_device(dev, SCST_UA_RESET, NULL);
}

static enum scst_tmf_result scst_tmf_abort_task(struct scst_tmf *tmf, int lun)
{
	const struct scst_scope scope = { .sess = tmf->sess, .one = true, .tag = tmf->tag };
	enum scst_tmf_result result = SCST_TMF_NO_TASK;
	struct scst_nexus *nexus, *found = NULL;
	unsigned long index;

	rcu_read_lock();
	xa_for_each(&tmf->sess->nexuses, index, nexus) {
		if (!percpu_ref_tryget_live(&nexus->ref))
			continue;
		if (index != lun ? scst_taskset_find(nexus->ts, &scope) :
				   scst_taskset_abort(nexus->ts, &scope, tmf->sess, false)) {
			found = nexus;
			break;
		}
		scst_nexus_put(nexus);
	}
	rcu_read_unlock();
	if (!found)
		return result;

	if (found->lun != lun) {
		result = SCST_TMF_REJECTED;
	} else {
		scst_taskset_wait(found->ts, &scope);
		result = SCST_TMF_COMPLETE;
	}
	scst_nexus_put(found);
	return result;
}

static enum scst_tmf_result scst_tmf_target_reset(struct scst_session *sess)
{
	struct scst_nexus *nexus;
	unsigned long index = 0;

	/* Each reset sleeps, so the lookup starts again behind the last LUN. */
	for (;;) {
		rcu_read_lock();
		for (nexus = xa_find(&sess->nexuses, &index, ULONG_MAX, XA_PRESENT);
		     nexus && !percpu_ref_tryget_live(&nexus->ref);
		     nexus = xa_find_after(&sess->nexuses, &index, ULONG_MAX, XA_PRESENT))
			;
		rcu_read_unlock();
		if (!nexus)
			return SCST_TMF_COMPLETE;
		scst_lun_reset(nexus->dev, sess);
		scst_nexus_put(nexus);
		index++;
	}
}

static enum scst_tmf_result scst_tmf_nexus(struct scst_tmf *tmf, struct scst_nexus *nexus)
{
	const struct scst_scope own = { .nexus = nexus }, all = {};
	struct scst_device *dev = nexus->dev;

	switch (tmf->fn) {
	case SCST_TMF_CLEAR_TASK_SET:
		/* With separate task sets this is ABORT TASK SET (SAM-5 7.5). */
		if (nexus->ts == &dev->tasks) {
			scst_device_abort(dev, &all, tmf->sess, true);
			scst_device_abort_wait(dev, &all);
			return SCST_TMF_COMPLETE;
		}
		fallthrough;
	case SCST_TMF_ABORT_TASK_SET:
		scst_taskset_abort(nexus->ts, &own, tmf->sess, false);
		scst_taskset_wait(nexus->ts, &own);
		return SCST_TMF_COMPLETE;
	case SCST_TMF_LUN_RESET:
		scst_lun_reset(dev, tmf->sess);
		return SCST_TMF_COMPLETE;
	case SCST_TMF_CLEAR_ACA:
		return scst_taskset_clear_aca(nexus->ts, nexus) ? SCST_TMF_COMPLETE :
								  SCST_TMF_REJECTED;
	default:
		return SCST_TMF_REJECTED;
	}
}

static enum scst_tmf_result scst_tmf_run(struct scst_tmf *tmf)
{
	int lun = scst_lun_unpack(tmf->lun, sizeof(tmf->lun));
	enum scst_tmf_result result;
	struct scst_nexus *nexus;

	switch (tmf->fn) {
	case SCST_TMF_ABORT_TASK:
		return scst_tmf_abort_task(tmf, lun);
	case SCST_TMF_TARGET_RESET:
		return scst_tmf_target_reset(tmf->sess);
	default:
		nexus = lun < 0 ? NULL : scst_nexus_get(tmf->sess, lun);
		if (!nexus)
			return SCST_TMF_NO_LUN;
		result = scst_tmf_nexus(tmf, nexus);
		scst_nexus_put(nexus);
		return result;
	}
}

static void scst_tmf_work(struct work_struct *work)
{
	struct scst_tmf *tmf = container_of(work, struct scst_tmf, work);
	struct scst_session *sess = tmf->sess;

	tmf->result = scst_tmf_run(tmf);
	synchronize_rcu();
	trace_scst_tmf_done(tmf);
	sess->ops->tmf_done(tmf);
	percpu_ref_put(&sess->ref);
}

bool scst_tmf_submit(struct scst_tmf *tmf)
{
	if (!percpu_ref_tryget_live(&tmf->sess->ref))
		return false;
	INIT_WORK(&tmf->work, scst_tmf_work);
	queue_work(scst_wq, &tmf->work);
	return true;
}
EXPORT_SYMBOL_GPL(scst_tmf_submit);

/* A nexus goes: none of its commands gets a response. Context: any. */
void scst_nexus_abort(struct scst_nexus *nexus)
{
	const struct scst_scope own = { .nexus = nexus };

	scst_taskset_abort(nexus->ts, &own, NULL, false);
}
