// SPDX-License-Identifier: GPL-2.0
/*
 * Logins through the InfiniBand CM: each HCA listens for the service id that
 * device management (mad.c) tells initiators about.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <rdma/ib_cache.h>
#include <rdma/ib_cm.h>

#include "srpt.h"

/* Bring the queue pair to @state with what the CM and we know. */
static int srpt_ibcm_modify_qp(struct srpt_ch *ch, enum ib_qp_state state)
{
	struct ib_qp_attr attr = { .qp_state = state };
	int mask, ret;

	ret = ib_cm_init_qp_attr(ch->ib_cm_id, &attr, &mask);
	if (ret)
		return ret;
	if (mask & IB_QP_MAX_DEST_RD_ATOMIC)
		attr.max_dest_rd_atomic = min_t(int, SRPT_RDMA_DEPTH,
						srpt_ch_dev(ch)->attrs.max_qp_rd_atom);
	if (mask & IB_QP_MAX_QP_RD_ATOMIC)
		attr.max_rd_atomic = ch->initiator_depth;
	return ib_modify_qp(ch->qp, &attr, mask);
}

static int srpt_ibcm_create_qp(struct srpt_ch *ch, struct ib_qp_init_attr *init)
{
	struct ib_qp_attr attr = {
		.qp_state	 = IB_QPS_INIT,
		.qp_access_flags = IB_ACCESS_LOCAL_WRITE,
		.port_num	 = ch->port->port_num,
	};
	struct ib_qp *qp;
	int ret;

	ret = ib_find_cached_pkey(srpt_ch_dev(ch), ch->port->port_num, ch->pkey, &attr.pkey_index);
	if (ret)
		return ret;
	qp = ib_create_qp(ch->port->sdev->pd, init);
	if (IS_ERR(qp))
		return PTR_ERR(qp);
	ret = ib_modify_qp(qp, &attr, IB_QP_STATE | IB_QP_ACCESS_FLAGS | IB_QP_PORT |
			   IB_QP_PKEY_INDEX);
	if (ret) {
		ib_destroy_qp(qp);
		return ret;
	}
	ch->qp = qp;
	return 0;
}

static int srpt_ibcm_accept(struct srpt_ch *ch, const void *rsp, u8 len)
{
	struct ib_cm_rep_param param = {
		.qp_num			= ch->qp->qp_num,
		.private_data		= rsp,
		.private_data_len	= len,
		.responder_resources	= min_t(int, SRPT_RDMA_DEPTH,
						srpt_ch_dev(ch)->attrs.max_qp_rd_atom),
		.initiator_depth	= ch->initiator_depth,
		.flow_control		= 1,
		.rnr_retry_count	= 7,
		.srq			= 1,
	};
	int ret;

	ret = srpt_ibcm_modify_qp(ch, IB_QPS_RTR);
	/* Ready to send before the answer is out, so that a request can be answered at once. */
	if (!ret)
		ret = srpt_ibcm_modify_qp(ch, IB_QPS_RTS);
	return ret ?: ib_send_cm_rep(ch->ib_cm_id, &param);
}

static void srpt_ibcm_reject(struct srpt_ch *ch, const void *rej, u8 len)
{
	ib_send_cm_rej(ch->ib_cm_id, IB_CM_REJ_CONSUMER_DEFINED, NULL, 0, rej, len);
}

static void srpt_ibcm_disconnect(struct srpt_ch *ch)
{
	/* Not if the initiator asked first: then this is the answer. */
	if (ib_send_cm_dreq(ch->ib_cm_id, NULL, 0))
		ib_send_cm_drep(ch->ib_cm_id, NULL, 0);
}

static void srpt_ibcm_destroy_qp(struct srpt_ch *ch)
{
	ib_destroy_qp(ch->qp);
}

static void srpt_ibcm_destroy(struct srpt_ch *ch)
{
	ib_destroy_cm_id(ch->ib_cm_id);
}

static const struct srpt_cm_ops srpt_ibcm_ops = {
	.create_qp	= srpt_ibcm_create_qp,
	.accept		= srpt_ibcm_accept,
	.reject		= srpt_ibcm_reject,
	.disconnect	= srpt_ibcm_disconnect,
	.destroy_qp	= srpt_ibcm_destroy_qp,
	.destroy	= srpt_ibcm_destroy,
};

/* As in rdma_cm.c: after a non-zero return the CM destroys the connection. */
static int srpt_ibcm_connect(struct ib_cm_id *cm_id, struct srpt_device *sdev,
			     const struct ib_cm_event *event)
{
	const struct ib_cm_req_event_param *req = &event->param.req_rcvd;
	const struct srpt_login_in in = {
		.private_data		= event->private_data,
		.private_data_len	= IB_CM_REQ_PRIVATE_DATA_SIZE,
	};
	u8 rej[SRP_LOGIN_REJ_LEN];
	char name[SRPT_NAME_LEN];
	struct srpt_port *port;
	struct srpt_ch *ch;

	/* The path as we see it: the initiator is the destination. */
	snprintf(name, sizeof(name), "%pI6", req->primary_path->dgid.raw);
	port = srpt_port_get(sdev->dev, req->port);
	ch = port ? srpt_ch_alloc(port, &srpt_ibcm_ops, &in) : ERR_PTR(-ENODEV);
	if (IS_ERR(ch)) {
		if (port)
			srpt_port_put(port);
		srpt_login_rej(&in, name, PTR_ERR(ch), rej);
		ib_send_cm_rej(cm_id, IB_CM_REJ_CONSUMER_DEFINED, NULL, 0, rej, sizeof(rej));
		return -ECONNREFUSED;
	}
	ch->ib_cm_id = cm_id;
	ch->pkey = be16_to_cpu(req->primary_path->pkey);
	ch->initiator_depth = min3((int)req->initiator_depth, SRPT_RDMA_DEPTH,
				   sdev->dev->attrs.max_qp_init_rd_atom);
	strscpy(ch->name, name, sizeof(ch->name));
	cm_id->context = ch;
	srpt_login(ch);
	return 0;
}

static int srpt_ibcm_event(struct ib_cm_id *cm_id, const struct ib_cm_event *event)
{
	struct srpt_ch *ch = cm_id->context;

	switch (event->event) {
	case IB_CM_REQ_RECEIVED:
		return srpt_ibcm_connect(cm_id, cm_id->context, event);
	case IB_CM_RTU_RECEIVED:
	case IB_CM_USER_ESTABLISHED:
		srpt_ch_advance(ch, SRPT_CH_LIVE);
		break;
	case IB_CM_MRA_RECEIVED:
		break;
	default:
		/* Disconnected, rejected, timed out: the connection is gone, or never came. */
		srpt_ch_close(ch);
	}
	return 0;
}

static bool srpt_has_ib_cm(struct ib_device *dev)
{
	u32 port;

	rdma_for_each_port(dev, port)
		if (rdma_protocol_ib(dev, port))
			return true;
	return false;
}

/* Listen on an InfiniBand HCA. Without it RDMA/CM logins still work. */
void srpt_ib_cm_listen(struct srpt_device *sdev)
{
	struct ib_cm_id *cm_id;
	int ret;

	if (!srpt_has_ib_cm(sdev->dev))
		return;
	cm_id = ib_create_cm_id(sdev->dev, srpt_ibcm_event, sdev);
	if (IS_ERR(cm_id)) {
		ret = PTR_ERR(cm_id);
		goto err;
	}
	ret = ib_cm_listen(cm_id, cpu_to_be64(srpt_service_guid));
	if (ret) {
		ib_destroy_cm_id(cm_id);
		goto err;
	}
	sdev->ib_listener = cm_id;
	return;

err:
	pr_warn("%s: cannot listen for InfiniBand logins (error %d)\n", sdev->dev->name, ret);
}

void srpt_ib_cm_unlisten(struct srpt_device *sdev)
{
	if (sdev->ib_listener)
		ib_destroy_cm_id(sdev->ib_listener);
}
