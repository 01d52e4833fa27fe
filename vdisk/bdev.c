// SPDX-License-Identifier: GPL-2.0
/*
 * Which block devices we have open, so that an administrator whose device is
 * busy learns by whom.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/mutex.h>

#include "vdisk.h"

static DEFINE_MUTEX(vdisk_claims_lock);
static LIST_HEAD(vdisk_claims);			/* vdisk_claim.entry, under vdisk_claims_lock */

void vdisk_claim_add(struct vdisk_claim *claim, struct block_device *bdev,
		     const struct scst_device *dev)
{
	claim->bdev = bdev;
	claim->dev = dev;
	mutex_lock(&vdisk_claims_lock);
	list_add_tail(&claim->entry, &vdisk_claims);
	mutex_unlock(&vdisk_claims_lock);
}

void vdisk_claim_del(struct vdisk_claim *claim)
{
	mutex_lock(&vdisk_claims_lock);
	list_del(&claim->entry);
	mutex_unlock(&vdisk_claims_lock);
	claim->bdev = NULL;
}

/* A partition and its whole disk exclude each other, so compare disks. */
static bool vdisk_log_own_claim(struct scst_device *dev, const struct block_device *bdev)
{
	const struct vdisk_claim *claim;
	bool found = false;

	mutex_lock(&vdisk_claims_lock);
	list_for_each_entry(claim, &vdisk_claims, entry) {
		if (claim->bdev->bd_disk != bdev->bd_disk)
			continue;
		pr_err("%s: %s is in use by device %s\n", scst_device_name(dev),
		       scst_device_params(dev)->filename, scst_device_name(claim->dev));
		found = true;
		break;
	}
	mutex_unlock(&vdisk_claims_lock);
	return found;
}

static void vdisk_log_holder(struct scst_device *dev)
{
	const char *path = scst_device_params(dev)->filename;
	struct block_device *bdev = blkdev_get_by_path(path, FMODE_READ, NULL);

	if (IS_ERR(bdev)) {
		pr_err("%s: %s is in use\n", scst_device_name(dev), path);
		return;
	}
	if (!vdisk_log_own_claim(dev, bdev)) {
		if (READ_ONCE(bdev->bd_super))
			pr_err("%s: %s is mounted\n", scst_device_name(dev), path);
		else
			pr_err("%s: %s is in use, see mounts, swaps and /sys/class/block/%pg/holders\n",
			       scst_device_name(dev), path, bdev);
	}
	blkdev_put(bdev, FMODE_READ);
}

void vdisk_log_open_error(struct scst_device *dev, int err)
{
	const struct scst_device_params *p = scst_device_params(dev);

	switch (err) {
	case -EBUSY:
		vdisk_log_holder(dev);
		break;
	case -ENOENT:
		pr_err("%s: %s does not exist\n", scst_device_name(dev), p->filename);
		break;
	case -ENOTBLK:
		pr_err("%s: %s is not a block device\n", scst_device_name(dev), p->filename);
		break;
	default:
		pr_err("%s: opening %s failed: %pe\n", scst_device_name(dev), p->filename,
		       ERR_PTR(err));
	}
}
