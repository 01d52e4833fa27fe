/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Command lines that are written to mgmt files: a verb, names and numbers in a
 * fixed order, then perhaps parameters (doc/sysfs.md). Transports read their own
 * commands with the same functions.
 */
#ifndef SCST_PROTO_MGMT_H
#define SCST_PROTO_MGMT_H

#include "base.h"

#define SCST_NAME_LEN	255	/* of a file or directory */

/**
 * struct scst_line - a command line that is read from left to right
 * @pos: what has not been read yet; the text is modified
 * @verb: its first word, in lower case
 * @found: the word that is wrong
 * @expected: what would be right there; NULL while nothing is wrong
 */
struct scst_line {
	char *pos;
	const char *verb;
	const char *found;
	const char *expected;
};

/* Begin with @text: take the verb, which is empty if there is none. */
void scst_line_start(struct scst_line *line, char *text);

/*
 * Take the next word. These return false if it is not what is expected, which
 * they leave in @line; the result is set only with true.
 */

/* A name that exists or does not: any word. */
bool scst_line_word(struct scst_line *line, const char *what, const char **word);
/* A name that can become a file or directory. */
bool scst_line_name(struct scst_line *line, const char *what, const char **name);
bool scst_line_lun(struct scst_line *line, unsigned int *lun);
/* All that is left: [read_only=0|1]. Not given, @read_only is left alone. */
bool scst_line_read_only(struct scst_line *line, int *read_only);
/* Nothing may be left. */
bool scst_line_end(struct scst_line *line);

/*
 * Position of the first control character in a text, @len if there is none. White space is
 * allowed in commands (@spaces); in names and values only the tab is.
 */
size_t scst_text_control(const char *text, size_t len, bool spaces);

#endif
