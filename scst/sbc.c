// SPDX-License-Identifier: GPL-2.0
/*
 * Device server, block commands (SBC-3) but for plain READ and WRITE, which go
 * straight to the handler. Those that move blocks run in handler threads and
 * use the handler's synchronous ->io().
 */
#include <linux/slab.h>

#include "internal.h"

/* ---- capacity and state ------------------------------------------------ */

scst_sense_t scst_sbc_read_capacity_10(struct scst_cmd *cmd)
{
	const struct scst_device *dev = cmd->nexus->dev;
	u64 nblocks = READ_ONCE(dev->nblocks);
	u8 buf[8];

	/* LBA without PMI (SBC-2). */
	if (!(cmd->cdb[8] & 0x01) && get_unaligned_be32(cmd->cdb + 2))
		return SCST_CDB_FIELD(2);
	if (!nblocks)
		return SCST_NO_MEDIUM;
	put_unaligned_be32(min_t(u64, nblocks - 1, U32_MAX), buf);
	put_unaligned_be32(BIT(dev->p.block_shift), buf + 4);
	return scst_cmd_reply(cmd, buf, sizeof(buf));
}

scst_sense_t scst_sbc_read_capacity_16(struct scst_cmd *cmd)
{
	const struct scst_device *dev = cmd->nexus->dev;
	const struct scst_device_params *p = &dev->p;
	u64 nblocks = READ_ONCE(dev->nblocks);
	u8 buf[32] = {};

	if (!(cmd->cdb[14] & 0x01) && get_unaligned_be64(cmd->cdb + 2))
		return SCST_CDB_FIELD(2);
	if (!nblocks)
		return SCST_NO_MEDIUM;
	put_unaligned_be64(nblocks - 1, buf);
	put_unaligned_be32(BIT(p->block_shift), buf + 8);
	if (p->lb_per_pb_exp && p->phys_block_shift > p->block_shift)
		buf[13] = min(p->phys_block_shift - p->block_shift, 0xf);
	if (p->thin) {
		buf[14] = 0x80;			/* LBPME */
		if (p->lbprz)
			buf[14] |= 0x40;
	}
	return scst_cmd_reply(cmd, buf, sizeof(buf));
}

/* The command is long over; its nexus, and so the device, is held. */
void scst_sbc_flush_work(struct work_struct *work)
{
	struct scst_nexus *nexus = container_of(work, struct scst_nexus, flush_work);
	struct scst_device *dev = nexus->dev;

	/* The gate does not know of this: keep the store open by hand. */
	mutex_lock(&dev->open_lock);
	if (!test_bit(SCST_GATE_CLOSED, &dev->gate))
		scst_device_flush(dev, nexus->flush_pos, nexus->flush_len);
	mutex_unlock(&dev->open_lock);
	clear_bit_unlock(0, &nexus->flushing);
	scst_nexus_put(nexus);
}

/* One at a time for each nexus, so that nobody piles them up. */
static bool scst_sbc_flush_later(struct scst_nexus *nexus, loff_t pos, loff_t len)
{
	if (!nexus->dev->ops->flush || test_and_set_bit_lock(0, &nexus->flushing))
		return false;
	nexus->flush_pos = pos;
	nexus->flush_len = len;
	percpu_ref_get(&nexus->ref);
	queue_work(scst_flush_wq, &nexus->flush_work);
	return true;
}

/* With IMMED an error comes after GOOD; the next SYNCHRONIZE CACHE tells of it (lost.c). */
scst_sense_t scst_sbc_synchronize_cache(struct scst_cmd *cmd)
{
	loff_t len = (loff_t)cmd->cdb_info.nblocks << cmd->nexus->dev->p.block_shift;
	loff_t pos = scst_cmd_pos(cmd);

	if (cmd->cdb[1] & 0x02 && scst_sbc_flush_later(cmd->nexus, pos, len))
		return SCST_OK;
	return scst_nexus_flush(cmd->nexus, pos, len);
}

/* No power conditions and no eject: a stop makes the data safe. */
scst_sense_t scst_sbc_start_stop(struct scst_cmd *cmd)
{
	return scst_nexus_flush(cmd->nexus, 0, 0);
}

/* Not offered (the mapping is the backing store's business); the answer is not INVALID OPCODE. */
scst_sense_t scst_sbc_get_lba_status(struct scst_cmd *cmd)
{
	return SCST_CDB_FIELD_BIT(1, 0);
}

/* ---- pieces ------------------------------------------------------------ */

/* A piece of memory for commands that move more than they were given. */
struct scst_piece {
	u8 *buf;
	u32 bytes;
	struct scatterlist sg;
};

#define SCST_PIECE_BYTES	(64U << 10)

static int scst_piece_alloc(struct scst_piece *piece, u64 want, u32 block)
{
	u32 bytes = max_t(u64, min_t(u64, want, SCST_PIECE_BYTES), block);

	piece->buf = kmalloc(bytes, GFP_KERNEL | __GFP_NOWARN | __GFP_NORETRY);
	if (!piece->buf && bytes > block) {
		bytes = block;
		piece->buf = kmalloc(bytes, GFP_KERNEL);
	}
	piece->bytes = bytes;
	return piece->buf ? 0 : -ENOMEM;
}

static int scst_piece_io(struct scst_cmd *cmd, struct scst_piece *piece, bool write, u64 off,
			 u32 len, u32 *done)
{
	struct scst_device *dev = cmd->nexus->dev;
	struct scst_io io = {
		.write	= write,
		.fua	= write && scst_cmd_fua(cmd),
		.pos	= scst_cmd_pos(cmd) + off,
		.len	= len,
		.sgl	= &piece->sg,
		.nents	= 1,
	};
	int err;

	sg_init_one(&piece->sg, piece->buf, len);
	err = dev->ops->io(dev, &io);
	*done = io.done;
	return err;
}

/* Offset of the first byte of @sgl behind @skip that differs from @buf, or -1. */
static s64 scst_sgl_compare(struct scatterlist *sgl, unsigned int nents, u64 skip, const u8 *buf,
			    u32 len)
{
	struct sg_mapping_iter miter;
	s64 differs = -1;
	u32 off = 0;

	sg_miter_start(&miter, sgl, nents, SG_MITER_ATOMIC | SG_MITER_FROM_SG);
	if (!sg_miter_skip(&miter, skip))
		differs = 0;
	while (differs < 0 && off < len && sg_miter_next(&miter)) {
		u32 n = min_t(u32, miter.length, len - off), i;

		if (memcmp(miter.addr, buf + off, n)) {
			for (i = 0; ((u8 *)miter.addr)[i] == buf[off + i]; i++)
				;
			differs = off + i;
		}
		off += n;
	}
	sg_miter_stop(&miter);
	return differs;
}

static scst_sense_t scst_sbc_miscompare(struct scst_cmd *cmd, u64 off)
{
	cmd->sense_info = off;
	cmd->has_sense_info = true;
	return SCST_MISCOMPARE;
}

/*
 * Read what the command names; compare with the first bytes of its Data-Out if
 * @compare. A handler that keeps nothing has nothing to compare with.
 */
static scst_sense_t scst_sbc_read_back(struct scst_cmd *cmd, bool compare)
{
	struct scst_device *dev = cmd->nexus->dev;
	u64 len = (u64)cmd->cdb_info.nblocks << dev->p.block_shift, off;
	struct scst_piece piece;
	scst_sense_t sense = SCST_OK;
	u32 n, done;
	s64 differs;
	int err;

	if (!len || dev->ops->flags & SCST_HANDLER_NO_DATA)
		return SCST_OK;
	if (scst_piece_alloc(&piece, len, BIT(dev->p.block_shift)))
		return SCST_BUSY;
	for (off = 0; off < len && !scst_cmd_aborted(cmd); off += n) {
		n = min_t(u64, len - off, piece.bytes);
		err = scst_piece_io(cmd, &piece, false, off, n, &done);
		if (err) {
			sense = scst_cmd_medium_error(cmd, err, false, off + done);
			break;
		}
		if (!compare)
			continue;
		differs = scst_sgl_compare(cmd->sgl, cmd->sg_nents, off, piece.buf, n);
		if (differs >= 0) {
			sense = scst_sbc_miscompare(cmd, off + differs);
			break;
		}
	}
	kfree(piece.buf);
	return sense;
}

/* A part of a scatterlist, as a table of its own. */
static int scst_sgl_slice(struct sg_table *table, struct scatterlist *sgl, unsigned int nents,
			  u64 skip, u32 len)
{
	struct scatterlist *sg, *out;
	unsigned int i, used = 0;
	int err;

	err = sg_alloc_table(table, nents, GFP_KERNEL);
	if (err)
		return err;
	out = table->sgl;
	for_each_sg(sgl, sg, nents, i) {
		u32 n;

		if (skip >= sg->length) {
			skip -= sg->length;
			continue;
		}
		n = min_t(u32, len, sg->length - skip);
		if (!n)
			break;
		sg_set_page(out, sg_page(sg), n, sg->offset + skip);
		out = sg_next(out);
		skip = 0;
		len -= n;
		used++;
	}
	table->nents = used;
	return len ? -EINVAL : 0;
}

/* Write a part of the command's Data-Out to where the command points. */
static scst_sense_t scst_sbc_write_data(struct scst_cmd *cmd, u64 skip, u32 len)
{
	struct scst_device *dev = cmd->nexus->dev;
	struct scst_io io = {
		.write	= true,
		.fua	= scst_cmd_fua(cmd),
		.pos	= scst_cmd_pos(cmd),
		.len	= len,
		.sgl	= cmd->sgl,
		.nents	= cmd->sg_nents,
	};
	struct sg_table table = {};
	int err = 0;

	if (!len)
		return SCST_OK;
	if (skip || len != cmd->data_len) {
		err = scst_sgl_slice(&table, cmd->sgl, cmd->sg_nents, skip, len);
		io.sgl = table.sgl;
		io.nents = table.nents;
	}
	if (!err)
		err = dev->ops->io(dev, &io);
	sg_free_table(&table);
	return err ? scst_cmd_medium_error(cmd, err, true, io.done) : SCST_OK;
}

/* ---- VERIFY, WRITE AND VERIFY, COMPARE AND WRITE ------------------------ */

static bool scst_sbc_bytchk(const struct scst_cmd *cmd)
{
	return cmd->cdb[1] & 0x02;
}

/* Data-Out that is compared must be complete. */
static bool scst_sbc_data_missing(const struct scst_cmd *cmd)
{
	return cmd->data_len != cmd->cdb_info.xfer_len;
}

/* Commands whose Data-Out has one possible length take no other. */
static bool scst_sbc_data_odd(const struct scst_cmd *cmd)
{
	return cmd->expected_len != cmd->cdb_info.xfer_len;
}

scst_sense_t scst_sbc_verify(struct scst_cmd *cmd)
{
	if (scst_sbc_bytchk(cmd) && scst_sbc_data_missing(cmd))
		return SCST_WRONG_IU_LENGTH;
	return scst_sbc_read_back(cmd, scst_sbc_bytchk(cmd));
}

scst_sense_t scst_sbc_write_and_verify(struct scst_cmd *cmd)
{
	scst_sense_t sense;

	if (scst_sbc_data_missing(cmd))
		return SCST_WRONG_IU_LENGTH;
	sense = scst_sbc_write_data(cmd, 0, cmd->data_len);
	return sense ?: scst_sbc_read_back(cmd, scst_sbc_bytchk(cmd));
}

scst_sense_t scst_sbc_compare_and_write(struct scst_cmd *cmd)
{
	scst_sense_t sense;
	u32 half;

	if (scst_sbc_data_odd(cmd))
		return SCST_CDB_FIELD(13);
	if (!cmd->cdb_info.nblocks)
		return SCST_OK;

	half = cmd->data_len / 2;
	scst_atomic_begin(cmd);
	sense = scst_sbc_read_back(cmd, true);
	/* An abort ends the comparison early, without a verdict. */
	if (!sense && !scst_cmd_aborted(cmd))
		sense = scst_sbc_write_data(cmd, half, half);
	scst_atomic_end(cmd);
	return sense;
}

/* ---- WRITE SAME, UNMAP -------------------------------------------------- */

static scst_sense_t scst_sbc_unmap_range(struct scst_cmd *cmd, u64 lba, u32 nblocks)
{
	struct scst_device *dev = cmd->nexus->dev;
	u8 shift = dev->p.block_shift;
	int err;

	if (!nblocks)
		return SCST_OK;
	err = dev->ops->unmap(dev, (loff_t)lba << shift, (loff_t)nblocks << shift);
	return scst_errno_sense(err, true);
}

/* The block that was received, as often as it fits. */
static void scst_sbc_repeat_block(struct scst_piece *piece, u32 block)
{
	u32 off;

	for (off = block; off < piece->bytes; off += block)
		memcpy(piece->buf + off, piece->buf, block);
}

scst_sense_t scst_sbc_write_same(struct scst_cmd *cmd)
{
	struct scst_device *dev = cmd->nexus->dev;
	u32 block = BIT(dev->p.block_shift), n, done;
	struct scst_write_same ws;
	struct scst_piece piece;
	scst_sense_t sense;
	u64 len, off;
	int err;

	sense = scst_write_same_check(cmd->cdb, cmd->cdb_info.nblocks,
				      SCST_MAX_WRITE_SAME >> dev->p.block_shift, dev->p.thin, &ws);
	if (sense)
		return sense;
	if (scst_sbc_data_odd(cmd))
		return SCST_WRONG_IU_LENGTH;
	if (ws.unmap)
		return scst_sbc_unmap_range(cmd, cmd->cdb_info.lba, cmd->cdb_info.nblocks);

	len = (u64)cmd->cdb_info.nblocks << dev->p.block_shift;
	if (scst_piece_alloc(&piece, len, block))
		return SCST_BUSY;
	piece.bytes = round_down(piece.bytes, block);
	scst_cmd_data_out(cmd, piece.buf, block);
	scst_sbc_repeat_block(&piece, block);
	for (off = 0; off < len && !scst_cmd_aborted(cmd); off += n) {
		n = min_t(u64, len - off, piece.bytes);
		err = scst_piece_io(cmd, &piece, true, off, n, &done);
		if (err) {
			sense = scst_cmd_medium_error(cmd, err, true, off + done);
			break;
		}
	}
	kfree(piece.buf);
	return sense;
}

scst_sense_t scst_sbc_unmap(struct scst_cmd *cmd)
{
	struct scst_device *dev = cmd->nexus->dev;
	u64 nblocks = READ_ONCE(dev->nblocks);
	struct scst_unmap_range range;
	unsigned int count, i;
	scst_sense_t sense;
	u8 *buf;

	if (cmd->cdb[1] & 0x01)			/* ANCHOR */
		return SCST_CDB_FIELD_BIT(1, 0);
	if (!cmd->cdb_info.xfer_len)
		return SCST_OK;
	if (scst_sbc_data_missing(cmd))
		return SCST_PARAM_LIST_LENGTH;
	buf = kvmalloc(cmd->data_len, GFP_KERNEL);
	if (!buf)
		return SCST_BUSY;
	scst_cmd_data_out(cmd, buf, cmd->data_len);

	sense = scst_unmap_count(buf, cmd->data_len, dev->p.max_unmap_blocks, &count);
	for (i = 0; !sense && i < count && !scst_cmd_aborted(cmd); i++) {
		scst_unmap_get(buf, i, &range);
		if (range.lba > nblocks || range.nblocks > nblocks - range.lba)
			sense = SCST_LBA_RANGE;
		else
			sense = scst_sbc_unmap_range(cmd, range.lba, range.nblocks);
	}
	kvfree(buf);
	return sense;
}
