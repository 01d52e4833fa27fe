/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SCSTADMIN_MGMT_H
#define SCSTADMIN_MGMT_H

#include "tree.h"

/*
 * One write to sysfs. Without a text it stands for closing the sessions of the
 * target whose directory @path is.
 */
struct write {
	char *path;
	char *text;
};

struct writes {
	struct write *v;
	size_t n;
	size_t cap;
};

/* Takes over both strings. */
void writes_add(struct writes *w, char *path, char *text);
void writes_free(struct writes *w);

/*
 * mgmt_create(), mgmt_remove() - the command that makes an object or undoes it
 * @n: the object; its attributes that @params lists go into the command
 * @params: names of creation parameters, may be NULL
 */
void mgmt_create(struct writes *w, const struct node *n,
		 const struct strv *params);
void mgmt_remove(struct writes *w, const struct node *n);

/* @verb is "add" or "del": a value of a multi-valued attribute. */
void mgmt_dynamic(struct writes *w, const struct node *n, const char *verb,
		  const char *attr, const char *value, bool session);

/* The text for writing @value to an attribute of a @kind. */
char *attr_write_text(enum node_kind kind, const char *value);
void mgmt_attr(struct writes *w, const struct node *n, const char *attr,
	       const char *value);

/* The creation parameters that apply to @n, from the running parent. */
const struct strv *create_params(const struct node *running_parent,
				 enum node_kind kind);

/*
 * True when a device's size_mb only repeats its size, rounded down: the kernel
 * takes the last of the two, so the exact one has to be the only one.
 */
bool size_mb_is_spare(const struct node *n);

/* Would a saved file hold this attribute of a running object? */
bool attr_is_saved(const struct node *n, const struct attr *a);

/*
 * mgmt_rebuild() - everything it takes to make a running object once more
 *
 * For undoing a removal: the object, its saved attributes and what is in it.
 */
void mgmt_rebuild(struct writes *w, const struct node *n);

#endif
