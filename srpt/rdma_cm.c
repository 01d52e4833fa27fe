// SPDX-License-Identifier: GPL-2.0
/*
 * Logins through RDMA/CM: RoCE, iWARP, and IP over InfiniBand.
 *
 * One listener per address family, on all addresses, so that nothing has to be
 * done when addresses and interfaces come and go; the target port is the HCA
 * port on which a request arrives.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/in.h>
#include <linux/in6.h>
#include <linux/nsproxy.h>
#include <net/net_namespace.h>
#include <rdma/ib_cm.h>

#include "srpt.h"

#define SRPT_BACKLOG		128
#define SRPT_REPAIR_DELAY	(5 * HZ)

static struct rdma_cm_id *srpt_listeners[2];	/* IPv4, IPv6 */
static struct delayed_work srpt_repair_work;

static int srpt_cma_create_qp(struct srpt_ch *ch, struct ib_qp_init_attr *attr)
{
	int ret = rdma_create_qp(ch->cm_id, ch->port->sdev->pd, attr);

	if (!ret)
		ch->qp = ch->cm_id->qp;
	return ret;
}

static int srpt_cma_accept(struct srpt_ch *ch, const void *rsp, u8 len)
{
	const struct ib_device_attr *attrs = &srpt_ch_dev(ch)->attrs;
	struct rdma_conn_param param = {
		.private_data		= rsp,
		.private_data_len	= len,
		.responder_resources	= min_t(int, SRPT_RDMA_DEPTH, attrs->max_qp_rd_atom),
		.initiator_depth	= ch->initiator_depth,
		.flow_control		= 1,
		.rnr_retry_count	= 7,
	};

	return rdma_accept(ch->cm_id, &param);
}

static void srpt_cma_reject(struct srpt_ch *ch, const void *rej, u8 len)
{
	rdma_reject(ch->cm_id, rej, len, IB_CM_REJ_CONSUMER_DEFINED);
}

static void srpt_cma_disconnect(struct srpt_ch *ch)
{
	rdma_disconnect(ch->cm_id);
}

static void srpt_cma_destroy_qp(struct srpt_ch *ch)
{
	rdma_destroy_qp(ch->cm_id);
}

static void srpt_cma_destroy(struct srpt_ch *ch)
{
	rdma_destroy_id(ch->cm_id);
}

static const struct srpt_cm_ops srpt_cma_ops = {
	.create_qp	= srpt_cma_create_qp,
	.accept		= srpt_cma_accept,
	.reject		= srpt_cma_reject,
	.disconnect	= srpt_cma_disconnect,
	.destroy_qp	= srpt_cma_destroy_qp,
	.destroy	= srpt_cma_destroy,
};

/* The name by which access control knows an initiator. */
static void srpt_cma_name(const struct rdma_cm_id *cm_id, char name[SRPT_NAME_LEN])
{
	const struct sockaddr_storage *addr = &cm_id->route.addr.dst_addr;

	if (addr->ss_family == AF_INET)
		snprintf(name, SRPT_NAME_LEN, "%pI4",
			 &((const struct sockaddr_in *)addr)->sin_addr);
	else
		snprintf(name, SRPT_NAME_LEN, "%pI6",
			 &((const struct sockaddr_in6 *)addr)->sin6_addr);
}

/*
 * A connection request. If it is refused before there is a channel, the
 * non-zero return makes the RDMA/CM destroy the connection.
 */
static int srpt_cma_connect(struct rdma_cm_id *cm_id, const struct rdma_conn_param *conn)
{
	const struct srpt_login_in in = {
		.private_data		= conn->private_data,
		.private_data_len	= conn->private_data_len,
		.compact		= true,
	};
	u8 rej[SRP_LOGIN_REJ_LEN], depth;
	char name[SRPT_NAME_LEN];
	struct srpt_port *port;
	struct srpt_ch *ch;

	srpt_cma_name(cm_id, name);
	port = srpt_port_get(cm_id->device, cm_id->port_num);
	ch = port ? srpt_ch_alloc(port, &srpt_cma_ops, &in) : ERR_PTR(-ENODEV);
	if (IS_ERR(ch)) {
		if (port)
			srpt_port_put(port);
		srpt_login_rej(&in, name, PTR_ERR(ch), rej);
		rdma_reject(cm_id, rej, sizeof(rej), IB_CM_REJ_CONSUMER_DEFINED);
		return -ECONNREFUSED;
	}
	ch->cm_id = cm_id;
	/* iWARP may leave the depth to us. */
	depth = conn->initiator_depth ?: SRPT_RDMA_DEPTH;
	ch->initiator_depth = min3((int)depth, SRPT_RDMA_DEPTH,
				   cm_id->device->attrs.max_qp_init_rd_atom);
	strscpy(ch->name, name, sizeof(ch->name));
	cm_id->context = ch;
	srpt_login(ch);
	return 0;
}

static int srpt_cma_event(struct rdma_cm_id *cm_id, struct rdma_cm_event *event)
{
	struct srpt_ch *ch = cm_id->context;

	if (event->event == RDMA_CM_EVENT_CONNECT_REQUEST)
		return srpt_cma_connect(cm_id, &event->param.conn);
	if (!ch) {
		/* A listener: only a changed address needs an answer. */
		if (event->event == RDMA_CM_EVENT_ADDR_CHANGE)
			queue_delayed_work(srpt_wq, &srpt_repair_work, 0);
		return 0;
	}
	if (event->event == RDMA_CM_EVENT_ESTABLISHED)
		srpt_ch_advance(ch, SRPT_CH_LIVE);
	else
		/* All others mean that the connection is gone, or never came. */
		srpt_ch_close(ch);
	return 0;
}

static struct rdma_cm_id *srpt_listen(const struct sockaddr *addr)
{
	struct rdma_cm_id *cm_id;
	int ret;

	cm_id = rdma_create_id(&init_net, srpt_cma_event, NULL, RDMA_PS_TCP, IB_QPT_RC);
	if (IS_ERR(cm_id))
		return cm_id;
	/* Both families share the port number. */
	ret = rdma_set_afonly(cm_id, 1);
	if (!ret)
		ret = rdma_bind_addr(cm_id, (struct sockaddr *)addr);
	if (!ret)
		ret = rdma_listen(cm_id, SRPT_BACKLOG);
	if (ret) {
		rdma_destroy_id(cm_id);
		return ERR_PTR(ret);
	}
	return cm_id;
}

static void srpt_listen_stop(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(srpt_listeners); i++) {
		if (!IS_ERR_OR_NULL(srpt_listeners[i]))
			rdma_destroy_id(srpt_listeners[i]);
		srpt_listeners[i] = NULL;
	}
}

/* IPv4 has to work; IPv6 may be switched off. */
static int srpt_listen_start(void)
{
	const struct sockaddr_in v4 = {
		.sin_family	= AF_INET,
		.sin_port	= htons(srpt_rdma_cm_port),
	};
	const struct sockaddr_in6 v6 = {
		.sin6_family	= AF_INET6,
		.sin6_port	= htons(srpt_rdma_cm_port),
	};

	srpt_listeners[0] = srpt_listen((const struct sockaddr *)&v4);
	if (IS_ERR(srpt_listeners[0]))
		return PTR_ERR(srpt_listeners[0]);
	srpt_listeners[1] = srpt_listen((const struct sockaddr *)&v6);
	if (IS_ERR(srpt_listeners[1]))
		pr_info("no logins by IPv6 addresses (error %ld)\n", PTR_ERR(srpt_listeners[1]));
	return 0;
}

static void srpt_repair(struct work_struct *work)
{
	int ret;

	srpt_listen_stop();
	ret = srpt_listen_start();
	if (!ret)
		return;
	pr_warn("cannot listen on RDMA/CM port %u (error %d), trying again\n", srpt_rdma_cm_port,
		ret);
	queue_delayed_work(srpt_wq, &srpt_repair_work, SRPT_REPAIR_DELAY);
}

int srpt_rdma_cm_init(void)
{
	int ret;

	INIT_DELAYED_WORK(&srpt_repair_work, srpt_repair);
	if (!srpt_rdma_cm_port)
		return 0;
	ret = srpt_listen_start();
	if (ret)
		pr_err("cannot listen on RDMA/CM port %u (error %d)%s\n", srpt_rdma_cm_port, ret,
		       ret == -EADDRINUSE ? ", is another target using it?" : "");
	return ret;
}

void srpt_rdma_cm_exit(void)
{
	/* Without listeners nobody queues the repair, and without the repair nobody listens. */
	cancel_delayed_work_sync(&srpt_repair_work);
	srpt_listen_stop();
	cancel_delayed_work_sync(&srpt_repair_work);
	srpt_listen_stop();
}
