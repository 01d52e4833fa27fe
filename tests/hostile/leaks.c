// SPDX-License-Identifier: GPL-2.0
/*
 * No memory of the target's leaves it (B196): every Data-In command with many
 * allocation lengths, and buffers that are as long, longer or shorter. Each is
 * sent twice into memory filled differently. What was returned is the same both
 * times, what was not is still what it was before.
 */
#include <stdio.h>
#include <string.h>

#include "hostile.h"

#define LUN_NONE	99
#define LEAK_ROOM	8192

struct data_in {
	const char *name;
	uint8_t cdb[16];
	uint8_t len_off, len_len;	/* ALLOCATION LENGTH */
	bool blocks;			/* ... of which 512 bytes */
};

static const struct data_in commands[] = {
	{ "INQUIRY", { 0x12 }, 3, 2, false },
	{ "INQUIRY, CMDDT", { 0x12, 2 }, 3, 2, false },
	{ "REQUEST SENSE", { 0x03 }, 4, 1, false },
	{ "REQUEST SENSE, descriptors", { 0x03, 1 }, 4, 1, false },
	{ "MODE SENSE(6)", { 0x1a, 0, 0x3f }, 4, 1, false },
	{ "MODE SENSE(6), changeable", { 0x1a, 0, 0x7f }, 4, 1, false },
	{ "MODE SENSE(6), no page", { 0x1a, 0, 0x05 }, 4, 1, false },
	{ "MODE SENSE(10)", { 0x5a, 0, 0x3f }, 7, 2, false },
	{ "MODE SENSE(10), LLBAA", { 0x5a, 0x10, 0x08 }, 7, 2, false },
	{ "READ CAPACITY(10)", { 0x25 }, 0, 0, false },
	{ "READ CAPACITY(16)", { 0x9e, 0x10 }, 10, 4, false },
	{ "GET LBA STATUS", { 0x9e, 0x12 }, 10, 4, false },
	{ "REPORT LUNS", { 0xa0 }, 6, 4, false },
	{ "REPORT LUNS, well known", { 0xa0, 0, 1 }, 6, 4, false },
	{ "REPORT LUNS, all", { 0xa0, 0, 2 }, 6, 4, false },
	{ "REPORT SUPPORTED OPERATION CODES", { 0xa3, 0x0c }, 6, 4, false },
	{ "... with timeouts", { 0xa3, 0x0c, 0x80 }, 6, 4, false },
	{ "... one", { 0xa3, 0x0c, 0x01, 0x28 }, 6, 4, false },
	{ "... one with service action", { 0xa3, 0x0c, 0x82, 0x9e, 0, 0x10 }, 6, 4, false },
	{ "... one that is not", { 0xa3, 0x0c, 0x01, 0xc1 }, 6, 4, false },
	{ "REPORT SUPPORTED TASK MANAGEMENT FUNCTIONS", { 0xa3, 0x0d }, 6, 4, false },
	{ "REPORT TARGET PORT GROUPS", { 0xa3, 0x0a }, 6, 4, false },
	{ "REPORT IDENTIFYING INFORMATION", { 0xa3, 0x05 }, 6, 4, false },
	{ "PERSISTENT RESERVE IN, keys", { 0x5e, 0 }, 7, 2, false },
	{ "PERSISTENT RESERVE IN, reservation", { 0x5e, 1 }, 7, 2, false },
	{ "PERSISTENT RESERVE IN, capabilities", { 0x5e, 2 }, 7, 2, false },
	{ "PERSISTENT RESERVE IN, all", { 0x5e, 3 }, 7, 2, false },
	{ "LOG SENSE", { 0x4d, 0, 0x40 }, 7, 2, false },
	{ "READ TOC", { 0x43 }, 7, 2, false },
	{ "READ BUFFER", { 0x3c, 2 }, 6, 3, false },
	{ "RECEIVE DIAGNOSTIC RESULTS", { 0x1c, 1 }, 3, 2, false },
	{ "RECEIVE COPY STATUS", { 0x84, 3 }, 10, 4, false },
	{ "READ(6)", { 0x08 }, 4, 1, true },
	{ "READ(10)", { 0x28 }, 7, 2, true },
	{ "READ(16)", { 0x88 }, 10, 4, true },
	{ "READ(10) behind the end", { 0x28, 0, 0x7f }, 7, 2, true },
};

static const uint16_t lengths[] = {
	0, 1, 3, 4, 5, 7, 8, 12, 17, 18, 32, 36, 64, 255, 512, 4095,
};

struct outcome {
	uint8_t data[LEAK_ROOM];
	uint8_t rsp[RSP_SIZE];
	size_t rsp_len, moved;
};

static bool is_filled(const uint8_t *p, size_t len, uint8_t fill)
{
	while (len && *p == fill) {
		p++;
		len--;
	}
	return !len;
}

/* One command with @room bytes for its data; false if there was no answer. */
static bool run(struct conn *c, const uint8_t *cdb, uint8_t lun, uint32_t room, uint8_t fill,
		struct outcome *out)
{
	size_t len = cmd_init(c, 0x1234, cdb, 16, room ? 0x01 : 0);

	c->iu[21] = lun;
	memset(c->data, fill, LEAK_ROOM);
	if (room)
		len = add_desc(c, len, (uintptr_t)c->data, c->mr->rkey, room);
	if (!conn_send(c, len) || conn_recv(c, 20) < 36)
		return false;
	memcpy(out->data, c->data, LEAK_ROOM);
	memcpy(out->rsp, c->rsp, c->rsp_len);
	out->rsp_len = c->rsp_len;
	out->moved = room - (c->rsp[18] & 0x20 ? get32(c->rsp + 24) : 0);
	if (!is_filled(c->data + out->moved, LEAK_ROOM - out->moved, fill))
		fail("data behind the %zu bytes that were told", out->moved);
	if (has_poison(c->data, out->moved))
		fail("a run of poison in the data");
	return true;
}

static void compare(const struct outcome *a, const struct outcome *b)
{
	size_t i;

	CHECK(a->moved == b->moved && a->rsp_len == b->rsp_len);
	/* Credits are another matter. */
	CHECK(!memcmp(a->rsp + 8, b->rsp + 8, a->rsp_len - 8));
	for (i = 0; i < a->moved; i++)
		if (a->data[i] != b->data[i]) {
			fail("byte %zu of %zu: %#x, then %#x", i, a->moved, a->data[i], b->data[i]);
			break;
		}
}

/* Returns false if the channel is gone. */
static bool probe(struct conn *c, const char *name, const uint8_t *cdb, uint8_t lun, uint32_t room)
{
	static struct outcome first, second;

	if (!run(c, cdb, lun, room, 0xc3, &first) || !run(c, cdb, lun, room, 0x3c, &second)) {
		fail("%s: no answer", name);
		return false;
	}
	compare(&first, &second);
	return true;
}

static void set_length(uint8_t *cdb, const struct data_in *cmd, uint32_t len)
{
	unsigned int i;

	for (i = cmd->len_len; i--; len >>= 8)
		cdb[cmd->len_off + i] = len;
}

static bool probe_lengths(struct conn *c, const struct data_in *cmd, uint8_t lun)
{
	uint8_t cdb[16];
	unsigned int i;

	memcpy(cdb, cmd->cdb, 16);
	for (i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		uint32_t len = lengths[i];

		if (cmd->len_len == 1 && len > 255)
			continue;
		set_length(cdb, cmd, cmd->blocks ? len % 16 : len);
		if (!probe(c, cmd->name, cdb, lun, len) ||
		    !probe(c, cmd->name, cdb, lun, len / 2) ||
		    !probe(c, cmd->name, cdb, lun, len + 100))
			return false;
	}
	return true;
}

static bool probe_vpd(struct conn *c, uint8_t page)
{
	static const uint8_t some[] = { 3, 4, 5, 20, 37, 255 };
	uint8_t cdb[16] = { 0x12, 1, page };
	unsigned int i;

	for (i = 0; i < sizeof(some); i++) {
		cdb[4] = some[i];
		if (!probe(c, "VPD", cdb, 0, 255))
			return false;
	}
	return true;
}

void leaks(unsigned int count)
{
	struct login login;
	unsigned int i;
	struct conn c;
	bool there;

	(void)count;
	login_init(&login);
	if (!conn_open(&c, &login)) {
		fail("login refused, reason %#x", c.reject);
		return;
	}
	conn_clear_ua(&c);
	there = true;
	for (i = 0; i < sizeof(commands) / sizeof(commands[0]) && there; i++)
		there = probe_lengths(&c, &commands[i], 0);
	for (i = 0; i < 256 && there; i++)
		there = probe_vpd(&c, i);
	/* A LUN that is not there answers some of it, too. */
	for (i = 0; i < 16 && there; i++)
		there = probe_lengths(&c, &commands[i], LUN_NONE);
	CHECK(conn_alive(&c));
	conn_close(&c);
}
