// SPDX-License-Identifier: GPL-2.0
/*
 * The core's rules for initiator patterns, to explain what it will do.
 */
#include <ctype.h>
#include <stddef.h>

#include "match.h"

/* Linear in time: a later '*' makes the choices at earlier ones final. */
static bool matches(const char *s, const char *p)
{
	const char *star = NULL, *retry = NULL;

	while (*s) {
		if (*p == '*') {
			star = p++;
			retry = s;
		} else if (*p == '?' || (*p && tolower((unsigned char)*p) ==
					 tolower((unsigned char)*s))) {
			p++;
			s++;
		} else if (star) {
			p = star + 1;
			s = ++retry;
		} else {
			return false;
		}
	}
	while (*p == '*')
		p++;
	return !*p;
}

bool initiator_matches(const char *name, const char *pattern)
{
	/* A literal start before the '!' has to be there as it is. */
	for (; *pattern && *pattern != '!' && *pattern != '*' &&
	     *pattern != '?'; pattern++, name++)
		if (!*name || tolower((unsigned char)*name) !=
			      tolower((unsigned char)*pattern))
			return false;
	if (*pattern == '!')
		return !matches(name, pattern + 1);
	return matches(name, pattern);
}
