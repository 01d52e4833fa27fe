// SPDX-License-Identifier: GPL-2.0
/*
 * Channels: what they are made of, their states, and how they end.
 *
 * A state only ever moves forward. Whoever moves a channel to DISCONNECTING
 * queues its teardown, so that this happens once, and the work owns the channel
 * from then on. It runs on a queue of ours, because most callers hold something
 * that the teardown waits for: a CM event handler, a completion, port->mutex.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <rdma/ib_cache.h>
#include <rdma/ib_cm.h>

#include "srpt.h"

/* Receive buffers beyond the credit: the one being worked on, and a spare. */
#define SRPT_SPARE_RECVS	2
/* How long to wait for the event that says that a shared receive queue is done with us. */
#define SRPT_LAST_WQE_TIMEOUT	(HZ / 10)
/* As many pages as rdma_rw registers at once. */
#define SRPT_MAX_MR_PAGES	256
/* After how long a silent initiator is asked for a sign of life. */
#define SRPT_PROBE_INTERVAL	(15 * HZ)
/* The same while the link of our own port is down: it may be back in a moment. */
#define SRPT_DOWN_INTERVAL	(45 * HZ)
/* How many more intervals it has for that. */
#define SRPT_PROBE_ROUNDS	3

const char *srpt_ch_state_name(const struct srpt_ch *ch)
{
	static const char * const name[] = {
		[SRPT_CH_CONNECTING]	= "connecting",
		[SRPT_CH_LIVE]		= "live",
		[SRPT_CH_DISCONNECTING]	= "disconnecting",
		[SRPT_CH_DRAINING]	= "draining",
		[SRPT_CH_DISCONNECTED]	= "disconnected",
	};

	return name[srpt_ch_state(ch)];
}

bool srpt_ch_advance(struct srpt_ch *ch, enum srpt_ch_state to)
{
	unsigned long flags;
	bool moved;

	spin_lock_irqsave(&ch->lock, flags);
	moved = ch->state < to;
	if (moved)
		WRITE_ONCE(ch->state, to);
	spin_unlock_irqrestore(&ch->lock, flags);
	return moved;
}

void srpt_ch_close(struct srpt_ch *ch)
{
	if (srpt_ch_advance(ch, SRPT_CH_DISCONNECTING))
		queue_work(srpt_wq, &ch->release_work);
}

void srpt_ch_put_busy(struct srpt_ch *ch)
{
	if (unlikely(atomic_dec_and_test(&ch->busy)))
		complete(&ch->idle);
}

static unsigned long srpt_ch_patience(const struct srpt_ch *ch)
{
	enum ib_port_state state;

	if (ib_get_cached_port_state(srpt_ch_dev(ch), ch->port->port_num, &state))
		return SRPT_PROBE_INTERVAL;
	return state == IB_PORT_ACTIVE ? SRPT_PROBE_INTERVAL : SRPT_DOWN_INTERVAL;
}

/*
 * An initiator that loses power or its cable sends no disconnect request, and
 * as long as nothing is sent to it nobody notices (B143). So an idle channel
 * writes nothing to nowhere now and then: an RDMA WRITE of zero bytes needs no
 * memory and no credit on the other side, but it has to be acknowledged. How
 * often the HCA repeats it is the initiator's choice, and soft-RoCE takes the
 * largest number for no limit, so there is one here.
 */
static void srpt_ch_probe(struct work_struct *work)
{
	struct srpt_ch *ch = container_of(to_delayed_work(work), struct srpt_ch, probe_work);

	if (srpt_ch_state(ch) > SRPT_CH_LIVE)
		return;
	queue_delayed_work(srpt_wq, &ch->probe_work, SRPT_PROBE_INTERVAL);
	if (time_before(jiffies, READ_ONCE(ch->heard) + srpt_ch_patience(ch)))
		return;
	if (atomic_inc_not_zero(&ch->probing)) {
		if (atomic_read(&ch->probing) <= SRPT_PROBE_ROUNDS)
			return;
		pr_info_ratelimited("%s: initiator %s: connection lost (no sign of life)\n",
				    ch->port->name, ch->name);
		srpt_ch_close(ch);
		return;
	}
	atomic_set(&ch->probing, 1);
	atomic_inc(&ch->busy);
	ch->probe->phase = SRPT_PROBE;
	srpt_post(ch->probe, &ch->probe_wr.wr, 1);
}

void srpt_ch_probe_done(struct srpt_ch *ch)
{
	atomic_set(&ch->probing, 0);
	srpt_ch_put_busy(ch);
}

void srpt_ch_start_probing(struct srpt_ch *ch)
{
	ch->probe_wr.wr.wr_cqe = &ch->probe->cqe;
	ch->probe_wr.wr.opcode = IB_WR_RDMA_WRITE;
	ch->probe_wr.wr.send_flags = IB_SEND_SIGNALED;
	WRITE_ONCE(ch->heard, jiffies);
	queue_delayed_work(srpt_wq, &ch->probe_work, SRPT_PROBE_INTERVAL);
}

/*
 * Wait until the HCA has nothing of this channel any more and all completions
 * have been handled. With a shared receive queue there is nothing to flush on
 * the receive side, but completions of messages that did arrive may follow
 * until the last-WQE event; the second round of the send queue sweeps them out.
 */
static void srpt_ch_drain(struct srpt_ch *ch)
{
	ib_drain_qp(ch->qp);
	if (ch->qp->srq) {
		wait_for_completion_timeout(&ch->last_wqe, SRPT_LAST_WQE_TIMEOUT);
		ib_drain_sq(ch->qp);
	}
}

static void srpt_ch_free(struct srpt_ch *ch)
{
	struct srpt_port *port = ch->port;

	if (ch->qp)
		ch->cm->destroy_qp(ch);
	if (ch->cq)
		ib_free_cq(ch->cq);
	srpt_reqs_free(ch);
	srpt_ring_free(port->sdev, ch->ring, ch->ring_len);
	srpt_ch_uncharge(ch);
	ch->cm->destroy(ch);

	mutex_lock(&port->mutex);
	list_del(&ch->entry);
	mutex_unlock(&port->mutex);
	kfree(ch);
	wake_up_all(&port->gone);
	srpt_port_put(port);
}

/* The end of a channel; the order of the steps is explained in doc/srp.md. */
static void srpt_ch_release_work(struct work_struct *work)
{
	struct srpt_ch *ch = container_of(work, struct srpt_ch, release_work);

	/* A login that is still on its way has to come to its end first. */
	wait_for_completion(&ch->login_done);

	/* The initiator learns of it if it can; the queue pair goes to error state. */
	if (ch->accepted)
		ch->cm->disconnect(ch);
	cancel_delayed_work_sync(&ch->probe_work);
	srpt_ch_advance(ch, SRPT_CH_DRAINING);
	if (ch->qp)
		srpt_ch_drain(ch);
	srpt_fail_unposted(ch);

	/*
	 * What the core still has comes back: commands that execute are aborted
	 * and released without a response, and what is posted now is flushed.
	 */
	if (ch->sess) {
		pr_info_ratelimited("%s: initiator %s: session ends\n", ch->port->name, ch->name);
		scst_session_destroy(ch->sess);
	}

	/* Responses that the core does not know of, to task management for instance. */
	srpt_ch_put_busy(ch);
	wait_for_completion(&ch->idle);
	cancel_delayed_work_sync(&ch->rw_work);

	/* Receive buffers that were posted behind the first drain. */
	if (ch->qp)
		srpt_ch_drain(ch);
	srpt_ch_advance(ch, SRPT_CH_DISCONNECTED);
	srpt_ch_free(ch);
}

/* Is there room for one more login? */
static int srpt_port_admit_locked(struct srpt_port *port)
{
	unsigned int nr = 0, connecting = 0;
	struct srpt_ch *ch;

	lockdep_assert_held(&port->mutex);
	if (port->dead || !port->enabled)
		return -ESHUTDOWN;
	list_for_each_entry(ch, &port->channels, entry) {
		nr++;
		connecting += srpt_ch_state(ch) == SRPT_CH_CONNECTING;
	}
	return nr >= READ_ONCE(srpt_max_channels) ||
	       connecting >= READ_ONCE(srpt_max_connecting) ? -EBUSY : 0;
}

/**
 * srpt_ch_alloc() - a channel comes into being
 * @port: port, with a reference that the channel takes over
 * @cm: functions of the connection manager
 * @in: login request
 *
 * From here on the port waits for the channel before it goes away or is disabled. The caller
 * sets the connection, then calls srpt_login(), whatever happens.
 *
 * Context: process context.
 * Return: the channel, or an ERR_PTR: -ESHUTDOWN (disabled), -EBUSY (too many), -ENOMEM.
 */
struct srpt_ch *srpt_ch_alloc(struct srpt_port *port, const struct srpt_cm_ops *cm,
			      const struct srpt_login_in *in)
{
	struct srpt_ch *ch;
	int ret;

	ch = kzalloc(sizeof(*ch), GFP_KERNEL);
	if (!ch) {
		atomic_inc(&port->refused);
		return ERR_PTR(-ENOMEM);
	}
	ch->port = port;
	ch->cm = cm;
	ch->login_good = srp_login_parse(in->private_data, in->private_data_len, in->compact,
					 &ch->login);
	spin_lock_init(&ch->lock);
	spin_lock_init(&ch->sq_lock);
	init_completion(&ch->login_done);
	init_completion(&ch->idle);
	init_completion(&ch->last_wqe);
	INIT_WORK(&ch->release_work, srpt_ch_release_work);
	INIT_DELAYED_WORK(&ch->rw_work, srpt_xfer_retry);
	INIT_DELAYED_WORK(&ch->probe_work, srpt_ch_probe);
	INIT_LIST_HEAD(&ch->sq_wait);
	INIT_LIST_HEAD(&ch->rw_wait);
	INIT_LIST_HEAD(&ch->unposted);
	INIT_LIST_HEAD(&ch->reqs);
	init_llist_head(&ch->free_reqs);
	atomic_set(&ch->busy, 1);
	atomic_set(&ch->probing, 0);

	mutex_lock(&port->mutex);
	ret = srpt_port_admit_locked(port);
	if (!ret)
		list_add_tail(&ch->entry, &port->channels);
	mutex_unlock(&port->mutex);
	if (ret) {
		if (ret == -EBUSY)
			atomic_inc(&port->refused);
		kfree(ch);
		return ERR_PTR(ret);
	}
	return ch;
}

static void srpt_qp_event(struct ib_event *event, void *context)
{
	struct srpt_ch *ch = context;

	switch (event->event) {
	case IB_EVENT_COMM_EST:
		/* A message overtook the CM's ready-to-use. */
		if (ch->cm_id)
			rdma_notify(ch->cm_id, event->event);
		else
			ib_cm_notify(ch->ib_cm_id, event->event);
		break;
	case IB_EVENT_QP_LAST_WQE_REACHED:
		complete(&ch->last_wqe);
		break;
	default:
		pr_debug("%s: initiator %s: %s\n", ch->port->name, ch->name,
			 ib_event_msg(event->event));
	}
}

/* One attempt to create completion queue and queue pair with @sq_size slots. */
static int srpt_ch_try_qp(struct srpt_ch *ch, unsigned int sq_size)
{
	struct srpt_device *sdev = ch->port->sdev;
	const struct ib_device_attr *attrs = &sdev->dev->attrs;
	/* Each memory region takes two more slots, where the HCA needs them. */
	unsigned int max_wr = 2 * sq_size;
	/* An initiator that ignores its credit may fill all buffers that there are at once. */
	unsigned int max_recvs = sdev->srq ? sdev->srq_len : ch->ring_len;
	struct ib_qp_init_attr attr = {
		.event_handler	= srpt_qp_event,
		.qp_context	= ch,
		.srq		= sdev->srq,
		.sq_sig_type	= IB_SIGNAL_REQ_WR,
		.qp_type	= IB_QPT_RC,
		.port_num	= ch->port->port_num,
	};
	int ret;

	/* One slot more on each side for draining. */
	ch->cq = ib_alloc_cq(sdev->dev, ch, max_recvs + max_wr + 2, ch->comp_vector,
			     IB_POLL_WORKQUEUE);
	if (IS_ERR(ch->cq)) {
		ret = PTR_ERR(ch->cq);
		ch->cq = NULL;
		return ret;
	}
	attr.send_cq = ch->cq;
	attr.recv_cq = ch->cq;
	attr.cap.max_rdma_ctxs = sq_size / 2;
	attr.cap.max_send_wr = sq_size - attr.cap.max_rdma_ctxs + 1;
	attr.cap.max_send_sge = min_t(u32, SRPT_MAX_SGE, attrs->max_send_sge);
	if (!sdev->srq) {
		attr.cap.max_recv_wr = ch->ring_len + 1;
		attr.cap.max_recv_sge = 1;
	}
	ret = ch->cm->create_qp(ch, &attr);
	if (ret) {
		ib_free_cq(ch->cq);
		ch->cq = NULL;
		return ret;
	}
	ch->sq_size = min(attr.cap.max_send_wr, max_wr + 1) - 1;
	ch->sq_avail = ch->sq_size;
	ch->max_sge = min(ch->qp->max_write_sge, ch->qp->max_read_sge);
	/* A region must hold a piece, which may begin in the middle of a page. */
	if (!list_empty(&ch->qp->rdma_mrs))
		ch->max_rdma_size = min_t(u32, ch->max_rdma_size,
					  (min_t(u32, attrs->max_fast_reg_page_list_len,
						 SRPT_MAX_MR_PAGES) - 1) * PAGE_SIZE);
	/* Registering, moving, invalidating: three slots at most; and one for the response. */
	ch->max_rws = clamp((ch->sq_size - 1) / 3, 1U, 64U);
	return 0;
}

static int srpt_ch_create_qp(struct srpt_ch *ch)
{
	const struct ib_device_attr *attrs = &srpt_ch_dev(ch)->attrs;
	unsigned int sq_size = min_t(unsigned int, srpt_sq_size, attrs->max_qp_wr - 1);
	int ret;

	for (;;) {
		ret = srpt_ch_try_qp(ch, sq_size);
		if (!ret || sq_size / 2 < SRPT_MIN_SQ_SIZE)
			return ret;
		sq_size /= 2;
	}
}

static int srpt_ch_post_ring(struct srpt_ch *ch)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; ch->ring && i < ch->ring_len && !ret; i++)
		ret = srpt_recv_post(ch->port->sdev, ch->qp, &ch->ring[i]);
	return ret;
}

/**
 * srpt_ch_create_resources() - queue pair, buffers and requests of a channel
 * @ch: channel with its login request
 *
 * Context: process context.
 * Return: 0 or -errno; what exists by then is freed with the channel.
 */
int srpt_ch_create_resources(struct srpt_ch *ch)
{
	struct srpt_device *sdev = ch->port->sdev;
	unsigned int credits;
	int ret;

	credits = min_t(unsigned int, SRPT_MAX_CREDITS, scst_min_queue_depth(SRPT_MAX_CREDITS));
	credits = min_t(unsigned int, credits, sdev->dev->attrs.max_qp_wr - SRPT_SPARE_RECVS - 1);
	ch->credits = max_t(unsigned int, credits, SRPT_MIN_CREDITS);
	atomic_set(&ch->req_lim, ch->credits);
	ch->ring_len = ch->credits + SRPT_SPARE_RECVS;
	ch->rsp_size = READ_ONCE(srpt_max_rsp_size);
	ch->max_rsp_len = min(ch->rsp_size, ch->login.it_iu_len);
	ch->max_rdma_size = READ_ONCE(srpt_max_rdma_size);
	if (srp_login_wants_imm_data(&ch->login) && !sdev->srq)
		ch->imm_offset = ch->login.imm_offset;

	ret = srpt_ch_charge(ch);
	if (!ret)
		ret = srpt_reqs_alloc(ch);
	if (ret)
		return ret;
	if (!sdev->srq) {
		ch->ring = srpt_ring_alloc(sdev, ch->ring_len);
		if (!ch->ring)
			return -ENOMEM;
	}
	ch->comp_vector = srpt_port_next_vector(ch->port);
	ret = srpt_ch_create_qp(ch);
	if (ret)
		return ret;
	return srpt_ch_post_ring(ch);
}
