/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SCSTADMIN_CHECK_H
#define SCSTADMIN_CHECK_H

#include "tree.h"

#define DEVICE_NAME_MAX	64
#define NAME_LEN_MAX	255

/*
 * check_file() - look for what is wrong with the file by itself
 *
 * May correct the tree where the reference reader does ("/dev/" before a
 * device name). Errors in @diags mean that the file must not be applied.
 */
void check_file(struct node *root, struct diags *diags);

/*
 * check_system() - look for what this system cannot carry out
 *
 * What cannot be done is taken out of @root, so that -cont_on_err can go on
 * with the rest. Target names are set to the spelling the system uses.
 */
void check_system(struct node *root, const struct node *have,
		  struct diags *diags);

/* What is wrong with an object's name; NULL when nothing is. */
char *name_fault(enum node_kind kind, const char *name);

/* The kernel module that brings a handler or a driver; free the result. */
char *module_for(enum node_kind kind, const char *name);

/* True for driver/target pairs owned by the core's copy manager. */
bool is_copy_manager(const struct node *n);

/* The target of this name; hexadecimal names are found in any case. */
struct node *find_target(const struct node *driver, const char *name);

#endif
