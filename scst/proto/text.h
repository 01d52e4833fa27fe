/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The texts that administrators write: words of a mgmt command, parameter
 * lists, initiator name patterns.
 */
#ifndef SCST_PROTO_TEXT_H
#define SCST_PROTO_TEXT_H

#include "base.h"

/**
 * scst_text_word() - take the next word
 * @pos: read position; moved behind the word and its terminator
 *
 * Words are separated by runs of white space or "=" (sysfs.md, conventions). The
 * buffer is modified: the word is NUL terminated.
 *
 * Return: the word, empty if there is none left.
 */
char *scst_text_word(char **pos);

/**
 * scst_text_param() - take the next "name=value" item
 * @pos: read position
 * @name: name of the parameter
 * @value: its value
 *
 * Items are separated by ";" or newline. Each is exactly one name and one value.
 * An empty item ends the list.
 *
 * Return: 1 if an item was taken, 0 at the end, -1 if it is malformed (@name is set
 * as far as there is one, for the message).
 */
int scst_text_param(char **pos, char **name, char **value);

/**
 * scst_name_match() - does an initiator name match a pattern
 * @pattern: "*" any run, "?" one character, the first "!" inverts the result of the
 *	pattern after it; letters compare without case
 * @name: initiator name
 *
 * Time is bounded by the product of the lengths.
 */
bool scst_name_match(const char *pattern, const char *name);

/* Number, base by prefix (0x, leading 0), trailing white space allowed. 0 or -1. */
int scst_text_u64(const char *text, u64 *out);

/* @len bytes from exactly twice as many hex digits. 0, or -1 and @out unchanged. */
int scst_text_hex(const char *text, u8 *out, size_t len);

#endif
