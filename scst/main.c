// SPDX-License-Identifier: GPL-2.0
/* Module init and exit; the registries of transports and handlers. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpumask.h>
#include <linux/slab.h>

#include "internal.h"

/* Configuration, see internal.h. */
DEFINE_MUTEX(scst_mutex);
LIST_HEAD(scst_transports);
LIST_HEAD(scst_handlers);
LIST_HEAD(scst_devices);
struct workqueue_struct *scst_wq;
struct workqueue_struct *scst_spawn_wq;
struct workqueue_struct *scst_flush_wq;
struct scst_settings scst_settings = { .max_tasklet_cmd = 10 };

unsigned int scst_threads_param;
module_param_named(scst_threads, scst_threads_param, uint, 0444);
MODULE_PARM_DESC(scst_threads, "threads of devices whose threads_num is 0 (default: number of CPUs)");

bool scst_forcibly_close_sessions;
module_param_named(forcibly_close_sessions, scst_forcibly_close_sessions, bool, 0644);
MODULE_PARM_DESC(forcibly_close_sessions, "deleting a group closes its sessions (default: it is refused)");

/* ---- transports ---------------------------------------------------------- */

/**
 * scst_transport_register() - make a transport known
 * @ops: what it provides
 *
 * Context: process context; takes scst_mutex.
 * Return: 0, -EEXIST, -ENOMEM.
 */
int scst_transport_register(const struct scst_transport_ops *ops)
{
	struct scst_transport *t = kzalloc(sizeof(*t), GFP_KERNEL);
	int err;

	if (!t)
		return -ENOMEM;
	t->ops = ops;
	INIT_LIST_HEAD(&t->targets);
	mutex_lock(&scst_mutex);
	err = scst_sysfs_transport_add(t);
	if (!err)
		list_add_tail(&t->entry, &scst_transports);
	mutex_unlock(&scst_mutex);
	if (err)
		scst_sysfs_transport_del(t);
	return err;
}
EXPORT_SYMBOL_GPL(scst_transport_register);

/**
 * scst_transport_unregister() - counterpart of scst_transport_register()
 * @ops: transport whose targets are destroyed
 *
 * Context: process context; takes scst_mutex. Waits for running attributes of the transport.
 */
void scst_transport_unregister(const struct scst_transport_ops *ops)
{
	struct scst_transport *t, *found = NULL;

	mutex_lock(&scst_mutex);
	list_for_each_entry(t, &scst_transports, entry)
		if (t->ops == ops)
			found = t;
	if (found)
		found->dead = true;
	mutex_unlock(&scst_mutex);
	if (WARN_ON_ONCE(!found))
		return;
	kobject_get(&found->kobj);
	scst_sysfs_transport_del(found);
	mutex_lock(&scst_mutex);
	WARN_ON_ONCE(!list_empty(&found->targets));
	list_del(&found->entry);
	mutex_unlock(&scst_mutex);
	kobject_put(&found->kobj);
}
EXPORT_SYMBOL_GPL(scst_transport_unregister);

/* ---- handlers -------------------------------------------------------------- */

/**
 * scst_handler_register() - make a handler known
 * @ops: what it provides
 *
 * Context: process context; takes scst_mutex.
 * Return: 0, -EEXIST, -ENOMEM.
 */
int scst_handler_register(const struct scst_handler_ops *ops)
{
	struct scst_handler *h = kzalloc(sizeof(*h), GFP_KERNEL);
	int err;

	if (!h)
		return -ENOMEM;
	h->ops = ops;
	mutex_lock(&scst_mutex);
	err = scst_sysfs_handler_add(h);
	if (!err)
		list_add_tail(&h->entry, &scst_handlers);
	mutex_unlock(&scst_mutex);
	if (err)
		scst_sysfs_handler_del(h);
	return err;
}
EXPORT_SYMBOL_GPL(scst_handler_register);

/**
 * scst_handler_unregister() - counterpart of scst_handler_register()
 * @ops: handler
 *
 * Context: process context; takes scst_mutex. Waits for the commands of its devices.
 */
void scst_handler_unregister(const struct scst_handler_ops *ops)
{
	struct scst_handler *h, *found = NULL;

	mutex_lock(&scst_mutex);
	list_for_each_entry(h, &scst_handlers, entry)
		if (h->ops == ops)
			found = h;
	if (found)
		found->dead = true;
	mutex_unlock(&scst_mutex);
	if (WARN_ON_ONCE(!found))
		return;
	scst_handler_delete_devices(found);
	kobject_get(&found->kobj);
	scst_sysfs_handler_del(found);
	mutex_lock(&scst_mutex);
	list_del(&found->entry);
	mutex_unlock(&scst_mutex);
	kobject_put(&found->kobj);
}
EXPORT_SYMBOL_GPL(scst_handler_unregister);

/* ---- module ---------------------------------------------------------------- */

static void scst_destroy_queues(void)
{
	if (scst_flush_wq)
		destroy_workqueue(scst_flush_wq);
	if (scst_spawn_wq)
		destroy_workqueue(scst_spawn_wq);
	if (scst_wq)
		destroy_workqueue(scst_wq);
}

static int scst_create_queues(void)
{
	/* An initiator may be this machine's own, short of memory and waiting for us. */
	scst_wq = alloc_workqueue("scst", WQ_UNBOUND | WQ_MEM_RECLAIM, WQ_MAX_ACTIVE);
	/* What waits for commands must not be in the way of threads that execute them. */
	scst_spawn_wq = alloc_workqueue("scst_spawn", WQ_UNBOUND | WQ_MEM_RECLAIM, 0);
	/* A file system may wait for works of its own that have no rescuer. */
	scst_flush_wq = alloc_workqueue("scst_flush", WQ_UNBOUND, 0);
	if (scst_wq && scst_spawn_wq && scst_flush_wq)
		return 0;
	scst_destroy_queues();
	return -ENOMEM;
}

static int __init scst_init(void)
{
	int err;

	if (!scst_threads_param)
		scst_threads_param = num_online_cpus();
	scst_settings.threads = scst_threads_param;
	err = scst_create_queues();
	if (err)
		return err;
	err = scst_buf_init();
	if (err)
		goto err_queues;
	err = scst_sysfs_init();
	if (err)
		goto err_buf;
	pr_info("SCSI target core, version %s\n", SCST_VERSION);
	return 0;

err_buf:
	scst_buf_exit();
err_queues:
	scst_destroy_queues();
	return err;
}

static void __exit scst_exit(void)
{
	scst_repair_exit();
	scst_sysfs_exit();
	scst_buf_exit();
	scst_destroy_queues();
}

module_init(scst_init);
module_exit(scst_exit);

MODULE_DESCRIPTION("SCSI target core");
MODULE_LICENSE("GPL");
MODULE_VERSION(SCST_VERSION);
