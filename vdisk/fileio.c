// SPDX-License-Identifier: GPL-2.0
/*
 * vdisk_fileio: a logical unit in a regular file or, through the page cache,
 * on a block device.
 *
 * The file is called the way the VFS itself calls it, with an iterator over
 * the command's own buffer, from a handler thread. Durability is decided per
 * write (IOCB_DSYNC) and not when the file is opened, because MODE SELECT may
 * switch the write cache at any time.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bvec.h>
#include <linux/falloc.h>
#include <linux/file.h>
#include <linux/pagemap.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/stat.h>
#include <linux/uio.h>

#include "vdisk.h"

/* Enough for 64 KB in single pages, or 4 MB in the core's blocks. */
#define FILEIO_STACK_VECS	16

#define FILEIO_MAX_UNMAP_BYTES	(256U << 20)

/* ---- data -------------------------------------------------------------- */

static unsigned int fileio_fill_bvec(struct bio_vec *bvec, const struct scst_io *io)
{
	struct scatterlist *sg;
	u32 left = io->len;
	unsigned int i;

	for_each_sg(io->sgl, sg, io->nents, i) {
		u32 len = min(sg->length, left);

		bvec_set_page(&bvec[i], sg_page(sg), len, sg->offset);
		left -= len;
		if (!left)
			return i + 1;
	}
	return io->nents;
}

/* Nothing but an error or the end of the file keeps a transfer short. */
static int fileio_read(const struct vdisk_file *vf, struct kiocb *kiocb, struct iov_iter *iter,
		       struct scst_io *io)
{
	ssize_t ret;

	if (vf->tmpfs) {
		io->done = vdisk_tmpfs_read(vf->file, io->pos, iter);
		if (likely(io->done == io->len))
			return 0;
		if (io->nowait)
			return -EAGAIN;
		kiocb->ki_pos += io->done;
	}
	do {
		ret = call_read_iter(kiocb->ki_filp, kiocb, iter);
		if (unlikely(ret <= 0))
			return ret ?: -EIO;
		io->done += ret;
	} while (unlikely(io->done < io->len));
	return 0;
}

/* @step: write this much at a time, or 0 */
static int fileio_write(struct kiocb *kiocb, struct iov_iter *iter, struct scst_io *io, u32 step)
{
	struct file *file = kiocb->ki_filp;
	unsigned int task_flags = current->flags;
	ssize_t ret;

	/*
	 * The initiator may run on this machine and its writeback may be waiting
	 * for us: throttle only against the device below this file.
	 */
	current->flags |= PF_LOCAL_THROTTLE;
	file_start_write(file);
	do {
		if (unlikely(step))
			iov_iter_truncate(iter, step - (kiocb->ki_pos & (step - 1)));
		ret = call_write_iter(file, kiocb, iter);
		if (unlikely(ret <= 0)) {
			ret = ret ?: -EIO;
			break;
		}
		io->done += ret;
		ret = 0;
		if (unlikely(step))
			iov_iter_reexpand(iter, io->len - io->done);
	} while (unlikely(io->done < io->len));
	file_end_write(file);
	current_restore_flags(task_flags, PF_LOCAL_THROTTLE);
	return ret;
}

/*
 * A write that was to be stable is not. Which of its blocks is bad, or whether it
 * was the data of others that could not be written, shows when it is done again
 * piece by piece. Others are told that data may be lost: the file reports that to
 * only one of us.
 */
static int fileio_write_again(struct scst_device *dev, struct kiocb *kiocb, struct iov_iter *iter,
			      struct scst_io *io, int err)
{
	scst_device_data_lost(dev, err);
	io->done = 0;
	kiocb->ki_pos = io->pos;
	return fileio_write(kiocb, iter, io, PAGE_SIZE);
}

/* A file that was cut must not grow again: what was lost would read as zeroes. */
static bool fileio_was_cut(const struct file *file, struct scst_io *io)
{
	loff_t size = i_size_read(file->f_mapping->host);

	if (likely(io->pos + io->len <= size))
		return false;
	io->done = size > io->pos ? size - io->pos : 0;
	return true;
}

/* With nv_cache nobody flushes, so look whether the kernel could write what is in its cache. */
static void fileio_check_writeback(struct scst_device *dev, struct file *file)
{
	int err;

	if (likely(!filemap_check_wb_err(file->f_mapping, READ_ONCE(file->f_wb_err))) ||
	    !READ_ONCE(scst_device_params(dev)->nv_cache))
		return;
	err = file_check_and_advance_wb_err(file);
	if (err)
		scst_device_data_lost(dev, err);
}

int vdisk_file_io(struct scst_device *dev, struct scst_io *io)
{
	const struct vdisk_file *vf = scst_device_priv(dev);
	struct bio_vec stack[FILEIO_STACK_VECS], *bvec = stack;
	struct iov_iter iter, start;
	struct kiocb kiocb;
	unsigned int noio;
	int err;

	if (unlikely(!vf->file))
		return -ENOMEDIUM;
	fileio_check_writeback(dev, vf->file);
	if (io->write && fileio_was_cut(vf->file, io))
		return -EIO;
	/* Reclaim must not wait for an initiator that waits for us. */
	noio = memalloc_noio_save();
	if (io->nents > ARRAY_SIZE(stack)) {
		bvec = kmalloc_array(io->nents, sizeof(*bvec),
				     io->nowait ? GFP_NOWAIT | __GFP_NOWARN : GFP_KERNEL);
		if (unlikely(!bvec)) {
			err = io->nowait ? -EAGAIN : -ENOMEM;
			goto restore;
		}
	}
	init_sync_kiocb(&kiocb, vf->file);
	kiocb.ki_pos = io->pos;
	if (io->nowait)
		kiocb.ki_flags |= IOCB_NOWAIT;
	/* The transport wants the beginning of a block only: by way of the page cache. */
	if (unlikely(kiocb.ki_flags & IOCB_DIRECT) &&
	    io->len & (BIT(scst_device_params(dev)->block_shift) - 1))
		kiocb.ki_flags &= ~IOCB_DIRECT;
	iov_iter_bvec(&iter, io->write ? ITER_SOURCE : ITER_DEST, bvec,
		      fileio_fill_bvec(bvec, io), io->len);
	if (io->write) {
		if (io->fua)
			kiocb.ki_flags |= IOCB_DSYNC;
		start = iter;
		err = fileio_write(&kiocb, &iter, io, 0);
		/* More was taken than is done: it was the flush that failed. */
		if (unlikely(err && io->fua && io->len - iov_iter_count(&iter) > io->done))
			err = fileio_write_again(dev, &kiocb, &start, io, err);
	} else {
		err = fileio_read(vf, &kiocb, &iter, io);
	}
	if (bvec != stack)
		kfree(bvec);
restore:
	memalloc_noio_restore(noio);
	return err;
}

/*
 * With nv_cache and write_through there is nothing to do, but data that the
 * kernel could not write back is gone all the same, and this is where its
 * initiator learns of that.
 */
static int fileio_flush(struct scst_device *dev, loff_t pos, loff_t len)
{
	const struct scst_device_params *p = scst_device_params(dev);
	const struct vdisk_file *vf = scst_device_priv(dev);
	unsigned int noio;
	int err;

	if (READ_ONCE(p->nv_cache) || READ_ONCE(p->write_through))
		return file_check_and_advance_wb_err(vf->file);
	/* As for I/O. */
	noio = memalloc_noio_save();
	err = vfs_fsync_range(vf->file, pos, len ? pos + len - 1 : LLONG_MAX, 1);
	memalloc_noio_restore(noio);
	return err;
}

/* For a hole that cannot be punched: unmapped blocks were promised to read as zeroes. */
static int fileio_write_zeroes(struct scst_device *dev, loff_t pos, loff_t len)
{
	struct scatterlist sgl[FILEIO_STACK_VECS];
	struct scst_io io = { .write = true, .sgl = sgl, .nents = ARRAY_SIZE(sgl) };
	unsigned int i;
	int err;

	sg_init_table(sgl, ARRAY_SIZE(sgl));
	for (i = 0; i < ARRAY_SIZE(sgl); i++)
		sg_set_page(&sgl[i], ZERO_PAGE(0), PAGE_SIZE, 0);
	while (len) {
		io.pos = pos;
		io.len = min_t(loff_t, len, ARRAY_SIZE(sgl) * PAGE_SIZE);
		io.done = 0;
		err = vdisk_file_io(dev, &io);
		if (err)
			return err;
		pos += io.len;
		len -= io.len;
		cond_resched();
	}
	return 0;
}

static int fileio_unmap(struct scst_device *dev, loff_t pos, loff_t len)
{
	struct vdisk_file *vf = scst_device_priv(dev);
	unsigned int noio;
	int err = -EOPNOTSUPP;

	if (!vf->no_punch) {
		noio = memalloc_noio_save();
		err = vfs_fallocate(vf->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, pos, len);
		memalloc_noio_restore(noio);
	}
	if (err != -EOPNOTSUPP)
		return err;
	if (!xchg(&vf->no_punch, true))
		pr_warn("%s: %s cannot punch holes, UNMAP writes zeroes and frees no space; better set thin_provisioned=0\n",
			scst_device_name(dev), scst_device_params(dev)->filename);
	return fileio_write_zeroes(dev, pos, len);
}

int vdisk_file_resize(struct scst_device *dev, u64 *bytes, bool set)
{
	const struct vdisk_file *vf = scst_device_priv(dev);

	if (set)
		return -EINVAL;
	*bytes = i_size_read(vf->file->f_mapping->host);
	return 0;
}

/* ---- opening ------------------------------------------------------------ */

static struct block_device *fileio_bdev(const struct file *file)
{
	return S_ISBLK(file_inode(file)->i_mode) ? I_BDEV(file->f_mapping->host) : NULL;
}

static struct file *fileio_filp_open(const struct vdisk_file *vf,
				     const struct scst_device_params *p)
{
	/* Reading the disk is not to write to the file system below. */
	int flags = O_LARGEFILE | O_NOATIME | (vf->o_direct ? O_DIRECT : 0);
	struct file *file;

	/* O_EXCL without O_CREAT keeps others away from a block device, and means nothing else. */
	flags |= p->read_only ? O_RDONLY : O_RDWR | O_EXCL;
	file = filp_open(p->filename, flags, 0);
	if (!IS_ERR(file) && !p->read_only && fileio_bdev(file) &&
	    bdev_read_only(fileio_bdev(file))) {
		filp_close(file, NULL);
		return ERR_PTR(-EROFS);
	}
	return file;
}

static struct file *fileio_open_file(struct scst_device *dev, struct vdisk_file *vf)
{
	struct scst_device_params *p = scst_device_params(dev);
	struct file *file;

	if (vf->store_read_only) {
		/* That was at the last opening; the store may be writable now. */
		p->read_only = false;
		vf->store_read_only = false;
	}
	file = fileio_filp_open(vf, p);
	if (file == ERR_PTR(-EROFS) && !p->read_only) {
		pr_notice("%s: %s cannot be written, the device is read-only\n",
			  scst_device_name(dev), p->filename);
		p->read_only = true;
		vf->store_read_only = true;
		file = fileio_filp_open(vf, p);
	}
	if (file == ERR_PTR(-EINVAL) && vf->o_direct)
		pr_err("%s: the file system of %s does not support o_direct\n",
		       scst_device_name(dev), p->filename);
	else if (IS_ERR(file))
		vdisk_log_open_error(dev, PTR_ERR(file));
	return file;
}

static int fileio_check_file(struct scst_device *dev, const struct file *file)
{
	const struct scst_device_params *p = scst_device_params(dev);
	umode_t mode = file_inode(file)->i_mode;

	if (!S_ISREG(mode) && !S_ISBLK(mode)) {
		pr_err("%s: %s is neither a regular file nor a block device\n",
		       scst_device_name(dev), p->filename);
		return -EINVAL;
	}
	if (!file->f_op->read_iter || (!p->read_only && !file->f_op->write_iter)) {
		pr_err("%s: the file system of %s lacks what fileio needs\n",
		       scst_device_name(dev), p->filename);
		return -EINVAL;
	}
	return 0;
}

/* Smallest unit of direct I/O: as the file system says, or its block as a safe guess. */
static unsigned int fileio_direct_align(const struct file *file)
{
	struct block_device *bdev = fileio_bdev(file);
	struct kstat stat;

	if (bdev)
		return bdev_logical_block_size(bdev);
	if (!vfs_getattr(&file->f_path, &stat, STATX_DIOALIGN, AT_STATX_SYNC_AS_STAT) &&
	    stat.result_mask & STATX_DIOALIGN)
		return stat.dio_offset_align;
	return i_blocksize(file_inode(file));
}

static int fileio_check_direct(struct scst_device *dev, const struct file *file)
{
	const struct scst_device_params *p = scst_device_params(dev);
	unsigned int align = fileio_direct_align(file);

	if (!align) {
		pr_err("%s: %s does not support o_direct\n", scst_device_name(dev), p->filename);
		return -EINVAL;
	}
	if (align > BIT(p->block_shift)) {
		pr_err("%s: o_direct on %s needs a blocksize of at least %u\n",
		       scst_device_name(dev), p->filename, align);
		return -EINVAL;
	}
	return 0;
}

/*
 * Whether holes can be punched is known only after trying, and behind the end
 * there is nothing to lose. A block device has to zero without being written,
 * in units that every command meets.
 */
static bool fileio_can_punch(const struct scst_device *dev, struct file *file, u8 block_shift)
{
	struct block_device *bdev = fileio_bdev(file);
	loff_t end = round_up(i_size_read(file->f_mapping->host), PAGE_SIZE);

	if (bdev)
		return bdev_write_zeroes_sectors(bdev) &&
		       bdev_logical_block_size(bdev) <= BIT(block_shift);
	return !vfs_fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, end, PAGE_SIZE);
}

static void fileio_set_limits(struct scst_device *dev, struct file *file)
{
	struct scst_device_params *p = scst_device_params(dev);
	struct block_device *bdev = fileio_bdev(file);

	p->phys_block_shift = bdev ? ilog2(bdev_physical_block_size(bdev)) : 12;
	if (p->thin && !p->read_only && !fileio_can_punch(dev, file, p->block_shift)) {
		pr_warn("%s: %s cannot punch holes, thin_provisioned is off\n",
			scst_device_name(dev), p->filename);
		p->thin = false;
	}
	p->lbprz = p->thin;
	p->max_unmap_blocks = FILEIO_MAX_UNMAP_BYTES >> p->block_shift;
	p->unmap_granularity = 1;
	p->unmap_alignment = 0;
}

int vdisk_file_open(struct scst_device *dev)
{
	struct scst_device_params *p = scst_device_params(dev);
	struct vdisk_file *vf = scst_device_priv(dev);
	struct file *file;
	int err;

	file = fileio_open_file(dev, vf);
	if (IS_ERR(file))
		return PTR_ERR(file);
	err = fileio_check_file(dev, file);
	if (!err && vf->o_direct)
		err = fileio_check_direct(dev, file);
	if (err) {
		filp_close(file, NULL);
		return err;
	}
	vf->file = file;
	vf->no_punch = false;
	/* Direct I/O that is submitted without blocking is waited for all the same. */
	p->nowait = file->f_mode & FMODE_NOWAIT && !vf->o_direct;
	vf->tmpfs = vdisk_is_tmpfs(file);
	p->atomic_read = vf->tmpfs;
	if (fileio_bdev(file))
		vdisk_claim_add(&vf->claim, fileio_bdev(file), dev);
	p->size_bytes = i_size_read(file->f_mapping->host);
	fileio_set_limits(dev, file);
	return 0;
}

/* What a vcdrom does not have: parameters that exclude one another. */
static int fileio_open(struct scst_device *dev)
{
	const struct scst_device_params *p = scst_device_params(dev);
	const struct vdisk_file *vf = scst_device_priv(dev);

	if (vf->o_direct && !vf->async) {
		pr_err("%s: o_direct needs async=1\n", scst_device_name(dev));
		return -EINVAL;
	}
	if (p->read_only && !vf->store_read_only && (p->write_through || p->nv_cache)) {
		pr_err("%s: a read_only device has no use for write_through or nv_cache\n",
		       scst_device_name(dev));
		return -EINVAL;
	}
	return vdisk_file_open(dev);
}

void vdisk_file_close(struct scst_device *dev)
{
	struct vdisk_file *vf = scst_device_priv(dev);

	if (!vf->file)
		return;
	if (vf->claim.bdev)
		vdisk_claim_del(&vf->claim);
	filp_close(vf->file, NULL);
	vf->file = NULL;
	/* A kernel thread has no return to user space at which the file would really go. */
	if (current->flags & PF_KTHREAD)
		flush_delayed_fput();
}

int vdisk_file_create(struct scst_device *dev)
{
	struct vdisk_file *vf = kzalloc(sizeof(*vf), GFP_KERNEL);

	if (!vf)
		return -ENOMEM;
	scst_device_set_priv(dev, vf);
	return 0;
}

void vdisk_file_destroy(struct scst_device *dev)
{
	kfree(scst_device_priv(dev));
}

/* ---- parameters and attributes ------------------------------------------- */

/* Accepted for old configurations although a file decides its size itself. */
static int fileio_ignored_param(struct scst_device *dev, const char *name, const char *value)
{
	bool ignored;
	u64 size;

	if (!strcasecmp(name, "dummy"))
		return vdisk_parse_bool(dev, "dummy", value, &ignored);
	if (strcasecmp(name, "size") && strcasecmp(name, "size_mb"))
		return -EINVAL;
	if (kstrtou64(value, 0, &size))
		return -EINVAL;
	pr_notice("%s: %s is ignored, the size is that of the file\n", scst_device_name(dev), name);
	return 0;
}

static int fileio_set_param(struct scst_device *dev, const char *name, const char *value)
{
	struct vdisk_file *vf = scst_device_priv(dev);

	if (!strcasecmp(name, "o_direct"))
		return vdisk_parse_bool(dev, "o_direct", value, &vf->o_direct);
	if (!strcasecmp(name, "async"))
		return vdisk_parse_bool(dev, "async", value, &vf->async);
	return fileio_ignored_param(dev, name, value);
}

static ssize_t o_direct_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	const struct vdisk_file *vf = scst_device_priv(scst_device_of_kobj(kobj));

	return vdisk_emit_bool(buf, vf->o_direct);
}

static ssize_t async_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	const struct vdisk_file *vf = scst_device_priv(scst_device_of_kobj(kobj));

	return vdisk_emit_bool(buf, READ_ONCE(vf->async));
}

static ssize_t async_store(struct kobject *kobj, struct kobj_attribute *attr, const char *buf,
			   size_t count)
{
	struct scst_device *dev = scst_device_of_kobj(kobj);
	struct vdisk_file *vf = scst_device_priv(dev);
	bool async;
	int err;

	err = vdisk_parse_bool(dev, "async", buf, &async);
	if (err)
		return err;
	if (vf->o_direct && !async) {
		pr_err("%s: o_direct needs async=1\n", scst_device_name(dev));
		return -EINVAL;
	}
	WRITE_ONCE(vf->async, async);
	return count;
}

static struct kobj_attribute o_direct_attr = __ATTR_RO(o_direct);
static struct kobj_attribute async_attr = __ATTR_RW(async);

static struct attribute *fileio_attrs[] = {
	&o_direct_attr.attr,
	&async_attr.attr,
	NULL
};
ATTRIBUTE_GROUPS(fileio);

struct scst_handler_ops vdisk_fileio_ops __ro_after_init = {
	.owner		= THIS_MODULE,
	.name		= "vdisk_fileio",
	.type		= SCST_TYPE_DISK,
	.dev_attrs	= SCST_DEV_FILENAME | SCST_DEV_BLOCKSIZE | SCST_DEV_READ_ONLY |
			  SCST_DEV_WRITE_CACHE | SCST_DEV_ROTATIONAL | SCST_DEV_THIN |
			  SCST_DEV_REMOVABLE | SCST_DEV_ACTIVE | SCST_DEV_CLUSTER,
	.vendor		= "SCST_FIO",
	.params		= "o_direct,async",
	.block_shift	= 9,
	.dev_groups	= fileio_groups,
	.create		= vdisk_file_create,
	.set_param	= fileio_set_param,
	.open		= fileio_open,
	.close		= vdisk_file_close,
	.destroy	= vdisk_file_destroy,
	.resize		= vdisk_file_resize,
	.io		= vdisk_file_io,
	.flush		= fileio_flush,
	.unmap		= fileio_unmap,
};
