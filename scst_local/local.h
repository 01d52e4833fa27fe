/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared between the files of scst_local.ko.
 *
 * A session is an I_T nexus whose initiator port is a SCSI host of this
 * machine. A command lives in the private area of its scsi_cmnd and uses the
 * initiator's own data buffer, so nothing is copied, allocated or queued here.
 */
#ifndef SCST_LOCAL_H
#define SCST_LOCAL_H

#include <linux/completion.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/refcount.h>
#include <linux/workqueue.h>
#include <scsi/scsi_cmnd.h>
#include <scsi/scsi_host.h>

#include "scst/scst.h"

#define SLOCAL_TRANSPORT_ID_LEN	24	/* SAS, SPC-4 7.6.4.6 */
#define SLOCAL_TRANSPORT_VERSION 0x0be0	/* SAS, no version claimed */

enum slocal_cmd_state {
	SLOCAL_CMD_SENT,	/* with the core */
	SLOCAL_CMD_ANSWERED,	/* still, but the result is that of the target */
	SLOCAL_CMD_RELEASED,	/* the core has let go of it and its buffer */
};

/**
 * struct slocal_cmd - private area of a scsi_cmnd
 * @cmd: the core's command
 * @state: enum slocal_cmd_state
 */
struct slocal_cmd {
	struct scst_cmd cmd;
	u8 state;
};

/**
 * struct slocal_target - a target port
 * @tgt: the core's target
 * @entry: in the list of targets, under slocal_lock
 * @sessions: slocal_session.entry, under slocal_lock
 * @users: one for existing, one per session, in the list or being removed
 * @unused: no user is left
 * @transport_version: version descriptor of the SCSI transport in INQUIRY data
 * @phys_version: that of the physical transport, 0 for none
 */
struct slocal_target {
	struct scst_target *tgt;
	struct list_head entry;
	struct list_head sessions;
	refcount_t users;
	struct completion unused;
	u16 transport_version;
	u16 phys_version;
};

/**
 * struct slocal_session - an I_T nexus, private area of its Scsi_Host
 * @sess: the core's session
 * @shost: the initiator port
 * @target: its target, which waits for it
 * @entry: in slocal_target.sessions; empty once somebody took it out to close it.
 *	Under slocal_lock.
 * @rescan: the LUN map changed
 * @close: force_close was written
 * @tmf_lock: one task management function at a time; error handling must not need memory
 * @tmf: that function
 * @tmf_done: it is over
 * @transport_id: TransportID of the initiator port
 */
struct slocal_session {
	struct scst_session *sess;
	struct Scsi_Host *shost;
	struct slocal_target *target;
	struct list_head entry;
	struct work_struct rescan;
	struct work_struct close;
	struct mutex tmf_lock;		/* @tmf and @tmf_done */
	struct scst_tmf tmf;
	struct completion tmf_done;
	u8 transport_id[SLOCAL_TRANSPORT_ID_LEN];
};

extern const struct scst_transport_ops slocal_ops;
/* Rescans and forced closes. */
extern struct workqueue_struct *slocal_wq;

/* ---- attributes (attr.c) ------------------------------------------------ */

extern const struct attribute_group *slocal_driver_groups[];
extern const struct attribute_group *slocal_target_groups[];
extern const struct attribute_group *slocal_session_groups[];

/* ---- targets and sessions (target.c) ----------------------------------- */

int slocal_target_add(const char *name, char *params);
int slocal_target_del(struct scst_target *tgt);
void slocal_target_del_all(void);
int slocal_session_add(const char *target, const char *name);
int slocal_mgmt_command(const char *verb, char *args);
void slocal_session_force_close(struct scst_session *sess);
void slocal_session_luns_changed(struct scst_session *sess);

/* ---- SCSI host (host.c) ------------------------------------------------- */

/* What the error handler of the initiator side asked for. */
struct slocal_stats {
	atomic_t aborts;
	atomic_t device_resets;
	atomic_t target_resets;
};

extern struct slocal_stats slocal_stats;

int slocal_host_init(void);
void slocal_host_exit(void);
struct slocal_session *slocal_host_alloc(void);
int slocal_host_add(struct slocal_session *s);
/* Find new LUNs. Context: process, sleeps until the LUNs have answered. */
void slocal_host_scan(struct Scsi_Host *shost);
/* The same after removing the disks whose LUN is gone. */
void slocal_host_rescan(struct Scsi_Host *shost);
void slocal_send_response(struct scst_cmd *cmd);
void slocal_release(struct scst_cmd *cmd);
void slocal_tmf_done(struct scst_tmf *tmf);

#endif
