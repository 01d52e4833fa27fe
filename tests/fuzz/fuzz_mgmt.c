// SPDX-License-Identifier: GPL-2.0
/*
 * Commands that are written to mgmt files. Input: a letter that says whose, then
 * the line as written, which goes through what every line goes through first.
 */
#include "fuzz.h"
#include "scst/proto/lun_addr.h"
#include "scst/proto/mgmt.h"
#include "scst/proto/text.h"

static const char *begin, *end;

static void check_inside(const char *p)
{
	MUST(p >= begin && p <= end);
}

/* What is accepted can be a file, and can be written again. */
static void check_name(const char *name)
{
	check_inside(name);
	MUST(*name && strlen(name) <= SCST_NAME_LEN && !strpbrk(name, "/ \t\n="));
	MUST(strcmp(name, ".") && strcmp(name, ".."));
	MUST(scst_text_control(name, strlen(name), false) == strlen(name));
}

/* Either all was well, or something says what was not. */
static void check_end(const struct scst_line *line, bool good)
{
	check_inside(line->pos);
	MUST(good == !line->expected);
	if (good)
		return;
	check_inside(line->found);
	MUST(*line->expected);
}

static bool mapping(struct scst_line *line, const char **dev, unsigned int *lun, int *read_only)
{
	return scst_line_word(line, "device", dev) && scst_line_lun(line, lun) &&
	       scst_line_read_only(line, read_only);
}

/* luns/mgmt: what was understood, written anew, is understood the same way. */
static void luns(struct scst_line *line)
{
	unsigned int lun = 77777, lun2;
	const char *dev, *dev2;
	int read_only = -1, ro2 = -1;
	char text[600];

	if (!mapping(line, &dev, &lun, &read_only)) {
		check_end(line, false);
		return;
	}
	check_end(line, true);
	check_inside(dev);
	MUST(*dev && lun <= SCST_LUN_MAX && read_only >= -1 && read_only <= 1);
	snprintf(text, sizeof(text), "add %s 0x%x", dev, lun);
	if (read_only >= 0)
		sprintf(text + strlen(text), " read_only=%d", read_only);
	scst_line_start(line, text);
	MUST(mapping(line, &dev2, &lun2, &ro2));
	MUST(!strcmp(dev, dev2) && lun == lun2 && read_only == ro2);
}

static void lun_alone(struct scst_line *line)
{
	unsigned int lun;
	bool good = scst_line_lun(line, &lun);

	MUST(!good || lun <= SCST_LUN_MAX);
	good = good && scst_line_end(line);
	check_end(line, good);
}

/* groups, initiators, sessions: @n names and no more. */
static void names(struct scst_line *line, unsigned int n)
{
	const char *name;
	bool good = true;

	while (good && n--) {
		good = scst_line_name(line, "name", &name);
		if (good)
			check_name(name);
	}
	good = good && scst_line_end(line);
	check_end(line, good);
}

/* add_device, add_target: a name, then parameters. */
static void parameters(struct scst_line *line)
{
	const char *name;
	char *param, *value;
	size_t items = 0;

	if (!scst_line_name(line, "name", &name)) {
		check_end(line, false);
		return;
	}
	check_name(name);
	while (scst_text_param(&line->pos, &param, &value) > 0) {
		check_inside(param);
		check_inside(value);
		MUST(*param && !strpbrk(param, " \t\n=;"));
		MUST(*value && !strpbrk(value, " \t\n=;"));
		MUST(++items <= (size_t)(end - begin));
	}
	check_inside(line->pos);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct scst_line line;
	const char *p;
	char *text;

	if (!size || memchr(data + 1, 0, size - 1))
		return 0;
	text = fuzz_string(data + 1, size - 1);
	begin = text;
	end = text + size - 1;
	MUST(scst_text_control(text, size - 1, false) <= scst_text_control(text, size - 1, true));
	text[scst_text_control(text, size - 1, true)] = '\0';

	scst_line_start(&line, text);
	check_inside(line.verb);
	check_inside(line.pos);
	for (p = line.verb; *p; p++)
		MUST(*p < 'A' || *p > 'Z');
	switch (data[0]) {
	case 'm':
		luns(&line);
		break;
	case 'l':
		lun_alone(&line);
		break;
	case '0':
	case '1':
	case '2':
		names(&line, data[0] - '0');
		break;
	case 'p':
		parameters(&line);
		break;
	}
	free(text);
	return 0;
}
