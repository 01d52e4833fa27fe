// SPDX-License-Identifier: GPL-2.0
/*
 * -config on the simulated kernel: what is changed, what is left alone, and
 * what happens when something fails on the way.
 */
#include "common.h"

#include <errno.h>
#include <stdio.h>

#include "fake_tree.h"

static const char base[] =
	"HANDLER vdisk_nullio {\n"
	"\tDEVICE d0\n"
	"\tDEVICE d1 {\n\t\tblocksize 4096\n\t\tread_zero 1\n\t}\n"
	"}\n"
	"TARGET_DRIVER ib_srpt {\n"
	"\tTARGET " PORT_1 " {\n"
	"\t\tenabled 1\n\t\taddr_method FLAT\n\t\trel_tgt_id 7\n"
	"\t\tLUN 0 d0\n"
	"\t\tGROUP g {\n\t\t\tLUN 0 d1 {\n\t\t\t\tread_only 1\n\t\t\t}\n"
	"\t\t\tINITIATOR ini1\n\t\t\tINITIATOR ini2\n\t\t}\n"
	"\t}\n"
	"}\n"
	"TARGET_DRIVER scst_local {\n"
	"\tTARGET t0 {\n\t\tsession_name s0\n\t\tLUN 0 d0\n\t}\n"
	"}\n"
	"DEVICE_GROUP dg {\n"
	"\tDEVICE d0\n"
	"\tTARGET_GROUP tg {\n\t\tgroup_id 5\n\t\tTARGET t0\n"
	"\t\tTARGET far {\n\t\t\trel_tgt_id 9\n\t\t}\n\t}\n"
	"}\n";

#define PORT_PATH	"targets/ib_srpt/" PORT_1

static struct fake *with_base(void)
{
	struct fake *f = fake_new(false);

	assert_int_equal(apply_conf(f, base, ""), 0);
	strv_free(&f->writes);
	return f;
}

/* The base with one piece of text replaced. */
static char *changed(const char *from, const char *to)
{
	const char *at = strstr(base, from);

	assert_non_null(at);
	return xasprintf("%.*s%s%s", (int)(at - base), base, to,
			 at + strlen(from));
}

static void assert_value(struct fake *f, const char *path, const char *want)
{
	assert_string_equal(fake_value(f, path), want);
}

/* Position of a write, for checking the order. */
static size_t written(struct fake *f, const char *part)
{
	size_t i;

	for (i = 0; i < f->writes.n; i++)
		if (strstr(f->writes.v[i], part))
			return i;
	fail_msg("'%s' was not written", part);
	return 0;
}

/* Everything there is, as text: for "nothing has changed". */
static char *whole_state(struct fake *f)
{
	struct run r = run_args(f, "-write_config /dev/stdout", "");
	struct run s = run_args(f, "-list_group", "");
	char *text = xasprintf("%s%s", r.out, s.out);

	assert_run(r, 0);
	run_free(&r);
	run_free(&s);
	return text;
}

static void test_first_apply(void **state)
{
	struct fake *f = fake_new(false);

	(void)state;
	assert_int_equal(apply_conf(f, base, ""), 0);
	assert_value(f, "devices/d1/blocksize", "4096");
	assert_value(f, "devices/d1/read_zero", "1");
	assert_value(f, PORT_PATH "/enabled", "1");
	assert_value(f, PORT_PATH "/addr_method", "FLAT");
	assert_value(f, PORT_PATH "/rel_tgt_id", "7");
	assert_true(fake_exists(f, PORT_PATH "/luns/0"));
	assert_value(f, PORT_PATH "/ini_groups/g/luns/0/read_only", "1");
	assert_true(fake_exists(f, PORT_PATH "/ini_groups/g/initiators/ini2"));
	assert_true(fake_exists(f, "targets/scst_local/t0/sessions/s0"));
	assert_true(fake_exists(f, "device_groups/dg/devices/d0"));
	assert_value(f, "device_groups/dg/target_groups/tg/group_id", "5");
	assert_value(f, "device_groups/dg/target_groups/tg/far/rel_tgt_id", "9");

	/* Devices before LUNs, addr_method before LUNs, enabled late. */
	assert_true(written(f, "add_device d0") < written(f, "luns/mgmt<-add d0 0"));
	assert_true(written(f, "addr_method<-FLAT") < written(f, "luns/mgmt<-add d0 0"));
	assert_true(written(f, "create g") < written(f, "<-add ini1"));
	assert_true(written(f, "<-create dg") < written(f, PORT_1 "/enabled<-1"));
	fake_free(f);
}

/* B29, W01: the same file again is no write at all, with -force as well. */
static void test_again_is_nothing(void **state)
{
	struct fake *f = with_base();

	(void)state;
	assert_int_equal(apply_conf(f, base, ""), 0);
	assert_int_equal(apply_conf(f, base, "-force -noprompt"), 0);
	assert_int_equal(f->writes.n, 0);
	fake_free(f);
}

/* B29: a thousand objects, each file read once and written once. */
static void test_many_objects(void **state)
{
	struct fake *f = fake_new(false);
	struct strbuf sb = { 0 };
	unsigned int i;

	(void)state;
	sb_add(&sb, "HANDLER vdisk_nullio {\n");
	for (i = 0; i < 100; i++)
		sb_addf(&sb, "DEVICE d%u\n", i);
	sb_add(&sb, "}\nTARGET_DRIVER scst_local {\n");
	for (i = 0; i < 100; i++)
		sb_addf(&sb, "TARGET t%u {\nLUN 0 d%u\nLUN 1 d%u\n}\n", i, i,
			(i + 1) % 100);
	sb_add(&sb, "}\n");
	assert_int_equal(apply_conf(f, sb_str(&sb), ""), 0);
	assert_int_equal(f->writes.n, 400);
	assert_int_equal(apply_conf(f, sb_str(&sb), ""), 0);
	assert_int_equal(f->writes.n, 400);
	sb_free(&sb);
	fake_free(f);
}

/* B01: what the file does not mention is left alone, unless -force. */
static void test_unlisted_target(void **state)
{
	static const char other[] =
		"HANDLER vdisk_nullio {\nDEVICE d0\n"
		"DEVICE d1 {\nblocksize 4096\nread_zero 1\n}\n}\n"
		"TARGET_DRIVER iscsi {\nTARGET keep\n}\n";
	struct fake *f = with_base();
	struct run r;

	(void)state;
	assert_int_equal(run_status(f, "-add_target t1 -driver iscsi"), 0);
	assert_int_equal(run_status(f, "-enable_target t1 -driver iscsi"), 0);
	fake_session(f, "targets/iscsi/t1", "host", NULL);

	r = apply_run(f, other, "");
	assert_run(r, 0);
	assert_contains(r.out, "target iscsi/t1 is not in the file; -force removes it");
	run_free(&r);
	assert_value(f, "targets/iscsi/t1/enabled", "1");
	assert_true(fake_exists(f, "targets/iscsi/t1/sessions/host"));
	assert_true(fake_exists(f, PORT_PATH "/luns/0"));

	strv_free(&f->writes);
	assert_int_equal(apply_conf(f, other, "-force -noprompt"), 0);
	assert_false(fake_exists(f, "targets/iscsi/t1"));
	assert_true(written(f, "t1/enabled<-0") < written(f, "host/force_close<-1"));
	assert_true(written(f, "host/force_close<-1") < written(f, "<-del_target t1"));
	/* A driver that is not in the file is emptied, its ports stay. */
	assert_false(fake_exists(f, PORT_PATH "/luns/0"));
	assert_false(fake_exists(f, PORT_PATH "/ini_groups/g"));
	assert_value(f, PORT_PATH "/enabled", "1");
	assert_true(fake_exists(f, "targets/scst_local/t0"));
	assert_false(fake_exists(f, "device_groups/dg"));
	fake_free(f);
}

/*
 * B03: what stays different inside a described object shows in the status, and
 * a second run tells the same.
 */
static void test_removed_initiator(void **state)
{
	struct fake *f = with_base();
	char *text = changed("\t\t\tINITIATOR ini2\n", "");
	struct run r;
	int i;

	(void)state;
	for (i = 0; i < 2; i++) {
		r = apply_run(f, text, "");
		assert_run(r, EXIT_REMAINS);
		assert_contains(r.out, "initiator ini2 of ib_srpt/" PORT_1 "/g is not in the file");
		run_free(&r);
	}
	assert_int_equal(f->writes.n, 0);
	assert_int_equal(apply_conf(f, text, "-force -noprompt"), 0);
	assert_int_equal(f->writes.n, 1);
	assert_false(fake_exists(f, PORT_PATH "/ini_groups/g/initiators/ini2"));
	free(text);
	fake_free(f);
}

/* B03: the kernel refuses; the group is named and the state is as before. */
static void test_busy_group(void **state)
{
	struct fake *f = with_base();
	const char *at = strstr(base, "\t\tGROUP g");
	char *text = xasprintf("%.*s\t}\n}\n%s", (int)(at - base), base,
			       strstr(base, "TARGET_DRIVER scst_local"));
	char *before = whole_state(f), *after;
	struct run r;

	(void)state;
	f->fault.match = "ini_groups/mgmt<-del g";
	f->fault.err = -EBUSY;
	r = apply_run(f, text, "-force -noprompt");
	assert_run(r, 1);
	assert_contains(r.err, "cannot remove group g of ib_srpt/" PORT_1);
	assert_contains(r.err,
			"Device or resource busy (EBUSY): sessions are assigned to this group");
	assert_contains(r.err, "all changes of this run were taken back");
	run_free(&r);
	after = whole_state(f);
	assert_string_equal(after, before);
	free(after);
	free(before);
	free(text);
	fake_free(f);
}

static void test_changes(void **state)
{
	struct fake *f = with_base();
	char *text = changed("addr_method FLAT", "comment \"new port\"\n\t\taddr_method LUN");

	(void)state;
	assert_int_equal(apply_conf(f, text, ""), 0);
	assert_int_equal(f->writes.n, 2);
	assert_value(f, PORT_PATH "/comment", "new port");
	assert_value(f, PORT_PATH "/addr_method", "LUN");
	free(text);
	fake_free(f);
}

/* B14: attributes of hardware targets are set on the existing port. */
static void test_hardware_attributes(void **state)
{
	struct fake *f = fake_new(false);
	const char *text =
		"HANDLER vdisk_nullio\nTARGET_DRIVER ib_srpt {\nTARGET " PORT_2 " {\n"
		"rel_tgt_id 5\ncpu_mask 1\nio_grouping_type never\naddr_method FLAT\n"
		"enabled 1\n}\n}\n";

	(void)state;
	assert_int_equal(apply_conf(f, text, ""), 0);
	assert_value(f, "targets/ib_srpt/" PORT_2 "/rel_tgt_id", "5");
	assert_value(f, "targets/ib_srpt/" PORT_2 "/cpu_mask", "1");
	assert_value(f, "targets/ib_srpt/" PORT_2 "/io_grouping_type", "never");
	assert_value(f, "targets/ib_srpt/" PORT_2 "/addr_method", "FLAT");
	assert_value(f, "targets/ib_srpt/" PORT_2 "/enabled", "1");
	fake_free(f);
}

/* B15: a line that is gone from the file. */
static void test_back_to_default(void **state)
{
	static const struct {
		const char *line;
		const char *path;
		const char *old;
		const char *def;
	} rows[] = {
		{ "\t\taddr_method FLAT\n", PORT_PATH "/addr_method", "FLAT", "PERIPHERAL" },
		{ "\t\tread_zero 1\n", "devices/d1/read_zero", "1", "0" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct fake *f = with_base();
		char *text = changed(rows[i].line, "");
		struct run r = apply_run(f, text, "");

		assert_run(r, 0);
		assert_contains(r.out, "and not in the file; -force sets it back to");
		assert_value(f, rows[i].path, rows[i].old);
		run_free(&r);
		assert_int_equal(apply_conf(f, text, "-force -noprompt"), 0);
		assert_value(f, rows[i].path, rows[i].def);
		assert_int_equal(f->writes.n, 1);
		free(text);
		fake_free(f);
	}
}

/* What the kernel assigns by itself is never reset. */
static void test_assigned_stays(void **state)
{
	struct fake *f = with_base();
	char *text = changed("\t\trel_tgt_id 7\n", "");
	struct run r = apply_run(f, text, "-force -noprompt");

	(void)state;
	assert_run(r, 0);
	assert_lacks(r.out, "rel_tgt_id");
	assert_value(f, PORT_PATH "/rel_tgt_id", "7");
	run_free(&r);
	free(text);
	fake_free(f);
}

/* One setting under two names: giving one is enough. */
static void test_aliases(void **state)
{
	const char *text =
		"HANDLER vdisk_nullio {\nDEVICE d {\nsize_mb 16\n}\n}\n"
		"TARGET_DRIVER ib_srpt {\nTARGET " PORT_1 " {\nenabled 1\nforward_dst 1\n}\n}\n";
	struct fake *f = fake_new(false);

	(void)state;
	assert_int_equal(apply_conf(f, text, ""), 0);
	assert_value(f, "devices/d/size", "16777216");
	/* Both names show the key in a real kernel. */
	fake_file(f, PORT_PATH "/forwarding", 0644, "1\n[key]\n");
	strv_free(&f->writes);
	assert_int_equal(apply_conf(f, text, "-force -noprompt"), 0);
	assert_int_equal(f->writes.n, 0);
	fake_free(f);
}

/* Other creation parameters: told, or with -force opened anew in its place. */
static void test_reopen(void **state)
{
	struct fake *f = with_base();
	char *text = changed("blocksize 4096", "blocksize 512");
	struct run r = apply_run(f, text, "");

	(void)state;
	assert_run(r, EXIT_REMAINS);
	assert_contains(r.out,
			"device d1 is open with another blocksize ('4096', the file has '512')");
	assert_int_equal(f->writes.n, 0);
	run_free(&r);

	assert_int_equal(apply_conf(f, text, "-force -noprompt"), 0);
	assert_value(f, "devices/d1/blocksize", "512");
	assert_value(f, "devices/d1/read_zero", "1");
	assert_value(f, PORT_PATH "/ini_groups/g/luns/0/read_only", "1");
	strv_free(&f->writes);
	assert_int_equal(apply_conf(f, text, "-force -noprompt"), 0);
	assert_int_equal(f->writes.n, 0);
	free(text);
	fake_free(f);
}

/* The device of a device group comes back into it. */
static void test_reopen_in_device_group(void **state)
{
	struct fake *f = with_base();
	char *text = changed("DEVICE d0\n\tDEVICE d1",
			     "DEVICE d0 {\n\t\trotational 0\n\t}\n\tDEVICE d1");

	(void)state;
	assert_int_equal(apply_conf(f, text, "-force -noprompt"), 0);
	assert_true(fake_exists(f, "device_groups/dg/devices/d0"));
	assert_true(fake_exists(f, "targets/scst_local/t0/luns/0"));
	assert_true(fake_exists(f, PORT_PATH "/luns/0"));
	free(text);
	fake_free(f);
}

static void test_other_device_of_lun(void **state)
{
	struct fake *f = with_base();
	char *text = changed("LUN 0 d0\n\t\tGROUP", "LUN 0 d1\n\t\tGROUP");
	struct run r = apply_run(f, text, "");
	char *link;

	(void)state;
	assert_run(r, EXIT_REMAINS);
	assert_contains(r.out, "has device d0, the file has d1; -force replaces it");
	run_free(&r);
	assert_int_equal(apply_conf(f, text, "-force -noprompt"), 0);
	link = sysfs_link(&f->s, PORT_PATH "/luns/0/device");
	assert_contains(link, "devices/d1");
	free(link);
	free(text);
	fake_free(f);
}

static void test_move_initiator(void **state)
{
	struct fake *f = with_base();
	char *text = changed("\t\t\tINITIATOR ini2\n\t\t}\n",
			     "\t\t}\n\t\tGROUP h {\n\t\t\tLUN 0 d0\n\t\t\tINITIATOR ini2\n\t\t}\n");
	struct run r = apply_run(f, text, "");

	(void)state;
	assert_run(r, EXIT_REMAINS);
	assert_contains(r.out,
			"initiator ini2 is in group g of ib_srpt/" PORT_1 ", the file has it in h");
	assert_true(fake_exists(f, PORT_PATH "/ini_groups/h/luns/0"));
	run_free(&r);
	strv_free(&f->writes);
	assert_int_equal(apply_conf(f, text, "-force -noprompt"), 0);
	assert_int_equal(f->writes.n, 1);
	assert_contains(f->writes.v[0], "g/initiators/mgmt<-move ini2 h");
	assert_true(fake_exists(f, PORT_PATH "/ini_groups/h/initiators/ini2"));
	free(text);
	fake_free(f);
}

/* From a group that is to go, into one that is to come. */
static void test_move_between_groups(void **state)
{
	struct fake *f = with_base();
	char *text = changed("GROUP g {", "GROUP renamed {");

	(void)state;
	assert_int_equal(apply_conf(f, text, "-force -noprompt"), 0);
	assert_false(fake_exists(f, PORT_PATH "/ini_groups/g"));
	assert_true(fake_exists(f, PORT_PATH "/ini_groups/renamed/initiators/ini1"));
	assert_true(fake_exists(f, PORT_PATH "/ini_groups/renamed/luns/0"));
	assert_true(written(f, "create renamed") < written(f, "move ini1 renamed"));
	assert_true(written(f, "renamed/luns/mgmt<-add") < written(f, "move ini1"));
	assert_true(written(f, "move ini2") < written(f, "<-del g"));
	free(text);
	fake_free(f);
}

static void test_dynamic_values(void **state)
{
	const char *text =
		"HANDLER vdisk_nullio\nTARGET_DRIVER iscsi {\nIncomingUser \"a pw1\"\n"
		"TARGET t {\nIncomingUser \"b pw2\"\nIncomingUser \"c pw3\"\n"
		"allowed_portal 10.0.0.1\n}\n}\n";
	const char *less =
		"HANDLER vdisk_nullio\nTARGET_DRIVER iscsi {\nIncomingUser \"a pw1\"\n"
		"TARGET t {\nIncomingUser \"c pw3\"\nIncomingUser \"d pw4\"\n}\n}\n";
	struct fake *f = fake_new(false);
	struct run r;

	(void)state;
	assert_int_equal(apply_conf(f, text, ""), 0);
	written(f, "targets/iscsi/mgmt<-add_attribute IncomingUser a pw1");
	written(f, "targets/iscsi/mgmt<-add_target_attribute t IncomingUser b pw2");
	r = apply_run(f, less, "");
	assert_run(r, EXIT_REMAINS);
	assert_contains(r.out, "IncomingUser 'b pw2' of target iscsi/t is not in the file");
	run_free(&r);
	written(f, "add_target_attribute t IncomingUser d pw4");
	assert_int_equal(apply_conf(f, less, "-force -noprompt"), 0);
	written(f, "del_target_attribute t IncomingUser b pw2");
	written(f, "del_target_attribute t allowed_portal 10.0.0.1");
	strv_free(&f->writes);
	assert_int_equal(apply_conf(f, less, "-force -noprompt"), 0);
	assert_int_equal(f->writes.n, 0);
	fake_free(f);
}

static void test_sessions_by_name(void **state)
{
	struct fake *f = with_base();
	char *text = changed("session_name s0", "session_name s1");
	struct run r = apply_run(f, text, "");

	(void)state;
	assert_run(r, EXIT_REMAINS);
	run_free(&r);
	assert_true(fake_exists(f, "targets/scst_local/t0/sessions/s1"));
	assert_true(fake_exists(f, "targets/scst_local/t0/sessions/s0"));
	assert_int_equal(apply_conf(f, text, "-force -noprompt"), 0);
	assert_false(fake_exists(f, "targets/scst_local/t0/sessions/s0"));
	written(f, "targets/scst_local/mgmt<-del_session t0 s0");
	free(text);
	fake_free(f);
}

/* B10: an empty value is a value. */
static void test_empty_value(void **state)
{
	struct fake *f = fake_new(false);
	const char *text = "HANDLER vdisk_nullio {\nDEVICE d {\nprod_id \"\"\n}\n}\n"
			   "TARGET_DRIVER scst_local {\nTARGET t\n}\n";

	(void)state;
	assert_int_equal(apply_conf(f, text, ""), 0);
	written(f, "devices/d/prod_id<-\n");
	assert_value(f, "devices/d/prod_id", "");
	strv_free(&f->writes);
	assert_int_equal(apply_conf(f, text, ""), 0);
	assert_int_equal(f->writes.n, 0);
	fake_free(f);
}

/* ---- failures ---- */

/* W02: whatever write of an object fails, the state is as it was before. */
static void test_roll_back(void **state)
{
	struct fake *f = fake_new(false);
	char *before = whole_state(f), *after;
	unsigned int n, failures = 0;
	struct run r;

	(void)state;
	for (n = 0; ; n++) {
		f->fault = (struct fake_fault){
			.match = "mgmt<-", .err = -ENOMEM, .skip = n, .times = 1,
		};
		r = apply_run(f, base, "");
		if (!f->fault.hits || f->fault.hits <= n) {
			assert_run(r, 0);
			run_free(&r);
			break;
		}
		assert_run(r, 1);
		assert_contains(r.err, "Cannot allocate memory (ENOMEM)");
		assert_contains(r.err, n ? "all changes of this run were taken back" :
					   "nothing was changed");
		assert_contains(r.out, "Done, 0 change(s) made");
		run_free(&r);
		after = whole_state(f);
		assert_string_equal(after, before);
		free(after);
		failures++;
	}
	assert_int_equal(failures, 14);
	free(before);
	fake_free(f);
}

/* The same when a run with -force has taken things away already. */
static void test_roll_back_removals(void **state)
{
	static const char other[] =
		"HANDLER vdisk_nullio {\nDEVICE n0\nDEVICE d1 {\nblocksize 512\n}\n}\n"
		"TARGET_DRIVER ib_srpt {\nTARGET " PORT_1 " {\nLUN 3 n0\n"
		"GROUP h {\nINITIATOR ini1\nLUN 0 d1\n}\n}\n}\n"
		"TARGET_DRIVER scst_local {\nTARGET t9\n}\n";
	struct fake *f = with_base();
	char *before = whole_state(f), *after;
	unsigned int n, failures = 0;
	struct run r;

	(void)state;
	for (n = 0; ; n++) {
		f->fault = (struct fake_fault){
			.match = "mgmt<-", .err = -EIO, .skip = n, .times = 1,
		};
		r = apply_run(f, other, "-force -noprompt");
		if (f->fault.hits <= n) {
			assert_run(r, 0);
			run_free(&r);
			break;
		}
		assert_run(r, 1);
		assert_lacks(r.err, "cannot take back");
		run_free(&r);
		after = whole_state(f);
		assert_string_equal(after, before);
		free(after);
		failures++;
	}
	assert_true(failures > 15);
	free(before);
	fake_free(f);
}

static void test_failed_roll_back_is_told(void **state)
{
	struct fake *f = fake_new(false);
	struct run r;

	(void)state;
	f->fault = (struct fake_fault){
		.match = "d", .err = -EIO, .skip = 2, .times = 0,
	};
	r = apply_run(f, base, "");
	assert_run(r, 1);
	assert_contains(r.err, "cannot take back");
	assert_contains(r.err, "could not be taken back; run -check_config");
	run_free(&r);
	fake_free(f);
}

/* B30: one unknown target; the rest is applied and the status tells. */
static void test_cont_on_err(void **state)
{
	struct fake *f = fake_new(false);
	char *text = changed("TARGET_DRIVER ib_srpt {\n",
			     "TARGET_DRIVER ib_srpt {\n\tTARGET not_a_port {\n\t\tenabled 1\n\t}\n");
	struct run r = apply_run(f, text, "");

	(void)state;
	assert_run(r, 1);
	assert_contains(r.err, "error: found target 'not_a_port', which ib_srpt does not have");
	assert_contains(r.err, "nothing was changed (-cont_on_err does the rest)");
	assert_int_equal(f->writes.n, 0);
	run_free(&r);

	r = apply_run(f, text, "-cont_on_err");
	assert_run(r, 1);
	assert_true(fake_exists(f, PORT_PATH "/luns/0"));
	assert_true(fake_exists(f, "targets/scst_local/t0/luns/0"));
	assert_true(fake_exists(f, "device_groups/dg/devices/d0"));
	run_free(&r);
	free(text);
	fake_free(f);
}

/* A core without device groups: told before the first write. */
static void test_no_device_groups(void **state)
{
	struct fake *f = fake_new(false);
	struct run r;

	(void)state;
	tree_remove(f, "device_groups");
	r = apply_run(f, base, "");
	assert_run(r, 1);
	assert_contains(r.err, "found DEVICE_GROUP dg, expected a core with device groups");
	assert_int_equal(f->writes.n, 0);
	run_free(&r);
	assert_int_equal(apply_conf(f, base, "-cont_on_err"), 1);
	assert_true(fake_exists(f, PORT_PATH "/luns/0"));
	fake_free(f);
}

/* B30: the same with an object that the kernel refuses. */
static void test_cont_on_err_kernel(void **state)
{
	struct fake *f = fake_new(false);
	struct run r;

	(void)state;
	f->fault = (struct fake_fault){
		.match = "add_target t0", .err = -EINVAL,
	};
	r = apply_run(f, base, "-cont_on_err");
	assert_run(r, 1);
	assert_true(fake_exists(f, PORT_PATH "/luns/0"));
	assert_true(fake_exists(f, "device_groups/dg/target_groups/tg/far"));
	assert_false(fake_exists(f, "targets/scst_local/t0"));
	run_free(&r);
	fake_free(f);
}

/* An attribute that is refused is told, the rest is done, the status is 1. */
static void test_refused_attribute(void **state)
{
	struct fake *f = fake_new(false);
	struct run r;

	(void)state;
	f->fault = (struct fake_fault){
		.match = "rel_tgt_id<-7", .err = -EBADSLT,
	};
	r = apply_run(f, base, "");
	assert_run(r, 1);
	assert_contains(r.err, ":12:3: error: cannot set rel_tgt_id of target ib_srpt/" PORT_1);
	assert_contains(r.err, "(EBADSLT): another enabled target has this relative target id");
	assert_value(f, PORT_PATH "/enabled", "1");
	assert_true(fake_exists(f, "targets/scst_local/t0/luns/0"));
	run_free(&r);
	fake_free(f);
}

static void test_unknown_attribute(void **state)
{
	struct fake *f = fake_new(false);
	const char *text = "HANDLER vdisk_nullio {\nDEVICE d {\nfrobnicate 1\nthreads_num 4\n}\n}\n"
			   "TARGET_DRIVER ib_srpt {\nTARGET " PORT_1 " {\n"
			   "commennt x\nread_cmd_count 5\n}\n}\n";
	struct run r = apply_run(f, text, "");

	(void)state;
	assert_run(r, 0);
	assert_contains(r.err, "frobnicate of device d: '1': no such attribute; ignored");
	assert_contains(r.out, "has no attribute 'commennt' (did you mean 'comment'?); ignored");
	assert_contains(r.out,
			PORT_1 " is '0' and cannot be set to '5'");
	assert_value(f, "devices/d/threads_num", "4");
	run_free(&r);
	fake_free(f);
}

/* B19: found before the first write; the rest can be had. */
static void test_missing_backing(void **state)
{
	const char *text = "HANDLER vdisk_fileio {\nDEVICE a {\nfilename /nonexistent/file\n}\n"
			   "DEVICE b {\nfilename /proc/stat\n}\n}\n"
			   "TARGET_DRIVER scst_local {\nTARGET t {\nLUN 0 b\n}\n}\n";
	struct fake *f = fake_new(false);
	struct run r = apply_run(f, text, "");

	(void)state;
	assert_run(r, 1);
	assert_contains(r.err,
			":3:10: not possible here: found filename '/nonexistent/file' for device 'a': No such file or directory");
	assert_int_equal(f->writes.n, 0);
	run_free(&r);
	r = apply_run(f, text, "-cont_on_err");
	assert_run(r, 1);
	assert_true(fake_exists(f, "targets/scst_local/t/luns/0"));
	run_free(&r);
	fake_free(f);
}

static void test_file_errors(void **state)
{
	struct fake *f = fake_new(false);
	struct run r = apply_run(f, "HANDLER h {\n", "-cont_on_err");

	(void)state;
	assert_run(r, 1);
	assert_contains(r.err, ":1:1: error: found no '}'");
	assert_contains(r.err, "nothing was changed");
	run_free(&r);
	r = run_args(f, "-config /nonexistent/scst.conf", "");
	assert_run(r, 1);
	assert_contains(r.err, "cannot read /nonexistent/scst.conf: No such file or directory");
	run_free(&r);
	r = apply_run(f, "# empty\n", "");
	assert_run(r, 0);
	run_free(&r);
	assert_int_equal(f->writes.n, 0);
	fake_free(f);
}

/* ---- the EAGAIN protocol ---- */

static void test_queued(void **state)
{
	struct fake *f = fake_new(false);

	(void)state;
	f->queue = true;
	f->busy_reads = 5;
	assert_int_equal(apply_conf(f, base, ""), 0);
	assert_int_equal(f->slept, 5);
	assert_true(fake_exists(f, PORT_PATH "/ini_groups/g/initiators/ini1"));
	fake_free(f);
}

static void test_queued_failure(void **state)
{
	struct fake *f = fake_new(false);
	struct run r;

	(void)state;
	f->queue = true;
	f->fault = (struct fake_fault){ .match = "create g", .err = -EBUSY };
	r = apply_run(f, base, "");
	assert_run(r, 1);
	assert_contains(r.err, "(EBUSY)");
	assert_false(fake_exists(f, "devices/d0"));
	run_free(&r);
	fake_free(f);
}

static void test_queued_for_ever(void **state)
{
	struct fake *f = fake_new(false);
	int err;

	(void)state;
	f->queue = true;
	f->busy_reads = 100000;
	err = sysfs_write(&f->s, "setup_id", "1\n");
	assert_int_equal(err, -EAGAIN);
	assert_int_equal(f->slept, 300);
	fake_free(f);
}

/* ---- -check_config, -debug, the question ---- */

static void test_check_shows_the_plan(void **state)
{
	struct fake *f = with_base();
	char *text = changed("addr_method FLAT", "addr_method LUN");
	char *more = xasprintf("HANDLER vcdrom {\nDEVICE cd\n}\n%s", text);
	char *args = xasprintf("-check_config %s", conf_file(f, more));
	struct run r = run_args(f, args, "");

	(void)state;
	assert_run(r, 0);
	assert_string_equal(r.err, "");
	assert_contains(r.out, "\t+ device cd (vcdrom)\n");
	assert_contains(r.out, "\t~ addr_method of target ib_srpt/" PORT_1 ": 'FLAT' -> 'LUN'\n");
	assert_contains(r.out, "1 to add, 1 to change, 0 to remove");
	assert_int_equal(f->writes.n, 0);
	run_free(&r);
	free(args);

	args = xasprintf("-check_config %s -force",
			 conf_file(f, "HANDLER vdisk_nullio\nTARGET_DRIVER scst_local\n"));
	r = run_args(f, args, "");
	assert_run(r, 0);
	assert_contains(r.out, "\t- target scst_local/t0\n");
	assert_contains(r.out, "\t- device d0 (vdisk_nullio)\n");
	assert_int_equal(f->writes.n, 0);
	run_free(&r);
	free(args);
	free(more);
	free(text);
	fake_free(f);
}

static void test_check_status(void **state)
{
	static const struct { const char *text; int status; } rows[] = {
		{ "", 0 },
		{ "HANDLER not_loaded {\nDEVICE d\n}\n", 0 },
		{ "TARGET_DRIVER ib_srpt {\nTARGET nowhere\n}\n", 1 },
		{ "HANDLER h {\n", 1 },
	};
	struct fake *f = fake_new(false);
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		char *args = xasprintf("-check_config %s",
				       conf_file(f, rows[i].text));

		assert_int_equal(run_status(f, args), rows[i].status);
		free(args);
	}
	fake_free(f);
}

/* Without the core the file alone is checked. */
static void test_check_without_core(void **state)
{
	struct fake *f = fake_new(false);
	char *args = xasprintf("-check_config %s -sysfs_root /nonexistent",
			       conf_file(f, base));
	struct run r = run_args(f, args, "");

	(void)state;
	assert_run(r, 0);
	assert_contains(r.out, "Only the file itself was checked");
	run_free(&r);
	free(args);
	fake_free(f);
}

static void test_debug_writes_nothing(void **state)
{
	struct fake *f = fake_new(false);
	struct run r = apply_run(f, base, "-debug");

	(void)state;
	assert_run(r, 0);
	assert_int_equal(f->writes.n, 0);
	assert_contains(r.out, "/handlers/vdisk_nullio/mgmt <- 'add_device d1 blocksize=4096;'");
	assert_contains(r.out, "/luns/mgmt <- 'add d0 0 '");
	run_free(&r);
	fake_free(f);
}

static void test_question(void **state)
{
	static const struct { const char *answer; bool goes_on; } rows[] = {
		{ "y\n", true }, { "YES\n", true }, { "n\n", false },
		{ "\n", false }, { "", false }, { "yeah\n", false },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct fake *f = fake_new(false);
		char *args = xasprintf("-config %s -force", conf_file(f, base));
		struct run r = run_args(f, args, rows[i].answer);

		assert_run(r, 0);
		assert_int_equal(f->writes.n != 0, rows[i].goes_on);
		if (!rows[i].goes_on)
			assert_contains(r.out, "Aborting action");
		run_free(&r);
		free(args);
		fake_free(f);
	}
}

/* ---- -clear_config ---- */

static void test_clear(void **state)
{
	struct fake *f = with_base();
	struct run r = run_args(f, "-clear_config", "");
	struct sysfs_dir dir;

	(void)state;
	assert_run(r, 1);
	assert_contains(r.err, "needs -force");
	assert_int_equal(f->writes.n, 0);
	run_free(&r);

	r = run_args(f, "-clear_config -force -noprompt", "");
	assert_run(r, 0);
	assert_string_equal(r.err, "");
	run_free(&r);
	assert_int_equal(sysfs_list(&f->s, "devices", &dir), 0);
	assert_int_equal(dir.n, 0);
	sysfs_dir_free(&dir);
	assert_false(fake_exists(f, "targets/scst_local/t0"));
	assert_false(fake_exists(f, "device_groups/dg"));
	assert_false(fake_exists(f, PORT_PATH "/ini_groups/g"));
	assert_false(fake_exists(f, PORT_PATH "/luns/0"));
	assert_value(f, PORT_PATH "/enabled", "0");
	/* Static attributes keep their values. */
	assert_value(f, PORT_PATH "/rel_tgt_id", "7");
	fake_free(f);
}

static void test_clear_dynamic(void **state)
{
	struct fake *f = fake_new(false);

	(void)state;
	assert_int_equal(apply_conf(f, "HANDLER vdisk_nullio\nTARGET_DRIVER iscsi {\n"
				    "IncomingUser \"a pw1\"\nIncomingUser \"b pw2\"\n"
				    "TARGET t {\nIncomingUser \"c pw3\"\n}\n}\n", ""), 0);
	assert_int_equal(run_status(f, "-clear_config -force -noprompt"), 0);
	written(f, "<-del_attribute IncomingUser a pw1");
	written(f, "<-del_attribute IncomingUser b pw2");
	assert_false(fake_exists(f, "targets/iscsi/IncomingUser"));
	fake_free(f);
}

static void test_clear_goes_on(void **state)
{
	struct fake *f = with_base();
	struct run r;

	(void)state;
	f->fault = (struct fake_fault){ .match = "del_device d0", .err = -EBUSY };
	r = run_args(f, "-clear_config -force -noprompt", "");
	assert_run(r, 1);
	assert_contains(r.err, "cannot remove device d0 (vdisk_nullio)");
	assert_true(fake_exists(f, "devices/d0"));
	assert_false(fake_exists(f, "devices/d1"));
	assert_false(fake_exists(f, "targets/scst_local/t0"));
	run_free(&r);
	fake_free(f);
}

static void test_copy_manager_is_left_alone(void **state)
{
	struct fake *f = fake_new(true);

	(void)state;
	assert_int_equal(apply_conf(f, base, ""), 0);
	strv_free(&f->writes);
	assert_int_equal(apply_conf(f, base, "-force -noprompt"), 0);
	assert_int_equal(f->writes.n, 0);
	assert_true(fake_exists(f, "targets/copy_manager/copy_manager_tgt/luns/1"));
	assert_int_equal(run_status(f, "-clear_config -force -noprompt"), 0);
	assert_false(fake_exists(f, "targets/copy_manager/copy_manager_tgt/luns/0"));
	assert_true(fake_exists(f, "targets/copy_manager/copy_manager_tgt"));
	fake_free(f);
}

/* B17 */
static void test_versions(void **state)
{
	static const struct { const char *text; bool good; } rows[] = {
		{ "SCST version: 3.9.0\n", true },
		{ "SCST version: 3.10.0-pre\n", true },
		{ "SCST version: 3.10+git123\n", true },
		{ "3.11.0-pre-rc1~deb\nmore\n", true },
		{ "SCST version: 2.0.0\n", true },
		{ "SCST version: 1.0.2\n", false },
		{ "no number\n3.0.0\n", false },
		{ "", false },
	};
	struct fake *f = fake_new(false);
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct run r;

		fake_file(f, "version", 0444, rows[i].text);
		r = run_args(f, "-list_handler", "");
		assert_run(r, !rows[i].good);
		if (!rows[i].good)
			assert_contains(r.err, "version");
		run_free(&r);
	}
	fake_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_first_apply),
		cmocka_unit_test(test_again_is_nothing),
		cmocka_unit_test(test_many_objects),
		cmocka_unit_test(test_unlisted_target),
		cmocka_unit_test(test_removed_initiator),
		cmocka_unit_test(test_busy_group),
		cmocka_unit_test(test_changes),
		cmocka_unit_test(test_hardware_attributes),
		cmocka_unit_test(test_back_to_default),
		cmocka_unit_test(test_assigned_stays),
		cmocka_unit_test(test_aliases),
		cmocka_unit_test(test_reopen),
		cmocka_unit_test(test_reopen_in_device_group),
		cmocka_unit_test(test_other_device_of_lun),
		cmocka_unit_test(test_move_initiator),
		cmocka_unit_test(test_move_between_groups),
		cmocka_unit_test(test_dynamic_values),
		cmocka_unit_test(test_sessions_by_name),
		cmocka_unit_test(test_empty_value),
		cmocka_unit_test(test_roll_back),
		cmocka_unit_test(test_roll_back_removals),
		cmocka_unit_test(test_failed_roll_back_is_told),
		cmocka_unit_test(test_cont_on_err),
		cmocka_unit_test(test_no_device_groups),
		cmocka_unit_test(test_cont_on_err_kernel),
		cmocka_unit_test(test_refused_attribute),
		cmocka_unit_test(test_unknown_attribute),
		cmocka_unit_test(test_missing_backing),
		cmocka_unit_test(test_file_errors),
		cmocka_unit_test(test_queued),
		cmocka_unit_test(test_queued_failure),
		cmocka_unit_test(test_queued_for_ever),
		cmocka_unit_test(test_check_shows_the_plan),
		cmocka_unit_test(test_check_status),
		cmocka_unit_test(test_check_without_core),
		cmocka_unit_test(test_debug_writes_nothing),
		cmocka_unit_test(test_question),
		cmocka_unit_test(test_clear),
		cmocka_unit_test(test_clear_dynamic),
		cmocka_unit_test(test_clear_goes_on),
		cmocka_unit_test(test_copy_manager_is_left_alone),
		cmocka_unit_test(test_versions),
	};

	return cmocka_run_group_tests_name("apply", tests, NULL, NULL);
}
