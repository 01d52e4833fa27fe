/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SCSTADMIN_PLAN_H
#define SCSTADMIN_PLAN_H

#include "mgmt.h"
#include "tree.h"

enum step_op { STEP_ADD, STEP_CHANGE, STEP_REMOVE };

enum step_flags {
	/* An object: a failure stops the run. Else an attribute: it goes on. */
	STEP_OBJECT	= 1 << 0,
	/* The attribute may not exist, may be read-only or right already. */
	STEP_LOOK_FIRST	= 1 << 1,
	/* With STEP_LOOK_FIRST: say nothing when there is no such attribute. */
	STEP_OPTIONAL	= 1 << 2,
	/* A failure does not matter. */
	STEP_MAY_FAIL	= 1 << 3,
};

struct step {
	enum step_op op;
	unsigned int flags;
	char *what;		/* "device d1 (vdisk_fileio)" */
	struct pos pos;		/* in the file, line 0 when not from there */
	enum node_kind kind;	/* of the object, for comparing values */
	char *attr;		/* name and value for attributes */
	char *value;
	struct write write;
	struct writes undo;	/* in the order in which to write them */
};

struct plan {
	struct step *v;
	size_t n;
	size_t cap;
	unsigned int count[STEP_REMOVE + 1];
	/* What stays different, one line each. */
	struct strv notices;
	/* Of those, how many concern what the file describes. */
	unsigned int remaining;
};

/**
 * plan_diff() - what turns the running state into what the file says
 * @p: filled in, empty before
 * @want: the file, checked
 * @have: the running state; nodes get marked, so it serves one plan only
 * @force: also remove what the file does not mention
 */
void plan_diff(struct plan *p, struct node *want, struct node *have,
	       bool force);

/* plan_clear() - what removes every object */
void plan_clear(struct plan *p, struct node *have);

/* plan_remove_target() - disable, close the sessions, delete */
void plan_remove_target(struct plan *p, struct node *have, struct node *t);

/* Takes over the single write in @w, and @undo; @what is copied. */
struct step *plan_add(struct plan *p, enum step_op op, unsigned int flags,
		      struct writes *w, const char *what);
void plan_create(struct plan *p, const struct node *n,
		 const struct strv *params);
void plan_remove(struct plan *p, struct node *n);
void plan_set_attr(struct plan *p, const struct node *n, const char *attr,
		   const char *value, const struct attr *old,
		   unsigned int flags);
void plan_dynamic(struct plan *p, const struct node *n, const char *verb,
		  const char *attr, const char *value, bool session);
void plan_notice(struct plan *p, bool remains, const char *fmt, ...)
	__printf(3, 4);
void plan_free(struct plan *p);
/* The plan for people: "+ device d1 (vdisk_fileio)". */
void plan_print(const struct plan *p);

#endif
