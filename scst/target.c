// SPDX-License-Identifier: GPL-2.0
/* Target ports: create, enable, identify, destroy. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/slab.h>

#include "internal.h"

void *scst_target_priv(const struct scst_target *tgt)
{
	return tgt->priv;
}
EXPORT_SYMBOL_GPL(scst_target_priv);

const char *scst_target_name(const struct scst_target *tgt)
{
	return tgt->name;
}
EXPORT_SYMBOL_GPL(scst_target_name);

bool scst_target_enabled(const struct scst_target *tgt)
{
	return READ_ONCE(tgt->enabled);
}
EXPORT_SYMBOL_GPL(scst_target_enabled);

void scst_target_set_versions(struct scst_target *tgt, u16 transport, u16 phys)
{
	WRITE_ONCE(tgt->transport_version, transport);
	WRITE_ONCE(tgt->phys_version, phys);
}
EXPORT_SYMBOL_GPL(scst_target_set_versions);

void scst_target_put(struct scst_target *tgt)
{
	kobject_put(&tgt->kobj);
}
EXPORT_SYMBOL_GPL(scst_target_put);

void scst_target_free(struct scst_target *tgt)
{
	xa_destroy(&tgt->map.luns);
	kfree(tgt->comment);
	kfree(tgt->name);
	kfree(tgt);
}

struct scst_target *scst_target_find_locked(struct scst_transport *t, const char *name)
{
	struct scst_target *tgt;

	lockdep_assert_held(&scst_mutex);
	list_for_each_entry(tgt, &t->targets, entry)
		if (!strcmp(tgt->name, name))
			return tgt;
	return NULL;
}

static struct scst_transport *scst_transport_find_locked(const struct scst_transport_ops *ops)
{
	struct scst_transport *t;

	list_for_each_entry(t, &scst_transports, entry)
		if (t->ops == ops)
			return t;
	return NULL;
}

struct scst_target *scst_target_get_by_name(const struct scst_transport_ops *ops, const char *name)
{
	struct scst_target *tgt = NULL;
	struct scst_transport *t;

	mutex_lock(&scst_mutex);
	t = scst_transport_find_locked(ops);
	if (t)
		tgt = scst_target_find_locked(t, name);
	if (tgt && tgt->deleting)
		tgt = NULL;
	if (tgt)
		kobject_get(&tgt->kobj);
	mutex_unlock(&scst_mutex);
	return tgt;
}
EXPORT_SYMBOL_GPL(scst_target_get_by_name);

/* ---- relative target port identifier ------------------------------------- */

/* Who uses an identifier; only targets that are enabled count. */
static struct scst_target *scst_rel_id_user_locked(unsigned int id)
{
	struct scst_transport *t;
	struct scst_target *tgt;

	list_for_each_entry(t, &scst_transports, entry)
		list_for_each_entry(tgt, &t->targets, entry)
			if (tgt->enabled && !tgt->deleting && tgt->rel_tgt_id == id)
				return tgt;
	return NULL;
}

/* Is an identifier mentioned by any target, enabled or not? */
static bool scst_rel_id_taken_locked(unsigned int id)
{
	struct scst_transport *t;
	struct scst_target *tgt;

	list_for_each_entry(t, &scst_transports, entry)
		list_for_each_entry(tgt, &t->targets, entry)
			if (tgt->rel_tgt_id == id)
				return true;
	return false;
}

static int scst_rel_id_auto_locked(struct scst_target *tgt)
{
	unsigned int id;

	for (id = 1; id <= U16_MAX; id++) {
		if (scst_rel_id_taken_locked(id))
			continue;
		tgt->rel_tgt_id = id;
		tgt->rel_tgt_id_auto = true;
		return 0;
	}
	return -EBADSLT;
}

/* An identifier that we chose gives way to one that the administrator wants (B175). */
static int scst_rel_id_claim_locked(struct scst_target *tgt, unsigned int id)
{
	struct scst_target *user = scst_rel_id_user_locked(id);

	if (!user || user == tgt)
		return 0;
	if (!user->rel_tgt_id_auto) {
		pr_err("%s: relative target id %u belongs to %s\n", tgt->name, id, user->name);
		return -EBADSLT;
	}
	if (scst_rel_id_auto_locked(user))
		return -EBADSLT;
	pr_info("%s: relative target id is now %u, since %s wants %u\n", user->name,
		user->rel_tgt_id, tgt->name, id);
	return 0;
}

/**
 * scst_target_set_rel_id() - attribute rel_tgt_id
 * @tgt: target
 * @id: 1 to 65535, or 0 while the target is disabled: choose when it is enabled
 *
 * Context: process context; takes scst_mutex.
 * Return: 0, -EINVAL, -EBADSLT (another enabled target has it).
 */
int scst_target_set_rel_id(struct scst_target *tgt, unsigned int id)
{
	int err = 0;

	mutex_lock(&scst_mutex);
	if (id > U16_MAX || (!id && tgt->enabled)) {
		pr_err("%s: relative target id %u is not acceptable%s\n", tgt->name, id,
		       id ? "" : " while the target is enabled");
		err = -EINVAL;
	} else if (id && tgt->enabled) {
		err = scst_rel_id_claim_locked(tgt, id);
	}
	if (!err) {
		WRITE_ONCE(tgt->rel_tgt_id, id);
		tgt->rel_tgt_id_auto = false;
	}
	mutex_unlock(&scst_mutex);
	return err;
}

/* ---- enable --------------------------------------------------------------- */

static int scst_target_assign_rel_id(struct scst_target *tgt)
{
	int err;

	mutex_lock(&scst_mutex);
	if (tgt->rel_tgt_id)
		err = scst_rel_id_claim_locked(tgt, tgt->rel_tgt_id);
	else
		err = scst_rel_id_auto_locked(tgt);
	if (!err)
		WRITE_ONCE(tgt->enabled, true);
	mutex_unlock(&scst_mutex);
	return err;
}

/**
 * scst_target_set_enabled() - attribute enabled
 * @tgt: target of a transport with ->enable_target()
 * @enable: what is wanted
 *
 * Context: process context; takes enable_lock and, inside, scst_mutex.
 * Return: 0, -EBADSLT (relative target id not unique), or what the transport says.
 */
int scst_target_set_enabled(struct scst_target *tgt, bool enable)
{
	int err = 0;

	mutex_lock(&tgt->enable_lock);
	if (enable == tgt->enabled)
		goto out;
	if (enable) {
		err = scst_target_assign_rel_id(tgt);
		if (err)
			goto out;
	} else {
		WRITE_ONCE(tgt->enabled, false);
	}
	err = tgt->ops->enable_target(tgt, enable);
	if (err)
		WRITE_ONCE(tgt->enabled, !enable);
	else
		pr_info("%s/%s: %s\n", tgt->ops->name, tgt->name, enable ? "enabled" : "disabled");
out:
	mutex_unlock(&tgt->enable_lock);
	return err;
}

/* ---- create, destroy ------------------------------------------------------ */

static struct scst_target *scst_target_alloc(const struct scst_transport_ops *ops, const char *name,
					     void *priv)
{
	struct scst_target *tgt = kzalloc(sizeof(*tgt), GFP_KERNEL);

	if (!tgt)
		return NULL;
	tgt->name = kstrdup(name, GFP_KERNEL);
	if (!tgt->name) {
		kfree(tgt);
		return NULL;
	}
	tgt->ops = ops;
	tgt->priv = priv;
	tgt->transport_version = ops->transport_version;
	INIT_LIST_HEAD(&tgt->sessions);
	INIT_LIST_HEAD(&tgt->groups);
	xa_init(&tgt->map.luns);
	tgt->map.tgt = tgt;
	mutex_init(&tgt->enable_lock);
	cpumask_setall(&tgt->cpu_mask);
	return tgt;
}

struct scst_target *scst_target_create(const struct scst_transport_ops *ops, const char *name,
				       void *priv)
{
	struct scst_target *tgt;
	int err;

	if (!*name || strchr(name, '/') || !strcmp(name, ".") || !strcmp(name, ".."))
		return ERR_PTR(-EINVAL);
	tgt = scst_target_alloc(ops, name, priv);
	if (!tgt)
		return ERR_PTR(-ENOMEM);

	mutex_lock(&scst_mutex);
	err = -EINVAL;
	tgt->transport = scst_transport_find_locked(ops);
	if (WARN_ON_ONCE(!tgt->transport))
		goto err_free;
	err = -EEXIST;
	if (scst_target_find_locked(tgt->transport, name)) {
		pr_err("%s: target %s exists\n", ops->name, name);
		goto err_free;
	}
	if (!ops->enable_target) {
		/* Always enabled, so it has its identifier from the start. */
		err = scst_rel_id_auto_locked(tgt);
		if (err)
			goto err_free;
		tgt->enabled = true;
	}
	err = scst_sysfs_target_add(tgt);
	if (err)
		goto err_del;
	list_add_tail(&tgt->entry, &tgt->transport->targets);
	mutex_unlock(&scst_mutex);
	pr_info("%s: target %s\n", ops->name, name);
	return tgt;

err_del:
	tgt->deleting = true;
	mutex_unlock(&scst_mutex);
	scst_sysfs_target_del(tgt);
	return ERR_PTR(err);
err_free:
	mutex_unlock(&scst_mutex);
	scst_target_free(tgt);
	return ERR_PTR(err);
}
EXPORT_SYMBOL_GPL(scst_target_create);

void scst_target_destroy(struct scst_target *tgt)
{
	mutex_lock(&scst_mutex);
	tgt->deleting = true;
	WARN_ON_ONCE(!list_empty(&tgt->sessions));
	mutex_unlock(&scst_mutex);

	scst_groups_clear(tgt);
	scst_lun_clear(&tgt->map);
	kobject_get(&tgt->kobj);
	scst_sysfs_target_del(tgt);
	mutex_lock(&scst_mutex);
	list_del(&tgt->entry);
	mutex_unlock(&scst_mutex);
	pr_info("%s: target %s removed\n", tgt->ops->name, tgt->name);
	kobject_put(&tgt->kobj);
}
EXPORT_SYMBOL_GPL(scst_target_destroy);

/**
 * scst_target_delete() - mgmt "del_target"
 * @t: transport
 * @name: target
 *
 * Context: process context; takes scst_mutex.
 * Return: 0, -ENOENT, or what the transport says.
 */
int scst_target_delete(struct scst_transport *t, const char *name)
{
	struct scst_target *tgt;
	int err;

	mutex_lock(&scst_mutex);
	tgt = scst_target_find_locked(t, name);
	if (!tgt || tgt->deleting) {
		pr_err("%s: no target %s\n", t->ops->name, name);
		mutex_unlock(&scst_mutex);
		return -ENOENT;
	}
	tgt->deleting = true;
	/* Its creator may take it back meanwhile. */
	kobject_get(&tgt->kobj);
	mutex_unlock(&scst_mutex);

	err = t->ops->del_target(tgt);
	kobject_put(&tgt->kobj);
	return err;
}
