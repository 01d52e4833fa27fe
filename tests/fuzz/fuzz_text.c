// SPDX-License-Identifier: GPL-2.0
/* mgmt lines, patterns, numbers, identifiers. Input: a letter that says which, then text. */
#include "fuzz.h"
#include "scst/proto/inquiry.h"
#include "scst/proto/text.h"

/* A command: words until one holds ":", then parameters. */
static void mgmt_line(char *text, size_t len)
{
	char *name, *value, *word, *pos = text;
	unsigned int items = 0;

	do {
		word = scst_text_word(&pos);
		MUST(pos >= text && pos <= text + len);
		MUST(!strpbrk(word, " \t\n="));
	} while (*word && !strchr(word, ':'));

	while (scst_text_param(&pos, &name, &value) == 1) {
		MUST(pos >= text && pos <= text + len);
		MUST(*name && *value);
		MUST(!strpbrk(name, " \t\n=;") && !strpbrk(value, " \t\n=;"));
		MUST(++items <= len);
	}
}

/* What the documentation says, by trying everything: only for short texts. */
static bool slow_match(const char *p, const char *s)
{
	if (*p == '*')
		return slow_match(p + 1, s) || (*s && slow_match(p, s + 1));
	if (!*p || !*s)
		return !*p && !*s;
	return (*p == '?' || tolower((u8)*p) == tolower((u8)*s)) && slow_match(p + 1, s + 1);
}

/* The pattern ends at the first newline. */
static void pattern(char *text)
{
	char *name = strchr(text, '\n');
	char inverted[64];

	if (!name)
		return;
	*name++ = '\0';
	if (strlen(text) > 10 || strlen(name) > 10 || strchr(text, '!')) {
		scst_name_match(text, name);
		return;
	}
	MUST(scst_name_match(text, name) == slow_match(text, name));
	snprintf(inverted, sizeof(inverted), "!%s", text);
	MUST(scst_name_match(inverted, name) != scst_name_match(text, name));
	snprintf(inverted, sizeof(inverted), "%s*", name);
	if (!strpbrk(name, "!"))
		MUST(scst_name_match(inverted, name));
}

static void number(const char *text)
{
	u64 value;

	if (!scst_text_u64(text, &value)) {
		char *end;

		MUST(value == strtoull(text, &end, 0));
		MUST(strspn(end, " \t\n\v\f\r") == strlen(end));
	}
}

static void identifier(const char *text, bool naa)
{
	u8 *out = malloc(16);
	int n;

	MUST(out);
	n = scst_ids_parse_hex(text, out, naa);
	MUST(n == -1 || n == 0 || n == 8 || n == 16 || (n == 12 && !naa));
	free(out);
}

/* The identity that a device of this name gets. */
static void default_ids(const char *name)
{
	struct scst_ids *ids = malloc(sizeof(*ids));

	MUST(ids);
	memset(ids, 0xff, sizeof(*ids));
	scst_ids_default(ids, name, strlen(name), 0x12345678, "SCST_FIO", "3110");
	MUST(!strncmp(ids->product, name, SCST_PRODUCT_LEN));
	MUST(strlen(ids->product) <= SCST_PRODUCT_LEN);
	MUST(*ids->usn && strlen(ids->usn) <= SCST_USN_LEN);
	MUST(*ids->t10_dev_id && strlen(ids->t10_dev_id) <= SCST_T10_ID_LEN);
	MUST(!strcmp(ids->t10_dev_id, ids->vend_specific_id));
	MUST(!*ids->scsi_device_name && !ids->naa_len && !ids->eui64_len);
	free(ids);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text;

	if (!size)
		return 0;
	text = fuzz_string(data + 1, size - 1);
	switch (data[0]) {
	case 'm':
		mgmt_line(text, size - 1);
		break;
	case 'p':
		pattern(text);
		break;
	case 'n':
		number(text);
		break;
	case 'i':
		identifier(text, true);
		break;
	case 'e':
		identifier(text, false);
		break;
	case 'd':
		default_ids(text);
		break;
	}
	free(text);
	return 0;
}
