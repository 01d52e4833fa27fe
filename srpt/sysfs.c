// SPDX-License-Identifier: GPL-2.0
/* Attributes of target ports and sessions besides the core's; see doc/ABI. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bitmap.h>
#include <linux/ctype.h>
#include <rdma/ib_cache.h>

#include "srpt.h"

#define SRPT_KEY_MARK		"[key]\n"	/* differs from the default: to be saved */
#define SRPT_DEFAULT_PORT_ID	"SCST SRP target"

static struct srpt_port *srpt_port_of_kobj(struct kobject *kobj)
{
	return scst_target_priv(scst_target_of_kobj(kobj));
}

static struct srpt_ch *srpt_ch_of_kobj(struct kobject *kobj)
{
	return scst_session_priv(scst_session_of_kobj(kobj));
}

static ssize_t login_info_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	struct srpt_port *port = srpt_port_of_kobj(kobj);
	union ib_gid gid;
	int len;

	if (!READ_ONCE(port->ready) || rdma_query_gid(port->sdev->dev, port->port_num, 0, &gid))
		return -EBUSY;
	/* What initiators call id_ext is tid_ext here, as scripts know it. */
	len = scnprintf(buf, PAGE_SIZE, "tid_ext=%016llx,ioc_guid=%016llx,pkey=ffff,",
			srpt_service_guid, srpt_service_guid);
	return len + sysfs_emit_at(buf, len, "dgid=%16phN,service_id=%016llx\n", gid.raw,
				   srpt_service_guid);
}

static ssize_t port_id_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	struct srpt_port *port = srpt_port_of_kobj(kobj);
	ssize_t len;

	mutex_lock(&port->mutex);
	len = sysfs_emit(buf, "%s\n%s", port->port_id,
			 strcmp(port->port_id, SRPT_DEFAULT_PORT_ID) ? SRPT_KEY_MARK : "");
	mutex_unlock(&port->mutex);
	return len;
}

static ssize_t port_id_store(struct kobject *kobj, struct kobj_attribute *attr, const char *buf,
			     size_t count)
{
	struct srpt_port *port = srpt_port_of_kobj(kobj);
	size_t len = count;

	while (len && (isspace(buf[len - 1]) || !buf[len - 1]))
		len--;
	if (len >= SRPT_PORT_ID_LEN) {
		pr_err("%s: port_id is longer than %u characters\n", port->name,
		       SRPT_PORT_ID_LEN - 1);
		return -E2BIG;
	}
	mutex_lock(&port->mutex);
	memset(port->port_id, 0, sizeof(port->port_id));
	memcpy(port->port_id, buf, len);
	mutex_unlock(&port->mutex);
	return count;
}

static ssize_t comp_v_mask_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	struct srpt_port *port = srpt_port_of_kobj(kobj);
	ssize_t len;

	mutex_lock(&port->mutex);
	len = sysfs_emit(buf, "%*pb\n" SRPT_KEY_MARK, port->sdev->dev->num_comp_vectors,
			 port->comp_vectors);
	mutex_unlock(&port->mutex);
	return len;
}

static ssize_t comp_v_mask_store(struct kobject *kobj, struct kobj_attribute *attr, const char *buf,
				 size_t count)
{
	struct srpt_port *port = srpt_port_of_kobj(kobj);
	unsigned int nr = port->sdev->dev->num_comp_vectors;
	unsigned long *mask;
	int ret;

	mask = bitmap_zalloc(nr, GFP_KERNEL);
	if (!mask)
		return -ENOMEM;
	ret = bitmap_parse(buf, count, mask, nr);
	if (ret || bitmap_empty(mask, nr)) {
		pr_err("%s: comp_v_mask: not a mask of the %u completion vectors of %s\n",
		       port->name, nr, port->sdev->dev->name);
		bitmap_free(mask);
		return -EINVAL;
	}
	mutex_lock(&port->mutex);
	bitmap_copy(port->comp_vectors, mask, nr);
	mutex_unlock(&port->mutex);
	bitmap_free(mask);
	return count;
}

static ssize_t device_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%s\n", srpt_port_of_kobj(kobj)->sdev->dev->name);
}

static ssize_t link_layer_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	struct srpt_port *port = srpt_port_of_kobj(kobj);

	switch (rdma_port_get_link_layer(port->sdev->dev, port->port_num)) {
	case IB_LINK_LAYER_INFINIBAND:
		return sysfs_emit(buf, "InfiniBand\n");
	case IB_LINK_LAYER_ETHERNET:
		return sysfs_emit(buf, "Ethernet\n");
	default:
		return sysfs_emit(buf, "Unknown\n");
	}
}

/* What of the limits in doc/limits.md is in use. */
struct srpt_usage {
	unsigned int channels;
	unsigned int connecting;
	unsigned long mem_bytes;
};

static struct srpt_usage srpt_port_usage(struct kobject *kobj)
{
	struct srpt_port *port = srpt_port_of_kobj(kobj);
	struct srpt_usage usage = {};
	struct srpt_ch *ch;

	mutex_lock(&port->mutex);
	list_for_each_entry(ch, &port->channels, entry) {
		usage.channels++;
		usage.connecting += srpt_ch_state(ch) == SRPT_CH_CONNECTING;
		usage.mem_bytes += READ_ONCE(ch->mem_bytes);
	}
	mutex_unlock(&port->mutex);
	return usage;
}

static ssize_t channels_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n", srpt_port_usage(kobj).channels);
}

static ssize_t connecting_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n", srpt_port_usage(kobj).connecting);
}

static ssize_t channel_mem_kb_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%lu\n", srpt_port_usage(kobj).mem_bytes >> 10);
}

static ssize_t logins_refused_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%d\n", atomic_read(&srpt_port_of_kobj(kobj)->refused));
}

static ssize_t req_lim_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%d\n", atomic_read(&srpt_ch_of_kobj(kobj)->req_lim));
}

static ssize_t req_lim_delta_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%d\n", atomic_read(&srpt_ch_of_kobj(kobj)->req_lim_delta));
}

static ssize_t ch_state_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%s\n", srpt_ch_state_name(srpt_ch_of_kobj(kobj)));
}

static ssize_t comp_vector_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%d\n", srpt_ch_of_kobj(kobj)->comp_vector);
}

static struct kobj_attribute srpt_attr_login_info = __ATTR_RO(login_info);
static struct kobj_attribute srpt_attr_port_id = __ATTR_RW(port_id);
static struct kobj_attribute srpt_attr_comp_v_mask = __ATTR_RW(comp_v_mask);
static struct kobj_attribute srpt_attr_device = __ATTR_RO(device);
static struct kobj_attribute srpt_attr_link_layer = __ATTR_RO(link_layer);

static struct kobj_attribute srpt_attr_channels = __ATTR_RO(channels);
static struct kobj_attribute srpt_attr_connecting = __ATTR_RO(connecting);
static struct kobj_attribute srpt_attr_channel_mem_kb = __ATTR_RO(channel_mem_kb);
static struct kobj_attribute srpt_attr_logins_refused = __ATTR_RO(logins_refused);

static struct attribute *srpt_target_attrs[] = {
	&srpt_attr_login_info.attr,
	&srpt_attr_port_id.attr,
	&srpt_attr_comp_v_mask.attr,
	&srpt_attr_device.attr,
	&srpt_attr_link_layer.attr,
	&srpt_attr_channels.attr,
	&srpt_attr_connecting.attr,
	&srpt_attr_channel_mem_kb.attr,
	&srpt_attr_logins_refused.attr,
	NULL,
};

static const struct attribute_group srpt_target_group = { .attrs = srpt_target_attrs };

const struct attribute_group *srpt_target_groups[] = { &srpt_target_group, NULL };

static struct kobj_attribute srpt_attr_req_lim = __ATTR_RO(req_lim);
static struct kobj_attribute srpt_attr_req_lim_delta = __ATTR_RO(req_lim_delta);
static struct kobj_attribute srpt_attr_ch_state = __ATTR_RO(ch_state);
static struct kobj_attribute srpt_attr_comp_vector = __ATTR_RO(comp_vector);

static struct attribute *srpt_session_attrs[] = {
	&srpt_attr_req_lim.attr,
	&srpt_attr_req_lim_delta.attr,
	&srpt_attr_ch_state.attr,
	&srpt_attr_comp_vector.attr,
	NULL,
};

static const struct attribute_group srpt_session_group = { .attrs = srpt_session_attrs };

const struct attribute_group *srpt_session_groups[] = { &srpt_session_group, NULL };
