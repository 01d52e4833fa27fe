// SPDX-License-Identifier: GPL-2.0
/*
 * HCAs and their ports. Each port of each HCA is a target port, named by the
 * GID that it has when the HCA appears; the name stays when the GID changes,
 * so that configuration and access control go on to apply.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bitmap.h>
#include <rdma/ib_cache.h>
#include <rdma/ib_cm.h>

#include "srpt.h"

static struct ib_client srpt_client;
static DEFINE_MUTEX(srpt_devices_lock);
static LIST_HEAD(srpt_devices);

static void srpt_device_free(struct kref *ref)
{
	struct srpt_device *sdev = container_of(ref, struct srpt_device, ref);
	u32 i;

	for (i = 0; i < sdev->nr_ports; i++)
		bitmap_free(sdev->ports[i].comp_vectors);
	kfree(sdev);
}

struct srpt_port *srpt_port_get(struct ib_device *dev, u32 port_num)
{
	struct srpt_device *sdev;
	struct srpt_port *port = NULL;

	mutex_lock(&srpt_devices_lock);
	list_for_each_entry(sdev, &srpt_devices, entry) {
		if (sdev->dev != dev || port_num < 1 || port_num > sdev->nr_ports)
			continue;
		if (sdev->ports[port_num - 1].tgt) {
			port = &sdev->ports[port_num - 1];
			kref_get(&sdev->ref);
		}
		break;
	}
	mutex_unlock(&srpt_devices_lock);
	return port;
}

void srpt_port_put(struct srpt_port *port)
{
	kref_put(&port->sdev->ref, srpt_device_free);
}

/* Completion vector for a new channel: the ones of the mask in turn. */
int srpt_port_next_vector(struct srpt_port *port)
{
	unsigned int nr = port->sdev->dev->num_comp_vectors, vector;

	mutex_lock(&port->mutex);
	vector = find_next_bit(port->comp_vectors, nr, port->next_vector);
	if (vector >= nr)
		vector = find_first_bit(port->comp_vectors, nr);
	port->next_vector = vector + 1;
	mutex_unlock(&port->mutex);
	return vector;
}

static void srpt_port_close_channels_locked(struct srpt_port *port)
{
	struct srpt_ch *ch;

	lockdep_assert_held(&port->mutex);
	list_for_each_entry(ch, &port->channels, entry)
		srpt_ch_close(ch);
}

/**
 * srpt_port_enable() - accept logins, or no longer
 * @tgt: the core's target of the port
 * @enable: what to do; disabling returns when all channels are gone
 *
 * Context: process context, no lock held.
 * Return: 0, or -ENODEV: the HCA goes away.
 */
int srpt_port_enable(struct scst_target *tgt, bool enable)
{
	struct srpt_port *port = scst_target_priv(tgt);

	mutex_lock(&port->mutex);
	if (enable && port->dead) {
		mutex_unlock(&port->mutex);
		return -ENODEV;
	}
	port->enabled = enable;
	if (!enable)
		srpt_port_close_channels_locked(port);
	mutex_unlock(&port->mutex);
	if (!enable)
		wait_event(port->gone, list_empty_careful(&port->channels));
	return 0;
}

static void srpt_port_del(struct srpt_port *port)
{
	if (!port->tgt)
		return;
	srpt_mad_stop(port);
	mutex_lock(&port->mutex);
	port->dead = true;
	port->enabled = false;
	srpt_port_close_channels_locked(port);
	mutex_unlock(&port->mutex);
	wait_event(port->gone, list_empty_careful(&port->channels));
	scst_target_destroy(port->tgt);
}

static int srpt_port_add(struct srpt_device *sdev, struct srpt_port *port, u32 port_num)
{
	struct ib_device *dev = sdev->dev;
	struct scst_target *tgt;
	union ib_gid gid;
	int ret;

	port->sdev = sdev;
	port->port_num = port_num;
	mutex_init(&port->mutex);
	INIT_LIST_HEAD(&port->channels);
	init_waitqueue_head(&port->gone);
	strscpy(port->port_id, "SCST SRP target", sizeof(port->port_id));
	port->comp_vectors = bitmap_alloc(dev->num_comp_vectors, GFP_KERNEL);
	if (!port->comp_vectors)
		return -ENOMEM;
	bitmap_fill(port->comp_vectors, dev->num_comp_vectors);

	ret = rdma_query_gid(dev, port_num, 0, &gid);
	if (ret)
		return ret;
	snprintf(port->name, sizeof(port->name), "%pI6", gid.raw);
	tgt = scst_target_create(&srpt_ops, port->name, port);
	if (IS_ERR(tgt))
		return PTR_ERR(tgt);
	port->tgt = tgt;
	WRITE_ONCE(port->ready, true);
	srpt_mad_start(port);
	return 0;
}

/* A shared receive queue, if it is wanted and the HCA has one for us. */
static void srpt_srq_create(struct srpt_device *sdev)
{
	const struct ib_device_attr *attrs = &sdev->dev->attrs;
	struct ib_srq_init_attr attr = {
		.attr.max_wr	= min_t(unsigned int, srpt_srq_size, attrs->max_srq_wr),
		.attr.max_sge	= 1,
		.srq_type	= IB_SRQT_BASIC,
	};
	unsigned int i;

	if (!srpt_use_srq || !attr.attr.max_wr)
		return;
	sdev->srq_ring = srpt_ring_alloc(sdev, attr.attr.max_wr);
	if (!sdev->srq_ring)
		return;
	sdev->srq_len = attr.attr.max_wr;
	sdev->srq = ib_create_srq(sdev->pd, &attr);
	if (IS_ERR(sdev->srq)) {
		pr_debug("%s: no shared receive queue\n", sdev->dev->name);
		sdev->srq = NULL;
		goto err_ring;
	}
	for (i = 0; i < sdev->srq_len; i++)
		if (srpt_recv_post(sdev, NULL, &sdev->srq_ring[i]))
			goto err_srq;
	return;

err_srq:
	ib_destroy_srq(sdev->srq);
	sdev->srq = NULL;
err_ring:
	srpt_ring_free(sdev, sdev->srq_ring, sdev->srq_len);
	sdev->srq_ring = NULL;
}

static void srpt_srq_destroy(struct srpt_device *sdev)
{
	if (!sdev->srq)
		return;
	ib_destroy_srq(sdev->srq);
	srpt_ring_free(sdev, sdev->srq_ring, sdev->srq_len);
}

/* All HCAs of the node share the identity of the first (IBA: AGN bits are not ours). */
static void srpt_set_service_guid(const struct ib_device *dev)
{
	lockdep_assert_held(&srpt_devices_lock);
	if (!srpt_service_guid)
		srpt_service_guid = be64_to_cpu(dev->node_guid & ~IB_SERVICE_ID_AGN_MASK);
}

static int srpt_add_one(struct ib_device *dev)
{
	struct srpt_device *sdev;
	u32 i;
	int ret;

	sdev = kzalloc(struct_size(sdev, ports, dev->phys_port_cnt), GFP_KERNEL);
	if (!sdev)
		return -ENOMEM;
	kref_init(&sdev->ref);
	sdev->dev = dev;
	sdev->nr_ports = dev->phys_port_cnt;
	sdev->pd = ib_alloc_pd(dev, 0);
	if (IS_ERR(sdev->pd)) {
		ret = PTR_ERR(sdev->pd);
		kfree(sdev);
		return ret;
	}
	srpt_srq_create(sdev);
	ib_set_client_data(dev, &srpt_client, sdev);

	mutex_lock(&srpt_devices_lock);
	srpt_set_service_guid(dev);
	mutex_unlock(&srpt_devices_lock);

	for (i = 0; i < sdev->nr_ports; i++) {
		ret = srpt_port_add(sdev, &sdev->ports[i], i + 1);
		if (ret)
			pr_warn("%s port %u: no target port (error %d)\n", dev->name, i + 1, ret);
	}
	/* Now logins may find the ports. */
	mutex_lock(&srpt_devices_lock);
	list_add_tail(&sdev->entry, &srpt_devices);
	mutex_unlock(&srpt_devices_lock);
	srpt_ib_cm_listen(sdev);
	return 0;
}

/* Called with the HCA still usable; returns when nothing of ours uses it. */
static void srpt_remove_one(struct ib_device *dev, void *client_data)
{
	struct srpt_device *sdev = client_data;
	u32 i;

	srpt_ib_cm_unlisten(sdev);
	mutex_lock(&srpt_devices_lock);
	list_del(&sdev->entry);
	mutex_unlock(&srpt_devices_lock);

	for (i = 0; i < sdev->nr_ports; i++)
		srpt_port_del(&sdev->ports[i]);
	srpt_srq_destroy(sdev);
	ib_dealloc_pd(sdev->pd);
	kref_put(&sdev->ref, srpt_device_free);
}

static struct ib_client srpt_client = {
	.name	= KBUILD_MODNAME,
	.add	= srpt_add_one,
	.remove	= srpt_remove_one,
};

int srpt_ports_init(void)
{
	return ib_register_client(&srpt_client);
}

void srpt_ports_exit(void)
{
	ib_unregister_client(&srpt_client);
}
