// SPDX-License-Identifier: GPL-2.0
/*
 * vcdrom: a CD-ROM drive whose discs are image files.
 *
 * The drive comes without a disc; writing "filename" inserts and ejects. The
 * backing store is open while there is one.
 */
#include "vdisk.h"

static int cdrom_create(struct scst_device *dev)
{
	struct scst_device_params *p = scst_device_params(dev);

	p->read_only = true;
	p->removable = true;
	p->active = false;
	return vdisk_file_create(dev);
}

struct scst_handler_ops vdisk_cdrom_ops __ro_after_init = {
	.owner		= THIS_MODULE,
	.name		= "vcdrom",
	.type		= SCST_TYPE_ROM,
	.dev_attrs	= SCST_DEV_FILENAME,
	.vendor		= "SCST_FIO",
	.block_shift	= 11,
	.create		= cdrom_create,
	.open		= vdisk_file_open,
	.close		= vdisk_file_close,
	.destroy	= vdisk_file_destroy,
	.resize		= vdisk_file_resize,
	.io		= vdisk_file_io,
};
