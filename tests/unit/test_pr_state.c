// SPDX-License-Identifier: GPL-2.0
#include "pr_world.h"

#define SPEC_I_PT	0x08
#define ALL_TG_PT	0x04
#define APTPL		0x01

static bool bad_type(unsigned int type)
{
	return !memchr(pr_types, type, sizeof(pr_types));
}

/* --- REGISTER --- */

static void test_register(void **state)
{
	assert_sense(pr_do("a1", REGISTER, 0, 5, 0xa, 0), SCST_RESERVATION_CONFLICT);
	assert_sense(pr_do("a1", REGISTER, 0, 0, 0, 0), SCST_OK);
	expect_state("", 0);
	assert_int_equal(pr.generation, 0);
	assert_sense(pr_do("a1", REGISTER, 0, 0, 0xa, 0), SCST_OK);
	assert_int_equal(pr.generation, 1);
	/* B129: another path or another port is another registrant */
	assert_sense(pr_do("a2", REGISTER, 0, 0, 0xa, 0), SCST_OK);
	assert_sense(pr_do("b1", REGISTER, 0, 0, 0xb, 0), SCST_OK);
	expect_state("a1=a a2=a b1=b", 0);
	assert_int_equal(pr.generation, 3);

	assert_sense(pr_do("b1", REGISTER, 0, 0xc, 0xd, 0), SCST_RESERVATION_CONFLICT);
	assert_sense(pr_do("b1", REGISTER, 0, 0, 0xd, 0), SCST_RESERVATION_CONFLICT);
	assert_sense(pr_do("b1", REGISTER, 0, 0xb, 0xd, 0), SCST_OK);
	assert_sense(pr_do("a1", REGISTER, 0, 0xa, 0, 0), SCST_OK);
	expect_state("a2=a b1=d", 0);
	assert_int_equal(pr.generation, 5);
	assert_string_equal(told, "");
}

static void test_register_and_ignore(void **state)
{
	assert_sense(pr_do("a1", REGISTER_AND_IGNORE, 0, 77, 0xa, 0), SCST_OK);
	assert_sense(pr_do("a1", REGISTER_AND_IGNORE, 0, 77, 0xb, 0), SCST_OK);
	expect_state("a1=b", 0);
	assert_sense(pr_do("a1", REGISTER_AND_IGNORE, 0, 77, 0, 0), SCST_OK);
	expect_state("", 0);
	assert_int_equal(pr.generation, 3);
	/* scope and type are ignored when registering */
	assert_sense(pr_do("a1", REGISTER_AND_IGNORE, 0xff, 0, 0xa, 0), SCST_OK);
	assert_sense(pr_do("b1", REGISTER, 0xff, 0, 0xb, 0), SCST_OK);
}

static void test_register_aptpl(void **state)
{
	assert_sense(pr_do("a1", REGISTER, 0, 0, 0xa, APTPL), SCST_OK);
	assert_true(pr.aptpl);
	assert_sense(pr_do("b1", REGISTER, 0, 0, 0xb, 0), SCST_OK);
	assert_false(pr.aptpl);
	assert_sense(pr_do("b1", REGISTER, 0, 0xb, 0xb, APTPL), SCST_OK);
	assert_true(pr.aptpl);
	/* the bit means something in registrations only */
	assert_sense(pr_do("b1", RESERVE, 1, 0xb, 0, 0), SCST_OK);
	assert_true(pr.aptpl);
}

/* B123 */
static void test_register_all_ports(void **state)
{
	assert_sense(pr_do("a2", REGISTER, 0, 0, 0xa, ALL_TG_PT), SCST_OK);
	expect_state("a2=a a1=a a3=a", 0);
	assert_int_equal(pr.generation, 1);
	assert_sense(pr_do("a1", REGISTER, 0, 0xa, 0xb, 0), SCST_OK);
	expect_state("a2=a a1=b a3=a", 0);
	assert_sense(pr_do("b1", REGISTER_AND_IGNORE, 0, 0, 0xc, ALL_TG_PT), SCST_OK);
	assert_sense(pr_do("a3", REGISTER_AND_IGNORE, 0, 0, 0, ALL_TG_PT), SCST_OK);
	expect_state("b1=c b2=c b3=c", 0);
}

/* The caller may name a port twice, or its own; each counts once. */
static void test_register_repeated_ports(void **state)
{
	static const u16 repeated[] = { 2, 1, 2, 2, 1 };
	const u8 list[24] = { [15] = 0xa, [20] = ALL_TG_PT };
	struct scst_pr_request req = {
		.cdb = (const u8[10]) { 0x5f },
		.list = list,
		.len = sizeof(list),
		.nexus = nexus("a1"),
		.ports = repeated,
		.nr_ports = ARRAY_SIZE(repeated),
	};

	pr.max = 2;
	assert_sense(scst_pr_out(&pr, &req), SCST_OK);
	expect_state("a1=a a2=a", 0);
}

static size_t spec_list(u8 *list, const char *who, u64 key, u8 flags)
{
	size_t len = 28;

	memset(list, 0, 28);
	put_unaligned_be64(key, list + 8);
	list[20] = SPEC_I_PT | flags;
	for (; *who; who++, len += SCST_TID_LEN)
		memcpy(list + len, tids[*who - 'a'], SCST_TID_LEN);
	put_unaligned_be32(len - 28, list + 24);
	return len;
}

static void test_register_others(void **state)
{
	u8 list[28 + 8 * SCST_TID_LEN];
	size_t len;

	len = spec_list(list, "bc", 0xa, 0);
	assert_sense(pr_send("a1", REGISTER, 0, list, len), SCST_OK);
	expect_state("a1=a b1=a c1=a", 0);
	assert_int_equal(pr.generation, 1);
	/* a registrant may not, nor may the list name one */
	assert_sense(pr_send("a1", REGISTER_AND_IGNORE, 0, list, len), SCST_PARAM_FIELD_BIT(20, 3));
	put_unaligned_be64(0xa, list);
	assert_sense(pr_send("a1", REGISTER, 0, list, len), SCST_PARAM_FIELD_BIT(20, 3));
	len = spec_list(list, "dc", 0xa, 0);
	assert_sense(pr_send("e1", REGISTER, 0, list, len), SCST_PARAM_FIELD(28 + 24));
	/* naming oneself or one twice does no harm */
	len = spec_list(list, "eff", 0xa, 0);
	assert_sense(pr_send("e1", REGISTER, 0, list, len), SCST_OK);
	expect_state("a1=a b1=a c1=a e1=a f1=a", 0);

	world_setup(NULL);
	len = spec_list(list, "b", 0xa, ALL_TG_PT);
	assert_sense(pr_send("a1", REGISTER, 0, list, len), SCST_OK);
	expect_state("a1=a a2=a a3=a b1=a b2=a b3=a", 0);

	world_setup(NULL);
	len = spec_list(list, "", 0xa, 0);
	assert_sense(pr_send("a1", REGISTER, 0, list, len), SCST_OK);
	expect_state("a1=a", 0);
}

static void test_register_others_malformed(void **state)
{
	u8 list[28 + 8 * SCST_TID_LEN];
	size_t len, n;

	len = spec_list(list, "bc", 0xa, 0);
	for (n = 0; n < len; n++)
		assert_sense(pr_send("a1", REGISTER, 0, list, n), SCST_PARAM_LIST_LENGTH);
	put_unaligned_be32(U32_MAX, list + 24);
	assert_sense(pr_send("a1", REGISTER, 0, list, len), SCST_PARAM_LIST_LENGTH);
	for (n = 1; n < 24; n++) {
		put_unaligned_be32(24 + n, list + 24);
		assert_sense(pr_send("a1", REGISTER, 0, list, len), SCST_PARAM_FIELD(28 + 24));
	}
	put_unaligned_be32(48, list + 24);
	list[28] = 0x0f;
	assert_sense(pr_send("a1", REGISTER, 0, list, len), SCST_PARAM_FIELD(28));
}

static void test_no_room(void **state)
{
	u8 list[28 + 8 * SCST_TID_LEN];
	size_t len;

	pr.max = 2;
	assert_sense(pr_do("a1", REGISTER, 0, 0, 0xa, ALL_TG_PT), SCST_PR_NO_RESOURCES);
	len = spec_list(list, "bc", 0xa, 0);
	assert_sense(pr_send("a1", REGISTER, 0, list, len), SCST_PR_NO_RESOURCES);
	assert_sense(pr_do("a1", REGISTER, 0, 0, 0xa, 0), SCST_OK);
	assert_sense(pr_do("a1", REGISTER, 0, 0xa, 0xa, ALL_TG_PT), SCST_PR_NO_RESOURCES);
	assert_sense(pr_do("b1", REGISTER, 0, 0, 0xa, 0), SCST_OK);
	assert_sense(pr_do("c1", REGISTER, 0, 0, 0xa, 0), SCST_PR_NO_RESOURCES);
	assert_sense(pr_do("b1", REGISTER, 0, 0xa, 0xb, 0), SCST_OK);
	pr.max = 3;
	assert_sense(pr_do("c1", REGISTER, 0, 0, 0xa, 0), SCST_OK);
}

/* What the holder's unregistration does, by type. */
static void test_unregister_holder(void **state)
{
	unsigned int i;
	u8 type;

	for (i = 0; i < sizeof(pr_types); i++) {
		type = pr_types[i];
		three(type);
		assert_sense(pr_do("a1", REGISTER, 0, 0xa, 0, 0), SCST_OK);
		if (pr_type_all(type)) {
			expect_state("b1=b* c1=c*", type);
			assert_string_equal(told, "");
			assert_sense(pr_do("b1", REGISTER, 0, 0xb, 0, 0), SCST_OK);
			assert_sense(pr_do("c1", REGISTER, 0, 0xc, 0, 0), SCST_OK);
			expect_state("", SCST_PR_NONE);
		} else {
			expect_state("b1=b c1=c", SCST_PR_NONE);
			assert_string_equal(told, pr_type_reg(type) ? "b1:04 c1:04" : "");
		}
		three(type);
		assert_sense(pr_do("b1", REGISTER, 0, 0xb, 0, 0), SCST_OK);
		assert_int_equal(pr.type, type);
		assert_string_equal(told, "");
	}
}

/* --- RESERVE, RELEASE, CLEAR --- */

/* B120 */
static void test_reserve(void **state)
{
	unsigned int i, other;
	u8 type;

	for (i = 0; i < sizeof(pr_types); i++) {
		type = pr_types[i];
		other = pr_types[(i + 1) % sizeof(pr_types)];
		three(0);
		assert_sense(pr_do("a1", RESERVE, type, 0xb, 0, 0), SCST_RESERVATION_CONFLICT);
		assert_sense(pr_do("d1", RESERVE, type, 0, 0, 0), SCST_RESERVATION_CONFLICT);
		assert_sense(pr_do("a1", RESERVE, type, 0xa, 0, 0), SCST_OK);
		assert_int_equal(pr.generation, 3);
		/* again is fine, anything else is not */
		assert_sense(pr_do("a1", RESERVE, type, 0xa, 0, 0), SCST_OK);
		assert_sense(pr_do("a1", RESERVE, other, 0xa, 0, 0), SCST_RESERVATION_CONFLICT);
		assert_sense(pr_do("b1", RESERVE, type, 0xb, 0, 0),
			     pr_type_all(type) ? SCST_OK : SCST_RESERVATION_CONFLICT);
		expect_state(pr_type_all(type) ? "a1=a* b1=b* c1=c*" : "a1=a* b1=b c1=c", type);
	}
}

static void test_reserve_bad_type(void **state)
{
	unsigned int type;

	three(0);
	for (type = 0; type < 16; type++)
		if (bad_type(type)) {
			assert_sense(pr_do("a1", RESERVE, type, 0xa, 0, 0),
				     SCST_CDB_FIELD_BIT(2, 0));
			assert_sense(pr_do("a1", PREEMPT, type, 0xa, 0xb, 0),
				     SCST_CDB_FIELD_BIT(2, 0));
		}
}

static void test_scope(void **state)
{
	static const u8 actions[] = {
		RESERVE, RELEASE, PREEMPT, PREEMPT_AND_ABORT, REGISTER_AND_MOVE,
	};
	unsigned int i;

	three(1);
	for (i = 0; i < sizeof(actions); i++)
		assert_sense(pr_do("a1", actions[i], 0x11, 0xa, 0xb, 0), SCST_CDB_FIELD_BIT(2, 4));
	/* who is not registered hears of that first */
	assert_sense(pr_do("d1", RESERVE, 0x11, 0xa, 0, 0), SCST_RESERVATION_CONFLICT);
	assert_sense(pr_do("a1", CLEAR, 0x11, 0xa, 0, 0), SCST_OK);
}

static void test_release(void **state)
{
	unsigned int i;
	u8 type;

	three(0);
	assert_sense(pr_do("a1", RELEASE, 1, 0xa, 0, 0), SCST_OK);
	assert_sense(pr_do("d1", RELEASE, 1, 0, 0, 0), SCST_RESERVATION_CONFLICT);

	for (i = 0; i < sizeof(pr_types); i++) {
		type = pr_types[i];
		three(type);
		assert_sense(pr_do("a1", RELEASE, type, 0xb, 0, 0), SCST_RESERVATION_CONFLICT);
		assert_sense(pr_do("a1", RELEASE, type ^ 2, 0xa, 0, 0), SCST_PR_INVALID_RELEASE);
		if (!pr_type_all(type)) {
			assert_sense(pr_do("b1", RELEASE, type, 0xb, 0, 0), SCST_OK);
			assert_int_equal(pr.type, type);
		}
		assert_sense(pr_do("a1", RELEASE, type, 0xa, 0, 0), SCST_OK);
		expect_state("a1=a b1=b c1=c", SCST_PR_NONE);
		assert_string_equal(told, pr_type_reg(type) ? "b1:04 c1:04" : "");
		assert_int_equal(pr.generation, 3);
	}
}

static void test_clear(void **state)
{
	three(1);
	assert_sense(pr_do("b1", CLEAR, 0, 0xa, 0, 0), SCST_RESERVATION_CONFLICT);
	assert_sense(pr_do("b1", CLEAR, 0, 0xb, 0, 0), SCST_OK);
	expect_state("", SCST_PR_NONE);
	assert_string_equal(told, "a1:03 c1:03");
	assert_int_equal(pr.generation, 4);
	assert_sense(pr_do("b1", CLEAR, 0, 0xb, 0, 0), SCST_RESERVATION_CONFLICT);
}

/* --- PREEMPT --- */

static void test_preempt_holder(void **state)
{
	unsigned int i, j;
	u8 type;

	for (i = 0; i < 4; i++)		/* types with one holder */
		for (j = 0; j < sizeof(pr_types); j++) {
			type = pr_types[j];
			three(pr_types[i]);
			assert_sense(pr_do("b1", PREEMPT, type, 0xb, 0xa, 0), SCST_OK);
			expect_state(pr_type_all(type) ? "b1=b* c1=c*" : "b1=b* c1=c", type);
			assert_string_equal(told, i == j ? "a1:05" : "a1:05 c1:04");
			assert_int_equal(pr.generation, 4);
		}
}

static void test_preempt_registrant(void **state)
{
	three(1);
	assert_sense(pr_do("b1", PREEMPT, 3, 0xb, 0xc, 0), SCST_OK);
	expect_state("a1=a* b1=b", 1);
	assert_string_equal(told, "c1:05");
	assert_sense(pr_do("b1", PREEMPT, 3, 0xa, 0xa, 0), SCST_RESERVATION_CONFLICT);
	assert_sense(pr_do("b1", PREEMPT, 3, 0xb, 0xc, 0), SCST_RESERVATION_CONFLICT);
	assert_sense(pr_do("b1", PREEMPT, 3, 0xb, 0, 0), SCST_PARAM_FIELD(8));

	/* nothing reserved: registrations only */
	three(0);
	assert_sense(pr_do("b1", PREEMPT, 3, 0xb, 0xa, 0), SCST_OK);
	expect_state("b1=b c1=c", SCST_PR_NONE);
	assert_sense(pr_do("b1", PREEMPT, 3, 0xb, 0, 0), SCST_PARAM_FIELD(8));
}

static void test_preempt_shared_key(void **state)
{
	/* a2 shares the holder's key and goes with it */
	three(1);
	assert_sense(pr_do("a2", REGISTER, 0, 0, 0xa, 0), SCST_OK);
	assert_sense(pr_do("b1", PREEMPT, 1, 0xb, 0xa, 0), SCST_OK);
	expect_state("b1=b* c1=c", 1);
	assert_string_equal(told, "a1:05 a2:05");

	/* the holder preempts its own key: it stays, with the new type */
	three(1);
	assert_sense(pr_do("a2", REGISTER, 0, 0, 0xa, 0), SCST_OK);
	assert_sense(pr_do("a1", PREEMPT, 6, 0xa, 0xa, 0), SCST_OK);
	expect_state("a1=a* b1=b c1=c", 6);
	assert_string_equal(told, "a2:05 b1:04 c1:04");

	/* so does not who names its own key without holding anything */
	three(1);
	assert_sense(pr_do("b1", PREEMPT, 1, 0xb, 0xb, 0), SCST_OK);
	expect_state("a1=a* c1=c", 1);
	assert_string_equal(told, "");
}

static void test_preempt_all_registrants(void **state)
{
	three(7);
	assert_sense(pr_do("b1", PREEMPT, 7, 0xb, 0, 0), SCST_OK);
	expect_state("b1=b*", 7);
	assert_string_equal(told, "a1:05 c1:05");
	three(7);
	assert_sense(pr_do("b1", PREEMPT, 1, 0xb, 0, 0), SCST_OK);
	expect_state("b1=b*", 1);
	/* with a key it is about registrations */
	three(8);
	assert_sense(pr_do("b1", PREEMPT, 1, 0xb, 0xa, 0), SCST_OK);
	expect_state("b1=b* c1=c*", 8);
	assert_string_equal(told, "a1:05");
	assert_sense(pr_do("b1", PREEMPT, 1, 0xb, 0xc, 0), SCST_OK);
	assert_sense(pr_do("b1", PREEMPT, 1, 0xb, 0xb, 0), SCST_OK);
	expect_state("", SCST_PR_NONE);
}

/* B128 */
static void test_preempt_and_abort(void **state)
{
	three(3);
	assert_sense(pr_do("b1", PREEMPT_AND_ABORT, 3, 0xb, 0xa, 0), SCST_OK);
	expect_state("b1=b* c1=c", 3);
	assert_string_equal(told, "a1:05 a1:abort");
	three(7);
	assert_sense(pr_do("b1", PREEMPT_AND_ABORT, 5, 0xb, 0, 0), SCST_OK);
	expect_state("b1=b*", 5);
	assert_string_equal(told, "a1:05 a1:abort c1:05 c1:abort");
}

/* --- REGISTER AND MOVE --- */

static scst_sense_t move(const char *from, u64 key, u64 sa_key, u8 flags, const char *to)
{
	u8 list[24 + SCST_TID_LEN] = { [17] = flags, [23] = SCST_TID_LEN };

	put_unaligned_be64(key, list);
	put_unaligned_be64(sa_key, list + 8);
	put_unaligned_be16(to[1] - '0', list + 18);
	memcpy(list + 24, tids[to[0] - 'a'], SCST_TID_LEN);
	return pr_send(from, REGISTER_AND_MOVE, 1, list, sizeof(list));
}

static void test_move(void **state)
{
	three(1);
	assert_sense(move("a1", 0xa, 0xd, APTPL, "d2"), SCST_OK);
	expect_state("a1=a b1=b c1=c d2=d*", 1);
	assert_true(pr.aptpl);
	assert_int_equal(pr.generation, 4);
	assert_string_equal(told, "");
	/* to one who is registered; UNREG */
	assert_sense(move("d2", 0xd, 0xe, 0x02, "b1"), SCST_OK);
	expect_state("a1=a b1=e* c1=c", 1);
	assert_false(pr.aptpl);
}

static void test_move_refused(void **state)
{
	u8 list[24 + SCST_TID_LEN] = { [7] = 0xa, [15] = 0xd, [19] = 1, [23] = SCST_TID_LEN };
	size_t n;

	three(0);
	assert_sense(move("a1", 0xa, 0xd, 0, "d1"), SCST_SENSE(0x5, 0x24, 0));
	three(1);
	assert_sense(move("e1", 0xa, 0xd, 0, "d1"), SCST_RESERVATION_CONFLICT);
	assert_sense(move("b1", 0xb, 0xd, 0, "d1"), SCST_RESERVATION_CONFLICT);
	assert_sense(move("a1", 0xb, 0xd, 0, "d1"), SCST_RESERVATION_CONFLICT);
	assert_sense(move("a1", 0xa, 0, 0, "d1"), SCST_CDB_FIELD(8));
	assert_sense(move("a1", 0xa, 0xd, 0, "a2"), SCST_PARAM_FIELD(24));
	assert_sense(move("a1", 0xa, 0xd, 0, "d9"), SCST_PARAM_FIELD(18));
	pr.max = 3;
	assert_sense(move("a1", 0xa, 0xd, 0, "d1"), SCST_PR_NO_RESOURCES);
	assert_sense(move("a1", 0xa, 0xb, 0, "b1"), SCST_OK);

	three(1);
	memcpy(list + 24, tids[3], SCST_TID_LEN);
	for (n = 0; n < sizeof(list); n++)
		assert_sense(pr_send("a1", REGISTER_AND_MOVE, 1, list, n), SCST_PARAM_LIST_LENGTH);
	put_unaligned_be32(U32_MAX, list + 20);
	assert_sense(pr_send("a1", REGISTER_AND_MOVE, 1, list, sizeof(list)),
		     SCST_PARAM_LIST_LENGTH);
	for (n = 0; n < 24; n++) {
		put_unaligned_be32(n, list + 20);
		assert_sense(pr_send("a1", REGISTER_AND_MOVE, 1, list, sizeof(list)),
			     SCST_PARAM_FIELD(24));
	}

	three(7);
	assert_sense(move("a1", 0xa, 0xd, 0, "d1"), SCST_RESERVATION_CONFLICT);
}

/* --- what all have in common --- */

static void test_list_checks(void **state)
{
	u8 list[32] = { [7] = 0xa };
	unsigned int action;
	size_t n;

	three(0);
	for (action = REGISTER; action <= REGISTER_AND_IGNORE; action++)
		for (n = 0; n < sizeof(list); n++)
			if (n != 24)
				assert_sense(pr_send("a1", action, 1, list, n),
					     SCST_PARAM_LIST_LENGTH);
	for (action = RESERVE; action <= PREEMPT_AND_ABORT; action++) {
		assert_sense(pr_do("a1", action, 1, 0xa, 0xb, SPEC_I_PT),
			     SCST_PARAM_FIELD_BIT(20, 3));
		assert_sense(pr_do("a1", action, 1, 0xa, 0xb, ALL_TG_PT),
			     SCST_PARAM_FIELD_BIT(20, 2));
		assert_sense(pr_do("d1", action, 1, 0xa, 0xb, ALL_TG_PT),
			     SCST_RESERVATION_CONFLICT);
	}
	assert_sense(pr_do("a1", 8, 0, 0xa, 0, 0), SCST_CDB_FIELD_BIT(1, 0));
	assert_sense(pr_do("a1", 0x1f, 0, 0xa, 0, 0), SCST_CDB_FIELD_BIT(1, 0));
}

/* --- access --- */

static void expect_access(const char *who, u32 flag, bool spc2)
{
	struct scst_pr_nexus n = nexus(who);

	assert_int_equal(scst_pr_required_flag(&pr, &n), flag);
	assert_int_equal(scst_pr_spc2_good(&pr, &n), spc2);
}

static void test_access(void **state)
{
	struct scst_pr_nexus nameless = { .rel_tgt_id = 1 };
	unsigned int i;
	u32 flag;
	u8 type;

	three(0);
	expect_access("a1", 0, true);
	expect_access("d1", 0, false);
	for (i = 0; i < sizeof(pr_types); i++) {
		type = pr_types[i];
		flag = type == 1 || type == 5 || type == 7 ? SCST_CDB_ALLOW_WR_EX :
							     SCST_CDB_ALLOW_EX_AC;
		three(type);
		expect_access("a1", 0, true);
		expect_access("a2", flag, false);	/* the other path is not registered */
		expect_access("d1", flag, false);
		expect_access("b1", pr_type_reg(type) ? 0 : flag, pr_type_reg(type));
		assert_int_equal(scst_pr_required_flag(&pr, &nameless), flag);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_register, world_setup),
		cmocka_unit_test_setup(test_register_and_ignore, world_setup),
		cmocka_unit_test_setup(test_register_aptpl, world_setup),
		cmocka_unit_test_setup(test_register_all_ports, world_setup),
		cmocka_unit_test_setup(test_register_repeated_ports, world_setup),
		cmocka_unit_test_setup(test_register_others, world_setup),
		cmocka_unit_test_setup(test_register_others_malformed, world_setup),
		cmocka_unit_test_setup(test_no_room, world_setup),
		cmocka_unit_test_setup(test_unregister_holder, world_setup),
		cmocka_unit_test_setup(test_reserve, world_setup),
		cmocka_unit_test_setup(test_reserve_bad_type, world_setup),
		cmocka_unit_test_setup(test_scope, world_setup),
		cmocka_unit_test_setup(test_release, world_setup),
		cmocka_unit_test_setup(test_clear, world_setup),
		cmocka_unit_test_setup(test_preempt_holder, world_setup),
		cmocka_unit_test_setup(test_preempt_registrant, world_setup),
		cmocka_unit_test_setup(test_preempt_shared_key, world_setup),
		cmocka_unit_test_setup(test_preempt_all_registrants, world_setup),
		cmocka_unit_test_setup(test_preempt_and_abort, world_setup),
		cmocka_unit_test_setup(test_move, world_setup),
		cmocka_unit_test_setup(test_move_refused, world_setup),
		cmocka_unit_test_setup(test_list_checks, world_setup),
		cmocka_unit_test_setup(test_access, world_setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
