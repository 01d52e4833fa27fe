// SPDX-License-Identifier: GPL-2.0
/*
 * What is found wrong with a file, by itself and on a system.
 */
#include "common.h"

#include "scstadmin/attr.h"
#include "scstadmin/check.h"
#include "scstadmin/snapshot.h"

static char *check_text(const char *text)
{
	struct strbuf sb = { 0 };
	struct diags diags = { 0 };
	struct node *root = parse_text(text, strlen(text), &diags);

	check_file(root, &diags);
	dump_diags(&sb, &diags);
	diags_free(&diags);
	node_free(root);
	return sb_detach(&sb);
}

static void expect(const char *text, const char *finding)
{
	char *got = check_text(text);

	assert_contains(got, finding);
	free(got);
}

static void expect_no_error(const char *text)
{
	char *got = check_text(text);

	assert_lacks(got, "error");
	free(got);
}

static char *device_with(const char *line)
{
	return xasprintf("HANDLER vdisk_fileio {\nDEVICE d {\nfilename /f\n%s\n}\n}\n",
			 line);
}

/* B23: every boolean attribute takes 0 and 1 and nothing else. */
static void test_booleans(void **state)
{
	static const char *const bad[] = {
		"2", "-1", "7200", "yes", "\"\"", "1e3", "01", "0x1",
	};
	struct strv names = { 0 };
	size_t i, j, count = 0;

	(void)state;
	attr_names(N_DEVICE, &names);
	for (i = 0; i < names.n; i++) {
		const struct attr_info *info = attr_info(N_DEVICE, names.v[i]);

		if (info->type != AT_BOOL)
			continue;
		count++;
		for (j = 0; j < ARRAY_SIZE(bad); j++) {
			char *line = xasprintf("%s %s", names.v[i], bad[j]);
			char *text = device_with(line);
			char *want = xasprintf("'%s'", names.v[i]);
			char *got = check_text(text);

			assert_contains(got, "4:");
			assert_contains(got, want);
			assert_contains(got, "expected 0 or 1");
			free(got);
			free(want);
			free(text);
			free(line);
		}
	}
	assert_true(count >= 15);
	strv_free(&names);
}

static void test_values(void **state)
{
	static const struct {
		const char *line;
		const char *want;	/* NULL: no error */
	} rows[] = {
		{ "blocksize 4096", NULL },
		{ "blocksize 0x200", NULL },
		{ "blocksize 500", "expected a power of two" },
		{ "blocksize 256", "expected a power of two" },
		{ "threads_num -1", "expected a number" },
		{ "threads_num 0", NULL },
		{ "threads_pool_type Shared", NULL },
		{ "threads_pool_type many", "expected one of: per_initiator shared" },
		{ "naa_id 0x6000abc00000038f4937570ed9a20002", NULL },
		{ "naa_id xyz", "expected hexadecimal digits" },
		{ "naa_id \"\"", NULL },
		{ "prod_id \"\"", NULL },
		{ "prod_id", NULL },
		{ "pr_file_name relative", "expected an absolute path" },
		{ "size 123456789012345678", NULL },
		{ "size 99999999999999999999", "expected a number" },
		{ "unknown_to_us 7", NULL },
	};
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		char *text = device_with(rows[i].line);

		if (rows[i].want)
			expect(text, rows[i].want);
		else
			expect_no_error(text);
		free(text);
	}
	expect("HANDLER h {\nDEVICE d {\nthread_num 4\n}\n}\n",
	       "did you mean 'threads_num'?");
}

/* B11: twice what can be once; several values where they are usual. */
static void test_repeated(void **state)
{
	(void)state;
	expect("HANDLER h {\nDEVICE d {\nblocksize 512\nblocksize 4096\n}\n}\n",
	       "4:11 error: found 'blocksize' a second time with value '4096', expected one value for it (line 3 gives '512')");
	expect("TARGET_DRIVER d {\nTARGET t {\nrel_tgt_id 1\nrel_tgt_id 2\n}\n}\n",
	       "4:12 error: found 'rel_tgt_id' a second time");
	expect_no_error("HANDLER h\nTARGET_DRIVER iscsi {\nIncomingUser \"a b\"\n"
			"IncomingUser \"c d\"\nTARGET t {\nallowed_portal 1\n"
			"allowed_portal 2\nsession_name a\nsession_name b\n}\n}\n");
}

/* B24, B25 */
static void test_names(void **state)
{
	static const struct {
		const char *name;
		const char *fault;	/* NULL: good as a device name */
	} rows[] = {
		{ "d", NULL },
		{ "%s", NULL },
		{ "\xc3\xa9", NULL },
		{ "a:b,c-d_e+f", NULL },
		{ ".", "the name '.'" },
		{ "..", "the name '..'" },
		{ "a/b", "the character '/'" },
		{ "a b", "the character ' '" },
		{ "a.b", "the character '.'" },
		{ "a=b", "the character '='" },
		{ "a;b", "the character ';'" },
		{ "a\nb", "the control character 0x0a" },
		{ "", "an empty name" },
	};
	static const struct { size_t len; bool ok; } lengths[] = {
		{ 1, true }, { 63, true }, { 64, true }, { 65, false },
		{ 255, false },
	};
	char name[300];
	char *fault;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		fault = name_fault(N_DEVICE, rows[i].name);
		if (!rows[i].fault)
			assert_null(fault);
		else
			assert_contains(fault, rows[i].fault);
		free(fault);
	}
	for (i = 0; i < ARRAY_SIZE(lengths); i++) {
		memset(name, 'x', sizeof(name));
		name[lengths[i].len] = '\0';
		fault = name_fault(N_DEVICE, name);
		assert_int_equal(!fault, lengths[i].ok);
		free(fault);
	}
	/* Dots are usual in target names. */
	assert_null(name_fault(N_TARGET, "iqn.2020-01.net.sample:a"));
	memset(name, 'x', 256);
	name[256] = '\0';
	fault = name_fault(N_TARGET, name);
	assert_non_null(fault);
	free(fault);
	expect("HANDLER h {\nDEVICE \"a b\"\n}\n",
	       "2:8 error: found the character ' ' in the name 'a b'");
}

static void test_structure(void **state)
{
	(void)state;
	expect("a 1\n", "error: found neither HANDLER nor TARGET_DRIVER");
	expect("", "warning: found nothing in the file");
	expect("HANDLER h\n", "warning: found no TARGET_DRIVER section");
	expect("HANDLER h {\nDEVICE d\n}\nHANDLER i {\nDEVICE d\n}\n",
	       "error: found device 'd' in handler i, expected a name of its own (line 2 has it in h)");
	expect("HANDLER vdisk_blockio {\nDEVICE d\n}\n",
	       "2:1 error: found device 'd' of vdisk_blockio without a filename");
	expect("TARGET_DRIVER d {\nTARGET t {\nGROUP a {\nINITIATOR i\n}\n"
	       "GROUP b {\nINITIATOR i\n}\n}\n}\n",
	       "7:11 error: found initiator 'i' in group b, expected it in one group of target t (line 4 has it in a)");
	expect("HANDLER h {\nDEVICE disk\n}\nTARGET_DRIVER d {\nTARGET t {\nLUN 0 dist\n}\n}\n",
	       "6:7 not possible here: found device 'dist' in LUN 0 of d/t, expected a device declared in a HANDLER section (did you mean 'disk'?)");
	expect("HANDLER h {\nDEVICE /dev/disk\n}\n", "taken as 'disk'");
	expect("TARGET_DRIVER scst_local {\nTARGET a {\nrel_tgt_id 3\n}\n"
	       "TARGET b {\nrel_tgt_id 3\n}\n}\n",
	       "6:1 error: found rel_tgt_id 3 for target b, expected an id of its own (target a has it too)");
	expect_no_error("HANDLER h\nTARGET_DRIVER ib_srpt {\n"
			"TARGET a {\nrel_tgt_id 3\nenabled 1\n}\n"
			"TARGET b {\nrel_tgt_id 3\nenabled 0\n}\n}\n");
	expect("HANDLER h {\nDEVICE d\n}\nDEVICE_GROUP a {\nDEVICE d\n}\n"
	       "DEVICE_GROUP b {\nDEVICE d\n}\n",
	       "8:8 error: found device 'd' in device group b, expected it in one device group (a has it too)");
	expect("DEVICE_GROUP a {\nTARGET_GROUP x {\nTARGET t\n}\n"
	       "TARGET_GROUP y {\nTARGET t\n}\n}\n",
	       "6:8 error: found target 't' in target group y");
}

/* W23: set-ups that work but hurt. */
static void test_dangerous(void **state)
{
	(void)state;
	expect("HANDLER h {\nDEVICE a {\nnaa_id 0x6000abc00000038f4937570ed9a20002\n}\n"
	       "DEVICE b {\nnaa_id 6000ABC00000038F4937570ED9A20002\n}\n}\n",
	       "6:1 warning: found naa_id '6000ABC00000038F4937570ED9A20002' for device 'b', which device 'a' has too");
	expect("HANDLER h {\nDEVICE a {\nnv_cache 1\n}\n}\n", "3:1 note: nv_cache 1");
	expect("HANDLER h {\nDEVICE a\n}\n"
	       "TARGET_DRIVER d {\nTARGET t {\nGROUP g {\nLUN 1 a\n}\n}\n}\n",
	       "warning: found LUNs but no INITIATOR in group g");
	expect("HANDLER h {\nDEVICE a\n}\nTARGET_DRIVER d {\nTARGET t {\nLUN 1 a\n}\n}\n",
	       "5:1 warning: found no LUN 0 in target t");
}

static void test_same_values(void **state)
{
	(void)state;
	assert_true(attr_same(N_DEVICE, "blocksize", "0x200", "512"));
	assert_false(attr_same(N_DEVICE, "blocksize", "512", "4096"));
	assert_true(attr_same(N_TARGET, "addr_method", "flat", "FLAT"));
	assert_true(attr_same(N_TARGET, "cpu_mask", "ff", "000000ff"));
	assert_true(attr_same(N_TARGET, "cpu_mask", "1,00000000", "100000000"));
	assert_false(attr_same(N_TARGET, "cpu_mask", "ff", "f"));
	assert_true(attr_same(N_DEVICE, "eui64_id", "0xABCD", "abcd"));
	assert_false(attr_same(N_DEVICE, "eui64_id", "0abc", "abc"));
	assert_false(attr_same(N_DEVICE, "prod_id", "a", "A"));
	assert_false(attr_same(N_DEVICE, "not_known", "1", "01"));
	assert_true(attr_same(N_ROOT, "setup_id", "0x10", "16"));
}

/* ---- on a system ---- */

struct on_system {
	struct fake *f;
	struct node *want;
	struct node *have;
	struct diags diags;
	struct strbuf text;
};

static void look(struct on_system *o, bool copy_manager, const char *text)
{
	struct diags file = { 0 };
	struct strv notices = { 0 };

	memset(o, 0, sizeof(*o));
	o->f = fake_new(copy_manager);
	o->have = snapshot_read(&o->f->s, 0, NULL, &notices);
	assert_int_equal(notices.n, 0);
	o->want = parse_ok(text);
	check_file(o->want, &file);
	check_system(o->want, o->have, &o->diags);
	dump_diags(&o->text, &o->diags);
	diags_free(&file);
}

static void look_free(struct on_system *o)
{
	diags_free(&o->diags);
	node_free(o->want);
	node_free(o->have);
	sb_free(&o->text);
	fake_free(o->f);
}

/* B155, W04: the module that is missing is named. */
static void test_not_loaded(void **state)
{
	struct on_system o;

	(void)state;
	look(&o, false, "HANDLER dev_disk {\nDEVICE 3:0:0:0\n}\nHANDLER dev_tape\n"
	     "TARGET_DRIVER qla2x00t {\nTARGET a\n}\nTARGET_DRIVER isci {\nTARGET a\n}\n"
	     "TARGET_DRIVER scst_local {\nTARGET t {\nLUN 0 3:0:0:0\n}\n}\n");
	assert_contains(sb_str(&o.text),
			"1:9 not possible here: found handler 'dev_disk', which is not loaded, expected module scst_disk to be loaded (modprobe scst_disk)");
	assert_contains(sb_str(&o.text), "4:9 warning: found handler 'dev_tape'");
	assert_contains(sb_str(&o.text), "modprobe qla2x00tgt");
	assert_contains(sb_str(&o.text), "did you mean 'iscsi'?");
	assert_contains(sb_str(&o.text), "LUN 0 is left out with its device '3:0:0:0'");
	/* What is left can be applied. */
	assert_int_equal(node_count(o.want, N_HANDLER), 0);
	assert_int_equal(node_count(o.want, N_DRIVER), 1);
	assert_int_equal(o.want->child[0]->child[0]->nchild, 0);
	look_free(&o);
}

static void test_copy_manager(void **state)
{
	const char *text = "HANDLER vdisk_nullio {\nDEVICE d\n}\n"
			   "TARGET_DRIVER copy_manager {\n"
			   "TARGET copy_manager_tgt {\nLUN 0 d\n}\n}\n";
	struct on_system o;

	(void)state;
	look(&o, false, text);
	assert_int_equal(o.diags.n, 1);
	assert_contains(sb_str(&o.text), "4:1 note: this core has no copy manager");
	assert_int_equal(node_count(o.want, N_DRIVER), 0);
	look_free(&o);
	look(&o, true, text);
	assert_int_equal(o.diags.n, 0);
	assert_int_equal(node_count(o.want, N_DRIVER), 1);
	look_free(&o);
}

/* B21: a port's name in another case is that port. */
static void test_hex_names(void **state)
{
	struct on_system o;

	(void)state;
	look(&o, false, "HANDLER vdisk_nullio\nTARGET_DRIVER ib_srpt {\n"
	     "TARGET FE80:0000:0000:0000:0011:22FF:FE33:4402 {\nenabled 1\n}\n"
	     "TARGET fe80:0000:0000:0000:0011:22ff:fe33:4403\n}\n"
	     "DEVICE_GROUP g {\nTARGET_GROUP a {\n"
	     "TARGET FE80:0000:0000:0000:0011:22FF:FE33:4402\n}\n}\n");
	assert_int_equal(o.diags.n, 1);
	assert_contains(sb_str(&o.text),
			"6:8 error: found target 'fe80:0000:0000:0000:0011:22ff:fe33:4403', which ib_srpt does not have and cannot make");
	assert_contains(sb_str(&o.text), "did you mean 'fe80:");
	assert_int_equal(node_count(o.want->child[1], N_TARGET), 1);
	assert_string_equal(o.want->child[1]->child[0]->name, PORT_2);
	assert_string_equal(o.want->child[2]->child[0]->child[0]->name, PORT_2);
	look_free(&o);
}

/* What the kernel's tokenizer would tear apart is refused before. */
static void test_unspeakable(void **state)
{
	struct on_system o;

	(void)state;
	look(&o, false, "HANDLER vdisk_fileio {\nDEVICE d {\n"
	     "filename \"/srv/a b\"\nprod_id \"a b\"\n}\n}\n");
	assert_int_equal(o.diags.n, 1);
	assert_contains(sb_str(&o.text), "3:10 error: found ' ' in the value of 'filename'");
	look_free(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_booleans),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_repeated),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_structure),
		cmocka_unit_test(test_dangerous),
		cmocka_unit_test(test_same_values),
		cmocka_unit_test(test_not_loaded),
		cmocka_unit_test(test_copy_manager),
		cmocka_unit_test(test_hex_names),
		cmocka_unit_test(test_unspeakable),
	};

	return cmocka_run_group_tests_name("check", tests, NULL, NULL);
}
