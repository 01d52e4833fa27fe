// SPDX-License-Identifier: GPL-2.0
/* One thing at a time, each with the answer that SRP names. */
#include <string.h>
#include <unistd.h>

#include "hostile.h"

static const uint8_t inquiry[6] = { 0x12, 0, 0, 0, 255 };
static const uint8_t tur[6];
static const uint8_t report_luns[12] = { 0xa0, 0, 0, 0, 0, 0, 0, 0, 1, 0 };

/* READ(10) and WRITE(10) of @blocks at LBA 0. */
static void rw_cdb(uint8_t cdb[10], bool write, uint16_t blocks)
{
	memset(cdb, 0, 10);
	cdb[0] = write ? 0x2a : 0x28;
	put16(cdb + 7, blocks);
}

void open_good(struct conn *c)
{
	struct login login;

	login_init(&login);
	if (!conn_open(c, &login))
		fail("login refused, reason %#x", c->reject);
	else
		conn_clear_ua(c);
}

void expect_reject(const struct login *login, uint32_t reason)
{
	struct conn c;

	if (conn_open(&c, login))
		fail("login was accepted");
	if (c.reject != reason)
		fail("reason %#x instead of %#x", c.reject, reason);
	conn_close(&c);
}

/* The response to @tag: SCSI status; sense key and code, if @asc is not 0. */
void expect_status(struct conn *c, uint64_t tag, uint8_t status, uint8_t key, uint8_t asc)
{
	unsigned long long t = tag;
	int len = conn_recv(c, 20);

	if (len < 36) {
		fail("tag %#llx: %s", t, len == CLOSED ? "closed" : "silence");
		return;
	}
	CHECK(c->rsp[0] == 0xc1);
	CHECK(get64(c->rsp + 8) == tag);
	CHECK(get32(c->rsp + 4) >= 1);
	if (c->rsp[19] != status)
		fail("tag %#llx: status %#x instead of %#x", t, c->rsp[19], status);
	if (!asc)
		return;
	CHECK(c->rsp[18] & 2);
	CHECK(get32(c->rsp + 28) >= 18);
	CHECK((c->rsp[38] & 0xf) == key && c->rsp[48] == asc);
}

static void expect_bad_field(struct conn *c, uint64_t tag)
{
	expect_status(c, tag, 2, 5, 0x24);
}

void expect_closed(struct conn *c)
{
	int len;

	do
		len = conn_recv(c, 30);
	while (len >= 0);
	if (len != CLOSED)
		fail("the channel stays open");
	conn_close(c);
}

void expect_alive(struct conn *c)
{
	CHECK(conn_alive(c));
	conn_close(c);
}

/* ---- logins ---------------------------------------------------------- */

static void login_good(unsigned int count)
{
	struct login login;
	struct conn c;

	(void)count;
	login_init(&login);
	login.flags |= LOGIN_IMM_DATA;
	login.imm_offset = IMM_OFFSET;
	CHECK(conn_open(&c, &login));
	CHECK(c.login_rsp[0] == 0xc0);
	CHECK(get64(c.login_rsp + 8) == login.tag);
	CHECK(get32(c.login_rsp + 4) >= 4 && get32(c.login_rsp + 4) <= 128);
	CHECK(get32(c.login_rsp + 16) == 8276);
	CHECK(get32(c.login_rsp + 20) == login.it_iu_len);
	CHECK(c.login_rsp[25] == 6);
	CHECK(c.login_rsp[26] == 0x80);
	expect_alive(&c);
}

static void login_iu_length(unsigned int count)
{
	static const uint32_t bad[] = { 0, 63, 8277, 0x7fffffff, 0xffffffff };
	struct login login;
	size_t i;

	(void)count;
	login_init(&login);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		login.it_iu_len = bad[i];
		expect_reject(&login, REJ_IU_LEN);
	}
}

static void login_fields(unsigned int count)
{
	struct login login;

	(void)count;
	login_init(&login);
	login.target[0] ^= 1;
	expect_reject(&login, REJ_ASSOCIATE);
	login_init(&login);
	login.target[1] ^= 1ULL << 63;
	expect_reject(&login, REJ_ASSOCIATE);
	login_init(&login);
	login.buf_fmt = 0xffff;
	expect_reject(&login, REJ_FORMAT);
	login_init(&login);
	login.flags = 2;
	expect_reject(&login, REJ_MULTICHAN);
	login_init(&login);
	login.opcode = 2;
	expect_reject(&login, REJ_ESTABLISH);
}

/* Immediate data inside the header is not agreed to. */
static void login_imm_offset(unsigned int count)
{
	struct login login;
	struct conn c;
	size_t len;

	(void)count;
	login_init(&login);
	login.flags |= LOGIN_IMM_DATA;
	login.imm_offset = 47;
	CHECK(conn_open(&c, &login));
	CHECK(!(c.login_rsp[26] & 0x80));
	len = cmd_init(&c, 1, tur, 6, 0x30);
	put32(c.iu + len, 512);
	CHECK(conn_send(&c, 1024));
	expect_bad_field(&c, 1);
	expect_alive(&c);
}

static void relogin(unsigned int count)
{
	struct login login;
	struct conn old, new;

	(void)count;
	login_init(&login);
	login.flags = 0;
	CHECK(conn_open(&old, &login));
	CHECK(old.login_rsp[26] == 0);
	CHECK(conn_open(&new, &login));
	CHECK(new.login_rsp[26] == 1);
	expect_closed(&old);
	CHECK(conn_alive(&new));
	login.flags = LOGIN_INDEPENDENT;
	CHECK(conn_open(&old, &login));
	CHECK(old.login_rsp[26] == 2);
	CHECK(conn_alive(&new));
	conn_close(&new);
	expect_alive(&old);
}

/* ---- messages -------------------------------------------------------- */

static void cmd_residual(unsigned int count)
{
	struct conn c;
	size_t len;

	(void)count;
	open_good(&c);
	memset(c.data, 0xee, 512);
	len = cmd_init(&c, 7, inquiry, 6, 0x01);
	len = add_desc(&c, len, (uintptr_t)c.data, c.mr->rkey, 512);
	CHECK(conn_send(&c, len));
	expect_status(&c, 7, 0, 0, 0);
	CHECK(c.rsp[18] == 0x20);
	CHECK(get32(c.rsp + 24) == 512 - (c.data[4] + 5U));
	CHECK(c.data[c.data[4] + 5] == 0xee);	/* nothing behind the data */

	/* More asked for than there is room. */
	memset(c.data, 0xee, 16);
	len = cmd_init(&c, 8, inquiry, 6, 0x01);
	c.iu[36] = 36;
	len = add_desc(&c, len, (uintptr_t)c.data, c.mr->rkey, 8);
	CHECK(conn_send(&c, len));
	expect_status(&c, 8, 0, 0, 0);
	CHECK(c.rsp[18] == 0x10);
	CHECK(get32(c.rsp + 24) == 28);
	CHECK(c.data[8] == 0xee);

	/* The same of a list whose length is told by its first bytes. */
	len = cmd_init(&c, 9, report_luns, 12, 0x01);
	len = add_desc(&c, len, (uintptr_t)c.data, c.mr->rkey, 8);
	CHECK(conn_send(&c, len));
	expect_status(&c, 9, 0, 0, 0);
	CHECK(c.rsp[18] == 0x10);
	CHECK(get32(c.rsp + 24) == get32(c.data));
	expect_alive(&c);
}

static void cmd_short(unsigned int count)
{
	struct conn c;

	(void)count;
	open_good(&c);
	cmd_init(&c, 1, tur, 6, 0);
	CHECK(conn_send(&c, 47));
	expect_closed(&c);
	open_good(&c);
	cmd_init(&c, 1, tur, 6, 0);
	c.iu[0] = 1;
	CHECK(conn_send(&c, 47));
	expect_closed(&c);
	open_good(&c);
	CHECK(conn_send(&c, 0));
	expect_alive(&c);
}

static void cmd_formats(unsigned int count)
{
	unsigned int fmt;
	struct conn c;
	size_t len;

	(void)count;
	open_good(&c);
	for (fmt = 0; fmt < 256; fmt++) {
		bool good = fmt == 0 || fmt == 1;

		if (fmt == 0x10)	/* Data-Out for INQUIRY is another matter */
			continue;
		len = cmd_init(&c, fmt, inquiry, 6, fmt);
		len = add_desc(&c, len, (uintptr_t)c.data, c.mr->rkey, 255);
		CHECK(conn_send(&c, len));
		if (good)
			expect_status(&c, fmt, 0, 0, 0);
		else
			expect_bad_field(&c, fmt);
	}
	expect_alive(&c);
}

/* An indirect buffer: table of @table bytes, @here descriptors in the message. */
static size_t indirect(struct conn *c, size_t len, uint64_t va, uint32_t key, uint32_t table,
		       uint32_t total, uint8_t here)
{
	len = add_desc(c, len, va, key, table);
	put32(c->iu + len, total);
	c->iu[7] = here;
	return len + 4;
}

static void cmd_indirect_lies(unsigned int count)
{
	struct conn c;
	size_t len;

	(void)count;
	open_good(&c);
	/* More descriptors than the message holds. */
	len = cmd_init(&c, 1, inquiry, 6, 0x02);
	len = indirect(&c, len, 0, 0, 16 * 200, 255, 200);
	CHECK(conn_send(&c, len + 16));
	expect_bad_field(&c, 1);
	/* A total that the descriptors do not cover. */
	len = cmd_init(&c, 2, inquiry, 6, 0x02);
	len = indirect(&c, len, 0, 0, 16, 4096, 1);
	len = add_desc(&c, len, (uintptr_t)c.data, c.mr->rkey, 4095);
	CHECK(conn_send(&c, len));
	expect_bad_field(&c, 2);
	/* Half a descriptor, and a table of 4 GB. */
	len = cmd_init(&c, 3, inquiry, 6, 0x02);
	len = indirect(&c, len, 0, 0, 24, 255, 1);
	len = add_desc(&c, len, (uintptr_t)c.data, c.mr->rkey, 4095);
	CHECK(conn_send(&c, len));
	expect_bad_field(&c, 3);
	len = cmd_init(&c, 4, inquiry, 6, 0x02);
	len = indirect(&c, len, 0, 0, 0xfffffff0, 255, 0);
	CHECK(conn_send(&c, len));
	expect_bad_field(&c, 4);
	/* A CDB longer than the message. */
	len = cmd_init(&c, 5, inquiry, 6, 0x01);
	c.iu[31] = 0xfc;
	CHECK(conn_send(&c, len + 16));
	expect_bad_field(&c, 5);
	expect_alive(&c);
}

/* A table in our memory, behind the first 64 KiB of data, of descriptors of 512 bytes. */
static uint8_t *make_table(struct conn *c, unsigned int nr)
{
	uint8_t *table = c->data + DATA_SIZE / 2;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		put64(table + i * 16, (uintptr_t)c->data + (nr - 1 - i) * 512);
		put32(table + i * 16 + 8, c->mr->rkey);
		put32(table + i * 16 + 12, 512);
	}
	return table;
}

static void table_cmd(struct conn *c, uint64_t tag, bool write, uint32_t nr, uint32_t total,
		      uint32_t key)
{
	uint8_t cdb[10], *table = make_table(c, nr);
	size_t len;

	rw_cdb(cdb, write, total / 512);
	len = cmd_init(c, tag, cdb, 10, write ? 0x20 : 0x02);
	len = indirect(c, len, (uintptr_t)table, key, nr * 16, total, 0);
	CHECK(conn_send(c, len));
}

static void cmd_table(unsigned int count)
{
	unsigned int i;
	struct conn c;

	(void)count;
	open_good(&c);
	for (i = 0; i < 64; i++)
		memset(c.data + i * 512, i, 512);
	table_cmd(&c, 1, true, 64, 64 * 512, c.mr->rkey);
	expect_status(&c, 1, 0, 0, 0);
	memset(c.data, 0xee, 64 * 512);
	table_cmd(&c, 2, false, 64, 64 * 512, c.mr->rkey);
	expect_status(&c, 2, 0, 0, 0);
	for (i = 0; i < 64; i++)
		CHECK(c.data[i * 512] == i && c.data[i * 512 + 511] == i);

	/* Tables that do not cover the data, in both directions. */
	table_cmd(&c, 3, false, 63, 64 * 512, c.mr->rkey);
	expect_bad_field(&c, 3);
	table_cmd(&c, 4, true, 63, 64 * 512, c.mr->rkey);
	expect_bad_field(&c, 4);
	expect_alive(&c);

	/* Tables in memory that is not ours to give. */
	open_good(&c);
	table_cmd(&c, 5, false, 64, 64 * 512, c.mr->rkey ^ 0x5500);
	expect_closed(&c);
	open_good(&c);
	table_cmd(&c, 6, true, 64, 64 * 512, c.mr->rkey ^ 0x5500);
	expect_closed(&c);
}

/* Direct descriptors with keys and addresses that lie. */
static void cmd_keys(unsigned int count)
{
	uint8_t cdb[10];
	struct conn c;
	size_t len;
	int i;

	(void)count;
	for (i = 0; i < 4; i++) {
		uint64_t va;
		uint32_t key;

		open_good(&c);
		va = i & 2 ? (uintptr_t)c.data : (uintptr_t)c.data + DATA_SIZE - 512;
		key = i & 2 ? c.mr->rkey ^ 0xff00 : c.mr->rkey;
		rw_cdb(cdb, i & 1, 8);
		len = cmd_init(&c, 1, cdb, 10, i & 1 ? 0x10 : 0x01);
		len = add_desc(&c, len, va, key, 4096);
		CHECK(conn_send(&c, len));
		expect_closed(&c);
	}
}

static void cmd_immediate(unsigned int count)
{
	struct login login;
	uint8_t cdb[10];
	struct conn c;
	size_t len;

	(void)count;
	login_init(&login);
	login.flags |= LOGIN_IMM_DATA;
	login.imm_offset = IMM_OFFSET;
	CHECK(conn_open(&c, &login));
	conn_clear_ua(&c);
	rw_cdb(cdb, true, 2);
	len = cmd_init(&c, 1, cdb, 10, 0x30);
	put32(c.iu + len, 1024);
	memset(c.iu + IMM_OFFSET, 0x3c, 1024);
	CHECK(conn_send(&c, IMM_OFFSET + 1024));
	expect_status(&c, 1, 0, 0, 0);

	/* Truncated, and longer than anything. */
	len = cmd_init(&c, 2, cdb, 10, 0x30);
	put32(c.iu + len, 1024);
	CHECK(conn_send(&c, IMM_OFFSET + 1023));
	expect_bad_field(&c, 2);
	len = cmd_init(&c, 3, cdb, 10, 0x30);
	put32(c.iu + len, 0xffffffb0);
	CHECK(conn_send(&c, IMM_OFFSET + 1024));
	expect_bad_field(&c, 3);
	/* A descriptor that reaches into the data. */
	len = cmd_init(&c, 4, cdb, 10, 0x30);
	c.iu[31] = 32;
	put32(c.iu + len + 32, 1024);
	CHECK(conn_send(&c, IMM_OFFSET + 1024));
	expect_bad_field(&c, 4);

	rw_cdb(cdb, false, 2);
	len = cmd_init(&c, 5, cdb, 10, 0x01);
	len = add_desc(&c, len, (uintptr_t)c.data, c.mr->rkey, 1024);
	CHECK(conn_send(&c, len));
	expect_status(&c, 5, 0, 0, 0);
	CHECK(c.data[0] == 0x3c && c.data[1023] == 0x3c);
	expect_alive(&c);
}

static void cmd_oversize(unsigned int count)
{
	struct conn c;

	(void)count;
	open_good(&c);
	cmd_init(&c, 1, tur, 6, 0);
	/* Longer than any receive buffer: the transport ends it. */
	if (conn_send(&c, IU_SIZE))
		expect_closed(&c);
}

static void cmd_luns(unsigned int count)
{
	unsigned int i;
	struct conn c;
	int len;

	(void)count;
	open_good(&c);
	for (i = 0; i < 256; i++) {
		cmd_init(&c, i, tur, 6, 0);
		memset(c.iu + 20, i * 37, 8);
		c.iu[20] = i;
		c.iu[29] = i;	/* all task attributes, too */
		CHECK(conn_send(&c, 48));
		len = conn_recv(&c, 20);
		CHECK(len >= 36 && get64(c.rsp + 8) == i);
	}
	expect_alive(&c);
}

static void opcodes(unsigned int count)
{
	unsigned int op;
	struct conn c;

	(void)count;
	open_good(&c);
	for (op = 0; op < 256; op++) {
		if (op >= 1 && op <= 3)
			continue;
		memset(c.iu, op, 64);
		CHECK(conn_send(&c, 64));
	}
	expect_alive(&c);
}

/* ---- task management ------------------------------------------------- */

static void task_management(struct conn *c, uint64_t tag, uint8_t function, uint64_t task,
			    uint8_t lun, uint8_t want)
{
	memset(c->iu, 0, 48);
	c->iu[0] = 1;
	put64(c->iu + 8, tag);
	c->iu[21] = lun;
	c->iu[30] = function;
	put64(c->iu + 32, task);
	CHECK(conn_send(c, 48));
	expect_status(c, tag, 0, 0, 0);
	CHECK(c->rsp[18] == 1 && get32(c->rsp + 32) == 4);
	if (get32(c->rsp + 36) != want)
		fail("function %#x: code %u instead of %u", function, get32(c->rsp + 36), want);
}

static void tm_functions(unsigned int count)
{
	unsigned int fn;
	struct conn c;

	(void)count;
	open_good(&c);
	for (fn = 0; fn < 256; fn++) {
		bool known = fn == 1 || fn == 2 || fn == 4 || fn == 8 || fn == 0x40;

		task_management(&c, fn, fn, 0xdead, 0, fn == 1 ? 5 : known ? 0 : 4);
	}
	/* A LUN that is not there. */
	task_management(&c, 1000, 8, 0, 99, 5);
	task_management(&c, 1001, 2, 0, 99, 5);
	/* The reset left a unit attention; INQUIRY does not mind. */
	expect_alive(&c);
}

static void send_aca_task(struct conn *c, uint64_t tag)
{
	cmd_init(c, tag, tur, 6, 0);
	c->iu[29] = 4;
	CHECK(conn_send(c, 48));
}

/*
 * A task with the attribute ACA that finds the queue full does not count as the
 * one that there may be. The store holds a READ until the second answer.
 */
void aca_full(unsigned int count)
{
	uint64_t tag;
	struct conn c;

	(void)count;
	open_good(&c);
	for (tag = 1; tag <= 2; tag++) {
		uint8_t cdb[10];
		size_t len;

		rw_cdb(cdb, false, 1);
		if (tag == 2) {
			put32(cdb + 2, 0xffffffff);
			cdb[9] = 0x04;	/* NACA */
		}
		len = cmd_init(&c, tag, cdb, 10, 0x01);
		len = add_desc(&c, len, (uintptr_t)c.data, c.mr->rkey, 512);
		CHECK(conn_send(&c, len));
	}
	expect_status(&c, 2, 2, 5, 0x21);
	answer("ACA is established: now make the queue full\n");
	for (tag = 3; tag <= 4; tag++) {
		send_aca_task(&c, tag);
		expect_status(&c, tag, 0x08, 0, 0);
	}
	answer("BUSY: now there may be room again\n");
	expect_status(&c, 1, 0, 0, 0);
	send_aca_task(&c, 5);
	expect_status(&c, 5, 0, 0, 0);
	cmd_init(&c, 6, tur, 6, 0);
	CHECK(conn_send(&c, 48));
	expect_status(&c, 6, 0x30, 0, 0);
	task_management(&c, 7, 0x40, 0, 0, 0);
	cmd_init(&c, 8, tur, 6, 0);
	CHECK(conn_send(&c, 48));
	expect_status(&c, 8, 0, 0, 0);
	expect_alive(&c);
}

/* ---- logout ---------------------------------------------------------- */

static void logout(unsigned int count)
{
	uint8_t cdb[10];
	struct conn c;
	size_t len;
	int i;

	(void)count;
	open_good(&c);
	rw_cdb(cdb, false, 128);
	for (i = 0; i < 32; i++) {
		len = cmd_init(&c, i, cdb, 10, 0x01);
		len = add_desc(&c, len, (uintptr_t)c.data, c.mr->rkey, 65536);
		CHECK(conn_send(&c, len));
	}
	memset(c.iu, 0, 16);
	c.iu[0] = 3;
	CHECK(conn_send(&c, 16));
	expect_closed(&c);
}

const struct test_case cases[] = {
	{ "login-good",		login_good },
	{ "login-iu-length",	login_iu_length },
	{ "login-fields",	login_fields },
	{ "login-imm-offset",	login_imm_offset },
	{ "relogin",		relogin },
	{ "cmd-residual",	cmd_residual },
	{ "cmd-short",		cmd_short },
	{ "cmd-formats",	cmd_formats },
	{ "cmd-indirect-lies",	cmd_indirect_lies },
	{ "cmd-table",		cmd_table },
	{ "cmd-keys",		cmd_keys },
	{ "cmd-immediate",	cmd_immediate },
	{ "cmd-oversize",	cmd_oversize },
	{ "cmd-luns",		cmd_luns },
	{ "opcodes",		opcodes },
	{ "tm-functions",	tm_functions },
	{ "logout",		logout },
	{ "login-formats",	login_formats },
	{ "login-ports",	login_ports },
	{ "login-numbers",	login_numbers },
	{ "login-truncated",	login_truncated },
	{ "lun-formats",	lun_formats },
	{ "iu-lengths",		iu_lengths },
	{ "cdb-lengths",	cdb_lengths },
	{ "desc-edges",		desc_edges },
	{ "silence",		silence },
	{ NULL, NULL }
};
