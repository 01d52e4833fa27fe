/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared between the files of ib_srpt.ko.
 *
 *	HCA (srpt_device) -> HCA port = SRP target port (srpt_port, scst_target)
 *		-> RDMA channel (srpt_ch, scst_session) -> request (srpt_req, scst_cmd)
 *
 * Locks, outermost first:
 *
 *	srpt_devices_lock (mutex)	list of devices, the service GUID
 *	  port->mutex			enabled, dead, list of channels
 *	    ch->lock (spin, irq)	state
 *	    ch->sq_lock (spin, irq)	send queue slots and those who wait for them
 *
 * None is held while calling the core or a blocking verb, except port->mutex
 * around what srpt_ch_close() does.
 *
 * doc/srp.md explains channel states, credits and the order of teardown.
 */
#ifndef SRPT_H
#define SRPT_H

#include <linux/completion.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/llist.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <rdma/ib_verbs.h>
#include <rdma/rdma_cm.h>
#include <rdma/rw.h>

#include "scst/scst.h"
#include "proto/iu.h"

#define SRPT_NAME_LEN		40	/* GID or IPv6 address in full, and the NUL */
#define SRPT_PORT_ID_LEN	64
#define SRPT_MAX_CREDITS	128	/* requests that one channel may have outstanding */
#define SRPT_MIN_CREDITS	4	/* initiators keep some back for task management */
#define SRPT_MIN_SQ_SIZE	16
#define SRPT_MAX_SQ_SIZE	16384
#define SRPT_MAX_SGE		16	/* per work request; HCAs may allow less */
#define SRPT_RDMA_DEPTH		4	/* RDMA READs outstanding on one channel */
#define SRPT_MAX_DESCS		4096	/* descriptors of one command */
#define SRPT_INLINE_DESCS	4
#define SRPT_SG_TABLESIZE	65536

/* Module parameters. */
extern unsigned int srpt_max_req_size;
extern unsigned int srpt_max_rsp_size;
extern unsigned int srpt_max_rdma_size;
extern bool srpt_use_srq;
extern unsigned int srpt_srq_size;
extern unsigned int srpt_sq_size;
/* What a remote side cannot push us past (doc/limits.md). */
extern unsigned int srpt_max_channels;		/* of one port */
extern unsigned int srpt_max_connecting;	/* ... that have not been confirmed */
extern unsigned int srpt_max_channel_mem;	/* MiB, all channels together */
extern u16 srpt_rdma_cm_port;
extern u64 srpt_service_guid;

extern const struct scst_transport_ops srpt_ops;
extern struct workqueue_struct *srpt_wq;	/* teardown of channels, listener repair */

/* ---- devices and ports (port.c) -------------------------------------- */

/**
 * struct srpt_port - one HCA port, which is one SRP target port
 * @sdev: its HCA
 * @port_num: number by the HCA
 * @ready: all fields are set
 * @mad_agent: answers device management, or NULL
 * @tgt: the core's target
 * @name: GID 0 at the time of creation
 * @mutex: protects the fields below it
 * @enabled: logins are accepted
 * @dead: the HCA goes away
 * @channels: srpt_ch.entry in order of login
 * @refused: logins refused because of a limit, or for lack of memory
 * @gone: waits for @channels to become empty
 * @port_id: id string of the IOControllerProfile
 * @comp_vectors: completion vectors for new channels
 * @next_vector: where the round robin goes on
 */
struct srpt_port {
	struct srpt_device *sdev;
	u32 port_num;
	bool ready;
	struct ib_mad_agent *mad_agent;
	struct scst_target *tgt;
	char name[SRPT_NAME_LEN];
	struct mutex mutex;		/* see above */
	bool enabled;
	bool dead;
	struct list_head channels;
	atomic_t refused;
	wait_queue_head_t gone;
	char port_id[SRPT_PORT_ID_LEN];
	unsigned long *comp_vectors;
	unsigned int next_vector;
};

/**
 * struct srpt_device - one HCA
 * @ref: the client data, and one per channel
 * @dev: HCA
 * @pd: protection domain of everything here
 * @srq: shared receive queue, or NULL
 * @srq_ring: its buffers, @srq_len of them
 * @srq_len: see there
 * @ib_listener: InfiniBand CM listener, or NULL
 * @entry: in the list of devices
 * @nr_ports: entries of @ports
 * @ports: see struct srpt_port
 */
struct srpt_device {
	struct kref ref;
	struct ib_device *dev;
	struct ib_pd *pd;
	struct ib_srq *srq;
	struct srpt_recv *srq_ring;
	unsigned int srq_len;
	struct ib_cm_id *ib_listener;
	struct list_head entry;
	u32 nr_ports;
	struct srpt_port ports[];
};

int srpt_ports_init(void);
void srpt_ports_exit(void);
/* Port on which a connection arrived, with a reference to its device, or NULL. */
struct srpt_port *srpt_port_get(struct ib_device *dev, u32 port_num);
void srpt_port_put(struct srpt_port *port);
int srpt_port_enable(struct scst_target *tgt, bool enable);
int srpt_port_next_vector(struct srpt_port *port);

/* ---- requests -------------------------------------------------------- */

/* One receive buffer. */
struct srpt_recv {
	struct ib_cqe cqe;
	struct ib_sge sge;
	u8 *buf;
};

/* One rdma_rw context and the piece of data it is for. */
struct srpt_rw {
	struct rdma_rw_ctx ctx;
	struct scatterlist *sg;
	u32 nents;
};

/* What the work requests of a request do that are on the send queue now. */
enum srpt_phase {
	SRPT_IDLE,
	SRPT_FETCH_TABLE,	/* read the descriptor table */
	SRPT_FETCH_DATA,	/* read Data-Out */
	SRPT_PUT_DATA,		/* write a part of Data-In */
	SRPT_SEND,		/* write the rest, send the response */
	SRPT_PROBE,		/* see whether the initiator is there */
};

enum srpt_req_kind {
	SRPT_REQ_CMD,		/* the core's command */
	SRPT_REQ_TMF,		/* a task management function, or answered without the core */
};

/* What the response says. */
enum srpt_answer {
	SRPT_ANSWER_CMD,	/* what the core settled */
	SRPT_ANSWER_BUSY,
	SRPT_ANSWER_BAD_FIELD,	/* CHECK CONDITION, ILLEGAL REQUEST, INVALID FIELD IN CDB */
	SRPT_ANSWER_CODE,	/* req->code, for task management */
};

/**
 * struct srpt_req - one request of an initiator
 * @cmd: the core's part, by @kind
 * @tmf: ... of a task management function
 * @kind: see there
 * @phase: what the completion of @cqe stands for
 * @answer: see there
 * @code: enum srp_rsp_code
 * @responded: a response was handed to the send queue
 * @dma_dir: direction of the data transfer, as the DMA API sees it
 * @ch: channel on which it arrived
 * @tag: from the information unit
 * @credits: returned with the response, taken back if it cannot be sent
 * @cqe: completion of the last work request that is posted
 * @entry: in ch->sq_wait, ch->rw_wait or ch->unposted
 * @free: in ch->free_reqs
 * @all: in ch->reqs
 * @first_wr: chain to be posted
 * @n_wr: its length
 * @rsp: buffer of the response
 * @rsp_sge: the same for the HCA
 * @send_wr: sends it
 * @imm_data: immediate data, while scst_cmd_submit() runs
 * @descs: memory descriptors: @inline_descs, or allocated
 * @nr_descs: how many
 * @table: where they are, as long as @ext_table says that they must be fetched
 * @ext_table: see @table
 * @inline_descs: see @descs
 * @pos: how far the transfer is, see rdma.c
 * @rws: contexts of the posted part: @one_rw, or allocated
 * @nr_rws: how many
 * @rw_wrs: their work requests
 * @one_rw: see @rws
 * @sgs: scatterlist entries cut for @rws, or NULL
 * @one_sg: instead of @sgs, where one is enough
 */
struct srpt_req {
	union {
		struct scst_cmd cmd;
		struct scst_tmf tmf;
	};
	u8 kind;
	u8 phase;
	u8 answer;
	u8 code;
	bool responded;
	u8 dma_dir;
	struct srpt_ch *ch;
	u64 tag;
	u32 credits;
	struct ib_cqe cqe;
	struct list_head entry;
	struct llist_node free;
	struct list_head all;

	const struct ib_send_wr *first_wr;
	unsigned int n_wr;
	u8 *rsp;
	struct ib_sge rsp_sge;
	struct ib_send_wr send_wr;

	const u8 *imm_data;
	u8 *descs;
	u32 nr_descs;
	struct srp_desc table;
	bool ext_table;
	u8 inline_descs[SRPT_INLINE_DESCS * SRP_DESC_LEN];

	struct srpt_pos {
		u32 desc, desc_off;	/* descriptor, bytes of it that are done */
		struct scatterlist *sg;	/* entry of the data buffer, bytes of it that are done */
		u32 sg_off;
		u32 left;		/* bytes that no context was made for yet */
	} pos;
	struct srpt_rw one_rw;
	struct srpt_rw *rws;
	u32 nr_rws;
	u32 rw_wrs;
	struct scatterlist one_sg;
	struct scatterlist *sgs;
};

/* ---- channels (channel.c) --------------------------------------------- */

enum srpt_ch_state {
	SRPT_CH_CONNECTING,	/* the initiator has not confirmed the login */
	SRPT_CH_LIVE,
	SRPT_CH_DISCONNECTING,	/* nothing new is taken; teardown is queued */
	SRPT_CH_DRAINING,	/* the queue pair is in error state, work comes back */
	SRPT_CH_DISCONNECTED,
};

struct srpt_ch;

struct srpt_login_in {
	const u8 *private_data;
	u8 private_data_len;
	bool compact;
};

/**
 * struct srpt_cm_ops - what differs between the connection managers
 * @create_qp: create ch->qp and bring it to INIT. May sleep.
 * @accept: send the login response; from here on requests may arrive. May sleep.
 * @reject: refuse the login with these private data. May sleep.
 * @disconnect: tell the initiator that the channel ends. May sleep, must not wait for the answer.
 * @destroy_qp: free ch->qp. May sleep.
 * @destroy: free the connection; no event is running or follows. May sleep.
 */
struct srpt_cm_ops {
	int (*create_qp)(struct srpt_ch *ch, struct ib_qp_init_attr *attr);
	int (*accept)(struct srpt_ch *ch, const void *rsp, u8 len);
	void (*reject)(struct srpt_ch *ch, const void *rej, u8 len);
	void (*disconnect)(struct srpt_ch *ch);
	void (*destroy_qp)(struct srpt_ch *ch);
	void (*destroy)(struct srpt_ch *ch);
};

/**
 * struct srpt_ch - one RDMA channel, which is one SCST session
 * @port: port; a reference to its device is held
 * @cm: connection manager's functions
 * @cm_id: connection, RDMA/CM
 * @ib_cm_id: connection, IB/CM
 * @pkey: ... and its partition
 * @initiator_depth: RDMA READs that the initiator lets us have outstanding
 * @accepted: a login response was sent
 * @login_done: the login handler is through with the channel
 * @login: the login request, complete before other channels can see this one
 * @login_good: it is one
 * @name: session name
 * @sess: session, NULL until created
 * @qp: queue pair, NULL until created
 * @cq: its completion queue
 * @comp_vector: completion vector of that
 * @entry: in port->channels, under port->mutex
 * @lock: protects @state
 * @state: only srpt_ch_advance() writes it
 * @release_work: the teardown, queued once
 * @credits: size of the receive ring as the initiator sees it
 * @req_lim: credits that the initiator holds
 * @req_lim_delta: credits not handed out yet
 * @max_rdma_size: bytes moved by one work request
 * @max_sge: scatterlist entries of one work request
 * @max_rws: contexts whose work requests certainly fit into the send queue
 * @imm_offset: where immediate data starts, 0 if there is none
 * @rsp_size: size of the response buffers
 * @mem_bytes: what its buffers and requests count against srpt_max_channel_mem
 * @max_rsp_len: longest response
 * @ring: receive buffers, NULL with a shared receive queue
 * @ring_len: number of them
 * @free_reqs: taken from by the completion handler only
 * @reqs: all requests, for freeing; completion handler only
 * @busy: requests in use, and one for the channel itself
 * @idle: @busy became 0
 * @last_wqe: the shared receive queue holds nothing for the queue pair any more
 * @sq_lock: protects the fields below
 * @sq_size: send queue slots
 * @sq_avail: ... that are free
 * @sq_wait: requests that wait for slots, in order
 * @rw_wait: requests that wait for a memory region
 * @unposted: requests whose work could not be posted
 * @drained: the queue pair has nothing in flight
 * @rw_work: takes up @rw_wait; not on srpt_wq, whose works may all be waiting for these requests
 * @heard: jiffies of the last good completion
 * @probe_work: looks after an idle channel
 * @probe: its request, in use if @probing
 * @probe_wr: ... and work request
 * @probing: 0, or since how many intervals @probe is under way
 */
struct srpt_ch {
	struct srpt_port *port;
	const struct srpt_cm_ops *cm;
	struct rdma_cm_id *cm_id;
	struct ib_cm_id *ib_cm_id;
	u16 pkey;
	u8 initiator_depth;
	bool accepted;
	struct completion login_done;
	struct srp_login login;
	bool login_good;
	char name[SRPT_NAME_LEN];
	struct scst_session *sess;
	struct ib_qp *qp;
	struct ib_cq *cq;
	int comp_vector;
	struct list_head entry;

	spinlock_t lock;		/* protects state */
	enum srpt_ch_state state;
	struct work_struct release_work;

	unsigned int credits;
	atomic_t req_lim;
	atomic_t req_lim_delta;
	u32 max_rdma_size;
	u32 max_sge;
	u32 max_rws;
	u32 imm_offset;
	u32 rsp_size;
	u32 max_rsp_len;
	unsigned long mem_bytes;

	struct srpt_recv *ring;
	unsigned int ring_len;
	struct llist_head free_reqs;
	struct list_head reqs;
	atomic_t busy;
	struct completion idle;
	struct completion last_wqe;

	spinlock_t sq_lock;		/* protects what follows */
	unsigned int sq_size;
	unsigned int sq_avail;
	struct list_head sq_wait;
	struct list_head rw_wait;
	struct list_head unposted;
	bool drained;
	struct delayed_work rw_work;

	unsigned long heard;
	struct delayed_work probe_work;
	struct srpt_req *probe;
	struct ib_rdma_wr probe_wr;
	atomic_t probing;
};

struct srpt_ch *srpt_ch_alloc(struct srpt_port *port, const struct srpt_cm_ops *cm,
			      const struct srpt_login_in *in);
int srpt_ch_create_resources(struct srpt_ch *ch);
/* Move forward; false if the channel is there already, or further. Any context. */
bool srpt_ch_advance(struct srpt_ch *ch, enum srpt_ch_state to);
/* Start the teardown, if nobody did. Any context, does not wait. */
void srpt_ch_close(struct srpt_ch *ch);
void srpt_ch_put_busy(struct srpt_ch *ch);
/* Begin to look after a channel that has logged in. */
void srpt_ch_start_probing(struct srpt_ch *ch);
void srpt_ch_probe_done(struct srpt_ch *ch);
const char *srpt_ch_state_name(const struct srpt_ch *ch);

static inline enum srpt_ch_state srpt_ch_state(const struct srpt_ch *ch)
{
	return READ_ONCE(ch->state);
}

static inline struct ib_device *srpt_ch_dev(const struct srpt_ch *ch)
{
	return ch->port->sdev->dev;
}

/* ---- login (login.c, rdma_cm.c, ib_cm.c) ------------------------------ */

/*
 * Take a channel through the login; on failure the request has been rejected and the channel
 * closes. Context: CM event handler; may sleep.
 */
void srpt_login(struct srpt_ch *ch);
/*
 * A login for which there is no channel, because of @err: build the answer and log why the
 * initiator @name is refused.
 */
void srpt_login_rej(const struct srpt_login_in *in, const char *name, int err,
		    u8 rej[SRP_LOGIN_REJ_LEN]);

int srpt_rdma_cm_init(void);
void srpt_rdma_cm_exit(void);

/* InfiniBand CM (ib_cm.c) and device management (mad.c); failures are only logged. */
void srpt_ib_cm_listen(struct srpt_device *sdev);
void srpt_ib_cm_unlisten(struct srpt_device *sdev);
void srpt_mad_start(struct srpt_port *port);
void srpt_mad_stop(struct srpt_port *port);

/* ---- receive rings and requests (ring.c) ------------------------------ */

int srpt_rings_init(void);
void srpt_rings_exit(void);
struct srpt_recv *srpt_ring_alloc(struct srpt_device *sdev, unsigned int len);
void srpt_ring_free(struct srpt_device *sdev, struct srpt_recv *ring, unsigned int len);
/* Give a buffer to the HCA. Any context. */
int srpt_recv_post(struct srpt_device *sdev, struct ib_qp *qp, struct srpt_recv *recv);

/* Count the memory that a channel will take; -ENOBUFS: more than all may have. */
int srpt_ch_charge(struct srpt_ch *ch);
void srpt_ch_uncharge(struct srpt_ch *ch);
int srpt_reqs_alloc(struct srpt_ch *ch);
void srpt_reqs_free(struct srpt_ch *ch);
struct srpt_req *srpt_req_alloc(struct srpt_ch *ch);
/* From the completion handler only. NULL: no memory. */
struct srpt_req *srpt_req_get(struct srpt_ch *ch);
void srpt_req_put(struct srpt_req *req);

/* ---- I/O (io.c) -------------------------------------------------------- */

void srpt_recv_done(struct ib_cq *cq, struct ib_wc *wc);
void srpt_req_wc_done(struct ib_cq *cq, struct ib_wc *wc);
/* What was posted for a request is over, one way or the other. Any context. */
void srpt_req_done(struct srpt_req *req, bool good);
/* A transfer cannot go on; @err is negative. Process context. */
void srpt_xfer_failed(struct srpt_req *req, int err);
/* Post the response, behind what is mapped of Data-In. Any context. */
void srpt_respond(struct srpt_req *req);

int srpt_fetch_data_out(struct scst_cmd *cmd);
int srpt_map_data_in(struct scst_cmd *cmd);
void srpt_send_response(struct scst_cmd *cmd);
void srpt_release(struct scst_cmd *cmd);
void srpt_tmf_done(struct scst_tmf *tmf);

/* ---- data transfer (rdma.c) -------------------------------------------- */

void srpt_xfer_init(struct srpt_req *req, enum dma_data_direction dir);
/* Map the next part, or the descriptor table. @copy: leave cmd->sgl alone. May sleep. */
int srpt_xfer_map(struct srpt_req *req, bool copy);
void srpt_xfer_unmap(struct srpt_req *req);
/* Post what is mapped. Any context. */
void srpt_xfer_post(struct srpt_req *req);
/* Both; waits for memory regions in the background. 0 or -errno. May sleep. */
int srpt_xfer_next(struct srpt_req *req);
/* The descriptor table was fetched: is it good? 0 or -EINVAL. */
int srpt_xfer_table_done(struct srpt_req *req);
void srpt_xfer_retry(struct work_struct *work);

/* The first work request of what is mapped, with @tail behind it or a completion at its end. */
struct ib_send_wr *srpt_xfer_chain(struct srpt_req *req, struct ib_send_wr *tail);
void srpt_post(struct srpt_req *req, const struct ib_send_wr *first, unsigned int n);
void srpt_sq_put(struct srpt_ch *ch, unsigned int n);
/* The queue pair is drained: end those requests whose work could not be posted. */
void srpt_fail_unposted(struct srpt_ch *ch);

/* ---- sysfs (sysfs.c) --------------------------------------------------- */

extern const struct attribute_group *srpt_target_groups[];
extern const struct attribute_group *srpt_session_groups[];

#endif
