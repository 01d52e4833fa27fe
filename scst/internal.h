/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared between the files of scst.ko only.
 *
 * Lock order, outermost first:
 *
 *   dev->open_lock		(mutex) opening, closing, resizing the backing store
 *     scst_mutex		configuration: every list and name that sysfs shows
 *       dev->state_lock	(spin, irq) mode pages, reservation, path, nexus list
 *         ts->lock		(spin, irq) task set: list of commands, order
 *       nexus->ua_lock		(spin, irq) unit attention queue
 *       pool->lock		(spin) handler thread queue; threads only, no interrupts
 *
 * The I/O path takes ts->lock, and pool->lock for commands that run in threads;
 * ua_lock and state_lock only when one of nexus->except is set or the command
 * itself works on that state.
 *
 * A dead object stays on its list, so that its name is taken, until its
 * directory is gone.
 *
 * scst_mutex is never held while waiting for a command, a thread, a transport
 * or a kobject's users: objects are unlinked under it and torn down after it
 * is released ("unlink" and "reap" functions). So an attribute may take
 * scst_mutex although kobject_del() waits for running attributes. Those of
 * sessions/<s>/lun<N> must not: that directory comes and goes under the mutex.
 *
 * Lifetime:
 *   session	percpu_ref: one for existing, one per command and per task management function
 *   nexus	percpu_ref: one for being mapped, one per command; found under RCU
 *   device	percpu_ref: one for existing, one per nexus and per LUN
 *   pool	kref: one per nexus, one of a device with a shared pool
 *   target, LUN, group, device: a kobject too, for those who hold sysfs files open
 */
#ifndef SCST_INTERNAL_H
#define SCST_INTERNAL_H

#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/errseq.h>
#include <linux/kobject.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/percpu_counter.h>
#include <linux/rcupdate.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/xarray.h>

#include "scst.h"
#include "proto/lun_addr.h"
#include "proto/param_list.h"

#define SCST_LUN_NONE	UINT_MAX

extern struct mutex scst_mutex;
/* Lists that scst_mutex protects. */
extern struct list_head scst_transports;	/* scst_transport.entry */
extern struct list_head scst_handlers;		/* scst_handler.entry */
extern struct list_head scst_devices;		/* scst_device.entry */
extern struct workqueue_struct *scst_wq;	/* task management, teardown */
extern struct workqueue_struct *scst_spawn_wq;	/* creation of handler threads */
extern struct workqueue_struct *scst_flush_wq;	/* SYNCHRONIZE CACHE with IMMED */

/* Root attributes. */
struct scst_settings {
	u32 setup_id;
	unsigned int threads;		/* pool of devices with threads_num 0 */
	unsigned int max_tasklet_cmd;
	unsigned int poll_us;
	bool measure_latency;
	bool async_lun_replace;
	bool force_global_sgv_pool;
	char cluster_name[64];
};

extern struct scst_settings scst_settings;
extern unsigned int scst_threads_param;		/* module parameters, main.c */
extern bool scst_forcibly_close_sessions;

/* ---- registries ------------------------------------------------------ */

struct scst_transport {
	const struct scst_transport_ops *ops;
	struct kobject kobj;		/* targets/<name> */
	struct list_head entry;
	struct list_head targets;	/* scst_target.entry */
	bool dead;
};

struct scst_handler {
	const struct scst_handler_ops *ops;
	struct kobject kobj;		/* handlers/<name> */
	struct list_head entry;
	bool dead;
};

/* ---- task set (taskset.c) -------------------------------------------- */

/*
 * The tasks of one I_T_L nexus (TST 1) or of one logical unit (TST 0), in order
 * of arrival; HEAD OF QUEUE ones at the front. A command is on the list from
 * scst_taskset_enter() until its release, so it is also what ABORT TASK searches
 * and what a task management function waits upon.
 */
struct scst_taskset {
	spinlock_t lock;		/* all of this, and nr_cmds of the nexuses */
	struct list_head tasks;
	unsigned int nr_ordering;	/* ORDERED and HEAD OF QUEUE tasks on the list */
	const struct scst_nexus *aca;	/* faulted nexus during auto contingent allegiance */
	bool aca_task;			/* a task with the ACA attribute is on the list */
	unsigned int nr_dormant;
	unsigned int nr_waiters;	/* someone sleeps on @left */
	wait_queue_head_t left;
};

/* ---- device (device.c) ----------------------------------------------- */

enum scst_pool_type { SCST_POOL_PER_INITIATOR, SCST_POOL_SHARED };

struct scst_pool;

/* Why a command that is about to start has to look twice: bits of scst_device.gate. */
enum {
	SCST_GATE_ATOMIC,	/* an atomic command runs */
	SCST_GATE_CLOSED,	/* the backing store is closed */
};

struct scst_device {
	struct scst_device_params p;
	const struct scst_handler_ops *ops;
	void *priv;
	u64 nblocks;			/* READ_ONCE by the range check */
	errseq_t lost;			/* accepted data that never reached the store (lost.c) */
	struct percpu_counter buf_used;	/* bytes in buffers of its commands */
	struct percpu_ref ref;
	struct completion drained;

	/* state_lock: what initiators change, and who is attached */
	spinlock_t state_lock;
	struct scst_mode mode;
	struct scst_mode mode_saved;
	struct scst_nexus *reserved_by;	/* SPC-2 RESERVE */
	struct list_head nexuses;	/* scst_nexus.dev_entry */
	struct scst_taskset tasks;	/* TST 0 */

	/* COMPARE AND WRITE excludes overlapping commands, see gate.c */
	unsigned long gate;		/* SCST_GATE_*, tested by each command that starts */
	struct mutex atomic_mutex;
	spinlock_t atomic_lock;		/* the two below */
	const struct scst_cmd *atomic;	/* the one that is running, or NULL */
	struct list_head atomic_waiters; /* commands that wait for its end */

	/* scst_mutex */
	struct scst_handler *handler;
	char name[SCST_NAME_MAX + 1];
	struct scst_ids ids;
	unsigned long ids_set;		/* enum scst_id: written by the administrator */
	u32 name_crc;
	unsigned int max_tgt_dev_commands;
	int numa_node_id;
	int threads_num;
	enum scst_pool_type pool_type;
	bool opt_trans_len_set;
	bool expl_alua;
	bool bind_alua_state;
	bool cluster_mode;
	struct list_head entry;
	struct list_head luns;		/* scst_lun.dev_entry */
	unsigned int export_nr;		/* next exported/exportN */
	struct scst_pool *pool;		/* shared, or NULL */
	bool published;			/* complete: found by name */
	bool dead;

	struct mutex open_lock;		/* serialises ->open ->close ->resize */
	struct kobject kobj;
	struct kobject *exported_kobj;
};

enum scst_id {
	SCST_ID_VENDOR, SCST_ID_PRODUCT, SCST_ID_REVISION, SCST_ID_VEND_SPECIFIC, SCST_ID_T10_DEV,
	SCST_ID_USN, SCST_ID_NAA, SCST_ID_EUI64, SCST_ID_SCSI_NAME, SCST_ID_INQ_VENDOR,
};

/* mgmt "add_device": parse, open, publish. Takes scst_mutex. 0 or -errno, logged. */
int scst_device_create(struct scst_handler *handler, const char *name, char *params);
/* mgmt "del_device": takes it out of every LUN map, waits for its commands. */
int scst_device_delete(const char *name);
void scst_handler_delete_devices(struct scst_handler *handler);
int scst_device_param_names(const struct scst_handler_ops *ops, char *buf, size_t room);
struct scst_device *scst_device_find_locked(const char *name);
/* Device attributes; each takes the locks it needs and logs why it refuses. */
int scst_device_set_size(struct scst_device *dev, u64 bytes);	/* size, size_mb */
int scst_device_resync_size(struct scst_device *dev);
int scst_device_set_active(struct scst_device *dev, bool active);
int scst_device_set_filename(struct scst_device *dev, const char *path);
int scst_device_sync(struct scst_device *dev);
int scst_device_set_threads(struct scst_device *dev, int threads_num, enum scst_pool_type type);
int scst_device_set_id(struct scst_device *dev, enum scst_id id, const char *text);
void scst_device_set_mode_locked(struct scst_device *dev, const struct scst_mode *mode);
bool scst_device_default_wce(const struct scst_device *dev);
void scst_set_default_threads(unsigned int threads);
void scst_device_set_queue_depth(struct scst_device *dev, unsigned int depth);

/* Bring nexus->except of all nexuses up to date: read-only, SWP. */
void scst_device_update_except(struct scst_device *dev);
/* @holder lets go of RESERVE, if it is still the holder. */
void scst_reservation_release(struct scst_device *dev, const struct scst_nexus *holder);

/* ---- target, groups, LUNs -------------------------------------------- */

/* A set of LUNs: a target's own, or an initiator group's. */
struct scst_lun_map {
	struct scst_target *tgt;
	struct xarray luns;		/* scst_lun by number; scst_mutex to change, RCU to read */
	struct kobject kobj;		/* luns/ */
};

struct scst_lun {
	unsigned int lun;
	bool read_only;
	struct scst_lun_map *map;
	struct scst_device *dev;
	struct list_head dev_entry;	/* scst_device.luns */
	unsigned int export_nr;
	bool dead;			/* keeps its number until the directory is gone */
	bool unlinked;			/* its directory lacks links, see repair.c */
	struct kobject kobj;		/* luns/<n> */
	struct list_head reap;
};

struct scst_group {
	char *name;
	struct scst_target *tgt;
	struct scst_lun_map map;
	struct list_head entry;		/* scst_target.groups, in order of creation */
	struct list_head initiators;	/* scst_initiator.entry, in order of insertion */
	enum scst_addr_method addr_method;
	int io_grouping_type;
	cpumask_t cpu_mask;
	unsigned int black_hole;
	bool dead;
	struct kobject kobj;		/* ini_groups/<name> */
	struct kobject *initiators_kobj;
	struct rcu_head rcu;
};

struct scst_initiator {
	char *pattern;
	struct scst_group *group;
	struct list_head entry;
	struct list_head reap;
	bool dead;			/* does not match any more; the name is still taken */
	bool burying;
	struct kobj_attribute attr;	/* initiators/<pattern> */
};

struct scst_target {
	const struct scst_transport_ops *ops;
	struct scst_transport *transport;
	char *name;
	void *priv;
	struct list_head entry;		/* scst_transport.targets */
	struct list_head sessions;	/* scst_session.entry */
	struct list_head groups;	/* scst_group.entry */
	struct scst_lun_map map;	/* the default one */
	bool enabled;
	bool deleting;			/* del_target or destroy has begun */
	struct mutex enable_lock;	/* serialises ->enable_target */
	u16 rel_tgt_id;
	bool rel_tgt_id_auto;		/* chosen by us: gives way to a wish */
	enum scst_addr_method addr_method;
	int io_grouping_type;
	cpumask_t cpu_mask;
	unsigned int black_hole;
	bool forward_src;
	bool forward_dst;
	bool aen_disabled;
	u16 transport_version;		/* INQUIRY version descriptors */
	u16 phys_version;
	char *comment;
	struct kobject kobj;
	struct kobject *sessions_kobj;
	struct kobject *groups_kobj;
};

/* Values of io_grouping_type that are not a number. */
enum { SCST_IO_GROUPING_AUTO = 0, SCST_IO_GROUPING_THIS = -1, SCST_IO_GROUPING_NEVER = -2 };

struct scst_target *scst_target_find_locked(struct scst_transport *t, const char *name);
int scst_target_set_enabled(struct scst_target *tgt, bool enable);
int scst_target_set_rel_id(struct scst_target *tgt, unsigned int id);
/* mgmt "del_target": finds, claims and calls ->del_target(). */
int scst_target_delete(struct scst_transport *t, const char *name);

/* mgmt commands of a LUN map; each takes scst_mutex, logs why it refuses. */
int scst_lun_add(struct scst_lun_map *map, const char *dev, unsigned int lun, bool read_only);
int scst_lun_del(struct scst_lun_map *map, unsigned int lun);
/* @read_only < 0: keep the flag of the LUN that is replaced */
int scst_lun_replace(struct scst_lun_map *map, const char *dev, unsigned int lun, int read_only,
		     bool ua);
int scst_lun_clear(struct scst_lun_map *map);

void scst_lun_kill_locked(struct scst_lun *lun, struct list_head *luns, struct list_head *reap);
void scst_luns_bury(struct list_head *luns, struct list_head *reap);

/* mgmt commands of ini_groups and initiators. */
int scst_group_create(struct scst_target *tgt, const char *name);
int scst_group_delete(struct scst_target *tgt, const char *name);
void scst_groups_clear(struct scst_target *tgt);
int scst_initiator_add(struct scst_group *group, const char *pattern);
int scst_initiator_del(struct scst_group *group, const char *pattern);
int scst_initiator_move(struct scst_group *group, const char *pattern, const char *to);
int scst_initiator_clear(struct scst_group *group);

/* Group of a session, or NULL for the target's own LUNs. scst_mutex held. */
struct scst_group *scst_group_match_locked(struct scst_target *tgt, const char *initiator);
/* Re-evaluate every session of a target after patterns changed. */
void scst_group_reassign_locked(struct scst_target *tgt, struct list_head *reap);

/* ---- session and I_T_L nexus ----------------------------------------- */

enum { SCST_IO_READ, SCST_IO_WRITE, SCST_IO_BIDI, SCST_IO_NONE, SCST_IO_UNKNOWN, SCST_IO_NR };

struct scst_stats {
	u64 cmds[SCST_IO_NR];
	u64 bytes[SCST_IO_NR];
	u64 unaligned[SCST_IO_NR];
};

struct scst_session {
	const struct scst_transport_ops *ops;
	struct percpu_ref ref;
	struct xarray nexuses;		/* scst_nexus by LUN; scst_mutex to change, RCU to read */
	struct scst_stats __percpu *stats;
	struct scst_target *tgt;
	char *initiator;		/* name, for access control */
	char *dir_name;			/* by scst_sysfs_session_add(): unique, fit for a file */
	void *priv;
	struct scst_group *group;	/* NULL: the target's own LUNs; scst_mutex */
	struct scst_lun_map *map;	/* of that */
	struct list_head entry;		/* scst_target.sessions */
	struct completion drained;
	u8 *transport_id;
	unsigned int transport_id_len;
	u64 created;			/* ktime_get_real_seconds */
	unsigned long next_absent_msg;	/* jiffies: when to tell again of a missing LUN */
	bool ready;			/* gets unit attentions */
	bool incomplete;		/* lacks LUNs of its map, see repair.c */
	struct scst_stats base;		/* subtracted: what a reset write zeroed */
	struct kobject kobj;
};

/* Exceptional conditions of an I_T_L nexus: the fast path tests the word. */
enum {
	SCST_EXC_UA,		/* unit attention pending */
	SCST_EXC_RESERVED,	/* another nexus holds RESERVE */
	SCST_EXC_READ_ONLY,	/* LUN or device, or SWP */
	SCST_EXC_LOST_READ,	/* a READ or a WRITE is still to report lost data (lost.c) */
	SCST_EXC_LOST_WRITE,
};

/* Unit attentions that can be pending at once: duplicates are not queued (ua.c). */
#define SCST_UA_DEPTH	16

struct scst_nexus {
	unsigned long except;		/* BIT(SCST_EXC_*), atomic bits */
	struct scst_taskset *ts;	/* own_ts, or that of the device (TST 0) */
	struct scst_device *dev;
	struct scst_session *sess;
	struct scst_pool __rcu *pool;	/* threads that execute for it */
	struct percpu_ref ref;
	unsigned int lun;
	bool lun_read_only;
	bool prevent_removal;		/* PREVENT ALLOW MEDIUM REMOVAL; under dev->state_lock */
	unsigned int nr_cmds;		/* in the task set; under ts->lock */
	unsigned int max_cmds;		/* queue depth */
	errseq_t lost_seen;		/* how much of dev->lost it has been told */
	struct scst_taskset own_ts;

	spinlock_t ua_lock;		/* nr_uas, uas */
	u8 nr_uas;
	scst_sense_t uas[SCST_UA_DEPTH];

	unsigned long flushing;		/* bit 0: the work below is queued or runs */
	struct work_struct flush_work;	/* SYNCHRONIZE CACHE with IMMED, sbc.c */
	loff_t flush_pos;
	loff_t flush_len;

	struct list_head dev_entry;	/* scst_device.nexuses, under its state_lock */
	struct list_head reap;
	struct completion drained;
	struct work_struct reap_work;
	struct kobject *kobj;		/* sessions/<s>/lun<N> */
};

/* Nexus of a LUN with a reference, or NULL. RCU inside; any context. */
struct scst_nexus *scst_nexus_get(struct scst_session *sess, unsigned int lun);

static inline void scst_nexus_put(struct scst_nexus *nexus)
{
	percpu_ref_put(&nexus->ref);
}

int scst_nexus_create_locked(struct scst_session *sess, const struct scst_lun *lun,
			     scst_sense_t ua);
/* Unpublish and kill; the nexus goes to @reap, to be passed to scst_nexus_reap(). */
void scst_nexus_unlink_locked(struct scst_session *sess, unsigned int lun, struct list_head *reap);
/* Abort what is left, wait for it here if @wait (without scst_mutex), else in a work; free. */
void scst_nexus_reap(struct list_head *reap, bool wait);
void scst_session_reassign_locked(struct scst_session *sess, struct list_head *reap);
/* Give the session what it lacks of its map, or mark it as incomplete. */
void scst_session_complete_locked(struct scst_session *sess);
void scst_session_stats(struct scst_session *sess, struct scst_stats *out);
void scst_session_reset_stats(struct scst_session *sess, unsigned int which);
unsigned int scst_session_active_cmds(struct scst_session *sess);

/* ---- what is to be done when there is memory (repair.c) ---------------- */

void scst_repair_later_locked(void);
void scst_repair_exit(void);

/* ---- unit attentions (ua.c) ------------------------------------------ */

void scst_ua_queue(struct scst_nexus *nexus, scst_sense_t ua, bool head);
/* For all nexuses of a device but @except (may be NULL). */
void scst_ua_device(struct scst_device *dev, scst_sense_t ua, const struct scst_nexus *except);
/* For all LUNs of a session. */
void scst_ua_session(struct scst_session *sess, scst_sense_t ua);
scst_sense_t scst_ua_take(struct scst_nexus *nexus);
/* Drop 3F/0E from all LUNs of a session: it was delivered on one, or REPORT LUNS was sent. */
void scst_ua_luns_reported(struct scst_session *sess);
/* The LUN set of a session changed: asynchronous event, or 3F/0E on all its LUNs. */
void scst_ua_luns_changed(struct scst_session *sess);
/* A LUN of the session stands for another device. */
void scst_ua_lun_replaced(struct scst_session *sess);

#define SCST_UA_MEDIUM_CHANGED		SCST_UA(0x28, 0x00)
#define SCST_UA_RESET			SCST_UA(0x29, 0x00)
#define SCST_UA_NEXUS_LOSS		SCST_UA(0x29, 0x07)
#define SCST_UA_MODE_CHANGED		SCST_UA(0x2a, 0x01)
#define SCST_UA_CAPACITY_CHANGED	SCST_UA(0x2a, 0x09)
#define SCST_UA_CLEARED_BY_OTHER	SCST_UA(0x2f, 0x00)
#define SCST_UA_SOFT_THRESHOLD		SCST_UA(0x38, 0x07)
#define SCST_UA_INQUIRY_CHANGED		SCST_UA(0x3f, 0x03)
#define SCST_UA_LUNS_CHANGED		SCST_UA(0x3f, 0x0e)

/* ---- commands (cmd.c, check.c, taskset.c, thread.c, buf.c) ------------ */

/* Called where the command stands first in line: checks, then executes or queues. */
void scst_cmd_execute(struct scst_cmd *cmd, bool in_thread);
void scst_cmd_requeue(struct scst_cmd *cmd);
/* Settle status and sense and go on to SENDING; what scst_cmd_done() is for handlers. */
void scst_cmd_complete(struct scst_cmd *cmd, scst_sense_t sense);
scst_sense_t scst_errno_sense(int err, bool write);
bool scst_cmd_naca(const struct scst_cmd *cmd);
/* The same for an error on the medium, @done bytes behind the command's LBA. */
scst_sense_t scst_cmd_medium_error(struct scst_cmd *cmd, int err, bool write, u64 done);

scst_sense_t scst_check(struct scst_cmd *cmd);

/* Data that was accepted and is lost (lost.c). */
int scst_device_flush(struct scst_device *dev, loff_t pos, loff_t len);
scst_sense_t scst_nexus_flush(struct scst_nexus *nexus, loff_t pos, loff_t len);
scst_sense_t scst_lost_check(struct scst_cmd *cmd);
void scst_nexus_untold(struct scst_nexus *nexus);
bool scst_served_inactive(const struct scst_cdb_desc *desc);

/* Which tasks of a task set a task management function affects. */
struct scst_scope {
	const struct scst_session *sess;	/* NULL: any */
	const struct scst_nexus *nexus;		/* NULL: any */
	bool one;				/* only the task with @tag */
	u64 tag;
	const struct scst_cmd *spare;		/* but not this one */
};

void scst_taskset_init(struct scst_taskset *ts);
scst_sense_t scst_taskset_enter(struct scst_cmd *cmd);
/* True if the command may start now; else it is dormant and will be queued to its pool. */
bool scst_taskset_pass(struct scst_cmd *cmd);
void scst_taskset_leave(struct scst_cmd *cmd);
/*
 * Mark the matching tasks aborted and wake dormant ones so that they finish. Tasks of other
 * sessions than @by get TASK ABORTED if @tas. Returns how many matched.
 */
unsigned int scst_taskset_abort(struct scst_taskset *ts, const struct scst_scope *scope,
				const struct scst_session *by, bool tas);
/* Is there a matching task? */
bool scst_taskset_find(struct scst_taskset *ts, const struct scst_scope *scope);
/* Is a matching task that was aborted still there? */
bool scst_taskset_aborting(struct scst_taskset *ts, const struct scst_scope *scope);
void scst_taskset_wait(struct scst_taskset *ts, const struct scst_scope *scope);
/* A command ended with CHECK CONDITION: auto contingent allegiance and QErr. */
void scst_taskset_fault(struct scst_cmd *cmd);
/* End the condition if @nexus faulted (NULL: whoever did); false if it is another's. */
bool scst_taskset_clear_aca(struct scst_taskset *ts, const struct scst_nexus *nexus);

/* Commands that exclude others (gate.c). */
bool scst_gate_overlaps(struct scst_cmd *cmd);
bool scst_gate_hold(struct scst_cmd *cmd);
bool scst_gate_busy(struct scst_device *dev, const struct scst_cmd *atomic);
void scst_atomic_begin(struct scst_cmd *cmd);
void scst_atomic_end(struct scst_cmd *cmd);
int scst_gate_close(struct scst_device *dev);

struct scst_pool *scst_pool_create(const char *name, unsigned int max_threads, int node);
void scst_pool_get(struct scst_pool *pool);
void scst_pool_put(struct scst_pool *pool);
void scst_pool_queue(struct scst_pool *pool, struct scst_cmd *cmd);
/* Space separated thread ids, for sysfs. */
int scst_pool_print_pids(struct scst_pool *pool, char *buf, size_t room);
void scst_pool_set_threads(struct scst_pool *pool, unsigned int max_threads);

int scst_buf_init(void);
void scst_buf_exit(void);
ssize_t scst_buf_print(char *buf);
void scst_buf_reset_stats(void);
int scst_buf_alloc(struct scst_cmd *cmd);
void scst_buf_free(struct scst_cmd *cmd);
/* Let a Data-In buffer consist of the shared zero page (SCST_HANDLER_NO_DATA). */
int scst_buf_zero(struct scst_cmd *cmd);

/* ---- device server (spc.c, sbc.c, mmc.c) ------------------------------ */

/* One per enum scst_op; NULL: not implemented. */
typedef scst_sense_t (*scst_op_fn)(struct scst_cmd *cmd);
extern const scst_op_fn scst_ops[SCST_OP_NR];

#define SCST_MAX_WRITE_SAME	(256U << 20)	/* bytes */
#define SCST_MAX_TRANSFER	(8U << 20)	/* bytes of one command, see VPD page B0 */

bool scst_op_offered(const struct scst_cdb_desc *desc, void *dev);
bool scst_opcode_offered(u8 opcode, struct scst_device *dev);
/* Give @len bytes as Data-In, truncated to what was asked for. */
scst_sense_t scst_cmd_reply(struct scst_cmd *cmd, const void *buf, size_t len);
/* Copy Data-Out into @buf; returns the number of bytes. */
size_t scst_cmd_data_out(struct scst_cmd *cmd, void *buf, size_t room);
/* For a LUN that does not exist: row 2 of the check order. */
scst_sense_t scst_spc_absent(struct scst_cmd *cmd);
scst_sense_t scst_sbc_start_stop(struct scst_cmd *cmd);
scst_sense_t scst_sbc_read_capacity_10(struct scst_cmd *cmd);
scst_sense_t scst_sbc_read_capacity_16(struct scst_cmd *cmd);
scst_sense_t scst_sbc_verify(struct scst_cmd *cmd);
scst_sense_t scst_sbc_write_and_verify(struct scst_cmd *cmd);
scst_sense_t scst_sbc_synchronize_cache(struct scst_cmd *cmd);
void scst_sbc_flush_work(struct work_struct *work);
scst_sense_t scst_sbc_write_same(struct scst_cmd *cmd);
scst_sense_t scst_sbc_unmap(struct scst_cmd *cmd);
scst_sense_t scst_sbc_compare_and_write(struct scst_cmd *cmd);
scst_sense_t scst_sbc_get_lba_status(struct scst_cmd *cmd);
scst_sense_t scst_mmc_read_toc(struct scst_cmd *cmd);

/*
 * Abort the tasks of a scope on all nexuses of a device, without waiting. With @tell, other
 * nexuses that lost tasks get a unit attention, if there is no TAS. Context: any.
 */
void scst_device_abort(struct scst_device *dev, const struct scst_scope *scope,
		       const struct scst_session *by, bool tell);

/* ---- task management (tmf.c) ------------------------------------------ */

/* Reset a logical unit on behalf of @by (NULL: the server itself). */
void scst_lun_reset(struct scst_device *dev, struct scst_session *by);
/* Abort all commands of a nexus that goes, without waiting. */
void scst_nexus_abort(struct scst_nexus *nexus);

/* ---- sysfs ------------------------------------------------------------ */

/*
 * Creation and removal of directories. The _add functions are called with
 * scst_mutex held, the _del functions without it. When an _add function fails,
 * the _del function is to be called as well (but not for initiator and nexus):
 * it may be that attributes are visible already and wait for scst_mutex.
 * A _del function puts the reference with which the kobject was initialised.
 */
int scst_sysfs_init(void);
void scst_sysfs_exit(void);
int scst_sysfs_transport_add(struct scst_transport *t);
void scst_sysfs_transport_del(struct scst_transport *t);
int scst_sysfs_handler_add(struct scst_handler *h);
void scst_sysfs_handler_del(struct scst_handler *h);
int scst_sysfs_target_add(struct scst_target *tgt);
void scst_sysfs_target_del(struct scst_target *tgt);
int scst_sysfs_group_add(struct scst_group *group);
void scst_sysfs_group_del(struct scst_group *group);
int scst_sysfs_initiator_add(struct scst_initiator *ini);
void scst_sysfs_initiator_del(struct scst_initiator *ini);
int scst_sysfs_lun_add(struct scst_lun *lun);
void scst_sysfs_lun_del(struct scst_lun *lun);
/*
 * lun->dev was replaced (lun->export_nr is new): let go of @old, and make the links to the new
 * one, or mark the LUN. Both with scst_mutex held.
 */
void scst_sysfs_lun_replaced(struct scst_lun *lun, struct scst_device *old,
			     unsigned int old_export);
void scst_sysfs_lun_relink(struct scst_lun *lun);
int scst_sysfs_device_add(struct scst_device *dev);
void scst_sysfs_device_del(struct scst_device *dev);
int scst_sysfs_session_add(struct scst_session *sess);
void scst_sysfs_session_del(struct scst_session *sess);
/* The luns link follows a change of group. scst_mutex held. 0 or -ENOMEM. */
int scst_sysfs_session_relink(struct scst_session *sess);
/* Both with scst_mutex held. */
int scst_sysfs_nexus_add(struct scst_nexus *nexus);
void scst_sysfs_nexus_del(struct scst_nexus *nexus);

/* kobj types; release() frees the object. */
void scst_device_free(struct scst_device *dev);
void scst_target_free(struct scst_target *tgt);
void scst_group_free(struct scst_group *group);
void scst_lun_free(struct scst_lun *lun);
void scst_session_free(struct scst_session *sess);

#endif
