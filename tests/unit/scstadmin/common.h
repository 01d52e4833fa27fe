/* SPDX-License-Identifier: GPL-2.0 */
/* What these tests share; cmocka wants its headers in this order. */
#ifndef SCSTADMIN_TESTS_COMMON_H
#define SCSTADMIN_TESTS_COMMON_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "fake_kernel.h"
#include "scstadmin/cli.h"
#include "scstadmin/tree.h"

/* Parses a text; with errors the test fails unless it asks for @diags. */
struct node *parse_ok(const char *text);
struct node *parse_text(const char *text, size_t len, struct diags *diags);

/* A tree as text, one line per object and attribute, indented. */
void dump_tree(struct strbuf *sb, const struct node *n, unsigned int depth);
/* "line:col severity: text" per finding. */
void dump_diags(struct strbuf *sb, const struct diags *d);

/* What a run of the program printed, and its status. */
struct run {
	int status;
	char *out;
	char *err;
};

/*
 * Runs the program on the simulated kernel. @args are words separated by
 * blanks; a '+' in a word stands for a blank. @answer is what a person types.
 */
struct run run_args(struct fake *f, const char *args, const char *answer);
void run_free(struct run *r);
/* For runs whose status is all that matters. */
int run_status(struct fake *f, const char *args);

/* A file with this text, whose name is valid until the next call. */
const char *conf_file(struct fake *f, const char *text);
/* Applies a text with -config and more words; the status. */
int apply_conf(struct fake *f, const char *text, const char *more);
struct run apply_run(struct fake *f, const char *text, const char *more);

/* Fails the test with what was printed when the status is another. */
#define assert_run(r, want)						\
	do {								\
		if ((r).status != (want))				\
			fail_msg("status %d, expected %d\n%s\n%s",	\
				 (r).status, (want), (r).out, (r).err);	\
	} while (0)

#define assert_contains(text, part)					\
	do {								\
		if (!strstr((text), (part)))				\
			fail_msg("'%s' is not in '%s'", (part), (text)); \
	} while (0)

#define assert_lacks(text, part)					\
	do {								\
		if (strstr((text), (part)))				\
			fail_msg("'%s' is in '%s'", (part), (text));	\
	} while (0)

#endif
