// SPDX-License-Identifier: GPL-2.0
/* PERSISTENT RESERVE OUT, SPC-4 6.15, and who may do what (5.13.1). */
#include "pr_state.h"
#include "pr_private.h"
#include "cdb.h"

enum {
	PR_REGISTER		= 0,
	PR_RESERVE		= 1,
	PR_RELEASE		= 2,
	PR_CLEAR		= 3,
	PR_PREEMPT		= 4,
	PR_PREEMPT_AND_ABORT	= 5,
	PR_REGISTER_AND_IGNORE	= 6,
	PR_REGISTER_AND_MOVE	= 7,
};

/* Basic parameter list, 6.15.3. */
#define LIST_LEN		24
#define LIST_KEY		0
#define LIST_SA_KEY		8
#define LIST_FLAGS		20
#define SPEC_I_PT		0x08
#define ALL_TG_PT		0x04
#define APTPL			0x01
#define LIST_TIDS_LEN		24
#define LIST_TIDS		28

/* Parameter list of REGISTER AND MOVE, 6.15.4. */
#define MOVE_FLAGS		17
#define MOVE_UNREG		0x02
#define MOVE_PORT		18
#define MOVE_TID_LEN		20
#define MOVE_TID		24

static u64 request_key(const struct scst_pr_request *req)
{
	return get_unaligned_be64(req->list + LIST_KEY);
}

static u64 request_sa_key(const struct scst_pr_request *req)
{
	return get_unaligned_be64(req->list + LIST_SA_KEY);
}

static u8 request_type(const struct scst_pr_request *req)
{
	return req->cdb[2] & 0x0f;
}

/* A field pointer has 16 bits. */
static scst_sense_t param_at(size_t off)
{
	return SCST_PARAM_FIELD(min_t(size_t, off, U16_MAX));
}

static bool is_sender(const struct scst_pr_request *req, const struct scst_pr_reg *reg)
{
	return reg->rel_tgt_id == req->nexus.rel_tgt_id &&
	       scst_tid_equal(reg->tid, reg->tid_len, req->nexus.tid, req->nexus.tid_len);
}

struct scst_pr_reg *scst_pr_find(const struct scst_pr *pr, const struct scst_pr_nexus *nexus)
{
	struct scst_pr_reg *reg;

	if (!nexus->tid)
		return NULL;
	for (reg = pr->regs; reg < pr->regs + pr->nr; reg++)
		if (reg->rel_tgt_id == nexus->rel_tgt_id &&
		    scst_tid_equal(reg->tid, reg->tid_len, nexus->tid, nexus->tid_len))
			return reg;
	return NULL;
}

bool scst_pr_is_holder(const struct scst_pr *pr, const struct scst_pr_reg *reg)
{
	return scst_pr_is_all(pr->type) || (pr->type != SCST_PR_NONE && reg->holder);
}

/* --- access, SPC-4 table 64 and the flags of the command table --- */

u32 scst_pr_required_flag(const struct scst_pr *pr, const struct scst_pr_nexus *nexus)
{
	const struct scst_pr_reg *reg;

	if (pr->type == SCST_PR_NONE)
		return 0;
	reg = scst_pr_find(pr, nexus);
	if (reg && (scst_pr_is_holder(pr, reg) || scst_pr_is_reg_only(pr->type)))
		return 0;

	switch ((enum scst_pr_type)pr->type) {
	case SCST_PR_WRITE_EXCL:
	case SCST_PR_WRITE_EXCL_REG:
	case SCST_PR_WRITE_EXCL_ALL:
		return SCST_CDB_ALLOW_WR_EX;
	default:
		return SCST_CDB_ALLOW_EX_AC;
	}
}

bool scst_pr_spc2_good(const struct scst_pr *pr, const struct scst_pr_nexus *nexus)
{
	return scst_pr_find(pr, nexus) && !scst_pr_required_flag(pr, nexus);
}

/* --- changes of the state --- */

/* Tell every registrant but the sender. */
static void tell_others(const struct scst_pr *pr, const struct scst_pr_request *req,
			scst_sense_t ua)
{
	const struct scst_pr_reg *reg;

	for (reg = pr->regs; reg < pr->regs + pr->nr; reg++)
		if (!is_sender(req, reg))
			req->unit_attention(reg, ua, req->arg);
}

static void drop_reservation(struct scst_pr *pr)
{
	struct scst_pr_reg *reg;

	for (reg = pr->regs; reg < pr->regs + pr->nr; reg++)
		reg->holder = false;
	pr->type = SCST_PR_NONE;
}

static void take_reservation(struct scst_pr *pr, struct scst_pr_reg *reg, u8 type)
{
	drop_reservation(pr);
	reg->holder = !scst_pr_is_all(type);
	pr->type = type;
}

static void remove_reg(struct scst_pr *pr, struct scst_pr_reg *reg)
{
	pr->nr--;
	memmove(reg, reg + 1, (pr->regs + pr->nr - reg) * sizeof(*reg));
}

/* A registrant that goes takes with it what it holds (5.13.11.2.2). */
static void unregister(struct scst_pr *pr, const struct scst_pr_request *req,
		       struct scst_pr_reg *reg)
{
	bool held = pr->type != SCST_PR_NONE && reg->holder;
	u8 type = pr->type;

	remove_reg(pr, reg);
	if (held || !pr->nr)
		drop_reservation(pr);
	if (held && scst_pr_is_reg_only(type))
		tell_others(pr, req, SCST_UA_PR_RELEASED);
}

/* Register with @key, or replace the key. The caller has checked that there is room. */
static struct scst_pr_reg *set_key(struct scst_pr *pr, const struct scst_pr_nexus *nexus, u64 key)
{
	struct scst_pr_reg *reg = scst_pr_find(pr, nexus);

	if (!reg) {
		reg = scst_pr_append(pr, nexus);
		if (!reg)
			return NULL;
	}
	reg->key = key;
	return reg;
}

/* --- REGISTER, REGISTER AND IGNORE EXISTING KEY --- */

/* The ports that a registration is for: the sender's comes first, and may come again. */
static unsigned int nr_ports(const struct scst_pr_request *req)
{
	return req->list[LIST_FLAGS] & ALL_TG_PT ? 1 + req->nr_ports : 1;
}

static struct scst_pr_nexus nexus_at(const struct scst_pr_request *req, unsigned int i,
				     const u8 *tid, size_t tid_len)
{
	return (struct scst_pr_nexus){
		.tid = tid,
		.tid_len = tid_len,
		.rel_tgt_id = i ? req->ports[i - 1] : req->nexus.rel_tgt_id,
	};
}

/* Has port @i of nr_ports() come before? */
static bool port_again(const struct scst_pr_request *req, unsigned int i)
{
	unsigned int j;

	for (j = 1; i && j < i; j++)
		if (req->ports[j - 1] == req->ports[i - 1])
			return true;
	return i && req->ports[i - 1] == req->nexus.rel_tgt_id;
}

/* How many registrants @tid makes, and how many of them there are already. */
static unsigned int count_new(const struct scst_pr *pr, const struct scst_pr_request *req,
			      const u8 *tid, size_t tid_len, unsigned int *old)
{
	struct scst_pr_nexus nexus;
	unsigned int i, n = 0;

	*old = 0;
	for (i = 0; i < nr_ports(req); i++) {
		if (port_again(req, i))
			continue;
		nexus = nexus_at(req, i, tid, tid_len);
		if (scst_pr_find(pr, &nexus))
			++*old;
		else
			n++;
	}
	return n;
}

static void register_ports(struct scst_pr *pr, const struct scst_pr_request *req,
			   const u8 *tid, size_t tid_len)
{
	struct scst_pr_nexus nexus;
	unsigned int i;

	for (i = 0; i < nr_ports(req); i++) {
		nexus = nexus_at(req, i, tid, tid_len);
		set_key(pr, &nexus, request_sa_key(req));
	}
}

static void unregister_ports(struct scst_pr *pr, const struct scst_pr_request *req)
{
	struct scst_pr_nexus nexus;
	struct scst_pr_reg *reg;
	unsigned int i;

	for (i = 0; i < nr_ports(req); i++) {
		nexus = nexus_at(req, i, req->nexus.tid, req->nexus.tid_len);
		reg = scst_pr_find(pr, &nexus);
		if (reg)
			unregister(pr, req, reg);
	}
}

/* Where the TransportIDs of SPEC_I_PT end; 0 if the list is too short for them. */
static size_t tids_end(const struct scst_pr_request *req)
{
	u32 n;

	if (!(req->list[LIST_FLAGS] & SPEC_I_PT))
		return LIST_TIDS;
	if (req->len < LIST_TIDS)
		return 0;
	n = get_unaligned_be32(req->list + LIST_TIDS_LEN);
	return n <= req->len - LIST_TIDS ? LIST_TIDS + n : 0;
}

/* All of a list can be registered, or none of it is. */
static scst_sense_t check_tids(const struct scst_pr *pr, const struct scst_pr_request *req,
			       size_t end, unsigned int *count)
{
	unsigned int old;
	size_t off, len;

	for (off = LIST_TIDS; off < end; off += len) {
		len = scst_tid_len(req->list + off, end - off);
		if (!len)
			return param_at(off);
		*count += count_new(pr, req, req->list + off, len, &old);
		if (old)
			return param_at(off);
		if (*count > pr->max)
			return SCST_PR_NO_RESOURCES;
	}
	return SCST_OK;
}

static scst_sense_t register_new(struct scst_pr *pr, const struct scst_pr_request *req)
{
	size_t off, len, end = tids_end(req);
	unsigned int count, old;
	scst_sense_t sense;

	if (!end)
		return SCST_PARAM_LIST_LENGTH;
	if (!request_sa_key(req))
		return SCST_OK;

	count = count_new(pr, req, req->nexus.tid, req->nexus.tid_len, &old);
	sense = check_tids(pr, req, end, &count);
	if (sense != SCST_OK)
		return sense;
	if (count > pr->max - pr->nr)
		return SCST_PR_NO_RESOURCES;

	register_ports(pr, req, req->nexus.tid, req->nexus.tid_len);
	for (off = LIST_TIDS; off < end; off += len) {
		len = scst_tid_len(req->list + off, end - off);
		register_ports(pr, req, req->list + off, len);
	}
	pr->aptpl = req->list[LIST_FLAGS] & APTPL;
	pr->generation++;
	return SCST_OK;
}

static scst_sense_t register_again(struct scst_pr *pr, const struct scst_pr_request *req)
{
	const struct scst_pr_nexus *me = &req->nexus;
	unsigned int old;

	if (req->list[LIST_FLAGS] & SPEC_I_PT)
		return SCST_PARAM_FIELD_BIT(LIST_FLAGS, 3);
	if (!request_sa_key(req)) {
		unregister_ports(pr, req);
	} else {
		if (count_new(pr, req, me->tid, me->tid_len, &old) > pr->max - pr->nr)
			return SCST_PR_NO_RESOURCES;
		register_ports(pr, req, me->tid, me->tid_len);
	}
	pr->aptpl = req->list[LIST_FLAGS] & APTPL;
	pr->generation++;
	return SCST_OK;
}

static scst_sense_t do_register(struct scst_pr *pr, const struct scst_pr_request *req,
				struct scst_pr_reg *me, bool ignore_key)
{
	if (!ignore_key && request_key(req) != (me ? me->key : 0))
		return SCST_RESERVATION_CONFLICT;
	return me ? register_again(pr, req) : register_new(pr, req);
}

/* --- RESERVE, RELEASE, CLEAR --- */

static scst_sense_t do_reserve(struct scst_pr *pr, const struct scst_pr_request *req,
			       struct scst_pr_reg *me)
{
	u8 type = request_type(req);

	if (!scst_pr_type_valid(type))
		return SCST_CDB_FIELD_BIT(2, 0);
	if (request_key(req) != me->key)
		return SCST_RESERVATION_CONFLICT;
	if (pr->type == SCST_PR_NONE)
		take_reservation(pr, me, type);
	else if (pr->type != type || !scst_pr_is_holder(pr, me))
		return SCST_RESERVATION_CONFLICT;
	return SCST_OK;
}

static scst_sense_t do_release(struct scst_pr *pr, const struct scst_pr_request *req,
			       struct scst_pr_reg *me)
{
	u8 type = pr->type;

	if (type == SCST_PR_NONE)
		return SCST_OK;
	if (request_key(req) != me->key)
		return SCST_RESERVATION_CONFLICT;
	if (!scst_pr_is_holder(pr, me))
		return SCST_OK;
	if (request_type(req) != type)
		return SCST_PR_INVALID_RELEASE;
	drop_reservation(pr);
	if (scst_pr_is_reg_only(type))
		tell_others(pr, req, SCST_UA_PR_RELEASED);
	return SCST_OK;
}

static scst_sense_t do_clear(struct scst_pr *pr, const struct scst_pr_request *req,
			     struct scst_pr_reg *me)
{
	if (request_key(req) != me->key)
		return SCST_RESERVATION_CONFLICT;
	tell_others(pr, req, SCST_UA_PR_PREEMPTED);
	drop_reservation(pr);
	pr->nr = 0;
	pr->generation++;
	return SCST_OK;
}

/* --- PREEMPT, PREEMPT AND ABORT --- */

static bool key_known(const struct scst_pr *pr, u64 key, bool holders_only)
{
	const struct scst_pr_reg *reg;

	for (reg = pr->regs; reg < pr->regs + pr->nr; reg++)
		if (reg->key == key && (!holders_only || scst_pr_is_holder(pr, reg)))
			return true;
	return false;
}

/*
 * Remove who is registered with @key, all others but the sender if it is 0. The
 * sender itself goes only if @even_me: a key may be its own (5.13.11.2.4).
 */
static void remove_preempted(struct scst_pr *pr, const struct scst_pr_request *req, u64 key,
			     bool even_me, bool abort)
{
	struct scst_pr_reg *reg = pr->regs;
	bool me;

	while (reg < pr->regs + pr->nr) {
		me = is_sender(req, reg);
		if ((key && reg->key != key) || (me && !even_me)) {
			reg++;
			continue;
		}
		if (!me) {
			req->unit_attention(reg, SCST_UA_PR_UNREGISTERED, req->arg);
			if (abort)
				req->abort(reg, req->arg);
		}
		remove_reg(pr, reg);
	}
}

static scst_sense_t do_preempt(struct scst_pr *pr, const struct scst_pr_request *req,
			       struct scst_pr_reg *me, bool abort)
{
	bool all = scst_pr_is_all(pr->type);
	u64 key = request_sa_key(req);
	u8 old_type = pr->type;
	bool holder;

	if (!scst_pr_type_valid(request_type(req)))
		return SCST_CDB_FIELD_BIT(2, 0);
	if (request_key(req) != me->key)
		return SCST_RESERVATION_CONFLICT;
	if (!key && !all)
		return SCST_PARAM_FIELD(LIST_SA_KEY);
	if (key && !key_known(pr, key, false))
		return SCST_RESERVATION_CONFLICT;

	/* With all registrants as holders it takes key 0 to preempt the reservation. */
	holder = all ? !key : key_known(pr, key, true);
	remove_preempted(pr, req, key, !holder, abort);
	if (holder) {
		take_reservation(pr, scst_pr_find(pr, &req->nexus), request_type(req));
		if (pr->type != old_type)
			tell_others(pr, req, SCST_UA_PR_RELEASED);
	} else if (!pr->nr) {
		drop_reservation(pr);
	}
	pr->generation++;
	return SCST_OK;
}

/* --- REGISTER AND MOVE --- */

static bool port_known(const struct scst_pr_request *req, u16 rel_tgt_id)
{
	unsigned int i;

	for (i = 0; i < req->nr_ports; i++)
		if (req->ports[i] == rel_tgt_id)
			return true;
	return rel_tgt_id == req->nexus.rel_tgt_id;
}

/* Who shall hold the reservation; points into the parameter list. */
static scst_sense_t move_target(const struct scst_pr_request *req, struct scst_pr_nexus *to)
{
	const u8 *tid = req->list + MOVE_TID;
	u32 len = get_unaligned_be32(req->list + MOVE_TID_LEN);

	if (len > req->len - MOVE_TID)
		return SCST_PARAM_LIST_LENGTH;
	if (!len || scst_tid_len(tid, len) != len)
		return SCST_PARAM_FIELD(MOVE_TID);
	if (scst_tid_equal(tid, len, req->nexus.tid, req->nexus.tid_len))
		return SCST_PARAM_FIELD(MOVE_TID);
	to->tid = tid;
	to->tid_len = len;
	to->rel_tgt_id = get_unaligned_be16(req->list + MOVE_PORT);
	return port_known(req, to->rel_tgt_id) ? SCST_OK : SCST_PARAM_FIELD(MOVE_PORT);
}

static scst_sense_t do_move(struct scst_pr *pr, const struct scst_pr_request *req,
			    struct scst_pr_reg *me)
{
	struct scst_pr_nexus to;
	scst_sense_t sense;
	struct scst_pr_reg *reg;

	if (request_key(req) != me->key)
		return SCST_RESERVATION_CONFLICT;
	if (pr->type == SCST_PR_NONE)
		return SCST_SENSE(0x5, 0x24, 0x00);
	if (!scst_pr_is_holder(pr, me))
		return SCST_RESERVATION_CONFLICT;
	if (!request_sa_key(req))
		return SCST_CDB_FIELD(LIST_SA_KEY);
	if (scst_pr_is_all(pr->type))
		return SCST_RESERVATION_CONFLICT;
	sense = move_target(req, &to);
	if (sense != SCST_OK)
		return sense;

	reg = set_key(pr, &to, request_sa_key(req));
	if (!reg)
		return SCST_PR_NO_RESOURCES;
	take_reservation(pr, reg, pr->type);
	if (req->list[MOVE_FLAGS] & MOVE_UNREG)
		remove_reg(pr, me);
	pr->aptpl = req->list[MOVE_FLAGS] & APTPL;
	pr->generation++;
	return SCST_OK;
}

/* --- what the service actions have in common --- */

static scst_sense_t check_list(const struct scst_pr_request *req, u8 action)
{
	u8 flags;

	if (req->len < LIST_LEN)
		return SCST_PARAM_LIST_LENGTH;
	if (action == PR_REGISTER_AND_MOVE)
		return SCST_OK;

	flags = req->list[LIST_FLAGS];
	if (flags & SPEC_I_PT && action != PR_REGISTER)
		return SCST_PARAM_FIELD_BIT(LIST_FLAGS, 3);
	if (flags & ALL_TG_PT && action != PR_REGISTER && action != PR_REGISTER_AND_IGNORE)
		return SCST_PARAM_FIELD_BIT(LIST_FLAGS, 2);
	if (!(flags & SPEC_I_PT) && req->len != LIST_LEN)
		return SCST_PARAM_LIST_LENGTH;
	return SCST_OK;
}

scst_sense_t scst_pr_out(struct scst_pr *pr, const struct scst_pr_request *req)
{
	struct scst_pr_reg *me = scst_pr_find(pr, &req->nexus);
	u8 action = req->cdb[1] & 0x1f;
	bool registers = action == PR_REGISTER || action == PR_REGISTER_AND_IGNORE;
	scst_sense_t sense;

	if (!me && !registers)
		return SCST_RESERVATION_CONFLICT;
	if (req->cdb[2] >> 4 && !registers && action != PR_CLEAR)	/* SCOPE */
		return SCST_CDB_FIELD_BIT(2, 4);
	sense = check_list(req, action);
	if (sense != SCST_OK)
		return sense;

	switch (action) {
	case PR_REGISTER:
	case PR_REGISTER_AND_IGNORE:
		return do_register(pr, req, me, action == PR_REGISTER_AND_IGNORE);
	case PR_RESERVE:
		return do_reserve(pr, req, me);
	case PR_RELEASE:
		return do_release(pr, req, me);
	case PR_CLEAR:
		return do_clear(pr, req, me);
	case PR_PREEMPT:
	case PR_PREEMPT_AND_ABORT:
		return do_preempt(pr, req, me, action == PR_PREEMPT_AND_ABORT);
	case PR_REGISTER_AND_MOVE:
		return do_move(pr, req, me);
	default:
		return SCST_CDB_FIELD_BIT(1, 0);
	}
}
