/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An SRP initiator of our own, in userspace, that sends any bytes. Nothing of
 * the target's code is used, so that both cannot be wrong in the same way.
 */
#ifndef HOSTILE_H
#define HOSTILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <rdma/rdma_verbs.h>

#define IU_SIZE		16384		/* longest message that we send */
#define RSP_SIZE	512
#define NR_RECVS	256
#define NR_SENDS	64
#define DATA_SIZE	(1 << 20)
#define IMM_OFFSET	80

/* What the user named on the command line. */
struct target {
	const char *addr;
	const char *port;
	uint64_t guid;
};

extern struct target target;

/* Fields of the compact login request. */
struct login {
	uint64_t tag;
	uint16_t buf_fmt;
	uint8_t flags;
	uint8_t opcode;
	uint32_t it_iu_len;
	uint64_t initiator[2];
	uint64_t target[2];
	uint16_t imm_offset;
	uint8_t reserved;	/* all of the reserved bytes at the end */
	uint8_t len;		/* bytes that are sent, LOGIN_LEN at most */
};

#define LOGIN_LEN	56
#define LOGIN_INDEPENDENT	0x01
#define LOGIN_IMM_DATA		0x80

struct conn {
	struct rdma_cm_id *id;
	struct ibv_mr *mr;
	uint8_t *mem;		/* IU, responses, data */
	uint8_t *iu;
	uint8_t *data;
	bool connected;
	unsigned int sends;	/* not completed */
	uint32_t reject;	/* SRP reason, if refused */
	uint8_t login_rsp[52];
	uint8_t rsp[RSP_SIZE];	/* the last response */
	size_t rsp_len;
};

enum { CLOSED = -1, SILENT = -2 };

void login_init(struct login *login);
/* True if accepted; else c->reject is the reason, or 0 if there was none. */
bool conn_open(struct conn *c, const struct login *login);
void conn_close(struct conn *c);
/* Send @len bytes of c->iu. False if the connection is gone. */
bool conn_send(struct conn *c, size_t len);
/* Wait for a message: its length (in c->rsp), CLOSED or SILENT after @seconds. */
int conn_recv(struct conn *c, int seconds);
/* Connect without ever confirming: true if the target accepted. */
bool conn_half_open(const struct login *login);

/* Build an SRP_CMD in c->iu; returns the length so far. */
size_t cmd_init(struct conn *c, uint64_t tag, const uint8_t *cdb, size_t cdb_len, uint8_t fmt);
size_t add_desc(struct conn *c, size_t len, uint64_t va, uint32_t key, uint32_t bytes);
void put16(uint8_t *p, uint16_t v);
void put32(uint8_t *p, uint32_t v);
void put64(uint8_t *p, uint64_t v);
uint32_t get32(const uint8_t *p);
uint64_t get64(const uint8_t *p);

/* Is the connection good? An INQUIRY has to work. */
bool conn_alive(struct conn *c);

/* Take the unit attentions of a new session, so that the next command does something. */
void conn_clear_ua(struct conn *c);

/* A run of a byte with which a debug kernel fills fresh or freed memory. */
bool has_poison(const uint8_t *p, size_t len);
/* Is there something in a response that nobody put there? Every one is looked at. */
void check_response(const uint8_t *rsp, size_t len);

/* Say what is wrong and make the case fail. */
void fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Say something, and leave all as it is until the caller has looked. */
void answer(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
#define CHECK(cond)	\
	do { if (!(cond)) fail("%s:%d: %s", __func__, __LINE__, #cond); } while (0)

struct test_case {
	const char *name;
	void (*run)(unsigned int count);
};

extern const struct test_case cases[];		/* cases.c; the last has no name */
extern const struct test_case storms[];		/* storm.c */

/* Answers that SRP names, and the connection afterwards (cases.c). */
void open_good(struct conn *c);
void expect_reject(const struct login *login, uint32_t reason);
void expect_status(struct conn *c, uint64_t tag, uint8_t status, uint8_t key, uint8_t asc);
void expect_closed(struct conn *c);
void expect_alive(struct conn *c);
void aca_full(unsigned int count);

#define REJ_ESTABLISH	0x00010000
#define REJ_RESOURCES	0x00010001
#define REJ_IU_LEN	0x00010002
#define REJ_ASSOCIATE	0x00010003
#define REJ_FORMAT	0x00010004
#define REJ_MULTICHAN	0x00010005

/* fields.c, leaks.c */
void login_formats(unsigned int count);
void login_ports(unsigned int count);
void login_numbers(unsigned int count);
void login_truncated(unsigned int count);
void lun_formats(unsigned int count);
void iu_lengths(unsigned int count);
void cdb_lengths(unsigned int count);
void desc_edges(unsigned int count);
void silence(unsigned int count);
void leaks(unsigned int count);

#endif
