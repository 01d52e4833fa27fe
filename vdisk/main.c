// SPDX-License-Identifier: GPL-2.0
/*
 * scst_vdisk: logical units backed by files and block devices.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>

#include "vdisk.h"

#define VDISK_DEFAULT_THREADS	8

static int num_threads = VDISK_DEFAULT_THREADS;
module_param(num_threads, int, 0444);
MODULE_PARM_DESC(num_threads, "default of threads_num of fileio and cdrom devices (8)");

struct workqueue_struct *vdisk_wq;

static struct scst_handler_ops *const vdisk_handlers[] = {
	&vdisk_fileio_ops,
	&vdisk_blockio_ops,
	&vdisk_cdrom_ops,
};

int vdisk_parse_bool(const struct scst_device *dev, const char *name, const char *text,
		     bool *value)
{
	unsigned int number;

	if (kstrtouint(text, 0, &number) || number > 1) {
		pr_err("%s: %s must be 0 or 1\n", scst_device_name(dev), name);
		return -EINVAL;
	}
	*value = number;
	return 0;
}

ssize_t vdisk_emit_bool(char *buf, bool value)
{
	return sysfs_emit(buf, value ? "1\n[key]\n" : "0\n");
}

static void vdisk_unregister(unsigned int count)
{
	while (count--)
		scst_handler_unregister(vdisk_handlers[count]);
	/* Work items of commands that the handlers just waited for may still be returning. */
	destroy_workqueue(vdisk_wq);
}

static int __init vdisk_init(void)
{
	unsigned int i;
	int err;

	if (num_threads < 1) {
		pr_warn("num_threads %d: using %d\n", num_threads, VDISK_DEFAULT_THREADS);
		num_threads = VDISK_DEFAULT_THREADS;
	}
	vdisk_fileio_ops.threads_num = num_threads;
	vdisk_cdrom_ops.threads_num = num_threads;

	vdisk_wq = alloc_workqueue("scst_vdisk", WQ_UNBOUND | WQ_MEM_RECLAIM, 0);
	if (!vdisk_wq)
		return -ENOMEM;
	for (i = 0; i < ARRAY_SIZE(vdisk_handlers); i++) {
		err = scst_handler_register(vdisk_handlers[i]);
		if (err) {
			vdisk_unregister(i);
			return err;
		}
	}
	return 0;
}

static void __exit vdisk_exit(void)
{
	vdisk_unregister(ARRAY_SIZE(vdisk_handlers));
}

module_init(vdisk_init);
module_exit(vdisk_exit);

MODULE_DESCRIPTION("SCSI target handlers for files, block devices and CD-ROM images");
MODULE_LICENSE("GPL");
/* Start scripts map every vdisk handler to this module. */
MODULE_SOFTDEP("post: scst_nullio");
MODULE_ALIAS("scst-handler-vdisk_fileio");
MODULE_ALIAS("scst-handler-vdisk_blockio");
MODULE_ALIAS("scst-handler-vcdrom");
