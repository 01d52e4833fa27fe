// SPDX-License-Identifier: GPL-2.0
/*
 * Does a scsi_generic node return bytes that nobody meant to send (B196)?
 *
 *	sgleak DEVICE
 *
 * Every Data-In command with all kinds of allocation lengths, every opcode with
 * zeroes and with ones behind it, each twice with direct I/O into memory that
 * was filled differently. What was returned has to be the same both times (so
 * nothing of it was left unwritten), what was not has to be as it was before,
 * and there must be no run of the bytes with which a debug kernel fills fresh
 * and freed memory.
 *
 * Needs /proc/scsi/sg/allow_dio.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sg.h"

#define ROOM		8192
#define NACA		0x04

struct data_in {
	uint8_t cdb[SG_CDB_MAX];
	uint8_t cdb_len;
	uint8_t len_off, len_len;	/* ALLOCATION LENGTH */
	uint8_t page_off, page_from, page_to;
	bool blocks;			/* ... of which 512 bytes */
};

static const struct data_in commands[] = {
	{ { 0x12 }, 6, 3, 2, 0, 0, 0, false },			/* INQUIRY */
	{ { 0x12, 1 }, 6, 3, 2, 2, 0x00, 0xff, false },		/* ... VPD */
	{ { 0x03 }, 6, 4, 1, 1, 0, 1, false },			/* REQUEST SENSE */
	{ { 0x1a }, 6, 4, 1, 2, 0x00, 0xff, false },		/* MODE SENSE(6) */
	{ { 0x1a, 8, 0x3f, 0xff }, 6, 4, 1, 0, 0, 0, false },	/* ... subpages */
	{ { 0x5a }, 10, 7, 2, 2, 0x00, 0xff, false },		/* MODE SENSE(10) */
	{ { 0x5a, 0x10 }, 10, 7, 2, 2, 0x3f, 0x3f, false },	/* ... LLBAA */
	{ { 0x25 }, 10, 0, 0, 0, 0, 0, false },			/* READ CAPACITY(10) */
	{ { 0x9e }, 16, 10, 4, 1, 0x00, 0x1f, false },		/* SERVICE ACTION IN(16) */
	{ { 0xa0 }, 12, 6, 4, 2, 0x00, 0x12, false },		/* REPORT LUNS */
	{ { 0xa3 }, 12, 6, 4, 1, 0x00, 0x1f, false },		/* MAINTENANCE IN */
	{ { 0xa3, 0x0c, 0x80 }, 12, 6, 4, 0, 0, 0, false },	/* ... opcodes, time-outs */
	{ { 0xa3, 0x0c, 0x81 }, 12, 6, 4, 3, 0x00, 0xff, false }, /* ... one opcode */
	{ { 0xa3, 0x0c, 0x82, 0x9e }, 12, 6, 4, 5, 0x00, 0x1f, false }, /* ... and action */
	{ { 0x5e }, 10, 7, 2, 1, 0x00, 0x1f, false },		/* PERSISTENT RESERVE IN */
	{ { 0x4d }, 10, 7, 2, 2, 0x40, 0x7f, false },		/* LOG SENSE */
	{ { 0x43 }, 10, 7, 2, 2, 0x00, 0x0f, false },		/* READ TOC */
	{ { 0x3c }, 10, 6, 3, 1, 0x00, 0x1f, false },		/* READ BUFFER */
	{ { 0x1c, 1 }, 6, 3, 2, 2, 0x00, 0x03, false },		/* RECEIVE DIAGNOSTIC */
	{ { 0x84 }, 16, 10, 4, 1, 0x00, 0x1f, false },		/* RECEIVE COPY RESULTS */
	{ { 0x4a, 1 }, 10, 7, 2, 4, 0x00, 0x7f, false },	/* GET EVENT STATUS */
	{ { 0x46 }, 10, 7, 2, 1, 0x00, 0x02, false },		/* GET CONFIGURATION */
	{ { 0x51 }, 10, 7, 2, 0, 0, 0, false },			/* READ DISC INFORMATION */
	{ { 0x08 }, 6, 4, 1, 0, 0, 0, true },			/* READ(6) */
	{ { 0x28 }, 10, 7, 2, 0, 0, 0, true },			/* READ(10) */
	{ { 0xa8 }, 12, 6, 4, 0, 0, 0, true },			/* READ(12) */
	{ { 0x88 }, 16, 10, 4, 0, 0, 0, true },			/* READ(16) */
	{ { 0x28, 0, 0x7f }, 10, 7, 2, 0, 0, 0, true },		/* ... behind the end */
};

static const uint16_t lengths[] = { 0, 1, 3, 4, 5, 8, 12, 17, 18, 36, 64, 255, 256, 512, 4095 };

static unsigned int sent, bad;

static void wrong(const struct sg_request *rq, const char *what, unsigned int at)
{
	unsigned int i;

	printf("# ");
	for (i = 0; i < rq->cdb_len; i++)
		printf("%02x", rq->cdb[i]);
	printf(", room for %u, returned %u: %s, byte %u\n", rq->len, rq->moved, what, at);
	if (++bad > 20)
		exit(1);
}

static void find_poison(const struct sg_request *rq, const uint8_t *p, unsigned int len,
			const char *what)
{
	static const uint8_t poison[] = { 0x5a, 0x6b, 0xaa };
	unsigned int i;

	for (i = 0; i + 4 <= len; i++)
		if (memchr(poison, p[i], sizeof(poison)) && !memcmp(p + i, p + i + 1, 3))
			wrong(rq, what, i);
}

static void run(struct sg_request *rq, uint8_t fill)
{
	unsigned int i;

	memset(rq->data, fill, ROOM);
	rq->dir = rq->len ? SG_DXFER_FROM_DEV : SG_DXFER_NONE;
	rq->flags = SG_FLAG_DIRECT_IO;
	if (!sg_execute(rq))
		wrong(rq, "no answer", 0);
	if (rq->len && !rq->direct) {
		errno = ENOTSUP;
		sg_die("direct I/O");
	}
	sent++;
	for (i = rq->moved; i < ROOM; i++) {
		if (rq->data[i] != fill) {
			wrong(rq, "written behind the end", i);
			break;
		}
	}
	find_poison(rq, rq->data, rq->moved, "poison in the data");
	find_poison(rq, rq->sense, rq->sense_len, "poison in the sense data");
}

static void probe(struct sg_request *rq)
{
	static struct sg_request first;
	static uint8_t data[ROOM];
	unsigned int i;

	run(rq, 0xc3);
	first = *rq;
	memcpy(data, rq->data, ROOM);
	run(rq, 0x3c);
	if (first.status != rq->status || first.moved != rq->moved ||
	    first.sense_len != rq->sense_len || memcmp(first.sense, rq->sense, rq->sense_len)) {
		wrong(rq, "another outcome", 0);
		return;
	}
	for (i = 0; i < rq->moved; i++) {
		if (data[i] != rq->data[i]) {
			wrong(rq, "differs or was not written", i);
			break;
		}
	}
}

static void probe_command(struct sg_request *rq, const struct data_in *cmd)
{
	static const uint16_t rooms[] = { 512, ROOM };
	unsigned int page, i, j, k;

	memcpy(rq->cdb, cmd->cdb, sizeof(rq->cdb));
	rq->cdb_len = cmd->cdb_len;
	for (page = cmd->page_from; page <= cmd->page_to; page++) {
		if (cmd->page_off)
			rq->cdb[cmd->page_off] = page;
		for (i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
			uint32_t len = cmd->blocks ? lengths[i] % 16 : lengths[i];

			/* Many pages need not see all of them. */
			if (cmd->page_to - cmd->page_from > 40 && i % 7)
				continue;
			for (j = cmd->len_len; j--; len >>= 8)
				rq->cdb[cmd->len_off + j] = len;
			for (k = 0; k < 2; k++) {
				rq->len = rooms[k];
				probe(rq);
			}
		}
	}
}

/* Commands that would change something in between are told to bring data, which they refuse. */
static void probe_opcodes(struct sg_request *rq, uint8_t fill)
{
	static const uint8_t lens[8] = { 6, 10, 10, 32, 16, 12, 16, 16 };
	unsigned int op, len;

	for (op = 0; op < 256; op++) {
		len = lens[op >> 5];
		memset(rq->cdb, fill, sizeof(rq->cdb));
		rq->cdb[0] = op;
		rq->cdb[op == 0x7f ? 1 : len - 1] = 0;
		rq->cdb_len = len;
		rq->len = ROOM;
		probe(rq);
	}
}

int main(int argc, char **argv)
{
	struct sg_request rq = { };
	unsigned int i;

	if (argc != 2) {
		fprintf(stderr, "usage: sgleak DEVICE\n");
		return 2;
	}
	/* Aligned, or the kernel copies all of it. */
	rq.data = aligned_alloc(4096, ROOM);
	if (!rq.data)
		sg_die("memory");
	sg_open(argv[1]);
	for (i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		probe_command(&rq, &commands[i]);
	probe_opcodes(&rq, 0x00);
	probe_opcodes(&rq, 0xff);
	sg_close();
	free(rq.data);
	printf("# %u commands\n", sent);
	return bad ? 1 : 0;
}
