// SPDX-License-Identifier: GPL-2.0
/*
 * From tokens to the tree: which section may stand where, how often, and with
 * how many words. What the words mean is looked at in check.c.
 */
#include <stdlib.h>
#include <string.h>

#include "lexer.h"
#include "parse.h"

#define MAX_WORDS	8

static const struct section {
	enum node_kind parent;
	enum node_kind kind;
	unsigned int args;
	const char *form;
} sections[] = {
	{ N_ROOT,	N_HANDLER,	1, "HANDLER <name>" },
	{ N_ROOT,	N_DRIVER,	1, "TARGET_DRIVER <name>" },
	{ N_ROOT,	N_ALUA,		0, "ALUA" },
	{ N_ROOT,	N_DGROUP,	1, "DEVICE_GROUP <name>" },
	{ N_HANDLER,	N_DEVICE,	1, "DEVICE <name>" },
	{ N_DRIVER,	N_TARGET,	1, "TARGET <name>" },
	{ N_TARGET,	N_LUN,		2, "LUN <number> <device>" },
	{ N_TARGET,	N_GROUP,	1, "GROUP <name>" },
	{ N_GROUP,	N_LUN,		2, "LUN <number> <device>" },
	{ N_GROUP,	N_INITIATOR,	1, "INITIATOR <name or pattern>" },
	{ N_DGROUP,	N_DGDEV,	1, "DEVICE <name>" },
	{ N_DGROUP,	N_TGROUP,	1, "TARGET_GROUP <name>" },
	{ N_TGROUP,	N_TGTGT,	1, "TARGET <name>" },
};

struct parser {
	struct lexer lx;
	struct diags *diags;
	struct node *at;	/* the section whose body is being read */
	struct node *last;	/* the section whose '{' may still come */
	bool refused;		/* the next '{' belongs to a faulty statement */
	bool stop;		/* nothing sensible can follow */
};

struct statement {
	struct token word[MAX_WORDS];
	unsigned int n;		/* words beyond the array are dropped */
};

static void statement_free(struct statement *st)
{
	unsigned int i;

	for (i = 0; i < st->n; i++)
		free(st->word[i].text);
}

static const struct section *find_section(enum node_kind parent,
					  const char *word)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sections); i++)
		if (sections[i].parent == parent &&
		    !strcmp(kind_keyword(sections[i].kind), word))
			return &sections[i];
	return NULL;
}

/* The levels that take @word as a section, for "LUN belongs into ...". */
static bool section_homes(const char *word, struct strbuf *homes)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sections); i++) {
		if (strcmp(kind_keyword(sections[i].kind), word))
			continue;
		if (homes->len)
			sb_add(homes, " or ");
		sb_add(homes, sections[i].parent == N_ROOT ?
		       "the top level" : kind_keyword(sections[i].parent));
	}
	return homes->len;
}

static bool is_legacy(const struct statement *st)
{
	static const char *const names[] = {
		"[HANDLER", "[GROUP", "[ASSIGNMENT", "[TARGETS", "[OPTIONS]",
	};
	size_t i;

	if (!st->n || st->word[0].quoted)
		return false;
	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(st->word[0].text, names[i]))
			return true;
	return false;
}

static void note_level(struct strbuf *sb, const struct node *at)
{
	if (at->kind == N_ROOT)
		sb_add(sb, "at top level");
	else
		sb_addf(sb, "in %s%s%s (opened in line %u)",
			kind_keyword(at->kind), *at->name ? " " : "", at->name,
			at->open_pos.line);
}

/* A word with a body that is no section of this level. */
static void bad_section(struct parser *p, const struct token *tok)
{
	struct strbuf homes = { 0 }, level = { 0 };
	struct strv cand = { 0 };
	const char *near;
	size_t i;

	note_level(&level, p->at);
	if (section_homes(tok->text, &homes)) {
		diag_add(p->diags, DIAG_ERROR, tok->pos,
			 "found %s %s, expected it in %s", tok->text,
			 sb_str(&level), sb_str(&homes));
	} else {
		for (i = 0; i < ARRAY_SIZE(sections); i++)
			if (sections[i].parent == p->at->kind)
				strv_add(&cand, kind_keyword(sections[i].kind));
		near = did_you_mean(tok->text, &cand);
		diag_add(p->diags, DIAG_ERROR, tok->pos,
			 "found a block for '%s' %s, expected %s%s%s", tok->text,
			 sb_str(&level),
			 near ? "a section (did you mean " : "a section keyword",
			 near ? near : "", near ? "?)" : "");
	}
	strv_free(&cand);
	sb_free(&homes);
	sb_free(&level);
}

/* LUN numbers are compared as numbers: "0x10" and "16" are one LUN. */
static char *lun_name(struct parser *p, const struct token *tok)
{
	unsigned long long num;

	if (parse_u64(tok->text, &num) && num <= 16383)
		return xasprintf("%llu", num);
	diag_add(p->diags, DIAG_ERROR, tok->pos,
		 "found LUN number '%s', expected a number from 0 to 16383",
		 tok->text);
	return xstrdup(tok->text);
}

/* The node of a section met again: merged into the first, or refused. */
static struct node *repeated(struct parser *p, struct node *old,
			     const struct statement *st)
{
	struct pos pos = st->word[0].pos;

	switch (old->kind) {
	case N_DEVICE:
		diag_add(p->diags, DIAG_ERROR, pos,
			 "found device '%s' a second time, expected it once (first in line %u)",
			 old->name, old->pos.line);
		break;
	case N_LUN:
		if (strcmp(old->arg, st->word[2].text))
			diag_add(p->diags, DIAG_ERROR, pos,
				 "found LUN %s with device '%s', expected one device for a LUN (line %u gives it '%s')",
				 old->name, st->word[2].text, old->pos.line,
				 old->arg);
		break;
	case N_INITIATOR:
	case N_DGDEV:
		diag_add(p->diags, DIAG_WARNING, pos,
			 "found %s '%s' a second time (first in line %u); once is enough",
			 kind_noun(old->kind), old->name, old->pos.line);
		break;
	default:
		diag_add(p->diags, DIAG_NOTE, pos,
			 "%s %s goes on here; merged with line %u",
			 kind_keyword(old->kind), old->name, old->pos.line);
		break;
	}
	return old;
}

static struct node *new_section(struct parser *p, const struct section *sec,
				const struct statement *st)
{
	struct node *n;
	char *name;

	if (st->n - 1 != sec->args) {
		unsigned int bad = st->n - 1 < sec->args ? 0 : sec->args + 1;

		diag_add(p->diags, DIAG_ERROR, st->word[bad].pos,
			 "found %s with %u word%s, expected \"%s\"%s",
			 st->word[0].text, st->n - 1, st->n == 2 ? "" : "s",
			 sec->form, st->n - 1 > sec->args ?
			 " (quote a name that holds blanks)" : "");
		if (st->n - 1 < sec->args)
			return NULL;
	}
	if (sec->kind == N_LUN)
		name = lun_name(p, &st->word[1]);
	else
		name = xstrdup(sec->args ? st->word[1].text : "");

	n = node_find(p->at, sec->kind, name);
	if (n) {
		free(name);
		return repeated(p, n, st);
	}
	n = node_new(sec->kind, name);
	free(name);
	n->pos = st->word[0].pos;
	n->name_pos = sec->args ? st->word[1].pos : n->pos;
	if (sec->kind == N_LUN) {
		n->arg = xstrdup(st->word[2].text);
		n->arg_pos = st->word[2].pos;
	}
	node_add_child(p->at, n);
	return n;
}

static void add_attribute(struct parser *p, const struct statement *st)
{
	const struct token *name = &st->word[0];
	const char *value = st->n > 1 ? st->word[1].text : "";
	struct attr *a;

	if (p->at->kind == N_TARGET && st->n == 1 && !name->quoted &&
	    !strcmp(name->text, "HW_TARGET")) {
		p->at->flags |= NODE_HW;
		return;
	}
	if (!*name->text) {
		diag_add(p->diags, DIAG_ERROR, name->pos,
			 "found an empty name, expected an attribute or a section");
		return;
	}
	/* It is kept all the same: one fault is to give one message. */
	if (st->n > 2)
		diag_add(p->diags, DIAG_ERROR, st->word[2].pos,
			 "found '%s' behind the value of '%s', expected one value (put a value that holds blanks in double quotes)",
			 st->word[2].text, name->text);

	a = node_add_attr(p->at, name->text, name->pos);
	if (st->n == 1)
		a->flags |= ATTR_BARE;
	if (!attr_has(a, value))
		attr_add_value(a, value,
			       st->n > 1 ? st->word[1].pos : name->pos);
}

/*
 * A section that belongs to an enclosing level shows that a '}' was forgotten.
 * Going on in that level keeps the rest of the file readable, so that this one
 * fault is reported once and where it is.
 */
static void close_forgotten(struct parser *p, const struct token *tok)
{
	const struct node *up;

	for (up = p->at; up; up = up->parent)
		if (find_section(up->kind, tok->text))
			break;
	if (!up)
		return;
	for (; p->at != up; p->at = p->at->parent)
		diag_add(p->diags, DIAG_ERROR, p->at->open_pos,
			 "found no '}' for the block of %s %s that begins in this line, expected one before %s in line %u",
			 kind_keyword(p->at->kind), p->at->name, tok->text,
			 tok->pos.line);
}

/* One statement; @block tells that its '{' follows. */
static void take_statement(struct parser *p, const struct statement *st,
			   bool block)
{
	const struct token *first = &st->word[0];
	const struct section *sec = NULL;
	struct strbuf homes = { 0 };

	p->last = NULL;
	if (is_legacy(st)) {
		diag_add(p->diags, DIAG_ERROR, first->pos,
			 "found '%s', the grammar of scst.conf before version 2; expected sections like \"HANDLER name {\" (rewrite the file, see scst.conf(5))",
			 first->text);
		p->stop = true;
		return;
	}
	if (!first->quoted) {
		close_forgotten(p, first);
		sec = find_section(p->at->kind, first->text);
	}
	if (sec)
		p->last = new_section(p, sec, st);
	else if (block || (!first->quoted && section_homes(first->text, &homes)))
		bad_section(p, first);
	else
		add_attribute(p, st);
	if (p->last)
		p->last->open_pos = first->pos;
	p->refused = block && !p->last;
	sb_free(&homes);
}

/* Reads words up to what ends the statement, which is left in @tok. */
static void read_statement(struct parser *p, struct token *tok,
			   struct statement *st)
{
	for (st->n = 0; tok->type == TOK_WORD; lexer_next(&p->lx, tok)) {
		if (st->n < MAX_WORDS)
			st->word[st->n++] = *tok;
		else
			free(tok->text);
	}
}

/* Reads over a block nobody can use, keeping its braces balanced. */
static void skip_block(struct parser *p, struct pos open)
{
	unsigned int depth = 1;
	struct token tok;

	while (depth) {
		lexer_next(&p->lx, &tok);
		free(tok.text);
		if (tok.type == TOK_OPEN)
			depth++;
		else if (tok.type == TOK_CLOSE)
			depth--;
		else if (tok.type == TOK_EOF)
			break;
	}
	if (depth) {
		diag_add(p->diags, DIAG_ERROR, open,
			 "found no '}' for the '{' in this line, expected one before the end of the file");
		p->stop = true;
	}
}

static void open_block(struct parser *p, const struct token *brace)
{
	if (p->last) {
		p->last->flags |= NODE_BODY;
		p->at = p->last;
	} else {
		if (!p->refused)
			diag_add(p->diags, DIAG_ERROR, brace->pos,
				 "found '{' without a section before it, expected a keyword and a name");
		skip_block(p, brace->pos);
	}
	p->last = NULL;
	p->refused = false;
}

static void close_block(struct parser *p, const struct token *brace)
{
	p->last = NULL;
	if (p->at->parent)
		p->at = p->at->parent;
	else
		diag_add(p->diags, DIAG_ERROR, brace->pos,
			 "found a '}' that closes nothing, expected a section or the end of the file");
}

static void end_of_file(struct parser *p)
{
	for (; p->at->parent; p->at = p->at->parent)
		diag_add(p->diags, DIAG_ERROR, p->at->open_pos,
			 "found no '}' for the block of %s %s that begins in this line, expected one before the end of the file",
			 kind_keyword(p->at->kind), p->at->name);
	p->stop = true;
}

static void parse_tokens(struct parser *p)
{
	struct statement st;
	struct token tok;

	lexer_next(&p->lx, &tok);
	while (!p->stop) {
		switch (tok.type) {
		case TOK_WORD:
			read_statement(p, &tok, &st);
			take_statement(p, &st, tok.type == TOK_OPEN);
			statement_free(&st);
			continue;
		case TOK_OPEN:
			open_block(p, &tok);
			break;
		case TOK_CLOSE:
			close_block(p, &tok);
			break;
		case TOK_END:
			break;
		case TOK_EOF:
			end_of_file(p);
			return;
		}
		lexer_next(&p->lx, &tok);
	}
}

struct node *parse_conf(const char *buf, size_t len, struct diags *diags)
{
	struct node *root = node_new(N_ROOT, "");
	struct parser p = { .diags = diags, .at = root };

	lexer_init(&p.lx, buf, len, diags);
	parse_tokens(&p);
	return root;
}
