// SPDX-License-Identifier: GPL-2.0
#include "common.h"
#include "scst/proto/text.h"

/* Words of @text, joined with "|". */
static void expect_words(const char *text, const char *want)
{
	char buf[128], got[128] = "";
	char *pos = buf;
	char *word;

	strscpy(buf, text, sizeof(buf));
	while (*(word = scst_text_word(&pos))) {
		strcat(got, word);
		strcat(got, "|");
	}
	assert_string_equal(got, want);
	/* once at the end, it stays there */
	assert_string_equal(scst_text_word(&pos), "");
}

static void test_words(void **state)
{
	expect_words("", "");
	expect_words(" \t\n=", "");
	expect_words("add d 0 read_only=1", "add|d|0|read_only|1|");
	expect_words("add d 0 read_only 1", "add|d|0|read_only|1|");
	expect_words("add  d\t0 read_only = 1\n", "add|d|0|read_only|1|");
	expect_words("==a==b==", "a|b|");
	expect_words("a;b c", "a;b|c|");
}

/* Items of @text as "name=value;" followed by the last result. */
static void expect_params(const char *text, const char *want)
{
	char buf[128], got[160] = "";
	char *pos = buf;
	char *name, *value;
	int ret;

	strscpy(buf, text, sizeof(buf));
	while ((ret = scst_text_param(&pos, &name, &value)) == 1) {
		strcat(got, name);
		strcat(got, "=");
		strcat(got, value);
		strcat(got, ";");
	}
	strcat(got, ret ? "bad " : "end");
	if (ret)
		strcat(got, name);
	assert_string_equal(got, want);
}

static void test_params(void **state)
{
	expect_params("", "end");
	expect_params("\n", "end");
	expect_params("filename=/a; blocksize=512", "filename=/a;blocksize=512;end");
	expect_params("filename /a;blocksize = 512;\n", "filename=/a;blocksize=512;end");
	expect_params("a=1\nb=2\n", "a=1;b=2;end");
	/* an empty item ends the list, what follows is not looked at */
	expect_params("a=1;;b=2", "a=1;end");
	expect_params("a=1; ;nonsense", "a=1;end");
	/* exactly one name and one value */
	expect_params("a", "bad a");
	expect_params("a=", "bad a");
	expect_params("a=1 b=2", "bad a");
	expect_params("a=1;b", "a=1;bad b");
	expect_params("a=1 2;b=1", "bad a");
}

static void test_params_after_words(void **state)
{
	char buf[] = "add_device d1 filename=/x; nv_cache=1\n";
	char *pos = buf;
	char *name, *value;

	assert_string_equal(scst_text_word(&pos), "add_device");
	assert_string_equal(scst_text_word(&pos), "d1");
	assert_int_equal(scst_text_param(&pos, &name, &value), 1);
	assert_string_equal(name, "filename");
	assert_string_equal(value, "/x");
	assert_int_equal(scst_text_param(&pos, &name, &value), 1);
	assert_string_equal(name, "nv_cache");
	assert_string_equal(value, "1");
	assert_int_equal(scst_text_param(&pos, &name, &value), 0);
}

static void test_match(void **state)
{
	assert_true(scst_name_match("", ""));
	assert_false(scst_name_match("", "a"));
	assert_false(scst_name_match("a", ""));
	assert_true(scst_name_match("*", ""));
	assert_true(scst_name_match("*", "anything"));
	assert_true(scst_name_match("**", ""));
	assert_false(scst_name_match("?", ""));
	assert_true(scst_name_match("?", "x"));
	assert_false(scst_name_match("?", "xy"));
	assert_true(scst_name_match("iqn.2005-03.org:*", "iqn.2005-03.org:abc"));
	assert_true(scst_name_match("0x00000000*", "0x00000000ABCD"));
	assert_true(scst_name_match("FE80*ab", "fe80::AB"));
	assert_false(scst_name_match("fe80*ab", "fe80::abc"));
	assert_true(scst_name_match("a*b*c", "aXbYbZc"));
	assert_false(scst_name_match("a*b*c", "aXcYb"));
	assert_true(scst_name_match("*a?c", "aXcabc"));
	assert_true(scst_name_match("a*", "a"));
}

static void test_match_not(void **state)
{
	assert_false(scst_name_match("!abc", "abc"));
	assert_true(scst_name_match("!abc", "abd"));
	assert_true(scst_name_match("!abc", ""));
	assert_false(scst_name_match("!*", "abc"));
	assert_true(scst_name_match("!", "abc"));
	assert_false(scst_name_match("!", ""));
	/* what precedes it must match */
	assert_true(scst_name_match("iqn:!host1", "iqn:host2"));
	assert_false(scst_name_match("iqn:!host1", "iqn:host1"));
	assert_false(scst_name_match("iqn:!host1", "eui:host2"));
	assert_false(scst_name_match("iqn:!host1", "iq"));
	assert_false(scst_name_match("iqn:!host*", "iqn:HOST77"));
	/* only the first one counts, the next is a letter */
	assert_true(scst_name_match("!a!b", "ab"));
	assert_false(scst_name_match("!a!b", "a!b"));
}

/* A pattern that makes a careless matcher try every split of the name. */
static void test_match_bounded(void **state)
{
	char pattern[256], name[2048];
	size_t i;

	for (i = 0; i + 2 < sizeof(pattern); i += 2)
		memcpy(pattern + i, "*a", 2);
	memcpy(pattern + i - 2, "*b", 3);
	memset(name, 'a', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	assert_false(scst_name_match(pattern, name));
	name[sizeof(name) - 2] = 'b';
	assert_true(scst_name_match(pattern, name));
}

static void expect_number(const char *text, u64 want)
{
	u64 got = ~want;

	assert_int_equal(scst_text_u64(text, &got), 0);
	assert_int_equal(got, want);
}

static void expect_no_number(const char *text)
{
	u64 got = 77;

	assert_int_equal(scst_text_u64(text, &got), -1);
	assert_int_equal(got, 77);
}

static void test_numbers(void **state)
{
	expect_number("0", 0);
	expect_number("1", 1);
	expect_number("010", 8);
	expect_number("0x10", 16);
	expect_number("0XfF\n", 255);
	expect_number("512 \t\n", 512);
	expect_number("18446744073709551615", U64_MAX);
	expect_number("0xffffffffffffffff", U64_MAX);
	expect_number("01777777777777777777777", U64_MAX);
	expect_no_number("");
	expect_no_number("\n");
	expect_no_number("0x");
	expect_no_number("08");
	expect_no_number("-1");
	expect_no_number("+1");
	expect_no_number(" 1");
	expect_no_number("1 2");
	expect_no_number("1a");
	expect_no_number("0xg");
	expect_no_number("18446744073709551616");
	expect_no_number("0x10000000000000000");
	expect_no_number("99999999999999999999999999");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_params),
		cmocka_unit_test(test_params_after_words),
		cmocka_unit_test(test_match),
		cmocka_unit_test(test_match_not),
		cmocka_unit_test(test_match_bounded),
		cmocka_unit_test(test_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
