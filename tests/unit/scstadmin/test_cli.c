// SPDX-License-Identifier: GPL-2.0
/*
 * The command line: how options are read, and every operation once as it
 * should be used and at least once as it should not (B04).
 */
#include "common.h"

#include <errno.h>
#include <stdio.h>

static const char base[] =
	"HANDLER vdisk_fileio {\nDEVICE f0 {\nfilename /proc/stat\n}\n}\n"
	"HANDLER vdisk_nullio {\nDEVICE d0\nDEVICE d1\nDEVICE spare\n}\n"
	"TARGET_DRIVER ib_srpt {\nTARGET " PORT_1 " {\nenabled 1\n"
	"LUN 0 d0\nGROUP g {\nLUN 0 d1\nINITIATOR ini1\nINITIATOR 10.0.0.*\n}\n"
	"GROUP h {\nINITIATOR ini2\n}\nGROUP empty\n}\n}\n"
	"TARGET_DRIVER iscsi {\nIncomingUser \"a b\"\n"
	"TARGET i0 {\nIncomingUser \"c d\"\nenabled 1\n}\n}\n"
	"TARGET_DRIVER scst_local {\nTARGET t0 {\nsession_name s0\nLUN 0 d0\n}\n}\n"
	"DEVICE_GROUP dg {\nDEVICE d0\nTARGET_GROUP tg {\nTARGET far {\nrel_tgt_id 2\n}\n}\n"
	"TARGET_GROUP tg2\n}\n"
	"DEVICE_GROUP dg2\n";

#define SRP	" -driver ib_srpt -target " PORT_1
#define PORT	"targets/ib_srpt/" PORT_1

static struct fake *with_base(void)
{
	struct fake *f = fake_new(false);

	assert_int_equal(apply_conf(f, base, ""), 0);
	strv_free(&f->writes);
	return f;
}

/* args; status; a write that must have happened, or NULL for none at all. */
struct row {
	const char *args;
	int status;
	const char *write;
};

static const struct row rows[] = {
	/* general */
	{ "-config /nonexistent", 1, NULL },
	{ "-check_config /nonexistent", 1, NULL },
	{ "-write_config /dev/null", 0, NULL },
	{ "-write_config /nonexistent/x", 1, NULL },
	{ "-clear_config -noprompt", 1, NULL },
	{ "-clear_config -noprompt -force", 0, "<-del_device d0" },

	/* query */
	{ "-list_handler", 0, NULL },
	{ "-list_handler vdisk_nullio", 0, NULL },
	{ "-list_handler vdisk_nulio", 1, NULL },
	{ "-list_device", 0, NULL },
	{ "-list_device d0", 0, NULL },
	{ "-list_device dx", 1, NULL },
	{ "-list_driver", 0, NULL },
	{ "-list_driver ib_srpt", 0, NULL },
	{ "-list_driver ib_srp", 1, NULL },
	{ "-list_target", 0, NULL },
	{ "-list_target -driver nope", 1, NULL },
	{ "-list_target " PORT_1 " -driver ib_srpt", 0, NULL },
	{ "-list_target nope", 1, NULL },
	{ "-list_group", 0, NULL },
	{ "-list_group g" SRP, 0, NULL },
	{ "-list_group nope", 1, NULL },
	{ "-list_sessions", 0, NULL },
	{ "-list_dgrp", 0, NULL },
	{ "-list_dgrp dg", 0, NULL },
	{ "-list_dgrp nope", 1, NULL },
	{ "-list_tgrp -dev_group dg", 0, NULL },
	{ "-list_tgrp tg -dev_group dg", 0, NULL },
	{ "-list_tgrp", 1, NULL },
	{ "-list_tgrp nope -dev_group dg", 1, NULL },
	{ "-explain ini1", 0, NULL },
	{ "-explain ini1 -driver nope", 1, NULL },
	{ "-dumpAttrs", 0, NULL },

	/* attribute lists */
	{ "-list_scst_attr", 0, NULL },
	{ "-list_hnd_attr vdisk_fileio", 0, NULL },
	{ "-list_hnd_attr nope", 1, NULL },
	{ "-list_dev_attr d0 -nonkey", 0, NULL },
	{ "-list_dev_attr nope", 1, NULL },
	{ "-list_drv_attr scst_local", 0, NULL },
	{ "-list_drv_attr nope", 1, NULL },
	{ "-list_tgt_attr t0 -driver scst_local", 0, NULL },
	{ "-list_tgt_attr t0", 1, NULL },
	{ "-list_tgt_attr nope -driver scst_local", 1, NULL },
	{ "-list_grp_attr g" SRP, 0, NULL },
	{ "-list_grp_attr nope" SRP, 1, NULL },
	{ "-list_lun_attr 0" SRP, 0, NULL },
	{ "-list_lun_attr 0 -group g" SRP, 0, NULL },
	{ "-list_lun_attr 9" SRP, 1, NULL },
	{ "-list_init_attr ini1 -group g" SRP, 0, NULL },
	{ "-list_init_attr nope -group g" SRP, 1, NULL },
	{ "-list_dgrp_attr dg", 0, NULL },
	{ "-list_dgrp_attr nope", 1, NULL },
	{ "-list_tgrp_attr tg -dev_group dg", 0, NULL },
	{ "-list_tgrp_attr nope -dev_group dg", 1, NULL },
	{ "-list_ttgt_attr far -dev_group dg -tgt_group tg", 0, NULL },
	{ "-list_ttgt_attr nope -dev_group dg -tgt_group tg", 1, NULL },

	/* set attributes */
	{ "-set_scst_attr -attributes setup_id=0x7", 0, "setup_id<-0x7\n" },
	{ "-set_scst_attr -attributes setup_idd=7", 1, NULL },
	{ "-set_scst_attr -attributes threads=zero", 1, NULL },
	{ "-set_scst_attr", 1, NULL },
	{ "-set_hnd_attr vdisk_fileio -attributes x=1", 1, NULL },
	{ "-set_dev_attr d0 -attributes threads_num=3,read_zero", 0,
	  "devices/d0/read_zero<-1" },
	{ "-set_dev_attr d0 -attributes t10_dev_id=", 0, "devices/d0/t10_dev_id<-\n" },
	{ "-set_dev_attr d0 -attributes prod_id=a=b", 0, "devices/d0/prod_id<-a=b" },
	{ "-set_dev_attr d0 -attributes read_zero=7200", 1, NULL },
	{ "-set_dev_attr d0 -attributes blocksize=4096", 1, NULL },
	{ "-set_dev_attr d0 -attributes =3", 1, NULL },
	{ "-set_dev_attr d0 -attributes ,", 1, NULL },
	{ "-set_dev_attr d0 -attributes read_zero=1,nope=1", 1, NULL },
	{ "-set_dev_attr nope -attributes read_zero=1", 1, NULL },
	{ "-set_dev_attr d0 -attributes threads_num=8", 0, NULL },
	{ "-set_drv_attr iscsi -attributes enabled=1", 0, "targets/iscsi/enabled<-1\n" },
	{ "-set_drv_attr iscsi -attributes nope=1", 1, NULL },
	{ "-set_tgt_attr t0 -driver scst_local -attributes comment=x", 0,
	  "scst_local/t0/comment<-x" },
	{ "-set_tgt_attr t0 -driver scst_local -attributes session_name=s9", 0,
	  "<-add_session t0 s9" },
	{ "-set_tgt_attr t0 -driver scst_local -attributes coment=x", 1, NULL },
	{ "-set_grp_attr g -attributes addr_method=LUN" SRP, 0,
	  "ini_groups/g/addr_method<-LUN\n" },
	{ "-set_grp_attr g -attributes addr_method=WRONG" SRP, 1, NULL },
	{ "-set_lun_attr 0 -attributes read_only=1" SRP, 1, NULL },
	{ "-set_init_attr ini1 -group g -attributes x=1" SRP, 1, NULL },
	{ "-set_dgrp_attr dg -attributes x=1", 1, NULL },
	{ "-set_tgrp_attr tg -dev_group dg -attributes state=offline", 0,
	  "target_groups/tg/state<-offline\n" },
	{ "-set_tgrp_attr tg -dev_group dg -attributes state=Offline", 1, NULL },
	{ "-set_ttgt_attr far -dev_group dg -tgt_group tg -attributes rel_tgt_id=3", 0,
	  "tg/far/rel_tgt_id<-3\n" },
	{ "-set_ttgt_attr far -dev_group dg -tgt_group tg -attributes rel_tgt_id=0", 1, NULL },

	/* dynamic attributes */
	{ "-add_drv_attr iscsi -attributes IncomingUser=x+y", 0,
	  "<-add_attribute IncomingUser x y" },
	{ "-add_drv_attr iscsi -attributes IncomingUser=a+b", 0, NULL },
	{ "-add_drv_attr iscsi -attributes enabled=1", 1, NULL },
	{ "-rem_drv_attr iscsi -attributes IncomingUser=a+b", 0,
	  "<-del_attribute IncomingUser a b" },
	{ "-rem_drv_attr iscsi -attributes IncomingUser=no", 1, NULL },
	{ "-add_tgt_attr i0 -driver iscsi -attributes allowed_portal=10.0.0.1", 0,
	  "<-add_target_attribute i0 allowed_portal 10.0.0.1" },
	{ "-add_tgt_attr i0 -driver iscsi -attributes comment=x", 1, NULL },
	{ "-rem_tgt_attr i0 -driver iscsi -attributes IncomingUser=c+d", 0,
	  "<-del_target_attribute i0 IncomingUser c d" },
	{ "-rem_tgt_attr i0 -driver iscsi -attributes IncomingUser=no", 1, NULL },

	/* devices */
	{ "-open_dev n1 -handler vdisk_nullio", 0, "<-add_device n1 " },
	{ "-open_dev n1 -handler vdisk_fileio -attr filename=/proc/stat,nv_cache,threads_num=2", 0,
	  "devices/n1/threads_num<-2" },
	{ "-open_dev d0 -handler vdisk_nullio", 1, NULL },
	{ "-open_dev n1 -handler vdisk_nulio", 1, NULL },
	{ "-open_dev n1 -handler vdisk_fileio", 1, NULL },
	{ "-open_dev n1 -handler vdisk_nullio -attributes block_size=512", 1, NULL },
	{ "-open_dev a.b -handler vdisk_nullio", 1, NULL },
	{ "-open_dev n1", 1, NULL },
	{ "-close_dev spare -handler vdisk_nullio", 0, "<-del_device spare" },
	{ "-close_dev d0 -handler vdisk_nullio", 1, NULL },
	{ "-close_dev d0 -handler vdisk_nullio -force", 0, "<-del_device d0" },
	{ "-close_dev spare -handler vdisk_fileio", 1, NULL },
	{ "-close_dev nope -handler vdisk_nullio", 1, NULL },
	{ "-resync_dev f0", 0, "devices/f0/resync_size<-1" },
	{ "-resync_dev d0", 1, NULL },
	{ "-resync_dev nope", 1, NULL },

	/* targets */
	{ "-add_target t1 -driver scst_local", 0, "<-add_target t1 " },
	{ "-add_target t1 -driver scst_local -attributes session_name=x,comment=y", 0,
	  "<-add_target t1 session_name=x;" },
	{ "-add_target t0 -driver scst_local", EXIT_TARGET_EXISTS, NULL },
	{ "-add_target t1 -driver ib_srpt", EXIT_DRIVER_CANNOT, NULL },
	{ "-add_target t1 -driver nope", EXIT_NO_DRIVER, NULL },
	{ "-add_target t1 -driver scst_local -attributes nope=1", EXIT_TARGET_PARAM, NULL },
	{ "-add_target a/b -driver scst_local", EXIT_ADD_TARGET, NULL },
	{ "-rem_target t0 -driver scst_local", 0, "<-del_target t0" },
	{ "-rem_target nope -driver scst_local", EXIT_NO_TARGET, NULL },
	{ "-rem_target " PORT_1 " -driver ib_srpt", EXIT_DRIVER_CANNOT, NULL },
	{ "-enable_target " PORT_2 " -driver ib_srpt", 0, "/enabled<-1" },
	{ "-enable_target " PORT_2, 0, "/enabled<-1" },
	{ "-enable_target " PORT_1 " -driver ib_srpt", 0, NULL },
	{ "-enable_target FE80:0000:0000:0000:0011:22FF:FE33:4402", 0, "/enabled<-1" },
	{ "-enable_target nope -driver ib_srpt", 1, NULL },
	{ "-enable_target t0 -driver scst_local", 1, NULL },
	{ "-disable_target " PORT_1 " -driver ib_srpt", 0, "/enabled<-0" },
	{ "-disable_target nope -driver ib_srpt", 1, NULL },
	{ "-issue_lip", 0, NULL },
	{ "-issue_lip t0 -driver scst_local", 0, NULL },
	{ "-issue_lip nope", 1, NULL },
	{ "-issue_lip nope -no_lip", 0, NULL },

	/* groups and initiators */
	{ "-add_group n" SRP, 0, "ini_groups/mgmt<-create n" },
	{ "-add_group g" SRP, 1, NULL },
	{ "-add_group a/b" SRP, 1, NULL },
	{ "-rem_group empty" SRP, 0, "ini_groups/mgmt<-del empty" },
	{ "-rem_group g" SRP, 1, NULL },
	{ "-rem_group g -force" SRP, 0, "ini_groups/mgmt<-del g" },
	{ "-rem_group nope" SRP, 1, NULL },
	{ "-add_init n -group g" SRP, 0, "g/initiators/mgmt<-add n" },
	{ "-add_init ini1 -group g" SRP, 0, NULL },
	{ "-add_init ini2 -group g" SRP, 1, NULL },
	{ "-add_init n -group nope" SRP, 1, NULL },
	{ "-rem_init ini1 -group g" SRP, 0, "g/initiators/mgmt<-del ini1" },
	{ "-rem_init nope -group g" SRP, 1, NULL },
	{ "-move_init ini1 -group g -to h" SRP, 0, "g/initiators/mgmt<-move ini1 h" },
	{ "-move_init ini1 -group g -to nope" SRP, 1, NULL },
	{ "-move_init ini1 -group g -to g" SRP, 1, NULL },
	{ "-move_init ini1 -group g" SRP, 1, NULL },
	{ "-clear_inits -group g" SRP, 0, "g/initiators/mgmt<-clear" },
	{ "-clear_inits -group nope" SRP, 1, NULL },

	/* LUNs */
	{ "-add_lun 1 -device d1" SRP, 0, PORT "/luns/mgmt<-add d1 1 " },
	{ "-add_lun 0x10 -device d1 -group g -attributes read_only=1" SRP, 0,
	  "g/luns/mgmt<-add d1 16 read_only=1;" },
	{ "-add_lun 0 -device d1" SRP, 1, NULL },
	{ "-add_lun 1 -device nope" SRP, 1, NULL },
	{ "-add_lun 16384 -device d1" SRP, 1, NULL },
	{ "-add_lun x -device d1" SRP, 1, NULL },
	{ "-add_lun 1 -device d1 -attributes readonly=1" SRP, 1, NULL },
	{ "-add_lun 1" SRP, 1, NULL },
	{ "-replace_lun 0 -device d1" SRP, 0, "luns/mgmt<-replace d1 0 " },
	{ "-replace_lun 5 -device d1" SRP, 1, NULL },
	{ "-rem_lun 0" SRP, 0, PORT "/luns/mgmt<-del 0" },
	{ "-rem_lun 0 -group g" SRP, 0, "g/luns/mgmt<-del 0" },
	{ "-rem_lun 7" SRP, 1, NULL },
	{ "-clear_luns" SRP, 0, PORT "/luns/mgmt<-clear" },
	{ "-clear_luns -group g" SRP, 0, "g/luns/mgmt<-clear" },
	{ "-clear_luns -group nope" SRP, 1, NULL },

	/* device groups */
	{ "-add_dgrp n", 0, "device_groups/mgmt<-create n" },
	{ "-add_dgrp dg", 1, NULL },
	{ "-rem_dgrp dg2", 0, "device_groups/mgmt<-del dg2" },
	{ "-rem_dgrp dg", 1, NULL },
	{ "-rem_dgrp dg -force", 0, "device_groups/mgmt<-del dg" },
	{ "-rem_dgrp nope", 1, NULL },
	{ "-add_dgrp_dev d1 -dev_group dg", 0, "dg/devices/mgmt<-add d1" },
	{ "-add_dgrp_dev d0 -dev_group dg2", 1, NULL },
	{ "-add_dgrp_dev nope -dev_group dg", 1, NULL },
	{ "-rem_dgrp_dev d0 -dev_group dg", 1, NULL },
	{ "-rem_dgrp_dev d0 -dev_group dg -force", 0, "dg/devices/mgmt<-del d0" },
	{ "-rem_dgrp_dev d1 -dev_group dg", 1, NULL },
	{ "-add_tgrp n -dev_group dg", 0, "dg/target_groups/mgmt<-add n" },
	{ "-add_tgrp tg -dev_group dg", 1, NULL },
	{ "-rem_tgrp tg2 -dev_group dg", 0, "dg/target_groups/mgmt<-del tg2" },
	{ "-rem_tgrp tg -dev_group dg", 1, NULL },
	{ "-rem_tgrp tg -dev_group dg -force", 0, "dg/target_groups/mgmt<-del tg" },
	{ "-rem_tgrp nope -dev_group dg", 1, NULL },
	{ "-add_tgrp_tgt t0 -dev_group dg -tgt_group tg", 0, "tg/mgmt<-add t0" },
	{ "-add_tgrp_tgt far -dev_group dg -tgt_group tg2", 1, NULL },
	{ "-add_tgrp_tgt n -dev_group dg -tgt_group nope", 1, NULL },
	{ "-rem_tgrp_tgt far -dev_group dg -tgt_group tg", 0, "tg/mgmt<-del far" },
	{ "-rem_tgrp_tgt nope -dev_group dg -tgt_group tg", 1, NULL },
};

static bool has_write(const struct fake *f, const char *part)
{
	size_t i;

	for (i = 0; i < f->writes.n; i++)
		if (strstr(f->writes.v[i], part))
			return true;
	return false;
}

/* B04: the status tells, stderr is empty on success and not on failure. */
static void test_every_operation(void **state)
{
	struct fake *f = with_base();
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		char *args = xasprintf("%s -noprompt", rows[i].args);
		struct run r = run_args(f, args, "");

		if (r.status != rows[i].status)
			fail_msg("'%s': status %d, expected %d\n%s\n%s",
				 rows[i].args, r.status, rows[i].status, r.out,
				 r.err);
		if (!r.status != !*r.err)
			fail_msg("'%s': status %d, stderr '%s'", rows[i].args,
				 r.status, r.err);
		if (rows[i].write && !has_write(f, rows[i].write))
			fail_msg("'%s' did not write '%s'", rows[i].args,
				 rows[i].write);
		if (!rows[i].write && f->writes.n)
			fail_msg("'%s' wrote '%s'", rows[i].args,
				 f->writes.v[0]);
		run_free(&r);
		free(args);
		/* Making a new one takes longer than all the rest. */
		if (f->writes.n) {
			fake_free(f);
			f = with_base();
		}
	}
	fake_free(f);
}

static bool in_rows(const char *name, bool good)
{
	size_t i, n = strlen(name);

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].args[0] == '-' &&
		    !strncmp(rows[i].args + 1, name, n) &&
		    (!rows[i].args[n + 1] || rows[i].args[n + 1] == ' ') &&
		    !rows[i].status == good)
			return true;
	return false;
}

/* Operations without a bad call (nothing to get wrong), or tested elsewhere. */
static bool is_exempt(const char *name, bool good)
{
	static const char *const never_bad[] = {
		"list_sessions", "list_scst_attr", "dumpAttrs",
	};
	/* The simulated kernel has no such attribute; files in test_apply.c. */
	static const char *const never_good[] = {
		"config", "check_config", "set_hnd_attr", "set_lun_attr",
		"set_init_attr", "set_dgrp_attr",
	};
	size_t i;

	for (i = 0; !good && i < ARRAY_SIZE(never_bad); i++)
		if (!strcmp(name, never_bad[i]))
			return true;
	for (i = 0; good && i < ARRAY_SIZE(never_good); i++)
		if (!strcmp(name, never_good[i]))
			return true;
	return false;
}

static void test_table_is_complete(void **state)
{
	size_t i;
	int good;

	(void)state;
	for (i = 0; i < cmds_count; i++)
		for (good = 0; good < 2; good++)
			if (!is_exempt(cmds[i].name, good) &&
			    !in_rows(cmds[i].name, good))
				fail_msg("no %s call of -%s in the table",
					 good ? "good" : "bad", cmds[i].name);
}

/* W17: an operation that the manual does not name does not exist for anybody. */
static void test_manual_is_complete(void **state)
{
	struct strbuf text = { 0 };
	FILE *f = fopen(MAN_DIR "/scstadmin.8", "r");
	size_t i;
	int c;

	(void)state;
	assert_non_null(f);
	while ((c = fgetc(f)) != EOF)
		sb_addch(&text, (char)c);
	fclose(f);
	for (i = 0; i < cmds_count; i++) {
		char *name = xasprintf("\\-%s", cmds[i].name);

		assert_contains(sb_str(&text), name);
		free(name);
	}
	sb_free(&text);
}

/* The kernel's answer is in the message, and the status is not 0. */
static void test_refused_by_kernel(void **state)
{
	static const struct {
		const char *args;
		const char *match;
		int err;
		int status;
		const char *message;
	} refused[] = {
		{ "-add_lun 3 -device d1" SRP, "add d1 3", -ENOSPC, 1,
		  PORT_1 " (device d1): No space left on device (ENOSPC)" },
		{ "-open_dev n -handler vdisk_nullio", "add_device", -EINVAL, 1,
		  "Invalid argument (EINVAL)" },
		{ "-add_target n -driver scst_local", "add_target", -EFAULT,
		  EXIT_ADD_TARGET, "(EFAULT)" },
		{ "-rem_target t0 -driver scst_local", "del_target", -EBUSY,
		  EXIT_REMOVE_TARGET, "(EBUSY)" },
		{ "-resync_dev f0", "resync_size", -EMEDIUMTYPE, 1,
		  "the backing store is not active" },
		{ "-set_dev_attr d0 -attributes threads_num=3", "threads_num",
		  -EPERM, 1, "(EPERM)" },
		{ "-enable_target " PORT_2, "enabled", -EBADSLT, 1,
		  "another enabled target has this relative target id" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(refused); i++) {
		struct fake *f = with_base();
		char *args = xasprintf("%s -noprompt", refused[i].args);
		struct run r;

		f->fault = (struct fake_fault){
			.match = refused[i].match, .err = refused[i].err,
		};
		r = run_args(f, args, "");
		assert_run(r, refused[i].status);
		assert_contains(r.err, refused[i].message);
		run_free(&r);
		free(args);
		fake_free(f);
	}
}

/* A session that does not go: a status of its own, after the time allowed. */
static void test_session_stays(void **state)
{
	struct fake *f = with_base();
	struct run r;

	(void)state;
	fake_session(f, "targets/iscsi/i0", "host", NULL);
	f->fault = (struct fake_fault){ .match = "force_close", .err = -EIO };
	r = run_args(f, "-rem_target i0 -driver iscsi -noprompt", "");
	assert_run(r, EXIT_SESSIONS_REMAIN);
	assert_contains(r.err, "cannot remove sessions of iscsi/i0");
	assert_int_equal(f->slept, 300);
	assert_string_equal(fake_value(f, "targets/iscsi/i0/enabled"), "1");
	run_free(&r);
	fake_free(f);
}

/* A device whose later attribute fails does not stay behind half made. */
static void test_open_is_all_or_nothing(void **state)
{
	struct fake *f = with_base();
	struct run r;

	(void)state;
	f->fault = (struct fake_fault){ .match = "add_device", .err = -ENOMEM };
	r = run_args(f, "-open_dev n -handler vdisk_nullio -attributes read_zero=1", "");
	assert_run(r, 1);
	assert_contains(r.err, "nothing was changed");
	assert_false(fake_exists(f, "devices/n"));
	run_free(&r);
	fake_free(f);
}

/* B13, B32: a device in three places is listed with each of them. */
static void test_close_lists_users(void **state)
{
	struct fake *f = with_base();
	struct run r;

	(void)state;
	assert_int_equal(run_status(f, "-add_lun 5 -device d0 -group h" SRP), 0);
	r = run_args(f, "-close_dev d0 -handler vdisk_nullio -noprompt", "");
	assert_run(r, 1);
	assert_contains(r.out, "\tDriver     Target                                  Group Lun\n");
	assert_contains(r.out, "\tib_srpt    " PORT_1 "       0\n");
	assert_contains(r.out, "\tib_srpt    " PORT_1 " h     5\n");
	assert_contains(r.out, "\tscst_local t0                                            0\n");
	assert_contains(r.err, "-force closes it");
	run_free(&r);
	assert_int_equal(run_status(f, "-close_dev d0 -handler vdisk_nullio -noprompt -force"), 0);
	r = run_args(f, "-list_group", "");
	assert_lacks(r.out, "d0");
	run_free(&r);
	fake_free(f);
}

/* B95: what a LUN was made with stays with it. */
static void test_replace_keeps_read_only(void **state)
{
	struct fake *f = with_base();

	(void)state;
	assert_int_equal(run_status(f, "-add_lun 4 -device d0 -attributes read_only=1" SRP), 0);
	assert_int_equal(run_status(f, "-replace_lun 4 -device d1 -noprompt" SRP), 0);
	assert_string_equal(fake_value(f, PORT "/luns/4/read_only"), "1");
	assert_int_equal(run_status(f, "-repl 4 -device d0 -noprompt -attr read_only=0" SRP), 0);
	assert_string_equal(fake_value(f, PORT "/luns/4/read_only"), "0");
	fake_free(f);
}

/* ---- options ---- */

static void test_spelling(void **state)
{
	static const char *const good[] = {
		"-list_driver", "--list_driver", "-LIST_Driver", "-list_dri",
		"--list-driver", "-list_driver=ib_srpt", "-list_tgt_attr t0 -dr scst_local",
		"-list_tgt_attr=t0 --driver=scst_local", "-list_handler -nonkey",
		"-list_handler word -- -unknown", "word -list_handler",
		"-h", "-help", "--help", "-version",
		"-list_driver nope -list_driver ib_srpt",
	};
	static const char *const bad[] = {
		"-list_d", "-unknown", "-list_drivers", "-js -list_driver",
		"-list_tgt_attr", "-noprompt=1 -list_driver", "-driver", "",
		"-noprompt", "--", "-=x",
	};
	struct fake *f = with_base();
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(good); i++) {
		struct run r = run_args(f, good[i], "");

		/* "word" is a handler that is not there, and no option. */
		if (strstr(good[i], "handler word"))
			assert_contains(r.err, "no handler 'word'");
		else if (r.status)
			fail_msg("'%s': %s", good[i], r.err);
		run_free(&r);
	}
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		struct run r = run_args(f, bad[i], "");

		if (r.status != 1 || !*r.err)
			fail_msg("'%s': status %d", bad[i], r.status);
		run_free(&r);
	}
	assert_int_equal(f->writes.n, 0);
	fake_free(f);
}

static void test_messages(void **state)
{
	static const struct { const char *args; const char *message; } cases[] = {
		{ "-list_drivr", "unknown option '-list_drivr' (did you mean '-list_driver'?)" },
		{ "-list_d", "option '-list_d' is ambiguous: " },
		{ "-add_lun 0 -driver ib_srpt", "-add_lun needs -target" },
		{ "-open_dev x", "-open_dev needs -handler" },
		{ "-list_device do", "no device 'do' (did you mean 'd0'?)" },
		{ "-list_tgt_attr x -driver ib_srp",
		  "no driver 'ib_srp' (did you mean 'ib_srpt'?)" },
		{ "-open_dev n -handler vdisk_nulio",
		  "no handler 'vdisk_nulio' (did you mean 'vdisk_nullio'?)" },
		{ "-open_dev n -handler dev_disk", "modprobe scst_disk" },
		{ "-list_handler -sysfs_root /nonexistent", "the core is not loaded" },
	};
	struct fake *f = with_base();
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct run r = run_args(f, cases[i].args, "");

		assert_run(r, 1);
		assert_contains(r.err, cases[i].message);
		run_free(&r);
	}
	fake_free(f);
}

static void test_combinations(void **state)
{
	struct fake *f = with_base();
	struct run r;

	(void)state;
	r = run_args(f, "-add_dgrp a -add_tgrp b -dev_group dg", "");
	assert_run(r, 1);
	assert_contains(r.err, "cannot be combined");
	run_free(&r);
	assert_int_equal(run_status(f, "-list_device -add_dgrp a"), 1);
	assert_int_equal(run_status(f, "-config x -list_device"), 1);
	assert_int_equal(f->writes.n, 0);

	/* Lists run in their own order, whatever order they are given in. */
	r = run_args(f, "-list_target -list_handler", "");
	assert_run(r, 0);
	assert_true(strstr(r.out, "Handler") < strstr(r.out, "Driver"));
	run_free(&r);
	r = run_args(f, "-list_handler nope -list_target", "");
	assert_run(r, 1);
	assert_contains(r.out, "Driver");
	run_free(&r);
	fake_free(f);
}

/* Operations ask according to the table; refusing changes nothing, status 0. */
static void test_who_asks(void **state)
{
	static const struct { const char *args; bool asks; } cases[] = {
		{ "-rem_lun 0" SRP, true }, { "-clear_luns" SRP, true },
		{ "-close_dev spare -handler vdisk_nullio", true },
		{ "-rem_target t0 -driver scst_local", true },
		{ "-set_dev_attr d0 -attributes read_zero=1", true },
		{ "-clear_config -force", true },
		{ "-add_dgrp n", false }, { "-rem_dgrp dg2", false },
		{ "-open_dev n -handler vdisk_nullio", false },
		{ "-enable_target " PORT_2, false },
		{ "-add_group n" SRP, false },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct fake *f = with_base();
		struct run r = run_args(f, cases[i].args, "no\n");

		assert_run(r, 0);
		assert_int_equal(f->writes.n == 0, cases[i].asks);
		run_free(&r);
		fake_free(f);
	}
}

/* The same initiator in two groups: the program refuses to guess. */
static void test_initiator_twice(void **state)
{
	struct fake *f = with_base();
	struct run r;

	(void)state;
	fake_file(f, PORT "/ini_groups/h/initiators/ini1", 0444, "ini1\n");
	r = run_args(f, "-list_device", "");
	assert_run(r, 1);
	assert_contains(r.err, "initiator ini1 is in groups g and h of ib_srpt/" PORT_1);
	run_free(&r);
	assert_int_equal(run_status(f, "-list_device -force"), 0);
	fake_free(f);
}

static void test_debug(void **state)
{
	struct fake *f = with_base();
	struct run r = run_args(f, "-debug -rem_lun 0" SRP, "");

	(void)state;
	assert_run(r, 0);
	assert_contains(r.out, PORT "/luns/mgmt <- 'del 0'");
	assert_int_equal(f->writes.n, 0);
	run_free(&r);
	fake_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_operation),
		cmocka_unit_test(test_table_is_complete),
		cmocka_unit_test(test_manual_is_complete),
		cmocka_unit_test(test_refused_by_kernel),
		cmocka_unit_test(test_session_stays),
		cmocka_unit_test(test_open_is_all_or_nothing),
		cmocka_unit_test(test_close_lists_users),
		cmocka_unit_test(test_replace_keeps_read_only),
		cmocka_unit_test(test_spelling),
		cmocka_unit_test(test_messages),
		cmocka_unit_test(test_combinations),
		cmocka_unit_test(test_who_asks),
		cmocka_unit_test(test_initiator_twice),
		cmocka_unit_test(test_debug),
	};

	return cmocka_run_group_tests_name("cli", tests, NULL, NULL);
}
