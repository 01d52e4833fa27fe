// SPDX-License-Identifier: GPL-2.0
/*
 * The gate that a command passes when it starts.
 *
 * COMPARE AND WRITE is atomic against commands that touch the same blocks
 * (SBC-3 5.2), whichever nexus they come from, and against those that do not say
 * in their CDB what they touch: UNMAP, RESERVE. A backing store may be closed
 * only when no command uses it. In both cases one side sets a bit of dev->gate
 * and then looks for commands in EXEC, and the other goes to EXEC and then
 * looks at dev->gate, with a full barrier between on both sides: at least one
 * of the two sees the other.
 *
 * A command that finds itself overlapping with the atomic one goes back to
 * QUEUED and waits on a list, so that no thread is held while the atomic
 * command may need one.
 */
#include <linux/sched/signal.h>

#include "internal.h"

/* Does a command touch blocks that @atomic names? */
static bool scst_overlaps(const struct scst_cmd *cmd, const struct scst_cmd *atomic)
{
	u64 start = cmd->cdb_info.lba, atomic_start = atomic->cdb_info.lba;

	if (cmd->cdb_info.desc->flags & SCST_CDB_ANY_RANGE)
		return true;
	return start < atomic_start + atomic->cdb_info.nblocks &&
	       atomic_start < start + cmd->cdb_info.nblocks;
}

static bool scst_gate_overlaps_locked(const struct scst_device *dev, const struct scst_cmd *cmd)
{
	lockdep_assert_held(&dev->atomic_lock);
	return dev->atomic && dev->atomic != cmd && scst_overlaps(cmd, dev->atomic);
}

/**
 * scst_gate_overlaps() - does the running atomic command exclude this one
 * @cmd: command in state EXEC, so that an atomic one that comes later sees it
 *
 * Context: any.
 */
bool scst_gate_overlaps(struct scst_cmd *cmd)
{
	struct scst_device *dev = cmd->nexus->dev;
	unsigned long flags;
	bool overlaps;

	spin_lock_irqsave(&dev->atomic_lock, flags);
	overlaps = scst_gate_overlaps_locked(dev, cmd);
	spin_unlock_irqrestore(&dev->atomic_lock, flags);
	return overlaps;
}

/**
 * scst_gate_hold() - keep a command back if the running atomic one overlaps
 * @cmd: command in state QUEUED
 *
 * Context: any.
 * Return: true if it has to wait: it is queued to its pool later.
 */
bool scst_gate_hold(struct scst_cmd *cmd)
{
	struct scst_device *dev = cmd->nexus->dev;
	unsigned long flags;
	bool hold;

	spin_lock_irqsave(&dev->atomic_lock, flags);
	hold = scst_gate_overlaps_locked(dev, cmd);
	if (hold)
		list_add_tail(&cmd->wait, &dev->atomic_waiters);
	spin_unlock_irqrestore(&dev->atomic_lock, flags);
	return hold;
}

/* Does @cmd keep the gate from having its effect? */
static bool scst_gate_in_way(const struct scst_cmd *cmd, const struct scst_cmd *atomic)
{
	/* Pairs with smp_store_release() in scst_cmd_set_state(). */
	if (smp_load_acquire(&cmd->state) != SCST_CMD_EXEC || cmd == atomic)
		return false;
	/* MODE SELECT, for one, waits for the lock that the one who closes holds. */
	if (!atomic)
		return cmd->cdb_info.desc->flags & (SCST_CDB_MEDIUM_IO | SCST_CDB_SLEEPS) &&
		       !scst_served_inactive(cmd->cdb_info.desc);
	return cmd->cdb_info.desc->flags & (SCST_CDB_MEDIUM_IO | SCST_CDB_ANY_RANGE) &&
	       !(cmd->cdb_info.desc->flags & SCST_CDB_ATOMIC) && scst_overlaps(cmd, atomic);
}

/**
 * scst_gate_busy() - is a command in EXEC that the gate keeps out from now on
 * @dev: device, with a bit of its gate set
 * @atomic: command that excludes overlapping ones, or NULL for all that use the backing store
 *
 * Context: any.
 */
bool scst_gate_busy(struct scst_device *dev, const struct scst_cmd *atomic)
{
	struct scst_nexus *nexus;
	struct scst_cmd *cmd;
	unsigned long flags;
	bool busy = false;

	spin_lock_irqsave(&dev->state_lock, flags);
	list_for_each_entry(nexus, &dev->nexuses, dev_entry) {
		spin_lock(&nexus->ts->lock);
		list_for_each_entry(cmd, &nexus->ts->tasks, task)
			busy |= scst_gate_in_way(cmd, atomic);
		spin_unlock(&nexus->ts->lock);
	}
	spin_unlock_irqrestore(&dev->state_lock, flags);
	return busy;
}

/**
 * scst_atomic_begin() - exclude overlapping commands
 * @cmd: atomic command, in a handler thread
 *
 * Context: process context; sleeps until those that were faster are over.
 */
void scst_atomic_begin(struct scst_cmd *cmd)
{
	struct scst_device *dev = cmd->nexus->dev;

	mutex_lock(&dev->atomic_mutex);
	spin_lock_irq(&dev->atomic_lock);
	dev->atomic = cmd;
	set_bit(SCST_GATE_ATOMIC, &dev->gate);
	spin_unlock_irq(&dev->atomic_lock);
	/* Pairs with smp_mb() in scst_cmd_start(): the gate is shut before states are read. */
	smp_mb__after_atomic();
	/* Commands that end do not tell; they are short, so looking again soon is enough. */
	while (scst_gate_busy(dev, cmd))
		schedule_timeout_uninterruptible(1);
}

/* Counterpart of scst_atomic_begin(). */
void scst_atomic_end(struct scst_cmd *cmd)
{
	struct scst_device *dev = cmd->nexus->dev;
	struct scst_cmd *waiter, *next;
	LIST_HEAD(waiters);

	spin_lock_irq(&dev->atomic_lock);
	dev->atomic = NULL;
	clear_bit(SCST_GATE_ATOMIC, &dev->gate);
	list_splice_init(&dev->atomic_waiters, &waiters);
	spin_unlock_irq(&dev->atomic_lock);
	mutex_unlock(&dev->atomic_mutex);

	list_for_each_entry_safe(waiter, next, &waiters, wait)
		scst_cmd_requeue(waiter);
}

/**
 * scst_gate_close() - keep commands away from the backing store
 * @dev: device; open_lock is held
 *
 * Commands that start from here on are refused with MEDIUM NOT PRESENT.
 *
 * Context: process context; sleeps until those under execution are over.
 * Return: 0, or -EINTR: a signal came first, and the gate is open again.
 */
int scst_gate_close(struct scst_device *dev)
{
	lockdep_assert_held(&dev->open_lock);
	set_bit(SCST_GATE_CLOSED, &dev->gate);
	/* As in scst_atomic_begin(). */
	smp_mb__after_atomic();
	while (scst_gate_busy(dev, NULL)) {
		schedule_timeout_interruptible(1);
		if (signal_pending(current)) {
			clear_bit(SCST_GATE_CLOSED, &dev->gate);
			return -EINTR;
		}
	}
	return 0;
}
