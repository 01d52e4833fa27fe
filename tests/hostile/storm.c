// SPDX-License-Identifier: GPL-2.0
/* Much of everything; the target has to live, and others with it. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hostile.h"

/* Those of @count that came while the target had given back credits are answered. */
static void burst_end(struct conn *c, unsigned int count)
{
	unsigned int i;
	int len = 0;

	for (i = 0; i < count && len >= 0; i++)
		len = conn_recv(c, 20);
	CHECK(len != SILENT);
	conn_close(c);
}

/* More commands than credits, as fast as they go. */
static void burst(unsigned int count)
{
	static const uint8_t tur[6];
	struct login login;
	unsigned int i;
	struct conn c;

	login_init(&login);
	CHECK(conn_open(&c, &login));
	for (i = 0; i < count; i++) {
		cmd_init(&c, i, tur, 6, 0);
		if (!conn_send(&c, 48))
			break;
	}
	burst_end(&c, count);
}

/* The same with task management, of which credits keep some back. */
static void tm_burst(unsigned int count)
{
	struct login login;
	unsigned int i;
	struct conn c;

	login_init(&login);
	CHECK(conn_open(&c, &login));
	for (i = 0; i < count; i++) {
		memset(c.iu, 0, 48);
		c.iu[0] = 1;
		put64(c.iu + 8, i);
		c.iu[30] = i % 2 ? 0x01 : 0x02;
		if (!conn_send(&c, 48))
			break;
	}
	burst_end(&c, count);
}

/* LUNs that are not there, as some hosts look for them all the time (B105). */
static void absent_luns(unsigned int count)
{
	static const uint8_t tur[6];
	struct login login;
	unsigned int i;
	struct conn c;

	login_init(&login);
	CHECK(conn_open(&c, &login));
	for (i = 0; i < count; i++) {
		cmd_init(&c, i, tur, 6, 0);
		c.iu[21] = 100 + i % 100;
		if (!conn_send(&c, 48) || conn_recv(&c, 20) < 36) {
			fail("no answer");
			break;
		}
		CHECK(c.rsp[19] == 2 && c.rsp[48] == 0x25);
	}
	conn_close(&c);
}

void answer(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	fflush(stdout);
	getchar();
}

/* As many sessions at once as there may be. */
static void hold(unsigned int count)
{
	struct conn *conns = calloc(count, sizeof(*conns));
	unsigned int i, accepted = 0;
	struct login login;

	if (!conns)
		return;
	login_init(&login);
	for (i = 0; i < count; i++) {
		login.initiator[1] = i;
		if (conn_open(&conns[i], &login))
			accepted++;
		else
			CHECK(conns[i].reject == REJ_RESOURCES);
	}
	answer("%u of %u logins were accepted\n", accepted, count);
	for (i = 0; i < count; i++) {
		if (conns[i].connected)
			CHECK(conn_alive(&conns[i]));
		conn_close(&conns[i]);
	}
	free(conns);
}

/* One session is idle, the queue pair of another drops what comes, as if it had no cable. */
static void deaf(unsigned int count)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_ERR };
	struct conn idle, gone;

	(void)count;
	open_good(&idle);
	open_good(&gone);
	CHECK(!ibv_modify_qp(gone.id->qp, &attr, IBV_QP_STATE));
	answer("deaf\n");
	expect_alive(&idle);
	conn_close(&gone);
}

/* Logins of the same initiator port, none of which says good-bye (B140, B157). */
static void relogins(unsigned int count)
{
	static struct conn old[16];
	struct login login;
	unsigned int i;
	struct conn c;

	login_init(&login);
	login.flags = 0;
	login.initiator[1] = 1;
	for (i = 0; i < count; i++) {
		struct conn *o = &old[i % 16];

		/* One that has been replaced long ago. */
		conn_close(o);
		/* An old one may hold what the new one needs for a moment. */
		if (!conn_open(o, &login))
			CHECK(o->reject == REJ_RESOURCES);
	}
	while (!conn_open(&c, &login))
		CHECK(c.reject == REJ_RESOURCES);
	CHECK(conn_alive(&c));
	answer("last login works: the only session that is left\n");
	conn_close(&c);
}

static void half_open(unsigned int count)
{
	unsigned int i, accepted = 0;
	struct login login;

	login_init(&login);
	for (i = 0; i < count; i++) {
		login.initiator[1] = i;
		accepted += conn_half_open(&login);
	}
	answer("%u of %u half-open logins were accepted\n", accepted, count);
}

/* Messages of all kinds with some bytes wrong. */
static size_t make_message(struct conn *c)
{
	static const uint8_t cdbs[][10] = {
		{ 0x28, 0, 0, 0, 0, 0, 0, 0, 8 }, { 0x2a, 0, 0, 0, 0, 0, 0, 0, 8 },
		{ 0x12, 0, 0, 0, 255 }, { 0x00 }, { 0xa0, 0, 0, 0, 0, 0, 0, 0, 1 },
		{ 0x1a, 0, 0x3f, 0, 255 },
	};
	static const uint8_t fmts[] = { 0x00, 0x01, 0x10, 0x02, 0x20, 0x30 };
	uint8_t fmt = fmts[rand() % sizeof(fmts)];
	size_t len = cmd_init(c, rand(), cdbs[rand() % 6], 10, fmt);

	if (rand() % 8 == 0)
		c->iu[0] = 1;
	switch (fmt) {
	case 0x01:
	case 0x10:
		return add_desc(c, len, (uintptr_t)c->data, c->mr->rkey, 4096);
	case 0x02:
	case 0x20:
		len = add_desc(c, len, (uintptr_t)c->data, c->mr->rkey, 16 * (1 + rand() % 4));
		put32(c->iu + len, 4096);
		c->iu[6 + (fmt == 0x02)] = 2;
		len = add_desc(c, len + 4, (uintptr_t)c->data, c->mr->rkey, 2048);
		return add_desc(c, len, (uintptr_t)c->data + 2048, c->mr->rkey, 2048);
	case 0x30:
		put32(c->iu + len, 4096);
		return IMM_OFFSET + 4096;
	}
	return len;
}

static void mutate(uint8_t *iu, size_t *len)
{
	unsigned int n = rand() % 6;

	while (n--)
		iu[rand() % (*len < 100 ? *len : 100)] = rand();
	if (rand() % 8 == 0)
		*len = rand() % *len + 1;
}

static void mutations(unsigned int count)
{
	unsigned int i, logins = 0;
	struct login login;
	struct conn c = {};

	login_init(&login);
	login.flags |= LOGIN_IMM_DATA;
	login.imm_offset = IMM_OFFSET;
	srand(1);
	for (i = 0; i < count; i++) {
		size_t len;

		if (!c.id) {
			logins++;
			if (!conn_open(&c, &login)) {
				CHECK(c.reject == REJ_RESOURCES);
				conn_close(&c);
				continue;
			}
		}
		len = make_message(&c);
		mutate(c.iu, &len);
		if (!conn_send(&c, len) || conn_recv(&c, 0) == CLOSED)
			conn_close(&c);
	}
	conn_close(&c);
	printf("%u mutated messages, %u logins\n", count, logins);
	while (!conn_open(&c, &login))
		CHECK(c.reject == REJ_RESOURCES);
	CHECK(conn_alive(&c));
	conn_close(&c);
}

/* ---- a target without memory ------------------------------------------- */

static bool resources_reject(const struct conn *c)
{
	return !c->reject || c->reject == REJ_RESOURCES;
}

/* Logins of a target that may lack memory: accepted, or refused for that (B161). */
static void logins(unsigned int count)
{
	unsigned int i, accepted = 0;
	struct login login;
	struct conn c;

	login_init(&login);
	for (i = 0; i < count; i++) {
		login.initiator[1] = i;
		if (conn_open(&c, &login))
			accepted++;
		else if (!resources_reject(&c))
			fail("refused, reason %#x", c.reject);
		conn_close(&c);
	}
	printf("%u of %u logins were accepted\n", accepted, count);
}

#define AREAS		16
#define AREA_SIZE	(DATA_SIZE / AREAS)

/* What is known of the disk, area by area: the byte that fills it, or less than 0. */
static int known[AREAS];

static size_t transfer(struct conn *c, uint64_t tag, bool write, unsigned int area)
{
	uint8_t cdb[10] = { write ? 0x2a : 0x28 };
	unsigned int form = rand() % 3, blocks = AREA_SIZE / 512;
	uint8_t *data = c->data, *table = c->data + AREA_SIZE;
	size_t len;
	unsigned int i, parts = form == 1 ? 4 : 64, part = AREA_SIZE / parts;

	put32(cdb + 2, area * blocks);
	put16(cdb + 7, blocks);
	if (!form) {
		len = cmd_init(c, tag, cdb, 10, write ? 0x10 : 0x01);
		return add_desc(c, len, (uintptr_t)data, c->mr->rkey, AREA_SIZE);
	}
	/* A table, with all descriptors in the message or none. */
	len = cmd_init(c, tag, cdb, 10, write ? 0x20 : 0x02);
	len = add_desc(c, len, (uintptr_t)table, c->mr->rkey, parts * 16);
	put32(c->iu + len, AREA_SIZE);
	len += 4;
	c->iu[write ? 6 : 7] = form == 1 ? parts : 0;
	for (i = 0; i < parts; i++) {
		uint8_t *desc = form == 1 ? c->iu + len : table + 16 * i;

		put64(desc, (uintptr_t)data + i * part);
		put32(desc + 8, c->mr->rkey);
		put32(desc + 12, part);
		if (form == 1)
			len += 16;
	}
	return len;
}

static bool to_be_sent_again(const struct conn *c)
{
	uint8_t key = c->rsp[38] & 0xf;

	return c->rsp[19] == 0x08 || c->rsp[19] == 0x28 ||
	       (c->rsp[19] == 2 && (key == 4 || key == 6 || key == 0xb));
}

/* One command; what ends with GOOD is so. Returns false if the channel is gone. */
static bool press(struct conn *c, uint64_t tag)
{
	unsigned int area = rand() % AREAS, i;
	bool write = rand() % 2;
	uint8_t fill = rand();
	int len;

	memset(c->data, write ? fill : 0xee, AREA_SIZE);
	if (write)
		known[area] = -1;
	if (!conn_send(c, transfer(c, tag, write, area)))
		return false;
	len = conn_recv(c, 60);
	if (len == SILENT)
		fail("tag %llu: silence", (unsigned long long)tag);
	if (len < 36)
		return false;
	CHECK(get64(c->rsp + 8) == tag);
	if (c->rsp[19]) {
		if (!to_be_sent_again(c))
			fail("status %#x, sense key %#x", c->rsp[19], c->rsp[38]);
		return true;
	}
	CHECK(c->rsp[18] == 0);
	if (write)
		known[area] = fill;
	for (i = 0; !write && known[area] >= 0 && i < AREA_SIZE; i++)
		if (c->data[i] != known[area]) {
			fail("area %u, byte %u: %#x is not %#x", area, i, c->data[i], known[area]);
			break;
		}
	return true;
}

/* Reads and writes of a target that may lack memory. */
static void pressed_io(unsigned int count)
{
	unsigned int i, lost = 0, good = 0;
	struct login login;
	struct conn c = {};

	login_init(&login);
	srand(2);
	for (i = 0; i < AREAS; i++)
		known[i] = -1;
	for (i = 0; i < count; i++) {
		if (!c.id) {
			if (!conn_open(&c, &login)) {
				CHECK(resources_reject(&c));
				conn_close(&c);
				continue;
			}
			conn_clear_ua(&c);
		}
		if (press(&c, i)) {
			good += !c.rsp[19];
			continue;
		}
		lost++;
		conn_close(&c);
	}
	conn_close(&c);
	printf("%u of %u commands ended well, %u connections were lost\n", good, count, lost);
}

const struct test_case storms[] = {
	{ "burst",	burst },
	{ "tm-burst",	tm_burst },
	{ "absent-luns", absent_luns },
	{ "hold",	hold },
	{ "deaf",	deaf },
	{ "relogins",	relogins },
	{ "half-open",	half_open },
	{ "mutations",	mutations },
	{ "logins",	logins },
	{ "pressed-io",	pressed_io },
	{ "leaks",	leaks },
	{ "aca-full",	aca_full },
	{ NULL, NULL }
};
