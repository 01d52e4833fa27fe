// SPDX-License-Identifier: GPL-2.0
/* SRP target ports over RDMA: module parameters and registration. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/mm.h>
#include <linux/module.h>

#include "srpt.h"

#define SRPT_MIN_REQ_SIZE	996
#define SRPT_MAX_REQ_SIZE	(128 << 10)
/* Header and immediate data of 8 KiB, behind the longest header that initiators use. */
#define SRPT_DEFAULT_REQ_SIZE	8276
#define SRPT_MIN_RSP_SIZE	(SRP_RSP_LEN + SRP_RSP_DATA_LEN)
#define SRPT_MAX_RSP_SIZE	4096
#define SRPT_MIN_RDMA_SIZE	256
#define SRPT_MAX_RDMA_SIZE	(16 << 20)
#define SRPT_MIN_SRQ_SIZE	4
#define SRPT_MAX_SRQ_SIZE	65535

struct workqueue_struct *srpt_wq;

u16 srpt_rdma_cm_port;
module_param_named(rdma_cm_port, srpt_rdma_cm_port, ushort, 0444);
MODULE_PARM_DESC(rdma_cm_port, "port number for RDMA/CM logins (RoCE, iWARP), 0 for none");

unsigned int srpt_max_req_size = SRPT_DEFAULT_REQ_SIZE;
module_param_named(srp_max_req_size, srpt_max_req_size, uint, 0444);
MODULE_PARM_DESC(srp_max_req_size, "longest request information unit in bytes");

unsigned int srpt_max_rsp_size = 256;
unsigned int srpt_max_rdma_size = 65536;

static int srpt_set_rsp_size(const char *val, const struct kernel_param *kp)
{
	return param_set_uint_minmax(val, kp, SRPT_MIN_RSP_SIZE, SRPT_MAX_RSP_SIZE);
}

static const struct kernel_param_ops srpt_rsp_size_ops = {
	.set	= srpt_set_rsp_size,
	.get	= param_get_uint,
};

module_param_cb(srp_max_rsp_size, &srpt_rsp_size_ops, &srpt_max_rsp_size, 0644);
__MODULE_PARM_TYPE(srp_max_rsp_size, "uint");
MODULE_PARM_DESC(srp_max_rsp_size, "response buffer in bytes, for new channels");

/* Values out of range are as good as the nearest that is in it. */
static int srpt_set_rdma_size(const char *val, const struct kernel_param *kp)
{
	unsigned int size;
	int ret = kstrtouint(val, 0, &size);

	if (!ret)
		srpt_max_rdma_size = clamp_t(unsigned int, size, SRPT_MIN_RDMA_SIZE,
					     SRPT_MAX_RDMA_SIZE);
	return ret;
}

static const struct kernel_param_ops srpt_rdma_size_ops = {
	.set	= srpt_set_rdma_size,
	.get	= param_get_uint,
};

module_param_cb(srp_max_rdma_size, &srpt_rdma_size_ops, &srpt_max_rdma_size, 0644);
__MODULE_PARM_TYPE(srp_max_rdma_size, "uint");
MODULE_PARM_DESC(srp_max_rdma_size, "most bytes of one RDMA request, for new channels");

bool srpt_use_srq;
module_param_named(use_srq, srpt_use_srq, bool, 0644);
MODULE_PARM_DESC(use_srq, "shared receive queues, for HCAs that appear later");

unsigned int srpt_srq_size = 4095;
module_param(srpt_srq_size, uint, 0644);
MODULE_PARM_DESC(srpt_srq_size, "buffers of a shared receive queue");

unsigned int srpt_sq_size = 256;
module_param(srpt_sq_size, uint, 0444);
MODULE_PARM_DESC(srpt_sq_size, "send queue entries of a channel");

unsigned int srpt_max_channels = 1024;
module_param(srpt_max_channels, uint, 0644);
MODULE_PARM_DESC(srpt_max_channels, "channels that one port may have");

unsigned int srpt_max_connecting = 64;
module_param(srpt_max_connecting, uint, 0644);
MODULE_PARM_DESC(srpt_max_connecting, "of those, logins that the initiator has not confirmed");

unsigned int srpt_max_channel_mem;
module_param(srpt_max_channel_mem, uint, 0644);
MODULE_PARM_DESC(srpt_max_channel_mem, "memory of all channels, MiB (default: RAM / 8)");

u64 srpt_service_guid;

static int srpt_set_guid(const char *val, const struct kernel_param *kp)
{
	return kstrtou64(val, 0, kp->arg);
}

static int srpt_get_guid(char *buf, const struct kernel_param *kp)
{
	return sprintf(buf, "%#018llx", *(u64 *)kp->arg);
}

static const struct kernel_param_ops srpt_guid_ops = {
	.set	= srpt_set_guid,
	.get	= srpt_get_guid,
};

module_param_cb(srpt_service_guid, &srpt_guid_ops, &srpt_service_guid, 0444);
__MODULE_PARM_TYPE(srpt_service_guid, "ullong");
MODULE_PARM_DESC(srpt_service_guid, "identity in logins (default: node GUID of the first HCA)");

static void srpt_close_session(struct scst_session *sess)
{
	srpt_ch_close(scst_session_priv(sess));
}

const struct scst_transport_ops srpt_ops = {
	.owner			= THIS_MODULE,
	.name			= "ib_srpt",
	.sg_tablesize		= SRPT_SG_TABLESIZE,
	.transport_version	= 0x0940,	/* SRP */
	.protocol		= 4,		/* SRP */
	.target_groups		= srpt_target_groups,
	.session_groups		= srpt_session_groups,
	.fetch_data_out		= srpt_fetch_data_out,
	.map_data_in		= srpt_map_data_in,
	.send_response		= srpt_send_response,
	.release		= srpt_release,
	.tmf_done		= srpt_tmf_done,
	.enable_target		= srpt_port_enable,
	.close_session		= srpt_close_session,
};

static int __init srpt_check_params(void)
{
	if (srpt_max_req_size < SRPT_MIN_REQ_SIZE || srpt_max_req_size > SRPT_MAX_REQ_SIZE) {
		pr_err("srp_max_req_size %u is not in %u ... %u\n", srpt_max_req_size,
		       SRPT_MIN_REQ_SIZE, SRPT_MAX_REQ_SIZE);
		return -EINVAL;
	}
	if (srpt_srq_size < SRPT_MIN_SRQ_SIZE || srpt_srq_size > SRPT_MAX_SRQ_SIZE) {
		pr_err("srpt_srq_size %u is not in %u ... %u\n", srpt_srq_size, SRPT_MIN_SRQ_SIZE,
		       SRPT_MAX_SRQ_SIZE);
		return -EINVAL;
	}
	if (srpt_sq_size < SRPT_MIN_SQ_SIZE || srpt_sq_size > SRPT_MAX_SQ_SIZE) {
		pr_err("srpt_sq_size %u is not in %u ... %u\n", srpt_sq_size, SRPT_MIN_SQ_SIZE,
		       SRPT_MAX_SQ_SIZE);
		return -EINVAL;
	}
	return 0;
}

static int __init srpt_init(void)
{
	int ret;

	ret = srpt_check_params();
	if (ret)
		return ret;
	if (!srpt_max_channel_mem)
		srpt_max_channel_mem = max(totalram_pages() >> (20 - PAGE_SHIFT) >> 3, 1UL);
	srpt_wq = alloc_workqueue("srpt", WQ_UNBOUND, WQ_MAX_ACTIVE);
	if (!srpt_wq)
		return -ENOMEM;
	ret = srpt_rings_init();
	if (ret)
		goto err_wq;
	ret = scst_transport_register(&srpt_ops);
	if (ret)
		goto err_rings;
	ret = srpt_ports_init();
	if (ret)
		goto err_transport;
	ret = srpt_rdma_cm_init();
	if (ret)
		goto err_ports;
	return 0;

err_ports:
	srpt_ports_exit();
err_transport:
	scst_transport_unregister(&srpt_ops);
err_rings:
	srpt_rings_exit();
err_wq:
	destroy_workqueue(srpt_wq);
	return ret;
}

static void __exit srpt_exit(void)
{
	srpt_rdma_cm_exit();
	srpt_ports_exit();
	scst_transport_unregister(&srpt_ops);
	/* Before the buffers: the end of a channel is on this queue. */
	destroy_workqueue(srpt_wq);
	srpt_rings_exit();
}

module_init(srpt_init);
module_exit(srpt_exit);

MODULE_DESCRIPTION("SCSI RDMA Protocol target ports");
MODULE_LICENSE("GPL");
MODULE_VERSION(SCST_VERSION);
