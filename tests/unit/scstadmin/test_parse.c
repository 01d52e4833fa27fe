// SPDX-License-Identifier: GPL-2.0
/*
 * From text to tree: nesting, merging, and errors with their lines.
 */
#include "common.h"

static void check_tree(const char *text, const char *want)
{
	struct strbuf sb = { 0 };
	struct node *root = parse_ok(text);

	dump_tree(&sb, root, 0);
	assert_string_equal(sb_str(&sb), want);
	sb_free(&sb);
	node_free(root);
}

/* All findings of the parser, as dump_diags() prints them, begin like this. */
static void check_diags(const char *text, const char *const *want, size_t n)
{
	struct diags diags = { 0 };
	struct node *root = parse_text(text, strlen(text), &diags);
	size_t i;

	diags_sort(&diags);
	for (i = 0; i < diags.n && i < n; i++) {
		char *got = xasprintf("%u:%u %s: %s", diags.v[i].pos.line,
				      diags.v[i].pos.col,
				      severity_name(diags.v[i].sev),
				      diags.v[i].text);

		if (strncmp(got, want[i], strlen(want[i])))
			fail_msg("found '%s', expected '%s'", got, want[i]);
		free(got);
	}
	if (diags.n != n)
		fail_msg("'%s': %zu findings, expected %zu (%s)", text, diags.n,
			 n, diags.n ? diags.v[diags.n - 1].text : "");
	diags_free(&diags);
	node_free(root);
}

#define CHECK(text, ...)						\
	do {								\
		static const char *const want_[] = { __VA_ARGS__ };	\
		check_diags((text), want_, ARRAY_SIZE(want_));		\
	} while (0)

static void test_bodies(void **state)
{
	(void)state;
	check_tree("HANDLER h\n", "HANDLER 'h'\n");
	check_tree("HANDLER h {\n}\n", "HANDLER 'h'\n");
	check_tree("HANDLER h {}", "HANDLER 'h'\n");
	check_tree("HANDLER h { DEVICE d { a 1 } }",
		   "HANDLER 'h'\n\tDEVICE 'd'\n\t\ta = '1'\n");
	check_tree("HANDLER h { a 1\n}", "HANDLER 'h'\n\ta = '1'\n");
	check_tree("HANDLER h {\na 1 } HANDLER i\n",
		   "HANDLER 'h'\n\ta = '1'\nHANDLER 'i'\n");
	/* The reference reader throws this body away. */
	check_tree("HANDLER h\n{\n\ta 1\n}\n", "HANDLER 'h'\n\ta = '1'\n");
	check_tree("ALUA {\n\ta 1\n}\n", "ALUA ''\n\ta = '1'\n");
	check_tree("a 1", "a = '1'\n");
}

static void test_values(void **state)
{
	(void)state;
	check_tree("a 1\na 2\na 1\n", "a = '1'\na = '2'\n");
	check_tree("a \"\"\nb\n", "a = ''\nb = ''\n");
	/* A keyword in quotes is an ordinary name. */
	check_tree("\"HANDLER\" x\n", "HANDLER = 'x'\n");
	check_tree("TARGET_DRIVER d {\nTARGET t {\nHW_TARGET\nenabled 1\n}\n}\n",
		   "TARGET_DRIVER 'd'\n\tTARGET 't' (hardware)\n"
		   "\t\tenabled = '1'\n");
}

/* LUN numbers in any base are one number. */
static void test_lun_numbers(void **state)
{
	(void)state;
	check_tree("TARGET_DRIVER d { TARGET t { LUN 0x10 a; LUN 010 b } }",
		   "TARGET_DRIVER 'd'\n\tTARGET 't'\n\t\tLUN '16' -> a\n"
		   "\t\tLUN '8' -> b\n");
	CHECK("TARGET_DRIVER d {\nTARGET t {\nLUN 16384 a\nLUN x a\nLUN -1 a\n}\n}",
	      "3:5 error: found LUN number '16384'",
	      "4:5 error: found LUN number 'x'",
	      "5:5 error: found LUN number '-1'");
}

static void test_merging(void **state)
{
	(void)state;
	check_tree("TARGET_DRIVER d {\nTARGET t {\na 1\n}\n}\n"
		   "TARGET_DRIVER d {\nTARGET t {\nb 2\n}\n}\n",
		   "TARGET_DRIVER 'd'\n\tTARGET 't'\n\t\ta = '1'\n"
		   "\t\tb = '2'\n");
	CHECK("HANDLER h {\nDEVICE d\nDEVICE d\n}\n",
	      "3:1 error: found device 'd' a second time, expected it once (first in line 2)");
	CHECK("TARGET_DRIVER d {\nTARGET t {\nLUN 0 a\nLUN 0 b\nLUN 0 a\n}\n}\n",
	      "4:1 error: found LUN 0 with device 'b', expected one device for a LUN (line 3 gives it 'a')");
}

static void test_wrong_places(void **state)
{
	(void)state;
	CHECK("LUN 0 a\n", "1:1 error: found LUN at top level, expected it in TARGET or GROUP");
	CHECK("HANDLER h {\nLUN 0 a\n}\n",
	      "2:1 error: found LUN in HANDLER h (opened in line 1), expected it in TARGET or GROUP");
	CHECK("HANDLAR h {\n}\n",
	      "1:1 error: found a block for 'HANDLAR' at top level, expected a section (did you mean HANDLER?)");
	CHECK("target x {\na { b }\n}\n", "1:1 error: found a block for 'target'");
	CHECK("HANDLER\n", "1:1 error: found HANDLER with 0 words, expected \"HANDLER <name>\"");
	CHECK("HANDLER a b {\n}\n", "1:11 error: found HANDLER with 2 words");
	CHECK("TARGET_DRIVER d { TARGET t { LUN 0 } }",
	      "1:30 error: found LUN with 1 word, expected \"LUN <number> <device>\"");
	CHECK("a 1 2 3\n", "1:5 error: found '2' behind the value of 'a'");
}

static void test_unbalanced(void **state)
{
	(void)state;
	CHECK("HANDLER h {\na 1\n",
	      "1:1 error: found no '}' for the block of HANDLER h that begins in this line, expected one before the end of the file");
	CHECK("HANDLER h {\n}\n}\nHANDLER i\n",
	      "3:1 error: found a '}' that closes nothing");
	CHECK("{\n}\n", "1:1 error: found '{' without a section before it");
	CHECK("x {\n", "1:1 error: found a block for 'x'",
	      "1:3 error: found no '}' for the '{' in this line");
	/* The place of the second opening, not of the section's first. */
	CHECK("HANDLER h {\n}\nHANDLER h {\n",
	      "3:1 error: found no '}' for the block of HANDLER h",
	      "3:1 note: HANDLER h goes on here");
	/* One forgotten brace gives one error, whatever follows. */
	CHECK("TARGET_DRIVER d {\nTARGET t {\nGROUP g {\nLUN 0 a\n"
	      "TARGET u {\n}\n}\nHANDLER h\n",
	      "2:1 error: found no '}' for the block of TARGET t that begins in this line, expected one before TARGET in line 5",
	      "3:1 error: found no '}' for the block of GROUP g");
}

static void test_legacy(void **state)
{
	(void)state;
	CHECK("# old\n[HANDLER vdisk]\nDEVICE a,b,c\n",
	      "2:1 error: found '[HANDLER', the grammar of scst.conf before version 2");
	CHECK("[OPTIONS]\n", "1:1 error: found '[OPTIONS]'");
	check_tree("# [HANDLER x]\na [HANDLER\n", "a = '[HANDLER'\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bodies),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_lun_numbers),
		cmocka_unit_test(test_merging),
		cmocka_unit_test(test_wrong_places),
		cmocka_unit_test(test_unbalanced),
		cmocka_unit_test(test_legacy),
	};

	return cmocka_run_group_tests_name("parse", tests, NULL, NULL);
}
