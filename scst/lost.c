// SPDX-License-Identifier: GPL-2.0
/*
 * Data that was accepted and then could not be written: the page cache below a
 * handler, or the cache of a drive, has lost it. Whose data it was nobody knows,
 * so every nexus is told, and in a way that reaches the initiator's file system:
 *
 * - Each nexus has its next SYNCHRONIZE CACHE or START STOP UNIT fail, once. What
 *   counts as "told" is kept per nexus, so one does not take it away from another;
 *   one that is new, for instance because its initiator had to log in again, has
 *   been told nothing.
 * - With nv_cache an initiator sees no reason to flush. There the next command that
 *   reads the medium and the next that writes it fail too.
 *
 * The sense is HARDWARE ERROR (DATA PROTECT if there was no space). A MEDIUM ERROR
 * would be repeated by the initiator's SCSI layer, which would take the success of
 * the repetition for that of the flush.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "internal.h"

static scst_sense_t scst_lost_sense(int err)
{
	scst_sense_t sense = scst_errno_sense(err, true);

	return sense == SCST_WRITE_ERROR ? SCST_HARDWARE_ERROR : sense;
}

static void scst_nexus_set_lost(struct scst_nexus *nexus)
{
	set_bit(SCST_EXC_LOST_READ, &nexus->except);
	set_bit(SCST_EXC_LOST_WRITE, &nexus->except);
}

void scst_device_data_lost(struct scst_device *dev, int err)
{
	struct scst_nexus *nexus;
	unsigned long flags;

	pr_err_ratelimited("device %s: data that was accepted could not be written: %pe\n",
			   dev->name, ERR_PTR(err));
	errseq_set(&dev->lost, err);
	if (!dev->p.nv_cache)
		return;
	spin_lock_irqsave(&dev->state_lock, flags);
	list_for_each_entry(nexus, &dev->nexuses, dev_entry)
		scst_nexus_set_lost(nexus);
	spin_unlock_irqrestore(&dev->state_lock, flags);
}
EXPORT_SYMBOL_GPL(scst_device_data_lost);

/* Does a failed flush mean that data is gone, or can it be repeated? */
static bool scst_flush_lost_data(int err)
{
	scst_sense_t sense = scst_errno_sense(err, true);

	return sense != SCST_OK && sense != SCST_BUSY && sense != SCST_NO_MEDIUM;
}

/**
 * scst_device_flush() - make a range stable, and remember if that failed
 * @dev: device whose backing store is open
 * @pos: first byte
 * @len: number of bytes, 0 for all that follow
 *
 * Context: process context.
 * Return: 0 or -errno.
 */
int scst_device_flush(struct scst_device *dev, loff_t pos, loff_t len)
{
	int err = dev->ops->flush ? dev->ops->flush(dev, pos, len) : 0;

	if (unlikely(scst_flush_lost_data(err)))
		scst_device_data_lost(dev, err);
	return err;
}

/**
 * scst_nexus_flush() - flush for a command, and tell its initiator what was lost
 * @nexus: I_T_L nexus
 * @pos: first byte
 * @len: number of bytes, 0 for all that follow
 *
 * Two flushes of one nexus at the same time may both report; none may be missed.
 *
 * Context: process context.
 * Return: SCST_OK or how the command ends.
 */
scst_sense_t scst_nexus_flush(struct scst_nexus *nexus, loff_t pos, loff_t len)
{
	struct scst_device *dev = nexus->dev;
	int err = scst_device_flush(dev, pos, len);

	if (unlikely(err && !scst_flush_lost_data(err)))
		return scst_errno_sense(err, true);
	err = errseq_check_and_advance(&dev->lost, &nexus->lost_seen);
	if (likely(!err))
		return SCST_OK;
	clear_bit(SCST_EXC_LOST_WRITE, &nexus->except);
	return scst_lost_sense(err);
}

/* The nexus is new, or the command that was to tell it was aborted: another has to. */
void scst_nexus_untold(struct scst_nexus *nexus)
{
	struct scst_device *dev = nexus->dev;

	if (likely(!errseq_check(&dev->lost, 0)))
		return;
	WRITE_ONCE(nexus->lost_seen, 0);
	if (dev->p.nv_cache)
		scst_nexus_set_lost(nexus);
}

/**
 * scst_lost_check() - must a command report lost data
 * @cmd: command whose turn has come, with a nexus that has SCST_EXC_LOST_*
 *
 * Context: any.
 * Return: SCST_OK or how the command ends.
 */
scst_sense_t scst_lost_check(struct scst_cmd *cmd)
{
	u32 flags = cmd->cdb_info.desc->flags;
	struct scst_nexus *nexus = cmd->nexus;
	unsigned int bit = flags & SCST_CDB_WRITES_MEDIUM ? SCST_EXC_LOST_WRITE :
							     SCST_EXC_LOST_READ;

	if (!(flags & (SCST_CDB_MEDIUM_IO | SCST_CDB_WRITES_MEDIUM)) ||
	    cmd->cdb_info.desc->op == SCST_OP_SYNCHRONIZE_CACHE ||
	    !test_and_clear_bit(bit, &nexus->except))
		return SCST_OK;
	return scst_lost_sense(errseq_check(&nexus->dev->lost, 0));
}
