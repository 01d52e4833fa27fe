/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SCSTADMIN_ATTR_H
#define SCSTADMIN_ATTR_H

#include "tree.h"

enum attr_type {
	AT_TEXT,	/* any text, "" as well */
	AT_PATH,	/* absolute path or "" */
	AT_BOOL,	/* 0 or 1 */
	AT_NUM,		/* a number in [min, max] */
	AT_BLOCKSIZE,	/* a power of two from 512 */
	AT_WORD,	/* one of words */
	AT_WORD_NUM,	/* one of words, or a number in [min, max] */
	AT_MASK,	/* hexadecimal bitmap with commas */
	AT_HEX,		/* hexadecimal identifier, 0x optional, or "" */
};

enum attr_info_flags {
	AI_MULTI	= 1 << 0,	/* may be given several times */
	AI_AUTO		= 1 << 1,	/* the kernel sets it, never reset it */
	AI_VALUE	= 1 << 2,	/* "" is no value for it */
	AI_NOCASE	= 1 << 3,	/* words in any case */
};

/* What this program knows about an attribute without asking the kernel. */
struct attr_info {
	const char *name;
	unsigned int kinds;		/* bits 1 << enum node_kind */
	enum attr_type type;
	unsigned int flags;
	unsigned long long min;
	unsigned long long max;
	const char *words;		/* separated by blanks */
	const char *def;		/* default as sysfs shows it, or NULL */
};

/* Return: NULL for an attribute that is not in the table. */
const struct attr_info *attr_info(enum node_kind kind, const char *name);

/* attr_expected() - what would be right instead of @text; NULL when it is */
char *attr_expected(const struct attr_info *info, const char *text);

/* True when the kernel would take both texts for the same value. */
bool attr_same(enum node_kind kind, const char *name, const char *a,
	       const char *b);

/* The known attribute names of a kind, for "did you mean". */
void attr_names(enum node_kind kind, struct strv *names);

#endif
