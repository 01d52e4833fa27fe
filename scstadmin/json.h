/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SCSTADMIN_JSON_H
#define SCSTADMIN_JSON_H

#include "tree.h"

enum json_what {
	JSON_ATTRS	= 1 << 0,	/* attributes of the listed objects */
	JSON_MEMBERS	= 1 << 1,	/* names of what is in them */
	JSON_DEEP	= 1 << 2,	/* and what is in that */
	JSON_SESSIONS	= 1 << 3,
	JSON_ALL_ATTRS	= 1 << 4,	/* not only those to be saved */
};

/* One document on stdout: {"<key>": [object, ...]}. */
void json_print(const char *key, struct node *const *nodes, size_t n,
		unsigned int what);

#endif
