/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SCSTADMIN_DIAG_H
#define SCSTADMIN_DIAG_H

#include <stdio.h>

#include "util.h"

/* A place in the configuration file; line 0 means "no place". */
struct pos {
	unsigned int line;
	unsigned int col;
};

/*
 * DIAG_ERROR:   the file is wrong, nothing of it may be applied
 * DIAG_BLOCKED: the file is right but this system cannot carry it out now;
 *		 a warning for -check_config, stops -config before its first
 *		 write unless -cont_on_err asks for the rest
 */
enum severity { DIAG_NOTE, DIAG_WARNING, DIAG_BLOCKED, DIAG_ERROR };

struct diag {
	enum severity sev;
	struct pos pos;
	char *text;
};

/* What the parser and the checks found, in order; printing is the caller's. */
struct diags {
	struct diag *v;
	size_t n;
	size_t cap;
	unsigned int count[DIAG_ERROR + 1];
};

void diag_add(struct diags *d, enum severity sev, struct pos pos,
	      const char *fmt, ...) __printf(4, 5);
void diags_sort(struct diags *d);
void diags_print(const struct diags *d, const char *file, FILE *f);
void diags_free(struct diags *d);
const char *severity_name(enum severity sev);

#endif
