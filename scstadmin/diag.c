// SPDX-License-Identifier: GPL-2.0
/*
 * Findings about a configuration file, with their places.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"

void diag_add(struct diags *d, enum severity sev, struct pos pos,
	      const char *fmt, ...)
{
	struct diag *new;
	va_list ap;
	char *text;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		text = xstrdup("out of memory");
	va_end(ap);

	if (d->n == d->cap) {
		d->cap = d->cap ? 2 * d->cap : 16;
		d->v = xrealloc(d->v, d->cap, sizeof(*d->v));
	}
	new = &d->v[d->n++];
	new->sev = sev;
	new->pos = pos;
	new->text = text;
	d->count[sev]++;
}

static int cmp_diag(const void *a, const void *b)
{
	const struct diag *x = a, *y = b;

	/* What has no place concerns the whole file and comes last. */
	if (!x->pos.line != !y->pos.line)
		return x->pos.line ? -1 : 1;
	if (x->pos.line != y->pos.line)
		return x->pos.line < y->pos.line ? -1 : 1;
	if (x->pos.col != y->pos.col)
		return x->pos.col < y->pos.col ? -1 : 1;
	if (x->sev != y->sev)
		return x->sev > y->sev ? -1 : 1;
	return strcmp(x->text, y->text);
}

/* diags_sort() - into the order of the file, which is how a person reads it */
void diags_sort(struct diags *d)
{
	if (d->n)
		qsort(d->v, d->n, sizeof(*d->v), cmp_diag);
}

const char *severity_name(enum severity sev)
{
	static const char *const names[] = {
		[DIAG_NOTE] = "note",
		[DIAG_WARNING] = "warning",
		[DIAG_BLOCKED] = "not possible here",
		[DIAG_ERROR] = "error",
	};

	return names[sev];
}

void diags_print(const struct diags *d, const char *file, FILE *f)
{
	size_t i;

	for (i = 0; i < d->n; i++) {
		const struct diag *x = &d->v[i];

		fprintf(f, "%s:", file);
		if (x->pos.line)
			fprintf(f, "%u:%u:", x->pos.line, x->pos.col);
		fprintf(f, " %s: %s\n", severity_name(x->sev), x->text);
	}
}

void diags_free(struct diags *d)
{
	size_t i;

	for (i = 0; i < d->n; i++)
		free(d->v[i].text);
	free(d->v);
	memset(d, 0, sizeof(*d));
}
