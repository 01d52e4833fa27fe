/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SCSTADMIN_APPLY_H
#define SCSTADMIN_APPLY_H

#include <signal.h>

#include "plan.h"
#include "sysfs.h"

struct apply {
	struct sysfs *s;
	const char *file;	/* for messages; NULL when none is involved */
	bool cont_on_err;	/* go on behind an object that failed */
	bool undo;		/* take back what was done when stopping */
	bool quiet;		/* print no step that works */
	/* Set by a signal: stop before the next step. May be NULL. */
	const volatile sig_atomic_t *stop;

	/* result */
	unsigned int done;
	unsigned int failed;
	unsigned int ignored;	/* attributes that the object does not have */
	bool undone;
};

/**
 * apply_plan() - carry out a plan
 * @a: how, and the counts of what happened
 * @p: the plan
 *
 * An object that cannot be made or removed stops the run. An attribute that
 * the kernel refuses is reported and the run goes on.
 *
 * Return: 0 when everything was done, else the first -errno.
 */
int apply_plan(struct apply *a, const struct plan *p);

/* Asks for every session of a target to be closed and waits for it. */
int close_sessions(struct sysfs *s, const char *target_path);

/* "Device or resource busy (EBUSY)"; free the result. */
char *errno_text(int err);

#endif
