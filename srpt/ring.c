// SPDX-License-Identifier: GPL-2.0
/*
 * Memory that a channel needs as long as it exists: receive buffers, and
 * requests with their response buffers.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "srpt.h"

/*
 * Requests beyond the initiator's credit: a request is in use until its
 * response has been acknowledged, and the next one may come before that. More
 * are allocated when these do not do.
 */
#define SRPT_SPARE_REQS		8

static struct kmem_cache *srpt_recv_cache;

int srpt_rings_init(void)
{
	srpt_recv_cache = kmem_cache_create("srpt_recv", srpt_max_req_size, 0,
					    SLAB_HWCACHE_ALIGN, NULL);
	return srpt_recv_cache ? 0 : -ENOMEM;
}

void srpt_rings_exit(void)
{
	kmem_cache_destroy(srpt_recv_cache);
}

static int srpt_recv_init(struct srpt_device *sdev, struct srpt_recv *recv)
{
	recv->buf = kmem_cache_alloc(srpt_recv_cache, GFP_KERNEL);
	if (!recv->buf)
		return -ENOMEM;
	recv->sge.addr = ib_dma_map_single(sdev->dev, recv->buf, srpt_max_req_size,
					   DMA_FROM_DEVICE);
	if (ib_dma_mapping_error(sdev->dev, recv->sge.addr)) {
		kmem_cache_free(srpt_recv_cache, recv->buf);
		recv->buf = NULL;
		return -ENOMEM;
	}
	recv->sge.length = srpt_max_req_size;
	recv->sge.lkey = sdev->pd->local_dma_lkey;
	recv->cqe.done = srpt_recv_done;
	return 0;
}

void srpt_ring_free(struct srpt_device *sdev, struct srpt_recv *ring, unsigned int len)
{
	unsigned int i;

	if (!ring)
		return;
	for (i = 0; i < len && ring[i].buf; i++) {
		ib_dma_unmap_single(sdev->dev, ring[i].sge.addr, srpt_max_req_size,
				    DMA_FROM_DEVICE);
		kmem_cache_free(srpt_recv_cache, ring[i].buf);
	}
	kvfree(ring);
}

struct srpt_recv *srpt_ring_alloc(struct srpt_device *sdev, unsigned int len)
{
	struct srpt_recv *ring;
	unsigned int i;

	ring = kvcalloc(len, sizeof(*ring), GFP_KERNEL);
	if (!ring)
		return NULL;
	for (i = 0; i < len; i++) {
		if (srpt_recv_init(sdev, &ring[i])) {
			srpt_ring_free(sdev, ring, len);
			return NULL;
		}
	}
	return ring;
}

int srpt_recv_post(struct srpt_device *sdev, struct ib_qp *qp, struct srpt_recv *recv)
{
	struct ib_recv_wr wr = {
		.wr_cqe		= &recv->cqe,
		.sg_list	= &recv->sge,
		.num_sge	= 1,
	};

	ib_dma_sync_single_for_device(sdev->dev, recv->sge.addr, recv->sge.length,
				      DMA_FROM_DEVICE);
	return sdev->srq ? ib_post_srq_recv(sdev->srq, &wr, NULL) : ib_post_recv(qp, &wr, NULL);
}

static atomic_long_t srpt_channel_mem;	/* bytes, all channels */

/* Requests, but for those that are added while responses wait for their acknowledgments. */
static unsigned int srpt_ch_nr_reqs(const struct srpt_ch *ch)
{
	return ch->credits + SRPT_SPARE_REQS + 1;
}

int srpt_ch_charge(struct srpt_ch *ch)
{
	long limit = (long)READ_ONCE(srpt_max_channel_mem) << 20;
	long bytes = srpt_ch_nr_reqs(ch) * (sizeof(struct srpt_req) + ch->rsp_size);

	if (!ch->port->sdev->srq)
		bytes += ch->ring_len * (sizeof(struct srpt_recv) + srpt_max_req_size);
	if (atomic_long_add_return(bytes, &srpt_channel_mem) > limit) {
		atomic_long_sub(bytes, &srpt_channel_mem);
		return -ENOBUFS;
	}
	ch->mem_bytes = bytes;
	return 0;
}

void srpt_ch_uncharge(struct srpt_ch *ch)
{
	atomic_long_sub(ch->mem_bytes, &srpt_channel_mem);
	ch->mem_bytes = 0;
}

/* Freed with the channel. Before the login is over, or from the completion handler. */
struct srpt_req *srpt_req_alloc(struct srpt_ch *ch)
{
	struct ib_device *dev = srpt_ch_dev(ch);
	struct srpt_req *req;

	req = kzalloc(sizeof(*req), GFP_KERNEL);
	if (!req)
		return NULL;
	req->rsp = kzalloc(ch->rsp_size, GFP_KERNEL);
	if (!req->rsp)
		goto err_free;
	req->rsp_sge.addr = ib_dma_map_single(dev, req->rsp, ch->rsp_size, DMA_TO_DEVICE);
	if (ib_dma_mapping_error(dev, req->rsp_sge.addr))
		goto err_free_rsp;
	req->rsp_sge.lkey = ch->port->sdev->pd->local_dma_lkey;
	req->ch = ch;
	req->cqe.done = srpt_req_wc_done;
	req->send_wr.wr_cqe = &req->cqe;
	req->send_wr.sg_list = &req->rsp_sge;
	req->send_wr.num_sge = 1;
	req->send_wr.opcode = IB_WR_SEND;
	req->send_wr.send_flags = IB_SEND_SIGNALED;
	list_add_tail(&req->all, &ch->reqs);
	return req;

err_free_rsp:
	kfree(req->rsp);
err_free:
	kfree(req);
	return NULL;
}

void srpt_reqs_free(struct srpt_ch *ch)
{
	struct srpt_req *req, *next;

	list_for_each_entry_safe(req, next, &ch->reqs, all) {
		list_del(&req->all);
		ib_dma_unmap_single(srpt_ch_dev(ch), req->rsp_sge.addr, ch->rsp_size,
				    DMA_TO_DEVICE);
		kfree(req->rsp);
		kfree(req);
	}
}

/* What fails here is freed by srpt_reqs_free(), too. */
int srpt_reqs_alloc(struct srpt_ch *ch)
{
	unsigned int i;

	for (i = 1; i < srpt_ch_nr_reqs(ch); i++) {
		struct srpt_req *req = srpt_req_alloc(ch);

		if (!req)
			return -ENOMEM;
		llist_add(&req->free, &ch->free_reqs);
	}
	ch->probe = srpt_req_alloc(ch);
	return ch->probe ? 0 : -ENOMEM;
}

struct srpt_req *srpt_req_get(struct srpt_ch *ch)
{
	struct llist_node *node = llist_del_first(&ch->free_reqs);
	struct srpt_req *req;

	if (likely(node))
		req = llist_entry(node, struct srpt_req, free);
	else
		req = srpt_req_alloc(ch);
	if (unlikely(!req))
		return NULL;

	atomic_inc(&ch->busy);
	req->kind = SRPT_REQ_TMF;
	req->responded = false;
	req->descs = req->inline_descs;
	req->ext_table = false;
	req->imm_data = NULL;
	return req;
}

void srpt_req_put(struct srpt_req *req)
{
	struct srpt_ch *ch = req->ch;

	if (unlikely(req->descs != req->inline_descs))
		kfree(req->descs);
	llist_add(&req->free, &ch->free_reqs);
	srpt_ch_put_busy(ch);
}
