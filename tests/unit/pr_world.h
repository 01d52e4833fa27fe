/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A logical unit with initiator ports a to h and target ports 1 to 3, for the
 * tests of persistent reservations. What the state machine asks for is noted
 * as text: "b1:05 b1:abort" is a unit attention 2A/05 and an abort for
 * initiator port b at target port 1.
 */
#ifndef TESTS_UNIT_PR_WORLD_H
#define TESTS_UNIT_PR_WORLD_H

#include <stdio.h>

#include "common.h"
#include "scst/proto/cdb.h"
#include "scst/proto/pr_state.h"

#define WORLD_MAX	12

enum {
	REGISTER, RESERVE, RELEASE, CLEAR, PREEMPT, PREEMPT_AND_ABORT, REGISTER_AND_IGNORE,
	REGISTER_AND_MOVE,
};

static struct scst_pr_reg regs[WORLD_MAX];
static struct scst_pr pr;
static u8 tids[8][SCST_TID_LEN];
static const u16 all_ports[] = { 1, 2, 3 };
static char told[512];

static inline int world_setup(void **state)
{
	u8 port_id[16] = { 0 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(tids); i++) {
		port_id[15] = 'a' + i;
		scst_tid_srp(tids[i], port_id);
	}
	memset(regs, 0xee, sizeof(regs));
	pr = (struct scst_pr){ .regs = regs, .max = WORLD_MAX };
	told[0] = '\0';
	return 0;
}

static inline void note(const struct scst_pr_reg *reg, const char *what)
{
	size_t n = strlen(told);

	snprintf(told + n, sizeof(told) - n, "%s%c%u:%s", n ? " " : "", reg->tid[23],
		 reg->rel_tgt_id, what);
}

static inline void note_ua(const struct scst_pr_reg *reg, scst_sense_t ua, void *arg)
{
	char text[8];

	assert_int_equal(scst_sense_key(ua), 0x6);
	assert_int_equal(scst_sense_asc(ua), 0x2a);
	snprintf(text, sizeof(text), "%02x", scst_sense_ascq(ua));
	note(reg, text);
}

static inline void note_abort(const struct scst_pr_reg *reg, void *arg)
{
	note(reg, "abort");
}

/* "a1": initiator port a through target port 1. */
static inline struct scst_pr_nexus nexus(const char *name)
{
	return (struct scst_pr_nexus){
		.tid = tids[name[0] - 'a'],
		.tid_len = SCST_TID_LEN,
		.rel_tgt_id = name[1] - '0',
	};
}

/* A command with a parameter list of its own making; @told starts anew. */
static inline scst_sense_t pr_send(const char *from, u8 action, u8 scope_type,
				   const void *list, size_t len)
{
	const u8 cdb[10] = { 0x5f, action, scope_type };
	struct scst_pr_request req = {
		.cdb = cdb,
		.list = exact_copy(list, len),
		.len = len,
		.nexus = nexus(from),
		.ports = all_ports,
		.nr_ports = ARRAY_SIZE(all_ports),
		.unit_attention = note_ua,
		.abort = note_abort,
	};
	struct scst_pr_reg before_regs[WORLD_MAX];
	struct scst_pr before = pr;
	scst_sense_t sense;

	memcpy(before_regs, regs, sizeof(regs));
	told[0] = '\0';
	sense = scst_pr_out(&pr, &req);
	free((void *)req.list);
	if (sense != SCST_OK) {
		/* refused means that nothing happened */
		assert_memory_equal(&before, &pr, sizeof(pr));
		assert_memory_equal(before_regs, regs, sizeof(regs));
		assert_string_equal(told, "");
	}
	return sense;
}

/* The 24 bytes of every action but REGISTER AND MOVE. */
static inline scst_sense_t pr_do(const char *from, u8 action, u8 scope_type,
				 u64 key, u64 sa_key, u8 flags)
{
	u8 list[24] = { [20] = flags };

	put_unaligned_be64(key, list);
	put_unaligned_be64(sa_key, list + 8);
	return pr_send(from, action, scope_type, list, sizeof(list));
}

/* Registered nexuses with their keys: "a1=10 b1=20*", holders with a star. */
static inline void expect_state(const char *want, u8 type)
{
	char got[512] = "";
	unsigned int i;
	size_t n;

	for (i = 0; i < pr.nr; i++) {
		n = strlen(got);
		snprintf(got + n, sizeof(got) - n, "%s%c%u=%llx%s", n ? " " : "", regs[i].tid[23],
			 regs[i].rel_tgt_id, regs[i].key,
			 scst_pr_is_holder(&pr, &regs[i]) ? "*" : "");
	}
	assert_string_equal(got, want);
	assert_int_equal(pr.type, type);
}

/* a1, b1 and c1 with keys 0xa, 0xb and 0xc; a1 holds, if there is a type. */
static inline void three(u8 type)
{
	world_setup(NULL);
	assert_sense(pr_do("a1", REGISTER, 0, 0, 0xa, 0), SCST_OK);
	assert_sense(pr_do("b1", REGISTER, 0, 0, 0xb, 0), SCST_OK);
	assert_sense(pr_do("c1", REGISTER, 0, 0, 0xc, 0), SCST_OK);
	if (type)
		assert_sense(pr_do("a1", RESERVE, type, 0xa, 0, 0), SCST_OK);
}

static const u8 pr_types[] = {
	SCST_PR_WRITE_EXCL, SCST_PR_EXCL_ACCESS, SCST_PR_WRITE_EXCL_REG, SCST_PR_EXCL_ACCESS_REG,
	SCST_PR_WRITE_EXCL_ALL, SCST_PR_EXCL_ACCESS_ALL,
};

static inline bool pr_type_all(u8 type)
{
	return type >= SCST_PR_WRITE_EXCL_ALL;
}

static inline bool pr_type_reg(u8 type)
{
	return type >= SCST_PR_WRITE_EXCL_REG;
}

#endif
