// SPDX-License-Identifier: GPL-2.0
/* usage: srp-hostile -l | ADDRESS PORT SERVICE-GUID CASE [COUNT] */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hostile.h"

struct target target;
static int failures;

void fail(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	/* What follows would only say the same again, or wait. */
	if (++failures > 3)
		exit(1);
}

static const struct test_case *find(const struct test_case *list, const char *name)
{
	for (; list->name; list++)
		if (!strcmp(list->name, name))
			return list;
	return NULL;
}

int main(int argc, char **argv)
{
	const struct test_case *c;

	if (argc == 2 && !strcmp(argv[1], "-l")) {
		for (c = cases; c->name; c++)
			puts(c->name);
		return 0;
	}
	if (argc < 5) {
		fprintf(stderr, "usage: %s -l | ADDRESS PORT SERVICE-GUID CASE [COUNT]\n", argv[0]);
		return 2;
	}
	target.addr = argv[1];
	target.port = argv[2];
	target.guid = strtoull(argv[3], NULL, 16);
	c = find(cases, argv[4]);
	if (!c)
		c = find(storms, argv[4]);
	if (!c) {
		fprintf(stderr, "no case %s\n", argv[4]);
		return 2;
	}
	c->run(argc > 5 ? strtoul(argv[5], NULL, 10) : 0);
	return failures ? 1 : 0;
}
