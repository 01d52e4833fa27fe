// SPDX-License-Identifier: GPL-2.0
/*
 * Every file of conf/ through parser and check, compared with the file beside
 * it whose name ends in .expect: what is found in it, and the tree. With
 * UPDATE_EXPECT set the latter are written instead, to be read by a person.
 */
#include "common.h"

#include <dirent.h>
#include <stdio.h>

#include "scstadmin/check.h"
#include "scstadmin/parse.h"

static char *slurp(const char *path)
{
	struct strbuf sb = { 0 };
	FILE *f = fopen(path, "r");
	char buf[8192];
	size_t n;

	if (!f)
		return NULL;
	while ((n = fread(buf, 1, sizeof(buf), f)))
		sb_addn(&sb, buf, n);
	fclose(f);
	return sb_detach(&sb);
}

static char *examine(const char *text)
{
	struct strbuf sb = { 0 };
	struct diags diags = { 0 };
	struct node *root = parse_text(text, strlen(text), &diags);

	check_file(root, &diags);
	dump_diags(&sb, &diags);
	if (!diags.count[DIAG_ERROR]) {
		sb_add(&sb, "----\n");
		dump_tree(&sb, root, 0);
	}
	diags_free(&diags);
	node_free(root);
	return sb_detach(&sb);
}

static void update(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void check_case(void **state)
{
	char *path = xasprintf("%s/%s", CONF_DIR, (const char *)*state);
	char *expect = xasprintf("%.*s.expect", (int)strlen(path) - 5, path);
	char *text = slurp(path), *got, *want;

	assert_non_null(text);
	got = examine(text);
	if (getenv("UPDATE_EXPECT"))
		update(expect, got);
	want = slurp(expect);
	if (!want)
		fail_msg("%s is missing", expect);
	assert_string_equal(got, want);
	free(want);
	free(got);
	free(text);
	free(expect);
	free(path);
}

int main(void)
{
	struct CMUnitTest tests[128];
	struct dirent **names;
	int n = scandir(CONF_DIR, &names, NULL, alphasort), i, res;
	size_t count = 0;

	if (n < 0)
		return 1;
	memset(tests, 0, sizeof(tests));
	for (i = 0; i < n; i++) {
		char *name = names[i]->d_name;

		if (strlen(name) < 5 || strcmp(name + strlen(name) - 5, ".conf") ||
		    count == ARRAY_SIZE(tests))
			continue;
		tests[count].name = name;
		tests[count].test_func = check_case;
		tests[count].initial_state = name;
		count++;
	}
	res = _cmocka_run_group_tests("cases", tests, count, NULL, NULL);
	for (i = 0; i < n; i++)
		free(names[i]);
	free(names);
	return res || !count;
}
