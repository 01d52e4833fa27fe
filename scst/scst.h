/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The core's interface to transports (target ports) and handlers (backends).
 *
 * A transport hands commands over with scst_cmd_submit() and moves data when
 * told. A handler does the medium I/O of a logical unit. Everything between,
 * SCSI in short, is the core's. Neither includes internal.h, nor one another.
 *
 * doc/command-life.md draws a command's way through this interface.
 */
#ifndef SCST_H
#define SCST_H

#include <linux/kobject.h>
#include <linux/llist.h>
#include <linux/module.h>
#include <linux/percpu-refcount.h>
#include <linux/scatterlist.h>
#include <linux/sysfs.h>
#include <linux/types.h>
#include <linux/workqueue.h>

#include "proto/cdb.h"
#include "proto/inquiry.h"
#include "proto/mgmt.h"
#include "proto/mode.h"
#include "proto/sense.h"
#include "proto/text.h"

#define SCST_VERSION		"3.11.0"
#define SCST_REVISION		"3110"
#define SCST_NAME_MAX		64	/* device names, characters */

#ifndef SCST_MAX_TGT_DEV_COMMANDS
#define SCST_MAX_TGT_DEV_COMMANDS	64
#endif

struct scst_cmd;
struct scst_tmf;
struct scst_nexus;
struct scst_device;
struct scst_target;
struct scst_session;

/* ---- commands -------------------------------------------------------- */

/* Task attributes by SAM-5; SRP uses the same codes except for UNTAGGED. */
enum scst_task_attr {
	SCST_TASK_SIMPLE	= 0,
	SCST_TASK_HEAD_OF_QUEUE	= 1,
	SCST_TASK_ORDERED	= 2,
	SCST_TASK_ACA		= 4,
};

/*
 * The states of a command, in the order in which it passes them. cmd.c is the
 * only writer of cmd->state.
 */
enum scst_cmd_state {
	SCST_CMD_NEW,		/* transport: filled in, session reference held */
	SCST_CMD_PARSED,	/* core: LUN found, CDB decoded */
	SCST_CMD_WAIT_DATA,	/* transport: fetching Data-Out */
	SCST_CMD_QUEUED,	/* core: in the task set, dormant or on its way to a thread */
	SCST_CMD_EXEC,		/* device server or handler */
	SCST_CMD_DONE,		/* core: status, sense and residual settled */
	SCST_CMD_SENDING,	/* transport: response on its way */
};

/* Bits of cmd->flags (atomic: an abort comes from anywhere). */
enum {
	SCST_CMDF_ABORTED,	/* nothing new may be started for it */
	SCST_CMDF_TASK_ABORTED,	/* ... and TASK ABORTED is to be sent (TAS, other nexus) */
	SCST_CMDF_ENABLED,	/* task set: may start (SAM-5: enabled task) */
	SCST_CMDF_DORMANT,	/* ready, but others come first */
};

/**
 * struct scst_cmd - one SCSI command
 *
 * Embedded in the transport's preallocated request, zeroed or prepared by
 * scst_cmd_init(). The transport fills the first block before scst_cmd_submit()
 * and must leave the whole alone until ->release().
 *
 * @tag: I_T nexus wide tag, for ABORT TASK
 * @lun: logical unit number as received
 * @cdb: CDB bytes; @cdb_len of them are valid
 * @cdb_len: see @cdb
 * @task_attr: enum scst_task_attr
 * @expected_dir: direction of the transport's data buffer
 * @expected_len: its length in bytes
 * @sgl: data buffer. Transports with ->own_buffers set it before submitting; for others
 *	the core allocates it before ->fetch_data_out(), or before execution for Data-In.
 * @sg_nents: entries of @sgl
 * @data_len: bytes of the data phase: the smaller of what the CDB and the transport say.
 *	Data-Out: what is to be fetched. Data-In, at ->send_response(): what is to be sent.
 * @status: SAM status
 * @sense_len: bytes of @sense, 0 if there is none
 * @resid: bytes not transferred (> 0, underflow) or not transferable (< 0, overflow)
 * @cdb_info: the decoded CDB
 * @sess: I_T nexus
 * @nexus: I_T_L nexus; NULL if the LUN does not exist
 * @sense: sense data
 *
 * The rest is the core's.
 */
struct scst_cmd {
	u64 tag;
	u8 lun[8];
	u8 cdb[SCST_CDB_MAX];
	u8 cdb_len;
	u8 task_attr;
	u8 expected_dir;
	u8 status;
	u8 sense_len;
	u8 state;
	u32 expected_len;
	struct scatterlist *sgl;
	unsigned int sg_nents;
	u32 data_len;
	s64 resid;
	struct scst_cdb cdb_info;
	struct scst_session *sess;
	struct scst_nexus *nexus;

	unsigned long flags;
	struct list_head task;		/* scst_taskset.tasks, under its lock */
	struct list_head wait;		/* scst_device.atomic_waiters */
	struct llist_node work;		/* thread queue */
	union {
		u64 sense_info;		/* INFORMATION field, if has_sense_info */
		scst_sense_t ua;	/* REQUEST SENSE: the unit attention that it returns */
	};
	unsigned long start;		/* jiffies at submission, for trace_cmds */
	u8 order;			/* enum scst_order */
	bool may_sleep;			/* the submitter's context may */
	bool checked;			/* check.c has let it pass */
	bool has_sense_info;
	u8 own_buf;			/* enum scst_buf_kind: who frees sgl */
	struct scatterlist inline_sg[2];
	u8 sense[SCST_SENSE_MAX];
};

/**
 * scst_cmd_init() - prepare a command and take its session reference
 * @cmd: command, contents undefined
 * @sess: I_T nexus on which it arrived
 *
 * Context: any.
 * Return: false if the session is being torn down; the command must be dropped then.
 */
bool scst_cmd_init(struct scst_cmd *cmd, struct scst_session *sess);

/**
 * scst_cmd_submit() - hand a command to the core
 * @cmd: command, initialised by scst_cmd_init() and filled in
 * @may_sleep: the caller's context may sleep
 *
 * The command may already be gone when this returns. Exactly one ->release() follows, with
 * at most one ->fetch_data_out() and at most one ->send_response() before it.
 *
 * Context: any.
 */
void scst_cmd_submit(struct scst_cmd *cmd, bool may_sleep);

/**
 * scst_cmd_data_done() - Data-Out has arrived, or will not
 * @cmd: command for which ->fetch_data_out() returned 0
 * @err: SCST_OK, or why the data is missing
 *
 * Context: any.
 */
void scst_cmd_data_done(struct scst_cmd *cmd, scst_sense_t err);

/**
 * scst_cmd_sent() - the response has left, or cannot be sent any more
 * @cmd: command for which ->send_response() was called
 *
 * Ends in ->release(). Context: any.
 */
void scst_cmd_sent(struct scst_cmd *cmd);

/**
 * scst_cmd_done() - a handler has finished a command
 * @cmd: command that ->rw() took
 * @err: 0 or -errno of the medium
 * @done: bytes that were transferred before the error; names the failing LBA
 *
 * Context: any, hard interrupt included.
 */
void scst_cmd_done(struct scst_cmd *cmd, int err, u32 done);

/* True once nothing may be sent for the command; a transport may look before it works. */
static inline bool scst_cmd_aborted(const struct scst_cmd *cmd)
{
	return test_bit(SCST_CMDF_ABORTED, &cmd->flags);
}

/* Device of a command under execution. */
struct scst_device *scst_cmd_device(const struct scst_cmd *cmd);

/* ---- task management ------------------------------------------------- */

enum scst_tmf_fn {
	SCST_TMF_ABORT_TASK,
	SCST_TMF_ABORT_TASK_SET,
	SCST_TMF_CLEAR_TASK_SET,
	SCST_TMF_LUN_RESET,
	SCST_TMF_TARGET_RESET,
	SCST_TMF_CLEAR_ACA,
};

enum scst_tmf_result {
	SCST_TMF_COMPLETE,
	SCST_TMF_NO_TASK,	/* ABORT TASK: no such task (any more) */
	SCST_TMF_NO_LUN,
	SCST_TMF_REJECTED,
};

/**
 * struct scst_tmf - one task management function, embedded in the transport's request
 * @sess: I_T nexus
 * @fn: what to do
 * @lun: LUN as received
 * @tag: ABORT TASK: which command
 * @result: set before ->tmf_done()
 * @work: the core's
 */
struct scst_tmf {
	struct scst_session *sess;
	enum scst_tmf_fn fn;
	u8 lun[8];
	u64 tag;
	enum scst_tmf_result result;
	struct work_struct work;
};

/**
 * scst_tmf_submit() - start a task management function
 * @tmf: function with @sess, @fn, @lun and @tag filled in
 *
 * ->tmf_done() follows in process context, when the last affected command has been released.
 *
 * Context: any.
 * Return: false if the session is being torn down; ->tmf_done() does not follow then.
 */
bool scst_tmf_submit(struct scst_tmf *tmf);

/* ---- transports ------------------------------------------------------ */

/**
 * struct scst_transport_ops - what a transport provides
 * @owner: module
 * @name: directory below targets/
 * @own_buffers: commands come with their data buffer; nothing is fetched
 * @sg_tablesize: value of the target attribute of that name
 * @transport_version: SCSI transport version descriptor (SPC-4 table 142)
 * @protocol: SPC protocol identifier
 * @target_params: comma separated creation parameters for the mgmt help text, or NULL
 * @mgmt_help: further lines of the mgmt help text, or NULL
 * @driver_groups: attributes of the driver directory, NULL terminated, or NULL
 * @target_groups: attributes of each target directory, or NULL
 * @session_groups: attributes of each session directory, or NULL
 * @fetch_data_out: fetch cmd->data_len bytes into cmd->sgl, then scst_cmd_data_done(). Called in
 *	the context of scst_cmd_submit(). A non-zero return refuses the command with BUSY, and
 *	scst_cmd_data_done() must not be called. NULL with @own_buffers.
 * @map_data_in: cmd->sgl is allocated for a READ whose response may be sent from interrupt
 *	context: prepare what would sleep. Context of scst_cmd_submit(). May be NULL.
 * @send_response: send cmd->data_len bytes of cmd->sgl if the command is Data-In, then status,
 *	sense and residual; then scst_cmd_sent(). Any context, but with Data-In to send that
 *	@map_data_in has not prepared only process context, if the transport has @map_data_in.
 * @release: the command is over and the core does not know it any more; with or without a
 *	response (aborted). Any context, must not sleep.
 * @tmf_done: tmf->result is set; the core does not know the function any more afterwards.
 *	Process context, may sleep.
 * @enable_target: make a target reachable or unreachable; when disabling returns, its sessions
 *	are gone. Process context, no core lock held. NULL if targets are always enabled.
 * @add_target: mgmt "add_target": create the target (scst_target_create()). NULL without mgmt.
 * @del_target: mgmt "del_target": close its sessions, scst_target_destroy(). NULL without mgmt.
 *	Fails only if the target is being destroyed already.
 * @mgmt_command: other words of the driver's mgmt file; -EINVAL for those unknown. May be NULL.
 * @close_session: force_close was written: start closing, do not wait. NULL without support.
 * @luns_changed: the LUN map of a session, or the capacity or identity of one of its LUNs,
 *	changed and the transport can tell its initiator (asynchronous event). Any context,
 *	must not sleep. NULL: a unit attention is queued instead.
 */
struct scst_transport_ops {
	struct module *owner;
	const char *name;
	bool own_buffers;
	unsigned int sg_tablesize;
	u16 transport_version;
	u8 protocol;
	const char *target_params;
	const char *mgmt_help;
	const struct attribute_group **driver_groups;
	const struct attribute_group **target_groups;
	const struct attribute_group **session_groups;

	int (*fetch_data_out)(struct scst_cmd *cmd);
	int (*map_data_in)(struct scst_cmd *cmd);
	void (*send_response)(struct scst_cmd *cmd);
	void (*release)(struct scst_cmd *cmd);
	void (*tmf_done)(struct scst_tmf *tmf);
	int (*enable_target)(struct scst_target *tgt, bool enable);
	int (*add_target)(const char *name, char *params);
	int (*del_target)(struct scst_target *tgt);
	int (*mgmt_command)(const char *verb, char *args);
	void (*close_session)(struct scst_session *sess);
	void (*luns_changed)(struct scst_session *sess);
};

int scst_transport_register(const struct scst_transport_ops *ops);
void scst_transport_unregister(const struct scst_transport_ops *ops);

/**
 * scst_target_create() - publish a target port
 * @ops: registered transport
 * @name: name in sysfs and scst.conf
 * @priv: the transport's own, scst_target_priv()
 *
 * Context: process context, may sleep; takes scst_mutex.
 * Return: the target, or an ERR_PTR: -EEXIST, -ENOMEM, -EINVAL (name).
 */
struct scst_target *scst_target_create(const struct scst_transport_ops *ops, const char *name,
				       void *priv);

/**
 * scst_target_destroy() - remove a target port with its LUN maps and groups
 * @tgt: target; all its sessions are already destroyed
 *
 * Context: process context, may sleep; takes scst_mutex.
 */
void scst_target_destroy(struct scst_target *tgt);

void *scst_target_priv(const struct scst_target *tgt);
const char *scst_target_name(const struct scst_target *tgt);
bool scst_target_enabled(const struct scst_target *tgt);
struct kobject *scst_target_kobj(struct scst_target *tgt);
/* Version descriptors of INQUIRY, if they differ from those of the ops. 0: none. */
void scst_target_set_versions(struct scst_target *tgt, u16 transport, u16 phys);
/* For attributes of ->target_groups: the target whose directory @kobj is. */
struct scst_target *scst_target_of_kobj(struct kobject *kobj);
/* Target by name with a reference, or NULL; scst_target_put() afterwards. */
struct scst_target *scst_target_get_by_name(const struct scst_transport_ops *ops, const char *name);
void scst_target_put(struct scst_target *tgt);

/**
 * scst_session_create() - an I_T nexus comes into being
 * @tgt: target port
 * @initiator_name: name for access control and the session directory
 * @transport_id: TransportID (SPC-4 7.6.4), or NULL
 * @transport_id_len: its length
 * @priv: the transport's own, scst_session_priv()
 *
 * Chooses the LUN map, creates an I_T_L nexus for each LUN and the session directory. Commands
 * may be submitted as soon as it returns.
 *
 * Context: process context, may sleep; takes scst_mutex.
 * Return: the session, or an ERR_PTR: -ENOMEM, -ENOENT (target is being destroyed).
 */
struct scst_session *scst_session_create(struct scst_target *tgt, const char *initiator_name,
					 const u8 *transport_id, unsigned int transport_id_len,
					 void *priv);

/**
 * scst_session_destroy() - an I_T nexus ends
 * @sess: session. The transport submits nothing any more, or has its submissions refused.
 *
 * Aborts its commands and waits until each has been released and each task management function
 * has been answered; then the directory goes. The transport has to make sure that every command
 * in its hands (WAIT_DATA, SENDING) comes back.
 *
 * Context: process context, may sleep; takes scst_mutex but not while waiting.
 */
void scst_session_destroy(struct scst_session *sess);

void *scst_session_priv(const struct scst_session *sess);
struct scst_target *scst_session_target(const struct scst_session *sess);
const char *scst_session_initiator(const struct scst_session *sess);
struct kobject *scst_session_kobj(struct scst_session *sess);
struct scst_session *scst_session_of_kobj(struct kobject *kobj);
/* Number of LUNs that the session sees; @lun is set to the lowest one, if there is one. */
unsigned int scst_session_luns(struct scst_session *sess, unsigned int *lun);
/* Smallest max_tgt_dev_commands of all devices, or @none if there is no device. */
unsigned int scst_min_queue_depth(unsigned int none);

/* ---- handlers -------------------------------------------------------- */

/**
 * struct scst_io - medium I/O that is done when the call returns
 * @write: direction
 * @fua: data must be stable before returning
 * @nowait: fail with -EAGAIN instead of blocking (dev->p.nowait)
 * @pos: byte position on the medium
 * @len: bytes
 * @sgl: data
 * @nents: entries of @sgl
 * @done: set by the handler: bytes transferred before an error
 */
struct scst_io {
	bool write;
	bool fua;
	bool nowait;
	loff_t pos;
	u32 len;
	struct scatterlist *sgl;
	unsigned int nents;
	u32 done;
};

/* Common device attributes and creation parameters that a handler has (sysfs.md 5, 6.2). */
enum {
	SCST_DEV_FILENAME	= BIT(0),
	SCST_DEV_BLOCKSIZE	= BIT(1),
	SCST_DEV_READ_ONLY	= BIT(2),
	SCST_DEV_WRITE_CACHE	= BIT(3),	/* write_through, nv_cache */
	SCST_DEV_ROTATIONAL	= BIT(4),
	SCST_DEV_THIN		= BIT(5),
	SCST_DEV_REMOVABLE	= BIT(6),
	SCST_DEV_ACTIVE		= BIT(7),	/* active, resync_size, sync, ... */
	SCST_DEV_SIZE_RW	= BIT(8),	/* size and size_mb may be written */
	SCST_DEV_SIZE_PARAM	= BIT(9),	/* ... and given at creation */
	SCST_DEV_CLUSTER	= BIT(10),
	SCST_DEV_BIND_ALUA	= BIT(11),	/* bind_alua_state is 1 by default */
};

/* Properties of a handler. */
enum {
	SCST_HANDLER_INLINE	= BIT(0),	/* ->rw() never blocks: runs where the command is */
	SCST_HANDLER_IRQ_DONE	= BIT(1),	/* ->rw() may finish in interrupt context */
	SCST_HANDLER_NO_DATA	= BIT(2),	/* Data-In carries nothing: zeroes are sent */
};

/**
 * struct scst_handler_ops - what a handler provides
 * @owner: module
 * @name: directory below handlers/
 * @type: peripheral device type
 * @flags: SCST_HANDLER_*
 * @dev_attrs: SCST_DEV_*
 * @vendor: default T10 vendor identification
 * @params: comma separated names of the handler's own creation parameters, or NULL; the common
 *	ones of @dev_attrs are added by the core
 * @threads_num: default of the device attribute
 * @block_shift: default log2 of the logical block length
 * @dev_groups: attributes of the handler's own, or NULL
 * @create: allocate dev->priv, set defaults that differ from the core's. May be NULL.
 * @set_param: take a creation parameter that the core does not know: 0, -EINVAL (unknown or bad
 *	value). May be NULL.
 * @open: parameters are complete and checked: open the backing store, set dev->size_bytes and what
 *	the store decides (thin, lbprz, limits). Also after "active 1". Process context, no core
 *	lock is held; commands do not run.
 * @close: counterpart of @open; no command runs. May be NULL.
 * @destroy: counterpart of @create. May be NULL.
 * @resize: return the present size of the backing store in @bytes, or take the wanted size that
 *	the administrator wrote in *@bytes if @set. NULL if there is nothing to ask (nullio).
 * @rw: start a READ or WRITE of cmd->data_len bytes at scst_cmd_pos(); then scst_cmd_done(), once.
 *	NULL: the core calls @io in a handler thread.
 * @io: transfer and wait: 0 or -errno. Process context.
 * @flush: make a range stable: 0 or -errno. @len 0 means to the end. Process context.
 * @unmap: give a range back; reads as zeroes afterwards if lbprz. 0 or -errno. Process context.
 *	NULL if thin provisioning is never offered.
 *
 * Every -errno becomes sense data in one place (scst_errno_sense()): -ENOSPC and -EDQUOT DATA
 * PROTECT, -EIO and others MEDIUM ERROR, -ENOMEM and -EAGAIN BUSY, -EROFS DATA PROTECT.
 */
struct scst_handler_ops {
	struct module *owner;
	const char *name;
	u8 type;
	u32 flags;
	u32 dev_attrs;
	const char *vendor;
	const char *params;
	int threads_num;
	u8 block_shift;
	const struct attribute_group **dev_groups;

	int (*create)(struct scst_device *dev);
	int (*set_param)(struct scst_device *dev, const char *name, const char *value);
	int (*open)(struct scst_device *dev);
	void (*close)(struct scst_device *dev);
	void (*destroy)(struct scst_device *dev);
	int (*resize)(struct scst_device *dev, u64 *bytes, bool set);
	void (*rw)(struct scst_cmd *cmd);
	int (*io)(struct scst_device *dev, struct scst_io *io);
	int (*flush)(struct scst_device *dev, loff_t pos, loff_t len);
	int (*unmap)(struct scst_device *dev, loff_t pos, loff_t len);
};

int scst_handler_register(const struct scst_handler_ops *ops);
/* Removes all devices of the handler, waiting for their commands. */
void scst_handler_unregister(const struct scst_handler_ops *ops);

/**
 * struct scst_device_params - what the administrator and the backing store say of a device
 *
 * Common to all virtual handlers. Written at creation, in ->open() and under the device's
 * configuration lock; read anywhere.
 *
 * @filename: backing path, NULL if none
 * @size_bytes: usable size; the core rounds it down to whole blocks
 * @block_shift: log2 of the logical block length
 * @phys_block_shift: log2 of the physical block length
 * @read_only: administrator's choice, or the backing store's
 * @write_through: no volatile cache
 * @nv_cache: the cache is safe: flushes are not needed
 * @thin: UNMAP is offered
 * @thin_set: ... because the administrator said so (or said not)
 * @lbprz: unmapped blocks read as zeroes
 * @removable: RMB
 * @rotational: medium rotates
 * @dummy: INQUIRY answers "not connected"
 * @active: backing store is open (wanted open at creation)
 * @lb_per_pb_exp: report the physical block exponent
 * @nowait: ->io() can be asked not to block
 * @atomic_read: ... and then does not sleep at all when it reads; task context nevertheless
 * @size_set: @size_bytes was given by the administrator
 * @max_unmap_blocks: limit for UNMAP
 * @unmap_granularity: blocks
 * @unmap_alignment: blocks
 * @opt_trans_len: bytes
 * @max_io_bytes: largest transfer that the handler takes in one command
 */
struct scst_device_params {
	char *filename;
	u64 size_bytes;
	u8 block_shift;
	u8 phys_block_shift;
	bool read_only;
	bool write_through;
	bool nv_cache;
	bool thin;
	bool thin_set;
	bool lbprz;
	bool removable;
	bool rotational;
	bool dummy;
	bool active;
	bool lb_per_pb_exp;
	bool nowait;
	bool atomic_read;
	bool size_set;
	u32 max_unmap_blocks;
	u32 unmap_granularity;
	u32 unmap_alignment;
	u32 opt_trans_len;
	u32 max_io_bytes;
};

/* The parts of a device that handlers see. */
const char *scst_device_name(const struct scst_device *dev);
struct scst_device_params *scst_device_params(struct scst_device *dev);
void *scst_device_priv(const struct scst_device *dev);
void scst_device_set_priv(struct scst_device *dev, void *priv);
struct scst_device *scst_device_of_kobj(struct kobject *kobj);

/**
 * scst_device_data_lost() - data that was accepted could not be written
 * @dev: device
 * @err: -errno of the backing store
 *
 * For what no command reports as its own error: each nexus will be told.
 *
 * Context: any.
 */
void scst_device_data_lost(struct scst_device *dev, int err);

/* Byte position of a READ or WRITE on the medium. */
loff_t scst_cmd_pos(const struct scst_cmd *cmd);
/* Must the written data be stable before GOOD: FUA, or no write cache; not with nv_cache. */
bool scst_cmd_fua(const struct scst_cmd *cmd);

#endif
