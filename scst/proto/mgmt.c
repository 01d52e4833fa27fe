// SPDX-License-Identifier: GPL-2.0
/* Command lines of mgmt files. */
#include "lun_addr.h"
#include "mgmt.h"
#include "text.h"

#define STRING(x)	#x
#define VALUE(x)	STRING(x)

static bool wrong(struct scst_line *line, const char *found, const char *expected)
{
	line->found = found;
	line->expected = expected;
	return false;
}

void scst_line_start(struct scst_line *line, char *text)
{
	char *verb, *p;

	memset(line, 0, sizeof(*line));
	line->pos = text;
	verb = scst_text_word(&line->pos);
	for (p = verb; *p; p++)
		*p = tolower((unsigned char)*p);
	line->verb = verb;
}

bool scst_line_word(struct scst_line *line, const char *what, const char **word)
{
	const char *w = scst_text_word(&line->pos);

	if (!*w)
		return wrong(line, w, what);
	*word = w;
	return true;
}
EXPORT_SYMBOL_GPL(scst_line_word);

bool scst_line_name(struct scst_line *line, const char *what, const char **name)
{
	const char *w;

	if (!scst_line_word(line, what, &w))
		return false;
	if (!strcmp(w, ".") || !strcmp(w, "..") || strchr(w, '/'))
		return wrong(line, w, "a name other than '.' and '..' and without '/'");
	if (strlen(w) > SCST_NAME_LEN)
		return wrong(line, w, "a name of at most " VALUE(SCST_NAME_LEN) " bytes");
	*name = w;
	return true;
}
EXPORT_SYMBOL_GPL(scst_line_name);

bool scst_line_lun(struct scst_line *line, unsigned int *lun)
{
	const char *word = scst_text_word(&line->pos);
	u64 val;

	if (scst_text_u64(word, &val) || val > SCST_LUN_MAX)
		return wrong(line, word, "a LUN from 0 to " VALUE(SCST_LUN_MAX));
	*lun = val;
	return true;
}

bool scst_line_read_only(struct scst_line *line, int *read_only)
{
	char *name, *value;
	int val = -1, ret;

	while ((ret = scst_text_param(&line->pos, &name, &value)) > 0) {
		if (strcasecmp(name, "read_only"))
			return wrong(line, name, "no parameter but read_only");
		if (strcmp(value, "0") && strcmp(value, "1"))
			return wrong(line, value, "0 or 1 for read_only");
		val = *value == '1';
	}
	if (ret < 0)
		return wrong(line, name, "a parameter with exactly one value");
	if (val >= 0)
		*read_only = val;
	return true;
}

bool scst_line_end(struct scst_line *line)
{
	const char *word = scst_text_word(&line->pos);

	return !*word || wrong(line, word, "the end of the command");
}
EXPORT_SYMBOL_GPL(scst_line_end);

size_t scst_text_control(const char *text, size_t len, bool spaces)
{
	size_t i;

	for (i = 0; i < len; i++) {
		unsigned char c = text[i];

		if (iscntrl(c) && c != '\t' && !(spaces && isspace(c)))
			break;
	}
	return i;
}
