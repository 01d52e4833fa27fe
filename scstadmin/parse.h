/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SCSTADMIN_PARSE_H
#define SCSTADMIN_PARSE_H

#include "tree.h"

/**
 * parse_conf() - read the text of an scst.conf
 * @buf: the text, not terminated
 * @len: its length
 * @diags: faults found are added here
 *
 * Return: the tree, never NULL. With errors in @diags it holds what could be
 * understood, good for further messages and for nothing else.
 */
struct node *parse_conf(const char *buf, size_t len, struct diags *diags);

#endif
