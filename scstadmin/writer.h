/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SCSTADMIN_WRITER_H
#define SCSTADMIN_WRITER_H

#include "tree.h"

/* A word as the parser reads it back, quoted where that is needed. */
void conf_add_word(struct strbuf *sb, const char *word);

/**
 * conf_write() - the text of an scst.conf for a running state
 * @sb: the text is added here
 * @root: the running state, sorted
 * @nonkey: also save attributes that have their default value
 */
void conf_write(struct strbuf *sb, const struct node *root, bool nonkey);

/*
 * conf_keep_absent() - take over what the old file has and cannot run now
 *
 * Sections of handlers and drivers that are not loaded, and hardware targets
 * whose port is away: saving must not lose them. They move from @old to @have.
 */
void conf_keep_absent(struct node *have, struct node *old,
		      struct strv *notices);

/* How many devices, LUNs, groups, initiators there are: what can get lost. */
size_t conf_objects(const struct node *n);

/*
 * conf_save() - replace a file in one step, keeping the old one
 *
 * The text goes to a new file beside @file, is synced and takes its name; what
 * was there becomes "<file>.bak". Anything but an ordinary file (a terminal, a
 * pipe) is simply written to.
 *
 * Return: 0 or -errno.
 */
int conf_save(const char *file, const char *text, size_t len);

#endif
