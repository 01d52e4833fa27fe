/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared by the files that work out the difference: diff.c (order, device
 * groups), diff_attr.c, diff_dev.c, diff_tgt.c.
 */
#ifndef SCSTADMIN_DIFF_H
#define SCSTADMIN_DIFF_H

#include "plan.h"

struct diff {
	struct plan *p;
	struct node *want;
	struct node *have;
	bool force;
};

/* diff.c */

/* NULL for what an earlier step of the plan removes. */
struct node *live(struct node *n);
struct node *find_live(const struct node *parent, enum node_kind kind,
		       const char *name);
/* Says that @n is there although the file does not have it. */
void surplus(struct diff *d, const struct node *n, bool described);

/* diff_attr.c */

/* True for "0", numbers that mean it, and "". */
bool is_zero(const char *text);
/* Is @value among what the running attribute shows? */
bool has_value(const struct node *want, const struct attr *h,
	       const char *value);
/* These take a write whatever the mode of their file says. */
bool always_writable(const char *attr);
/* Sessions made by add_session, for which sysfs has no attribute file. */
bool is_session_name(const struct node *have_driver, const char *attr);
bool is_dynamic(enum node_kind kind, const struct node *have_driver,
		const char *attr);
/* Adds and removes values of an attribute that takes several. */
void diff_dynamic(struct diff *d, struct node *want,
		  const struct node *driver, const struct attr *w,
		  const struct attr *h);
/* Attributes of an object that runs already; @params are left alone. */
void diff_attrs(struct diff *d, struct node *want, struct node *have,
		const struct strv *params);
/* Attributes that the file no longer has. */
void reset_attrs(struct diff *d, struct node *want, const struct node *have,
		 const struct strv *params);
/* Attributes of an object that this run makes. */
void set_new_attrs(struct diff *d, struct node *want,
		   const struct node *have_driver, const struct strv *params);

/* diff_dev.c */

/* Does a creation parameter say something else than the running object? */
bool param_differs(const struct node *want, const struct node *have,
		   const char *name);
void close_devices(struct diff *d);
void add_devices(struct diff *d);

/* diff_tgt.c */

void empty_target(struct diff *d, struct node *t);
void remove_from_drivers(struct diff *d);
void add_targets(struct diff *d);
void enable(struct diff *d);

#endif
