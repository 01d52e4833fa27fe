// SPDX-License-Identifier: GPL-2.0
/* What administrators write into sysfs files. */
#include "text.h"

static bool is_separator(char c)
{
	/* The kernel's isspace() knows Latin-1, where 0xa0 is one: UTF-8 has it in "à". */
	return c == '=' || (!((u8)c & 0x80) && isspace((unsigned char)c));
}

char *scst_text_word(char **pos)
{
	char *word = *pos;
	char *end;

	while (is_separator(*word))
		word++;
	end = word;
	while (*end && !is_separator(*end))
		end++;
	*pos = end;
	if (*end) {
		*end = '\0';
		*pos = end + 1;
	}
	return word;
}

int scst_text_param(char **pos, char **name, char **value)
{
	char *item = *pos;
	char *end = item + strcspn(item, ";\n");

	*pos = end;
	if (*end) {
		*end = '\0';
		*pos = end + 1;
	}

	*name = scst_text_word(&item);
	*value = scst_text_word(&item);
	if (!**name)
		return 0;
	if (!**value || *scst_text_word(&item))
		return -1;
	return 1;
}
EXPORT_SYMBOL_GPL(scst_text_param);

static bool same_letter(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/*
 * Match the pattern from @p up to @end with the beginning of @name, or with all
 * of it if @whole. Only the last "*" is ever retried: an earlier one gains
 * nothing by taking more. Returns the end of the (shortest) match or NULL.
 */
static const char *match_run(const char *p, const char *end, const char *name, bool whole)
{
	const char *star = NULL;
	const char *retry = NULL;

	for (;;) {
		if (p == end && (!whole || !*name))
			return name;
		if (p != end && *p == '*') {
			star = ++p;
			retry = name;
		} else if (p != end && *name && (*p == '?' || same_letter(*p, *name))) {
			p++;
			name++;
		} else if (star && *retry) {
			p = star;
			name = ++retry;
		} else {
			return NULL;
		}
	}
}

bool scst_name_match(const char *pattern, const char *name)
{
	const char *end = pattern + strlen(pattern);
	const char *not = strchr(pattern, '!');

	if (!not)
		return match_run(pattern, end, name, true);

	/* What stands before the "!" has to match in any case. */
	name = match_run(pattern, not, name, false);
	return name && !match_run(not + 1, end, name, true);
}

static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = tolower((unsigned char)c);
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return 16;
}

int scst_text_u64(const char *text, u64 *out)
{
	unsigned int base = 10;
	const char *start;
	u64 v = 0;

	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
		base = 16;
		text += 2;
	} else if (text[0] == '0') {
		base = 8;
	}

	for (start = text; digit_value(*text) < (int)base; text++)
		if (check_mul_overflow(v, (u64)base, &v) ||
		    check_add_overflow(v, (u64)digit_value(*text), &v))
			return -1;
	if (text == start)
		return -1;
	while (isspace((unsigned char)*text))
		text++;
	if (*text)
		return -1;
	*out = v;
	return 0;
}

int scst_text_hex(const char *text, u8 *out, size_t len)
{
	size_t i;

	if (strlen(text) != 2 * len)
		return -1;
	for (i = 0; i < 2 * len; i++)
		if (digit_value(text[i]) > 15)
			return -1;
	for (i = 0; i < len; i++)
		out[i] = digit_value(text[2 * i]) << 4 | digit_value(text[2 * i + 1]);
	return 0;
}
