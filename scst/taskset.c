// SPDX-License-Identifier: GPL-2.0
/*
 * Task sets: in which order commands may start (SAM-5 8.6 to 8.9), which there
 * are at all (for task management), and how many (queue depth).
 *
 * One list in order of arrival, HEAD OF QUEUE tasks at the front, answers all
 * three. A SIMPLE task is enabled on arrival unless an ORDERED or HEAD OF QUEUE
 * task is on the list. An ORDERED task is enabled when it is the first; a HEAD
 * OF QUEUE task always is. Dormant tasks are looked at again when another leaves.
 *
 * During auto contingent allegiance (ACA, SAM-5 5.9) only one task with the ACA
 * attribute, from the nexus that faulted, joins; what has not started waits.
 */
#include "internal.h"

enum scst_order {
	SCST_ORDER_SIMPLE,
	SCST_ORDER_IMPLICIT_HQ,	/* overtakes, but holds nobody up */
	SCST_ORDER_ORDERED,
	SCST_ORDER_HQ,
	SCST_ORDER_ACA,
	SCST_ORDER_UNKNOWN,		/* refused */
};

void scst_taskset_init(struct scst_taskset *ts)
{
	spin_lock_init(&ts->lock);
	INIT_LIST_HEAD(&ts->tasks);
	init_waitqueue_head(&ts->left);
}

static enum scst_order scst_task_order(const struct scst_cmd *cmd)
{
	const struct scst_cdb_desc *desc = cmd->cdb_info.desc;

	switch (cmd->task_attr) {
	case SCST_TASK_ACA:
		return SCST_ORDER_ACA;
	case SCST_TASK_HEAD_OF_QUEUE:
		return SCST_ORDER_HQ;
	case SCST_TASK_ORDERED:
		return SCST_ORDER_ORDERED;
	case SCST_TASK_SIMPLE:
		if (desc && desc->flags & SCST_CDB_IMPLICIT_HQ)
			return SCST_ORDER_IMPLICIT_HQ;
		/* Restricted reordering (QAM 0): as if each were ORDERED. */
		return unlikely(!READ_ONCE(cmd->nexus->dev->mode.qam)) ? SCST_ORDER_ORDERED :
									 SCST_ORDER_SIMPLE;
	default:
		return SCST_ORDER_UNKNOWN;
	}
}

/* May @cmd, which is on the list, start? */
static bool scst_task_enabled_locked(const struct scst_taskset *ts, const struct scst_cmd *cmd)
{
	const struct scst_cmd *other;

	lockdep_assert_held(&ts->lock);
	if (unlikely(ts->aca))
		return cmd->order == SCST_ORDER_ACA;
	switch (cmd->order) {
	case SCST_ORDER_ACA:
	case SCST_ORDER_HQ:
	case SCST_ORDER_IMPLICIT_HQ:
		return true;
	case SCST_ORDER_ORDERED:
		return list_first_entry(&ts->tasks, struct scst_cmd, task) == cmd;
	default:
		if (likely(!ts->nr_ordering))
			return true;
		list_for_each_entry(other, &ts->tasks, task) {
			if (other == cmd)
				break;
			if (other->order >= SCST_ORDER_ORDERED)
				return false;
		}
		return true;
	}
}

/* May @cmd join during ACA, or with an unusual attribute? */
static scst_sense_t scst_aca_admit_locked(const struct scst_taskset *ts, const struct scst_cmd *cmd)
{
	bool aca_task = cmd->order == SCST_ORDER_ACA;

	lockdep_assert_held(&ts->lock);
	if (cmd->order == SCST_ORDER_UNKNOWN)
		return SCST_INVALID_MESSAGE;
	if (!ts->aca)
		return aca_task ? SCST_INVALID_MESSAGE : SCST_OK;
	if (ts->aca != cmd->nexus)
		return scst_cmd_naca(cmd) ? SCST_ACA_ACTIVE : SCST_BUSY;
	if (aca_task && !ts->aca_task && !READ_ONCE(cmd->nexus->dev->mode.tmf_only))
		return SCST_OK;
	return SCST_ACA_ACTIVE;
}

/**
 * scst_taskset_enter() - a command joins its task set
 * @cmd: command with its nexus; cdb_info.desc is set if the CDB is known
 *
 * Sets SCST_CMDF_ENABLED if the command may start as soon as its data is there.
 *
 * Context: any. Takes ts->lock.
 * Return: SCST_OK, or why the command has not joined: BUSY, TASK SET FULL, ACA ACTIVE, or
 * INVALID MESSAGE ERROR for the ACA attribute without ACA, or one that SAM-5 does not know.
 */
scst_sense_t scst_taskset_enter(struct scst_cmd *cmd)
{
	struct scst_nexus *nexus = cmd->nexus;
	struct scst_taskset *ts = nexus->ts;
	scst_sense_t sense;
	unsigned long flags;

	cmd->order = scst_task_order(cmd);
	spin_lock_irqsave(&ts->lock, flags);
	if (unlikely(ts->aca || cmd->order >= SCST_ORDER_ACA)) {
		sense = scst_aca_admit_locked(ts, cmd);
		if (sense) {
			spin_unlock_irqrestore(&ts->lock, flags);
			return sense;
		}
	}
	if (unlikely(nexus->nr_cmds >= nexus->max_cmds)) {
		bool alone = nexus->nr_cmds <= 1;

		spin_unlock_irqrestore(&ts->lock, flags);
		return alone ? SCST_BUSY : SCST_TASK_SET_FULL;
	}
	nexus->nr_cmds++;
	if (cmd->order >= SCST_ORDER_HQ || cmd->order == SCST_ORDER_IMPLICIT_HQ)
		list_add(&cmd->task, &ts->tasks);
	else
		list_add_tail(&cmd->task, &ts->tasks);
	if (unlikely(cmd->order >= SCST_ORDER_ORDERED))
		ts->nr_ordering++;
	if (unlikely(cmd->order == SCST_ORDER_ACA))
		ts->aca_task = true;
	if (likely(scst_task_enabled_locked(ts, cmd)))
		__set_bit(SCST_CMDF_ENABLED, &cmd->flags);
	spin_unlock_irqrestore(&ts->lock, flags);
	return SCST_OK;
}

/**
 * scst_taskset_pass() - ask again for a command whose turn had not come on arrival
 * @cmd: command in state QUEUED
 *
 * Context: any. Takes ts->lock.
 * Return: true if it may start; else it is dormant and will be queued to its pool.
 */
bool scst_taskset_pass(struct scst_cmd *cmd)
{
	struct scst_taskset *ts = cmd->nexus->ts;
	unsigned long flags;
	bool pass;

	spin_lock_irqsave(&ts->lock, flags);
	pass = scst_cmd_aborted(cmd) || scst_task_enabled_locked(ts, cmd);
	set_bit(pass ? SCST_CMDF_ENABLED : SCST_CMDF_DORMANT, &cmd->flags);
	if (!pass)
		ts->nr_dormant++;
	spin_unlock_irqrestore(&ts->lock, flags);
	return pass;
}

/*
 * A dormant task becomes enabled. The handler threads run it: the context here
 * is that of another command's end, and the chain may be long.
 */
static void scst_task_wake_locked(struct scst_taskset *ts, struct scst_cmd *cmd)
{
	lockdep_assert_held(&ts->lock);
	clear_bit(SCST_CMDF_DORMANT, &cmd->flags);
	set_bit(SCST_CMDF_ENABLED, &cmd->flags);
	ts->nr_dormant--;
	scst_cmd_requeue(cmd);
}

static void scst_taskset_wake_locked(struct scst_taskset *ts)
{
	struct scst_cmd *cmd, *next;

	list_for_each_entry_safe(cmd, next, &ts->tasks, task)
		if (test_bit(SCST_CMDF_DORMANT, &cmd->flags) && scst_task_enabled_locked(ts, cmd))
			scst_task_wake_locked(ts, cmd);
}

/**
 * scst_taskset_leave() - a command leaves its task set
 * @cmd: command that is over; no effect if it has not joined
 *
 * Context: any. Takes ts->lock.
 */
void scst_taskset_leave(struct scst_cmd *cmd)
{
	struct scst_nexus *nexus = cmd->nexus;
	struct scst_taskset *ts = nexus->ts;
	unsigned long flags;

	if (unlikely(list_empty(&cmd->task)))
		return;
	spin_lock_irqsave(&ts->lock, flags);
	list_del(&cmd->task);
	nexus->nr_cmds--;
	if (unlikely(cmd->order >= SCST_ORDER_ORDERED))
		ts->nr_ordering--;
	if (unlikely(cmd->order == SCST_ORDER_ACA))
		ts->aca_task = false;
	if (unlikely(ts->nr_dormant))
		scst_taskset_wake_locked(ts);
	if (unlikely(ts->nr_waiters))
		wake_up_all(&ts->left);
	spin_unlock_irqrestore(&ts->lock, flags);
}

static bool scst_scope_matches(const struct scst_scope *scope, const struct scst_cmd *cmd)
{
	return (!scope->sess || cmd->sess == scope->sess) &&
	       (!scope->nexus || cmd->nexus == scope->nexus) &&
	       (!scope->one || cmd->tag == scope->tag) && cmd != scope->spare;
}

unsigned int scst_taskset_abort(struct scst_taskset *ts, const struct scst_scope *scope,
				const struct scst_session *by, bool tas)
{
	struct scst_cmd *cmd, *next;
	unsigned int matched = 0;
	unsigned long flags;

	spin_lock_irqsave(&ts->lock, flags);
	list_for_each_entry_safe(cmd, next, &ts->tasks, task) {
		if (!scst_scope_matches(scope, cmd))
			continue;
		matched++;
		/* The first abort decides whether a status is due. */
		if (scst_cmd_aborted(cmd))
			continue;
		if (tas && cmd->sess != by)
			set_bit(SCST_CMDF_TASK_ABORTED, &cmd->flags);
		set_bit(SCST_CMDF_ABORTED, &cmd->flags);
		if (test_bit(SCST_CMDF_DORMANT, &cmd->flags))
			scst_task_wake_locked(ts, cmd);
	}
	spin_unlock_irqrestore(&ts->lock, flags);
	return matched;
}

static bool scst_taskset_any(struct scst_taskset *ts, const struct scst_scope *scope, bool aborted)
{
	struct scst_cmd *cmd;
	unsigned long flags;
	bool found = false;

	spin_lock_irqsave(&ts->lock, flags);
	list_for_each_entry(cmd, &ts->tasks, task) {
		if (scst_scope_matches(scope, cmd) && (!aborted || scst_cmd_aborted(cmd))) {
			found = true;
			break;
		}
	}
	spin_unlock_irqrestore(&ts->lock, flags);
	return found;
}

bool scst_taskset_find(struct scst_taskset *ts, const struct scst_scope *scope)
{
	return scst_taskset_any(ts, scope, false);
}

bool scst_taskset_aborting(struct scst_taskset *ts, const struct scst_scope *scope)
{
	return scst_taskset_any(ts, scope, true);
}

/**
 * scst_taskset_wait() - wait until no aborted task of a scope is left
 * @ts: task set
 * @scope: which tasks
 *
 * Follow with synchronize_rcu() where the release callbacks must have returned too.
 *
 * Context: process context, sleeps for as long as a backend needs.
 */
void scst_taskset_wait(struct scst_taskset *ts, const struct scst_scope *scope)
{
	spin_lock_irq(&ts->lock);
	ts->nr_waiters++;
	spin_unlock_irq(&ts->lock);

	/* Idle: that a backend hangs is not a fault of this thread (hung task detector). */
	wait_event_idle(ts->left, !scst_taskset_aborting(ts, scope));

	spin_lock_irq(&ts->lock);
	ts->nr_waiters--;
	spin_unlock_irq(&ts->lock);
}

/* ---- auto contingent allegiance, QErr ---------------------------------- */

bool scst_taskset_clear_aca(struct scst_taskset *ts, const struct scst_nexus *nexus)
{
	unsigned long flags;
	bool clear;

	spin_lock_irqsave(&ts->lock, flags);
	clear = !nexus || !ts->aca || ts->aca == nexus;
	if (clear && ts->aca) {
		ts->aca = NULL;
		scst_taskset_wake_locked(ts);
	}
	spin_unlock_irqrestore(&ts->lock, flags);
	return clear;
}

/*
 * What has not been started waits until the condition is cleared. There is one
 * for a task set: a second nexus whose command was running already and fails as
 * well (TST 0) must not take it over, or the first one could never clear its own.
 */
static void scst_taskset_establish_aca(struct scst_cmd *faulted)
{
	struct scst_taskset *ts = faulted->nexus->ts;
	struct scst_cmd *cmd;
	unsigned long flags;

	spin_lock_irqsave(&ts->lock, flags);
	if (!ts->aca)
		ts->aca = faulted->nexus;
	list_for_each_entry(cmd, &ts->tasks, task)
		if (cmd != faulted && READ_ONCE(cmd->state) <= SCST_CMD_WAIT_DATA)
			clear_bit(SCST_CMDF_ENABLED, &cmd->flags);
	spin_unlock_irqrestore(&ts->lock, flags);
}

/**
 * scst_taskset_fault() - a command of the task set ended with CHECK CONDITION
 * @cmd: that command, still on the list
 *
 * NACA in its CDB establishes ACA (SAM-5 5.9.2); without it, a task with the ACA attribute
 * ends the condition. QErr 1 aborts the other tasks of the set, QErr 3 those of the nexus
 * (SPC-4 7.5.7).
 *
 * Context: any.
 */
void scst_taskset_fault(struct scst_cmd *cmd)
{
	struct scst_nexus *nexus = cmd->nexus;
	struct scst_scope scope = { .spare = cmd };

	if (list_empty(&cmd->task))
		return;
	if (scst_cmd_naca(cmd))
		scst_taskset_establish_aca(cmd);
	else if (cmd->order == SCST_ORDER_ACA)
		scst_taskset_clear_aca(nexus->ts, nexus);

	switch (READ_ONCE(nexus->dev->mode.qerr)) {
	case 1:
		if (nexus->ts == &nexus->dev->tasks) {
			scst_device_abort(nexus->dev, &scope, nexus->sess, true);
			break;
		}
		fallthrough;
	case 3:
		scope.nexus = nexus;
		scst_taskset_abort(nexus->ts, &scope, nexus->sess, false);
		break;
	}
}
