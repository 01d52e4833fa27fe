// SPDX-License-Identifier: GPL-2.0
/*
 * vdisk_blockio: a logical unit on a block device, past the page cache.
 *
 * READ and WRITE are submitted from a handler thread and finish where the
 * device finishes them. When a part of a command fails, a work item goes
 * through its blocks one by one: the initiator is to learn which one it was,
 * and the block layer tells only that a bio failed.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bio.h>
#include <linux/slab.h>

#include "vdisk.h"

#define BLOCKIO_LOCATE_STEP	(64U << 10)

struct blockio {
	struct block_device *bdev;
	struct vdisk_claim claim;
	fmode_t mode;
	bool store_read_only;
	bool opened;		/* at least once: optimal sizes are set */
};

/* A command whose bios failed, on its way to process context. */
struct blockio_failure {
	struct work_struct work;
	struct scst_cmd *cmd;
	int err;
};

/* ---- data -------------------------------------------------------------- */

/* The block layer only warns of writes to a device that was set read-only. */
static bool blockio_refuses(const struct blockio *blockio, const struct scst_io *io)
{
	return io->write && bdev_read_only(blockio->bdev);
}

static blk_opf_t blockio_opf(struct scst_device *dev, bool write, bool fua)
{
	const struct scst_device_params *p = scst_device_params(dev);

	if (!write)
		return REQ_OP_READ;
	if ((fua || READ_ONCE(p->write_through)) && !READ_ONCE(p->nv_cache))
		return REQ_OP_WRITE | REQ_SYNC | REQ_IDLE | REQ_FUA;
	return REQ_OP_WRITE | REQ_SYNC | REQ_IDLE;
}

/**
 * blockio_build() - put a part of an I/O into bios
 * @bdev: device
 * @opf: operation and flags
 * @io: position on the medium and buffer
 * @skip: bytes of @io to leave out
 * @len: bytes to transfer after that, not 0
 *
 * Return: the last bio, not submitted, which completes after all others.
 */
static struct bio *blockio_build(struct block_device *bdev, blk_opf_t opf,
				 const struct scst_io *io, u32 skip, u32 len)
{
	sector_t sector = (io->pos + skip) >> SECTOR_SHIFT;
	unsigned int nents = io->nents;
	struct scatterlist *sg;
	struct bio *bio;

	for (sg = io->sgl; skip >= sg->length; sg = sg_next(sg)) {
		skip -= sg->length;
		nents--;
	}
	bio = bio_alloc(bdev, bio_max_segs(nents), opf, GFP_NOIO);
	bio->bi_iter.bi_sector = sector;
	for (; len; sg = sg_next(sg), nents--) {
		u32 part = min(sg->length - skip, len);

		while (bio_add_page(bio, sg_page(sg), part, sg->offset + skip) != part) {
			bio = blk_next_bio(bio, bdev, bio_max_segs(nents), opf, GFP_NOIO);
			bio->bi_iter.bi_sector = sector;
		}
		sector += part >> SECTOR_SHIFT;
		len -= part;
		skip = 0;
	}
	return bio;
}

static int blockio_transfer(struct block_device *bdev, blk_opf_t opf, const struct scst_io *io,
			    u32 skip, u32 len)
{
	struct bio *bio = blockio_build(bdev, opf, io, skip, len);
	int err = submit_bio_wait(bio);

	bio_put(bio);
	return err;
}

static bool blockio_is_medium_error(int err)
{
	return err == -EIO || err == -ENODATA || err == -EILSEQ;
}

/* Repeat a failed transfer in small steps; io->done ends at the block that fails. */
static int blockio_locate(struct block_device *bdev, blk_opf_t opf, struct scst_io *io, u32 len,
			  int err)
{
	u32 step = BLOCKIO_LOCATE_STEP;

	if (!blockio_is_medium_error(err))
		return err;
	while (io->done < len) {
		u32 part = min(step, len - io->done);

		err = blockio_transfer(bdev, opf, io, io->done, part);
		if (!err)
			io->done += part;
		else if (step == BLOCKIO_LOCATE_STEP)
			step = bdev_logical_block_size(bdev);
		else
			return err;
	}
	return 0;
}

/* The block of which the transport wants only the beginning. */
static int blockio_read_tail(struct block_device *bdev, struct scst_io *io)
{
	unsigned int block = bdev_logical_block_size(bdev);
	void *buf = kmalloc(block, GFP_NOIO);
	struct scatterlist sg;
	struct scst_io tail = {
		.pos	= io->pos + io->done,
		.len	= block,
		.sgl	= &sg,
		.nents	= 1,
	};
	int err;

	if (!buf)
		return -ENOMEM;
	sg_init_one(&sg, buf, block);
	err = blockio_transfer(bdev, REQ_OP_READ, &tail, 0, block);
	if (!err) {
		sg_pcopy_from_buffer(io->sgl, io->nents, buf, io->len - io->done, io->done);
		io->done = io->len;
	}
	kfree(buf);
	return err;
}

static int blockio_io(struct scst_device *dev, struct scst_io *io)
{
	const struct blockio *blockio = scst_device_priv(dev);
	blk_opf_t opf = blockio_opf(dev, io->write, io->fua);
	u32 len = round_down(io->len, bdev_logical_block_size(blockio->bdev));
	int err = 0;

	if (unlikely(blockio_refuses(blockio, io)))
		return -EROFS;
	if (len) {
		err = blockio_transfer(blockio->bdev, opf, io, 0, len);
		if (err)
			err = blockio_locate(blockio->bdev, opf, io, len, err);
		else
			io->done = len;
	}
	if (!err && io->done < io->len)
		err = io->write ? -EINVAL : blockio_read_tail(blockio->bdev, io);
	return err;
}

static void blockio_cmd_io(struct scst_cmd *cmd, struct scst_io *io)
{
	*io = (struct scst_io) {
		.write	= cmd->cdb_info.dir == SCST_DATA_OUT,
		.fua	= cmd->cdb_info.fua,
		.pos	= scst_cmd_pos(cmd),
		.len	= cmd->data_len,
		.sgl	= cmd->sgl,
		.nents	= cmd->sg_nents,
	};
}

static void blockio_failure_work(struct work_struct *work)
{
	struct blockio_failure *failure = container_of(work, struct blockio_failure, work);
	struct scst_cmd *cmd = failure->cmd;
	struct scst_device *dev = scst_cmd_device(cmd);
	const struct blockio *blockio = scst_device_priv(dev);
	struct scst_io io;
	int err;

	blockio_cmd_io(cmd, &io);
	err = blockio_locate(blockio->bdev, blockio_opf(dev, io.write, io.fua), &io, io.len,
			     failure->err);
	kfree(failure);
	scst_cmd_done(cmd, err, io.done);
}

static void blockio_failed(struct scst_cmd *cmd, int err)
{
	struct blockio_failure *failure = NULL;

	if (blockio_is_medium_error(err))
		failure = kmalloc(sizeof(*failure), GFP_ATOMIC);
	if (!failure) {
		scst_cmd_done(cmd, err, 0);
		return;
	}
	INIT_WORK(&failure->work, blockio_failure_work);
	failure->cmd = cmd;
	failure->err = err;
	queue_work(vdisk_wq, &failure->work);
}

static void blockio_end_io(struct bio *bio)
{
	struct scst_cmd *cmd = bio->bi_private;
	int err = blk_status_to_errno(bio->bi_status);

	bio_put(bio);
	if (unlikely(err))
		blockio_failed(cmd, err);
	else
		scst_cmd_done(cmd, 0, 0);
}

static void blockio_rw(struct scst_cmd *cmd)
{
	struct scst_device *dev = scst_cmd_device(cmd);
	const struct blockio *blockio = scst_device_priv(dev);
	struct scst_io io;
	struct bio *bio;
	int err;

	blockio_cmd_io(cmd, &io);
	if (unlikely(blockio_refuses(blockio, &io) || !io.len ||
		     io.len & (bdev_logical_block_size(blockio->bdev) - 1))) {
		err = blockio_io(dev, &io);
		scst_cmd_done(cmd, err, io.done);
		return;
	}
	bio = blockio_build(blockio->bdev, blockio_opf(dev, io.write, io.fua), &io, 0, io.len);
	bio->bi_private = cmd;
	bio->bi_end_io = blockio_end_io;
	submit_bio(bio);
}

static int blockio_flush(struct scst_device *dev, loff_t pos, loff_t len)
{
	const struct scst_device_params *p = scst_device_params(dev);
	const struct blockio *blockio = scst_device_priv(dev);

	if (READ_ONCE(p->nv_cache) || READ_ONCE(p->write_through))
		return 0;
	return blkdev_issue_flush(blockio->bdev);
}

/* A discard is a hint: a device that has forgotten how to (its table changed) keeps the blocks. */
static int blockio_unmap(struct scst_device *dev, loff_t pos, loff_t len)
{
	const struct blockio *blockio = scst_device_priv(dev);
	int err = blkdev_issue_discard(blockio->bdev, pos >> SECTOR_SHIFT, len >> SECTOR_SHIFT,
				       GFP_NOIO);

	return err == -EOPNOTSUPP ? 0 : err;
}

/* The administrator may use less than the device, and not more. */
static int blockio_resize(struct scst_device *dev, u64 *bytes, bool set)
{
	const struct blockio *blockio = scst_device_priv(dev);
	u64 have = bdev_nr_bytes(blockio->bdev);

	if (set && *bytes > have) {
		pr_err("%s: %s has only %llu bytes\n", scst_device_name(dev),
		       scst_device_params(dev)->filename, have);
		return -EINVAL;
	}
	if (!set)
		*bytes = have;
	return 0;
}

/* ---- opening ------------------------------------------------------------ */

static struct block_device *blockio_get(struct scst_device *dev, struct blockio *blockio)
{
	const struct scst_device_params *p = scst_device_params(dev);
	struct block_device *bdev;

	blockio->mode = FMODE_READ | FMODE_EXCL | (p->read_only ? 0 : FMODE_WRITE);
	bdev = blkdev_get_by_path(p->filename, blockio->mode, dev);
	if (!IS_ERR(bdev) && !p->read_only && bdev_read_only(bdev)) {
		blkdev_put(bdev, blockio->mode);
		return ERR_PTR(-EROFS);
	}
	/* The same by an older check of the block layer. */
	return bdev == ERR_PTR(-EACCES) ? ERR_PTR(-EROFS) : bdev;
}

static struct block_device *blockio_get_or_read_only(struct scst_device *dev,
						     struct blockio *blockio)
{
	struct scst_device_params *p = scst_device_params(dev);
	struct block_device *bdev;

	if (blockio->store_read_only) {
		/* That was at the last opening; the device may be writable now. */
		p->read_only = false;
		blockio->store_read_only = false;
	}
	bdev = blockio_get(dev, blockio);
	if (bdev == ERR_PTR(-EROFS) && !p->read_only) {
		pr_notice("%s: %s cannot be written, the device is read-only\n",
			  scst_device_name(dev), p->filename);
		p->read_only = true;
		blockio->store_read_only = true;
		bdev = blockio_get(dev, blockio);
	}
	if (IS_ERR(bdev))
		vdisk_log_open_error(dev, PTR_ERR(bdev));
	return bdev;
}

static int blockio_check_block(struct scst_device *dev, struct block_device *bdev)
{
	const struct scst_device_params *p = scst_device_params(dev);
	unsigned int block = bdev_logical_block_size(bdev);

	if (block <= BIT(p->block_shift))
		return 0;
	pr_err("%s: %s has blocks of %u bytes, blocksize must be at least that\n",
	       scst_device_name(dev), p->filename, block);
	return -EINVAL;
}

/* A device without a volatile cache needs no flushes, and some refuse them. */
static void blockio_probe_flush(struct scst_device *dev, struct block_device *bdev)
{
	struct scst_device_params *p = scst_device_params(dev);
	int err;

	if (p->read_only || p->nv_cache || p->write_through)
		return;
	err = blkdev_issue_flush(bdev);
	if (err == -EOPNOTSUPP) {
		pr_notice("%s: %s does not know flushes, nv_cache is on\n", scst_device_name(dev),
			  p->filename);
		p->nv_cache = true;
	} else if (err) {
		pr_warn("%s: flushing %s failed: %pe\n", scst_device_name(dev), p->filename,
			ERR_PTR(err));
	}
}

static void blockio_set_thin(struct scst_device *dev, struct block_device *bdev)
{
	struct scst_device_params *p = scst_device_params(dev);
	sector_t max = bdev_max_discard_sectors(bdev);

	if (!p->thin_set) {
		p->thin = max;
	} else if (p->thin && !max) {
		pr_warn("%s: %s does not support discard, thin_provisioned is off\n",
			scst_device_name(dev), p->filename);
		p->thin = false;
	}
	/* What a discarded block reads as is not defined by the block layer. */
	p->lbprz = false;
	p->max_unmap_blocks = max << SECTOR_SHIFT >> p->block_shift;
	p->unmap_granularity = max(bdev_discard_granularity(bdev) >> p->block_shift, 1U);
	p->unmap_alignment = bdev_discard_alignment(bdev) >> p->block_shift;
}

static int blockio_open(struct scst_device *dev)
{
	struct scst_device_params *p = scst_device_params(dev);
	struct blockio *blockio = scst_device_priv(dev);
	struct block_device *bdev = blockio_get_or_read_only(dev, blockio);
	int err;

	if (IS_ERR(bdev))
		return PTR_ERR(bdev);
	err = blockio_check_block(dev, bdev);
	if (err) {
		blkdev_put(bdev, blockio->mode);
		return err;
	}
	blockio->bdev = bdev;
	vdisk_claim_add(&blockio->claim, bdev, dev);
	blockio_probe_flush(dev, bdev);
	blockio_set_thin(dev, bdev);
	/* What the administrator made smaller stays so, as long as the device is large enough. */
	if (!p->size_set || p->size_bytes > bdev_nr_bytes(bdev))
		p->size_bytes = bdev_nr_bytes(bdev);
	p->phys_block_shift = ilog2(bdev_physical_block_size(bdev));
	/* Later openings leave alone what the administrator may have written meanwhile. */
	if (!blockio->opened && bdev_io_opt(bdev))
		p->opt_trans_len = round_up(bdev_io_opt(bdev), BIT(p->block_shift));
	blockio->opened = true;
	return 0;
}

/* The device is free for others when this returns. */
static void blockio_close(struct scst_device *dev)
{
	struct blockio *blockio = scst_device_priv(dev);

	vdisk_claim_del(&blockio->claim);
	blkdev_put(blockio->bdev, blockio->mode);
	blockio->bdev = NULL;
}

static int blockio_create(struct scst_device *dev)
{
	struct blockio *blockio = kzalloc(sizeof(*blockio), GFP_KERNEL);

	if (!blockio)
		return -ENOMEM;
	scst_device_set_priv(dev, blockio);
	return 0;
}

static void blockio_destroy(struct scst_device *dev)
{
	kfree(scst_device_priv(dev));
}

struct scst_handler_ops vdisk_blockio_ops __ro_after_init = {
	.owner		= THIS_MODULE,
	.name		= "vdisk_blockio",
	.type		= SCST_TYPE_DISK,
	.flags		= SCST_HANDLER_IRQ_DONE,
	.dev_attrs	= SCST_DEV_FILENAME | SCST_DEV_BLOCKSIZE | SCST_DEV_READ_ONLY |
			  SCST_DEV_WRITE_CACHE | SCST_DEV_ROTATIONAL | SCST_DEV_THIN |
			  SCST_DEV_REMOVABLE | SCST_DEV_ACTIVE | SCST_DEV_SIZE_RW |
			  SCST_DEV_CLUSTER | SCST_DEV_BIND_ALUA,
	.vendor		= "SCST_BIO",
	.threads_num	= 1,
	.block_shift	= 9,
	.create		= blockio_create,
	.open		= blockio_open,
	.close		= blockio_close,
	.destroy	= blockio_destroy,
	.resize		= blockio_resize,
	.rw		= blockio_rw,
	.io		= blockio_io,
	.flush		= blockio_flush,
	.unmap		= blockio_unmap,
};
