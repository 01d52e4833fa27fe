// SPDX-License-Identifier: GPL-2.0
/*
 * Tokens with their places.
 */
#include "common.h"

#include "scstadmin/lexer.h"

/* Tokens as text: words in angle brackets (square when quoted), { } ; */
static char *tokens(const char *text, size_t len, struct diags *diags)
{
	char *copy = malloc(len ? len : 1);
	struct strbuf sb = { 0 };
	struct lexer lx;
	struct token tok;

	memcpy(copy, text, len);
	lexer_init(&lx, copy, len, diags);
	for (lexer_next(&lx, &tok); tok.type != TOK_EOF; lexer_next(&lx, &tok)) {
		if (tok.type == TOK_WORD)
			sb_addf(&sb, tok.quoted ? "[%s]" : "<%s>", tok.text);
		else
			sb_addch(&sb, tok.type == TOK_OPEN ? '{' :
				      tok.type == TOK_CLOSE ? '}' : ';');
		free(tok.text);
	}
	free(copy);
	return sb_detach(&sb);
}

static void check_tokens(const char *text, const char *want)
{
	struct diags diags = { 0 };
	char *got = tokens(text, strlen(text), &diags);

	if (diags.count[DIAG_ERROR])
		fail_msg("'%s': %s", text, diags.v[0].text);
	assert_string_equal(got, want);
	diags_free(&diags);
	free(got);
}

/* The text has one error, at this place. */
static void check_error(const char *text, size_t len, unsigned int line,
			unsigned int col)
{
	struct diags diags = { 0 };
	char *got = tokens(text, len, &diags);

	if (diags.count[DIAG_ERROR] != 1)
		fail_msg("'%s': %u errors", text, diags.count[DIAG_ERROR]);
	assert_int_equal(diags.v[0].pos.line, line);
	assert_int_equal(diags.v[0].pos.col, col);
	diags_free(&diags);
	free(got);
}

#define CHECK_ERROR(text, line, col)					\
	check_error((text), sizeof(text) - 1, (line), (col))

static void test_words(void **state)
{
	(void)state;
	check_tokens("", "");
	check_tokens("a b\tc", "<a><b><c>");
	check_tokens("  a  \n\n b", "<a>;;<b>");
	check_tokens("a \"b c\" \"\"", "<a>[b c][]");
	check_tokens("a x\"y z\"", "<a><x\"y><z\">");
	check_tokens("\xef\xbb\xbf\x61", "<a>");
	check_tokens("\xc3\xa9 \xff", "<\xc3\xa9><\xff>");
}

static void test_braces(void **state)
{
	(void)state;
	check_tokens("T x{\na}b", "<T><x>{;<a>}<b>");
	check_tokens("a \"{}\" \\{ x\\}", "<a>[{}]<{><x}>");
	check_tokens("a \"b\"{", "<a>[b]{");
}

static void test_comments(void **state)
{
	(void)state;
	check_tokens("# a\nb # c\n#d", ";<b>;");
	check_tokens("a {#c\n}#d", "<a>{;}");
	check_tokens("a \"b # c\"", "<a>[b # c]");
	check_tokens("a \"b\"# c", "<a>[b]");
	check_tokens("a b\\#c \\# d", "<a><b#c><#><d>");
	/* The reference reader loses the 1. */
	check_tokens("a 1#x", "<a><1>");
}

static void test_comment_in_word_is_told(void **state)
{
	struct diags diags = { 0 };
	const char *text = "IncomingUser bob#secret";
	char *got = tokens(text, strlen(text), &diags);

	(void)state;
	assert_int_equal(diags.count[DIAG_WARNING], 1);
	assert_int_equal(diags.v[0].pos.col, 17);
	diags_free(&diags);
	free(got);
}

static void test_escapes(void **state)
{
	(void)state;
	check_tokens("a\\ b", "<a b>");
	check_tokens("\\\\ \\\" \\x", "<\\><\"><x>");
	check_tokens("\"a \\\" \\\\ \\n\"", "[a \" \\ n]");
}

/* ';' ends a statement in a block that was opened in the same line only. */
static void test_separators(void **state)
{
	(void)state;
	check_tokens("f a;b", "<f><a;b>");
	check_tokens("T x { a 1; b 2;c }", "<T><x>{<a><1>;<b><2>;<c>}");
	check_tokens("T x { a 1;\nb 2;c\n}", "<T><x>{<a><1>;;<b><2;c>;}");
	check_tokens("T x { a \"1;2\"; } f a;b", "<T><x>{<a>[1;2];}<f><a;b>");
	check_tokens("T x { G y { a;b } c;d } e;f",
		     "<T><x>{<G><y>{<a>;<b>}<c>;<d>}<e;f>");
}

static void test_line_ends(void **state)
{
	(void)state;
	check_tokens("a 1\r\nb \"2\"\r\n}\r\n", "<a><1>;<b>[2];};");
	check_tokens("a 1\r", "<a><1>");
	check_tokens("a\rb", "<a><b>");
	check_tokens("# c\r\na", ";<a>");
}

static void test_errors(void **state)
{
	(void)state;
	CHECK_ERROR("a \"b\nc", 1, 3);
	CHECK_ERROR("a \"b\r\nc\"", 1, 3);
	CHECK_ERROR("\n a \"b\"c", 2, 7);
	CHECK_ERROR("a b\\\nc", 1, 4);
	check_error("a \\", 3, 1, 3);
	CHECK_ERROR("a b\\\r\nc", 1, 4);
	CHECK_ERROR("a \0b", 1, 3);
}

static void test_places(void **state)
{
	struct lexer lx;
	struct token tok;
	struct diags diags = { 0 };
	const char *text = "\n\tab  cd # e\n  {";

	(void)state;
	lexer_init(&lx, text, strlen(text), &diags);
	lexer_next(&lx, &tok);
	lexer_next(&lx, &tok);
	assert_int_equal(tok.pos.line, 2);
	assert_int_equal(tok.pos.col, 2);
	free(tok.text);
	lexer_next(&lx, &tok);
	assert_int_equal(tok.pos.col, 6);
	free(tok.text);
	lexer_next(&lx, &tok);
	lexer_next(&lx, &tok);
	assert_int_equal(tok.type, TOK_OPEN);
	assert_int_equal(tok.pos.line, 3);
	assert_int_equal(tok.pos.col, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_braces),
		cmocka_unit_test(test_comments),
		cmocka_unit_test(test_comment_in_word_is_told),
		cmocka_unit_test(test_escapes),
		cmocka_unit_test(test_separators),
		cmocka_unit_test(test_line_ends),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_places),
	};

	return cmocka_run_group_tests_name("lexer", tests, NULL, NULL);
}
