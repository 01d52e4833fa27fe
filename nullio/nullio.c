// SPDX-License-Identifier: GPL-2.0
/*
 * vdisk_nullio: a logical unit that keeps nothing.
 *
 * It measures what everything but the medium costs, and it is the smallest
 * example of a handler: the core does all of SCSI.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <linux/slab.h>

#include "scst/scst.h"

#define NULLIO_DEFAULT_SIZE	(5ULL << 39)	/* 2.5 TiB */

struct nullio {
	bool read_zero;
};

/*
 * Buffers of the core hold zeroes already and must not be written to. In those
 * of a transport a read leaves what is there, unless zeroes are asked for.
 */
static void nullio_rw(struct scst_cmd *cmd)
{
	const struct nullio *nullio = scst_device_priv(scst_cmd_device(cmd));

	if (cmd->cdb_info.dir == SCST_DATA_IN && unlikely(READ_ONCE(nullio->read_zero)) &&
	    !cmd->own_buf)
		sg_zero_buffer(cmd->sgl, cmd->sg_nents, cmd->data_len, 0);
	scst_cmd_done(cmd, 0, 0);
}

/* The device server's own transfers are rare and their buffers may be sent: always zeroes. */
static int nullio_io(struct scst_device *dev, struct scst_io *io)
{
	if (!io->write)
		sg_zero_buffer(io->sgl, io->nents, io->len, 0);
	io->done = io->len;
	return 0;
}

static int nullio_create(struct scst_device *dev)
{
	struct nullio *nullio = kzalloc(sizeof(*nullio), GFP_KERNEL);

	if (!nullio)
		return -ENOMEM;
	scst_device_set_priv(dev, nullio);
	scst_device_params(dev)->size_bytes = NULLIO_DEFAULT_SIZE;
	return 0;
}

static void nullio_destroy(struct scst_device *dev)
{
	kfree(scst_device_priv(dev));
}

static int nullio_set_param(struct scst_device *dev, const char *name, const char *value)
{
	unsigned int dummy;

	if (strcasecmp(name, "dummy") || kstrtouint(value, 0, &dummy) || dummy > 1)
		return -EINVAL;
	scst_device_params(dev)->dummy = dummy;
	return 0;
}

static int nullio_open(struct scst_device *dev)
{
	return 0;
}

static ssize_t nullio_emit(char *buf, bool value)
{
	return sysfs_emit(buf, value ? "1\n[key]\n" : "0\n");
}

static ssize_t dummy_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return nullio_emit(buf, scst_device_params(scst_device_of_kobj(kobj))->dummy);
}

static ssize_t read_zero_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	const struct nullio *nullio = scst_device_priv(scst_device_of_kobj(kobj));

	return nullio_emit(buf, READ_ONCE(nullio->read_zero));
}

static ssize_t read_zero_store(struct kobject *kobj, struct kobj_attribute *attr,
			       const char *buf, size_t count)
{
	struct scst_device *dev = scst_device_of_kobj(kobj);
	struct nullio *nullio = scst_device_priv(dev);
	unsigned int value;

	if (kstrtouint(buf, 0, &value) || value > 1) {
		pr_err("%s: read_zero must be 0 or 1\n", scst_device_name(dev));
		return -EINVAL;
	}
	WRITE_ONCE(nullio->read_zero, value);
	return count;
}

static struct kobj_attribute dummy_attr = __ATTR_RO(dummy);
static struct kobj_attribute read_zero_attr = __ATTR_RW(read_zero);

static struct attribute *nullio_attrs[] = {
	&dummy_attr.attr,
	&read_zero_attr.attr,
	NULL
};
ATTRIBUTE_GROUPS(nullio);

static const struct scst_handler_ops nullio_ops = {
	.owner		= THIS_MODULE,
	.name		= "vdisk_nullio",
	.type		= SCST_TYPE_DISK,
	.flags		= SCST_HANDLER_INLINE | SCST_HANDLER_NO_DATA,
	.dev_attrs	= SCST_DEV_BLOCKSIZE | SCST_DEV_READ_ONLY | SCST_DEV_ROTATIONAL |
			  SCST_DEV_REMOVABLE | SCST_DEV_SIZE_RW | SCST_DEV_SIZE_PARAM |
			  SCST_DEV_CLUSTER,
	.vendor		= "SCST_FIO",
	.params		= "dummy",
	.threads_num	= 1,
	.block_shift	= 9,
	.dev_groups	= nullio_groups,
	.create		= nullio_create,
	.set_param	= nullio_set_param,
	.open		= nullio_open,
	.destroy	= nullio_destroy,
	.rw		= nullio_rw,
	.io		= nullio_io,
};

static int __init nullio_init(void)
{
	return scst_handler_register(&nullio_ops);
}

static void __exit nullio_exit(void)
{
	scst_handler_unregister(&nullio_ops);
}

module_init(nullio_init);
module_exit(nullio_exit);

MODULE_DESCRIPTION("SCSI target handler that discards writes and reads nothing");
MODULE_LICENSE("GPL");
MODULE_ALIAS("scst-handler-vdisk_nullio");
