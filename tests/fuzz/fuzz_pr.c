// SPDX-License-Identifier: GPL-2.0
/*
 * Persistent reservations. Input: a letter, then for "f" an APTPL file and for
 * "t" a pr_state text, which are loaded and saved again; for "n" an iSCSI name; for
 * "c" commands, each with sender, service action, scope and type, length of the
 * parameter list, and that list.
 */
#include "fuzz.h"
#include "scst/proto/cdb.h"
#include "scst/proto/pr_state.h"

#define MAX_REGS	6

static const u16 ports[] = { 1, 2 };

/* What a callback may rely on: a registrant that is still complete. */
static void on_ua(const struct scst_pr_reg *reg, scst_sense_t ua, void *arg)
{
	MUST(reg->key && scst_tid_len(reg->tid, reg->tid_len) == reg->tid_len);
	MUST(scst_sense_key(ua) == 6);
}

static void on_abort(const struct scst_pr_reg *reg, void *arg)
{
	MUST(reg->key);
}

static void check_state(const struct scst_pr *pr)
{
	unsigned int i, j, holders = 0;

	MUST(pr->nr <= pr->max);
	MUST(pr->type == SCST_PR_NONE || pr->nr);
	for (i = 0; i < pr->nr; i++) {
		struct scst_pr_reg *reg = &pr->regs[i];

		MUST(reg->key);
		MUST(scst_tid_len(reg->tid, reg->tid_len) == reg->tid_len);
		holders += scst_pr_is_holder(pr, reg);
		for (j = 0; j < i; j++)
			MUST(pr->regs[j].rel_tgt_id != reg->rel_tgt_id ||
			     !scst_tid_equal(pr->regs[j].tid, pr->regs[j].tid_len,
					     reg->tid, reg->tid_len));
	}
	if (pr->type == SCST_PR_NONE)
		MUST(!holders);
	else if (pr->type == SCST_PR_WRITE_EXCL_ALL || pr->type == SCST_PR_EXCL_ACCESS_ALL)
		MUST(holders == pr->nr);
	else
		MUST(holders == 1);
}

static void expect_equal(const struct scst_pr *a, const struct scst_pr *b)
{
	unsigned int i;

	MUST(a->nr == b->nr && a->type == b->type);
	for (i = 0; i < a->nr; i++) {
		MUST(a->regs[i].key == b->regs[i].key);
		MUST(a->regs[i].tid_len == b->regs[i].tid_len);
		MUST(!memcmp(a->regs[i].tid, b->regs[i].tid, a->regs[i].tid_len));
		MUST(scst_pr_is_holder(a, &a->regs[i]) == scst_pr_is_holder(b, &b->regs[i]));
	}
}

/* What is saved is loaded again as it was. */
static void save_and_load(const struct scst_pr *pr)
{
	struct scst_pr_reg regs[MAX_REGS];
	struct scst_pr copy = { .regs = regs, .max = MAX_REGS };
	size_t len = scst_pr_save(NULL, 0, pr);
	u8 *file = malloc(len);
	unsigned int unknown;
	char *text;

	MUST(file && scst_pr_save(file, len, pr) == len);
	MUST(!scst_pr_load(&copy, file, len));
	expect_equal(pr, &copy);
	MUST(pr->aptpl == copy.aptpl);
	free(file);

	copy = (struct scst_pr){ .regs = regs, .max = MAX_REGS };
	len = scst_pr_print(NULL, 0, pr);
	text = malloc(len + 1);
	MUST(text && scst_pr_print(text, len, pr) == len);
	text[len] = '\0';
	MUST(!scst_pr_parse(&copy, text, &unknown) && !unknown);
	expect_equal(pr, &copy);
	MUST(pr->generation == copy.generation);
	free(text);
}

static void report(const struct scst_pr *pr)
{
	u8 cdb[10] = { 0x5e, [7] = 0xff };
	size_t needed, again;
	u8 *buf;

	for (cdb[1] = 0; cdb[1] < 4; cdb[1]++) {
		MUST(scst_pr_in(NULL, 0, cdb, pr, &needed) == SCST_OK);
		buf = malloc(needed / 2);
		MUST(buf && scst_pr_in(buf, needed / 2, cdb, pr, &again) == SCST_OK);
		MUST(again == needed);
		free(buf);
	}
}

/* Sender 0 to 7: four SRP ports at two target ports. */
static void sender(u8 who, u8 *tid, struct scst_pr_nexus *nexus)
{
	u8 port_id[16] = { [15] = who & 3 };

	scst_tid_srp(tid, port_id);
	*nexus = (struct scst_pr_nexus){
		.tid = tid, .tid_len = SCST_TID_LEN, .rel_tgt_id = 1 + (who >> 2 & 1),
	};
}

static void commands(const u8 *data, size_t size)
{
	struct scst_pr_reg regs[MAX_REGS], old_regs[MAX_REGS];
	struct scst_pr pr = { .regs = regs, .max = MAX_REGS }, old;
	u8 cdb[10] = { 0x5f }, tid[SCST_TID_LEN];
	struct scst_pr_request req = {
		.cdb = cdb, .ports = ports, .nr_ports = ARRAY_SIZE(ports),
		.unit_attention = on_ua, .abort = on_abort,
	};
	u32 flag;
	u8 *list;

	memset(regs, 0, sizeof(regs));
	while (size >= 4) {
		sender(data[0], tid, &req.nexus);
		cdb[1] = data[1];
		cdb[2] = data[2];
		req.len = data[3];
		if (req.len > size - 4)
			req.len = size - 4;
		list = fuzz_copy(data + 4, req.len);
		req.list = list;
		data += 4 + req.len;
		size -= 4 + req.len;

		old = pr;
		memcpy(old_regs, regs, sizeof(regs));
		if (scst_pr_out(&pr, &req) != SCST_OK) {
			MUST(!memcmp(&old, &pr, sizeof(pr)));
			MUST(!memcmp(old_regs, regs, sizeof(regs)));
		}
		free(list);
		check_state(&pr);
		flag = scst_pr_required_flag(&pr, &req.nexus);
		MUST(!flag || flag == SCST_CDB_ALLOW_WR_EX || flag == SCST_CDB_ALLOW_EX_AC);
		MUST(!flag || !scst_pr_spc2_good(&pr, &req.nexus));
	}
	save_and_load(&pr);
	report(&pr);
}

/* TransportIDs of iSCSI names: what is built is accepted, and equal to itself alone. */
static void iscsi_name(const char *name)
{
	u8 tid[SCST_TID_MAX], other[SCST_TID_LEN];
	size_t len = scst_tid_iscsi(tid, name);

	if (!len)
		return;
	MUST(len <= sizeof(tid) && scst_tid_len(tid, len) == len);
	MUST(!scst_tid_len(tid, len - 1));
	MUST(scst_tid_equal(tid, len, tid, len));
	scst_tid_sas(other, strlen(name));
	MUST(scst_tid_len(other, sizeof(other)) == sizeof(other));
	MUST(!scst_tid_equal(tid, len, other, sizeof(other)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct scst_pr_reg regs[MAX_REGS];
	struct scst_pr pr = { .regs = regs, .max = MAX_REGS };
	unsigned int unknown;
	char *text;
	u8 *file;

	if (!size)
		return 0;
	switch (data[0]) {
	case 'f':
		file = fuzz_copy(data + 1, size - 1);
		if (!scst_pr_load(&pr, file, size - 1))
			save_and_load(&pr);
		check_state(&pr);
		free(file);
		break;
	case 't':
		text = fuzz_string(data + 1, size - 1);
		if (!scst_pr_parse(&pr, text, &unknown))
			save_and_load(&pr);
		check_state(&pr);
		free(text);
		break;
	case 'n':
		text = fuzz_string(data + 1, size - 1);
		iscsi_name(text);
		free(text);
		break;
	case 'c':
		commands(data + 1, size - 1);
		break;
	}
	return 0;
}
