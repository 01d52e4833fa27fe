// SPDX-License-Identifier: GPL-2.0
/*
 * Options: any unique prefix, any case, one dash or two, '-' for '_'.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "version.h"

enum modifier {
	MOD_NOPROMPT,
	MOD_FORCE,
	MOD_NONKEY,
	MOD_CONT_ON_ERR,
	MOD_LIP,
	MOD_NO_LIP,
	MOD_DRY_RUN,
	MOD_JSON,
	MOD_SYSFS_ROOT,
	MOD_HELP,
	MOD_VERSION,
};

struct opt {
	const char *name;
	enum arg_type arg;
	const struct cmd *cmd;	/* an operation, or: */
	bool companion;
	unsigned int num;	/* enum companion or enum modifier */
	bool whole;		/* younger than the scripts that abbreviate */
};

static const char *const companions[COMPANIONS] = {
	[WITH_HANDLER]		= "handler",
	[WITH_DRIVER]		= "driver",
	[WITH_TARGET]		= "target",
	[WITH_GROUP]		= "group",
	[WITH_TO]		= "to",
	[WITH_DEVICE]		= "device",
	[WITH_DEV_GROUP]	= "dev_group",
	[WITH_TGT_GROUP]	= "tgt_group",
	[WITH_ATTRIBUTES]	= "attributes",
};

static const struct opt modifiers[] = {
	{ .name = "noprompt", .num = MOD_NOPROMPT },
	{ .name = "force", .num = MOD_FORCE },
	{ .name = "nonkey", .num = MOD_NONKEY },
	{ .name = "cont_on_err", .num = MOD_CONT_ON_ERR },
	{ .name = "lip", .num = MOD_LIP },
	{ .name = "no_lip", .num = MOD_NO_LIP },
	{ .name = "debug", .num = MOD_DRY_RUN },
	{ .name = "dry_run", .num = MOD_DRY_RUN, .whole = true },
	{ .name = "json", .num = MOD_JSON, .whole = true },
	{ .name = "sysfs_root", .num = MOD_SYSFS_ROOT, .arg = ARG_REQUIRED,
	  .whole = true },
	{ .name = "help", .num = MOD_HELP },
	{ .name = "h", .num = MOD_HELP },
	{ .name = "version", .num = MOD_VERSION, .whole = true },
};

/* The options as one list: operations, companions, modifiers. */
static bool opt_at(size_t i, struct opt *o)
{
	memset(o, 0, sizeof(*o));
	if (i < cmds_count) {
		o->name = cmds[i].name;
		o->arg = cmds[i].arg;
		o->cmd = &cmds[i];
		o->whole = !strcmp(cmds[i].name, "explain");
		return true;
	}
	i -= cmds_count;
	if (i < COMPANIONS) {
		o->name = companions[i];
		o->arg = ARG_REQUIRED;
		o->companion = true;
		o->num = (unsigned int)i;
		return true;
	}
	i -= COMPANIONS;
	if (i < ARRAY_SIZE(modifiers)) {
		*o = modifiers[i];
		return true;
	}
	return false;
}

static bool same_char(char a, char b)
{
	if (a == '-')
		a = '_';
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static bool is_prefix(const char *word, size_t len, const char *name)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (!name[i] || !same_char(word[i], name[i]))
			return false;
	return true;
}

static bool find_opt(const char *word, size_t len, struct opt *found)
{
	struct strv near = { 0 };
	struct strbuf all = { 0 };
	const char *best;
	struct opt o;
	char *copy;
	size_t i;

	for (i = 0; opt_at(i, &o); i++) {
		strv_add(&near, o.name);
		if (!is_prefix(word, len, o.name))
			continue;
		if (!o.name[len]) {
			*found = o;
			strv_free(&near);
			sb_free(&all);
			return true;
		}
		if (o.whole)
			continue;
		sb_addf(&all, "%s-%s", all.len ? ", " : "", o.name);
		*found = o;
	}
	copy = xstrndup(word, len);
	best = did_you_mean(copy, &near);
	if (!all.len)
		cli_error("unknown option '-%s'%s%s%s", copy,
			  best ? " (did you mean '-" : "", best ? best : "",
			  best ? "'?)" : "");
	else if (strchr(sb_str(&all), ','))
		cli_error("option '-%s' is ambiguous: %s", copy, sb_str(&all));
	i = all.len && !strchr(sb_str(&all), ',');
	free(copy);
	strv_free(&near);
	sb_free(&all);
	return i;
}

static void set_modifier(struct cli *c, const struct opt *o, const char *value,
			 bool *help)
{
	switch ((enum modifier)o->num) {
	case MOD_NOPROMPT:
		c->noprompt = true;
		break;
	case MOD_FORCE:
		c->force = true;
		break;
	case MOD_NONKEY:
		c->nonkey = true;
		break;
	case MOD_CONT_ON_ERR:
		c->cont_on_err = true;
		break;
	case MOD_LIP:
		c->lip = true;
		break;
	case MOD_NO_LIP:
		c->no_lip = true;
		break;
	case MOD_DRY_RUN:
		c->dry_run = true;
		break;
	case MOD_JSON:
		c->list_json = true;
		break;
	case MOD_SYSFS_ROOT:
		c->s->root = value;
		break;
	case MOD_HELP:
		opt_usage(stdout);
		*help = true;
		break;
	case MOD_VERSION:
		printf("scstadmin %s\n", SCSTADMIN_VERSION);
		*help = true;
		break;
	}
}

/* The value of an option: behind '=', or the next word. */
static bool take_value(const struct opt *o, const char *inlined, int *i,
		       int argc, char **argv, const char **value)
{
	*value = NULL;
	if (o->arg == ARG_NONE) {
		if (inlined)
			cli_error("option '-%s' takes no value", o->name);
		return !inlined;
	}
	if (inlined) {
		*value = inlined;
	} else if (*i + 1 < argc &&
		   (o->arg == ARG_REQUIRED || argv[*i + 1][0] != '-')) {
		*value = argv[++*i];
	} else if (o->arg == ARG_REQUIRED) {
		cli_error("option '-%s' needs a value", o->name);
		return false;
	}
	return true;
}

/* Keeps the operations in table order; one that is repeated counts once. */
static void add_op(const struct cmd *cmd, const char *value,
		   const struct cmd **ops, const char **values, size_t *n)
{
	size_t i = 0;

	while (i < *n && ops[i] < cmd)
		i++;
	if (i == *n || ops[i] != cmd) {
		memmove(&ops[i + 1], &ops[i], (*n - i) * sizeof(*ops));
		memmove(&values[i + 1], &values[i], (*n - i) * sizeof(*values));
		ops[i] = cmd;
		(*n)++;
	}
	values[i] = value;
}

/*
 * opt_parse() - sort the words of the command line
 *
 * @ops and @values have room for every operation there is, plus one.
 */
int opt_parse(struct cli *c, int argc, char **argv, const struct cmd **ops,
	      const char **values, size_t *nops, bool *help)
{
	const char *word, *eq, *value;
	struct opt o = { 0 };
	int i;

	*nops = 0;
	for (i = 1; i < argc && !*help; i++) {
		word = argv[i];
		if (!strcmp(word, "--"))
			break;
		if (*word != '-' || !word[1])
			continue;
		word += word[1] == '-' ? 2 : 1;
		eq = strchr(word, '=');
		if (!find_opt(word, eq ? (size_t)(eq - word) : strlen(word), &o))
			return 1;
		if (!take_value(&o, eq ? eq + 1 : NULL, &i, argc, argv, &value))
			return 1;
		if (o.cmd)
			add_op(o.cmd, value, ops, values, nops);
		else if (o.companion)
			c->with[o.num] = value;
		else
			set_modifier(c, &o, value, help);
	}
	return 0;
}

static void usage_cmd(FILE *f, const struct cmd *cmd)
{
	struct strbuf sb = { 0 };
	size_t i;

	sb_addf(&sb, "  -%s", cmd->name);
	if (cmd->arg != ARG_NONE)
		sb_add(&sb, cmd->arg == ARG_OPTIONAL ? " [name]" : " <name>");
	for (i = 0; i < COMPANIONS; i++)
		if (cmd->needs & 1u << i)
			sb_addf(&sb, " -%s <..>", companions[i]);
	fprintf(f, "%s\n        %s\n", sb_str(&sb), cmd->help);
	sb_free(&sb);
}

void opt_usage(FILE *f)
{
	size_t i;

	fputs("Usage: scstadmin <operation> [options]\n\nOperations:\n", f);
	for (i = 0; i < cmds_count; i++)
		usage_cmd(f, &cmds[i]);
	fputs("\n"
	      "Options:\n"
	      "  -force         also remove, also when in use\n"
	      "  -noprompt      do not ask\n"
	      "  -cont_on_err   go on behind an error, do what can be done\n"
	      "  -debug, -dry_run  print the writes instead of doing them\n"
	      "  -nonkey        also attributes that have their default\n"
	      "  -json          lists as JSON\n"
	      "  -lip, -no_lip  (do not) issue a fibre channel LIP\n"
	      "  -sysfs_root <dir>  work on this directory (for tests)\n"
	      "\n"
	      "Options may be abbreviated. See scstadmin(8).\n", f);
}
