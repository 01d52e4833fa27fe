// SPDX-License-Identifier: GPL-2.0
/* Connections, logins, sending and receiving. */
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "hostile.h"

#define MEM_SIZE	(IU_SIZE * NR_SENDS + RSP_SIZE * NR_RECVS + DATA_SIZE)

void put16(uint8_t *p, uint16_t v) { v = htons(v); memcpy(p, &v, 2); }
void put32(uint8_t *p, uint32_t v) { v = htonl(v); memcpy(p, &v, 4); }

void put64(uint8_t *p, uint64_t v)
{
	put32(p, v >> 32);
	put32(p + 4, (uint32_t)v);
}

uint32_t get32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, 4);
	return ntohl(v);
}

uint64_t get64(const uint8_t *p) { return (uint64_t)get32(p) << 32 | get32(p + 4); }

void login_init(struct login *login)
{
	*login = (struct login){
		.tag		= 0x1122334455667788ULL,
		.buf_fmt	= 6,
		.flags		= LOGIN_INDEPENDENT,
		.it_iu_len	= 8000,
		.initiator	= { 0x686f7374696c6500ULL, (uint64_t)getpid() },
		.target		= { target.guid, target.guid },
		.len		= LOGIN_LEN,
	};
}

static void login_build(const struct login *l, uint8_t buf[LOGIN_LEN])
{
	memset(buf, 0, LOGIN_LEN);
	put64(buf, l->tag);
	put16(buf + 8, l->buf_fmt);
	buf[10] = l->flags;
	buf[11] = l->opcode;
	put32(buf + 12, l->it_iu_len);
	put64(buf + 16, l->initiator[0]);
	put64(buf + 24, l->initiator[1]);
	put64(buf + 32, l->target[0]);
	put64(buf + 40, l->target[1]);
	put16(buf + 48, l->imm_offset);
	memset(buf + 50, l->reserved, LOGIN_LEN - 50);
}

static struct rdma_cm_id *resolve(struct rdma_event_channel *channel)
{
	struct rdma_addrinfo hints = { .ai_port_space = RDMA_PS_TCP }, *info;
	struct rdma_cm_id *id;

	if (rdma_getaddrinfo(target.addr, target.port, &hints, &info))
		return NULL;
	if (rdma_create_id(channel, &id, NULL, RDMA_PS_TCP))
		id = NULL;
	if (id && rdma_resolve_addr(id, NULL, info->ai_dst_addr, 2000)) {
		rdma_destroy_id(id);
		id = NULL;
	}
	rdma_freeaddrinfo(info);
	return id;
}

static bool post_recv(struct conn *c, unsigned int i)
{
	uint8_t *buf = c->mem + IU_SIZE * NR_SENDS + (size_t)RSP_SIZE * i;

	return !rdma_post_recv(c->id, buf, buf, RSP_SIZE, c->mr);
}

static bool set_up(struct conn *c)
{
	struct ibv_qp_init_attr attr = {
		.cap = {
			.max_send_wr = NR_SENDS, .max_recv_wr = NR_RECVS,
			.max_send_sge = 1, .max_recv_sge = 1,
		},
		.qp_type = IBV_QPT_RC,
		.sq_sig_all = 1,
	};
	unsigned int i;

	c->mem = calloc(1, MEM_SIZE);
	if (!c->mem || rdma_resolve_route(c->id, 2000) || rdma_create_qp(c->id, NULL, &attr))
		return false;
	c->mr = ibv_reg_mr(c->id->pd, c->mem, MEM_SIZE, IBV_ACCESS_LOCAL_WRITE |
			   IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE);
	if (!c->mr)
		return false;
	c->iu = c->mem;
	c->data = c->mem + IU_SIZE * NR_SENDS + RSP_SIZE * NR_RECVS;
	for (i = 0; i < NR_RECVS; i++)
		if (!post_recv(c, i))
			return false;
	return true;
}

void conn_close(struct conn *c)
{
	if (!c->id)
		return;
	/* This waits for the end of the connection, so there has to be one. */
	if (c->connected)
		rdma_disconnect(c->id);
	if (c->id->qp)
		rdma_destroy_qp(c->id);
	if (c->mr)
		ibv_dereg_mr(c->mr);
	rdma_destroy_id(c->id);
	free(c->mem);
	memset(c, 0, sizeof(*c));
}

static bool all_zero(const uint8_t *p, size_t len)
{
	while (len && !*p) {
		p++;
		len--;
	}
	return !len;
}

/* Reserved fields, and what the connection manager sends behind the message. */
static void check_login_answer(const uint8_t *p, size_t len)
{
	CHECK(all_zero(p + 1, 3));
	if (p[0] == 0xc0)
		CHECK(all_zero(p + 27, len - 27));
	else
		CHECK(all_zero(p + 16, 8) && all_zero(p + 26, len - 26));
}

bool has_poison(const uint8_t *p, size_t len)
{
	size_t i, run = 0;

	for (i = 0; i < len; i++) {
		if (p[i] != 0x5a && p[i] != 0x6b && p[i] != 0xaa)
			run = 0;
		else
			run = run && p[i] == p[i - 1] ? run + 1 : 1;
		if (run == 4)
			return true;
	}
	return false;
}

/* SRP 6.9: the length follows from the contents, what is reserved or unused is zero. */
void check_response(const uint8_t *rsp, size_t len)
{
	uint32_t sense = 0, code = 0;
	uint8_t flags = len >= 36 ? rsp[18] : 0;

	if (len < 36 || rsp[0] != 0xc1) {
		fail("a message of %zu bytes, opcode %#x", len, len ? rsp[0] : 0U);
		return;
	}
	sense = get32(rsp + 28);
	code = get32(rsp + 32);
	CHECK(len == (size_t)36 + sense + code);
	CHECK(!sense == !(flags & 0x02) && !code == !(flags & 0x01));
	CHECK(flags & 0x0c || !get32(rsp + 20));
	CHECK(flags & 0x30 || !get32(rsp + 24));
	CHECK(!(flags & 0xc0) && all_zero(rsp + 1, 3) && all_zero(rsp + 16, 2));
	CHECK(!code || (code == 4 && all_zero(rsp + 36, 3)));
	CHECK(!has_poison(rsp + 16, len - 16));
}

bool conn_open(struct conn *c, const struct login *login)
{
	uint8_t req[LOGIN_LEN];
	struct rdma_conn_param param = {
		.private_data = req, .private_data_len = login->len,
		.responder_resources = 4, .initiator_depth = 4,
		.retry_count = 7, .rnr_retry_count = 7,
	};
	const uint8_t *answer;
	bool accepted;

	memset(c, 0, sizeof(*c));
	c->id = resolve(NULL);
	if (!c->id || !set_up(c)) {
		fail("no connection: %s", strerror(errno));
		return false;
	}
	login_build(login, req);
	accepted = !rdma_connect(c->id, &param);
	answer = c->id->event ? c->id->event->param.conn.private_data : NULL;
	if (accepted) {
		c->connected = true;
		CHECK(answer && c->id->event->param.conn.private_data_len >= 52);
		memcpy(c->login_rsp, answer, 52);
		check_login_answer(answer, c->id->event->param.conn.private_data_len);
		return true;
	}
	if (answer && c->id->event->param.conn.private_data_len >= 32 && answer[0] == 0xc2) {
		c->reject = get32(answer + 4);
		CHECK(get64(answer + 8) == login->tag);
		check_login_answer(answer, c->id->event->param.conn.private_data_len);
	}
	return false;
}

static struct rdma_cm_event *next_event(struct rdma_event_channel *channel)
{
	struct pollfd fd = { .fd = channel->fd, .events = POLLIN };
	struct rdma_cm_event *event;

	if (poll(&fd, 1, 20000) != 1 || rdma_get_cm_event(channel, &event))
		return NULL;
	return event;
}

/* Without a queue pair of the connection manager's it is on us to confirm, and we do not. */
bool conn_half_open(const struct login *login)
{
	static uint32_t qp_num = 0x4000;
	struct rdma_event_channel *channel = rdma_create_event_channel();
	struct rdma_cm_id *id = channel ? resolve(channel) : NULL;
	uint8_t req[LOGIN_LEN];
	struct rdma_conn_param param = {
		.private_data = req, .private_data_len = sizeof(req),
		.responder_resources = 4, .initiator_depth = 4, .qp_num = qp_num++,
	};
	struct rdma_cm_event *event;
	bool accepted = false;
	int step;

	if (!id)
		return false;
	login_build(login, req);
	for (step = 0; step < 3; step++) {
		event = next_event(channel);
		if (!event)
			return false;
		accepted = event->event == RDMA_CM_EVENT_CONNECT_RESPONSE;
		rdma_ack_cm_event(event);
		if (step == 0 && rdma_resolve_route(id, 2000))
			return false;
		if (step == 1 && rdma_connect(id, &param))
			return false;
	}
	return accepted;
}

static int64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000LL + ts.tv_nsec / 1000000;
}

bool conn_send(struct conn *c, size_t len)
{
	struct ibv_wc wc;
	int64_t end = now_ms() + 20000;

	if (rdma_post_send(c->id, NULL, c->iu, len, c->mr, 0))
		return false;
	/* Each message has a buffer of its own until it has left. */
	c->iu += IU_SIZE;
	if (c->iu == c->mem + IU_SIZE * NR_SENDS)
		c->iu = c->mem;
	for (c->sends++; c->sends > NR_SENDS / 2 || now_ms() > end; ) {
		int n = ibv_poll_cq(c->id->send_cq, 1, &wc);

		if (n < 0 || (n > 0 && wc.status != IBV_WC_SUCCESS) || now_ms() > end)
			return false;
		c->sends -= n;
	}
	return true;
}

/* Has a send failed, or the other side disconnected? */
static bool lost(struct conn *c)
{
	struct pollfd fd = { .fd = c->id->channel->fd, .events = POLLIN };
	struct ibv_wc wc;
	int n;

	while ((n = ibv_poll_cq(c->id->send_cq, 1, &wc)) > 0) {
		c->sends--;
		if (wc.status != IBV_WC_SUCCESS)
			return true;
	}
	/* Nothing but its end is told of an established connection. */
	return n < 0 || poll(&fd, 1, 0) == 1;
}

int conn_recv(struct conn *c, int seconds)
{
	int64_t end = now_ms() + seconds * 1000LL;
	struct ibv_wc wc;
	int n;

	do {
		n = ibv_poll_cq(c->id->recv_cq, 1, &wc);
		if (n > 0) {
			const uint8_t *buf = (const uint8_t *)(uintptr_t)wc.wr_id;

			if (wc.status != IBV_WC_SUCCESS)
				return CLOSED;
			c->rsp_len = wc.byte_len;
			memcpy(c->rsp, buf, wc.byte_len);
			check_response(c->rsp, c->rsp_len);
			post_recv(c, (buf - c->mem - IU_SIZE * NR_SENDS) / RSP_SIZE);
			return wc.byte_len;
		}
		if (lost(c))
			return CLOSED;
		usleep(1000);
	} while (now_ms() < end);
	return SILENT;
}

size_t cmd_init(struct conn *c, uint64_t tag, const uint8_t *cdb, size_t cdb_len, uint8_t fmt)
{
	memset(c->iu, 0, 48);
	c->iu[0] = 2;
	c->iu[5] = fmt;
	put64(c->iu + 8, tag);
	memcpy(c->iu + 32, cdb, cdb_len);
	return 48;
}

size_t add_desc(struct conn *c, size_t len, uint64_t va, uint32_t key, uint32_t bytes)
{
	put64(c->iu + len, va);
	put32(c->iu + len + 8, key);
	put32(c->iu + len + 12, bytes);
	return len + 16;
}

void conn_clear_ua(struct conn *c)
{
	static const uint8_t tur[6];
	int tries;

	for (tries = 0; tries < 8; tries++) {
		cmd_init(c, 0x7575, tur, 6, 0);
		if (!conn_send(c, 48) || conn_recv(c, 20) < 36 || !c->rsp[19])
			return;
	}
}

bool conn_alive(struct conn *c)
{
	static const uint8_t inquiry[6] = { 0x12, 0, 0, 0, 36 };
	size_t len = cmd_init(c, 0x616c697665ULL, inquiry, 6, 0x01);

	memset(c->data, 0, 36);
	len = add_desc(c, len, (uintptr_t)c->data, c->mr->rkey, 36);
	if (!conn_send(c, len))
		return false;
	/* Earlier responses may come first. */
	while (conn_recv(c, 20) >= 36)
		if (get64(c->rsp + 8) == 0x616c697665ULL)
			return c->rsp[19] == 0 && !memcmp(c->data + 8, "SCST_", 5);
	return false;
}
