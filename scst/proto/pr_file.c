// SPDX-License-Identifier: GPL-2.0
/*
 * Persistent reservations outside memory: the file that survives a restart, and
 * the text of the pr_state attribute.
 */
#include "pr_state.h"
#include "pr_private.h"
#include "out.h"
#include "text.h"

#define FILE_VERSION		1
#define FILE_HEADER_LEN		20	/* signature, version, APTPL, reserved, type, scope */
#define RECORD_TAIL_LEN		10	/* key, relative target port identifier */

/* What holds for every state, however it came here. */
static bool state_valid(struct scst_pr *pr)
{
	unsigned int holders = 0;
	struct scst_pr_reg *reg;

	for (reg = pr->regs; reg < pr->regs + pr->nr; reg++) {
		if (!reg->key)
			return false;
		holders += reg->holder;
		/* Who holds follows from the type then. */
		if (pr->type == SCST_PR_NONE || scst_pr_is_all(pr->type))
			reg->holder = false;
	}
	if (pr->type == SCST_PR_NONE)
		return true;
	return scst_pr_is_all(pr->type) ? pr->nr > 0 : holders == 1;
}

static int finish(struct scst_pr *pr, int ret)
{
	if (!ret && !state_valid(pr))
		ret = -1;
	if (ret) {
		pr->nr = 0;
		pr->type = SCST_PR_NONE;
		pr->aptpl = false;
		pr->generation = 0;
	}
	return ret;
}

/* 0, -1 if there is one already, -2 if there is no room. */
static int add_reg(struct scst_pr *pr, const struct scst_pr_nexus *nexus, u64 key, bool holder)
{
	struct scst_pr_reg *reg;

	if (scst_pr_find(pr, nexus))
		return -1;
	reg = scst_pr_append(pr, nexus);
	if (!reg)
		return -2;
	reg->key = key;
	reg->holder = holder;
	return 0;
}

/* --- the file; integers without a byte order of their own are the machine's --- */

size_t scst_pr_save(u8 *buf, size_t room, const struct scst_pr *pr)
{
	struct scst_out out = { .buf = buf, .room = room };
	const u64 sign = SCST_PR_FILE_SIGN, version = FILE_VERSION;
	const struct scst_pr_reg *reg;

	scst_out_bytes(&out, &sign, sizeof(sign));
	scst_out_bytes(&out, &version, sizeof(version));
	scst_out_u8(&out, pr->aptpl);
	scst_out_u8(&out, pr->type != SCST_PR_NONE);
	scst_out_u8(&out, pr->type);
	scst_out_u8(&out, 0);
	for (reg = pr->regs; reg < pr->regs + pr->nr; reg++) {
		scst_out_u8(&out, scst_pr_is_holder(pr, reg));
		scst_out_bytes(&out, reg->tid, reg->tid_len);
		scst_out_be64(&out, reg->key);
		scst_out_bytes(&out, &reg->rel_tgt_id, sizeof(reg->rel_tgt_id));
	}
	return out.len;
}

static int load_header(struct scst_pr *pr, const u8 *buf, size_t len)
{
	u64 sign, version;

	if (len < FILE_HEADER_LEN)
		return -1;
	memcpy(&sign, buf, sizeof(sign));
	memcpy(&version, buf + 8, sizeof(version));
	if (sign != SCST_PR_FILE_SIGN || version != FILE_VERSION)
		return -1;
	pr->aptpl = buf[16];
	pr->type = buf[17] ? buf[18] : SCST_PR_NONE;
	if (buf[17] && (!scst_pr_type_valid(buf[18]) || buf[19]))	/* SCOPE */
		return -1;
	return 0;
}

/* One record; sets @used. */
static int load_record(struct scst_pr *pr, const u8 *buf, size_t left, size_t *used)
{
	struct scst_pr_nexus nexus = { .tid = buf + 1 };
	const u8 *tail;

	nexus.tid_len = scst_tid_len(buf + 1, left - 1);
	if (!nexus.tid_len || left - 1 - nexus.tid_len < RECORD_TAIL_LEN)
		return -1;
	tail = buf + 1 + nexus.tid_len;
	memcpy(&nexus.rel_tgt_id, tail + 8, sizeof(nexus.rel_tgt_id));
	*used = 1 + nexus.tid_len + RECORD_TAIL_LEN;
	return add_reg(pr, &nexus, get_unaligned_be64(tail), buf[0]);
}

int scst_pr_load(struct scst_pr *pr, const u8 *buf, size_t len)
{
	size_t off, used;
	int ret;

	ret = load_header(pr, buf, len);
	for (off = FILE_HEADER_LEN; !ret && off < len; off += used)
		ret = load_record(pr, buf + off, len - off, &used);
	return finish(pr, ret);
}

/* --- the text --- */

static void print_hex(struct scst_out *out, const u8 *bytes, size_t n)
{
	static const char digits[] = "0123456789abcdef";
	size_t i;

	for (i = 0; i < n; i++) {
		scst_out_u8(out, digits[bytes[i] >> 4]);
		scst_out_u8(out, digits[bytes[i] & 0xf]);
	}
}

static void print_line(struct scst_out *out, const char *line)
{
	scst_out_bytes(out, line, strlen(line));
}

size_t scst_pr_print(char *buf, size_t room, const struct scst_pr *pr)
{
	struct scst_out out = { .buf = (u8 *)buf, .room = room };
	const struct scst_pr_reg *reg;
	char line[80];

	scnprintf(line, sizeof(line), "version 1\ngeneration %u\n", pr->generation);
	print_line(&out, line);
	if (pr->type != SCST_PR_NONE) {
		scnprintf(line, sizeof(line), "reservation %02x 00\n", pr->type);
		print_line(&out, line);
	}
	for (reg = pr->regs; reg < pr->regs + pr->nr; reg++) {
		scnprintf(line, sizeof(line), "registrant %u %016llx %d %u ", reg->rel_tgt_id,
			  reg->key, scst_pr_is_holder(pr, reg), reg->tid_len);
		print_line(&out, line);
		print_hex(&out, reg->tid, reg->tid_len);
		print_line(&out, "\n");
	}
	return out.len;
}

/* A decimal number of at most @most. */
static int parse_number(char **pos, u64 most, u64 *out)
{
	return scst_text_u64(scst_text_word(pos), out) || *out > most ? -1 : 0;
}

static int parse_reservation(struct scst_pr *pr, char *pos)
{
	u8 scope;

	if (scst_text_hex(scst_text_word(&pos), &pr->type, 1) ||
	    scst_text_hex(scst_text_word(&pos), &scope, 1))
		return -1;
	return scope || !scst_pr_type_valid(pr->type) ? -1 : 0;
}

static int parse_registrant(struct scst_pr *pr, char *pos)
{
	u8 tid[SCST_TID_MAX], key[8];
	struct scst_pr_nexus nexus = { .tid = tid };
	u64 port, holder, len;

	if (parse_number(&pos, U16_MAX, &port) ||
	    scst_text_hex(scst_text_word(&pos), key, sizeof(key)) ||
	    parse_number(&pos, 1, &holder) || parse_number(&pos, sizeof(tid), &len) ||
	    scst_text_hex(scst_text_word(&pos), tid, len) ||
	    !len || scst_tid_len(tid, len) != len)
		return -1;
	nexus.tid_len = len;
	nexus.rel_tgt_id = port;
	return add_reg(pr, &nexus, get_unaligned_be64(key), holder);
}

static int parse_line(struct scst_pr *pr, char *line, unsigned int *unknown)
{
	char *word = scst_text_word(&line);
	u64 n;

	if (!strcmp(word, "generation")) {
		if (parse_number(&line, U32_MAX, &n))
			return -1;
		pr->generation = n;
	} else if (!strcmp(word, "reservation")) {
		return parse_reservation(pr, line);
	} else if (!strcmp(word, "registrant")) {
		return parse_registrant(pr, line);
	} else if (*word) {
		++*unknown;
	}
	return 0;
}

static char *next_line(char **pos)
{
	char *line = *pos;
	char *end = line + strcspn(line, "\n");

	*pos = end;
	if (*end) {
		*end = '\0';
		*pos = end + 1;
	}
	return line;
}

int scst_pr_parse(struct scst_pr *pr, char *text, unsigned int *unknown)
{
	char *line = next_line(&text);
	u64 version;
	int ret = 0;

	*unknown = 0;
	if (strcmp(scst_text_word(&line), "version") ||
	    scst_text_u64(scst_text_word(&line), &version) || version != 1)
		ret = -1;
	while (!ret && *text)
		ret = parse_line(pr, next_line(&text), unknown);
	return finish(pr, ret);
}
