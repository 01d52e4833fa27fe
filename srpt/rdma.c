// SPDX-License-Identifier: GPL-2.0
/*
 * Moving data between a command's buffer and the initiator's memory.
 *
 * A transfer is cut into pieces: each lies in one memory descriptor, is at most
 * srp_max_rdma_size long and needs one work request. As many pieces as fit into
 * a round are mapped by rdma_rw contexts and posted as one chain; the last
 * round of a READ carries the response at its end. Most transfers are one
 * round. Only if the descriptor table is in the initiator's memory, it is read
 * in a round of its own before.
 *
 * Work requests are only posted while the send queue has room. Requests that
 * find it full wait in order, holding no slots, so that they always get on.
 * Contexts that register memory may find no memory region free; those requests
 * wait too, and are tried again when another one gives regions back.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "srpt.h"

#define SRPT_ROUND_SGS		256	/* scatterlist entries of one round */
#define SRPT_RW_RETRY		(HZ / 100)

/* ---- send queue ------------------------------------------------------ */

static void srpt_post_now(struct srpt_req *req)
{
	struct srpt_ch *ch = req->ch;
	unsigned long flags;
	bool wait;

	if (likely(!ib_post_send(ch->qp, req->first_wr, NULL)))
		return;
	/*
	 * A part of the chain may be with the HCA, so the buffers must stay
	 * until the queue pair is drained.
	 */
	spin_lock_irqsave(&ch->sq_lock, flags);
	wait = !ch->drained;
	if (wait)
		list_add_tail(&req->entry, &ch->unposted);
	spin_unlock_irqrestore(&ch->sq_lock, flags);
	if (wait)
		srpt_ch_close(ch);
	else
		srpt_req_done(req, false);
}

/**
 * srpt_post() - post work requests, now or when the send queue has room
 * @req: request whose completion follows as srpt_req_done()
 * @first: chain; its last work request completes to req->cqe
 * @n: its length
 *
 * Context: any. The request may be over when this returns.
 */
void srpt_post(struct srpt_req *req, const struct ib_send_wr *first, unsigned int n)
{
	struct srpt_ch *ch = req->ch;
	unsigned long flags;
	bool now;

	req->first_wr = first;
	req->n_wr = n;
	spin_lock_irqsave(&ch->sq_lock, flags);
	now = list_empty(&ch->sq_wait) && ch->sq_avail >= n;
	if (likely(now))
		ch->sq_avail -= n;
	else
		list_add_tail(&req->entry, &ch->sq_wait);
	spin_unlock_irqrestore(&ch->sq_lock, flags);
	if (likely(now))
		srpt_post_now(req);
}

/* Slots are free again: post for those who waited. */
void srpt_sq_put(struct srpt_ch *ch, unsigned int n)
{
	struct srpt_req *req, *next;
	unsigned long flags;
	LIST_HEAD(ready);

	spin_lock_irqsave(&ch->sq_lock, flags);
	ch->sq_avail += n;
	list_for_each_entry_safe(req, next, &ch->sq_wait, entry) {
		if (req->n_wr > ch->sq_avail)
			break;
		ch->sq_avail -= req->n_wr;
		list_move_tail(&req->entry, &ready);
	}
	spin_unlock_irqrestore(&ch->sq_lock, flags);

	list_for_each_entry_safe(req, next, &ready, entry)
		srpt_post_now(req);
}

void srpt_fail_unposted(struct srpt_ch *ch)
{
	struct srpt_req *req, *next;
	LIST_HEAD(failed);

	spin_lock_irq(&ch->sq_lock);
	ch->drained = true;
	list_splice_init(&ch->unposted, &failed);
	spin_unlock_irq(&ch->sq_lock);

	list_for_each_entry_safe(req, next, &failed, entry)
		srpt_req_done(req, false);
}

/* ---- pieces ---------------------------------------------------------- */

/* Start at the beginning of the data buffer. */
void srpt_xfer_init(struct srpt_req *req, enum dma_data_direction dir)
{
	req->dma_dir = dir;
	req->pos = (struct srpt_pos){
		.sg = req->cmd.sgl,
		.left = req->cmd.data_len,
	};
}

/*
 * The piece that comes next, as far as the descriptor goes. False if the
 * descriptors do not cover the data, which has been checked before.
 */
static bool srpt_piece(struct srpt_req *req, struct srp_desc *piece)
{
	struct srpt_pos *pos = &req->pos;

	for (; pos->desc < req->nr_descs; pos->desc++, pos->desc_off = 0) {
		srp_desc_get(req->descs + pos->desc * SRP_DESC_LEN, piece);
		if (piece->len == pos->desc_off)
			continue;
		piece->va += pos->desc_off;
		piece->len = min3(piece->len - pos->desc_off, req->ch->max_rdma_size, pos->left);
		return true;
	}
	return false;
}

/*
 * Cut @len bytes out of the data buffer into @sg, or as many as fit into @room
 * entries; moves the position behind them. Returns the number of entries.
 */
static u32 srpt_cut(struct srpt_pos *pos, struct scatterlist *sg, u32 room, u32 *len)
{
	u32 done = 0, n = 0;

	while (done < *len && n < room && pos->sg) {
		u32 part = min(pos->sg->length - pos->sg_off, *len - done);

		sg_set_page(&sg[n++], sg_page(pos->sg), part, pos->sg->offset + pos->sg_off);
		done += part;
		pos->sg_off += part;
		if (pos->sg_off == pos->sg->length) {
			pos->sg = sg_next(pos->sg);
			pos->sg_off = 0;
		}
	}
	if (n)
		sg_mark_end(&sg[n - 1]);
	pos->desc_off += done;
	pos->left -= done;
	*len = done;
	return n;
}

static int srpt_rw_init(struct srpt_req *req, struct srpt_rw *rw, struct scatterlist *sg, u32 nents,
			const struct srp_desc *piece)
{
	struct srpt_ch *ch = req->ch;
	int n;

	n = rdma_rw_ctx_init(&rw->ctx, ch->qp, ch->port->port_num, sg, nents, 0,
			     piece->va, piece->key, req->dma_dir);
	if (unlikely(n < 0))
		return n;
	rw->sg = sg;
	rw->nents = nents;
	req->nr_rws++;
	req->rw_wrs += n;
	return 0;
}

static u64 srpt_sg_len(struct scatterlist *sgl, unsigned int nents)
{
	struct scatterlist *sg;
	unsigned int i;
	u64 len = 0;

	for_each_sg(sgl, sg, nents, i)
		len += sg->length;
	return len;
}

/* The usual case: one piece. -E2BIG if it is not. */
static int srpt_map_one(struct srpt_req *req, bool copy)
{
	struct scst_cmd *cmd = &req->cmd;
	struct srpt_pos *pos = &req->pos, start = *pos;
	struct scatterlist *sg = cmd->sgl;
	u32 nents = cmd->sg_nents;
	struct srp_desc piece;
	int ret;

	if (pos->left != cmd->data_len || nents > req->ch->max_sge || !srpt_piece(req, &piece) ||
	    piece.len < pos->left)
		return -E2BIG;
	if (nents == 1) {
		sg = &req->one_sg;
		sg_init_table(sg, 1);
		srpt_cut(pos, sg, 1, &piece.len);
	} else {
		if (copy || srpt_sg_len(sg, nents) != pos->left)
			return -E2BIG;
		pos->left = 0;
	}
	req->rws = &req->one_rw;
	ret = srpt_rw_init(req, req->rws, sg, nents, &piece);
	if (unlikely(ret))
		*pos = start;
	return ret;
}

/* Map one more piece; 0, -EXFULL if the round has no room for it, or -errno. */
static int srpt_map_piece(struct srpt_req *req, u32 max_rws, u32 max_sgs, u32 *used_sgs)
{
	struct srpt_pos start = req->pos;
	struct scatterlist *sg = req->sgs + *used_sgs;
	struct srp_desc piece;
	u32 nents;
	int ret;

	if (req->nr_rws == max_rws || *used_sgs == max_sgs)
		return -EXFULL;
	if (WARN_ON_ONCE(!srpt_piece(req, &piece)))
		return -EIO;
	nents = srpt_cut(&req->pos, sg, min(req->ch->max_sge, max_sgs - *used_sgs), &piece.len);
	if (WARN_ON_ONCE(!nents))
		return -EIO;
	ret = srpt_rw_init(req, &req->rws[req->nr_rws], sg, nents, &piece);
	if (unlikely(ret))
		req->pos = start;
	else
		*used_sgs += nents;
	return ret;
}

static int srpt_map_round(struct srpt_req *req)
{
	struct srpt_ch *ch = req->ch;
	struct srpt_pos *pos = &req->pos;
	u32 max_rws, max_sgs, used_sgs = 0;
	int ret = 0;

	max_rws = min(ch->max_rws, pos->left / ch->max_rdma_size + req->nr_descs - pos->desc +
		      req->cmd.sg_nents / ch->max_sge + 1);
	max_sgs = min_t(u32, SRPT_ROUND_SGS, req->cmd.sg_nents + max_rws);
	req->rws = kmalloc_array(max_rws, sizeof(*req->rws), GFP_KERNEL | __GFP_NOWARN);
	req->sgs = kmalloc_array(max_sgs, sizeof(*req->sgs), GFP_KERNEL | __GFP_NOWARN);
	if (!req->rws || !req->sgs) {
		srpt_xfer_unmap(req);
		return -ENOMEM;
	}
	sg_init_table(req->sgs, max_sgs);
	while (pos->left && !ret)
		ret = srpt_map_piece(req, max_rws, max_sgs, &used_sgs);

	/* What could be mapped goes out; the rest is another round. */
	if (req->nr_rws && (ret == -EXFULL || ret == -EAGAIN || ret == -ENOMEM))
		return 0;
	if (unlikely(ret))
		srpt_xfer_unmap(req);
	return ret;
}

static int srpt_map_table(struct srpt_req *req)
{
	req->rws = &req->one_rw;
	sg_init_one(&req->one_sg, req->descs, req->table.len);
	return srpt_rw_init(req, req->rws, &req->one_sg, 1, &req->table);
}

int srpt_xfer_map(struct srpt_req *req, bool copy)
{
	int ret;

	if (unlikely(req->ext_table)) {
		enum dma_data_direction dir = req->dma_dir;

		req->dma_dir = DMA_FROM_DEVICE;
		ret = srpt_map_table(req);
		req->dma_dir = dir;
		return ret;
	}
	ret = srpt_map_one(req, copy);
	return ret == -E2BIG ? srpt_map_round(req) : ret;
}

void srpt_xfer_unmap(struct srpt_req *req)
{
	enum dma_data_direction dir = req->ext_table ? DMA_FROM_DEVICE : req->dma_dir;
	struct srpt_ch *ch = req->ch;
	u32 i;

	if (!req->rws && !req->sgs)
		return;
	for (i = 0; i < req->nr_rws; i++)
		rdma_rw_ctx_destroy(&req->rws[i].ctx, ch->qp, ch->port->port_num,
				    req->rws[i].sg, req->rws[i].nents, dir);
	if (req->rws != &req->one_rw)
		kfree(req->rws);
	kfree(req->sgs);
	req->rws = NULL;
	req->sgs = NULL;
	req->nr_rws = 0;
	req->rw_wrs = 0;
	if (unlikely(!list_empty_careful(&ch->rw_wait)))
		mod_delayed_work(system_unbound_wq, &ch->rw_work, 0);
}

/* ---- rounds ---------------------------------------------------------- */

struct ib_send_wr *srpt_xfer_chain(struct srpt_req *req, struct ib_send_wr *tail)
{
	struct srpt_ch *ch = req->ch;
	u32 i;

	for (i = req->nr_rws; i--; )
		tail = rdma_rw_ctx_wrs(&req->rws[i].ctx, ch->qp, ch->port->port_num,
				       tail ? NULL : &req->cqe, tail);
	return tail;
}

void srpt_xfer_post(struct srpt_req *req)
{
	if (req->ext_table) {
		req->phase = SRPT_FETCH_TABLE;
	} else if (req->dma_dir == DMA_FROM_DEVICE) {
		req->phase = SRPT_FETCH_DATA;
	} else if (req->pos.left) {
		req->phase = SRPT_PUT_DATA;
	} else {
		srpt_respond(req);
		return;
	}
	srpt_post(req, srpt_xfer_chain(req, NULL), req->rw_wrs);
}

/**
 * srpt_xfer_next() - map and post the next round
 * @req: request with data left, or with a table to be fetched
 *
 * Context: process context, may sleep. The request may be over when this returns.
 * Return: 0, or -errno: nothing is mapped and nothing happens any more.
 */
int srpt_xfer_next(struct srpt_req *req)
{
	struct srpt_ch *ch = req->ch;
	int ret;

	ret = srpt_xfer_map(req, false);
	if (likely(!ret)) {
		srpt_xfer_post(req);
		return 0;
	}
	if (ret != -EAGAIN)
		return ret;
	/*
	 * All memory regions are in use. Whoever gives some back looks at the
	 * list; should that have happened a moment ago, the delay ends the wait.
	 */
	spin_lock_irq(&ch->sq_lock);
	list_add_tail(&req->entry, &ch->rw_wait);
	spin_unlock_irq(&ch->sq_lock);
	queue_delayed_work(system_unbound_wq, &ch->rw_work, SRPT_RW_RETRY);
	return 0;
}

void srpt_xfer_retry(struct work_struct *work)
{
	struct srpt_ch *ch = container_of(to_delayed_work(work), struct srpt_ch, rw_work);
	struct srpt_req *req, *next;
	LIST_HEAD(retry);
	int ret;

	spin_lock_irq(&ch->sq_lock);
	list_splice_init(&ch->rw_wait, &retry);
	spin_unlock_irq(&ch->sq_lock);

	list_for_each_entry_safe(req, next, &retry, entry) {
		ret = srpt_xfer_next(req);
		if (ret)
			srpt_xfer_failed(req, ret);
	}
}

int srpt_xfer_table_done(struct srpt_req *req)
{
	req->ext_table = false;
	return srp_descs_cover(req->descs, req->nr_descs, req->cmd.expected_len) ? 0 : -EINVAL;
}
