// SPDX-License-Identifier: GPL-2.0
/*
 * devices/<d>.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/nodemask.h>
#include <linux/sizes.h>
#include <linux/slab.h>

#include "sysfs.h"

/* Size of a nullio device that was created without one: 2.5 TiB. */
#define NULLIO_DEFAULT_BYTES	(5 * SZ_1T / 2)

struct scst_device *scst_device_of_kobj(struct kobject *kobj)
{
	return container_of(kobj, struct scst_device, kobj);
}
EXPORT_SYMBOL_GPL(scst_device_of_kobj);

/*
 * An attribute and what the handler must have for it to exist: all SCST_DEV_*
 * of @need.
 */
struct dev_attr {
	struct kobj_attribute attr;
	u32 need;
};

#define DEV_ATTR_RO(_name, _need) \
	static struct dev_attr _name##_attr = { __ATTR_RO(_name), _need }
#define DEV_ATTR_RW(_name, _need) \
	static struct dev_attr _name##_attr = { __ATTR_RW(_name), _need }
#define DEV_ATTR_WO(_name, _need) \
	static struct dev_attr _name##_attr = { __ATTR_WO(_name), _need }

#define SHOW(_name) \
	static ssize_t _name##_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
#define STORE(_name) \
	static ssize_t _name##_store(struct kobject *kobj, struct kobj_attribute *attr, \
				     const char *buf, size_t count)

/* A 0/1 that is set at creation; @_key is the value that is not the default. */
#define DEV_FLAG_RO(_name, _expr, _key, _need) \
static ssize_t _name##_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf) \
{ \
	const struct scst_device *dev = scst_device_of_kobj(kobj); \
	bool val = (_expr); \
\
	return scst_sysfs_emit_u64(buf, val, val == (_key)); \
} \
DEV_ATTR_RO(_name, _need)

/* ... and one that may be written and is looked at when it is needed. */
#define DEV_FLAG_RW(_name, _field, _key, _need) \
static ssize_t _name##_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf) \
{ \
	const struct scst_device *dev = scst_device_of_kobj(kobj); \
	bool val = dev->_field; \
\
	return scst_sysfs_emit_u64(buf, val, val == (_key)); \
} \
\
static ssize_t _name##_store(struct kobject *kobj, struct kobj_attribute *attr, \
			     const char *buf, size_t count) \
{ \
	struct scst_device *dev = scst_device_of_kobj(kobj); \
\
	return scst_sysfs_bool(kobj, attr, buf, &dev->_field) ?: count; \
} \
DEV_ATTR_RW(_name, _need)

/* ---- all devices ------------------------------------------------------------ */

SHOW(type)
{
	return scst_sysfs_emit_type(buf, scst_device_of_kobj(kobj)->ops->type);
}
DEV_ATTR_RO(type, 0);

SHOW(max_tgt_dev_commands)
{
	unsigned int depth = scst_device_of_kobj(kobj)->max_tgt_dev_commands;

	return scst_sysfs_emit_u64(buf, depth, depth != SCST_MAX_TGT_DEV_COMMANDS);
}

STORE(max_tgt_dev_commands)
{
	u64 val;
	int err = scst_sysfs_number(kobj, attr, buf, 0, INT_MAX, &val);

	if (err)
		return err;
	scst_device_set_queue_depth(scst_device_of_kobj(kobj), val);
	return count;
}
DEV_ATTR_RW(max_tgt_dev_commands, 0);

SHOW(numa_node_id)
{
	int node = scst_device_of_kobj(kobj)->numa_node_id;

	return scst_sysfs_key(buf, sysfs_emit(buf, "%d\n", node), node != NUMA_NO_NODE);
}

STORE(numa_node_id)
{
	struct scst_device *dev = scst_device_of_kobj(kobj);
	int node;

	if (kstrtoint(buf, 0, &node) || node < NUMA_NO_NODE || node >= MAX_NUMNODES ||
	    (node != NUMA_NO_NODE && !node_online(node)))
		return scst_sysfs_refuse(kobj, -EINVAL, "numa_node_id takes -1 or a node of %*pbl",
					 nodemask_pr_args(&node_online_map));
	dev->numa_node_id = node;
	return count;
}
DEV_ATTR_RW(numa_node_id, 0);

SHOW(threads_num)
{
	const struct scst_device *dev = scst_device_of_kobj(kobj);

	return scst_sysfs_key(buf, sysfs_emit(buf, "%d\n", dev->threads_num),
			      dev->threads_num != dev->ops->threads_num);
}

STORE(threads_num)
{
	struct scst_device *dev = scst_device_of_kobj(kobj);
	u64 val;
	int err = scst_sysfs_number(kobj, attr, buf, 0, INT_MAX, &val);

	if (!err)
		err = scst_device_set_threads(dev, val, dev->pool_type);
	return err ?: count;
}
DEV_ATTR_RW(threads_num, 0);

static const char * const pool_types[] = {
	[SCST_POOL_PER_INITIATOR]	= "per_initiator",
	[SCST_POOL_SHARED]		= "shared",
};

SHOW(threads_pool_type)
{
	const struct scst_device *dev = scst_device_of_kobj(kobj);
	const char *type = dev->threads_num ? pool_types[dev->pool_type] : "Async";

	return scst_sysfs_key(buf, sysfs_emit(buf, "%s\n", type),
			      dev->pool_type != SCST_POOL_PER_INITIATOR);
}

STORE(threads_pool_type)
{
	struct scst_device *dev = scst_device_of_kobj(kobj);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(pool_types); i++)
		if (scst_sysfs_begins(buf, pool_types[i]))
			return scst_device_set_threads(dev, dev->threads_num, i) ?: count;
	return scst_sysfs_refuse(kobj, -EINVAL, "threads_pool_type takes per_initiator or shared");
}
DEV_ATTR_RW(threads_pool_type, 0);

/* ---- backing store ------------------------------------------------------------ */

SHOW(filename)
{
	struct scst_device *dev = scst_device_of_kobj(kobj);
	ssize_t len;

	spin_lock_irq(&dev->state_lock);
	/* The empty third line is part of the known format. */
	if (dev->p.filename)
		len = sysfs_emit(buf, "%s\n[key]\n\n", dev->p.filename);
	else
		len = sysfs_emit(buf, "none\n");
	spin_unlock_irq(&dev->state_lock);
	return len;
}

STORE(filename)
{
	char *path = scst_sysfs_line(kobj, attr, buf, count);
	int err;

	if (IS_ERR(path))
		return PTR_ERR(path);
	err = scst_device_set_filename(scst_device_of_kobj(kobj), strim(path));
	kfree(path);
	return err ?: count;
}
DEV_ATTR_RW(filename, SCST_DEV_FILENAME);

SHOW(size)
{
	const struct scst_device *dev = scst_device_of_kobj(kobj);
	u64 bytes = dev->p.size_bytes;
	bool is_default = !(dev->ops->dev_attrs & SCST_DEV_FILENAME) &&
			  bytes == NULLIO_DEFAULT_BYTES;

	return scst_sysfs_emit_u64(buf, bytes, !is_default);
}

STORE(size)
{
	u64 bytes;
	int err = scst_sysfs_number(kobj, attr, buf, 1, S64_MAX, &bytes);

	if (!err)
		err = scst_device_set_size(scst_device_of_kobj(kobj), bytes);
	return err ?: count;
}
DEV_ATTR_RW(size, 0);

SHOW(size_mb)
{
	return scst_sysfs_emit_u64(buf, scst_device_of_kobj(kobj)->p.size_bytes >> 20, false);
}

STORE(size_mb)
{
	u64 mib;
	int err = scst_sysfs_number(kobj, attr, buf, 1, S64_MAX >> 20, &mib);

	if (!err)
		err = scst_device_set_size(scst_device_of_kobj(kobj), mib << 20);
	return err ?: count;
}
DEV_ATTR_RW(size_mb, 0);

SHOW(blocksize)
{
	u32 bytes = 1U << scst_device_of_kobj(kobj)->p.block_shift;

	return scst_sysfs_emit_u64(buf, bytes, bytes != 512);
}
DEV_ATTR_RO(blocksize, SCST_DEV_BLOCKSIZE);

/* Initiators can switch the cache by MODE SELECT, unless it counts as safe anyway. */
static bool write_through(const struct scst_device *dev)
{
	return dev->p.nv_cache ? dev->p.write_through : !READ_ONCE(dev->mode.wce);
}

DEV_FLAG_RO(read_only, dev->p.read_only, true, SCST_DEV_READ_ONLY);
DEV_FLAG_RO(write_through, write_through(dev), true, SCST_DEV_WRITE_CACHE);
DEV_FLAG_RO(nv_cache, dev->p.nv_cache, true, SCST_DEV_WRITE_CACHE);
DEV_FLAG_RO(rotational, dev->p.rotational, false, SCST_DEV_ROTATIONAL);
DEV_FLAG_RO(removable, dev->p.removable, dev->ops->type != SCST_TYPE_ROM, SCST_DEV_REMOVABLE);
DEV_FLAG_RO(tst, dev->mode.tst, false, 0);

SHOW(thin_provisioned)
{
	const struct scst_device *dev = scst_device_of_kobj(kobj);

	return scst_sysfs_emit_u64(buf, dev->p.thin, dev->p.thin_set);
}
DEV_ATTR_RO(thin_provisioned, SCST_DEV_THIN);

STORE(gen_tp_soft_threshold_reached_UA)
{
	scst_ua_device(scst_device_of_kobj(kobj), SCST_UA_SOFT_THRESHOLD, NULL);
	return count;
}
DEV_ATTR_WO(gen_tp_soft_threshold_reached_UA, SCST_DEV_THIN);

SHOW(active)
{
	bool active = scst_device_of_kobj(kobj)->p.active;

	return scst_sysfs_emit_u64(buf, active, !active);
}

STORE(active)
{
	bool active;
	int err = scst_sysfs_bool(kobj, attr, buf, &active);

	if (!err)
		err = scst_device_set_active(scst_device_of_kobj(kobj), active);
	return err ?: count;
}
DEV_ATTR_RW(active, SCST_DEV_ACTIVE);

DEV_FLAG_RW(bind_alua_state, bind_alua_state, !(dev->ops->dev_attrs & SCST_DEV_BIND_ALUA),
	    SCST_DEV_ACTIVE);
DEV_FLAG_RW(expl_alua, expl_alua, true, SCST_DEV_ACTIVE);
SHOW(cluster_mode)
{
	bool on = scst_device_of_kobj(kobj)->cluster_mode;

	return scst_sysfs_emit_u64(buf, on, on);
}

STORE(cluster_mode)
{
	bool on;
	int err = scst_sysfs_bool(kobj, attr, buf, &on);

	if (!err && on)
		err = scst_sysfs_refuse(kobj, -EINVAL,
					"cluster_mode: there is no cluster to share reservations with");
	return err ?: count;
}
DEV_ATTR_RW(cluster_mode, SCST_DEV_CLUSTER);

DEV_FLAG_RW(lb_per_pb_exp, p.lb_per_pb_exp, false, SCST_DEV_ACTIVE);

SHOW(opt_trans_len)
{
	const struct scst_device *dev = scst_device_of_kobj(kobj);

	return scst_sysfs_emit_u64(buf, dev->p.opt_trans_len, dev->opt_trans_len_set);
}

STORE(opt_trans_len)
{
	struct scst_device *dev = scst_device_of_kobj(kobj);
	u32 block = 1U << dev->p.block_shift;
	u64 bytes;
	int err = scst_sysfs_number(kobj, attr, buf, block, U32_MAX, &bytes);

	if (err)
		return err;
	if (bytes & (block - 1))
		return scst_sysfs_refuse(kobj, -EINVAL,
					 "opt_trans_len takes a multiple of the block size %u",
					 block);
	WRITE_ONCE(dev->p.opt_trans_len, bytes);
	dev->opt_trans_len_set = true;
	return count;
}
DEV_ATTR_RW(opt_trans_len, SCST_DEV_BLOCKSIZE);

STORE(resync_size)
{
	return scst_device_resync_size(scst_device_of_kobj(kobj)) ?: count;
}
DEV_ATTR_WO(resync_size, SCST_DEV_ACTIVE);

STORE(sync)
{
	return scst_device_sync(scst_device_of_kobj(kobj)) ?: count;
}
DEV_ATTR_WO(sync, SCST_DEV_ACTIVE);

/* ---- identity ---------------------------------------------------------------------- */

static ssize_t id_store(struct kobject *kobj, struct kobj_attribute *attr, enum scst_id id,
			const char *buf, size_t count)
{
	char *text = scst_sysfs_line(kobj, attr, buf, count);
	int err;

	if (IS_ERR(text))
		return PTR_ERR(text);
	err = scst_device_set_id(scst_device_of_kobj(kobj), id, text);
	kfree(text);
	return err ?: count;
}

/* A text that has a default: to be saved once it was written. */
#define DEV_ID(_name, _field, _id) \
static ssize_t _name##_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf) \
{ \
	struct scst_device *dev = scst_device_of_kobj(kobj); \
	ssize_t len; \
\
	mutex_lock(&scst_mutex); \
	len = sysfs_emit(buf, "%s\n", dev->ids._field); \
	len = scst_sysfs_key(buf, len, test_bit(_id, &dev->ids_set)); \
	mutex_unlock(&scst_mutex); \
	return len; \
} \
\
static ssize_t _name##_store(struct kobject *kobj, struct kobj_attribute *attr, \
			     const char *buf, size_t count) \
{ \
	return id_store(kobj, attr, _id, buf, count); \
} \
DEV_ATTR_RW(_name, 0)

/* ... and one that is empty by default. */
#define DEV_ID_OPTIONAL(_name, _field, _id) \
static ssize_t _name##_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf) \
{ \
	struct scst_device *dev = scst_device_of_kobj(kobj); \
	ssize_t len; \
\
	mutex_lock(&scst_mutex); \
	len = sysfs_emit(buf, "%s\n", dev->ids._field); \
	len = scst_sysfs_key(buf, len, *dev->ids._field); \
	mutex_unlock(&scst_mutex); \
	return len; \
} \
\
static ssize_t _name##_store(struct kobject *kobj, struct kobj_attribute *attr, \
			     const char *buf, size_t count) \
{ \
	return id_store(kobj, attr, _id, buf, count); \
} \
DEV_ATTR_RW(_name, 0)

#define DEV_ID_BINARY(_name, _field, _id) \
static ssize_t _name##_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf) \
{ \
	struct scst_device *dev = scst_device_of_kobj(kobj); \
	ssize_t len; \
\
	mutex_lock(&scst_mutex); \
	if (dev->ids._field##_len) \
		len = sysfs_emit(buf, "0x%*phN\n[key]\n", dev->ids._field##_len, \
				 dev->ids._field); \
	else \
		len = sysfs_emit(buf, "\n"); \
	mutex_unlock(&scst_mutex); \
	return len; \
} \
\
static ssize_t _name##_store(struct kobject *kobj, struct kobj_attribute *attr, \
			     const char *buf, size_t count) \
{ \
	return id_store(kobj, attr, _id, buf, count); \
} \
DEV_ATTR_RW(_name, 0)

DEV_ID(t10_vend_id, vendor, SCST_ID_VENDOR);
DEV_ID(prod_id, product, SCST_ID_PRODUCT);
DEV_ID(prod_rev_lvl, revision, SCST_ID_REVISION);
DEV_ID(vend_specific_id, vend_specific_id, SCST_ID_VEND_SPECIFIC);
DEV_ID(t10_dev_id, t10_dev_id, SCST_ID_T10_DEV);
DEV_ID(usn, usn, SCST_ID_USN);
DEV_ID_BINARY(naa_id, naa, SCST_ID_NAA);
DEV_ID_BINARY(eui64_id, eui64, SCST_ID_EUI64);
DEV_ID_OPTIONAL(scsi_device_name, scsi_device_name, SCST_ID_SCSI_NAME);
DEV_ID_OPTIONAL(inq_vend_specific, inq_vend_specific, SCST_ID_INQ_VENDOR);

/* ---- devices/<d> ---------------------------------------------------------------------- */

static umode_t device_visible(struct kobject *kobj, struct attribute *attr, int n)
{
	const struct scst_device *dev = scst_device_of_kobj(kobj);
	struct dev_attr *da = container_of(attr, struct dev_attr, attr.attr);

	if ((dev->ops->dev_attrs & da->need) != da->need)
		return 0;
	if (da == &threads_num_attr || da == &threads_pool_type_attr)
		return dev->ops->threads_num >= 0 ? attr->mode : 0;
	if (da == &gen_tp_soft_threshold_reached_UA_attr)
		return dev->p.thin ? attr->mode : 0;
	if (da == &size_attr || da == &size_mb_attr)
		return dev->ops->dev_attrs & SCST_DEV_SIZE_RW ? 0644 : 0444;
	return attr->mode;
}

static struct attribute *device_attrs[] = {
	&type_attr.attr.attr,
	&max_tgt_dev_commands_attr.attr.attr,
	&numa_node_id_attr.attr.attr,
	&threads_num_attr.attr.attr,
	&threads_pool_type_attr.attr.attr,
	&filename_attr.attr.attr,
	&size_attr.attr.attr,
	&size_mb_attr.attr.attr,
	&blocksize_attr.attr.attr,
	&read_only_attr.attr.attr,
	&write_through_attr.attr.attr,
	&nv_cache_attr.attr.attr,
	&rotational_attr.attr.attr,
	&removable_attr.attr.attr,
	&tst_attr.attr.attr,
	&thin_provisioned_attr.attr.attr,
	&gen_tp_soft_threshold_reached_UA_attr.attr.attr,
	&active_attr.attr.attr,
	&bind_alua_state_attr.attr.attr,
	&expl_alua_attr.attr.attr,
	&cluster_mode_attr.attr.attr,
	&lb_per_pb_exp_attr.attr.attr,
	&opt_trans_len_attr.attr.attr,
	&resync_size_attr.attr.attr,
	&sync_attr.attr.attr,
	&t10_vend_id_attr.attr.attr,
	&prod_id_attr.attr.attr,
	&prod_rev_lvl_attr.attr.attr,
	&vend_specific_id_attr.attr.attr,
	&t10_dev_id_attr.attr.attr,
	&usn_attr.attr.attr,
	&naa_id_attr.attr.attr,
	&eui64_id_attr.attr.attr,
	&scsi_device_name_attr.attr.attr,
	&inq_vend_specific_attr.attr.attr,
	NULL
};

static const struct attribute_group device_group = {
	.is_visible	= device_visible,
	.attrs		= device_attrs,
};

static void device_release(struct kobject *kobj)
{
	struct scst_device *dev = scst_device_of_kobj(kobj);

	kobject_put(dev->exported_kobj);
	scst_device_free(dev);
}

static const struct kobj_type device_ktype = {
	.release	= device_release,
	.sysfs_ops	= &scst_sysfs_ops,
};

static int device_link_handler(struct scst_device *dev)
{
	struct kobject *handler = &dev->handler->kobj;
	int err;

	err = sysfs_create_link(&dev->kobj, handler, "handler");
	if (err)
		return err;
	mutex_lock(&scst_sysfs_link_lock);
	err = sysfs_create_link(handler, &dev->kobj, dev->name);
	mutex_unlock(&scst_sysfs_link_lock);
	return err;
}

int scst_sysfs_device_add(struct scst_device *dev)
{
	struct kobject *handler = &dev->handler->kobj;
	int err;

	/* A device that is called "mgmt", say; its removal would take the file along. */
	if (scst_sysfs_taken(handler, dev->name)) {
		kobject_init(&dev->kobj, &device_ktype);
		return scst_sysfs_refuse(handler, -EEXIST, "there is a '%s' already", dev->name);
	}
	err = scst_sysfs_add(&dev->kobj, &device_ktype, scst_devices_kobj, dev->name);
	if (err)
		return err;
	dev->exported_kobj = scst_sysfs_mkdir(&dev->kobj, "exported");
	if (!dev->exported_kobj)
		return -ENOMEM;
	err = device_link_handler(dev);
	if (!err && dev->ops->dev_groups)
		err = sysfs_create_groups(&dev->kobj, dev->ops->dev_groups);
	return err ?: sysfs_create_group(&dev->kobj, &device_group);
}

void scst_sysfs_device_del(struct scst_device *dev)
{
	struct kobject *handler = &dev->handler->kobj;

	mutex_lock(&scst_sysfs_link_lock);
	/* If there is no directory, the name in that of the handler is somebody else's. */
	if (dev->kobj.state_in_sysfs && handler->state_in_sysfs)
		sysfs_remove_link(handler, dev->name);
	kobject_del(dev->exported_kobj);
	mutex_unlock(&scst_sysfs_link_lock);
	kobject_del(&dev->kobj);
	kobject_put(&dev->kobj);
}
