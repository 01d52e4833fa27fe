// SPDX-License-Identifier: GPL-2.0
/*
 * One SCSI command, or very many of them, through a scsi_generic node.
 *
 *	sgio DEVICE probe	every opcode with zeroes behind it
 *	sgio DEVICE fuzz	every opcode, with all kinds of rubbish behind it
 *	sgio serve		one command for each line of standard input:
 *
 *		DEVICE CDB [in BYTES | drop BYTES | out DATA]
 *
 * CDB is in hexadecimal digits, DATA as well, in parts joined by commas: "01a0"
 * or "ff*512,00*512". Two lines come back, how it ended and what was returned
 * (nothing of it after "drop").
 * How it ended is a word (GOOD, CONFLICT, ...) or
 *
 *	KEY/ASC/ASCQ [@BYTE[:BIT]] [info=OFFSET] [descriptor]
 */
#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sg.h"

#define DATA_MAX	(4 << 20)
#define FUZZ_BYTES	1024

#define ACA_ACTIVE	0x30
#define NACA		0x04

static uint64_t get_be(const uint8_t *p, unsigned int n)
{
	uint64_t value = 0;

	while (n--)
		value = value << 8 | *p++;
	return value;
}

static void print_field(const uint8_t *sks)
{
	if (!(sks[0] & 0x80))
		return;
	printf(" @%u", (unsigned int)get_be(sks + 1, 2));
	if (sks[0] & 0x08)
		printf(":%u", sks[0] & 7);
}

static void print_descriptor_sense(const uint8_t *s)
{
	unsigned int off, end = 8 + s[7];

	printf("%x/%02x/%02x", s[1] & 0xf, s[2], s[3]);
	for (off = 8; off + 2 <= end && end <= SG_SENSE_MAX; off += 2 + s[off + 1]) {
		if (s[off] == 0x00 && s[off + 2] & 0x80)
			printf(" info=%llu", (unsigned long long)get_be(s + off + 4, 8));
		if (s[off] == 0x02)
			print_field(s + off + 4);
	}
	printf(" descriptor");
}

static void print_sense(const uint8_t *s)
{
	if ((s[0] & 0x7f) >= 0x72) {
		print_descriptor_sense(s);
		return;
	}
	printf("%x/%02x/%02x", s[2] & 0xf, s[12], s[13]);
	print_field(s + 15);
	if (s[0] & 0x80)
		printf(" info=%llu", (unsigned long long)get_be(s + 3, 4));
}

static void print_status(const struct sg_request *rq)
{
	switch (rq->status) {
	case 0:
		printf("GOOD");
		break;
	case CHECK_CONDITION:
		print_sense(rq->sense);
		break;
	case 0x08:
		printf("BUSY");
		break;
	case 0x18:
		printf("CONFLICT");
		break;
	case 0x28:
		printf("FULL");
		break;
	case ACA_ACTIVE:
		printf("ACA");
		break;
	default:
		printf("status %02x", rq->status);
	}
	printf("\n");
}

/* ---- one command --------------------------------------------------------- */

/* Hexadecimal digits up to the first other character; returns the bytes. */
static unsigned int parse_hex(const char **text, uint8_t *out, unsigned int room)
{
	const char *p = *text;
	unsigned int n = 0;

	for (;;) {
		char two[3] = "";

		if (!isxdigit((unsigned char)p[0]) || !isxdigit((unsigned char)p[1]) || n == room)
			break;
		memcpy(two, p, 2);
		out[n++] = strtoul(two, NULL, 16);
		p += 2;
	}
	*text = p;
	return n;
}

static unsigned int parse_data(const char *text, uint8_t *out)
{
	unsigned int len = 0, n, i;
	char *end;

	while (*text) {
		unsigned long times = 1;

		n = parse_hex(&text, out + len, DATA_MAX - len);
		if (n && *text == '*') {
			times = strtoul(text + 1, &end, 10);
			text = end;
		}
		if (!n || !times || (*text && *text != ',') || times > (DATA_MAX - len) / n) {
			errno = EINVAL;
			sg_die("data");
		}
		if (*text)
			text++;
		for (i = n; i < n * times; i++)
			out[len + i] = out[len + i - n];
		len += n * times;
	}
	return len;
}

static void run_one(const char *cdb, const char *dir, const char *arg, uint8_t *data)
{
	struct sg_request rq = { .dir = SG_DXFER_NONE, .data = data };
	bool print = dir && !strcmp(dir, "in");
	unsigned int i;

	rq.cdb_len = parse_hex(&cdb, rq.cdb, sizeof(rq.cdb));
	if (*cdb || (dir && !arg)) {
		errno = EINVAL;
		sg_die("CDB");
	}
	if (dir && (print || !strcmp(dir, "drop"))) {
		rq.dir = SG_DXFER_FROM_DEV;
		rq.len = atoi(arg);
	} else if (dir) {
		rq.dir = SG_DXFER_TO_DEV;
		rq.len = parse_data(arg, rq.data);
	}
	if (rq.len > DATA_MAX) {
		errno = EINVAL;
		sg_die("length");
	}
	if (sg_execute(&rq))
		print_status(&rq);
	else
		printf("no answer\n");
	for (i = 0; print && i < rq.moved; i++)
		printf("%02x", rq.data[i]);
	printf("\n");
}

static void serve(void)
{
	uint8_t *data = malloc(DATA_MAX);
	char *line = NULL;
	size_t room = 0;

	if (!data)
		sg_die("memory");
	while (getline(&line, &room, stdin) > 0) {
		const char *name = strtok(line, " \t\n");
		const char *cdb = strtok(NULL, " \t\n");
		const char *dir = strtok(NULL, " \t\n");
		const char *arg = strtok(NULL, " \t\n");

		if (!cdb) {
			errno = EINVAL;
			sg_die("command");
		}
		sg_open(name);
		run_one(cdb, dir, arg, data);
		sg_close();
		fflush(stdout);
	}
	free(line);
	free(data);
}

/* ---- all of them ----------------------------------------------------------- */

static void run_probe(void)
{
	struct sg_request rq = { .dir = SG_DXFER_NONE, .cdb_len = 16 };
	unsigned int op;

	for (op = 0; op < 256; op++) {
		rq.cdb[0] = op;
		if (!sg_execute(&rq))
			exit(1);
		printf("%02x ", op);
		print_status(&rq);
	}
}

static unsigned int control_byte(unsigned int opcode)
{
	static const unsigned char lens[8] = { 6, 10, 10, 0, 16, 12, 0, 0 };
	unsigned int len = lens[opcode >> 5];

	if (opcode == 0x7f)
		return 1;
	return len ? len - 1 : 0;
}

/* The same numbers in every run. */
static unsigned int next_random(void)
{
	static uint32_t x = 2463534242;

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	return x;
}

enum { FILL_00, FILL_FF, FILL_RANDOM, FILLS };

static void fill_cdb(struct sg_request *rq, unsigned int op, int fill)
{
	unsigned int i, control = control_byte(op);

	for (i = 1; i < SG_CDB_MAX; i++)
		rq->cdb[i] = fill == FILL_00 ? 0 : fill == FILL_FF ? 0xff : next_random() >> 8;
	rq->cdb[0] = op;
	/* Without NACA (and LINK, of the random ones): every other command would be ACA ACTIVE. */
	if (control)
		rq->cdb[control] &= fill == FILL_RANDOM ? ~(NACA | 1) : ~NACA;
}

static void run_fuzz(void)
{
	static const unsigned char lens[] = { 6, 10, 12, 16, 32 };
	static const int dirs[] = { SG_DXFER_NONE, SG_DXFER_FROM_DEV, SG_DXFER_TO_DEV };
	unsigned int op, i, d, sent = 0, answered = 0, refused = 0, other = 0;
	struct sg_request rq = { };
	int fill;

	rq.data = calloc(1, FUZZ_BYTES);
	if (!rq.data)
		sg_die("memory");
	for (op = 0; op < 256; op++) {
		for (i = 0; i < sizeof(lens) * 3 * FILLS; i++) {
			fill = i % FILLS;
			d = i / FILLS % 3;
			rq.cdb_len = lens[i / FILLS / 3];
			rq.dir = dirs[d];
			rq.len = d ? FUZZ_BYTES : 0;
			fill_cdb(&rq, op, fill);
			if (!sg_execute(&rq)) {
				printf("opcode %02x, %u bytes: no answer\n", op, rq.cdb_len);
				exit(1);
			}
			sent++;
			if (!rq.status)
				answered++;
			else if (rq.status == CHECK_CONDITION && (rq.sense[2] & 0xf) == 5)
				refused++;
			else
				other++;
		}
	}
	printf("sent %u answered %u refused %u other %u\n", sent, answered, refused, other);
	free(rq.data);
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "serve")) {
		serve();
		return 0;
	}
	if (argc != 3 || (strcmp(argv[2], "probe") && strcmp(argv[2], "fuzz"))) {
		fprintf(stderr, "usage: sgio { serve | DEVICE probe | DEVICE fuzz }\n");
		return 2;
	}
	sg_open(argv[1]);
	if (!strcmp(argv[2], "probe"))
		run_probe();
	else
		run_fuzz();
	sg_close();
	return 0;
}
