/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SCSTADMIN_CLI_H
#define SCSTADMIN_CLI_H

#include <signal.h>
#include <stdio.h>

#include "plan.h"
#include "sysfs.h"
#include "tree.h"

/* Exit statuses besides 0 and 1; those of the target operations are below. */
enum {
	EXIT_REMAINS = 2,	/* applied, but differences need -force */
	EXIT_NO_DRIVER = 30,
	EXIT_DRIVER_CANNOT = 31,
	EXIT_NO_TARGET = 40,
	EXIT_TARGET_EXISTS = 41,
	EXIT_ADD_TARGET = 42,
	EXIT_REMOVE_TARGET = 43,
	EXIT_TARGET_PARAM = 50,
	EXIT_SESSIONS_REMAIN = 54,
};

/* Options that go with an operation, in cli->with[]. */
enum companion {
	WITH_HANDLER,
	WITH_DRIVER,
	WITH_TARGET,
	WITH_GROUP,
	WITH_TO,
	WITH_DEVICE,
	WITH_DEV_GROUP,
	WITH_TGT_GROUP,
	WITH_ATTRIBUTES,
	COMPANIONS,
};

struct cli {
	struct sysfs *s;
	FILE *in;			/* answers to the question */
	const volatile sig_atomic_t *stop;
	bool list_json;
	bool noprompt;
	bool force;
	bool nonkey;
	bool cont_on_err;
	bool dry_run;
	bool lip;
	bool no_lip;
	const char *with[COMPANIONS];
	struct node *have;		/* the running state, once read */
	int last_err;			/* of cli_apply(), -errno */
};

enum arg_type { ARG_NONE, ARG_REQUIRED, ARG_OPTIONAL };

enum cmd_class {
	CMD_LIST,	/* several may be given, they run in table order */
	CMD_CHANGE,	/* the only operation of a run */
	CMD_FILE,	/* likewise; reads the running state itself */
};

struct cmd {
	const char *name;
	enum arg_type arg;
	enum cmd_class class;
	unsigned int needs;	/* bits 1 << enum companion */
	bool asks;
	int (*fn)(struct cli *c, const char *value);
	const char *help;	/* "VALUE: what it does" */
};

extern const struct cmd cmds[];
extern const size_t cmds_count;

/**
 * cli_run() - parse the arguments and do what they say
 * @s: sysfs; -sysfs_root changes its root
 * @in: where answers are read from
 * @stop: becomes true when a signal asks to stop; may be NULL
 * @argc: as for main()
 * @argv: as for main()
 *
 * Return: the exit status.
 */
int cli_run(struct sysfs *s, FILE *in, const volatile sig_atomic_t *stop,
	    int argc, char **argv);

/* opt.c */
int opt_parse(struct cli *c, int argc, char **argv, const struct cmd **ops,
	      const char **values, size_t *nops, bool *help);
void opt_usage(FILE *f);

/* "error: ..." on stderr, always 1 so that it can be returned. */
int cli_error(const char *fmt, ...) __printf(1, 2);
/* True to go on. */
bool cli_confirm(struct cli *c);
/* NULL after an error: no core, or one that cannot be used. */
struct node *cli_snapshot(struct cli *c, unsigned int flags,
			  const struct strv *names);
/* Reads the attributes of a running object, with @below of what is in it. */
void cli_load(struct cli *c, struct node *n, bool below);
/* The same initiator in two groups of a target; false after an error. */
bool cli_check_unique(struct cli *c, const struct node *have);
/* Applies a plan of one operation and frees it; 0 or 1. */
int cli_apply(struct cli *c, struct plan *p);

/* The running object, or NULL after an error that names what comes close. */
struct node *cli_find(const struct node *parent, enum node_kind kind,
		      const char *name);
struct node *cli_device(struct cli *c, const char *name);
struct node *cli_driver(struct cli *c);
/* Of -driver and @name; without -driver the only target of that name. */
struct node *cli_target(struct cli *c, const char *name);
/* -target, or its -group when one is given. */
struct node *cli_lun_table(struct cli *c);
struct node *cli_group(struct cli *c);
struct node *cli_dgroup(struct cli *c);
struct node *cli_tgroup(struct cli *c);

/* config.c */
int cmd_config(struct cli *c, const char *file);
int cmd_check_config(struct cli *c, const char *file);
int cmd_write_config(struct cli *c, const char *file);
int cmd_clear_config(struct cli *c, const char *unused);

/* list.c */
int cmd_list_handler(struct cli *c, const char *name);
int cmd_list_device(struct cli *c, const char *name);
int cmd_list_driver(struct cli *c, const char *name);
int cmd_list_target(struct cli *c, const char *name);
int cmd_list_group(struct cli *c, const char *name);
int cmd_list_sessions(struct cli *c, const char *unused);
int cmd_list_dgrp(struct cli *c, const char *name);
int cmd_list_tgrp(struct cli *c, const char *name);

/* list_attr.c */
int cmd_list_scst_attr(struct cli *c, const char *unused);
int cmd_list_hnd_attr(struct cli *c, const char *name);
int cmd_list_dev_attr(struct cli *c, const char *name);
int cmd_list_drv_attr(struct cli *c, const char *name);
int cmd_list_tgt_attr(struct cli *c, const char *name);
int cmd_list_grp_attr(struct cli *c, const char *name);
int cmd_list_lun_attr(struct cli *c, const char *name);
int cmd_list_init_attr(struct cli *c, const char *name);
int cmd_list_dgrp_attr(struct cli *c, const char *name);
int cmd_list_tgrp_attr(struct cli *c, const char *name);
int cmd_list_ttgt_attr(struct cli *c, const char *name);
int cmd_dump_attrs(struct cli *c, const char *unused);

/* ops_attr.c */
int cmd_set_scst_attr(struct cli *c, const char *unused);
int cmd_set_hnd_attr(struct cli *c, const char *name);
int cmd_set_dev_attr(struct cli *c, const char *name);
int cmd_set_drv_attr(struct cli *c, const char *name);
int cmd_set_tgt_attr(struct cli *c, const char *name);
int cmd_set_grp_attr(struct cli *c, const char *name);
int cmd_set_lun_attr(struct cli *c, const char *name);
int cmd_set_init_attr(struct cli *c, const char *name);
int cmd_set_dgrp_attr(struct cli *c, const char *name);
int cmd_set_tgrp_attr(struct cli *c, const char *name);
int cmd_set_ttgt_attr(struct cli *c, const char *name);
int cmd_add_drv_attr(struct cli *c, const char *name);
int cmd_rem_drv_attr(struct cli *c, const char *name);
int cmd_add_tgt_attr(struct cli *c, const char *name);
int cmd_rem_tgt_attr(struct cli *c, const char *name);
/* -attributes as attributes of @n; false after an error. */
bool cli_parse_attributes(struct cli *c, struct node *n);

/* ops.c */
int cmd_open_dev(struct cli *c, const char *name);
int cmd_close_dev(struct cli *c, const char *name);
int cmd_resync_dev(struct cli *c, const char *name);
int cmd_add_target(struct cli *c, const char *name);
int cmd_rem_target(struct cli *c, const char *name);
int cmd_enable_target(struct cli *c, const char *name);
int cmd_disable_target(struct cli *c, const char *name);
int cmd_issue_lip(struct cli *c, const char *name);
/* On every target of @have that can; returns how many did. */
unsigned int cli_lip(struct cli *c, const struct node *have);

/* ops_acl.c */
int cmd_add_group(struct cli *c, const char *name);
int cmd_rem_group(struct cli *c, const char *name);
int cmd_add_init(struct cli *c, const char *name);
int cmd_rem_init(struct cli *c, const char *name);
int cmd_move_init(struct cli *c, const char *name);
int cmd_clear_inits(struct cli *c, const char *unused);
int cmd_add_lun(struct cli *c, const char *lun);
int cmd_replace_lun(struct cli *c, const char *lun);
int cmd_rem_lun(struct cli *c, const char *lun);
int cmd_clear_luns(struct cli *c, const char *unused);
int cmd_explain(struct cli *c, const char *initiator);

/* ops_alua.c */
int cmd_add_dgrp(struct cli *c, const char *name);
int cmd_rem_dgrp(struct cli *c, const char *name);
int cmd_add_dgrp_dev(struct cli *c, const char *name);
int cmd_rem_dgrp_dev(struct cli *c, const char *name);
int cmd_add_tgrp(struct cli *c, const char *name);
int cmd_rem_tgrp(struct cli *c, const char *name);
int cmd_add_tgrp_tgt(struct cli *c, const char *name);
int cmd_rem_tgrp_tgt(struct cli *c, const char *name);

#endif
