// SPDX-License-Identifier: GPL-2.0
/* Every field of the login request, every format of a LUN, every length of a message. */
#include <string.h>
#include <unistd.h>

#include "hostile.h"

static const uint8_t inquiry[6] = { 0x12, 0, 0, 0, 36 };
static const uint8_t tur[6];

static void expect_accept(const struct login *login)
{
	struct conn c;

	if (!conn_open(&c, login)) {
		fail("login refused, reason %#x", c.reject);
		return;
	}
	CHECK(get64(c.login_rsp + 8) == login->tag);
	conn_close(&c);
}

/* ---- login (SRP 6.2) ---------------------------------------------------- */

/* Direct and indirect are what there is; everything else may not be required. */
void login_formats(unsigned int count)
{
	struct login login;
	unsigned int bit;

	(void)count;
	login_init(&login);
	for (bit = 0; bit < 16; bit++) {
		login.buf_fmt = 1 << bit;
		if (bit == 1 || bit == 2)
			expect_accept(&login);
		else
			expect_reject(&login, REJ_FORMAT);
	}
	login.buf_fmt = 0;
	expect_accept(&login);
}

/* One wrong bit in each byte of the target's identifier; any initiator is welcome. */
void login_ports(unsigned int count)
{
	struct login login;
	unsigned int i;

	(void)count;
	for (i = 0; i < 16; i++) {
		login_init(&login);
		login.target[i / 8] ^= 1ULL << (8 * (i % 8) + i % 8);
		expect_reject(&login, REJ_ASSOCIATE);
	}
	login_init(&login);
	login.target[0] = 0;
	login.target[1] = 0;
	expect_reject(&login, REJ_ASSOCIATE);
	login_init(&login);
	memset(login.initiator, 0, sizeof(login.initiator));
	expect_accept(&login);
	memset(login.initiator, 0xff, sizeof(login.initiator));
	expect_accept(&login);
}

void login_numbers(unsigned int count)
{
	static const uint16_t offsets[] = { 0, 1, 47, 48, 49, 8275, 8276, 65535 };
	struct login login;
	struct conn c;
	unsigned int i;

	(void)count;
	login_init(&login);
	login.tag = 0;
	expect_accept(&login);
	login.tag = ~0ULL;
	login.reserved = 0xff;
	expect_accept(&login);
	login.it_iu_len = 64;
	expect_accept(&login);
	login.it_iu_len = 8276;
	expect_accept(&login);
	/* Multi-channel actions 0 and 1 are known; the bits above are reserved. */
	for (i = 0; i < 128; i += 2) {
		login.flags = i | (i & 2 ? 0 : LOGIN_INDEPENDENT);
		if (i % 8 > 2 && i % 16 != 8)
			continue;
		if (i & 2)
			expect_reject(&login, REJ_MULTICHAN);
		else
			expect_accept(&login);
	}
	for (i = 1; i < 256; i <<= 1) {
		login_init(&login);
		login.opcode = i;
		expect_reject(&login, REJ_ESTABLISH);
	}
	/* Immediate data anywhere: what does not fit is refused when it comes. */
	for (i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++) {
		login_init(&login);
		login.flags |= LOGIN_IMM_DATA;
		login.imm_offset = offsets[i];
		CHECK(conn_open(&c, &login));
		CHECK(!(c.login_rsp[26] & 0x80) == (offsets[i] < 48));
		put32(c.iu + cmd_init(&c, 1, tur, 6, 0x30), 64);
		CHECK(conn_send(&c, 52));
		expect_status(&c, 1, 2, 5, 0x24);
		expect_alive(&c);
	}
}

/* The connection manager fills with zeroes: IT IU length 0, or another port. */
void login_truncated(unsigned int count)
{
	static const uint8_t lens[] = { 0, 1, 8, 12, 15, 16, 31, 32, 40, 47 };
	struct login login;
	unsigned int i;

	(void)count;
	login_init(&login);
	for (i = 0; i < sizeof(lens); i++) {
		login.len = lens[i];
		login.tag = lens[i] < 8 ? 0 : 0x1122334455667788ULL;
		if (lens[i] == 1)
			login.tag = 0;
		expect_reject(&login, lens[i] < 15 ? REJ_IU_LEN : REJ_ASSOCIATE);
	}
}

/* ---- LUNs (SAM-5 4.7) ---------------------------------------------------- */

void lun_formats(unsigned int count)
{
	static const struct {
		uint8_t lun[8];
		bool there;
	} luns[] = {
		{ { 0x00, 0x00 }, true },	/* peripheral device addressing */
		{ { 0x40, 0x00 }, true },	/* flat space */
		{ { 0x80, 0x00 }, true },	/* logical unit, bus 0, target 0 */
		{ { 0x00, 0x63 }, false },
		{ { 0x01, 0x00 }, false },	/* another bus */
		{ { 0x3f, 0xff }, false },
		{ { 0x40, 0x63 }, false },
		{ { 0x7f, 0xff }, false },
		{ { 0x80, 0x20 }, false },	/* another bus */
		{ { 0x81, 0x00 }, false },	/* another target */
		{ { 0xbf, 0x1f }, false },
		{ { 0xc1, 0x01 }, false },	/* REPORT LUNS well known logical unit */
		{ { 0xc1, 0x02 }, false },
		{ { 0xd2, 0x00, 0x00, 0x01 }, false },	/* extended flat */
		{ { 0xe2, 0x00, 0x00, 0x00, 0x00, 0x01 }, false },
		{ { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff }, false },
		{ { 0x00, 0x00, 0x00, 0x01 }, false },	/* a second level */
		{ { 0x00, 0x00, 0, 0, 0, 0, 0, 0x01 }, false },
		{ { 0x40, 0x00, 0x40 }, false },
	};
	struct conn c;
	unsigned int i;

	(void)count;
	open_good(&c);
	for (i = 0; i < sizeof(luns) / sizeof(luns[0]); i++) {
		cmd_init(&c, i, tur, 6, 0);
		memcpy(c.iu + 20, luns[i].lun, 8);
		CHECK(conn_send(&c, 48));
		if (luns[i].there)
			expect_status(&c, i, 0, 0, 0);
		else
			expect_status(&c, i, 2, 5, 0x25);
	}
	expect_alive(&c);
}

/* ---- messages ------------------------------------------------------------- */

/* Without a tag there is no answer, and without an answer no credit: such a channel ends. */
void iu_lengths(unsigned int count)
{
	static const uint8_t lens[] = { 1, 2, 5, 8, 15, 16, 20, 31, 32, 40, 47 };
	struct conn c;
	unsigned int i, op;

	(void)count;
	for (op = 1; op <= 2; op++) {
		for (i = 0; i < sizeof(lens); i++) {
			open_good(&c);
			cmd_init(&c, 1, tur, 6, 0);
			c.iu[0] = op;
			CHECK(conn_send(&c, lens[i]));
			expect_closed(&c);
		}
	}
	/* Longer than needed is no fault. */
	open_good(&c);
	for (i = 48; i < 8276; i += 1000) {
		cmd_init(&c, i, tur, 6, 0);
		CHECK(conn_send(&c, i));
		expect_status(&c, i, 0, 0, 0);
	}
	expect_alive(&c);
}

/* CDBs of 16 to 268 bytes: whole, or longer than the message. */
void cdb_lengths(unsigned int count)
{
	struct conn c;
	unsigned int i;
	size_t len;

	(void)count;
	open_good(&c);
	for (i = 0; i < 64; i++) {
		len = cmd_init(&c, i, inquiry, 6, 0x01);
		/* The lower two bits are reserved. */
		c.iu[31] = i << 2 | (i & 3);
		memset(c.iu + len, 0xff, 4 * i);
		len = add_desc(&c, len + 4 * i, (uintptr_t)c.data, c.mr->rkey, 36);
		CHECK(conn_send(&c, len));
		expect_status(&c, i, 0, 0, 0);

		len = cmd_init(&c, i, inquiry, 6, 0x01);
		c.iu[31] = i << 2;
		len = add_desc(&c, len + 4 * i, (uintptr_t)c.data, c.mr->rkey, 36);
		CHECK(conn_send(&c, len - 1));
		expect_status(&c, i, 2, 5, 0x24);
	}
	expect_alive(&c);
}

void desc_edges(unsigned int count)
{
	struct conn c;
	size_t len;

	(void)count;
	open_good(&c);
	/* Room for nothing: an overflow of all there is. */
	len = cmd_init(&c, 1, inquiry, 6, 0x01);
	len = add_desc(&c, len, 0, 0, 0);
	CHECK(conn_send(&c, len));
	expect_status(&c, 1, 0, 0, 0);
	CHECK(c.rsp[18] == 0x10 && get32(c.rsp + 24) == 36);
	/* 4 GB, of which little is used. */
	len = cmd_init(&c, 2, inquiry, 6, 0x01);
	len = add_desc(&c, len, (uintptr_t)c.data, c.mr->rkey, 0xffffffff);
	CHECK(conn_send(&c, len));
	expect_status(&c, 2, 0, 0, 0);
	CHECK(c.rsp[18] == 0x20 && get32(c.rsp + 24) == 0xffffffff - 36);
	/* Descriptors of nothing between the others. */
	len = cmd_init(&c, 3, inquiry, 6, 0x02);
	c.iu[7] = 3;
	len = add_desc(&c, len, 0, 0, 48);
	put32(c.iu + len, 36);
	len = add_desc(&c, len + 4, (uintptr_t)c.data, c.mr->rkey, 18);
	len = add_desc(&c, len, 0, 0, 0);
	len = add_desc(&c, len, (uintptr_t)c.data + 18, c.mr->rkey, 18);
	CHECK(conn_send(&c, len));
	expect_status(&c, 3, 0, 0, 0);
	CHECK(c.rsp[18] == 0);
	/* Lengths whose sum overflows 32 bits. */
	len = cmd_init(&c, 4, inquiry, 6, 0x02);
	c.iu[7] = 2;
	len = add_desc(&c, len, 0, 0, 32);
	put32(c.iu + len, 36);
	len = add_desc(&c, len + 4, (uintptr_t)c.data, c.mr->rkey, 0xffffffff);
	len = add_desc(&c, len, (uintptr_t)c.data, c.mr->rkey, 0xffffffff);
	CHECK(conn_send(&c, len));
	expect_status(&c, 4, 0, 0, 0);
	/* An address that overflows. */
	len = cmd_init(&c, 5, inquiry, 6, 0x01);
	len = add_desc(&c, len, ~0ULL - 4, c.mr->rkey, 36);
	CHECK(conn_send(&c, len));
	expect_closed(&c);
}

/* Longer than it takes the target to ask whether we are still there. */
void silence(unsigned int count)
{
	struct conn c;

	(void)count;
	open_good(&c);
	sleep(20);
	expect_alive(&c);
}
