// SPDX-License-Identifier: GPL-2.0
/*
 * Device management: an agent on each InfiniBand port answers those who look
 * for SRP targets. A port without one still works for who knows its identifiers.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <rdma/ib_mad.h>

#include "srpt.h"
#include "proto/dm.h"

static void srpt_mad_sent(struct ib_mad_agent *agent, struct ib_mad_send_wc *wc)
{
	rdma_destroy_ah(wc->send_buf->ah, 0);
	ib_free_send_mad(wc->send_buf);
}

static void srpt_dm_fill(struct srpt_port *port, struct srp_dm_info *info, char *id)
{
	const struct srpt_device *sdev = port->sdev;
	const struct ib_device_attr *attrs = &sdev->dev->attrs;

	mutex_lock(&port->mutex);
	strscpy(id, port->port_id, SRPT_PORT_ID_LEN);
	mutex_unlock(&port->mutex);
	*info = (struct srp_dm_info){
		.guid			= srpt_service_guid,
		.vendor_id		= attrs->vendor_id,
		.device_id		= attrs->vendor_part_id,
		.device_version		= attrs->hw_ver,
		.send_queue_depth	= sdev->srq ? sdev->srq_len :
					  min(SRPT_MAX_CREDITS, attrs->max_qp_wr),
		.rdma_read_depth	= SRPT_RDMA_DEPTH,
		.send_size		= srpt_max_req_size,
		.rdma_size		= READ_ONCE(srpt_max_rdma_size),
		.id			= id,
	};
}

static void srpt_mad_answer(struct srpt_port *port, struct ib_mad_agent *agent,
			    const struct ib_mad_recv_wc *recv)
{
	char id[SRPT_PORT_ID_LEN];
	struct srp_dm_info info;
	struct ib_mad_send_buf *send;
	struct ib_ah *ah;

	ah = ib_create_ah_from_wc(agent->qp->pd, recv->wc, recv->recv_buf.grh, port->port_num);
	if (IS_ERR(ah))
		return;
	BUILD_BUG_ON(IB_MGMT_DEVICE_HDR + IB_MGMT_DEVICE_DATA != SRP_DM_MAD_LEN);
	send = ib_create_send_mad(agent, recv->wc->src_qp, recv->wc->pkey_index, 0,
				  IB_MGMT_DEVICE_HDR, IB_MGMT_DEVICE_DATA, GFP_KERNEL,
				  IB_MGMT_BASE_VERSION);
	if (IS_ERR(send))
		goto err_ah;
	send->ah = ah;
	srpt_dm_fill(port, &info, id);
	if (!srp_dm_answer((const u8 *)recv->recv_buf.mad, &info, send->mad) ||
	    ib_post_send_mad(send, NULL))
		goto err_send;
	return;

err_send:
	ib_free_send_mad(send);
err_ah:
	rdma_destroy_ah(ah, 0);
}

static void srpt_mad_received(struct ib_mad_agent *agent, struct ib_mad_send_buf *send_buf,
			      struct ib_mad_recv_wc *recv)
{
	if (recv && recv->recv_buf.mad)
		srpt_mad_answer(agent->context, agent, recv);
	ib_free_recv_mad(recv);
}

static void srpt_set_dm_capability(struct srpt_port *port, bool set)
{
	struct ib_port_modify modify = {};

	if (set)
		modify.set_port_cap_mask = IB_PORT_DEVICE_MGMT_SUP;
	else
		modify.clr_port_cap_mask = IB_PORT_DEVICE_MGMT_SUP;
	/* Virtual functions may not, and need not. */
	if (ib_modify_port(port->sdev->dev, port->port_num, 0, &modify))
		pr_debug("%s: device management capability not changed\n", port->name);
}

void srpt_mad_start(struct srpt_port *port)
{
	struct ib_mad_reg_req req = {
		.mgmt_class		= IB_MGMT_CLASS_DEVICE_MGMT,
		.mgmt_class_version	= 1,
	};
	struct ib_mad_agent *agent;

	if (!rdma_protocol_ib(port->sdev->dev, port->port_num))
		return;
	__set_bit(IB_MGMT_METHOD_GET, req.method_mask);
	__set_bit(IB_MGMT_METHOD_SET, req.method_mask);
	agent = ib_register_mad_agent(port->sdev->dev, port->port_num, IB_QPT_GSI, &req, 0,
				      srpt_mad_sent, srpt_mad_received, port, 0);
	if (IS_ERR(agent)) {
		pr_info("%s: initiators cannot look this port up (error %ld)\n", port->name,
			PTR_ERR(agent));
		return;
	}
	port->mad_agent = agent;
	srpt_set_dm_capability(port, true);
}

void srpt_mad_stop(struct srpt_port *port)
{
	if (!port->mad_agent)
		return;
	srpt_set_dm_capability(port, false);
	ib_unregister_mad_agent(port->mad_agent);
	port->mad_agent = NULL;
}
