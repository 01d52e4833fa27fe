// SPDX-License-Identifier: GPL-2.0
/*
 * Requests of initiators: from the receive completion to the core, and from the
 * core to the response.
 *
 * All completions of a channel come through one completion queue that is polled
 * in a work, in batches; so they do not run concurrently with one another, and
 * they may sleep. Responses are posted from wherever the core calls.
 *
 * Everything that the initiator says is checked in proto/iu.c and here, before
 * the core hears of it.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "srpt.h"

/* Say once per channel why it is lost; what is flushed afterwards is no news. */
static void srpt_ch_failed(struct srpt_ch *ch, const struct ib_wc *wc, const char *what)
{
	if (srpt_ch_state(ch) <= SRPT_CH_LIVE)
		pr_info_ratelimited("%s: initiator %s: connection lost (%s: %s)\n",
				    ch->port->name, ch->name, what, ib_wc_status_msg(wc->status));
	srpt_ch_close(ch);
}

static void srpt_ch_violation(struct srpt_ch *ch, const char *what)
{
	pr_warn_ratelimited("%s: initiator %s: %s, closing the channel\n",
			    ch->port->name, ch->name, what);
	srpt_ch_close(ch);
}

/* ---- responses ------------------------------------------------------- */

static enum srp_data_dir srpt_srp_dir(u8 dir)
{
	switch (dir) {
	case SCST_DATA_IN:
		return SRP_DATA_IN;
	case SCST_DATA_OUT:
		return SRP_DATA_OUT;
	default:
		return SRP_DATA_NONE;
	}
}

/* Status, sense and residual as the core settled them. */
static void srpt_rsp_of_cmd(const struct scst_cmd *cmd, struct srp_rsp *rsp)
{
	rsp->status = cmd->status;
	rsp->sense = cmd->sense;
	rsp->sense_len = cmd->sense_len;
	rsp->resid = cmd->resid;
	rsp->dir = srpt_srp_dir(cmd->expected_dir != SCST_DATA_NONE ? cmd->expected_dir :
								      cmd->cdb_info.dir);
}

/* Nothing, or an unknown part, of the data was moved. */
static void srpt_rsp_refused(const struct srpt_req *req, struct srp_rsp *rsp)
{
	if (req->kind != SRPT_REQ_CMD)
		return;
	rsp->dir = srpt_srp_dir(req->cmd.expected_dir);
	rsp->resid = req->cmd.expected_len;
}

static void srpt_build_rsp(struct srpt_req *req)
{
	struct srpt_ch *ch = req->ch;
	u8 sense[SRP_SENSE_LEN];
	struct srp_rsp rsp = { .tag = req->tag };

	switch (req->answer) {
	case SRPT_ANSWER_CMD:
		srpt_rsp_of_cmd(&req->cmd, &rsp);
		break;
	case SRPT_ANSWER_BUSY:
		rsp.status = SAM_BUSY;
		srpt_rsp_refused(req, &rsp);
		break;
	case SRPT_ANSWER_BAD_FIELD:
		srp_sense_invalid_field(sense);
		rsp.status = SAM_CHECK_CONDITION;
		rsp.sense = sense;
		rsp.sense_len = sizeof(sense);
		srpt_rsp_refused(req, &rsp);
		break;
	case SRPT_ANSWER_CODE:
		rsp.has_code = true;
		rsp.code = req->code;
		break;
	}

	/* One credit for this request, and those whose requests got no response. */
	req->credits = 1 + atomic_xchg(&ch->req_lim_delta, 0);
	atomic_add(req->credits, &ch->req_lim);
	rsp.req_lim_delta = req->credits;
	req->rsp_sge.length = srp_rsp_build(req->rsp, ch->max_rsp_len, &rsp);
}

void srpt_respond(struct srpt_req *req)
{
	struct srpt_ch *ch = req->ch;

	srpt_build_rsp(req);
	req->responded = true;
	req->phase = SRPT_SEND;
	ib_dma_sync_single_for_device(srpt_ch_dev(ch), req->rsp_sge.addr, ch->rsp_size,
				      DMA_TO_DEVICE);
	srpt_post(req, srpt_xfer_chain(req, &req->send_wr), req->rw_wrs + 1);
}

static void srpt_answer(struct srpt_req *req, enum srpt_answer answer)
{
	req->answer = answer;
	srpt_respond(req);
}

void srpt_send_response(struct scst_cmd *cmd)
{
	struct srpt_req *req = container_of(cmd, struct srpt_req, cmd);
	int ret;

	if (cmd->expected_dir != SCST_DATA_IN || !cmd->data_len) {
		/* Prepared by ->map_data_in, but the command failed. */
		srpt_xfer_unmap(req);
		srpt_respond(req);
		return;
	}
	if (req->rws) {
		srpt_xfer_post(req);
		return;
	}
	srpt_xfer_init(req, DMA_TO_DEVICE);
	ret = srpt_xfer_next(req);
	if (unlikely(ret))
		srpt_xfer_failed(req, ret);
}

int srpt_map_data_in(struct scst_cmd *cmd)
{
	struct srpt_req *req = container_of(cmd, struct srpt_req, cmd);

	srpt_xfer_init(req, DMA_TO_DEVICE);
	/* The core frees its buffer before ->release, so the contexts get a table of their own. */
	return srpt_xfer_map(req, true);
}

int srpt_fetch_data_out(struct scst_cmd *cmd)
{
	struct srpt_req *req = container_of(cmd, struct srpt_req, cmd);

	if (req->imm_data) {
		sg_copy_from_buffer(cmd->sgl, cmd->sg_nents, req->imm_data, cmd->data_len);
		scst_cmd_data_done(cmd, SCST_OK);
		return 0;
	}
	srpt_xfer_init(req, DMA_FROM_DEVICE);
	return srpt_xfer_next(req);
}

void srpt_release(struct scst_cmd *cmd)
{
	struct srpt_req *req = container_of(cmd, struct srpt_req, cmd);

	srpt_xfer_unmap(req);
	if (!req->responded)
		atomic_inc(&req->ch->req_lim_delta);
	srpt_req_put(req);
}

void srpt_tmf_done(struct scst_tmf *tmf)
{
	struct srpt_req *req = container_of(tmf, struct srpt_req, tmf);

	req->code = tmf->result == SCST_TMF_COMPLETE ? SRP_RSP_COMPLETE : SRP_RSP_FAILED;
	srpt_answer(req, SRPT_ANSWER_CODE);
}

/* ---- completions ----------------------------------------------------- */

void srpt_xfer_failed(struct srpt_req *req, int err)
{
	struct scst_cmd *cmd = &req->cmd;
	scst_sense_t sense;

	if (req->dma_dir == DMA_TO_DEVICE) {
		srpt_answer(req, err == -EINVAL ? SRPT_ANSWER_BAD_FIELD : SRPT_ANSWER_BUSY);
		return;
	}
	switch (err) {
	case -EINVAL:
		sense = SCST_SENSE(0x5, 0x24, 0x00);
		break;
	case -ENOMEM:
		sense = SCST_BUSY;
		break;
	default:
		sense = SCST_ABORTED;
	}
	scst_cmd_data_done(cmd, sense);
}

/* A round is over: start the next one, or give the data to the core. */
static void srpt_round_done(struct srpt_req *req, bool good)
{
	bool table = req->ext_table;
	int ret = 0;

	srpt_xfer_unmap(req);
	if (unlikely(!good))
		ret = -EIO;
	else if (table)
		ret = srpt_xfer_table_done(req);
	else if (req->dma_dir == DMA_FROM_DEVICE && scst_cmd_aborted(&req->cmd))
		ret = -ECANCELED;

	if (likely(!ret)) {
		if (!req->pos.left) {
			scst_cmd_data_done(&req->cmd, SCST_OK);
			return;
		}
		ret = srpt_xfer_next(req);
	}
	if (unlikely(ret))
		srpt_xfer_failed(req, ret);
}

static void srpt_response_done(struct srpt_req *req, bool good)
{
	if (unlikely(!good)) {
		atomic_sub(req->credits, &req->ch->req_lim);
		atomic_add(req->credits, &req->ch->req_lim_delta);
	}
	srpt_xfer_unmap(req);
	if (likely(req->kind == SRPT_REQ_CMD))
		scst_cmd_sent(&req->cmd);
	else
		srpt_req_put(req);
}

void srpt_req_done(struct srpt_req *req, bool good)
{
	srpt_sq_put(req->ch, req->n_wr);
	switch (req->phase) {
	case SRPT_SEND:
		srpt_response_done(req, good);
		break;
	case SRPT_PROBE:
		srpt_ch_probe_done(req->ch);
		break;
	default:
		srpt_round_done(req, good);
	}
}

void srpt_req_wc_done(struct ib_cq *cq, struct ib_wc *wc)
{
	static const char * const what[] = {
		[SRPT_FETCH_TABLE]	= "reading a descriptor table",
		[SRPT_FETCH_DATA]	= "reading data",
		[SRPT_PUT_DATA]		= "writing data",
		[SRPT_SEND]		= "sending a response",
		[SRPT_PROBE]		= "idle",
	};
	struct srpt_req *req = container_of(wc->wr_cqe, struct srpt_req, cqe);

	if (unlikely(wc->status != IB_WC_SUCCESS))
		srpt_ch_failed(req->ch, wc, what[req->phase]);
	else
		WRITE_ONCE(req->ch->heard, jiffies);
	srpt_req_done(req, wc->status == IB_WC_SUCCESS);
}

/* ---- requests -------------------------------------------------------- */

/* Remember where the data is, as the receive buffer goes back before the transfer. */
static int srpt_keep_descs(struct srpt_req *req, const struct srp_cmd *srp)
{
	size_t len = (size_t)srp->nr_descs * SRP_DESC_LEN;

	req->nr_descs = srp->nr_descs;
	req->ext_table = srp->ext_table;
	req->table = srp->table;
	req->descs = req->inline_descs;
	if (srp->nr_descs > SRPT_INLINE_DESCS || srp->ext_table) {
		req->descs = kmalloc(len, GFP_KERNEL | __GFP_NOWARN);
		if (!req->descs)
			return -ENOMEM;
	}
	if (srp->descs)
		memcpy(req->descs, srp->descs, len);
	return 0;
}

static u8 srpt_task_attr(u8 attr)
{
	switch (attr) {
	case SCST_TASK_SIMPLE:
	case SCST_TASK_HEAD_OF_QUEUE:
	case SCST_TASK_ACA:
		return attr;
	default:
		return SCST_TASK_ORDERED;
	}
}

static bool srpt_fill_cmd(struct srpt_req *req, const struct srp_cmd *srp)
{
	static const u8 dir[] = {
		[SRP_DATA_NONE]	= SCST_DATA_NONE,
		[SRP_DATA_IN]	= SCST_DATA_IN,
		[SRP_DATA_OUT]	= SCST_DATA_OUT,
	};
	struct scst_cmd *cmd = &req->cmd;

	if (!scst_cmd_init(cmd, req->ch->sess))
		return false;
	cmd->tag = srp->tag;
	memcpy(cmd->lun, srp->lun, sizeof(cmd->lun));
	cmd->cdb_len = min_t(size_t, srp->cdb_len, SCST_CDB_MAX);
	memcpy(cmd->cdb, srp->cdb, cmd->cdb_len);
	cmd->task_attr = srpt_task_attr(srp->task_attr);
	cmd->expected_dir = dir[srp->dir];
	cmd->expected_len = srp->data_len;
	return true;
}

static void srpt_rx_cmd(struct srpt_ch *ch, struct srpt_req *req, struct srpt_recv *recv, u32 len)
{
	struct srp_cmd srp;

	switch (srp_cmd_parse(recv->buf, len, ch->imm_offset, SRPT_MAX_DESCS, &srp)) {
	case SRP_TOO_SHORT:
		srpt_ch_violation(ch, "truncated SRP_CMD");
		srpt_req_put(req);
		return;
	case SRP_BAD_DATA:
		req->tag = srp.tag;
		pr_info_ratelimited("%s: initiator %s: inconsistent data buffers, tag %#llx\n",
				    ch->port->name, ch->name, srp.tag);
		srpt_answer(req, SRPT_ANSWER_BAD_FIELD);
		return;
	case SRP_PARSED:
		break;
	}
	req->tag = srp.tag;
	if (srpt_keep_descs(req, &srp)) {
		srpt_answer(req, SRPT_ANSWER_BUSY);
		return;
	}
	if (!srpt_fill_cmd(req, &srp)) {
		srpt_req_put(req);
		return;
	}
	req->kind = SRPT_REQ_CMD;
	req->answer = SRPT_ANSWER_CMD;
	req->imm_data = srp.imm_data;
	scst_cmd_submit(&req->cmd, true);
}

static int srpt_tmf_function(u8 function)
{
	switch (function) {
	case SRP_TMF_ABORT_TASK:
		return SCST_TMF_ABORT_TASK;
	case SRP_TMF_ABORT_TASK_SET:
		return SCST_TMF_ABORT_TASK_SET;
	case SRP_TMF_CLEAR_TASK_SET:
		return SCST_TMF_CLEAR_TASK_SET;
	case SRP_TMF_LUN_RESET:
		return SCST_TMF_LUN_RESET;
	case SRP_TMF_CLEAR_ACA:
		return SCST_TMF_CLEAR_ACA;
	default:
		return -1;
	}
}

static void srpt_rx_tsk_mgmt(struct srpt_ch *ch, struct srpt_req *req, struct srpt_recv *recv,
			     u32 len)
{
	struct srp_tsk_mgmt srp;
	int fn;

	if (!srp_tsk_mgmt_parse(recv->buf, len, &srp)) {
		srpt_ch_violation(ch, "truncated SRP_TSK_MGMT");
		srpt_req_put(req);
		return;
	}
	req->tag = srp.tag;
	fn = srpt_tmf_function(srp.function);
	if (fn < 0) {
		pr_info_ratelimited("%s: initiator %s: unknown task management function %#x\n",
				    ch->port->name, ch->name, srp.function);
		req->code = SRP_RSP_NOT_SUPPORTED;
		srpt_answer(req, SRPT_ANSWER_CODE);
		return;
	}
	memset(&req->tmf, 0, sizeof(req->tmf));
	req->tmf.sess = ch->sess;
	req->tmf.fn = fn;
	req->tmf.tag = srp.task_tag;
	memcpy(req->tmf.lun, srp.lun, sizeof(req->tmf.lun));
	if (!scst_tmf_submit(&req->tmf))
		srpt_req_put(req);
}

static void srpt_rx_request(struct srpt_ch *ch, struct srpt_recv *recv, u32 len)
{
	struct srpt_req *req;

	if (unlikely(atomic_dec_return(&ch->req_lim) < 0)) {
		srpt_ch_violation(ch, "more requests than credits");
		return;
	}
	req = srpt_req_get(ch);
	if (unlikely(!req)) {
		srpt_ch_violation(ch, "no memory for a request");
		return;
	}
	if (likely(recv->buf[0] == SRP_OP_CMD))
		srpt_rx_cmd(ch, req, recv, len);
	else
		srpt_rx_tsk_mgmt(ch, req, recv, len);
}

static void srpt_rx(struct srpt_ch *ch, struct srpt_recv *recv, u32 len)
{
	if (unlikely(!len))
		return;

	switch (recv->buf[0]) {
	case SRP_OP_CMD:
	case SRP_OP_TSK_MGMT:
		srpt_rx_request(ch, recv, len);
		break;
	case SRP_OP_I_LOGOUT:
		srpt_ch_close(ch);
		break;
	case SRP_OP_CRED_RSP:
	case SRP_OP_AER_RSP:
		/* Answers to what we never ask. */
		break;
	default:
		pr_info_ratelimited("%s: initiator %s: unknown information unit %#x, %u bytes\n",
				    ch->port->name, ch->name, recv->buf[0], len);
	}
}

/*
 * The buffer goes back when the core has been given the request. The ring is
 * larger than the initiator's credit, so that a response that overtakes this
 * does not let a new request find no buffer.
 */
void srpt_recv_done(struct ib_cq *cq, struct ib_wc *wc)
{
	struct srpt_recv *recv = container_of(wc->wr_cqe, struct srpt_recv, cqe);
	struct srpt_ch *ch = wc->qp->qp_context;
	struct srpt_device *sdev = ch->port->sdev;

	if (unlikely(wc->status != IB_WC_SUCCESS)) {
		srpt_ch_failed(ch, wc, "receiving");
	} else {
		WRITE_ONCE(ch->heard, jiffies);
		/* The initiator knows our answer, so the connection stands. */
		if (unlikely(srpt_ch_state(ch) == SRPT_CH_CONNECTING))
			srpt_ch_advance(ch, SRPT_CH_LIVE);
		if (likely(srpt_ch_state(ch) == SRPT_CH_LIVE)) {
			ib_dma_sync_single_for_cpu(sdev->dev, recv->sge.addr, srpt_max_req_size,
						   DMA_FROM_DEVICE);
			srpt_rx(ch, recv, wc->byte_len);
		}
	}
	/* A shared queue gets its buffers back whatever happens to the channel. */
	if (unlikely(!sdev->srq && srpt_ch_state(ch) != SRPT_CH_LIVE))
		return;
	if (unlikely(srpt_recv_post(sdev, ch->qp, recv)))
		srpt_ch_close(ch);
}
