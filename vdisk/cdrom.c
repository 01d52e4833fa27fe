// SPDX-License-Identifier: GPL-2.0
/*
 * vcdrom: a CD-ROM drive whose discs are image files.
 *
 * The drive comes without a disc; writing "filename" inserts and ejects. Disc
 * or no disc, the drive is open: without one it has no blocks.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "vdisk.h"

static int cdrom_create(struct scst_device *dev)
{
	struct scst_device_params *p = scst_device_params(dev);

	p->read_only = true;
	p->removable = true;
	return vdisk_file_create(dev);
}

static int cdrom_open(struct scst_device *dev)
{
	struct scst_device_params *p = scst_device_params(dev);

	p->read_only = true;
	if (!p->filename) {
		p->size_bytes = 0;
		return 0;
	}
	return vdisk_file_open(dev);
}

/* No disc: as many blocks as there are, none. */
static int cdrom_resize(struct scst_device *dev, u64 *bytes, bool set)
{
	const struct vdisk_file *vf = scst_device_priv(dev);

	if (vf->file)
		return vdisk_file_resize(dev, bytes, set);
	*bytes = 0;
	return set ? -EINVAL : 0;
}

struct scst_handler_ops vdisk_cdrom_ops __ro_after_init = {
	.owner		= THIS_MODULE,
	.name		= "vcdrom",
	.type		= SCST_TYPE_ROM,
	.dev_attrs	= SCST_DEV_FILENAME,
	.vendor		= "SCST_FIO",
	.block_shift	= 11,
	.create		= cdrom_create,
	.open		= cdrom_open,
	.close		= vdisk_file_close,
	.destroy	= vdisk_file_destroy,
	.resize		= cdrom_resize,
	.io		= vdisk_file_io,
};
