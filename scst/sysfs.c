// SPDX-License-Identifier: GPL-2.0
/*
 * /sys/kernel/scst_tgt: the root directory, and what all other sysfs files of
 * the core have in common.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <generated/utsrelease.h>
#include <linux/ctype.h>
#include <linux/jiffies.h>
#include <linux/limits.h>
#include <linux/slab.h>
#include <linux/utsname.h>

#include "sysfs.h"

DEFINE_MUTEX(scst_sysfs_link_lock);	/* links in other objects' directories */

static struct kobject *scst_root_kobj;
static struct kobject *scst_sgv_kobj;
struct kobject *scst_targets_kobj;
struct kobject *scst_devices_kobj;
struct kobject *scst_handlers_kobj;

/* Result of the last write to any attribute: 0 or -errno. */
static int scst_last_result;

/* ---- operations of every attribute ------------------------------------ */

/*
 * To a client of this interface EAGAIN means "queued: poll last_sysfs_mgmt_res".
 * Here every write is finished when it returns, so no other error may look so.
 */
static ssize_t not_queued(ssize_t ret)
{
	return ret == -EAGAIN ? -EBUSY : ret;
}

static ssize_t scst_attr_show(struct kobject *kobj, struct attribute *attr, char *buf)
{
	struct kobj_attribute *ka = container_of(attr, struct kobj_attribute, attr);

	return ka->show ? not_queued(ka->show(kobj, ka, buf)) : -EIO;
}

static ssize_t scst_attr_store(struct kobject *kobj, struct attribute *attr, const char *buf,
			       size_t count)
{
	struct kobj_attribute *ka = container_of(attr, struct kobj_attribute, attr);
	ssize_t ret;

	if (!ka->store)
		ret = -EIO;
	else if (count >= PAGE_SIZE)
		/* The rest of a longer text would come as a command of its own. */
		ret = scst_sysfs_refuse(kobj, -EINVAL, "%s: text is longer than %lu bytes",
					attr->name, PAGE_SIZE - 1);
	else
		ret = not_queued(ka->store(kobj, ka, buf, count));

	WRITE_ONCE(scst_last_result, min_t(ssize_t, ret, 0));
	return ret;
}

const struct sysfs_ops scst_sysfs_ops = {
	.show	= scst_attr_show,
	.store	= scst_attr_store,
};

/* ---- directories ------------------------------------------------------ */

bool scst_sysfs_taken(struct kobject *dir, const char *name)
{
	struct kernfs_node *kn = sysfs_get_dirent(dir->sd, name);

	if (!kn)
		return false;
	sysfs_put(kn);
	return true;
}

int scst_sysfs_add(struct kobject *kobj, const struct kobj_type *type, struct kobject *parent,
		   const char *name)
{
	kobject_init(kobj, type);
	if (scst_sysfs_taken(parent, name))
		return scst_sysfs_refuse(parent, -EEXIST, "there is a '%s' already", name);
	return kobject_add(kobj, parent, "%s", name);
}

static void scst_dir_release(struct kobject *kobj)
{
	kfree(kobj);
}

static const struct kobj_type scst_dir_ktype = {
	.release	= scst_dir_release,
	.sysfs_ops	= &scst_sysfs_ops,
};

struct kobject *scst_sysfs_mkdir(struct kobject *parent, const char *name)
{
	struct kobject *kobj = kzalloc(sizeof(*kobj), GFP_KERNEL);

	if (!kobj)
		return NULL;
	if (kobject_init_and_add(kobj, &scst_dir_ktype, parent, "%s", name)) {
		kobject_put(kobj);
		return NULL;
	}
	return kobj;
}

/* ---- refusing --------------------------------------------------------- */

int scst_sysfs_refuse(const struct kobject *kobj, int err, const char *fmt, ...)
{
	static const char root[] = "/kernel/scst_tgt/";
	char *path = kobject_get_path(kobj, GFP_KERNEL);
	const char *shown = path ?: "";
	struct va_format vaf;
	va_list args;

	if (!strncmp(shown, root, strlen(root)))
		shown += strlen(root);

	va_start(args, fmt);
	vaf.fmt = fmt;
	vaf.va = &args;
	pr_err("%s: %pV\n", shown, &vaf);
	va_end(args);

	kfree(path);
	return err;
}

/* ---- parsing ---------------------------------------------------------- */

int scst_sysfs_number(struct kobject *kobj, const struct kobj_attribute *attr, const char *buf,
		      u64 min, u64 max, u64 *val)
{
	u64 v;

	if (scst_text_u64(buf, &v) || v < min || v > max)
		return scst_sysfs_refuse(kobj, -EINVAL, "%s takes a number from %llu to %llu",
					 attr->attr.name, min, max);
	*val = v;
	return 0;
}

int scst_sysfs_bool(struct kobject *kobj, const struct kobj_attribute *attr, const char *buf,
		    bool *val)
{
	/* "7200" for rotational is a mistake that shows much later, so no generosity. */
	if ((buf[0] != '0' && buf[0] != '1') || *skip_spaces(buf + 1))
		return scst_sysfs_refuse(kobj, -EINVAL, "%s takes 0 or 1", attr->attr.name);
	*val = buf[0] == '1';
	return 0;
}

bool scst_sysfs_begins(const char *text, const char *word)
{
	return !strncasecmp(text, word, strlen(word));
}

/*
 * Copy a written text. Control characters are refused here once, so whatever
 * administrators name can be printed with %s later, and cannot hide in a path.
 * A NUL at the end is tolerated: C programs write it.
 */
static char *copy_text(struct kobject *kobj, const char *name, const char *buf, size_t count,
		       bool spaces)
{
	char *text;
	size_t i;

	if (count && !buf[count - 1])
		count--;
	i = scst_text_control(buf, count, spaces);
	if (i < count)
		return ERR_PTR(scst_sysfs_refuse(kobj, -EINVAL,
						 "%s: control character 0x%02x at position %zu",
						 name, (u8)buf[i], i));
	text = kmemdup_nul(buf, count, GFP_KERNEL);
	return text ?: ERR_PTR(-ENOMEM);
}

char *scst_sysfs_line(struct kobject *kobj, const struct kobj_attribute *attr, const char *buf,
		      size_t count)
{
	const char *end = memchr(buf, '\n', count);

	return copy_text(kobj, attr->attr.name, buf, end ? end - buf : count, false);
}

/* ---- mgmt files ------------------------------------------------------- */

/* Tools split these lists at commas; whoever wrote @list, the result looks the same. */
int scst_mgmt_emit_list(char *buf, int at, const char *list)
{
	const int start = at;

	for (; *list; list++) {
		if (*list == ' ')
			continue;
		at += sysfs_emit_at(buf, at, "%c%s", *list, *list == ',' ? " " : "");
	}
	return at - start;
}

ssize_t scst_mgmt_store(struct kobject *kobj, const struct kobj_attribute *attr,
			const struct scst_mgmt_verb *verbs, const char *buf, size_t count)
{
	struct scst_line line;
	char *text;
	int ret;

	text = copy_text(kobj, attr->attr.name, buf, count, true);
	if (IS_ERR(text))
		return PTR_ERR(text);

	scst_line_start(&line, text);
	while (verbs->name && strcmp(verbs->name, line.verb))
		verbs++;

	if (verbs->run && *line.verb)
		ret = verbs->run(kobj, &line);
	else
		ret = scst_sysfs_refuse(kobj, -EINVAL, "unknown command '%s'", line.verb);
	if (line.expected)
		scst_sysfs_refuse(kobj, ret, "%s: found '%s', expected %s", line.verb, line.found,
				  line.expected);

	kfree(text);
	return ret ?: count;
}

/* ---- root attributes -------------------------------------------------- */

static ssize_t version_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	static const char * const options[] = {
		IS_ENABLED(CONFIG_SCST_DEBUG) ? "DEBUG" : NULL,
		IS_ENABLED(CONFIG_SCST_PERF) ? "PERF" : NULL,
		IS_ENABLED(CONFIG_KASAN) ? "KASAN" : NULL,
		IS_ENABLED(CONFIG_PROVE_LOCKING) ? "PROVE_LOCKING" : NULL,
		IS_ENABLED(CONFIG_DEBUG_KMEMLEAK) ? "DEBUG_KMEMLEAK" : NULL,
	};
	const char *sep = "SCST config: ";
	unsigned int i;
	int at;

	/* Nothing that changes from one build of the same source to the next. */
	at = sysfs_emit(buf,
			"SCST version: " SCST_VERSION "\n"
			"Build date: -\n"
			"Build number: -\n"
			"Git commit: -\n"
			"Kernel version: " UTS_RELEASE "\n"
			"Architecture: %s\n", utsname()->machine);
	for (i = 0; i < ARRAY_SIZE(options); i++) {
		if (!options[i])
			continue;
		at += sysfs_emit_at(buf, at, "%s%s", sep, options[i]);
		sep = ", ";
	}
	if (*sep == ',')
		at += sysfs_emit_at(buf, at, "\n");
	return at;
}

static struct kobj_attribute version_attr = __ATTR_RO(version);

static ssize_t last_sysfs_mgmt_res_show(struct kobject *kobj, struct kobj_attribute *attr,
					char *buf)
{
	return sysfs_emit(buf, "%d\n", READ_ONCE(scst_last_result));
}

static struct kobj_attribute last_sysfs_mgmt_res_attr = __ATTR_RO(last_sysfs_mgmt_res);

static ssize_t setup_id_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	u32 id = scst_settings.setup_id;

	return scst_sysfs_key(buf, sysfs_emit(buf, "0x%x\n", id), id != 0);
}

static ssize_t setup_id_store(struct kobject *kobj, struct kobj_attribute *attr, const char *buf,
			      size_t count)
{
	u64 val;
	int err = scst_sysfs_number(kobj, attr, buf, 0, U32_MAX, &val);

	if (err)
		return err;
	mutex_lock(&scst_mutex);
	scst_settings.setup_id = val;
	mutex_unlock(&scst_mutex);
	return count;
}

static struct kobj_attribute setup_id_attr = __ATTR_RW(setup_id);

static ssize_t threads_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	unsigned int threads = scst_settings.threads;

	return scst_sysfs_emit_u64(buf, threads, threads != scst_threads_param);
}

static ssize_t threads_store(struct kobject *kobj, struct kobj_attribute *attr, const char *buf,
			     size_t count)
{
	u64 val;
	int err = scst_sysfs_number(kobj, attr, buf, 1, INT_MAX, &val);

	if (err)
		return err;
	scst_set_default_threads(val);
	return count;
}

static struct kobj_attribute threads_attr = __ATTR_RW(threads);

/* Tuning of machinery that does not exist here; saved files set it, so it is kept. */
#define SCST_ROOT_UINT(_name, _default) \
static ssize_t _name##_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf) \
{ \
	unsigned int val = scst_settings._name; \
\
	return scst_sysfs_emit_u64(buf, val, val != (_default)); \
} \
\
static ssize_t _name##_store(struct kobject *kobj, struct kobj_attribute *attr, \
			     const char *buf, size_t count) \
{ \
	u64 val; \
	int err = scst_sysfs_number(kobj, attr, buf, 0, UINT_MAX, &val); \
\
	if (err) \
		return err; \
	scst_settings._name = val; \
	return count; \
} \
static struct kobj_attribute _name##_attr = __ATTR_RW(_name)

SCST_ROOT_UINT(max_tasklet_cmd, 10);
SCST_ROOT_UINT(poll_us, 0);

#define SCST_ROOT_BOOL(_name, _key) \
static ssize_t _name##_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf) \
{ \
	bool val = scst_settings._name; \
\
	return scst_sysfs_emit_u64(buf, val, val && (_key)); \
} \
\
static ssize_t _name##_store(struct kobject *kobj, struct kobj_attribute *attr, \
			     const char *buf, size_t count) \
{ \
	return scst_sysfs_bool(kobj, attr, buf, &scst_settings._name) ?: count; \
} \
static struct kobj_attribute _name##_attr = __ATTR_RW(_name)

SCST_ROOT_BOOL(async_lun_replace, false);
SCST_ROOT_BOOL(force_global_sgv_pool, true);

static ssize_t cluster_name_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	ssize_t len = 0;

	mutex_lock(&scst_mutex);
	if (*scst_settings.cluster_name)
		len = sysfs_emit(buf, "%s\n[key]\n", scst_settings.cluster_name);
	mutex_unlock(&scst_mutex);
	return len;
}

static ssize_t cluster_name_store(struct kobject *kobj, struct kobj_attribute *attr,
				  const char *buf, size_t count)
{
	char *name = scst_sysfs_line(kobj, attr, buf, count);
	ssize_t ret = count;

	if (IS_ERR(name))
		return PTR_ERR(name);
	mutex_lock(&scst_mutex);
	if (strlen(name) < sizeof(scst_settings.cluster_name))
		strcpy(scst_settings.cluster_name, name);
	else
		ret = scst_sysfs_refuse(kobj, -EINVAL, "cluster_name: longer than %zu characters",
					sizeof(scst_settings.cluster_name) - 1);
	mutex_unlock(&scst_mutex);
	kfree(name);
	return ret;
}

static struct kobj_attribute cluster_name_attr = __ATTR_RW(cluster_name);

/* ---- trace_cmds ------------------------------------------------------- */

/* Room for one line: 32 CDB bytes, numbers, and names as far as they are usual. */
#define TRACE_LINE_ROOM	512

static const char *cmd_state_name(u8 state)
{
	static const char * const names[] = {
		[SCST_CMD_NEW]		= "NEW",
		[SCST_CMD_PARSED]	= "PARSED",
		[SCST_CMD_WAIT_DATA]	= "WAIT_DATA",
		[SCST_CMD_QUEUED]	= "QUEUED",
		[SCST_CMD_EXEC]		= "EXEC",
		[SCST_CMD_DONE]		= "DONE",
		[SCST_CMD_SENDING]	= "SENDING",
	};

	return state < ARRAY_SIZE(names) ? names[state] : "?";
}

static int trace_cmd(char *buf, int at, const struct scst_session *sess,
		     const struct scst_cmd *cmd, unsigned int lun)
{
	const struct scst_cdb_desc *desc = cmd->cdb_info.desc;
	const struct scst_target *tgt = sess->tgt;

	return sysfs_emit_at(buf, at,
			     "%p (%s); op %s; proc time %lu sec; tgtt %s; tgt %s; session %s; grp %s; LUN %u; ini %*pE; cdb %*ph\n",
			     cmd, cmd_state_name(READ_ONCE(cmd->state)),
			     desc ? desc->name : "unknown",
			     (jiffies - READ_ONCE(cmd->start)) / HZ,
			     tgt->ops->name, tgt->name, sess->dir_name,
			     sess->group ? sess->group->name : "-", lun,
			     (int)strlen(sess->initiator), sess->initiator,
			     min_t(int, cmd->cdb_len, sizeof(cmd->cdb)), cmd->cdb);
}

/* Commands of one nexus; its task set may hold those of others as well (TST 0). */
static int trace_nexus(char *buf, int at, struct scst_session *sess, struct scst_nexus *nexus)
{
	struct scst_taskset *ts = READ_ONCE(nexus->ts);
	const struct scst_cmd *cmd;
	unsigned long flags;

	spin_lock_irqsave(&ts->lock, flags);
	list_for_each_entry(cmd, &ts->tasks, task)
		if (cmd->nexus == nexus && at < PAGE_SIZE - TRACE_LINE_ROOM)
			at += trace_cmd(buf, at, sess, cmd, nexus->lun);
	spin_unlock_irqrestore(&ts->lock, flags);
	return at;
}

static int trace_target(char *buf, int at, struct scst_target *tgt)
{
	struct scst_session *sess;
	struct scst_nexus *nexus;
	unsigned long lun;

	list_for_each_entry(sess, &tgt->sessions, entry)
		xa_for_each(&sess->nexuses, lun, nexus)
			at = trace_nexus(buf, at, sess, nexus);
	return at;
}

static ssize_t trace_cmds_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	struct scst_transport *t;
	struct scst_target *tgt;
	int at = 0;

	mutex_lock(&scst_mutex);
	list_for_each_entry(t, &scst_transports, entry)
		list_for_each_entry(tgt, &t->targets, entry)
			at = trace_target(buf, at, tgt);
	mutex_unlock(&scst_mutex);
	return at;
}

static struct kobj_attribute trace_cmds_attr = __ATTR_RO(trace_cmds);

/* ---- sgv/ ------------------------------------------------------------- */

static ssize_t global_stats_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return scst_buf_print(buf);
}

static ssize_t global_stats_store(struct kobject *kobj, struct kobj_attribute *attr,
				  const char *buf, size_t count)
{
	scst_buf_reset_stats();
	return count;
}

static struct kobj_attribute global_stats_attr = __ATTR_RW(global_stats);

/* ---- init ------------------------------------------------------------- */

static struct attribute *scst_root_attrs[] = {
	&version_attr.attr,
	&last_sysfs_mgmt_res_attr.attr,
	&setup_id_attr.attr,
	&threads_attr.attr,
	&max_tasklet_cmd_attr.attr,
	&poll_us_attr.attr,
	&async_lun_replace_attr.attr,
	&force_global_sgv_pool_attr.attr,
	&cluster_name_attr.attr,
	&trace_cmds_attr.attr,
	NULL
};
ATTRIBUTE_GROUPS(scst_root);

static void scst_sysfs_remove_dirs(void)
{
	kobject_put(scst_sgv_kobj);
	kobject_put(scst_handlers_kobj);
	kobject_put(scst_devices_kobj);
	kobject_put(scst_targets_kobj);
	/* First from sysfs: attributes must not run any more when the module goes. */
	kobject_del(scst_root_kobj);
	kobject_put(scst_root_kobj);
}

int scst_sysfs_init(void)
{
	int err = -ENOMEM;

	scst_root_kobj = scst_sysfs_mkdir(kernel_kobj, "scst_tgt");
	if (!scst_root_kobj)
		return err;
	scst_targets_kobj = scst_sysfs_mkdir(scst_root_kobj, "targets");
	scst_devices_kobj = scst_sysfs_mkdir(scst_root_kobj, "devices");
	scst_handlers_kobj = scst_sysfs_mkdir(scst_root_kobj, "handlers");
	scst_sgv_kobj = scst_sysfs_mkdir(scst_root_kobj, "sgv");
	if (scst_targets_kobj && scst_devices_kobj && scst_handlers_kobj && scst_sgv_kobj)
		err = sysfs_create_file(scst_sgv_kobj, &global_stats_attr.attr);
	if (!err)
		err = sysfs_create_groups(scst_root_kobj, scst_root_groups);
	if (err)
		scst_sysfs_remove_dirs();
	return err;
}

void scst_sysfs_exit(void)
{
	scst_sysfs_remove_dirs();
}
