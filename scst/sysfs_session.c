// SPDX-License-Identifier: GPL-2.0
/*
 * sessions/<s>, its lun<N>/ directories, and the command counters, whose sums
 * are shown for the target as well.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/ctype.h>
#include <linux/limits.h>
#include <linux/slab.h>

#include "sysfs.h"

struct scst_session *scst_session_of_kobj(struct kobject *kobj)
{
	return container_of(kobj, struct scst_session, kobj);
}
EXPORT_SYMBOL_GPL(scst_session_of_kobj);

struct kobject *scst_session_kobj(struct scst_session *sess)
{
	return &sess->kobj;
}
EXPORT_SYMBOL_GPL(scst_session_kobj);

/* ---- counters ---------------------------------------------------------------- */

enum stat_kind { STAT_CMDS, STAT_KB, STAT_UNALIGNED };

struct stat_attr {
	struct kobj_attribute attr;
	enum stat_kind kind;
	unsigned int dir;	/* SCST_IO_* */
};

static ssize_t stat_emit(const struct scst_stats *stats, struct kobj_attribute *attr, char *buf)
{
	const struct stat_attr *sa = container_of(attr, struct stat_attr, attr);
	u64 val;

	switch (sa->kind) {
	case STAT_CMDS:
		val = stats->cmds[sa->dir];
		break;
	case STAT_KB:
		val = stats->bytes[sa->dir] >> 10;
		break;
	default:
		val = stats->unaligned[sa->dir];
	}
	return scst_sysfs_emit_u64(buf, val, false);
}

static ssize_t session_stat_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	struct scst_stats stats = {};

	scst_session_stats(scst_session_of_kobj(kobj), &stats);
	return stat_emit(&stats, attr, buf);
}

static ssize_t session_stat_store(struct kobject *kobj, struct kobj_attribute *attr,
				  const char *buf, size_t count)
{
	const struct stat_attr *sa = container_of(attr, struct stat_attr, attr);

	scst_session_reset_stats(scst_session_of_kobj(kobj), sa->dir);
	return count;
}

static void stats_add(struct scst_stats *sum, const struct scst_stats *stats)
{
	unsigned int i;

	for (i = 0; i < SCST_IO_NR; i++) {
		sum->cmds[i] += stats->cmds[i];
		sum->bytes[i] += stats->bytes[i];
		sum->unaligned[i] += stats->unaligned[i];
	}
}

static ssize_t target_stat_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	struct scst_target *tgt = scst_target_of_kobj(kobj);
	struct scst_stats sum = {}, stats;
	struct scst_session *sess;

	mutex_lock(&scst_mutex);
	list_for_each_entry(sess, &tgt->sessions, entry) {
		memset(&stats, 0, sizeof(stats));
		scst_session_stats(sess, &stats);
		stats_add(&sum, &stats);
	}
	mutex_unlock(&scst_mutex);
	return stat_emit(&sum, attr, buf);
}

#define STAT(_name, _kind, _dir, _mode, _show, _store)				\
	{ .attr = __ATTR(_name, _mode, _show, _store), .kind = _kind, .dir = _dir }

/* All counters, with __ATTR() arguments. */
#define STATS(...) {								\
	STAT(read_cmd_count, STAT_CMDS, SCST_IO_READ, __VA_ARGS__),		\
	STAT(write_cmd_count, STAT_CMDS, SCST_IO_WRITE, __VA_ARGS__),		\
	STAT(bidi_cmd_count, STAT_CMDS, SCST_IO_BIDI, __VA_ARGS__),		\
	STAT(none_cmd_count, STAT_CMDS, SCST_IO_NONE, __VA_ARGS__),		\
	STAT(unknown_cmd_count, STAT_CMDS, SCST_IO_UNKNOWN, __VA_ARGS__),	\
	STAT(read_io_count_kb, STAT_KB, SCST_IO_READ, __VA_ARGS__),		\
	STAT(write_io_count_kb, STAT_KB, SCST_IO_WRITE, __VA_ARGS__),		\
	STAT(bidi_io_count_kb, STAT_KB, SCST_IO_BIDI, __VA_ARGS__),		\
	STAT(read_unaligned_cmd_count, STAT_UNALIGNED, SCST_IO_READ, __VA_ARGS__), \
	STAT(write_unaligned_cmd_count, STAT_UNALIGNED, SCST_IO_WRITE, __VA_ARGS__), \
	STAT(bidi_unaligned_cmd_count, STAT_UNALIGNED, SCST_IO_BIDI, __VA_ARGS__), \
}

#define STAT_ATTRS(_array) {							\
	&(_array)[0].attr.attr, &(_array)[1].attr.attr, &(_array)[2].attr.attr,	\
	&(_array)[3].attr.attr, &(_array)[4].attr.attr, &(_array)[5].attr.attr,	\
	&(_array)[6].attr.attr, &(_array)[7].attr.attr, &(_array)[8].attr.attr,	\
	&(_array)[9].attr.attr, &(_array)[10].attr.attr, NULL			\
}

static struct stat_attr target_stats[] = STATS(0444, target_stat_show, NULL);
static struct stat_attr session_stats[] = STATS(0644, session_stat_show, session_stat_store);

static struct attribute *target_stat_attrs[] = STAT_ATTRS(target_stats);
static struct attribute *session_stat_attrs[] = STAT_ATTRS(session_stats);

const struct attribute_group scst_target_stats_group = {
	.attrs	= target_stat_attrs,
};

static const struct attribute_group session_stats_group = {
	.attrs	= session_stat_attrs,
};

/* ---- session attributes --------------------------------------------------------- */

static ssize_t initiator_name_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	const char *name = scst_session_of_kobj(kobj)->initiator;

	/* Initiators choose their names; what is not printable is escaped. */
	return sysfs_emit(buf, "%*pE\n", (int)strlen(name), name);
}

static struct kobj_attribute initiator_name_attr = __ATTR_RO(initiator_name);

static ssize_t commands_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return scst_sysfs_emit_u64(buf, scst_session_active_cmds(scst_session_of_kobj(kobj)),
				   false);
}

static struct kobj_attribute commands_attr = __ATTR_RO(commands);

/* Nothing holds a command here that is not in flight, so the two agree. */
static struct kobj_attribute active_commands_attr =
	__ATTR(active_commands, 0444, commands_show, NULL);

static ssize_t force_close_store(struct kobject *kobj, struct kobj_attribute *attr,
				 const char *buf, size_t count)
{
	struct scst_session *sess = scst_session_of_kobj(kobj);

	pr_info("%s: closing the session of %s by force_close\n", sess->tgt->name, sess->dir_name);
	sess->ops->close_session(sess);
	return count;
}

static struct kobj_attribute force_close_attr = __ATTR_WO(force_close);

static umode_t session_visible(struct kobject *kobj, struct attribute *attr, int n)
{
	if (attr == &force_close_attr.attr && !scst_session_of_kobj(kobj)->ops->close_session)
		return 0;
	return attr->mode;
}

static struct attribute *session_attrs[] = {
	&initiator_name_attr.attr,
	&commands_attr.attr,
	&active_commands_attr.attr,
	&force_close_attr.attr,
	NULL
};

static const struct attribute_group session_group = {
	.is_visible	= session_visible,
	.attrs		= session_attrs,
};

static const struct attribute_group *session_groups[] = {
	&session_group,
	&session_stats_group,
	NULL
};

/* ---- sessions/<s>/lun<N> ----------------------------------------------------------- */

/* A nexus is freed under RCU; its directory may live on in someone's hands. */
struct nexus_kobj {
	struct kobject kobj;
	struct scst_nexus *nexus;
};

static struct scst_nexus *to_nexus(struct kobject *kobj)
{
	return container_of(kobj, struct nexus_kobj, kobj)->nexus;
}

/* These may not wait for scst_mutex: the directory goes while it is held. */
static ssize_t nexus_active_commands_show(struct kobject *kobj, struct kobj_attribute *attr,
					  char *buf)
{
	return scst_sysfs_emit_u64(buf, READ_ONCE(to_nexus(kobj)->nr_cmds), false);
}

static struct kobj_attribute nexus_active_commands_attr =
	__ATTR(active_commands, 0444, nexus_active_commands_show, NULL);

static ssize_t thread_pid_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	struct scst_pool *pool;
	int at = 0;

	rcu_read_lock();
	pool = rcu_dereference(to_nexus(kobj)->pool);
	if (pool)
		at = scst_pool_print_pids(pool, buf, PAGE_SIZE - 1);
	rcu_read_unlock();
	return at + sysfs_emit_at(buf, at, "\n");
}

static struct kobj_attribute thread_pid_attr = __ATTR_RO(thread_pid);

/* -1 if the threads are shared with others. There is one pool of its own at most. */
static ssize_t thread_index_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	const struct scst_device *dev = to_nexus(kobj)->dev;

	return sysfs_emit(buf, "%d\n", READ_ONCE(dev->pool_type) == SCST_POOL_SHARED ? -1 : 0);
}

static struct kobj_attribute thread_index_attr = __ATTR_RO(thread_index);

static struct attribute *nexus_attrs[] = {
	&nexus_active_commands_attr.attr,
	&thread_pid_attr.attr,
	&thread_index_attr.attr,
	NULL
};
ATTRIBUTE_GROUPS(nexus);

static void nexus_release(struct kobject *kobj)
{
	kfree(container_of(kobj, struct nexus_kobj, kobj));
}

static const struct kobj_type nexus_ktype = {
	.release	= nexus_release,
	.sysfs_ops	= &scst_sysfs_ops,
};

int scst_sysfs_nexus_add(struct scst_nexus *nexus)
{
	struct nexus_kobj *nk;
	char name[16];
	int err;

	nk = kzalloc(sizeof(*nk), GFP_KERNEL);
	if (!nk)
		return -ENOMEM;
	nk->nexus = nexus;
	snprintf(name, sizeof(name), "lun%u", nexus->lun);
	err = scst_sysfs_add(&nk->kobj, &nexus_ktype, &nexus->sess->kobj, name);
	if (!err)
		err = sysfs_create_groups(&nk->kobj, nexus_groups);
	if (err) {
		kobject_put(&nk->kobj);
		return err;
	}
	nexus->kobj = &nk->kobj;
	return 0;
}

void scst_sysfs_nexus_del(struct scst_nexus *nexus)
{
	if (!nexus->kobj)
		return;
	kobject_del(nexus->kobj);
	kobject_put(nexus->kobj);
	nexus->kobj = NULL;
}

/* ---- sessions/<s> -------------------------------------------------------------------- */

static void session_release(struct kobject *kobj)
{
	scst_session_free(scst_session_of_kobj(kobj));
}

static const struct kobj_type session_ktype = {
	.release	= session_release,
	.sysfs_ops	= &scst_sysfs_ops,
};

/* Make a file name of what an initiator calls itself. */
static void make_file_name(char *name)
{
	char *p;

	if (!strcmp(name, ".") || !strcmp(name, ".."))
		*name = '!';
	for (p = name; *p; p++)
		if (*p == '/' || iscntrl(*p))
			*p = '!';
}

/* The initiator's name, with _1, _2 ... behind it if the target has it already. */
static char *session_dir_name(struct scst_session *sess)
{
	struct kobject *dir = sess->tgt->sessions_kobj;
	const int room = NAME_MAX - strlen("_4294967295");
	unsigned int i;
	char *base, *name;

	base = kasprintf(GFP_KERNEL, "%.*s", room, *sess->initiator ? sess->initiator : "!");
	if (!base)
		return NULL;
	make_file_name(base);

	name = base;
	for (i = 1; name && scst_sysfs_taken(dir, name); i++) {
		if (name != base)
			kfree(name);
		name = kasprintf(GFP_KERNEL, "%s_%u", base, i);
	}
	if (name != base)
		kfree(base);
	return name;
}

int scst_sysfs_session_add(struct scst_session *sess)
{
	int err;

	sess->dir_name = session_dir_name(sess);
	if (!sess->dir_name) {
		kobject_init(&sess->kobj, &session_ktype);
		return -ENOMEM;
	}
	err = scst_sysfs_add(&sess->kobj, &session_ktype, sess->tgt->sessions_kobj,
			     sess->dir_name);
	if (!err)
		err = sysfs_create_link(&sess->kobj, &sess->map->kobj, "luns");
	if (!err && sess->ops->session_groups)
		err = sysfs_create_groups(&sess->kobj, sess->ops->session_groups);
	return err ?: sysfs_create_groups(&sess->kobj, session_groups);
}

void scst_sysfs_session_del(struct scst_session *sess)
{
	kobject_del(&sess->kobj);
	kobject_put(&sess->kobj);
}

int scst_sysfs_session_relink(struct scst_session *sess)
{
	lockdep_assert_held(&scst_mutex);

	sysfs_remove_link(&sess->kobj, "luns");
	return sysfs_create_link(&sess->kobj, &sess->map->kobj, "luns");
}
