// SPDX-License-Identifier: GPL-2.0
/*
 * scst.conf as a sequence of words, braces and ends of statements.
 *
 * The rules are in doc/file-format.md. A fault in the text is recorded and the
 * lexer goes on behind it, so that one run can report all of them.
 */
#include <string.h>

#include "lexer.h"

void lexer_init(struct lexer *lx, const char *buf, size_t len,
		struct diags *diags)
{
	memset(lx, 0, sizeof(*lx));
	lx->buf = buf;
	lx->len = len;
	lx->pos.line = 1;
	lx->pos.col = 1;
	lx->diags = diags;

	/* Some editors mark UTF-8 text with a byte order mark. */
	if (len >= 3 && !memcmp(buf, "\xef\xbb\xbf", 3))
		lx->off = 3;
}

/* The character @ahead of here, -1 behind the end. */
static int peek_at(const struct lexer *lx, size_t ahead)
{
	if (lx->len - lx->off <= ahead)
		return -1;
	return (unsigned char)lx->buf[lx->off + ahead];
}

static int peek(const struct lexer *lx)
{
	return peek_at(lx, 0);
}

static void advance(struct lexer *lx)
{
	if (lx->buf[lx->off++] == '\n') {
		lx->pos.line++;
		lx->pos.col = 1;
		lx->open_on_line = 0;
	} else {
		lx->pos.col++;
	}
}

/* A carriage return counts as part of the line end when it stands before it. */
static bool at_line_end(const struct lexer *lx)
{
	int c = peek(lx);

	if (c == '\r') {
		int next = peek_at(lx, 1);

		return next == '\n' || next < 0;
	}
	return c == '\n' || c < 0;
}

static bool at_blank(const struct lexer *lx)
{
	int c = peek(lx);

	return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r';
}

static void skip_to_line_end(struct lexer *lx)
{
	while (!at_line_end(lx))
		advance(lx);
}

static void skip_blanks_and_comment(struct lexer *lx)
{
	while (!at_line_end(lx) && at_blank(lx))
		advance(lx);
	if (peek(lx) == '#')
		skip_to_line_end(lx);
}

static bool at_separator(const struct lexer *lx)
{
	return peek(lx) == ';' && lx->open_on_line;
}

static void add_char(struct lexer *lx, struct strbuf *sb)
{
	int c = peek(lx);

	if (!c)
		diag_add(lx->diags, DIAG_ERROR, lx->pos,
			 "found a NUL byte, expected text");
	else
		sb_addch(sb, (char)c);
	advance(lx);
}

/* A backslash makes the next character ordinary, in quotes and outside. */
static void add_escaped(struct lexer *lx, struct strbuf *sb)
{
	struct pos pos = lx->pos;

	advance(lx);
	if (at_line_end(lx))
		diag_add(lx->diags, DIAG_ERROR, pos,
			 "found a backslash at the end of the line, expected a character behind it (a statement cannot go on in the next line; write \\\\ for a backslash)");
	else
		add_char(lx, sb);
}

static void read_quoted(struct lexer *lx, struct strbuf *sb)
{
	struct pos open = lx->pos;

	advance(lx);
	while (!at_line_end(lx) && peek(lx) != '"') {
		if (peek(lx) == '\\')
			add_escaped(lx, sb);
		else
			add_char(lx, sb);
	}
	if (at_line_end(lx)) {
		diag_add(lx->diags, DIAG_ERROR, open,
			 "found no closing '\"' before the end of the line, expected one for this quote");
		return;
	}
	advance(lx);
	if (!at_line_end(lx) && !at_blank(lx) && !at_separator(lx) &&
	    !strchr("{}#", peek(lx))) {
		diag_add(lx->diags, DIAG_ERROR, lx->pos,
			 "found text right behind a closing '\"', expected a blank (write \\\" for a quote inside quotes)");
		skip_to_line_end(lx);
	}
}

static void read_plain(struct lexer *lx, struct strbuf *sb)
{
	while (!at_line_end(lx) && !at_blank(lx) && !at_separator(lx)) {
		int c = peek(lx);

		if (c == '{' || c == '}')
			break;
		if (c == '#') {
			/*
			 * The reference reader ends the line here and loses a
			 * character. Taking the word is right for "1#note" and
			 * wrong for a secret, so it is not done silently.
			 */
			diag_add(lx->diags, DIAG_WARNING, lx->pos,
				 "found '#' right behind '%s': taken as a comment, expected a blank before it (write \\# for the character itself)",
				 sb_str(sb));
			break;
		}
		if (c == '\\')
			add_escaped(lx, sb);
		else
			add_char(lx, sb);
	}
}

static void read_word(struct lexer *lx, struct token *tok)
{
	struct strbuf sb = { 0 };

	tok->type = TOK_WORD;
	tok->quoted = peek(lx) == '"';
	if (tok->quoted)
		read_quoted(lx, &sb);
	else
		read_plain(lx, &sb);
	tok->text = sb_detach(&sb);
}

/**
 * lexer_next() - read the next token
 * @lx: the lexer
 * @tok: filled in; the caller frees @tok->text
 *
 * At the end of the text an unfinished line is ended first, so the last
 * statement of a file needs no newline.
 */
void lexer_next(struct lexer *lx, struct token *tok)
{
	memset(tok, 0, sizeof(*tok));
	skip_blanks_and_comment(lx);
	tok->pos = lx->pos;

	if (at_line_end(lx)) {
		if (peek(lx) == '\r')
			advance(lx);
		if (peek(lx) < 0) {
			tok->type = TOK_EOF;
			return;
		}
		tok->type = TOK_END;
		advance(lx);
	} else if (peek(lx) == '{') {
		tok->type = TOK_OPEN;
		advance(lx);
		lx->open_on_line++;
	} else if (peek(lx) == '}') {
		tok->type = TOK_CLOSE;
		advance(lx);
		if (lx->open_on_line)
			lx->open_on_line--;
	} else if (at_separator(lx)) {
		tok->type = TOK_END;
		advance(lx);
	} else {
		read_word(lx, tok);
	}
}
