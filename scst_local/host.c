// SPDX-License-Identifier: GPL-2.0
/*
 * The initiator side: a SCSI host for each session.
 *
 * Life of a command: queuecommand() fills the scst_cmd in the scsi_cmnd's
 * private area and submits it; send_response() copies status, sense and
 * residual; release() gives the scsi_cmnd back. A scsi_cmnd is given back only
 * in release(), as the core works on its buffer until then.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/blk-mq.h>
#include <linux/device.h>
#include <linux/module.h>
#include <scsi/scsi.h>
#include <scsi/scsi_device.h>
#include <scsi/scsi_eh.h>
#include <scsi/scsi_tcq.h>

#include "local.h"

#define SLOCAL_CAN_QUEUE	256	/* per hardware queue */
#define SLOCAL_MAX_QUEUES	8	/* each costs its commands' memory */
#define SLOCAL_MAX_SECTORS	16384	/* 8 MiB, as VPD page B0 has it */
#define SLOCAL_INQUIRY_TIMEOUT	(20 * HZ)
#define SLOCAL_TMF_REPORT	(60 * HZ)
#define SLOCAL_LATE_POLL	(HZ / 50)
#define SLOCAL_NOT_PRESENT	0x7f	/* byte 0 of INQUIRY data: no such LUN */

struct slocal_stats slocal_stats;

static struct device *slocal_parent;	/* of all hosts, in sysfs */

/* ---- commands ----------------------------------------------------------- */

static inline void slocal_pack_lun(u64 lun, u8 *out)
{
	/* What int_to_scsilun() does for the single-level LUNs that there are. */
	if (likely(lun <= U16_MAX))
		put_unaligned_be64(lun << 48, out);
	else
		int_to_scsilun(lun, (struct scsi_lun *)out);
}

static inline u8 slocal_data_dir(enum dma_data_direction dir)
{
	switch (dir) {
	case DMA_FROM_DEVICE:
		return SCST_DATA_IN;
	case DMA_TO_DEVICE:
		return SCST_DATA_OUT;
	default:
		return SCST_DATA_NONE;
	}
}

static int slocal_queuecommand(struct Scsi_Host *shost, struct scsi_cmnd *scmd)
{
	struct slocal_session *s = shost_priv(shost);
	struct slocal_cmd *lc = scsi_cmd_priv(scmd);
	struct scst_cmd *cmd = &lc->cmd;

	if (unlikely(!scst_cmd_init(cmd, s->sess))) {
		set_host_byte(scmd, DID_NO_CONNECT);
		scsi_done(scmd);
		return 0;
	}
	lc->state = SLOCAL_CMD_SENT;
	cmd->tag = blk_mq_unique_tag(scsi_cmd_to_rq(scmd));
	slocal_pack_lun(scmd->device->lun, cmd->lun);
	BUILD_BUG_ON(sizeof(scmd->cmnd) > sizeof(cmd->cdb));
	memcpy(cmd->cdb, scmd->cmnd, sizeof(scmd->cmnd));
	cmd->cdb_len = scmd->cmd_len;
	cmd->task_attr = SCST_TASK_SIMPLE;
	cmd->expected_dir = slocal_data_dir(scmd->sc_data_direction);
	cmd->expected_len = scsi_bufflen(scmd);
	cmd->sgl = scsi_sglist(scmd);
	cmd->sg_nents = scsi_sg_count(scmd);
	scst_cmd_submit(cmd, false);
	return 0;
}

static struct scsi_cmnd *slocal_scmd(struct scst_cmd *cmd)
{
	/* scsi_cmd_priv() is the memory right behind the scsi_cmnd. */
	return (struct scsi_cmnd *)container_of(cmd, struct slocal_cmd, cmd) - 1;
}

void slocal_send_response(struct scst_cmd *cmd)
{
	struct slocal_cmd *lc = container_of(cmd, struct slocal_cmd, cmd);
	struct scsi_cmnd *scmd = slocal_scmd(cmd);

	lc->state = SLOCAL_CMD_ANSWERED;
	scmd->result = cmd->status;
	scsi_set_resid(scmd, cmd->resid > 0 ? cmd->resid : 0);
	if (unlikely(cmd->sense_len))
		memcpy(scmd->sense_buffer, cmd->sense,
		       min_t(size_t, cmd->sense_len, SCSI_SENSE_BUFFERSIZE));
	scst_cmd_sent(cmd);
}

void slocal_release(struct scst_cmd *cmd)
{
	struct slocal_cmd *lc = container_of(cmd, struct slocal_cmd, cmd);
	struct scsi_cmnd *scmd = slocal_scmd(cmd);

	/* Aborted without a status: for the mid-layer to send again. */
	if (unlikely(lc->state != SLOCAL_CMD_ANSWERED))
		scmd->result = DID_RESET << 16;
	WRITE_ONCE(lc->state, SLOCAL_CMD_RELEASED);
	scsi_done(scmd);
}

/* ---- error handling ------------------------------------------------------ */

void slocal_tmf_done(struct scst_tmf *tmf)
{
	complete(&container_of(tmf, struct slocal_session, tmf)->tmf_done);
}

/* Commands that have timed out and that the core still has. */
struct slocal_late {
	const struct scsi_cmnd *scmd;	/* whose error is handled */
	enum scst_tmf_fn fn;
	bool found;
};

static bool slocal_find_late(struct scsi_cmnd *scmd, void *arg)
{
	const struct slocal_cmd *lc = scsi_cmd_priv(scmd);
	struct slocal_late *late = arg;

	if (late->fn == SCST_TMF_ABORT_TASK && scmd != late->scmd)
		return true;
	if (late->fn == SCST_TMF_LUN_RESET && scmd->device != late->scmd->device)
		return true;
	late->found = test_bit(SCMD_STATE_COMPLETE, &scmd->state) &&
		      READ_ONCE(lc->state) != SLOCAL_CMD_RELEASED;
	return !late->found;
}

/*
 * Task management waits for the commands of the LUNs that there are. Those of a
 * LUN that was removed or replaced belong to none of them any more, but they are
 * not over before their old device lets go of them.
 */
static bool slocal_is_late(const struct scsi_cmnd *scmd, enum scst_tmf_fn fn)
{
	struct slocal_late late = { .scmd = scmd, .fn = fn };

	scsi_host_busy_iter(scmd->device->host, slocal_find_late, &late);
	return late.found;
}

/*
 * Returns when the core has released all commands that the function affects,
 * however long the backend takes: it may be writing to their buffers until then.
 */
static int slocal_tmf(struct scsi_cmnd *scmd, enum scst_tmf_fn fn, u64 tag)
{
	struct slocal_session *s = shost_priv(scmd->device->host);
	struct scst_tmf *tmf = &s->tmf;
	int ret = FAILED;

	mutex_lock(&s->tmf_lock);
	reinit_completion(&s->tmf_done);
	memset(tmf, 0, sizeof(*tmf));
	tmf->sess = s->sess;
	tmf->fn = fn;
	tmf->tag = tag;
	slocal_pack_lun(scmd->device->lun, tmf->lun);
	if (scst_tmf_submit(tmf)) {
		while (!wait_for_completion_timeout(&s->tmf_done, SLOCAL_TMF_REPORT))
			pr_warn("host%u: task management waits for the backing store of LUN %llu\n",
				s->shost->host_no, scmd->device->lun);
		while (slocal_is_late(scmd, fn))
			schedule_timeout_uninterruptible(SLOCAL_LATE_POLL);
		/* A command that left its task set just before may still be in slocal_release(). */
		synchronize_rcu();
		if (tmf->result != SCST_TMF_REJECTED)
			ret = SUCCESS;
	}
	mutex_unlock(&s->tmf_lock);
	return ret;
}

static int slocal_eh_abort(struct scsi_cmnd *scmd)
{
	atomic_inc(&slocal_stats.aborts);
	return slocal_tmf(scmd, SCST_TMF_ABORT_TASK, blk_mq_unique_tag(scsi_cmd_to_rq(scmd)));
}

static int slocal_eh_device_reset(struct scsi_cmnd *scmd)
{
	atomic_inc(&slocal_stats.device_resets);
	return slocal_tmf(scmd, SCST_TMF_LUN_RESET, 0);
}

static int slocal_eh_target_reset(struct scsi_cmnd *scmd)
{
	atomic_inc(&slocal_stats.target_resets);
	return slocal_tmf(scmd, SCST_TMF_TARGET_RESET, 0);
}

/* ---- devices ------------------------------------------------------------- */

static int slocal_slave_configure(struct scsi_device *sdev)
{
	/* Backends that do direct I/O want whole sectors, in memory that holds still. */
	blk_queue_dma_alignment(sdev->request_queue, SECTOR_SIZE - 1);
	blk_queue_flag_set(QUEUE_FLAG_STABLE_WRITES, sdev->request_queue);
	return 0;
}

static struct scsi_host_template slocal_template = {
	.module			= THIS_MODULE,
	.name			= "scst_local",
	.proc_name		= "scst_local",
	.cmd_size		= sizeof(struct slocal_cmd),
	.queuecommand		= slocal_queuecommand,
	.eh_abort_handler	= slocal_eh_abort,
	.eh_device_reset_handler = slocal_eh_device_reset,
	.eh_target_reset_handler = slocal_eh_target_reset,
	.slave_configure	= slocal_slave_configure,
	.change_queue_depth	= scsi_change_queue_depth,
	.track_queue_depth	= 1,
	.this_id		= -1,
	.can_queue		= SLOCAL_CAN_QUEUE,
	.cmd_per_lun		= SCST_MAX_TGT_DEV_COMMANDS,
	.sg_tablesize		= SG_MAX_SEGMENTS,
	.max_sectors		= SLOCAL_MAX_SECTORS,
	.max_segment_size	= UINT_MAX,
	.dma_boundary		= ULONG_MAX,
};

/* Does the session still have this LUN, and is it the same kind of device? */
static bool slocal_sdev_present(struct scsi_device *sdev)
{
	u8 cdb[6] = { INQUIRY, 0, 0, 0, 36, 0 };
	struct scsi_sense_hdr sshdr;
	bool present = true;
	u8 *inquiry;

	inquiry = kzalloc(36, GFP_KERNEL);
	if (!inquiry)
		return true;
	if (!scsi_execute_req(sdev, cdb, DMA_FROM_DEVICE, inquiry, 36, &sshdr,
			      SLOCAL_INQUIRY_TIMEOUT, 3, NULL))
		present = inquiry[0] != SLOCAL_NOT_PRESENT && (inquiry[0] & 0x1f) == sdev->type;
	kfree(inquiry);
	return present;
}

void slocal_host_scan(struct Scsi_Host *shost)
{
	scsi_scan_target(&shost->shost_gendev, 0, 0, SCAN_WILD_CARD, SCSI_SCAN_MANUAL);
}

void slocal_host_rescan(struct Scsi_Host *shost)
{
	struct scsi_device *sdev;

	shost_for_each_device(sdev, shost) {
		if (slocal_sdev_present(sdev))
			scsi_rescan_device(sdev);
		else
			scsi_remove_device(sdev);
	}
	slocal_host_scan(shost);
}

/* ---- hosts ---------------------------------------------------------------- */

struct slocal_session *slocal_host_alloc(void)
{
	struct Scsi_Host *shost = scsi_host_alloc(&slocal_template, sizeof(struct slocal_session));
	struct slocal_session *s;

	if (!shost)
		return NULL;
	shost->max_id = 1;
	shost->max_channel = 0;
	/* LUNs keep their address method in the upper bits. */
	shost->max_lun = ~0ULL;
	shost->max_cmd_len = SCST_CDB_MAX;
	shost->nr_hw_queues = min_t(unsigned int, num_online_cpus(), SLOCAL_MAX_QUEUES);
	s = shost_priv(shost);
	s->shost = shost;
	mutex_init(&s->tmf_lock);
	init_completion(&s->tmf_done);
	return s;
}

int slocal_host_add(struct slocal_session *s)
{
	int err = scsi_add_host(s->shost, slocal_parent);

	/* What it is told is always valid; it says so, too, without memory for a name. */
	return err == -EINVAL ? -ENOMEM : err;
}

int slocal_host_init(void)
{
	slocal_parent = root_device_register("scst_local");
	return PTR_ERR_OR_ZERO(slocal_parent);
}

void slocal_host_exit(void)
{
	root_device_unregister(slocal_parent);
}
