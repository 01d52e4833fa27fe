// SPDX-License-Identifier: GPL-2.0
/*
 * scst_local: exported LUNs as disks of this very machine.
 *
 * The smallest transport: the initiator is in the same kernel, its buffers are
 * the command's, and nothing can get lost on the way.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <scsi/scsi_proto.h>

#include "local.h"

#define SLOCAL_DEFAULT_TARGET	"scst_local_tgt"
#define SLOCAL_DEFAULT_SESSION	"scst_local_host"

static bool add_default_tgt = true;
module_param(add_default_tgt, bool, 0444);
MODULE_PARM_DESC(add_default_tgt, "create target " SLOCAL_DEFAULT_TARGET " with session "
		 SLOCAL_DEFAULT_SESSION " (Y)");

struct workqueue_struct *slocal_wq;

const struct scst_transport_ops slocal_ops = {
	.owner			= THIS_MODULE,
	.name			= "scst_local",
	.own_buffers		= true,
	.sg_tablesize		= SG_MAX_SEGMENTS,
	.transport_version	= SLOCAL_TRANSPORT_VERSION,
	.protocol		= SCSI_PROTOCOL_SAS,
	.target_params		= "session_name",
	.mgmt_help		= "  add_session TARGET SESSION\n"
				  "  del_session TARGET SESSION\n",
	.driver_groups		= slocal_driver_groups,
	.target_groups		= slocal_target_groups,
	.session_groups		= slocal_session_groups,
	.send_response		= slocal_send_response,
	.release		= slocal_release,
	.tmf_done		= slocal_tmf_done,
	.add_target		= slocal_target_add,
	.del_target		= slocal_target_del,
	.mgmt_command		= slocal_mgmt_command,
	.close_session		= slocal_session_force_close,
	.luns_changed		= slocal_session_luns_changed,
};

static int __init slocal_add_default(void)
{
	int err = slocal_target_add(SLOCAL_DEFAULT_TARGET, NULL);

	return err ?: slocal_session_add(SLOCAL_DEFAULT_TARGET, SLOCAL_DEFAULT_SESSION);
}

static int __init slocal_init(void)
{
	int err;

	slocal_wq = alloc_workqueue("scst_local", WQ_UNBOUND, 0);
	if (!slocal_wq)
		return -ENOMEM;
	err = slocal_host_init();
	if (err)
		goto err_wq;
	err = scst_transport_register(&slocal_ops);
	if (err)
		goto err_host;
	if (add_default_tgt)
		err = slocal_add_default();
	if (!err)
		return 0;

	slocal_target_del_all();
	scst_transport_unregister(&slocal_ops);
err_host:
	slocal_host_exit();
err_wq:
	destroy_workqueue(slocal_wq);
	return err;
}

static void __exit slocal_exit(void)
{
	slocal_target_del_all();
	scst_transport_unregister(&slocal_ops);
	slocal_host_exit();
	destroy_workqueue(slocal_wq);
}

module_init(slocal_init);
module_exit(slocal_exit);

MODULE_DESCRIPTION("SCSI target transport: LUNs as local disks");
MODULE_LICENSE("GPL");
