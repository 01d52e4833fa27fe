// SPDX-License-Identifier: GPL-2.0
/*
 * Device server, commands for all device types (SPC-4): one short function per
 * command. A function leaves its data with scst_cmd_reply() and returns
 * SCST_OK or the reason for refusing; it does not finish the command itself.
 */
#include <linux/slab.h>

#include "internal.h"
#include "proto/cdb_table.h"

/*
 * Make room for @len bytes of Data-In. The only place that truncates: to the
 * allocation length (SPC-4 4.2.5.6) and to what the transport can take.
 */
static scst_sense_t scst_cmd_reply_room(struct scst_cmd *cmd, size_t len)
{
	cmd->cdb_info.xfer_len = min_t(size_t, len, cmd->cdb_info.xfer_len);
	cmd->data_len = min(cmd->cdb_info.xfer_len, cmd->expected_len);
	if (cmd->data_len && !cmd->sess->ops->own_buffers && scst_buf_alloc(cmd))
		return SCST_BUSY;
	return SCST_OK;
}

/* Put a part of the data where there is room for it; what there is none for is left out. */
static void scst_cmd_reply_put(struct scst_cmd *cmd, size_t off, const void *buf, size_t len)
{
	if (off < cmd->data_len)
		sg_pcopy_from_buffer(cmd->sgl, cmd->sg_nents, buf,
				     min_t(size_t, len, cmd->data_len - off), off);
}

/**
 * scst_cmd_reply() - give a command its Data-In
 * @cmd: Data-In command in state EXEC, or for a LUN that does not exist
 * @buf: complete data
 * @len: its length
 *
 * Context: any.
 * Return: SCST_OK, or BUSY without memory.
 */
scst_sense_t scst_cmd_reply(struct scst_cmd *cmd, const void *buf, size_t len)
{
	scst_sense_t sense = scst_cmd_reply_room(cmd, len);

	if (!sense)
		scst_cmd_reply_put(cmd, 0, buf, len);
	return sense;
}

/* Copy Data-Out into @buf; returns the number of bytes. */
size_t scst_cmd_data_out(struct scst_cmd *cmd, void *buf, size_t room)
{
	return sg_copy_to_buffer(cmd->sgl, cmd->sg_nents, buf, min_t(size_t, room, cmd->data_len));
}

static scst_sense_t scst_spc_good(struct scst_cmd *cmd)
{
	return SCST_OK;
}

/* A drive is ready when it has a disc (B60); a disk's backing store is not looked at. */
static scst_sense_t scst_spc_test_unit_ready(struct scst_cmd *cmd)
{
	const struct scst_device *dev = cmd->nexus->dev;

	if (dev->ops->type == SCST_TYPE_ROM && !READ_ONCE(dev->nblocks))
		return SCST_NO_MEDIUM;
	return SCST_OK;
}

/* Everything that INQUIRY tells about a logical unit, seen through one nexus. */
static void scst_spc_inquiry_fill(struct scst_inquiry *inq, const struct scst_nexus *nexus)
{
	const struct scst_device *dev = nexus->dev;
	const struct scst_device_params *p = &dev->p;
	const struct scst_target *tgt = nexus->sess->tgt;
	u32 max_xfer = min_t(u64, (u64)tgt->ops->sg_tablesize << PAGE_SHIFT,
			     SCST_MAX_TRANSFER);

	if (p->max_io_bytes)
		max_xfer = min(max_xfer, p->max_io_bytes);
	*inq = (struct scst_inquiry) {
		.ids			= &dev->ids,
		.type			= p->dummy ? 0x1f : dev->ops->type,
		.qualifier		= p->dummy ? 1 : 0,
		.removable		= p->removable,
		.phys_version		= READ_ONCE(tgt->phys_version),
		.transport_version	= READ_ONCE(tgt->transport_version),
		.rel_tgt_id		= READ_ONCE(tgt->rel_tgt_id),
		.transport_protocol	= tgt->ops->protocol,
		.block_shift		= p->block_shift,
		.wce			= READ_ONCE(dev->mode.wce),
		.rotational		= p->rotational,
		.thin			= p->thin,
		.lbprz			= p->lbprz,
		.page_size_blocks	= max_t(u32, PAGE_SIZE >> p->block_shift, 1),
		.max_xfer_blocks	= max_xfer >> p->block_shift,
		.opt_xfer_blocks	= min(max_xfer, p->opt_trans_len) >> p->block_shift,
		.max_ws_blocks		= SCST_MAX_WRITE_SAME >> p->block_shift,
		.max_unmap_blocks	= p->max_unmap_blocks,
		.unmap_granularity	= p->unmap_granularity,
		.unmap_alignment	= p->unmap_alignment,
		.max_caw_blocks		= 0xff,
	};
}

static scst_sense_t scst_spc_inquiry(struct scst_cmd *cmd)
{
	struct scst_device *dev = cmd->nexus->dev;
	u8 buf[SCST_INQUIRY_MAX] = {};
	struct scst_inquiry inq;
	unsigned long flags;
	size_t len;

	if (cmd->cdb[1] & 0x02)			/* CMDDT, obsolete */
		return SCST_CDB_FIELD_BIT(1, 1);
	if (!(cmd->cdb[1] & 0x01) && cmd->cdb[2])
		return SCST_CDB_FIELD(2);

	scst_spc_inquiry_fill(&inq, cmd->nexus);
	/* The identifiers can be written at any time. */
	spin_lock_irqsave(&dev->state_lock, flags);
	if (cmd->cdb[1] & 0x01)
		len = scst_vpd_page(buf, sizeof(buf), cmd->cdb[2], &inq);
	else
		len = scst_inquiry_std(buf, sizeof(buf), &inq);
	spin_unlock_irqrestore(&dev->state_lock, flags);
	if (!len)
		return SCST_CDB_FIELD(2);
	return scst_cmd_reply(cmd, buf, min(len, sizeof(buf)));
}

static scst_sense_t scst_spc_sense_data(struct scst_cmd *cmd, scst_sense_t sense)
{
	u8 buf[SCST_SENSE_MAX];
	size_t len = scst_sense_build(buf, sizeof(buf), cmd->cdb[1] & 0x01, sense, false, 0);

	return scst_cmd_reply(cmd, buf, len);
}

static scst_sense_t scst_spc_request_sense(struct scst_cmd *cmd)
{
	scst_sense_t ua = scst_ua_take(cmd->nexus);
	scst_sense_t sense = scst_spc_sense_data(cmd, ua ?: SCST_NO_SENSE);

	/* It was not reported. */
	if (sense && ua)
		scst_ua_queue(cmd->nexus, ua, true);
	else
		cmd->ua = ua;
	return sense;
}

/* ---- REPORT LUNS (SPC-4 6.33) ----------------------------------------- */

/* At most @count LUNs, behind the header; returns how many there were. */
static unsigned int scst_spc_put_luns(struct scst_cmd *cmd, unsigned int count)
{
	struct scst_session *sess = cmd->sess;
	enum scst_addr_method method;
	struct scst_nexus *nexus;
	struct scst_group *group;
	unsigned int nr = 0;
	unsigned long lun;
	u8 entry[8];

	rcu_read_lock();
	/* A group is freed after a grace period. */
	group = READ_ONCE(sess->group);
	method = READ_ONCE(*(group ? &group->addr_method : &sess->tgt->addr_method));
	xa_for_each(&sess->nexuses, lun, nexus) {
		if (nr == count)
			break;
		scst_lun_pack(entry, lun, method);
		scst_cmd_reply_put(cmd, 8 + 8 * nr++, entry, sizeof(entry));
	}
	rcu_read_unlock();
	return nr;
}

/* The list goes straight into the command's buffer; it may be 128 KiB long. */
static scst_sense_t scst_spc_report_luns(struct scst_cmd *cmd)
{
	unsigned int count = 0, first;
	scst_sense_t sense;
	u8 header[8] = {};
	u32 len;

	if (cmd->cdb[2] > 2)
		return SCST_CDB_FIELD(2);
	if (get_unaligned_be32(cmd->cdb + 6) < 16)
		return SCST_CDB_FIELD(6);

	/* Well known logical units only (1): there are none. */
	if (cmd->cdb[2] != 1)
		count = scst_session_luns(cmd->sess, &first);
	sense = scst_cmd_reply_room(cmd, 8 + 8 * count);
	if (sense)
		return sense;
	/* Some may have gone meanwhile; what came is left to the next command. */
	if (count)
		count = scst_spc_put_luns(cmd, count);
	len = 8 + 8 * count;
	put_unaligned_be32(len - 8, header);
	scst_cmd_reply_put(cmd, 0, header, sizeof(header));
	cmd->cdb_info.xfer_len = min(cmd->cdb_info.xfer_len, len);
	cmd->data_len = min(cmd->data_len, len);
	scst_ua_luns_reported(cmd->sess);
	return SCST_OK;
}

/**
 * scst_spc_absent() - answer a command for a LUN that does not exist
 * @cmd: command with a decoded CDB
 *
 * SPC-4 6.6.1 and SAM-5 5.11: INQUIRY, REQUEST SENSE and REPORT LUNS are answered.
 *
 * Context: any.
 */
scst_sense_t scst_spc_absent(struct scst_cmd *cmd)
{
	u8 buf[36];

	switch (cmd->cdb_info.desc->op) {
	case SCST_OP_INQUIRY:
		if (cmd->cdb[1] & 0x03)
			return SCST_LUN_NOT_SUPPORTED;
		return scst_cmd_reply(cmd, buf, scst_inquiry_absent(buf, sizeof(buf)));
	case SCST_OP_REQUEST_SENSE:
		return scst_spc_sense_data(cmd, SCST_LUN_NOT_SUPPORTED);
	case SCST_OP_REPORT_LUNS:
		return scst_spc_report_luns(cmd);
	default:
		return SCST_LUN_NOT_SUPPORTED;
	}
}

/* ---- MODE SENSE, MODE SELECT (SPC-4 6.9 to 6.12) ----------------------- */

static void scst_spc_mode_ctx(const struct scst_nexus *nexus, struct scst_mode_ctx *ctx)
{
	const struct scst_device *dev = nexus->dev;

	*ctx = (struct scst_mode_ctx) {
		.type		= dev->ops->type,
		.read_only	= test_bit(SCST_EXC_READ_ONLY, &nexus->except),
		.wce_fixed	= dev->p.nv_cache || dev->ops->type != SCST_TYPE_DISK,
		.block_shift	= dev->p.block_shift,
		.nblocks	= READ_ONCE(dev->nblocks),
	};
}

static scst_sense_t scst_spc_mode_sense(struct scst_cmd *cmd)
{
	struct scst_device *dev = cmd->nexus->dev;
	struct scst_mode cur, saved, def;
	struct scst_mode_ctx ctx;
	u8 buf[SCST_MODE_MAX] = {};
	unsigned long flags;
	scst_sense_t sense;
	size_t len;

	scst_spc_mode_ctx(cmd->nexus, &ctx);
	spin_lock_irqsave(&dev->state_lock, flags);
	cur = dev->mode;
	saved = dev->mode_saved;
	spin_unlock_irqrestore(&dev->state_lock, flags);
	/* As long as nothing is saved, what would be restored is the default. */
	def = saved;

	sense = scst_mode_sense(buf, sizeof(buf), cmd->cdb, &cur, &saved, &def, &ctx, &len);
	if (sense)
		return sense;
	return scst_cmd_reply(cmd, buf, min(len, sizeof(buf)));
}

static scst_sense_t scst_spc_mode_select(struct scst_cmd *cmd)
{
	struct scst_device *dev = cmd->nexus->dev;
	struct scst_mode_ctx ctx;
	struct scst_mode mode;
	u8 buf[SCST_MODE_MAX];
	scst_sense_t sense;
	size_t len = 0;

	if (!cmd->cdb_info.xfer_len)
		return SCST_OK;
	if (cmd->data_len)
		len = scst_cmd_data_out(cmd, buf, sizeof(buf));

	scst_spc_mode_ctx(cmd->nexus, &ctx);
	mutex_lock(&dev->open_lock);
	mode = dev->mode;
	sense = scst_mode_select(cmd->cdb, buf, len, &mode, &ctx);
	/* Going to write-through: what the cache holds must not be less safe than what follows. */
	if (!sense && dev->mode.wce && !mode.wce && dev->ops->flush &&
	    !test_bit(SCST_GATE_CLOSED, &dev->gate) &&
	    scst_device_flush(dev, 0, 0))
		sense = SCST_WRITE_ERROR;
	if (!sense) {
		spin_lock_irq(&dev->state_lock);
		/* A reset that came first stays the last word. */
		if (!scst_cmd_aborted(cmd))
			scst_device_set_mode_locked(dev, &mode);
		spin_unlock_irq(&dev->state_lock);
		scst_device_update_except(dev);
		scst_ua_device(dev, SCST_UA_MODE_CHANGED, cmd->nexus);
	}
	mutex_unlock(&dev->open_lock);
	return sense;
}

static scst_sense_t scst_spc_no_log_page(struct scst_cmd *cmd)
{
	return SCST_CDB_FIELD_BIT(2, 0);
}

/* ---- RESERVE, RELEASE (SPC-2 7.21 to 7.24) ----------------------------- */

/* Third party and extent reservations. The pointer for 3RDPTY is what users know. */
static scst_sense_t scst_spc_reserve_fields(const struct scst_cmd *cmd)
{
	if (cmd->cdb[1] & 0x10)
		return SCST_CDB_FIELD_BIT(cmd->cdb[0] & 0x40 ? 2 : 1, 4);
	if (cmd->cdb[1] & 0x01)
		return SCST_CDB_FIELD_BIT(1, 0);
	return SCST_OK;
}

static scst_sense_t scst_spc_reserve(struct scst_cmd *cmd)
{
	struct scst_nexus *nexus = cmd->nexus, *other;
	struct scst_device *dev = nexus->dev;
	scst_sense_t sense = scst_spc_reserve_fields(cmd);
	unsigned long flags;

	if (sense)
		return sense;

	spin_lock_irqsave(&dev->state_lock, flags);
	if (dev->reserved_by && dev->reserved_by != nexus) {
		sense = SCST_RESERVATION_CONFLICT;
	} else if (!scst_cmd_aborted(cmd)) {	/* else a reset came first: the last word */
		dev->reserved_by = nexus;
		list_for_each_entry(other, &dev->nexuses, dev_entry)
			if (other != nexus)
				set_bit(SCST_EXC_RESERVED, &other->except);
	}
	spin_unlock_irqrestore(&dev->state_lock, flags);
	return sense;
}

/* @holder lets go of RESERVE, if it is still the holder. Context: any. */
void scst_reservation_release(struct scst_device *dev, const struct scst_nexus *holder)
{
	struct scst_nexus *nexus;
	unsigned long flags;

	spin_lock_irqsave(&dev->state_lock, flags);
	if (dev->reserved_by == holder) {
		dev->reserved_by = NULL;
		list_for_each_entry(nexus, &dev->nexuses, dev_entry)
			clear_bit(SCST_EXC_RESERVED, &nexus->except);
	}
	spin_unlock_irqrestore(&dev->state_lock, flags);
}

static scst_sense_t scst_spc_release(struct scst_cmd *cmd)
{
	scst_sense_t sense = scst_spc_reserve_fields(cmd);

	if (!sense)
		scst_reservation_release(cmd->nexus->dev, cmd->nexus);
	return sense;
}

/* ---- what is supported (SPC-4 6.34, 6.35) ------------------------------ */

/**
 * scst_op_offered() - does a device implement a row of the command table
 * @desc: row
 * @arg: device
 *
 * Commands that it does not offer are refused with INVALID COMMAND OPERATION CODE and not listed.
 */
bool scst_op_offered(const struct scst_cdb_desc *desc, void *arg)
{
	const struct scst_device *dev = arg;

	if (desc->flags & SCST_CDB_NEEDS_THIN && !dev->p.thin)
		return false;
	return desc->flags & SCST_CDB_FAST_RW || scst_ops[desc->op];
}

/* An opcode none of whose commands is offered has no fields that could be wrong. */
bool scst_opcode_offered(u8 opcode, struct scst_device *dev)
{
	const struct scst_cdb_desc *desc = scst_cdb_first_row(opcode);
	const struct scst_cdb_desc *end = scst_cdb_table + scst_cdb_table_len;

	for (; desc && desc < end && desc->opcode == opcode; desc++)
		if (desc->types & BIT(dev->ops->type) && scst_op_offered(desc, dev))
			return true;
	return false;
}

static bool scst_op_listed(const struct scst_cdb_desc *desc, void *arg)
{
	return desc->op != SCST_OP_GET_LBA_STATUS && scst_op_offered(desc, arg);
}

static scst_sense_t scst_spc_report_opcodes(struct scst_cmd *cmd)
{
	struct scst_device *dev = cmd->nexus->dev;
	u8 type = dev->ops->type;
	scst_sense_t sense;
	size_t room, len;
	u8 *buf;

	sense = scst_report_opcodes(NULL, 0, cmd->cdb, type, scst_op_listed, dev, &room);
	if (sense)
		return sense;
	buf = kzalloc(room, GFP_ATOMIC | __GFP_NOWARN);
	if (!buf)
		return SCST_BUSY;
	/* The device may have become thin meanwhile: more rows than there is room for. */
	sense = scst_report_opcodes(buf, room, cmd->cdb, type, scst_op_listed, dev, &len);
	if (!sense)
		sense = scst_cmd_reply(cmd, buf, min(room, len));
	kfree(buf);
	return sense;
}

static scst_sense_t scst_spc_report_tmf(struct scst_cmd *cmd)
{
	/*
	 * ABORT TASK, ABORT TASK SET, CLEAR ACA, CLEAR TASK SET, LUN RESET. With REPD also the
	 * time-outs, in units of 100 ms: 30 s, for functions that end soon 15 s.
	 */
	u8 buf[16] = { [0] = 0xf8 };

	if (!(cmd->cdb[2] & 0x80))
		return scst_cmd_reply(cmd, buf, 4);
	buf[3] = 0x0c;
	buf[4] = 0x01;
	buf[6] = 0xa0;
	put_unaligned_be32(300, buf + 8);
	put_unaligned_be32(150, buf + 12);
	return scst_cmd_reply(cmd, buf, sizeof(buf));
}

/* The medium stays as long as any nexus prevents its removal (SPC-4 6.13). */
static scst_sense_t scst_spc_prevent_allow(struct scst_cmd *cmd)
{
	struct scst_device *dev = cmd->nexus->dev;
	unsigned long flags;

	spin_lock_irqsave(&dev->state_lock, flags);
	/* Else a reset came first: the last word. */
	if (!scst_cmd_aborted(cmd))
		cmd->nexus->prevent_removal = cmd->cdb[4] & 0x01;
	spin_unlock_irqrestore(&dev->state_lock, flags);
	return SCST_OK;
}

const scst_op_fn scst_ops[SCST_OP_NR] = {
	[SCST_OP_TEST_UNIT_READY]	= scst_spc_test_unit_ready,
	[SCST_OP_REQUEST_SENSE]		= scst_spc_request_sense,
	[SCST_OP_INQUIRY]		= scst_spc_inquiry,
	[SCST_OP_MODE_SELECT]		= scst_spc_mode_select,
	[SCST_OP_MODE_SENSE]		= scst_spc_mode_sense,
	[SCST_OP_RESERVE]		= scst_spc_reserve,
	[SCST_OP_RELEASE]		= scst_spc_release,
	[SCST_OP_START_STOP_UNIT]	= scst_sbc_start_stop,
	[SCST_OP_SEND_DIAGNOSTIC]	= scst_spc_good,
	[SCST_OP_PREVENT_ALLOW]		= scst_spc_prevent_allow,
	[SCST_OP_READ_CAPACITY_10]	= scst_sbc_read_capacity_10,
	[SCST_OP_READ_CAPACITY_16]	= scst_sbc_read_capacity_16,
	[SCST_OP_VERIFY]		= scst_sbc_verify,
	[SCST_OP_WRITE_AND_VERIFY]	= scst_sbc_write_and_verify,
	[SCST_OP_SYNCHRONIZE_CACHE]	= scst_sbc_synchronize_cache,
	[SCST_OP_WRITE_SAME]		= scst_sbc_write_same,
	[SCST_OP_UNMAP]			= scst_sbc_unmap,
	[SCST_OP_COMPARE_AND_WRITE]	= scst_sbc_compare_and_write,
	[SCST_OP_GET_LBA_STATUS]	= scst_sbc_get_lba_status,
	[SCST_OP_LOG_SELECT]		= scst_spc_no_log_page,
	[SCST_OP_LOG_SENSE]		= scst_spc_no_log_page,
	[SCST_OP_READ_TOC]		= scst_mmc_read_toc,
	[SCST_OP_REPORT_LUNS]		= scst_spc_report_luns,
	[SCST_OP_REPORT_OPCODES]	= scst_spc_report_opcodes,
	[SCST_OP_REPORT_TMF]		= scst_spc_report_tmf,
};
