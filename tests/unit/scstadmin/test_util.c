// SPDX-License-Identifier: GPL-2.0
/*
 * Small parts: patterns, spelling help, numbers, kernel log records.
 */
#include "common.h"

#include "scstadmin/klog.h"
#include "scstadmin/match.h"

static void test_patterns(void **state)
{
	static const struct {
		const char *name;
		const char *pattern;
		bool match;
	} rows[] = {
		{ "10.9.0.17", "10.9.0.17", true },
		{ "10.9.0.17", "10.9.0.1", false },
		{ "10.9.0.1", "10.9.0.17", false },
		{ "10.9.0.17", "10.9.*", true },
		{ "10.9.0.17", "10.9.0.??", true },
		{ "10.9.0.17", "10.9.0.???", false },
		{ "10.9.0.17", "*.17", true },
		{ "10.9.0.17", "*.1*.17", false },
		{ "10.9.10.17", "*.1*.17", true },
		{ "", "*", true },
		{ "x", "", false },
		{ "", "", true },
		{ "FE80:Ab", "fe80:aB", true },
		{ "fe80:ab", "fe80:*", true },
		{ "10.9.0.29", "!10.9.0.29", false },
		{ "10.9.0.28", "!10.9.0.29", true },
		{ "10.9.0.28", "10.9.!0.29", true },
		{ "10.9.0.29", "10.9.!0.29", false },
		{ "10.8.0.28", "10.9.!0.29", false },
		{ "a!b", "!a!b", false },
		{ "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab",
		  "*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*c", false },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		if (initiator_matches(rows[i].name, rows[i].pattern) !=
		    rows[i].match)
			fail_msg("'%s' and '%s'", rows[i].name,
				 rows[i].pattern);
}

static void test_did_you_mean(void **state)
{
	struct strv cand = { 0 };

	(void)state;
	strv_add(&cand, "nv_cache");
	strv_add(&cand, "read_only");
	strv_add(&cand, "rotational");
	assert_string_equal(did_you_mean("nvcache", &cand), "nv_cache");
	assert_string_equal(did_you_mean("READ_ONLY", &cand), "read_only");
	assert_string_equal(did_you_mean("rotatoinal", &cand), "rotational");
	assert_null(did_you_mean("filename", &cand));
	assert_null(did_you_mean("", &cand));
	strv_free(&cand);
}

static void test_numbers(void **state)
{
	unsigned long long num;

	(void)state;
	assert_true(parse_u64("0x10", &num) && num == 16);
	assert_true(parse_u64("010", &num) && num == 8);
	assert_true(parse_u64("18446744073709551615", &num) && num == ~0ull);
	assert_false(parse_u64("18446744073709551616", &num));
	assert_false(parse_u64("-1", &num));
	assert_false(parse_u64("+1", &num));
	assert_false(parse_u64(" 1", &num));
	assert_false(parse_u64("1 ", &num));
	assert_false(parse_u64("08", &num));
	assert_false(parse_u64("", &num));
}

/* Only what our modules say explains what our modules refused. */
static void test_kernel_log(void **state)
{
	const char *msg;
	size_t len;

	(void)state;
	msg = klog_message("3,1,2,-;scst_vdisk: no such file '/x'\n SUBSYSTEM=a\n", &len);
	assert_non_null(msg);
	assert_int_equal(len, strlen("scst_vdisk: no such file '/x'"));
	assert_memory_equal(msg, "scst_vdisk: no such file '/x'", len);
	assert_null(klog_message("6,1,2,-;eth0: link up\n", &len));
	assert_null(klog_message("garbage", &len));
	assert_null(klog_message("", &len));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_patterns),
		cmocka_unit_test(test_did_you_mean),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_kernel_log),
	};

	return cmocka_run_group_tests_name("util", tests, NULL, NULL);
}
