/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SCSTADMIN_LIST_H
#define SCSTADMIN_LIST_H

#include "tree.h"

/* Attribute, Value, Writable, KEY; without @all those with [key] only. */
void print_attr_table(const struct node *n, bool all);

/* The group a session belongs to; NULL for the target's own LUNs. */
char *session_group_name(const struct node *se);

#endif
