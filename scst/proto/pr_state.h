/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Persistent reservations (SPC-4 5.13, 6.14, 6.15) as a state machine: who is
 * registered, who holds the reservation, what each service action makes of
 * that. Locks, files and the nexuses behind the names are the caller's.
 */
#ifndef SCST_PROTO_PR_STATE_H
#define SCST_PROTO_PR_STATE_H

#include "base.h"
#include "sense.h"
#include "transport_id.h"

/* Reservation types, SPC-4 6.14.3.4. */
enum scst_pr_type {
	SCST_PR_NONE			= 0,
	SCST_PR_WRITE_EXCL		= 1,
	SCST_PR_EXCL_ACCESS		= 3,
	SCST_PR_WRITE_EXCL_REG		= 5,	/* registrants only */
	SCST_PR_EXCL_ACCESS_REG		= 6,
	SCST_PR_WRITE_EXCL_ALL		= 7,	/* all registrants */
	SCST_PR_EXCL_ACCESS_ALL		= 8,
};

#define SCST_UA_PR_PREEMPTED		SCST_UA(0x2a, 0x03)	/* RESERVATIONS PREEMPTED */
#define SCST_UA_PR_RELEASED		SCST_UA(0x2a, 0x04)	/* RESERVATIONS RELEASED */
#define SCST_UA_PR_UNREGISTERED		SCST_UA(0x2a, 0x05)	/* REGISTRATIONS PREEMPTED */

#define SCST_PR_INVALID_RELEASE		SCST_SENSE(0x5, 0x26, 0x04)
#define SCST_PR_NO_RESOURCES		SCST_SENSE(0x5, 0x55, 0x04)

/**
 * struct scst_pr_reg - a registrant
 * @key: reservation key, not 0
 * @rel_tgt_id: relative target port identifier
 * @tid_len: length of @tid
 * @holder: holds the reservation; not kept up for the all-registrants types
 * @tid: TransportID; with @rel_tgt_id it is what a registration is tied to
 */
struct scst_pr_reg {
	u64 key;
	u16 rel_tgt_id;
	u16 tid_len;
	bool holder;
	u8 tid[SCST_TID_MAX];
};

/**
 * struct scst_pr - persistent reservation state of a logical unit
 * @regs: registrants, in the order of registration; the caller's memory
 * @nr: how many there are
 * @max: how many fit. SCST_PR_NO_RESOURCES leaves everything unchanged, so the caller
 *	may enlarge @regs and try again.
 * @generation: PRGENERATION
 * @type: enum scst_pr_type, SCST_PR_NONE if nothing is reserved
 * @aptpl: state has to survive a restart
 */
struct scst_pr {
	struct scst_pr_reg *regs;
	unsigned int nr;
	unsigned int max;
	u32 generation;
	u8 type;
	bool aptpl;
};

/* An I_T nexus by the names of its ports. */
struct scst_pr_nexus {
	const u8 *tid;
	size_t tid_len;
	u16 rel_tgt_id;
};

/**
 * struct scst_pr_request - a PERSISTENT RESERVE OUT command and its surroundings
 * @cdb: the CDB
 * @list: parameter list as received
 * @len: bytes received
 * @nexus: the sender
 * @ports: relative identifiers of every target port through which the logical unit can be
 *	reached by the sender's protocol, here and on other nodes (ALL_TG_PT; REGISTER AND
 *	MOVE accepts no others)
 * @nr_ports: how many there are
 * @unit_attention: called for each registrant that is to get a unit attention
 * @abort: called for each registrant whose commands are to be aborted
 * @arg: passed to both; a registrant that is removed is passed before that
 */
struct scst_pr_request {
	const u8 *cdb;
	const u8 *list;
	size_t len;
	struct scst_pr_nexus nexus;
	const u16 *ports;
	unsigned int nr_ports;
	void (*unit_attention)(const struct scst_pr_reg *reg, scst_sense_t ua, void *arg);
	void (*abort)(const struct scst_pr_reg *reg, void *arg);
	void *arg;
};

/**
 * scst_pr_out() - execute PERSISTENT RESERVE OUT
 * @pr: state; changed only if SCST_OK is returned
 * @req: the command
 *
 * On success the state has to be saved if @pr->aptpl is set and there are registrants,
 * else what was saved has to be removed.
 *
 * Return: SCST_OK, SCST_RESERVATION_CONFLICT or the sense of the refusal.
 */
scst_sense_t scst_pr_out(struct scst_pr *pr, const struct scst_pr_request *req);

/**
 * scst_pr_in() - build the data of PERSISTENT RESERVE IN
 * @buf: where to build
 * @room: size of @buf
 * @cdb: the CDB
 * @pr: state
 * @needed: length of the complete data; 0 if the allocation length is below 8
 *
 * Return: SCST_OK or 5/24/00 for an unknown service action.
 */
scst_sense_t scst_pr_in(u8 *buf, size_t room, const u8 *cdb, const struct scst_pr *pr,
			size_t *needed);

/* Registration of @nexus, or NULL. */
struct scst_pr_reg *scst_pr_find(const struct scst_pr *pr, const struct scst_pr_nexus *nexus);

/* Does a registrant hold the reservation? With the all-registrants types each of them does. */
bool scst_pr_is_holder(const struct scst_pr *pr, const struct scst_pr_reg *reg);

/**
 * scst_pr_required_flag() - what a command needs to pass the reservation
 * @pr: state
 * @nexus: its sender
 *
 * Changes only with the state, so the caller may keep it per nexus.
 *
 * Return: SCST_CDB_ALLOW_WR_EX or SCST_CDB_ALLOW_EX_AC: a row without that flag ends in
 * RESERVATION CONFLICT. 0: everything passes.
 */
u32 scst_pr_required_flag(const struct scst_pr *pr, const struct scst_pr_nexus *nexus);

/*
 * RESERVE and RELEASE while there are registrants (SPC-4 5.13.3): GOOD without
 * effect for whom this returns true, RESERVATION CONFLICT for others.
 */
bool scst_pr_spc2_good(const struct scst_pr *pr, const struct scst_pr_nexus *nexus);

/*
 * The file that keeps the state over a restart. Saving follows the rule of
 * builders. Loading wants an empty @pr and leaves it empty if the file is not
 * acceptable (-1) or holds more registrants than fit (-2).
 */
size_t scst_pr_save(u8 *buf, size_t room, const struct scst_pr *pr);
int scst_pr_load(struct scst_pr *pr, const u8 *buf, size_t len);

#define SCST_PR_FILE_SIGN	0xbbeeeeaaeebbdd77ULL
#define SCST_PR_FILE_SIGN_LEN	8	/* to be written after the rest */

/*
 * The text of pr_state, the same way; @text is modified. @unknown counts lines
 * that were skipped. Unlike the file it has the generation and not APTPL.
 */
size_t scst_pr_print(char *buf, size_t room, const struct scst_pr *pr);
int scst_pr_parse(struct scst_pr *pr, char *text, unsigned int *unknown);

#endif
