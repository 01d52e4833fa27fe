// SPDX-License-Identifier: GPL-2.0
/*
 * The life of a SCSI command, from the transport's request to its release.
 *
 *	NEW --> PARSED --> WAIT_DATA --> QUEUED --> EXEC --> DONE --> SENDING --> released
 *	             \__ no Data-Out ______^  |                ^
 *	              \______ refused ________\________________|
 *
 * A command has one owner at a time, and handing it over is the last thing the
 * owner does. Abort is a bit beside the state: it is looked at where the
 * command changes owner, before WAIT_DATA, before EXEC and before SENDING.
 *
 * The command is on its task set's list from scst_taskset_enter() until
 * scst_cmd_release(); whoever needs to know that a command is gone waits for
 * that, then for a grace period (tmf.c).
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/jiffies.h>
#include <linux/preempt.h>

#include "internal.h"

#define CREATE_TRACE_POINTS
#include "trace.h"

static inline void scst_cmd_set_state(struct scst_cmd *cmd, enum scst_cmd_state state)
{
#ifdef CONFIG_SCST_DEBUG
	/* Which states a command may come from, by the state it goes to. */
	static const u8 from[] = {
		[SCST_CMD_NEW]		= 0,
		[SCST_CMD_PARSED]	= BIT(SCST_CMD_NEW),
		[SCST_CMD_WAIT_DATA]	= BIT(SCST_CMD_PARSED),
		[SCST_CMD_QUEUED]	= BIT(SCST_CMD_PARSED) | BIT(SCST_CMD_WAIT_DATA) |
					  BIT(SCST_CMD_EXEC),
		[SCST_CMD_EXEC]		= BIT(SCST_CMD_QUEUED),
		[SCST_CMD_DONE]		= BIT(SCST_CMD_NEW) | BIT(SCST_CMD_PARSED) |
					  BIT(SCST_CMD_WAIT_DATA) | BIT(SCST_CMD_QUEUED) |
					  BIT(SCST_CMD_EXEC),
		[SCST_CMD_SENDING]	= BIT(SCST_CMD_DONE),
	};

	WARN_ONCE(!(from[state] & BIT(cmd->state)), "command state %u -> %u\n", cmd->state, state);
#endif
	trace_scst_cmd_state(cmd, state);
	/* Whoever sees that a command has left EXEC also sees what it did there (gate.c). */
	smp_store_release(&cmd->state, state);
}

bool scst_cmd_init(struct scst_cmd *cmd, struct scst_session *sess)
{
	if (!percpu_ref_tryget_live(&sess->ref))
		return false;
	memset(cmd, 0, offsetof(struct scst_cmd, sense));
	INIT_LIST_HEAD(&cmd->task);
	cmd->sess = sess;
	return true;
}
EXPORT_SYMBOL_GPL(scst_cmd_init);

struct scst_device *scst_cmd_device(const struct scst_cmd *cmd)
{
	return cmd->nexus->dev;
}
EXPORT_SYMBOL_GPL(scst_cmd_device);

loff_t scst_cmd_pos(const struct scst_cmd *cmd)
{
	return (loff_t)cmd->cdb_info.lba << cmd->nexus->dev->p.block_shift;
}
EXPORT_SYMBOL_GPL(scst_cmd_pos);

/* NACA in the control byte (SAM-5 5.2). */
bool scst_cmd_naca(const struct scst_cmd *cmd)
{
	size_t len = scst_cdb_len(cmd->cdb, cmd->cdb_len);

	if (!len || len > cmd->cdb_len)
		return false;
	return cmd->cdb[cmd->cdb[0] == 0x7f ? 1 : len - 1] & 0x04;
}

bool scst_cmd_fua(const struct scst_cmd *cmd)
{
	const struct scst_device *dev = cmd->nexus->dev;

	return !dev->p.nv_cache && (cmd->cdb_info.fua || !READ_ONCE(dev->mode.wce));
}
EXPORT_SYMBOL_GPL(scst_cmd_fua);

/* The last step: nothing of the core refers to the command afterwards. */
static void scst_cmd_release(struct scst_cmd *cmd)
{
	struct scst_session *sess = cmd->sess;
	struct scst_nexus *nexus = cmd->nexus;

	/* Task management waits for a grace period after the task set let go of the command. */
	rcu_read_lock();
	if (nexus)
		scst_taskset_leave(cmd);
	scst_buf_free(cmd);
	sess->ops->release(cmd);
	rcu_read_unlock();

	if (nexus)
		scst_nexus_put(nexus);
	percpu_ref_put(&sess->ref);
}

static void scst_cmd_count(struct scst_cmd *cmd)
{
	struct scst_stats __percpu *stats = cmd->sess->stats;
	unsigned int which = SCST_IO_NONE;

	if (cmd->cdb_info.dir != SCST_DATA_NONE)
		which = cmd->cdb_info.dir == SCST_DATA_IN ? SCST_IO_READ : SCST_IO_WRITE;
	else if (!cmd->cdb_info.desc)
		which = SCST_IO_UNKNOWN;

	this_cpu_inc(stats->cmds[which]);
	if (cmd->data_len) {
		this_cpu_add(stats->bytes[which], cmd->data_len);
		if (unlikely((cmd->data_len & 4095) || (cmd->cdb_info.lba <<
		    (cmd->nexus ? cmd->nexus->dev->p.block_shift : 0) & 4095)))
			this_cpu_inc(stats->unaligned[which]);
	}
}

/* CHECK CONDITION and the statuses without sense data. */
static void scst_cmd_refuse(struct scst_cmd *cmd, scst_sense_t sense)
{
	struct scst_device *dev = cmd->nexus ? cmd->nexus->dev : NULL;

	cmd->status = scst_sense_status(sense);
	if (cmd->status == SAM_CHECK_CONDITION)
		cmd->sense_len = scst_sense_build(cmd->sense, sizeof(cmd->sense),
						  dev && READ_ONCE(dev->mode.d_sense), sense,
						  cmd->has_sense_info,
						  cmd->sense_info);
	/* Only what was moved counts; a refused Data-In command moves nothing. */
	if (cmd->cdb_info.dir != SCST_DATA_OUT)
		cmd->data_len = 0;
	cmd->resid = (s64)cmd->expected_len - cmd->data_len;
}

/* What an aborted command would have told its initiator is told by another. */
static void scst_cmd_untold(struct scst_cmd *cmd, scst_sense_t sense)
{
	const struct scst_cdb_desc *desc = cmd->cdb_info.desc;

	if (!cmd->nexus)
		return;
	if (sense == SCST_OK && desc && desc->op == SCST_OP_REQUEST_SENSE)
		sense = cmd->ua;
	if (scst_sense_key(sense) == 0x6)
		scst_ua_queue(cmd->nexus, sense, true);
	else if (sense)
		scst_nexus_untold(cmd->nexus);
}

/**
 * scst_cmd_complete() - settle a command and pass it to its transport
 * @cmd: command in any state up to EXEC; data_len is final
 * @sense: SCST_OK or why it is refused
 *
 * Context: any.
 */
void scst_cmd_complete(struct scst_cmd *cmd, scst_sense_t sense)
{
	scst_cmd_set_state(cmd, SCST_CMD_DONE);

	if (unlikely(scst_cmd_aborted(cmd))) {
		scst_cmd_untold(cmd, sense);
		if (!test_bit(SCST_CMDF_TASK_ABORTED, &cmd->flags)) {
			scst_cmd_release(cmd);
			return;
		}
		sense = SCST_TASK_ABORTED;
	}

	if (unlikely(sense)) {
		scst_cmd_refuse(cmd, sense);
		if (cmd->status == SAM_CHECK_CONDITION && cmd->nexus)
			scst_taskset_fault(cmd);
	} else {
		cmd->resid = cmd->cdb_info.xfer_len > cmd->expected_len ?
			     (s64)cmd->expected_len - cmd->cdb_info.xfer_len :
			     (s64)cmd->expected_len - cmd->data_len;
	}
	scst_cmd_count(cmd);

	scst_cmd_set_state(cmd, SCST_CMD_SENDING);
	cmd->sess->ops->send_response(cmd);
}

void scst_cmd_sent(struct scst_cmd *cmd)
{
	scst_cmd_release(cmd);
}
EXPORT_SYMBOL_GPL(scst_cmd_sent);

/**
 * scst_errno_sense() - what an initiator is told about an error of our machinery
 * @err: -errno
 * @write: the medium was being written
 *
 * The only place where one vocabulary becomes the other.
 */
scst_sense_t scst_errno_sense(int err, bool write)
{
	switch (err) {
	case 0:
		return SCST_OK;
	case -ENOSPC:
	case -EDQUOT:
	case -EFBIG:
		return SCST_NO_SPACE;
	case -EROFS:
	case -EPERM:
		return SCST_DATA_PROTECT;
	case -ENOMEM:
	case -EAGAIN:
	case -EBUSY:
		return SCST_BUSY;
	case -ENOMEDIUM:
		return SCST_NO_MEDIUM;
	case -ENODEV:
	case -ENXIO:
	case -ESHUTDOWN:
		return SCST_HARDWARE_ERROR;
	default:
		return write ? SCST_WRITE_ERROR : SCST_READ_ERROR;
	}
}

/* A medium error names the logical block at which it happened (SBC-3 4.18.1). */
scst_sense_t scst_cmd_medium_error(struct scst_cmd *cmd, int err, bool write, u64 done)
{
	scst_sense_t sense = scst_errno_sense(err, write);

	if (sense == SCST_READ_ERROR || sense == SCST_WRITE_ERROR) {
		cmd->sense_info = cmd->cdb_info.lba + (done >> cmd->nexus->dev->p.block_shift);
		cmd->has_sense_info = true;
	}
	return sense;
}

void scst_cmd_done(struct scst_cmd *cmd, int err, u32 done)
{
	bool write = cmd->cdb_info.dir == SCST_DATA_OUT;

	scst_cmd_complete(cmd, unlikely(err) ? scst_cmd_medium_error(cmd, err, write, done) :
					       SCST_OK);
}
EXPORT_SYMBOL_GPL(scst_cmd_done);

/*
 * Threads exist as long as the nexus does; a change of threads_pool_type swaps
 * the pointer and waits for a grace period before it stops the old ones.
 */
static void scst_cmd_to_pool(struct scst_cmd *cmd)
{
	rcu_read_lock();
	scst_pool_queue(rcu_dereference(cmd->nexus->pool), cmd);
	rcu_read_unlock();
}

/**
 * scst_cmd_requeue() - let a handler thread take up a command that had to wait
 * @cmd: command in state QUEUED
 *
 * Context: any.
 */
void scst_cmd_requeue(struct scst_cmd *cmd)
{
	scst_cmd_to_pool(cmd);
}

static void scst_cmd_fill_io(struct scst_cmd *cmd, struct scst_io *io, bool nowait)
{
	*io = (struct scst_io) {
		.write	= cmd->cdb_info.dir == SCST_DATA_OUT,
		.fua	= scst_cmd_fua(cmd),
		.nowait	= nowait,
		.pos	= scst_cmd_pos(cmd),
		.len	= cmd->data_len,
		.sgl	= cmd->sgl,
		.nents	= cmd->sg_nents,
	};
}

/* READ or WRITE, in the context that the handler asked for. */
static void scst_cmd_rw(struct scst_cmd *cmd)
{
	struct scst_device *dev = cmd->nexus->dev;
	struct scst_io io;
	int err;

	if (dev->ops->rw) {
		dev->ops->rw(cmd);
		return;
	}
	scst_cmd_fill_io(cmd, &io, false);
	err = io.len ? dev->ops->io(dev, &io) : 0;
	scst_cmd_done(cmd, err, io.done);
}

/*
 * The state is visible before the gate is looked at, see gate.c. Returns false
 * if the command was refused or has to wait.
 */
static bool scst_cmd_start(struct scst_cmd *cmd)
{
	unsigned long *gate = &cmd->nexus->dev->gate;

	do {
		scst_cmd_set_state(cmd, SCST_CMD_EXEC);
		if (!(cmd->cdb_info.desc->flags & (SCST_CDB_MEDIUM_IO | SCST_CDB_ANY_RANGE |
						   SCST_CDB_SLEEPS)))
			return true;
		/* Pairs with smp_mb__after_atomic() in gate.c: first EXEC, then the gate. */
		smp_mb();
		/* Pairs with clear_bit_unlock() in device.c: what ->open() set up is seen. */
		if (likely(!smp_load_acquire(gate)))
			return true;

		if (test_bit(SCST_GATE_CLOSED, gate) &&
		    !scst_served_inactive(cmd->cdb_info.desc)) {
			scst_cmd_complete(cmd, SCST_NO_MEDIUM);
			return false;
		}
		if (!(cmd->cdb_info.desc->flags & (SCST_CDB_MEDIUM_IO | SCST_CDB_ANY_RANGE)) ||
		    !scst_gate_overlaps(cmd))
			return true;
		scst_cmd_set_state(cmd, SCST_CMD_QUEUED);
	} while (!scst_gate_hold(cmd));
	return false;
}

/* Larger reads would keep the submitter's other requests waiting for too long. */
#define SCST_INLINE_READ_MAX	(64U << 10)

/*
 * A short read of what is in the page cache needs no thread, where the
 * submitter may sleep or the handler does not. Returns false if a thread has
 * to do it.
 */
static bool scst_cmd_read_inline(struct scst_cmd *cmd)
{
	struct scst_device *dev = cmd->nexus->dev;
	struct scst_io io;
	int err;

	if (!(dev->p.atomic_read && in_task()) && !(dev->p.nowait && cmd->may_sleep))
		return false;
	if (cmd->cdb_info.dir != SCST_DATA_IN || !cmd->data_len ||
	    cmd->data_len > SCST_INLINE_READ_MAX)
		return false;
	if (!scst_cmd_start(cmd))
		return true;
	scst_cmd_fill_io(cmd, &io, true);
	err = dev->ops->io(dev, &io);
	if (err == -EAGAIN) {
		scst_cmd_set_state(cmd, SCST_CMD_QUEUED);
		return false;
	}
	scst_cmd_done(cmd, err, io.done);
	return true;
}

/**
 * scst_cmd_execute() - run a command that is first in line
 * @cmd: command in state QUEUED, enabled in its task set
 * @in_thread: called from a handler thread
 *
 * Context: any if !@in_thread.
 */
void scst_cmd_execute(struct scst_cmd *cmd, bool in_thread)
{
	const struct scst_cdb_desc *desc = cmd->cdb_info.desc;
	struct scst_nexus *nexus = cmd->nexus;
	scst_sense_t sense;
	bool fast;

	if (unlikely(scst_cmd_aborted(cmd))) {
		scst_cmd_complete(cmd, SCST_OK);
		return;
	}
	if (unlikely(READ_ONCE(nexus->except)) && !cmd->checked) {
		sense = scst_check(cmd);
		if (sense) {
			scst_cmd_complete(cmd, sense);
			return;
		}
		cmd->checked = true;
	}

	fast = desc->flags & SCST_CDB_FAST_RW;
	if (!in_thread && (fast ? !(nexus->dev->ops->flags & SCST_HANDLER_INLINE) :
				  desc->flags & SCST_CDB_SLEEPS)) {
		if (!fast || !scst_cmd_read_inline(cmd))
			scst_cmd_to_pool(cmd);
		return;
	}
	if (!scst_cmd_start(cmd))
		return;
	if (fast)
		scst_cmd_rw(cmd);
	else
		scst_cmd_complete(cmd, scst_ops[desc->op](cmd));
}

/* Data-Out is here, or none is needed: wait for the command's turn. */
static void scst_cmd_ready(struct scst_cmd *cmd)
{
	scst_cmd_set_state(cmd, SCST_CMD_QUEUED);
	if (likely(test_bit(SCST_CMDF_ENABLED, &cmd->flags)) || scst_taskset_pass(cmd))
		scst_cmd_execute(cmd, false);
}

void scst_cmd_data_done(struct scst_cmd *cmd, scst_sense_t err)
{
	if (unlikely(err)) {
		/* How much of it has arrived is not known, and none is used. */
		cmd->data_len = 0;
		scst_cmd_complete(cmd, err);
		return;
	}
	scst_cmd_ready(cmd);
}
EXPORT_SYMBOL_GPL(scst_cmd_data_done);

/* Is the transport's buffer for the other direction? Data-In that is not needed is tolerated. */
static bool scst_cmd_wrong_dir(const struct scst_cmd *cmd)
{
	u8 dir = cmd->cdb_info.desc->dir;

	if (!cmd->expected_len)
		return false;
	return cmd->expected_dir == SCST_DATA_OUT ? dir != SCST_DATA_OUT :
	       cmd->expected_dir == SCST_DATA_IN && dir == SCST_DATA_OUT;
}

/* Direction and length of the data phase: rows 7, 8 and 10 of the check order. */
static scst_sense_t scst_cmd_size(struct scst_cmd *cmd)
{
	const struct scst_cdb_desc *desc = cmd->cdb_info.desc;
	struct scst_device *dev = cmd->nexus->dev;

	if (scst_cmd_wrong_dir(cmd))
		return SCST_INVALID_MESSAGE;
	cmd->data_len = min(cmd->cdb_info.xfer_len, cmd->expected_len);

	if (desc->flags & SCST_CDB_MEDIUM_IO) {
		u64 nblocks = READ_ONCE(dev->nblocks), lba = cmd->cdb_info.lba;

		if (lba > nblocks || cmd->cdb_info.nblocks > nblocks - lba)
			return nblocks ? SCST_LBA_RANGE : SCST_NO_MEDIUM;
	}
	/* Allocation lengths may be what they like. */
	if (unlikely(cmd->cdb_info.xfer_len > SCST_MAX_TRANSFER) &&
	    (cmd->cdb_info.dir == SCST_DATA_OUT || desc->flags & SCST_CDB_MEDIUM_IO))
		return SCST_CDB_FIELD(desc->cnt_off);
	if (cmd->cdb_info.dir == SCST_DATA_OUT && desc->flags & SCST_CDB_WRITES_MEDIUM &&
	    cmd->data_len < cmd->cdb_info.xfer_len && desc->flags & SCST_CDB_MEDIUM_IO &&
	    cmd->data_len & (BIT(dev->p.block_shift) - 1))
		return SCST_WRONG_IU_LENGTH;
	return SCST_OK;
}

/* Buffer for the data phase of transports that do not bring their own. */
static scst_sense_t scst_cmd_prepare_buf(struct scst_cmd *cmd)
{
	const struct scst_handler_ops *handler = cmd->nexus->dev->ops;
	bool fast = cmd->cdb_info.desc->flags & SCST_CDB_FAST_RW;
	int err;

	if (cmd->sess->ops->own_buffers)
		return SCST_OK;
	if (cmd->cdb_info.dir == SCST_DATA_IN) {
		/* What the device server builds gets its buffer in scst_cmd_reply(). */
		if (!fast)
			return SCST_OK;
		err = handler->flags & SCST_HANDLER_NO_DATA ? scst_buf_zero(cmd) :
							       scst_buf_alloc(cmd);
		if (!err && handler->flags & SCST_HANDLER_IRQ_DONE && cmd->sess->ops->map_data_in)
			err = cmd->sess->ops->map_data_in(cmd);
	} else {
		err = scst_buf_alloc(cmd);
	}
	return unlikely(err) ? SCST_BUSY : SCST_OK;
}

#define SCST_ABSENT_MSG_INTERVAL	(60 * HZ)

/* Some hosts look for LUNs all the time, so one line each minute has to do (B105). */
static void scst_cmd_tell_absent(const struct scst_cmd *cmd)
{
	struct scst_session *sess = cmd->sess;
	unsigned long next = READ_ONCE(sess->next_absent_msg);

	if (time_before(jiffies, next) ||
	    cmpxchg(&sess->next_absent_msg, next, jiffies + SCST_ABSENT_MSG_INTERVAL) != next)
		return;
	pr_info("%s/%s: initiator %s: no LUN %*phN, opcode %#x\n", sess->ops->name,
		sess->tgt->name, sess->initiator, (int)sizeof(cmd->lun), cmd->lun, cmd->cdb[0]);
}

/*
 * A LUN that does not exist answers a few commands itself. Data-Out is not
 * fetched, nothing blocks, and no task set knows the command.
 */
static void scst_cmd_absent(struct scst_cmd *cmd)
{
	scst_sense_t sense;
	bool valid;

	valid = scst_cdb_decode(cmd->cdb, cmd->cdb_len, SCST_TYPE_DISK, 9,
				&cmd->cdb_info) == SCST_OK;
	if (!valid)
		cmd->cdb_info.xfer_len = 0;
	if (cmd->cdb_info.dir == SCST_DATA_IN)
		cmd->data_len = min(cmd->cdb_info.xfer_len, cmd->expected_len);
	sense = valid && !scst_cmd_wrong_dir(cmd) ? scst_spc_absent(cmd) :
						    SCST_LUN_NOT_SUPPORTED;
	if (sense == SCST_LUN_NOT_SUPPORTED)
		scst_cmd_tell_absent(cmd);
	scst_cmd_complete(cmd, sense);
}

void scst_cmd_submit(struct scst_cmd *cmd, bool may_sleep)
{
	int lun = scst_lun_unpack(cmd->lun, sizeof(cmd->lun));
	struct scst_nexus *nexus = lun < 0 ? NULL : scst_nexus_get(cmd->sess, lun);
	scst_sense_t sense, full;

	if (unlikely(!nexus)) {
		scst_cmd_absent(cmd);
		return;
	}
	cmd->nexus = nexus;
	cmd->start = jiffies;
	cmd->may_sleep = may_sleep;

	sense = scst_cdb_decode(cmd->cdb, cmd->cdb_len, nexus->dev->ops->type,
				nexus->dev->p.block_shift, &cmd->cdb_info);
	if (likely(!sense))
		sense = scst_op_offered(cmd->cdb_info.desc, nexus->dev) ? scst_cmd_size(cmd) :
									  SCST_INVALID_OPCODE;
	else if (!scst_opcode_offered(cmd->cdb[0], nexus->dev))
		sense = SCST_INVALID_OPCODE;
	scst_cmd_set_state(cmd, SCST_CMD_PARSED);
	full = scst_taskset_enter(cmd);
	if (unlikely(full))
		sense = full;
	else if (likely(!sense) && cmd->data_len)
		sense = scst_cmd_prepare_buf(cmd);
	if (unlikely(sense)) {
		if (cmd->cdb_info.dir == SCST_DATA_OUT)
			cmd->data_len = 0;
		scst_cmd_complete(cmd, sense);
		return;
	}

	if (cmd->cdb_info.dir == SCST_DATA_OUT && cmd->data_len && !cmd->sess->ops->own_buffers) {
		if (likely(!scst_cmd_aborted(cmd))) {
			scst_cmd_set_state(cmd, SCST_CMD_WAIT_DATA);
			if (unlikely(cmd->sess->ops->fetch_data_out(cmd))) {
				cmd->data_len = 0;
				scst_cmd_complete(cmd, SCST_BUSY);
			}
			return;
		}
		/* The residual of TASK ABORTED: nothing was moved. */
		cmd->data_len = 0;
	}
	scst_cmd_ready(cmd);
}
EXPORT_SYMBOL_GPL(scst_cmd_submit);
