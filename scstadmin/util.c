// SPDX-License-Identifier: GPL-2.0
/*
 * Strings, lists of strings and allocation that cannot fail.
 */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util.h"

static void out_of_memory(void)
{
	fputs("scstadmin: out of memory\n", stderr);
	exit(1);
}

void *xcalloc(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size);

	if (!p)
		out_of_memory();
	return p;
}

void *xrealloc(void *p, size_t n, size_t size)
{
	void *q = reallocarray(p, n, size);

	if (!q)
		out_of_memory();
	return q;
}

char *xstrndup(const char *s, size_t n)
{
	char *p = strndup(s, n);

	if (!p)
		out_of_memory();
	return p;
}

char *xstrdup(const char *s)
{
	return xstrndup(s, strlen(s));
}

static char *__printf(1, 0) xvasprintf(const char *fmt, va_list ap)
{
	char *p;

	if (vasprintf(&p, fmt, ap) < 0)
		out_of_memory();
	return p;
}

char *xasprintf(const char *fmt, ...)
{
	va_list ap;
	char *p;

	va_start(ap, fmt);
	p = xvasprintf(fmt, ap);
	va_end(ap);
	return p;
}

void sb_addn(struct strbuf *sb, const char *s, size_t n)
{
	if (n >= SIZE_MAX / 2 - sb->len)
		out_of_memory();
	if (sb->len + n + 1 > sb->cap) {
		sb->cap = 2 * (sb->len + n + 1);
		sb->s = xrealloc(sb->s, sb->cap, 1);
	}
	if (n)
		memcpy(sb->s + sb->len, s, n);
	sb->len += n;
	sb->s[sb->len] = '\0';
}

void sb_add(struct strbuf *sb, const char *s)
{
	sb_addn(sb, s, strlen(s));
}

void sb_addch(struct strbuf *sb, char c)
{
	sb_addn(sb, &c, 1);
}

void sb_addf(struct strbuf *sb, const char *fmt, ...)
{
	va_list ap;
	char *p;

	va_start(ap, fmt);
	p = xvasprintf(fmt, ap);
	va_end(ap);
	sb_add(sb, p);
	free(p);
}

void sb_reset(struct strbuf *sb)
{
	sb->len = 0;
	if (sb->s)
		sb->s[0] = '\0';
}

void sb_free(struct strbuf *sb)
{
	free(sb->s);
	memset(sb, 0, sizeof(*sb));
}

const char *sb_str(const struct strbuf *sb)
{
	return sb->s ? sb->s : "";
}

char *sb_detach(struct strbuf *sb)
{
	char *s = sb->s ? sb->s : xstrdup("");

	memset(sb, 0, sizeof(*sb));
	return s;
}

void strv_add(struct strv *sv, const char *s)
{
	if (sv->n == sv->cap) {
		sv->cap = sv->cap ? 2 * sv->cap : 8;
		sv->v = xrealloc(sv->v, sv->cap, sizeof(*sv->v));
	}
	sv->v[sv->n++] = xstrdup(s);
}

bool strv_has(const struct strv *sv, const char *s)
{
	size_t i;

	for (i = 0; i < sv->n; i++)
		if (!strcmp(sv->v[i], s))
			return true;
	return false;
}

static int cmp_str(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void strv_sort(struct strv *sv)
{
	if (sv->n)
		qsort(sv->v, sv->n, sizeof(*sv->v), cmp_str);
}

void strv_free(struct strv *sv)
{
	size_t i;

	for (i = 0; i < sv->n; i++)
		free(sv->v[i]);
	free(sv->v);
	memset(sv, 0, sizeof(*sv));
}

void strv_split(struct strv *sv, const char *s, const char *sep)
{
	while (*s) {
		size_t n = strcspn(s, sep);

		if (n) {
			char *piece = xstrndup(s, n);

			strv_add(sv, piece);
			free(piece);
		}
		s += n;
		s += strspn(s, sep);
	}
}

bool str_starts(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

bool parse_u64(const char *s, unsigned long long *val)
{
	char *end;

	/* strtoull() takes signs and leading blanks, the kernel does not. */
	if (!isdigit((unsigned char)*s))
		return false;
	errno = 0;
	*val = strtoull(s, &end, 0);
	return !errno && end != s && !*end;
}

/* Edits (insert, delete, replace, ignoring case) from @a to @b. */
static size_t edit_distance(const char *a, const char *b)
{
	size_t la = strlen(a), lb = strlen(b), i, j, res;
	size_t *row = xcalloc(lb + 1, sizeof(*row));

	for (j = 0; j <= lb; j++)
		row[j] = j;
	for (i = 1; i <= la; i++) {
		size_t diag = row[0];

		row[0] = i;
		for (j = 1; j <= lb; j++) {
			size_t up = row[j], best;
			bool same = tolower((unsigned char)a[i - 1]) ==
				    tolower((unsigned char)b[j - 1]);

			best = diag + !same;
			if (up + 1 < best)
				best = up + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			row[j] = best;
			diag = up;
		}
	}
	res = row[lb];
	free(row);
	return res;
}

const char *did_you_mean(const char *word, const struct strv *cand)
{
	size_t limit = strlen(word) / 3, best = SIZE_MAX, i;
	const char *res = NULL;

	if (strlen(word) > 255)
		return NULL;
	if (!limit)
		limit = 1;
	for (i = 0; i < cand->n; i++) {
		size_t d;

		if (strlen(cand->v[i]) > strlen(word) + limit)
			continue;
		d = edit_distance(word, cand->v[i]);
		if (d <= limit && d < best) {
			best = d;
			res = cand->v[i];
		}
	}
	return res;
}
