/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SCSTADMIN_LEXER_H
#define SCSTADMIN_LEXER_H

#include "diag.h"

enum token_type {
	TOK_WORD,
	TOK_OPEN,	/* { */
	TOK_CLOSE,	/* } */
	TOK_END,	/* end of a statement: newline, or ';' in a one-line block */
	TOK_EOF,
};

struct token {
	enum token_type type;
	struct pos pos;
	char *text;	/* TOK_WORD: unescaped, owned by the caller */
	bool quoted;
};

struct lexer {
	const char *buf;
	size_t len;
	size_t off;
	struct pos pos;
	unsigned int open_on_line;	/* blocks opened on this line, still open */
	struct diags *diags;
};

void lexer_init(struct lexer *lx, const char *buf, size_t len,
		struct diags *diags);
void lexer_next(struct lexer *lx, struct token *tok);

#endif
