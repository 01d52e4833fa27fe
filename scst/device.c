// SPDX-License-Identifier: GPL-2.0
/*
 * Devices (logical units): creation from a mgmt line, deletion, and what can be
 * changed while they are in use.
 *
 * Creation: the name is reserved, parameters are read, the backing store is
 * opened without any lock but open_lock, then the device is published. Deletion
 * takes it out of every LUN map, waits until no nexus refers to it, and closes
 * the backing store: when "del_device" returns, that is free (B43).
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/crc32c.h>
#include <linux/ctype.h>
#include <linux/numa.h>
#include <linux/slab.h>

#include "internal.h"

const char *scst_device_name(const struct scst_device *dev)
{
	return dev->name;
}
EXPORT_SYMBOL_GPL(scst_device_name);

struct scst_device_params *scst_device_params(struct scst_device *dev)
{
	return &dev->p;
}
EXPORT_SYMBOL_GPL(scst_device_params);

void *scst_device_priv(const struct scst_device *dev)
{
	return dev->priv;
}
EXPORT_SYMBOL_GPL(scst_device_priv);

void scst_device_set_priv(struct scst_device *dev, void *priv)
{
	dev->priv = priv;
}
EXPORT_SYMBOL_GPL(scst_device_set_priv);

unsigned int scst_min_queue_depth(unsigned int none)
{
	unsigned int depth = none;
	struct scst_device *dev;

	mutex_lock(&scst_mutex);
	list_for_each_entry(dev, &scst_devices, entry)
		if (dev->published && !dev->dead && dev->max_tgt_dev_commands)
			depth = min(depth, dev->max_tgt_dev_commands);
	mutex_unlock(&scst_mutex);
	return depth;
}
EXPORT_SYMBOL_GPL(scst_min_queue_depth);

bool scst_device_default_wce(const struct scst_device *dev)
{
	return dev->ops->type == SCST_TYPE_DISK && !dev->p.write_through && !dev->p.nv_cache;
}

struct scst_device *scst_device_find_locked(const char *name)
{
	struct scst_device *dev;

	lockdep_assert_held(&scst_mutex);
	list_for_each_entry(dev, &scst_devices, entry)
		if (dev->published && !dev->dead && !strcmp(dev->name, name))
			return dev;
	return NULL;
}

/* ---- creation --------------------------------------------------------------- */

static void scst_device_drained(struct percpu_ref *ref)
{
	complete(&container_of(ref, struct scst_device, ref)->drained);
}

void scst_device_free(struct scst_device *dev)
{
	WARN_ON_ONCE(percpu_counter_sum(&dev->buf_used));
	percpu_counter_destroy(&dev->buf_used);
	percpu_ref_exit(&dev->ref);
	kfree(dev->p.filename);
	kfree(dev);
}

static int scst_device_check_name(const char *name)
{
	const char *c;

	if (!*name || strlen(name) > SCST_NAME_MAX) {
		pr_err("device name %.80s: 1 to %u characters are allowed\n", name, SCST_NAME_MAX);
		return -EINVAL;
	}
	for (c = name; *c; c++) {
		if (*c == '/' || *c == '.' || !isprint(*c)) {
			pr_err("device name %*pE: character %#x is not allowed\n",
			       (int)strlen(name), name, (u8)*c);
			return -EINVAL;
		}
	}
	return 0;
}

static struct scst_device *scst_device_alloc(struct scst_handler *handler, const char *name)
{
	const struct scst_handler_ops *ops = handler->ops;
	struct scst_device *dev = kzalloc(sizeof(*dev), GFP_KERNEL);

	if (!dev)
		return NULL;
	if (percpu_counter_init(&dev->buf_used, 0, GFP_KERNEL))
		goto err_free;
	if (percpu_ref_init(&dev->ref, scst_device_drained, 0, GFP_KERNEL))
		goto err_counter;
	init_completion(&dev->drained);
	spin_lock_init(&dev->state_lock);
	INIT_LIST_HEAD(&dev->nexuses);
	scst_taskset_init(&dev->tasks);
	mutex_init(&dev->atomic_mutex);
	spin_lock_init(&dev->atomic_lock);
	INIT_LIST_HEAD(&dev->atomic_waiters);
	INIT_LIST_HEAD(&dev->luns);
	mutex_init(&dev->open_lock);
	dev->ops = ops;
	dev->handler = handler;
	strscpy(dev->name, name, sizeof(dev->name));
	dev->name_crc = crc32c(0, name, strlen(name) + 1);
	dev->max_tgt_dev_commands = SCST_MAX_TGT_DEV_COMMANDS;
	dev->numa_node_id = NUMA_NO_NODE;
	dev->threads_num = ops->threads_num;
	dev->bind_alua_state = ops->dev_attrs & SCST_DEV_BIND_ALUA;
	dev->mode.tst = 1;
	dev->p.block_shift = ops->block_shift ?: 9;
	dev->p.rotational = true;
	dev->p.active = true;
	dev->p.lb_per_pb_exp = true;
	dev->p.opt_trans_len = 512 << 10;
	set_bit(SCST_GATE_CLOSED, &dev->gate);
	return dev;

err_counter:
	percpu_counter_destroy(&dev->buf_used);
err_free:
	kfree(dev);
	return NULL;
}

/* Reserve the name and the serial number. */
static int scst_device_reserve(struct scst_device *dev)
{
	struct scst_device *other;
	int err = 0;

	mutex_lock(&scst_mutex);
	scst_ids_default(&dev->ids, dev->name, scst_settings.setup_id, dev->name_crc,
			 dev->ops->vendor, SCST_REVISION);
	list_for_each_entry(other, &scst_devices, entry) {
		if (!strcmp(other->name, dev->name)) {
			pr_err("device %s exists%s\n", dev->name,
			       other->dead ? " until its last command ends" : "");
			err = -EEXIST;
			break;
		}
		if (!other->dead && !strcmp(other->ids.usn, dev->ids.usn)) {
			pr_err("device %s: serial number %s is that of device %s\n", dev->name,
			       dev->ids.usn, other->name);
			err = -EEXIST;
			break;
		}
	}
	if (!err && dev->handler->dead)
		err = -ENODEV;
	if (!err)
		list_add_tail(&dev->entry, &scst_devices);
	mutex_unlock(&scst_mutex);
	return err;
}

/* A creation parameter that only some handlers have. */
struct scst_param {
	const char *name;
	u32 attrs;			/* handlers with any of SCST_DEV_*; 0: all */
	int (*set)(struct scst_device *dev, const char *value);
};

static int scst_parse_bool(const char *value, bool *out)
{
	if (strlen(value) != 1 || (*value != '0' && *value != '1'))
		return -EINVAL;
	*out = *value == '1';
	return 0;
}

#define SCST_PARAM_BOOL(field)							\
static int scst_param_##field(struct scst_device *dev, const char *value)	\
{										\
	return scst_parse_bool(value, &dev->p.field);				\
}

SCST_PARAM_BOOL(read_only)
SCST_PARAM_BOOL(write_through)
SCST_PARAM_BOOL(nv_cache)
SCST_PARAM_BOOL(rotational)
SCST_PARAM_BOOL(removable)
SCST_PARAM_BOOL(active)
SCST_PARAM_BOOL(lb_per_pb_exp)

static int scst_param_filename(struct scst_device *dev, const char *value)
{
	if (*value != '/' || dev->p.filename)
		return -EINVAL;
	dev->p.filename = kstrdup(value, GFP_KERNEL);
	return dev->p.filename ? 0 : -ENOMEM;
}

static int scst_param_blocksize(struct scst_device *dev, const char *value)
{
	u64 bytes;

	if (scst_text_u64(value, &bytes) || !is_power_of_2(bytes) || bytes < 512 || bytes > 65536)
		return -EINVAL;
	dev->p.block_shift = ilog2(bytes);
	return 0;
}

static int scst_param_thin(struct scst_device *dev, const char *value)
{
	dev->p.thin_set = true;
	return scst_parse_bool(value, &dev->p.thin);
}

static int scst_param_tst(struct scst_device *dev, const char *value)
{
	bool tst;

	if (scst_parse_bool(value, &tst))
		return -EINVAL;
	dev->mode.tst = tst;
	return 0;
}

static int scst_param_t10_dev_id(struct scst_device *dev, const char *value)
{
	if (strscpy(dev->ids.t10_dev_id, value, sizeof(dev->ids.t10_dev_id)) < 0)
		return -EINVAL;
	strscpy(dev->ids.vend_specific_id, value, sizeof(dev->ids.vend_specific_id));
	set_bit(SCST_ID_T10_DEV, &dev->ids_set);
	return 0;
}

static int scst_param_bind_alua(struct scst_device *dev, const char *value)
{
	return scst_parse_bool(value, &dev->bind_alua_state);
}

static int scst_param_cluster(struct scst_device *dev, const char *value)
{
	bool cluster;

	if (scst_parse_bool(value, &cluster))
		return -EINVAL;
	if (cluster) {
		pr_err("device %s: there is no cluster to share reservations with\n", dev->name);
		return -EINVAL;
	}
	return 0;
}

static int scst_param_numa_node(struct scst_device *dev, const char *value)
{
	int node;

	if (kstrtoint(value, 0, &node) || node < -1 || node >= MAX_NUMNODES ||
	    (node >= 0 && !node_online(node)))
		return -EINVAL;
	dev->numa_node_id = node;
	return 0;
}

static int scst_param_size(struct scst_device *dev, const char *value)
{
	u64 bytes;

	if (scst_text_u64(value, &bytes) || bytes > S64_MAX)
		return -EINVAL;
	dev->p.size_bytes = bytes;
	dev->p.size_set = true;
	return 0;
}

static int scst_param_size_mb(struct scst_device *dev, const char *value)
{
	u64 mb;

	if (scst_text_u64(value, &mb) || mb > S64_MAX >> 20)
		return -EINVAL;
	dev->p.size_bytes = mb << 20;
	dev->p.size_set = true;
	return 0;
}

static const struct scst_param scst_params[] = {
	{ "filename", SCST_DEV_FILENAME, scst_param_filename },
	{ "blocksize", SCST_DEV_BLOCKSIZE, scst_param_blocksize },
	{ "read_only", SCST_DEV_READ_ONLY, scst_param_read_only },
	{ "write_through", SCST_DEV_WRITE_CACHE, scst_param_write_through },
	{ "nv_cache", SCST_DEV_WRITE_CACHE, scst_param_nv_cache },
	{ "rotational", SCST_DEV_ROTATIONAL, scst_param_rotational },
	{ "thin_provisioned", SCST_DEV_THIN, scst_param_thin },
	{ "removable", SCST_DEV_REMOVABLE, scst_param_removable },
	{ "tst", 0, scst_param_tst },
	{ "t10_dev_id", 0, scst_param_t10_dev_id },
	{ "active", SCST_DEV_ACTIVE, scst_param_active },
	{ "bind_alua_state", SCST_DEV_ACTIVE, scst_param_bind_alua },
	{ "lb_per_pb_exp", SCST_DEV_ACTIVE, scst_param_lb_per_pb_exp },
	{ "cluster_mode", SCST_DEV_CLUSTER, scst_param_cluster },
	{ "numa_node_id", SCST_DEV_BLOCKSIZE, scst_param_numa_node },
	{ "size", SCST_DEV_SIZE_PARAM, scst_param_size },
	{ "size_mb", SCST_DEV_SIZE_PARAM, scst_param_size_mb },
};

/**
 * scst_device_param_names() - creation parameters of a handler, for its mgmt help text
 * @ops: handler
 * @buf: where to write, comma separated
 * @room: size of @buf
 *
 * Return: length of the text.
 */
int scst_device_param_names(const struct scst_handler_ops *ops, char *buf, size_t room)
{
	unsigned int i;
	int len = 0;

	buf[0] = 0;
	for (i = 0; i < ARRAY_SIZE(scst_params); i++)
		if (!scst_params[i].attrs || scst_params[i].attrs & ops->dev_attrs)
			len += scnprintf(buf + len, room - len, "%s%s", len ? ", " : "",
					 scst_params[i].name);
	if (ops->params)
		len += scnprintf(buf + len, room - len, "%s%s", len ? ", " : "", ops->params);
	return len;
}

static int scst_device_set_param(struct scst_device *dev, const char *name, const char *value)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(scst_params); i++)
		if (!strcasecmp(scst_params[i].name, name) &&
		    (!scst_params[i].attrs || scst_params[i].attrs & dev->ops->dev_attrs))
			return scst_params[i].set(dev, value);
	return dev->ops->set_param ? dev->ops->set_param(dev, name, value) : -EINVAL;
}

static int scst_device_parse(struct scst_device *dev, char *params)
{
	char *name, *value;
	int ret;

	while ((ret = scst_text_param(&params, &name, &value)) > 0) {
		ret = scst_device_set_param(dev, name, value);
		if (ret) {
			pr_err("device %s: parameter %s=%s is %s\n", dev->name, name, value,
			       ret == -EEXIST ? "in use" : "not acceptable");
			return ret;
		}
	}
	if (ret < 0) {
		pr_err("device %s: a parameter is not of the form name=value\n", dev->name);
		return -EINVAL;
	}
	if (dev->ops->dev_attrs & SCST_DEV_FILENAME && dev->ops->type == SCST_TYPE_DISK &&
	    !dev->p.filename) {
		pr_err("device %s: parameter filename is missing\n", dev->name);
		return -EINVAL;
	}
	if (dev->p.size_set && dev->p.size_bytes & (BIT(dev->p.block_shift) - 1)) {
		pr_err("device %s: size %llu is not a multiple of the block size\n", dev->name,
		       dev->p.size_bytes);
		return -EINVAL;
	}
	return 0;
}

/* Open the backing store and let commands in. */
static int scst_device_open_locked(struct scst_device *dev)
{
	int err;

	lockdep_assert_held(&dev->open_lock);
	err = dev->ops->open(dev);
	if (err)
		return err;
	WRITE_ONCE(dev->nblocks, dev->p.size_bytes >> dev->p.block_shift);
	dev->p.active = true;
	/* ->open() says whether the store can be written. */
	scst_device_update_except(dev);
	/* Pairs with smp_load_acquire() in scst_cmd_start(). */
	clear_bit_unlock(SCST_GATE_CLOSED, &dev->gate);
	return 0;
}

static void scst_device_close_locked(struct scst_device *dev)
{
	lockdep_assert_held(&dev->open_lock);
	if (test_and_set_bit(SCST_GATE_CLOSED, &dev->gate))
		return;
	if (dev->ops->close)
		dev->ops->close(dev);
}

static int scst_device_publish(struct scst_device *dev)
{
	int err;

	mutex_lock(&scst_mutex);
	err = dev->handler->dead ? -ENODEV : scst_sysfs_device_add(dev);
	dev->published = !err;
	mutex_unlock(&scst_mutex);
	if (err && dev->kobj.state_initialized) {
		kobject_get(&dev->kobj);
		scst_sysfs_device_del(dev);
	}
	return err;
}

int scst_device_create(struct scst_handler *handler, const char *name, char *params)
{
	struct scst_device *dev;
	int err;

	err = scst_device_check_name(name);
	if (err)
		return err;
	dev = scst_device_alloc(handler, name);
	if (!dev)
		return -ENOMEM;
	err = scst_device_reserve(dev);
	if (err)
		goto err_free;
	err = dev->ops->create ? dev->ops->create(dev) : 0;
	if (err)
		goto err_unreserve;
	err = scst_device_parse(dev, params);
	if (err)
		goto err_destroy;

	mutex_lock(&dev->open_lock);
	err = dev->p.active ? scst_device_open_locked(dev) : 0;
	mutex_unlock(&dev->open_lock);
	if (err) {
		pr_err("device %s: cannot be opened: error %d\n", name, err);
		goto err_destroy;
	}
	scst_mode_default(&dev->mode, scst_device_default_wce(dev), dev->mode.tst);
	dev->mode_saved = dev->mode;
	err = scst_device_publish(dev);
	if (err)
		goto err_close;
	pr_info("device %s: %s, %llu blocks of %lu bytes%s%s\n", name, handler->ops->name,
		dev->nblocks, BIT(dev->p.block_shift), dev->p.filename ? ", " : "",
		dev->p.filename ?: "");
	return 0;

err_close:
	mutex_lock(&dev->open_lock);
	scst_device_close_locked(dev);
	mutex_unlock(&dev->open_lock);
err_destroy:
	if (dev->ops->destroy)
		dev->ops->destroy(dev);
err_unreserve:
	mutex_lock(&scst_mutex);
	list_del(&dev->entry);
	mutex_unlock(&scst_mutex);
err_free:
	if (dev->kobj.state_initialized)
		kobject_put(&dev->kobj);
	else
		scst_device_free(dev);
	return err;
}

/* ---- deletion ---------------------------------------------------------------- */

/* @dev is marked dead: nobody finds it. Wait until nobody has it, then free it. */
static void scst_device_destroy(struct scst_device *dev)
{
	struct scst_lun *lun;
	LIST_HEAD(luns);
	LIST_HEAD(reap);

	mutex_lock(&scst_mutex);
	list_for_each_entry(lun, &dev->luns, dev_entry) {
		struct scst_session *sess;

		if (lun->dead)
			continue;
		scst_lun_kill_locked(lun, &luns, &reap);
		list_for_each_entry(sess, &lun->map->tgt->sessions, entry)
			if (sess->map == lun->map)
				scst_ua_luns_changed(sess);
	}
	mutex_unlock(&scst_mutex);
	scst_luns_bury(&luns, &reap);

	percpu_ref_kill(&dev->ref);
	while (!wait_for_completion_timeout(&dev->drained, 60 * HZ))
		pr_warn("device %s: still waiting for its commands\n", dev->name);

	kobject_get(&dev->kobj);
	scst_sysfs_device_del(dev);
	mutex_lock(&dev->open_lock);
	scst_device_close_locked(dev);
	mutex_unlock(&dev->open_lock);
	if (dev->ops->destroy)
		dev->ops->destroy(dev);
	mutex_lock(&scst_mutex);
	list_del(&dev->entry);
	mutex_unlock(&scst_mutex);
	/* Not before: scst_set_default_threads() goes through the list. */
	scst_pool_put(dev->pool);
	pr_info("device %s removed\n", dev->name);
	kobject_put(&dev->kobj);
}

int scst_device_delete(const char *name)
{
	struct scst_device *dev;
	struct module *owner;

	mutex_lock(&scst_mutex);
	dev = scst_device_find_locked(name);
	/* This may be another handler's mgmt file, which a module that goes does not wait for. */
	if (dev && !try_module_get(dev->ops->owner))
		dev = NULL;
	if (dev) {
		owner = dev->ops->owner;
		dev->dead = true;
	}
	mutex_unlock(&scst_mutex);
	if (!dev) {
		pr_err("no device %s\n", name);
		return -EINVAL;
	}
	scst_device_destroy(dev);
	module_put(owner);
	return 0;
}

/**
 * scst_handler_delete_devices() - a handler goes, and its devices with it
 * @handler: handler that is marked dead
 *
 * Context: process context, without scst_mutex; waits for commands.
 */
void scst_handler_delete_devices(struct scst_handler *handler)
{
	struct scst_device *dev, *found;

	do {
		found = NULL;
		mutex_lock(&scst_mutex);
		list_for_each_entry(dev, &scst_devices, entry) {
			if (dev->handler == handler && dev->published && !dev->dead) {
				dev->dead = true;
				found = dev;
				break;
			}
		}
		mutex_unlock(&scst_mutex);
		if (found)
			scst_device_destroy(found);
	} while (found);
}

/* Take new mode parameters; write_through follows the write cache. state_lock is held. */
void scst_device_set_mode_locked(struct scst_device *dev, const struct scst_mode *mode)
{
	lockdep_assert_held(&dev->state_lock);
	dev->mode = *mode;
	if (!dev->p.nv_cache && dev->ops->dev_attrs & SCST_DEV_WRITE_CACHE)
		WRITE_ONCE(dev->p.write_through, !mode->wce);
}

/* ---- changes while in use ------------------------------------------------------ */

void scst_device_update_except(struct scst_device *dev)
{
	struct scst_nexus *nexus;
	unsigned long flags;

	spin_lock_irqsave(&dev->state_lock, flags);
	list_for_each_entry(nexus, &dev->nexuses, dev_entry)
		assign_bit(SCST_EXC_READ_ONLY, &nexus->except,
			   nexus->lun_read_only || dev->p.read_only || dev->mode.swp);
	spin_unlock_irqrestore(&dev->state_lock, flags);
}

static void scst_device_new_size_locked(struct scst_device *dev, u64 bytes)
{
	u64 nblocks = bytes >> dev->p.block_shift, old = dev->nblocks;

	lockdep_assert_held(&dev->open_lock);
	dev->p.size_bytes = bytes;
	if (nblocks == old)
		return;
	WRITE_ONCE(dev->nblocks, nblocks);
	pr_info("device %s: %llu blocks, was %llu\n", dev->name, nblocks, old);
	if (dev->ops->type == SCST_TYPE_DISK)
		scst_ua_device(dev, SCST_UA_CAPACITY_CHANGED, NULL);
}

int scst_device_set_size(struct scst_device *dev, u64 bytes)
{
	int err = 0;

	if (bytes > S64_MAX || bytes & (BIT(dev->p.block_shift) - 1)) {
		pr_err("device %s: size %llu is not a multiple of the block size\n", dev->name,
		       bytes);
		return -EINVAL;
	}
	mutex_lock(&dev->open_lock);
	if (dev->ops->resize)
		err = test_bit(SCST_GATE_CLOSED, &dev->gate) ? -EMEDIUMTYPE :
							       dev->ops->resize(dev, &bytes, true);
	if (!err) {
		dev->p.size_set = true;
		scst_device_new_size_locked(dev, bytes);
	} else {
		pr_err("device %s: size %llu refused: error %d\n", dev->name, bytes, err);
	}
	mutex_unlock(&dev->open_lock);
	return err;
}

int scst_device_resync_size(struct scst_device *dev)
{
	int err = -EMEDIUMTYPE;
	u64 bytes = 0;

	mutex_lock(&dev->open_lock);
	if (!test_bit(SCST_GATE_CLOSED, &dev->gate) && dev->ops->resize)
		err = dev->ops->resize(dev, &bytes, false);
	if (!err) {
		dev->p.size_set = false;
		scst_device_new_size_locked(dev, bytes);
	} else {
		pr_err("device %s: cannot read the size of the backing store: error %d\n",
		       dev->name, err);
	}
	mutex_unlock(&dev->open_lock);
	return err;
}

int scst_device_set_active(struct scst_device *dev, bool active)
{
	int err = 0;

	mutex_lock(&dev->open_lock);
	if (active != test_bit(SCST_GATE_CLOSED, &dev->gate))
		goto out;
	if (active) {
		u64 old = dev->nblocks;

		err = scst_device_open_locked(dev);
		if (!err && dev->nblocks != old)
			scst_ua_device(dev, SCST_UA_CAPACITY_CHANGED, NULL);
		goto out;
	}
	err = scst_gate_close(dev);
	if (err)
		goto out;
	/* What initiators have not flushed yet: they still have to learn how that ended. */
	scst_device_flush(dev, 0, 0);
	if (dev->ops->close)
		dev->ops->close(dev);
	dev->p.active = false;
out:
	if (err)
		pr_err("device %s: cannot be made %sactive: error %d\n", dev->name,
		       active ? "" : "in", err);
	mutex_unlock(&dev->open_lock);
	return err;
}

/* The flag ends with its nexus, which leaves the list. */
static bool scst_device_removal_prevented(struct scst_device *dev)
{
	struct scst_nexus *nexus;
	bool prevented = false;

	spin_lock_irq(&dev->state_lock);
	list_for_each_entry(nexus, &dev->nexuses, dev_entry)
		prevented |= nexus->prevent_removal;
	spin_unlock_irq(&dev->state_lock);
	return prevented;
}

/*
 * Only with open_lock held, but readers take state_lock: a flush, which an
 * initiator may start at any time, keeps the former for as long as it takes.
 */
static char *scst_device_swap_filename(struct scst_device *dev, char *path)
{
	lockdep_assert_held(&dev->open_lock);
	spin_lock_irq(&dev->state_lock);
	swap(dev->p.filename, path);
	spin_unlock_irq(&dev->state_lock);
	return path;
}

/* A disk's path changes only while it is inactive; a removable medium is exchanged (vcdrom). */
int scst_device_set_filename(struct scst_device *dev, const char *path)
{
	bool exchange = dev->ops->type != SCST_TYPE_DISK;
	char *copy = NULL;
	int err = -EINVAL;

	if (*path ? *path != '/' : !exchange) {
		pr_err("device %s: %s is not an absolute path\n", dev->name, path);
		return -EINVAL;
	}
	if (*path) {
		copy = kstrdup(path, GFP_KERNEL);
		if (!copy)
			return -ENOMEM;
	}
	mutex_lock(&dev->open_lock);
	if (!exchange && !test_bit(SCST_GATE_CLOSED, &dev->gate)) {
		pr_err("device %s: filename cannot change while the device is active\n", dev->name);
		goto out;
	}
	if (exchange) {
		err = -EBUSY;
		if (scst_device_removal_prevented(dev)) {
			pr_err("device %s: an initiator prevents medium removal\n", dev->name);
			goto out;
		}
		if (!test_bit(SCST_GATE_CLOSED, &dev->gate)) {
			err = scst_gate_close(dev);
			if (err)
				goto out;
			if (dev->ops->close)
				dev->ops->close(dev);
		}
	}
	copy = scst_device_swap_filename(dev, copy);
	/* The size that was written was for the other one. */
	dev->p.size_set = false;
	err = 0;
	if (exchange) {
		dev->p.size_bytes = 0;
		WRITE_ONCE(dev->nblocks, 0);
		if (dev->p.filename)
			err = scst_device_open_locked(dev);
		if (err)
			kfree(scst_device_swap_filename(dev, NULL));
		scst_ua_device(dev, SCST_UA_MEDIUM_CHANGED, NULL);
	}
out:
	mutex_unlock(&dev->open_lock);
	kfree(copy);
	return err;
}

int scst_device_sync(struct scst_device *dev)
{
	int err = -EMEDIUMTYPE;

	mutex_lock(&dev->open_lock);
	if (!test_bit(SCST_GATE_CLOSED, &dev->gate))
		err = scst_device_flush(dev, 0, 0);
	mutex_unlock(&dev->open_lock);
	if (err)
		pr_err("device %s: sync failed: error %d\n", dev->name, err);
	return err;
}

void scst_device_set_queue_depth(struct scst_device *dev, unsigned int depth)
{
	struct scst_nexus *nexus;

	mutex_lock(&scst_mutex);
	dev->max_tgt_dev_commands = depth;
	spin_lock_irq(&dev->state_lock);
	list_for_each_entry(nexus, &dev->nexuses, dev_entry)
		WRITE_ONCE(nexus->max_cmds, depth ?: UINT_MAX);
	spin_unlock_irq(&dev->state_lock);
	mutex_unlock(&scst_mutex);
}

/* Next nexus that stays; the list changes only under scst_mutex but for those that go. */
static struct scst_nexus *scst_device_next_nexus_locked(struct scst_device *dev, unsigned int skip)
{
	struct scst_nexus *nexus, *found = NULL;

	spin_lock_irq(&dev->state_lock);
	list_for_each_entry(nexus, &dev->nexuses, dev_entry) {
		if (percpu_ref_is_dying(&nexus->ref) || skip--)
			continue;
		found = nexus;
		break;
	}
	spin_unlock_irq(&dev->state_lock);
	return found;
}

static void scst_device_limit_threads_locked(struct scst_device *dev, unsigned int max)
{
	struct scst_nexus *nexus;
	unsigned int nr = 0;

	lockdep_assert_held(&scst_mutex);
	if (dev->pool)
		scst_pool_set_threads(dev->pool, max);
	while (!dev->pool && (nexus = scst_device_next_nexus_locked(dev, nr++)))
		scst_pool_set_threads(rcu_dereference_protected(nexus->pool, true), max);
}

/**
 * scst_set_default_threads() - root attribute threads
 * @threads: limit of the pools of devices whose threads_num is 0, at least 1
 *
 * Context: process context; takes scst_mutex.
 */
void scst_set_default_threads(unsigned int threads)
{
	struct scst_device *dev;

	mutex_lock(&scst_mutex);
	scst_settings.threads = threads;
	list_for_each_entry(dev, &scst_devices, entry)
		if (dev->published && !dev->threads_num)
			scst_device_limit_threads_locked(dev, threads);
	mutex_unlock(&scst_mutex);
}

static void scst_pools_put(struct scst_pool **pools, unsigned int count)
{
	while (count--)
		scst_pool_put(pools[count]);
	kfree(pools);
}

/* A pool for each of @count nexuses: @shared with a reference for each, or their own. */
static struct scst_pool **scst_pools_alloc(struct scst_device *dev, struct scst_pool *shared,
					   unsigned int max_threads, unsigned int count)
{
	struct scst_pool **pools = kcalloc(count + 1, sizeof(*pools), GFP_KERNEL);
	unsigned int i;

	for (i = 0; pools && i < count; i++) {
		if (shared)
			scst_pool_get(shared);
		pools[i] = shared ?: scst_pool_create(dev->name, max_threads, dev->numa_node_id);
		if (!pools[i]) {
			scst_pools_put(pools, i);
			return NULL;
		}
	}
	return pools;
}

/**
 * scst_device_set_threads() - attributes threads_num and threads_pool_type
 * @dev: device
 * @threads_num: threads per pool; 0 means as many as the root attribute threads says
 * @type: a pool for each nexus, or one for all
 *
 * Whoever read the old pointer to its threads has queued its command when the grace period is
 * over, and an old pool executes what it has before it goes.
 *
 * Context: process context; takes scst_mutex. Waits for commands that run in threads that go.
 * Return: 0, or -ENOMEM and nothing has changed.
 */
int scst_device_set_threads(struct scst_device *dev, int threads_num, enum scst_pool_type type)
{
	unsigned int max = threads_num ?: scst_settings.threads, count = 0, i;
	struct scst_pool *shared = NULL, **pools = NULL;
	struct scst_nexus *nexus;

	mutex_lock(&scst_mutex);
	if (type == dev->pool_type) {
		dev->threads_num = threads_num;
		scst_device_limit_threads_locked(dev, max);
		mutex_unlock(&scst_mutex);
		return 0;
	}

	while (scst_device_next_nexus_locked(dev, count))
		count++;
	if (type == SCST_POOL_SHARED)
		shared = scst_pool_create(dev->name, max, dev->numa_node_id);
	if (type != SCST_POOL_SHARED || shared)
		pools = scst_pools_alloc(dev, shared, max, count);
	if (!pools) {
		mutex_unlock(&scst_mutex);
		scst_pool_put(shared);
		return -ENOMEM;
	}
	dev->threads_num = threads_num;
	dev->pool_type = type;
	swap(dev->pool, shared);
	for (i = 0; i < count; i++) {
		nexus = scst_device_next_nexus_locked(dev, i);
		pools[i] = rcu_replace_pointer(nexus->pool, pools[i],
					       lockdep_is_held(&scst_mutex));
	}
	mutex_unlock(&scst_mutex);

	synchronize_rcu();
	scst_pools_put(pools, count);
	scst_pool_put(shared);
	return 0;
}

/* ---- identity ------------------------------------------------------------------ */

struct scst_id_field {
	const char *name;
	size_t off;
	size_t max;
};

#define SCST_ID_FIELD(id, attr, field, len) \
	[id] = { attr, offsetof(struct scst_ids, field), len }

static const struct scst_id_field scst_id_fields[] = {
	SCST_ID_FIELD(SCST_ID_VENDOR, "t10_vend_id", vendor, SCST_VENDOR_LEN),
	SCST_ID_FIELD(SCST_ID_PRODUCT, "prod_id", product, SCST_PRODUCT_LEN),
	SCST_ID_FIELD(SCST_ID_REVISION, "prod_rev_lvl", revision, SCST_REVISION_LEN),
	SCST_ID_FIELD(SCST_ID_VEND_SPECIFIC, "vend_specific_id", vend_specific_id,
		      SCST_VEND_SPEC_ID_LEN),
	SCST_ID_FIELD(SCST_ID_T10_DEV, "t10_dev_id", t10_dev_id, SCST_T10_ID_LEN),
	SCST_ID_FIELD(SCST_ID_USN, "usn", usn, SCST_USN_LEN),
	SCST_ID_FIELD(SCST_ID_NAA, "naa_id", naa, 0),
	SCST_ID_FIELD(SCST_ID_EUI64, "eui64_id", eui64, 0),
	SCST_ID_FIELD(SCST_ID_SCSI_NAME, "scsi_device_name", scsi_device_name, SCST_SCSI_NAME_LEN),
	SCST_ID_FIELD(SCST_ID_INQ_VENDOR, "inq_vend_specific", inq_vend_specific,
		      SCST_INQ_VEND_LEN),
};

/**
 * scst_device_set_id() - identity attributes
 * @dev: device
 * @id: which one
 * @text: new value, without newline; naa_id and eui64_id are hexadecimal
 *
 * Every nexus gets INQUIRY DATA HAS CHANGED.
 *
 * Context: process context; takes scst_mutex.
 * Return: 0 or -EINVAL, logged.
 */
int scst_device_set_id(struct scst_device *dev, enum scst_id id, const char *text)
{
	const struct scst_id_field *field = &scst_id_fields[id];
	u8 bytes[16];
	int len;

	if (field->max)
		len = strlen(text) > field->max ? -1 : 0;
	else
		len = scst_ids_parse_hex(text, bytes, id == SCST_ID_NAA);
	if (len < 0) {
		pr_err("device %s: %s cannot be %s\n", dev->name, field->name, text);
		return -EINVAL;
	}
	mutex_lock(&scst_mutex);
	spin_lock_irq(&dev->state_lock);
	if (field->max) {
		strscpy((char *)&dev->ids + field->off, text, field->max + 1);
	} else if (id == SCST_ID_NAA) {
		memcpy(dev->ids.naa, bytes, sizeof(bytes));
		dev->ids.naa_len = len;
	} else {
		memcpy(dev->ids.eui64, bytes, sizeof(bytes));
		dev->ids.eui64_len = len;
	}
	assign_bit(id, &dev->ids_set, field->max ? id != SCST_ID_SCSI_NAME || *text : len > 0);
	spin_unlock_irq(&dev->state_lock);
	mutex_unlock(&scst_mutex);
	scst_ua_device(dev, SCST_UA_INQUIRY_CHANGED, NULL);
	return 0;
}
