// SPDX-License-Identifier: GPL-2.0
/*
 * What sysfs shows of scst_local beyond what every transport has.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/sysfs.h>

#include "local.h"

/* ---- driver -------------------------------------------------------------- */

static ssize_t version_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%s/2026-12-01\n", SCST_VERSION);
}

static ssize_t stats_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "Aborts: %d, Device Resets: %d, Target Resets: %d\n",
			  atomic_read(&slocal_stats.aborts),
			  atomic_read(&slocal_stats.device_resets),
			  atomic_read(&slocal_stats.target_resets));
}

static struct kobj_attribute version_attr = __ATTR_RO(version);
static struct kobj_attribute stats_attr = __ATTR_RO(stats);

static struct attribute *slocal_driver_attrs[] = {
	&version_attr.attr,
	&stats_attr.attr,
	NULL
};

static const struct attribute_group slocal_driver_group = {
	.attrs = slocal_driver_attrs,
};

const struct attribute_group *slocal_driver_groups[] = {
	&slocal_driver_group,
	NULL
};

/* ---- targets --------------------------------------------------------------- */

static struct slocal_target *to_target(struct kobject *kobj)
{
	return scst_target_priv(scst_target_of_kobj(kobj));
}

static ssize_t slocal_version_show(char *buf, u16 version, u16 usual)
{
	return sysfs_emit(buf, version == usual ? "0x%x\n" : "0x%x\n[key]\n", version);
}

static int slocal_version_store(struct kobject *kobj, const char *buf, u16 *version)
{
	struct scst_target *tgt = scst_target_of_kobj(kobj);
	struct slocal_target *target = scst_target_priv(tgt);

	if (kstrtou16(buf, 16, version)) {
		pr_err("%s: a version descriptor is a hexadecimal number of 16 bits\n",
		       scst_target_name(tgt));
		return -EINVAL;
	}
	scst_target_set_versions(tgt, target->transport_version, target->phys_version);
	return 0;
}

static ssize_t scsi_transport_version_show(struct kobject *kobj, struct kobj_attribute *attr,
					   char *buf)
{
	return slocal_version_show(buf, to_target(kobj)->transport_version,
				   SLOCAL_TRANSPORT_VERSION);
}

static ssize_t scsi_transport_version_store(struct kobject *kobj, struct kobj_attribute *attr,
					    const char *buf, size_t count)
{
	return slocal_version_store(kobj, buf, &to_target(kobj)->transport_version) ?: count;
}

static ssize_t phys_transport_version_show(struct kobject *kobj, struct kobj_attribute *attr,
					   char *buf)
{
	return slocal_version_show(buf, to_target(kobj)->phys_version, 0);
}

static ssize_t phys_transport_version_store(struct kobject *kobj, struct kobj_attribute *attr,
					    const char *buf, size_t count)
{
	return slocal_version_store(kobj, buf, &to_target(kobj)->phys_version) ?: count;
}

static struct kobj_attribute scsi_transport_version_attr = __ATTR_RW(scsi_transport_version);
static struct kobj_attribute phys_transport_version_attr = __ATTR_RW(phys_transport_version);

static struct attribute *slocal_target_attrs[] = {
	&scsi_transport_version_attr.attr,
	&phys_transport_version_attr.attr,
	NULL
};

static const struct attribute_group slocal_target_group = {
	.attrs = slocal_target_attrs,
};

const struct attribute_group *slocal_target_groups[] = {
	&slocal_target_group,
	NULL
};

/* ---- sessions ---------------------------------------------------------------- */

static struct slocal_session *to_session(struct kobject *kobj)
{
	return scst_session_priv(scst_session_of_kobj(kobj));
}

static ssize_t host_no_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n", to_session(kobj)->shost->host_no);
}

static ssize_t transport_id_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	memcpy(buf, to_session(kobj)->transport_id, SLOCAL_TRANSPORT_ID_LEN);
	return SLOCAL_TRANSPORT_ID_LEN;
}

static struct kobj_attribute host_no_attr = __ATTR_RO(host_no);
static struct kobj_attribute transport_id_attr = __ATTR_RO(transport_id);

static struct attribute *slocal_session_attrs[] = {
	&host_no_attr.attr,
	&transport_id_attr.attr,
	NULL
};

static const struct attribute_group slocal_session_group = {
	.attrs = slocal_session_attrs,
};

const struct attribute_group *slocal_session_groups[] = {
	&slocal_session_group,
	NULL
};
