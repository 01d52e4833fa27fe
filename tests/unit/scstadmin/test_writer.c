// SPDX-License-Identifier: GPL-2.0
/*
 * Saving: what is written is what is read back, and nothing gets lost.
 */
#include "common.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scstadmin/parse.h"
#include "scstadmin/writer.h"

/* B08: every name and value survives being written and read. */
static void test_words(void **state)
{
	static const char *const words[] = {
		"plain", "", " ", "a b", "tab\there", "a#b", "#", "*#*", "a\\b",
		"\\", "\\#", "\"", "say \"hi\"", "a\"b", "*", "?", "!192.0.2.9",
		"{", "a{b}", ";", "a;b", "\xc3\xa9t\xc3\xa9", "a\\ b", "%s",
		"alice twelve#char\\secret", "x\ry", "HANDLER",
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(words); i++) {
		struct strbuf sb = { 0 };
		struct node *root;

		sb_add(&sb, "TARGET_DRIVER iscsi {\n\tTARGET t {\n\t\tvalue ");
		conf_add_word(&sb, words[i]);
		sb_add(&sb, "\n\t\tGROUP g {\n\t\t\tINITIATOR ");
		conf_add_word(&sb, words[i]);
		sb_add(&sb, "\n\t\t}\n\t}\n}\n");
		root = parse_ok(sb_str(&sb));
		assert_string_equal(attr_text(node_attr(root->child[0]->child[0],
							"value")), words[i]);
		assert_string_equal(root->child[0]->child[0]->child[0]->child[0]->name,
				    words[i]);
		node_free(root);
		sb_free(&sb);
	}
}

/* The form the existing writer has for these, so that its readers cope. */
static void test_word_form(void **state)
{
	static const char *const rows[][2] = {
		{ "plain", "plain" }, { "a b", "\"a b\"" },
		{ "a#b", "a\\#b" }, { "a\\b", "a\\\\b" },
		{ "a #b", "\"a \\#b\"" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct strbuf sb = { 0 };

		conf_add_word(&sb, rows[i][0]);
		assert_string_equal(sb_str(&sb), rows[i][1]);
		sb_free(&sb);
	}
}

static char *file_text(const char *path)
{
	struct strbuf sb = { 0 };
	FILE *f = fopen(path, "r");
	int c;

	if (!f)
		return NULL;
	while ((c = fgetc(f)) != EOF)
		sb_addch(&sb, (char)c);
	fclose(f);
	return sb_detach(&sb);
}

/* Saves the running state; the text without its first line. */
static char *saved(struct fake *f, const char *more)
{
	char *path = xasprintf("%s/saved", f->dir);
	char *args = xasprintf("-write_config %s %s", path, more);
	struct run r = run_args(f, args, "");
	char *text, *body;

	unlink(path);
	free(args);
	args = xasprintf("-write_config %s %s", path, more);
	run_free(&r);
	r = run_args(f, args, "");
	assert_run(r, 0);
	assert_string_equal(r.err, "");
	text = file_text(path);
	assert_true(str_starts(text, "# Automatically generated"));
	body = xstrdup(strchr(text, '\n') + 1);
	unlink(path);
	run_free(&r);
	free(text);
	free(args);
	free(path);
	return body;
}

static const char everything[] =
	"\n"
	"setup_id 0x10\n"
	"\n"
	"HANDLER vcdrom {\n"
	"\tDEVICE cd\n"
	"}\n"
	"\n"
	"HANDLER vdisk_fileio {\n"
	"\tDEVICE f0 {\n"
	"\t\tfilename /proc/meminfo\n"
	"\t\tnv_cache 1\n"
	"\t\tprod_id \"two words \\#1\"\n"
	"\t}\n"
	"\n"
	"\tDEVICE f1 {\n"
	"\t\tfilename /proc/stat\n"
	"\t\tread_only 1\n"
	"\t}\n"
	"}\n"
	"\n"
	"HANDLER vdisk_nullio {\n"
	"\tDEVICE n0\n"
	"\tDEVICE n1 {\n"
	"\t\tblocksize 4096\n"
	"\t\tsize 2147483648\n"
	"\t}\n"
	"}\n"
	"\n"
	"TARGET_DRIVER ib_srpt {\n"
	"\tTARGET " PORT_1 " {\n"
	"\t\tcomment \"port one\"\n"
	"\t\tenabled 1\n"
	"\t\trel_tgt_id 1\n"
	"\n"
	"\t\tLUN 0 f0\n"
	"\t\tLUN 2 f1\n"
	"\t\tLUN 10 n0 {\n"
	"\t\t\tread_only 1\n"
	"\t\t}\n"
	"\n"
	"\t\tGROUP a {\n"
	"\t\t\tLUN 0 f1\n"
	"\n"
	"\t\t\tINITIATOR *\\#*\n"
	"\n"
	"\t\t\tINITIATOR fe80:*\n"
	"\n"
	"\t\t\taddr_method FLAT\n"
	"\t\t}\n"
	"\n"
	"\t\tGROUP b {\n"
	"\t\t\tINITIATOR 10.9.0.17\n"
	"\t\t}\n"
	"\t}\n"
	"\tTARGET " PORT_2 " {\n"
	"\t\tenabled 0\n"
	"\t}\n"
	"}\n"
	"\n"
	"TARGET_DRIVER iscsi {\n"
	"\tIncomingUser \"bob secret9\"\n"
	"\tenabled 0\n"
	"}\n"
	"\n"
	"TARGET_DRIVER scst_local {\n"
	"\tTARGET loop {\n"
	"\t\tsession_name hostA\n"
	"\t\tsession_name hostB\n"
	"\n"
	"\t\tLUN 0 n1\n"
	"\t}\n"
	"}\n"
	"\n"
	"DEVICE_GROUP dg {\n"
	"\tDEVICE f0\n"
	"\n"
	"\tTARGET_GROUP here {\n"
	"\t\tgroup_id 101\n"
	"\t\tstate standby\n"
	"\n"
	"\t\tTARGET " PORT_1 "\n"
	"\t}\n"
	"\n"
	"\tTARGET_GROUP there {\n"
	"\t\tgroup_id 102\n"
	"\t\tpreferred 1\n"
	"\t\tstate active\n"
	"\n"
	"\t\tTARGET remote_port {\n"
	"\t\t\trel_tgt_id 22\n"
	"\t\t}\n"
	"\t}\n"
	"}\n"
	"\n";

/* The whole journey: what was applied is what is saved, byte by byte. */
static void test_round_trip(void **state)
{
	struct fake *f = fake_new(false);
	char *text;

	(void)state;
	assert_int_equal(apply_conf(f, everything, ""), 0);
	text = saved(f, "");
	assert_string_equal(text, everything);
	free(text);
	/* And again from the saved text on an empty system. */
	assert_int_equal(run_status(f, "-clear_config -force -noprompt"), 0);
	assert_int_equal(apply_conf(f, everything, ""), 0);
	text = saved(f, "");
	assert_string_equal(text, everything);
	free(text);
	fake_free(f);
}

/* What the copy manager maps by itself is not saved, the target is. */
static void test_copy_manager(void **state)
{
	struct fake *f = fake_new(true);
	char *text;

	(void)state;
	assert_int_equal(apply_conf(f, everything, ""), 0);
	assert_true(fake_exists(f, "targets/copy_manager/copy_manager_tgt/luns/0"));
	text = saved(f, "");
	assert_contains(text, "TARGET_DRIVER copy_manager {\n"
			      "\tTARGET copy_manager_tgt\n}\n");
	strv_free(&f->writes);
	assert_int_equal(apply_conf(f, text, "-force -noprompt"), 0);
	assert_int_equal(f->writes.n, 0);
	free(text);
	fake_free(f);
}

/* B07: any number of values of one attribute. */
static void test_many_values(void **state)
{
	struct strbuf sb = { 0 };
	struct fake *f = fake_new(false);
	unsigned int i, found = 0;
	char *text, *at;

	(void)state;
	sb_add(&sb, "HANDLER vdisk_nullio\nTARGET_DRIVER iscsi {\n\tTARGET t {\n");
	for (i = 0; i < 100; i++)
		sb_addf(&sb, "\t\tIncomingUser \"user%u secret%u\"\n", i, i);
	sb_add(&sb, "\t}\n}\n");
	assert_int_equal(apply_conf(f, sb_str(&sb), ""), 0);
	text = saved(f, "");
	for (at = text; (at = strstr(at, "IncomingUser")); at++)
		found++;
	assert_int_equal(found, 100);
	assert_contains(text, "IncomingUser \"user99 secret99\"\n");
	free(text);
	/* Read back, there is nothing to change. */
	strv_free(&f->writes);
	assert_int_equal(apply_conf(f, sb_str(&sb), ""), 0);
	assert_int_equal(f->writes.n, 0);
	sb_free(&sb);
	fake_free(f);
}

static void test_nonkey(void **state)
{
	struct fake *f = fake_new(false);
	char *text;

	(void)state;
	assert_int_equal(apply_conf(f, everything, ""), 0);
	text = saved(f, "-nonkey");
	assert_contains(text, "# Non-key attributes\n");
	assert_contains(text, "\t\tthreads_num 8\n");
	assert_lacks(text, "resync_size");
	assert_lacks(text, "read_cmd_count");
	/* What was saved so can be applied and changes nothing. */
	strv_free(&f->writes);
	assert_int_equal(apply_conf(f, text, ""), 0);
	assert_int_equal(f->writes.n, 0);
	free(text);
	fake_free(f);
}

/* B36: an attribute that cannot be read costs a notice, not the file. */
static void test_unreadable(void **state)
{
	struct fake *f = fake_new(false);
	char *path = xasprintf("%s/saved", f->dir), *args, *text;
	struct run r;

	(void)state;
	assert_int_equal(apply_conf(f, everything, ""), 0);
	f->unreadable = "f0/nv_cache";
	args = xasprintf("-write_config %s", path);
	r = run_args(f, args, "");
	assert_run(r, 0);
	assert_contains(r.err, "notice: cannot read devices/f0/nv_cache: Input/output error");
	text = file_text(path);
	assert_lacks(text, "nv_cache");
	assert_contains(text, "filename /proc/meminfo");
	assert_contains(text, "prod_id \"two words");
	free(text);
	run_free(&r);
	free(args);
	free(path);
	fake_free(f);
}

/* W03: the old file stays as a backup, and an emptier one is refused. */
static void test_saving_keeps_the_good(void **state)
{
	struct fake *f = fake_new(false);
	char *path = xasprintf("%s/saved", f->dir);
	char *bak = xasprintf("%s.bak", path);
	char *args = xasprintf("-write_config %s", path), *force, *text;
	struct stat st;
	struct run r;

	(void)state;
	assert_int_equal(apply_conf(f, everything, ""), 0);
	assert_int_equal(run_status(f, args), 0);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(chmod(path, 0640), 0);

	/* One LUN less is normal work. */
	assert_int_equal(run_status(f, "-rem_lun 0 -driver scst_local -target loop -noprompt"), 0);
	assert_int_equal(run_status(f, args), 0);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
	text = file_text(bak);
	assert_contains(text, "LUN 0 n1");
	free(text);
	text = file_text(path);
	assert_lacks(text, "LUN 0 n1");
	free(text);

	/* B19: a system that came up empty is not saved over it. */
	assert_int_equal(run_status(f, "-clear_config -force -noprompt"), 0);
	r = run_args(f, args, "");
	assert_run(r, 1);
	assert_contains(r.err, "not replaced");
	text = file_text(path);
	assert_contains(text, "LUN 0 f0");
	free(text);
	run_free(&r);
	force = xasprintf("%s -force", args);
	assert_int_equal(run_status(f, force), 0);
	text = file_text(path);
	assert_lacks(text, "LUN 0 f0");
	free(text);
	free(force);
	free(args);
	free(bak);
	free(path);
	fake_free(f);
}

/* B151: sections of ports and modules that are away survive a save. */
static void test_absent_is_kept(void **state)
{
	static const char old[] =
		"HANDLER dev_disk {\n\tDEVICE 3:0:0:0\n}\n"
		"TARGET_DRIVER ib_srpt {\n"
		"\tTARGET fe80:0000:0000:0000:0000:0000:0000:0009 {\n"
		"\t\tenabled 1\n\n\t\tLUN 0 x {\n\t\t\tread_only 1\n\t\t}\n\t}\n}\n"
		"TARGET_DRIVER scst_local {\n\tTARGET gone\n}\n";
	struct fake *f = fake_new(false);
	char *path = xasprintf("%s/saved", f->dir);
	char *args = xasprintf("-write_config %s", path), *text;
	FILE *file = fopen(path, "w");
	struct run r;

	(void)state;
	assert_non_null(file);
	fputs(old, file);
	fclose(file);
	assert_int_equal(apply_conf(f, everything, ""), 0);
	r = run_args(f, args, "");
	assert_run(r, 0);
	assert_contains(r.out, "its section is kept from the old file");
	text = file_text(path);
	assert_contains(text, "HANDLER dev_disk {\n\tDEVICE 3:0:0:0\n}\n");
	assert_contains(text, "\tTARGET fe80:0000:0000:0000:0000:0000:0000:0009 {\n"
			      "\t\tenabled 1\n\n\t\tLUN 0 x {\n\t\t\tread_only 1\n\t\t}\n\t}\n");
	/* A virtual target that is gone was removed by somebody. */
	assert_lacks(text, "TARGET gone");
	free(text);
	run_free(&r);
	free(args);
	free(path);
	fake_free(f);
}

static void test_save_errors(void **state)
{
	struct fake *f = fake_new(false);
	struct run r = run_args(f, "-write_config /nonexistent/dir/file", "");

	(void)state;
	assert_run(r, 1);
	assert_contains(r.err, "cannot write /nonexistent/dir/file: No such file or directory");
	run_free(&r);
	assert_int_equal(run_status(f, "-write_config /dev/null"), 0);
	assert_int_equal(run_status(f, "-write_config /dev/full"), 1);
	fake_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_word_form),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_copy_manager),
		cmocka_unit_test(test_many_values),
		cmocka_unit_test(test_nonkey),
		cmocka_unit_test(test_unreadable),
		cmocka_unit_test(test_saving_keeps_the_good),
		cmocka_unit_test(test_absent_is_kept),
		cmocka_unit_test(test_save_errors),
	};

	return cmocka_run_group_tests_name("writer", tests, NULL, NULL);
}
