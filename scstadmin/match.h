/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SCSTADMIN_MATCH_H
#define SCSTADMIN_MATCH_H

#include <stdbool.h>

/*
 * initiator_matches() - would the core put this initiator in a group with this
 * entry
 *
 * '*' stands for any run of characters, '?' for one, case does not count, and
 * the first '!' inverts the result of what follows it.
 */
bool initiator_matches(const char *name, const char *pattern);

#endif
