// SPDX-License-Identifier: GPL-2.0
/*
 * The target side: target ports, and sessions that the administrator creates.
 *
 * Whoever takes a target or a session out of its list tears it down, outside
 * slocal_lock: removing a SCSI host waits for its commands. A target waits for
 * the sessions that others remove.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/crc32.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#include "local.h"

/* Protects the list of targets, their lists of sessions, and their creation. */
static DEFINE_MUTEX(slocal_lock);
static LIST_HEAD(slocal_targets);

static struct slocal_target *slocal_target_find_locked(const char *name)
{
	struct slocal_target *target;

	lockdep_assert_held(&slocal_lock);
	list_for_each_entry(target, &slocal_targets, entry)
		if (!strcmp(scst_target_name(target->tgt), name))
			return target;
	return NULL;
}

static struct slocal_session *slocal_session_find_locked(struct slocal_target *target,
							 const char *name)
{
	struct slocal_session *s;

	lockdep_assert_held(&slocal_lock);
	list_for_each_entry(s, &target->sessions, entry)
		if (!strcmp(scst_session_initiator(s->sess), name))
			return s;
	return NULL;
}

/* ---- sessions ------------------------------------------------------------ */

/* A SAS address of the locally assigned kind (NAA 3h) that both names decide. */
static void slocal_make_transport_id(u8 *id, const char *target, const char *session)
{
	u32 high = 0x30000000 | (crc32_le(~0, target, strlen(target)) & 0x0fffffff);

	memset(id, 0, SLOCAL_TRANSPORT_ID_LEN);
	id[0] = SCSI_PROTOCOL_SAS;
	put_unaligned_be32(high, id + 4);
	put_unaligned_be32(crc32_le(~0, session, strlen(session)), id + 8);
}

static void slocal_target_put(struct slocal_target *target)
{
	if (refcount_dec_and_test(&target->users))
		complete(&target->unused);
}

/* The session is in no list any more. */
static void slocal_session_destroy(struct slocal_session *s)
{
	struct slocal_target *target = s->target;

	sysfs_remove_link(scst_session_kobj(s->sess), "host");
	/* Disks flush their caches on the way out, so the nexus goes after the host. */
	scsi_remove_host(s->shost);
	scst_session_destroy(s->sess);
	/* Nobody asks for either work from here on. */
	cancel_work_sync(&s->rescan);
	if (current_work() == &s->close)
		cancel_work(&s->close);		/* asked for twice */
	else
		cancel_work_sync(&s->close);
	scsi_host_put(s->shost);
	slocal_target_put(target);
}

static void slocal_rescan_work(struct work_struct *work)
{
	slocal_host_rescan(container_of(work, struct slocal_session, rescan)->shost);
}

static void slocal_close_work(struct work_struct *work)
{
	struct slocal_session *s = container_of(work, struct slocal_session, close);
	bool mine;

	mutex_lock(&slocal_lock);
	mine = !list_empty(&s->entry);
	list_del_init(&s->entry);
	mutex_unlock(&slocal_lock);
	if (mine)
		slocal_session_destroy(s);
}

static struct slocal_session *
slocal_session_create_locked(struct slocal_target *target, const char *name)
{
	struct slocal_session *s;
	int err;

	lockdep_assert_held(&slocal_lock);
	s = slocal_host_alloc();
	if (!s)
		return ERR_PTR(-ENOMEM);
	s->target = target;
	INIT_WORK(&s->rescan, slocal_rescan_work);
	INIT_WORK(&s->close, slocal_close_work);
	INIT_LIST_HEAD(&s->entry);
	slocal_make_transport_id(s->transport_id, scst_target_name(target->tgt), name);
	s->sess = scst_session_create(target->tgt, name, s->transport_id,
				      sizeof(s->transport_id), s);
	if (IS_ERR(s->sess)) {
		err = PTR_ERR(s->sess);
		goto err_put_host;
	}
	err = slocal_host_add(s);
	if (err)
		goto err_destroy;
	err = sysfs_create_link(scst_session_kobj(s->sess), &s->shost->shost_gendev.kobj, "host");
	if (err)
		goto err_remove_host;
	refcount_inc(&target->users);
	list_add_tail(&s->entry, &target->sessions);
	return s;

err_remove_host:
	scsi_remove_host(s->shost);
err_destroy:
	scst_session_destroy(s->sess);
err_put_host:
	/* LUNs that the session saw for a moment may have changed. */
	cancel_work_sync(&s->rescan);
	scsi_host_put(s->shost);
	return ERR_PTR(err);
}

static struct slocal_session *
slocal_session_add_locked(struct slocal_target *target, const char *name)
{
	const char *target_name = scst_target_name(target->tgt);
	struct slocal_session *s;

	if (slocal_session_find_locked(target, name)) {
		pr_err("%s: there is a session '%s' already\n", target_name, name);
		return ERR_PTR(-EFAULT);
	}
	s = slocal_session_create_locked(target, name);
	if (IS_ERR(s))
		pr_err("%s: session '%s' failed: %pe\n", target_name, name, s);
	return s;
}

int slocal_session_add(const char *target_name, const char *name)
{
	struct slocal_target *target;
	struct Scsi_Host *shost = NULL;
	struct slocal_session *s;
	unsigned int lun;
	int err = 0;

	mutex_lock(&slocal_lock);
	target = slocal_target_find_locked(target_name);
	if (!target) {
		pr_err("there is no target '%s'\n", target_name);
		err = -EINVAL;
	} else {
		s = slocal_session_add_locked(target, name);
		if (IS_ERR(s))
			err = PTR_ERR(s);
		else if (scst_session_luns(s->sess, &lun))
			shost = scsi_host_get(s->shost);
	}
	mutex_unlock(&slocal_lock);

	/* The LUNs take their time to answer; a host that is removed meanwhile is not scanned. */
	if (shost) {
		slocal_host_scan(shost);
		scsi_host_put(shost);
	}
	return err;
}

static int slocal_session_del(const char *target_name, const char *name)
{
	struct slocal_target *target;
	struct slocal_session *s = NULL;

	mutex_lock(&slocal_lock);
	target = slocal_target_find_locked(target_name);
	if (target)
		s = slocal_session_find_locked(target, name);
	if (s)
		list_del_init(&s->entry);
	mutex_unlock(&slocal_lock);
	if (!s) {
		pr_err("there is no session '%s' of target '%s'\n", name, target_name);
		return -EINVAL;
	}
	slocal_session_destroy(s);
	return 0;
}

void slocal_session_force_close(struct scst_session *sess)
{
	struct slocal_session *s = scst_session_priv(sess);

	/* Not yet, or not any more: whoever creates or removes it is at work. */
	if (!list_empty(&s->entry))
		queue_work(slocal_wq, &s->close);
}

void slocal_session_luns_changed(struct scst_session *sess)
{
	struct slocal_session *s = scst_session_priv(sess);

	queue_work(slocal_wq, &s->rescan);
}

/* ---- targets --------------------------------------------------------------- */

static void slocal_target_destroy(struct slocal_target *target)
{
	struct slocal_session *s;

	for (;;) {
		mutex_lock(&slocal_lock);
		s = list_first_entry_or_null(&target->sessions, struct slocal_session, entry);
		if (s)
			list_del_init(&s->entry);
		mutex_unlock(&slocal_lock);
		if (!s)
			break;
		slocal_session_destroy(s);
	}
	slocal_target_put(target);
	wait_for_completion(&target->unused);
	scst_target_destroy(target->tgt);
	kfree(target);
}

int slocal_target_del(struct scst_target *tgt)
{
	struct slocal_target *target;
	bool found;

	mutex_lock(&slocal_lock);
	target = slocal_target_find_locked(scst_target_name(tgt));
	found = target && target->tgt == tgt;
	if (found)
		list_del(&target->entry);
	mutex_unlock(&slocal_lock);
	if (!found)
		return -ENOENT;
	slocal_target_destroy(target);
	return 0;
}

void slocal_target_del_all(void)
{
	struct slocal_target *target;

	for (;;) {
		mutex_lock(&slocal_lock);
		target = list_first_entry_or_null(&slocal_targets, struct slocal_target, entry);
		if (target)
			list_del(&target->entry);
		mutex_unlock(&slocal_lock);
		if (!target)
			return;
		slocal_target_destroy(target);
	}
}

/* session_name=NAME[;session_name=NAME]... */
static int slocal_add_sessions_locked(struct slocal_target *target, char *params)
{
	struct slocal_session *s;
	char *param, *name;
	unsigned int lun;
	int ret;

	while ((ret = scst_text_param(&params, &param, &name)) > 0) {
		if (strcasecmp(param, "session_name"))
			break;
		s = slocal_session_add_locked(target, name);
		if (IS_ERR(s))
			return PTR_ERR(s);
		/* Somebody was quick to map one. */
		if (scst_session_luns(s->sess, &lun))
			slocal_session_luns_changed(s->sess);
	}
	if (!ret)
		return 0;
	pr_err("%s: the only parameter is session_name=NAME\n", scst_target_name(target->tgt));
	return -EINVAL;
}

int slocal_target_add(const char *name, char *params)
{
	struct slocal_target *target = kzalloc(sizeof(*target), GFP_KERNEL);
	int err;

	if (!target)
		return -ENOMEM;
	INIT_LIST_HEAD(&target->sessions);
	refcount_set(&target->users, 1);
	init_completion(&target->unused);
	target->transport_version = SLOCAL_TRANSPORT_VERSION;
	mutex_lock(&slocal_lock);
	target->tgt = scst_target_create(&slocal_ops, name, target);
	err = PTR_ERR_OR_ZERO(target->tgt);
	if (!err)
		err = params ? slocal_add_sessions_locked(target, params) : 0;
	/* With all its sessions, so that nobody takes it away if one fails. */
	if (!err)
		list_add_tail(&target->entry, &slocal_targets);
	mutex_unlock(&slocal_lock);
	if (IS_ERR(target->tgt)) {
		pr_err("target '%s' failed: %pe\n", name, target->tgt);
		kfree(target);
		/* What existing scripts know a duplicate by. */
		return err == -EEXIST ? -EFAULT : err;
	}
	if (err)
		slocal_target_destroy(target);
	return err;
}

/* "add_session TARGET SESSION" and "del_session TARGET SESSION" */
int slocal_mgmt_command(const char *verb, char *args)
{
	struct scst_line line = { .pos = args };
	bool add = !strcmp(verb, "add_session");
	const char *target, *session;

	if (!add && strcmp(verb, "del_session"))
		return -EINVAL;
	if (!scst_line_word(&line, "the name of a target", &target) ||
	    !scst_line_name(&line, "the name of a session", &session) || !scst_line_end(&line)) {
		pr_err("%s: found '%s', expected %s\n", verb, line.found, line.expected);
		return -EINVAL;
	}
	return add ? slocal_session_add(target, session) : slocal_session_del(target, session);
}
