// SPDX-License-Identifier: GPL-2.0
/*
 * Unit attention conditions (SAM-5 5.14): a short queue per I_T_L nexus. The
 * same condition is not queued twice, so the queue holds as many entries as
 * there are kinds, and nothing is allocated.
 */
#include "internal.h"

static void scst_ua_queue_locked(struct scst_nexus *nexus, scst_sense_t ua, bool head)
{
	unsigned int i;

	lockdep_assert_held(&nexus->ua_lock);
	for (i = 0; i < nexus->nr_uas; i++)
		if (nexus->uas[i] == ua)
			return;
	if (WARN_ON_ONCE(nexus->nr_uas == SCST_UA_DEPTH))
		return;
	if (head)
		memmove(nexus->uas + 1, nexus->uas, nexus->nr_uas * sizeof(nexus->uas[0]));
	nexus->uas[head ? 0 : nexus->nr_uas] = ua;
	nexus->nr_uas++;
	set_bit(SCST_EXC_UA, &nexus->except);
}

/**
 * scst_ua_queue() - establish a unit attention condition for one nexus
 * @nexus: I_T_L nexus
 * @ua: SCST_UA_*
 * @head: report it before those that are pending
 *
 * Context: any.
 */
void scst_ua_queue(struct scst_nexus *nexus, scst_sense_t ua, bool head)
{
	unsigned long flags;

	spin_lock_irqsave(&nexus->ua_lock, flags);
	scst_ua_queue_locked(nexus, ua, head);
	spin_unlock_irqrestore(&nexus->ua_lock, flags);
}

/*
 * Let the transport tell its initiator that something of its LUNs changed, if
 * it can. Context: any.
 */
static bool scst_ua_event(struct scst_session *sess)
{
	if (!sess->ops->luns_changed || READ_ONCE(sess->tgt->aen_disabled))
		return false;
	if (READ_ONCE(sess->ready))
		sess->ops->luns_changed(sess);
	return true;
}

/* What goes as an asynchronous event where there is one. */
static bool scst_ua_is_event(scst_sense_t ua)
{
	return ua == SCST_UA_CAPACITY_CHANGED || ua == SCST_UA_INQUIRY_CHANGED;
}

/* For every nexus of a device but @except. Context: any; takes state_lock. */
void scst_ua_device(struct scst_device *dev, scst_sense_t ua, const struct scst_nexus *except)
{
	struct scst_nexus *nexus;
	unsigned long flags;

	spin_lock_irqsave(&dev->state_lock, flags);
	list_for_each_entry(nexus, &dev->nexuses, dev_entry)
		if (nexus != except && !(scst_ua_is_event(ua) && scst_ua_event(nexus->sess)))
			scst_ua_queue(nexus, ua, false);
	spin_unlock_irqrestore(&dev->state_lock, flags);
}

/* For every LUN of a session. Context: any. */
void scst_ua_session(struct scst_session *sess, scst_sense_t ua)
{
	struct scst_nexus *nexus;
	unsigned long lun;

	rcu_read_lock();
	xa_for_each(&sess->nexuses, lun, nexus)
		scst_ua_queue(nexus, ua, false);
	rcu_read_unlock();
}

static void scst_ua_drop(struct scst_nexus *nexus, scst_sense_t ua)
{
	unsigned long flags;
	unsigned int i;

	spin_lock_irqsave(&nexus->ua_lock, flags);
	for (i = 0; i < nexus->nr_uas; i++) {
		if (nexus->uas[i] != ua)
			continue;
		nexus->nr_uas--;
		memmove(nexus->uas + i, nexus->uas + i + 1,
			(nexus->nr_uas - i) * sizeof(nexus->uas[0]));
		break;
	}
	if (!nexus->nr_uas)
		clear_bit(SCST_EXC_UA, &nexus->except);
	spin_unlock_irqrestore(&nexus->ua_lock, flags);
}

/* Drop 3F/0E on all LUNs of a session: the initiator knows. Context: any. */
void scst_ua_luns_reported(struct scst_session *sess)
{
	struct scst_nexus *nexus;
	unsigned long lun;

	rcu_read_lock();
	xa_for_each(&sess->nexuses, lun, nexus)
		scst_ua_drop(nexus, SCST_UA_LUNS_CHANGED);
	rcu_read_unlock();
}

/**
 * scst_ua_take() - the unit attention that a command is to report
 * @nexus: I_T_L nexus
 *
 * It is no longer pending afterwards.
 *
 * Context: any.
 * Return: SCST_OK if none is pending.
 */
scst_sense_t scst_ua_take(struct scst_nexus *nexus)
{
	scst_sense_t ua = SCST_OK;
	unsigned long flags;

	spin_lock_irqsave(&nexus->ua_lock, flags);
	if (nexus->nr_uas) {
		ua = nexus->uas[0];
		nexus->nr_uas--;
		memmove(nexus->uas, nexus->uas + 1, nexus->nr_uas * sizeof(nexus->uas[0]));
		if (!nexus->nr_uas)
			clear_bit(SCST_EXC_UA, &nexus->except);
	}
	spin_unlock_irqrestore(&nexus->ua_lock, flags);
	if (ua == SCST_UA_LUNS_CHANGED)
		scst_ua_luns_reported(nexus->sess);
	return ua;
}

/**
 * scst_ua_lun_replaced() - tell an initiator that a LUN is another device now
 * @sess: I_T nexus; the new I_T_L nexus has 3F/03 pending already
 *
 * Context: process context, scst_mutex held.
 */
void scst_ua_lun_replaced(struct scst_session *sess)
{
	lockdep_assert_held(&scst_mutex);
	scst_ua_event(sess);
}

/**
 * scst_ua_luns_changed() - tell an initiator that its LUNs changed
 * @sess: I_T nexus
 *
 * By an asynchronous event where the transport has one, else by 3F/0E.
 *
 * Context: process context, scst_mutex held.
 */
void scst_ua_luns_changed(struct scst_session *sess)
{
	lockdep_assert_held(&scst_mutex);
	if (sess->ready && !scst_ua_event(sess))
		scst_ua_session(sess, SCST_UA_LUNS_CHANGED);
}
