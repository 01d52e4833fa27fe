/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared between the files of scst_vdisk.ko.
 */
#ifndef VDISK_H
#define VDISK_H

#include <linux/blkdev.h>
#include <linux/fs.h>
#include <linux/list.h>

#include "scst/scst.h"

/* Finishes what must not be finished in interrupt context. */
extern struct workqueue_struct *vdisk_wq;

extern struct scst_handler_ops vdisk_fileio_ops;
extern struct scst_handler_ops vdisk_blockio_ops;
extern struct scst_handler_ops vdisk_cdrom_ops;

/* 0 or 1, with a message for everything else. */
int vdisk_parse_bool(const struct scst_device *dev, const char *name, const char *text,
		     bool *value);
ssize_t vdisk_emit_bool(char *buf, bool value);

/* ---- block devices that are open (bdev.c) ----------------------------- */

/* Who of ours has which block device; for the message to whoever wants it too. */
struct vdisk_claim {
	struct list_head entry;
	struct block_device *bdev;
	const struct scst_device *dev;
};

void vdisk_claim_add(struct vdisk_claim *claim, struct block_device *bdev,
		     const struct scst_device *dev);
void vdisk_claim_del(struct vdisk_claim *claim);
/* Log why opening the device's filename failed. */
void vdisk_log_open_error(struct scst_device *dev, int err);

/* ---- files (fileio.c), also the medium of a vcdrom --------------------- */

/**
 * struct vdisk_file - backing file of a device
 * @file: open file, NULL if there is none
 * @claim: if it is a block device
 * @o_direct: bypass the page cache
 * @async: the administrator asked for asynchronous I/O, which @o_direct requires
 * @store_read_only: the store, not the administrator, made the device read-only
 * @tmpfs: vdisk_tmpfs_read() may be used
 * @no_punch: a hole could not be punched although the file system said that it can
 */
struct vdisk_file {
	struct file *file;
	struct vdisk_claim claim;
	bool o_direct;
	bool async;
	bool store_read_only;
	bool tmpfs;
	bool no_punch;
};

int vdisk_file_create(struct scst_device *dev);
int vdisk_file_open(struct scst_device *dev);
void vdisk_file_close(struct scst_device *dev);
void vdisk_file_destroy(struct scst_device *dev);
int vdisk_file_io(struct scst_device *dev, struct scst_io *io);
int vdisk_file_resize(struct scst_device *dev, u64 *bytes, bool set);

/* ---- files on tmpfs (tmpfs.c) ------------------------------------------- */

bool vdisk_is_tmpfs(const struct file *file);
size_t vdisk_tmpfs_read(struct file *file, loff_t pos, struct iov_iter *iter);

#endif
