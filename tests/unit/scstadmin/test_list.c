// SPDX-License-Identifier: GPL-2.0
/*
 * The lists: scripts read their columns, programs their JSON.
 */
#include "common.h"

#include <json-c/json.h>

static const char base[] =
	"HANDLER vdisk_fileio {\nDEVICE f0 {\nfilename /proc/stat\nnv_cache 1\n}\n}\n"
	"HANDLER vdisk_nullio {\nDEVICE d0\nDEVICE d1\n}\n"
	"TARGET_DRIVER ib_srpt {\nTARGET " PORT_1 " {\nenabled 1\n"
	"LUN 0 d0\nLUN 2 d1\nLUN 10 f0\nGROUP g {\nLUN 0 d1\nINITIATOR ini1\nINITIATOR 10.0.0.*\n}\n"
	"GROUP empty\n}\n}\n"
	"TARGET_DRIVER iscsi {\nTARGET i0 {\nIncomingUser \"a b\"\nIncomingUser \"c d\"\n}\n}\n"
	"DEVICE_GROUP dg {\nDEVICE d0\nTARGET_GROUP tg {\ngroup_id 5\n"
	"TARGET far {\nrel_tgt_id 2\n}\n}\n}\n";

static int setup(void **state)
{
	struct fake *f = fake_new(false);

	*state = f;
	if (apply_conf(f, base, ""))
		return -1;
	fake_session(f, "targets/ib_srpt/" PORT_1, "10.0.0.7", "g");
	fake_session(f, "targets/ib_srpt/" PORT_1, "other", NULL);
	fake_file(f, "trace_level", 0644,
		  "mgmt | pid\n\n\nUsage:\n\techo \"all|none|default\" >trace_level\n\n"
		  "where TOKEN is one of [debug, function, line, pid, entry, buff, mem]\n");
	return 0;
}

static int teardown(void **state)
{
	fake_free(*state);
	return 0;
}

/* The output without the lines around it. */
static void check_list(struct fake *f, const char *args, const char *want)
{
	struct run r = run_args(f, args, "");
	const char *head = "\nCollecting current configuration: done.\n\n";
	const char *tail = "\nAll done.\n";
	char *body;

	assert_run(r, 0);
	assert_string_equal(r.err, "");
	assert_true(str_starts(r.out, head));
	body = xstrdup(r.out + strlen(head));
	assert_true(strlen(body) >= strlen(tail));
	assert_string_equal(body + strlen(body) - strlen(tail), tail);
	body[strlen(body) - strlen(tail)] = '\0';
	assert_string_equal(body, want);
	free(body);
	run_free(&r);
}

static void test_objects(void **state)
{
	struct fake *f = *state;

	check_list(f, "-list_handler",
		   "\tHandler\n\t-------------\n\tvcdrom\n\tvdisk_blockio\n"
		   "\tvdisk_fileio\n\tvdisk_nullio\n");
	check_list(f, "-list_handler vdisk_nullio",
		   "\tHandler          Device\n\t-----------------------\n"
		   "\tvdisk_nullio    d0\n\t                d1\n");
	check_list(f, "-list_device",
		   "\tHandler           Device\n\t------------------------\n"
		   "\tvcdrom           -\n\tvdisk_blockio    -\n"
		   "\tvdisk_fileio     f0\n\tvdisk_nullio     d0\n"
		   "\t                 d1\n");
	check_list(f, "-list_driver",
		   "\tDriver\n\t----------\n\tib_srpt\n\tiscsi\n\tscst_local\n");
	check_list(f, "-list_driver iscsi",
		   "\tDriver Target\n\t-------------\n\tiscsi  i0\n");
	check_list(f, "-list_target",
		   "\tDriver  Target\n"
		   "\t-----------------------------------------------\n"
		   "\tib_srpt " PORT_1 "\n\t        " PORT_2 "\n\tiscsi   i0\n");
	check_list(f, "-list_dgrp", "\tDevice Group\n\t------------\n\tdg\n");
	check_list(f, "-list_dgrp dg",
		   "\tDevices\n\t-------\n\td0\n\n"
		   "\tTarget Groups\n\t-------------\n\ttg\n");
	check_list(f, "-list_tgrp -dev_group dg",
		   "\n\tTarget Groups\n\t-------------\n\ttg\n");
	check_list(f, "-list_tgrp tg -dev_group dg",
		   "\tTargets\n\t-------\n\tfar\n");
}

static void test_contents(void **state)
{
	struct fake *f = *state;

	check_list(f, "-list_target " PORT_1 " -driver ib_srpt",
		   "Driver: ib_srpt\nTarget: " PORT_1 "\n\n"
		   "\tAssigned LUNs:\n\n"
		   "\tLUN  Device\n\t-----------\n"
		   "\t0    d0\n\t10   f0\n\t2    d1\n\n"
		   "Group: empty\n\n"
		   "Group 'empty' has no associated LUNs or initiators.\n\n"
		   "Group: g\n\n"
		   "\tAssigned LUNs:\n\n"
		   "\tLUN  Device\n\t-----------\n\t0    d1\n\n"
		   "\tAssigned Initiators:\n\n"
		   "\tInitiator\n\t---------\n\t10.0.0.*\n\tini1\n\n");
	check_list(f, "-list_group -driver iscsi",
		   "Driver: iscsi\nTarget: i0\n\n"
		   "Driver/target 'iscsi/i0' has no associated LUNs.\n\n");
}

/* W10, B153: the group of a session and what it sees through it. */
static void test_sessions(void **state)
{
	struct fake *f = *state;

	check_list(f, "-list_sessions",
		   "Driver/Target: ib_srpt/" PORT_1 "\n\n"
		   "\tSession: 10.0.0.7\n\n"
		   "\tAttribute           Value        Writable     KEY\n"
		   "\t-------------------------------------------------\n"
		   "\tLUN 0               d1           No           No\n"
		   "\tactive_commands     3            No           No\n"
		   "\tforce_close         <n/a>        Yes          No\n"
		   "\tgroup               g            No           No\n"
		   "\tinitiator_name      10.0.0.7     No           No\n\n"
		   "\tSession: other\n\n"
		   "\tAttribute           Value        Writable     KEY\n"
		   "\t-------------------------------------------------\n"
		   "\tLUN 0               d0           No           No\n"
		   "\tLUN 10              f0           No           No\n"
		   "\tLUN 2               d1           No           No\n"
		   "\tactive_commands     3            No           No\n"
		   "\tforce_close         <n/a>        Yes          No\n"
		   "\tgroup               (target)     No           No\n"
		   "\tinitiator_name      other        No           No\n\n"
		   "Driver/Target: ib_srpt/" PORT_2 "\n\n\t(no sessions)\n\n"
		   "Driver/Target: iscsi/i0\n\n\t(no sessions)\n\n");
}

static void test_attributes(void **state)
{
	struct fake *f = *state;
	struct run r;

	check_list(f, "-list_dev_attr f0",
		   "\tAttribute     Value          Writable     KEY\n"
		   "\t---------------------------------------------\n"
		   "\tfilename      /proc/stat     Yes          Yes\n"
		   "\tnv_cache      1              No           Yes\n"
		   "\tsize          1048576        No           Yes\n");
	check_list(f, "-list_dev_attr d0", "\t(none)\n");
	check_list(f, "-list_tgt_attr i0 -driver iscsi",
		   "\tAttribute        Value     Writable     KEY\n"
		   "\t-------------------------------------------\n"
		   "\tIncomingUser     a b       Yes          Yes\n"
		   "\t                 c d       Yes          Yes\n"
		   "\n\tDynamic attributes available\n"
		   "\t----------------------------\n"
		   "\tIncomingUser\n\tOutgoingUser\n\tallowed_portal\n"
		   "\n\tLUN CREATE attributes available\n"
		   "\t-------------------------------\n\tread_only\n");
	r = run_args(f, "-list_dev_attr d0 -nonkey", "");
	assert_run(r, 0);
	assert_contains(r.out, "naa_id                <not set>");
	assert_contains(r.out, "threads_num           8");
	run_free(&r);
	r = run_args(f, "-list_hnd_attr vcdrom", "");
	assert_contains(r.out, "\tDevice CREATE attributes available\n"
			       "\t----------------------------------\n\ttst\n");
	run_free(&r);
	r = run_args(f, "-list_scst_attr -nonkey", "");
	assert_contains(r.out, "\ttrace_level             mgmt");
	assert_contains(r.out, "\t                        pid ");
	assert_contains(r.out, "\tPossible values of trace_level:\n"
			       "\tdebug, function, line, pid, entry\n\tbuff, mem\n");
	run_free(&r);
}

/* Bytes are shown in hex: neither a terminal nor JSON takes them as they are. */
static void test_binary(void **state)
{
	struct fake *f = *state;
	struct run r;

	fake_file(f, "devices/d1/blob", 0444, "\x06\x01\xfe");
	r = run_args(f, "-list_dev_attr d1 -nonkey", "");
	assert_contains(r.out, "blob                  0601fe ");
	run_free(&r);
}

/* W09: nothing but a document on stdout. */
static struct json_object *json_of(struct fake *f, const char *args)
{
	char *more = xasprintf("%s -json", args);
	struct run r = run_args(f, more, "");
	struct json_object *obj;

	assert_run(r, 0);
	assert_string_equal(r.err, "");
	obj = json_tokener_parse(r.out);
	if (!obj)
		fail_msg("'%s' printed '%s'", more, r.out);
	run_free(&r);
	free(more);
	return obj;
}

/* @want has ' for ", to be readable here. */
static void check_json(struct fake *f, const char *args, const char *want)
{
	struct json_object *got = json_of(f, args);
	char *text = xstrdup(json_object_to_json_string_ext(got, JSON_C_TO_STRING_NOSLASHESCAPE));
	char *c;

	for (c = text; *c; c++)
		if (*c == '"')
			*c = '\'';
	assert_string_equal(text, want);
	free(text);
	json_object_put(got);
}

static void test_json(void **state)
{
	struct fake *f = *state;
	static const char *const lists[] = {
		"-list_handler", "-list_device", "-list_device f0",
		"-list_driver", "-list_target", "-list_group",
		"-list_sessions", "-list_dgrp", "-list_dgrp dg",
		"-list_tgrp -dev_group dg", "-list_scst_attr",
		"-list_drv_attr iscsi", "-list_tgt_attr i0 -driver iscsi",
		"-list_tgrp_attr tg -dev_group dg -nonkey", "-dumpAttrs",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(lists); i++)
		json_object_put(json_of(f, lists[i]));

	check_json(f, "-list_handler vdisk_nullio",
		   "{'handlers':[{'name':'vdisk_nullio','devices':['d0','d1']}]}");
	check_json(f, "-list_dev_attr f0",
		   "{'devices':[{"
		   "'name':'f0','handler':'vdisk_fileio','attributes':{"
		   "'filename':'/proc/stat','nv_cache':'1','size':'1048576'}}]}");
	check_json(f, "-list_target i0",
		   "{'targets':[{'name':'i0','driver':'iscsi'}]}");
	check_json(f, "-list_tgt_attr i0 -driver iscsi",
		   "{'targets':[{"
		   "'name':'i0','driver':'iscsi','attributes':{"
		   "'IncomingUser':['a b','c d']}}]}");
	check_json(f, "-list_group g -driver ib_srpt -target " PORT_1,
		   "{'targets':[{"
		   "'name':'" PORT_1 "','driver':'ib_srpt','luns':[{"
		   "'lun':0,'device':'d0'},{'lun':2,'device':'d1'},{"
		   "'lun':10,'device':'f0'}],'groups':[{'name':'empty'},{"
		   "'name':'g','luns':[{'lun':0,'device':'d1'}],'initiators':[{"
		   "'name':'10.0.0.*'},{'name':'ini1'}]}]}]}");
}

static void test_json_sessions(void **state)
{
	struct json_object *doc = json_of(*state, "-list_sessions");
	struct json_object *targets, *sessions, *se, *val;

	assert_true(json_object_object_get_ex(doc, "targets", &targets));
	assert_true(json_object_object_get_ex(json_object_array_get_idx(targets, 0),
					      "sessions", &sessions));
	assert_int_equal(json_object_array_length(sessions), 2);
	se = json_object_array_get_idx(sessions, 0);
	assert_true(json_object_object_get_ex(se, "group", &val));
	assert_string_equal(json_object_get_string(val), "g");
	assert_true(json_object_object_get_ex(se, "luns", &val));
	assert_int_equal(json_object_array_length(val), 1);
	assert_true(json_object_object_get_ex(se, "attributes", &val));
	assert_true(json_object_object_get_ex(val, "active_commands", &val));
	assert_string_equal(json_object_get_string(val), "3");
	se = json_object_array_get_idx(sessions, 1);
	assert_true(json_object_object_get_ex(se, "group", &val));
	assert_null(val);
	json_object_put(doc);
}

/* W10: which group a host would get, and why. */
static void test_explain(void **state)
{
	struct fake *f = *state;

	check_list(f, "-explain 10.0.0.9 -driver ib_srpt -target " PORT_1,
		   "Target ib_srpt/" PORT_1 ":\n"
		   "\tgroup 'g' matches by '10.0.0.*', 1 LUN(s)\n");
	check_list(f, "-explain 10.1.0.9 -driver ib_srpt -target " PORT_1,
		   "Target ib_srpt/" PORT_1 ":\n"
		   "\tno group matches, the target's own 3 LUN(s) are seen\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_objects),
		cmocka_unit_test(test_contents),
		cmocka_unit_test(test_sessions),
		cmocka_unit_test(test_attributes),
		cmocka_unit_test(test_binary),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_json_sessions),
		cmocka_unit_test(test_explain),
	};

	return cmocka_run_group_tests_name("list", tests, setup, teardown);
}
