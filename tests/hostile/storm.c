// SPDX-License-Identifier: GPL-2.0
/* Much of everything; the target has to live, and others with it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hostile.h"

/* More commands than credits, as fast as they go. */
static void burst(unsigned int count)
{
	static const uint8_t tur[6];
	struct login login;
	unsigned int i;
	struct conn c;
	int len = 0;

	login_init(&login);
	CHECK(conn_open(&c, &login));
	for (i = 0; i < count; i++) {
		cmd_init(&c, i, tur, 6, 0);
		if (!conn_send(&c, 48))
			break;
	}
	/* Those that came while the target had given back credits are answered. */
	for (i = 0; i < count && len >= 0; i++)
		len = conn_recv(&c, 20);
	CHECK(len != SILENT);
	conn_close(&c);
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
			CHECK(o->reject == 0x00010001);
	}
	while (!conn_open(&c, &login))
		CHECK(c.reject == 0x00010001);
	CHECK(conn_alive(&c));
	/* Let the caller see the only session that is left. */
	puts("last login works");
	fflush(stdout);
	getchar();
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
	/* How many there are at a time is for the caller to see. */
	printf("%u of %u half-open logins were accepted\n", accepted, count);
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
				CHECK(c.reject == 0x00010001);
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
		CHECK(c.reject == 0x00010001);
	CHECK(conn_alive(&c));
	conn_close(&c);
}

const struct test_case storms[] = {
	{ "burst",	burst },
	{ "relogins",	relogins },
	{ "half-open",	half_open },
	{ "mutations",	mutations },
	{ NULL, NULL }
};
