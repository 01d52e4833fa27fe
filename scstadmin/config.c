// SPDX-License-Identifier: GPL-2.0
/*
 * The operations on whole configurations.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apply.h"
#include "check.h"
#include "cli.h"
#include "parse.h"
#include "snapshot.h"
#include "writer.h"

#define DEFAULT_FILE	"/etc/scst.conf"

/* A file on its way from text to plan. */
struct job {
	const char *file;
	struct node *want;
	struct node *have;
	struct diags diags;	/* of the file by itself */
	struct diags sys;	/* of the file on this system */
	struct plan plan;
};

static void job_free(struct job *j)
{
	plan_free(&j->plan);
	diags_free(&j->diags);
	diags_free(&j->sys);
	node_free(j->want);
	node_free(j->have);
}

static int read_file(const char *file, struct strbuf *sb)
{
	FILE *f = fopen(file, "re");
	char buf[8192];
	int err = 0;
	size_t n;

	if (!f)
		return -errno;
	while ((n = fread(buf, 1, sizeof(buf), f)))
		sb_addn(sb, buf, n);
	if (ferror(f))
		err = errno ? -errno : -EIO;
	fclose(f);
	return err;
}

static bool has_faults(const struct diags *d)
{
	return d->count[DIAG_ERROR] || d->count[DIAG_BLOCKED];
}

/* What stops a run goes to stderr, with all that may explain it. */
static void print_diags(const struct job *j, const struct diags *d)
{
	FILE *f = has_faults(d) ? stderr : stdout;

	fflush(stdout);
	diags_print(d, j->file, f);
}

/* Reads and checks the file by itself; false when it cannot be used. */
static bool load(struct job *j)
{
	struct strbuf text = { 0 };
	int err = read_file(j->file, &text);
	unsigned int n;

	if (err) {
		cli_error("cannot read %s: %s", j->file, strerror(-err));
		sb_free(&text);
		return false;
	}
	j->want = parse_conf(sb_str(&text), text.len, &j->diags);
	sb_free(&text);
	check_file(j->want, &j->diags);
	print_diags(j, &j->diags);

	n = j->diags.count[DIAG_ERROR];
	if (n)
		cli_error("%s: %u error%s, nothing was changed", j->file, n,
			  n == 1 ? "" : "s");
	return !n;
}

static void attr_names_in(const struct node *n, struct strv *names)
{
	size_t i;

	for (i = 0; i < n->nattr; i++)
		if (!strv_has(names, n->attr[i]->name))
			strv_add(names, n->attr[i]->name);
	for (i = 0; i < n->nchild; i++)
		attr_names_in(n->child[i], names);
}

/* A backing file that is missing is found before anything is written (B19). */
static void check_backing(struct job *j)
{
	struct nodes devices = { 0 };
	const struct node *d;
	const struct attr *a;
	size_t i;

	nodes_collect(&devices, j->want, N_DEVICE);
	for (i = 0; i < devices.n; i++) {
		d = devices.v[i];
		a = node_attr(d, "filename");
		if (*attr_text(a) != '/' || find_device(j->have, d->name) ||
		    !strcmp(attr_text(node_attr(d, "active")), "0") ||
		    !access(attr_text(a), F_OK))
			continue;
		diag_add(&j->sys, DIAG_BLOCKED, a->v[0].pos,
			 "found filename '%s' for device '%s': %s", attr_text(a),
			 d->name, strerror(errno));
	}
	nodes_free(&devices);
}

static bool look_at_system(struct cli *c, struct job *j)
{
	struct strv names = { 0 };

	attr_names_in(j->want, &names);
	j->have = cli_snapshot(c, SNAP_ATTRS, &names);
	strv_free(&names);
	if (!j->have || !cli_check_unique(c, j->have))
		return false;
	check_system(j->want, j->have, &j->sys);
	check_backing(j);
	diags_sort(&j->sys);
	print_diags(j, &j->sys);
	return true;
}

static void print_notices(const struct plan *p)
{
	size_t i;

	for (i = 0; i < p->notices.n; i++)
		printf("\t-> %s.\n", p->notices.v[i]);
}

static unsigned int impossible(const struct job *j)
{
	return j->diags.count[DIAG_BLOCKED] + j->sys.count[DIAG_BLOCKED] +
	       j->sys.count[DIAG_ERROR];
}

static bool is_empty(const struct job *j)
{
	return !j->want->nattr && !j->want->nchild;
}

static int apply_job(struct cli *c, struct job *j)
{
	struct apply a = {
		.s = c->s,
		.file = j->file,
		.cont_on_err = c->cont_on_err,
		.undo = !c->cont_on_err,
		.stop = c->stop,
	};
	unsigned int left = impossible(j);
	int err;

	printf("\n-> Applying configuration.\n");
	err = apply_plan(&a, &j->plan);
	print_notices(&j->plan);
	printf("\t-> Done, %u change(s) made.\n", a.undone ? 0 : a.done);
	if (c->lip && a.done && !a.undone)
		cli_lip(c, j->have);
	if (a.failed && !a.undone)
		cli_error("%u change(s) failed", a.failed);
	if (left)
		cli_error("%u thing(s) in %s could not be done on this system",
			  left, j->file);
	if (err || left)
		return 1;
	return j->plan.remaining ? EXIT_REMAINS : 0;
}

int cmd_config(struct cli *c, const char *file)
{
	struct job j = { .file = file ? file : DEFAULT_FILE };
	unsigned int left;
	int status = 1;

	if (!load(&j))
		goto out;
	if (is_empty(&j)) {
		status = 0;
		goto out;
	}
	if (!look_at_system(c, &j))
		goto out;
	left = impossible(&j);
	if (left && !c->cont_on_err) {
		cli_error("%u thing(s) in %s cannot be done on this system", left,
			  j.file);
		fputs("nothing was changed (-cont_on_err does the rest)\n",
		      stderr);
		goto out;
	}
	if (c->force && !c->noprompt && !c->dry_run && !cli_confirm(c)) {
		status = 0;
		goto out;
	}
	plan_diff(&j.plan, j.want, j.have, c->force);
	status = apply_job(c, &j);
out:
	job_free(&j);
	return status;
}

/* Without the core the file by itself can still be checked. */
static bool core_is_there(struct cli *c)
{
	char *fault = core_version_fault(c->s);

	if (fault)
		printf("Only the file itself was checked: %s\n", fault);
	free(fault);
	return !fault;
}

static int check_on_system(struct cli *c, struct job *j)
{
	unsigned int left;

	if (!look_at_system(c, j))
		return 1;
	left = impossible(j);
	plan_diff(&j->plan, j->want, j->have, c->force);
	printf("\n-> Applying %s%s would make these changes:\n", j->file,
	       c->force ? " with -force" : "");
	plan_print(&j->plan);
	print_notices(&j->plan);
	if (left)
		printf("\t-> -config would refuse: %u thing(s) cannot be done on this system.\n",
		       left);
	return j->sys.count[DIAG_ERROR] ? 1 : 0;
}

int cmd_check_config(struct cli *c, const char *file)
{
	struct job j = { .file = file ? file : DEFAULT_FILE };
	int status = 1;

	if (!load(&j))
		goto out;
	status = 0;
	if (!is_empty(&j) && core_is_there(c))
		status = check_on_system(c, &j);
	printf("\n%s: %u error(s), %u warning(s).\n", j.file,
	       j.sys.count[DIAG_ERROR],
	       j.diags.count[DIAG_WARNING] + j.diags.count[DIAG_BLOCKED] +
	       j.sys.count[DIAG_WARNING] + j.sys.count[DIAG_BLOCKED]);
out:
	job_free(&j);
	return status;
}

/*
 * Saving must not lose what cannot run right now, and not replace a good file
 * because the system came up half. Without an old file, or with one that
 * cannot be read, there is nothing to compare with; it stays as the backup.
 */
static bool merge_old(struct cli *c, const char *file, struct node *have)
{
	struct strv notices = { 0 };
	struct strbuf text = { 0 };
	struct diags diags = { 0 };
	struct node *old = NULL;
	bool ok = true;
	size_t was, is, i;
	struct stat st;

	if (c->force || stat(file, &st) || !S_ISREG(st.st_mode) ||
	    read_file(file, &text))
		goto out;
	old = parse_conf(sb_str(&text), text.len, &diags);
	if (diags.count[DIAG_ERROR])
		goto out;
	was = conf_objects(old);
	conf_keep_absent(have, old, &notices);
	for (i = 0; i < notices.n; i++)
		printf("\t-> %s.\n", notices.v[i]);
	is = conf_objects(have);
	if (2 * is < was) {
		cli_error("%s holds %zu objects, the system %zu: not replaced without -force",
			  file, was, is);
		ok = false;
	}
out:
	strv_free(&notices);
	diags_free(&diags);
	node_free(old);
	sb_free(&text);
	return ok;
}

int cmd_write_config(struct cli *c, const char *file)
{
	struct strbuf text = { 0 };
	struct node *have;
	int status = 1, err;

	have = cli_snapshot(c, SNAP_ATTRS, NULL);
	if (!have || !merge_old(c, file, have))
		goto out;
	conf_write(&text, have, c->nonkey);
	if (c->dry_run) {
		fputs(sb_str(&text), stdout);
		status = 0;
		goto out;
	}
	printf("-> Writing current configuration to '%s': ", file);
	err = conf_save(file, sb_str(&text), text.len);
	printf("%s\n", err ? "failed." : "done.");
	if (err)
		cli_error("cannot write %s: %s", file, strerror(-err));
	else
		status = 0;
out:
	sb_free(&text);
	node_free(have);
	return status;
}

/* The values that have to be removed one by one; what else goes is not read. */
static void load_dynamic(struct cli *c, struct node *have)
{
	struct node *d, *t;
	size_t i, j;

	for_each_child(d, i, have, N_DRIVER) {
		cli_load(c, d, false);
		for_each_child(t, j, d, N_TARGET)
			if (t->flags & NODE_HW)
				cli_load(c, t, false);
	}
}

int cmd_clear_config(struct cli *c, const char *unused)
{
	/* Going on behind an error clears as much as can be cleared. */
	struct apply a = { .s = c->s, .cont_on_err = true, .stop = c->stop };
	struct plan plan = { 0 };
	struct node *have;
	int err;

	(void)unused;
	if (!c->force)
		return cli_error("-clear_config removes everything and needs -force");
	have = cli_snapshot(c, 0, NULL);
	if (!have)
		return 1;
	if (!c->noprompt && !c->dry_run && !cli_confirm(c)) {
		node_free(have);
		return 0;
	}
	load_dynamic(c, have);
	plan_clear(&plan, have);
	printf("\n-> Clearing configuration.\n");
	err = apply_plan(&a, &plan);
	printf("\t-> Done, %u change(s) made.\n", a.done);
	if (!err && c->lip)
		cli_lip(c, have);
	plan_free(&plan);
	node_free(have);
	return err ? 1 : 0;
}
