/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SCSTADMIN_UTIL_H
#define SCSTADMIN_UTIL_H

#include <stdbool.h>
#include <stddef.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

#define __printf(fmt, args) __attribute__((format(printf, fmt, args)))

/*
 * Allocation: a configuration tool that runs out of memory has nothing better
 * to do than to say so and stop, so these never return NULL.
 */
void *xcalloc(size_t n, size_t size);
void *xrealloc(void *p, size_t n, size_t size);
char *xstrdup(const char *s);
char *xstrndup(const char *s, size_t n);
char *xasprintf(const char *fmt, ...) __printf(1, 2);

/* A string that grows. @s is always terminated once something was added. */
struct strbuf {
	char *s;
	size_t len;
	size_t cap;
};

void sb_add(struct strbuf *sb, const char *s);
void sb_addn(struct strbuf *sb, const char *s, size_t n);
void sb_addch(struct strbuf *sb, char c);
void sb_addf(struct strbuf *sb, const char *fmt, ...) __printf(2, 3);
void sb_reset(struct strbuf *sb);
void sb_free(struct strbuf *sb);
/* The text so far, "" when nothing was added; valid until the next change. */
const char *sb_str(const struct strbuf *sb);
/* Hands the text over to the caller, who frees it. */
char *sb_detach(struct strbuf *sb);

/* A list of strings that owns its strings. */
struct strv {
	char **v;
	size_t n;
	size_t cap;
};

void strv_add(struct strv *sv, const char *s);
bool strv_has(const struct strv *sv, const char *s);
void strv_sort(struct strv *sv);
void strv_free(struct strv *sv);

/* Splits at any character of @sep; empty pieces are left out. */
void strv_split(struct strv *sv, const char *s, const char *sep);

bool str_starts(const char *s, const char *prefix);
/* True when all of @s is a number in the kernel's base-detecting syntax. */
bool parse_u64(const char *s, unsigned long long *val);

/*
 * did_you_mean() - the candidate closest to a misspelt word
 *
 * Return: an element of @cand, or NULL when none is near enough to help.
 */
const char *did_you_mean(const char *word, const struct strv *cand);

#endif
