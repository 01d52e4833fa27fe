// SPDX-License-Identifier: GPL-2.0
#include "common.h"
#include "scst/proto/mgmt.h"

static char text[512];

static struct scst_line start(const char *line)
{
	struct scst_line l;

	strscpy(text, line, sizeof(text));
	scst_line_start(&l, text);
	return l;
}

static void expect_wrong(const struct scst_line *line, const char *found, const char *expected)
{
	assert_non_null(line->expected);
	assert_string_equal(line->found, found);
	assert_string_equal(line->expected, expected);
}

static void test_verb(void **state)
{
	assert_string_equal(start("").verb, "");
	assert_string_equal(start(" \n").verb, "");
	assert_string_equal(start("  ADD_Device x").verb, "add_device");
	assert_string_equal(start("clear\n").verb, "clear");
	assert_string_equal(start("clear\n").pos, "");
}

static void test_names(void **state)
{
	struct scst_line line = start("move a b");
	const char *name;

	assert_true(scst_line_name(&line, "x", &name));
	assert_string_equal(name, "a");
	assert_false(scst_line_end(&line));
	expect_wrong(&line, "b", "the end of the command");

	line = start("add *iqn?!=");
	assert_true(scst_line_name(&line, "x", &name));
	assert_string_equal(name, "*iqn?!");
	assert_true(scst_line_end(&line));
	assert_null(line.expected);

	line = start("del");
	assert_false(scst_line_name(&line, "the name of a group", &name));
	expect_wrong(&line, "", "the name of a group");
}

/* What cannot be a file in sysfs. */
static void test_bad_names(void **state)
{
	static const char * const bad[] = { ".", "..", "/", "a/b" };
	struct scst_line line;
	const char *name;
	char longest[300] = "add ";
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		char buf[16];

		snprintf(buf, sizeof(buf), "add %s", bad[i]);
		line = start(buf);
		assert_false(scst_line_name(&line, "x", &name));
		expect_wrong(&line, bad[i], "a name other than '.' and '..' and without '/'");
		line = start(buf);
		assert_true(scst_line_word(&line, "x", &name));
	}

	memset(longest + 4, 'n', 255);
	line = start(longest);
	assert_true(scst_line_name(&line, "x", &name));
	longest[4 + 255] = 'n';
	line = start(longest);
	assert_false(scst_line_name(&line, "x", &name));
	assert_string_equal(line.expected, "a name of at most 255 bytes");
}

static void test_lun(void **state)
{
	static const char * const bad[] = { "16384", "-1", "1x", "0x", "08", "" };
	struct scst_line line = start("del 16383");
	unsigned int lun, i;

	assert_true(scst_line_lun(&line, &lun));
	assert_int_equal(lun, 16383);
	line = start("del 0x10");
	assert_true(scst_line_lun(&line, &lun));
	assert_int_equal(lun, 16);
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		char buf[16];

		snprintf(buf, sizeof(buf), "del %s", bad[i]);
		line = start(buf);
		assert_false(scst_line_lun(&line, &lun));
		expect_wrong(&line, bad[i], "a LUN from 0 to 16383");
		assert_int_equal(lun, 16);
	}
}

static int read_only(const char *args, const char *found, const char *expected)
{
	struct scst_line line = start(args);
	int val = -1;

	if (scst_line_read_only(&line, &val)) {
		assert_null(line.expected);
		return val;
	}
	expect_wrong(&line, found, expected);
	assert_int_equal(val, -1);
	return -2;
}

static void test_read_only(void **state)
{
	assert_int_equal(read_only("add", NULL, NULL), -1);
	assert_int_equal(read_only("add read_only=0", NULL, NULL), 0);
	assert_int_equal(read_only("add Read_Only 1;\n", NULL, NULL), 1);
	assert_int_equal(read_only("add read_only=0;read_only=1", NULL, NULL), 1);
	assert_int_equal(read_only("add read_only=2", "2", "0 or 1 for read_only"), -2);
	assert_int_equal(read_only("add read_only=1;read_only", "read_only",
				   "a parameter with exactly one value"), -2);
	assert_int_equal(read_only("add write=1", "write", "no parameter but read_only"), -2);
}

static void test_control(void **state)
{
	assert_int_equal(scst_text_control("", 0, false), 0);
	assert_int_equal(scst_text_control("a\tb", 3, false), 3);
	assert_int_equal(scst_text_control("a\nb", 3, false), 1);
	assert_int_equal(scst_text_control("a\nb", 3, true), 3);
	assert_int_equal(scst_text_control("a\0b", 3, true), 1);
	assert_int_equal(scst_text_control("ab\x7f", 3, true), 2);
	/* UTF-8 has bytes that are control characters of Latin-1. */
	assert_int_equal(scst_text_control("\xc3\x84", 2, false), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_verb),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_bad_names),
		cmocka_unit_test(test_lun),
		cmocka_unit_test(test_read_only),
		cmocka_unit_test(test_control),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
