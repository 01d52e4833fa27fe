// SPDX-License-Identifier: GPL-2.0
/*
 * From a command line to one or more operations.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "apply.h"
#include "check.h"
#include "cli.h"
#include "snapshot.h"

int cli_error(const char *fmt, ...)
{
	va_list ap;

	fflush(stdout);
	fputs("error: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	return 1;
}

bool cli_confirm(struct cli *c)
{
	char answer[64];

	printf("\nWarning: this changes the running configuration. Continue (y/N)? ");
	fflush(stdout);
	if (fgets(answer, sizeof(answer), c->in)) {
		answer[strcspn(answer, "\r\n")] = '\0';
		if (!strcasecmp(answer, "y") || !strcasecmp(answer, "yes"))
			return true;
	}
	printf("\nAborting action.\n");
	return false;
}

static void take_notices(struct strv *notices)
{
	size_t i;

	fflush(stdout);
	for (i = 0; i < notices->n; i++)
		fprintf(stderr, "notice: %s\n", notices->v[i]);
	strv_free(notices);
}

void cli_load(struct cli *c, struct node *n, bool below)
{
	struct strv notices = { 0 };

	snapshot_load(c->s, n, below, &notices);
	take_notices(&notices);
}

struct node *cli_snapshot(struct cli *c, unsigned int flags,
			  const struct strv *names)
{
	struct strv notices = { 0 };
	struct node *have = NULL;
	char *fault;

	fault = core_version_fault(c->s);
	if (fault) {
		cli_error("%s", fault);
		free(fault);
		return NULL;
	}
	if (!c->list_json)
		printf("\nCollecting current configuration: ");
	have = snapshot_read(c->s, flags, names, &notices);
	if (!have)
		cli_error("cannot read %s", c->s->root);
	else if (!c->list_json)
		printf("done.\n\n");
	take_notices(&notices);
	return have;
}

/* A group of the same target, before the initiator's own, that has it too. */
static const struct node *group_before(const struct node *ini)
{
	const struct node *g;
	size_t i;

	for_each_child(g, i, ini->parent->parent, N_GROUP) {
		if (g == ini->parent)
			break;
		if (node_find(g, N_INITIATOR, ini->name))
			return g;
	}
	return NULL;
}

bool cli_check_unique(struct cli *c, const struct node *have)
{
	struct nodes inis = { 0 };
	const struct node *other;
	bool unique = true;
	char *target;
	size_t i;

	if (c->force)
		return true;
	nodes_collect(&inis, have, N_INITIATOR);
	for (i = 0; i < inis.n && unique; i++) {
		other = group_before(inis.v[i]);
		if (!other)
			continue;
		target = node_id(other->parent);
		unique = !cli_error("initiator %s is in groups %s and %s of %s (-force goes on)",
				    inis.v[i]->name, other->name,
				    inis.v[i]->parent->name, target);
		free(target);
	}
	nodes_free(&inis);
	return unique;
}

int cli_apply(struct cli *c, struct plan *p)
{
	struct apply a = { .s = c->s, .undo = true, .stop = c->stop };

	printf("\n-> Making requested changes.\n");
	c->last_err = apply_plan(&a, p);
	printf("\t-> Done, %u change(s) made.\n", a.done);
	plan_free(p);
	return c->last_err || a.ignored;
}

struct node *cli_find(const struct node *parent, enum node_kind kind,
		      const char *name)
{
	struct node *n = node_find(parent, kind, name);
	struct strv names = { 0 };
	const char *near;
	char *where;
	size_t i;

	if (!n && kind == N_TARGET)
		n = find_target(parent, name);
	if (n)
		return n;
	for_each_child(n, i, parent, kind)
		strv_add(&names, n->name);
	near = did_you_mean(name, &names);
	where = node_describe(parent);
	cli_error("no %s '%s'%s%s%s%s%s", kind_noun(kind), name,
		  parent->kind == N_ROOT ? "" : " in ",
		  parent->kind == N_ROOT ? "" : where,
		  near ? " (did you mean '" : "", near ? near : "",
		  near ? "'?)" : "");
	free(where);
	strv_free(&names);
	return NULL;
}

struct node *cli_device(struct cli *c, const char *name)
{
	struct node *d = find_device(c->have, name);
	struct nodes devices = { 0 };
	struct strv names = { 0 };
	const char *near;
	size_t i;

	if (d)
		return d;
	nodes_collect(&devices, c->have, N_DEVICE);
	for (i = 0; i < devices.n; i++)
		strv_add(&names, devices.v[i]->name);
	nodes_free(&devices);
	near = did_you_mean(name, &names);
	cli_error("no device '%s'%s%s%s", name,
		  near ? " (did you mean '" : "", near ? near : "",
		  near ? "'?)" : "");
	strv_free(&names);
	return NULL;
}

/* A driver or handler that is not there may only lack its module (B155). */
struct node *cli_driver(struct cli *c)
{
	const char *name = c->with[WITH_DRIVER];
	struct node *d = cli_find(c->have, N_DRIVER, name);

	if (!d) {
		char *module = module_for(N_DRIVER, name);

		fprintf(stderr, "Is its module loaded? (modprobe %s)\n",
			module);
		free(module);
	}
	return d;
}

struct node *cli_target(struct cli *c, const char *name)
{
	struct node *d, *t, *found = NULL;
	size_t i;

	if (c->with[WITH_DRIVER]) {
		d = cli_driver(c);
		return d ? cli_find(d, N_TARGET, name) : NULL;
	}
	for_each_child(d, i, c->have, N_DRIVER) {
		t = find_target(d, name);
		if (t && found) {
			cli_error("drivers %s and %s both have target '%s'; use -driver",
				  found->parent->name, d->name, name);
			return NULL;
		}
		if (t)
			found = t;
	}
	if (!found)
		cli_error("no target '%s' (-driver names the driver to look in)",
			  name);
	return found;
}

struct node *cli_group(struct cli *c)
{
	struct node *t = cli_target(c, c->with[WITH_TARGET]);

	return t ? cli_find(t, N_GROUP, c->with[WITH_GROUP]) : NULL;
}

struct node *cli_lun_table(struct cli *c)
{
	return c->with[WITH_GROUP] ? cli_group(c) :
				     cli_target(c, c->with[WITH_TARGET]);
}

struct node *cli_dgroup(struct cli *c)
{
	return cli_find(c->have, N_DGROUP, c->with[WITH_DEV_GROUP]);
}

struct node *cli_tgroup(struct cli *c)
{
	struct node *dg = cli_dgroup(c);

	return dg ? cli_find(dg, N_TGROUP, c->with[WITH_TGT_GROUP]) : NULL;
}

static const char *const with_options[COMPANIONS] = {
	"-handler", "-driver", "-target", "-group", "-to", "-device",
	"-dev_group", "-tgt_group", "-attributes",
};

static bool check_needs(const struct cli *c, const struct cmd *cmd)
{
	size_t i;

	for (i = 0; i < COMPANIONS; i++) {
		if (!(cmd->needs & 1u << i) || c->with[i])
			continue;
		cli_error("-%s needs %s", cmd->name, with_options[i]);
		return false;
	}
	return true;
}

static bool check_combination(const struct cmd *const *ops, size_t n)
{
	const struct cmd *change = NULL;
	size_t i;

	if (!n) {
		cli_error("no operation given; see scstadmin -help");
		return false;
	}
	for (i = 0; i < n; i++)
		if (ops[i]->class != CMD_LIST)
			change = ops[i];
	if (!change || n == 1)
		return true;
	cli_error("-%s cannot be combined with -%s", change->name,
		  ops[0] == change ? ops[1]->name : ops[0]->name);
	return false;
}

static int run_ops(struct cli *c, const struct cmd *const *ops,
		   const char *const *values, size_t n)
{
	int status = 0, res;
	size_t i;

	if (ops[0]->class == CMD_FILE)
		return ops[0]->fn(c, values[0]);

	c->have = cli_snapshot(c, 0, NULL);
	if (!c->have || !cli_check_unique(c, c->have))
		return 1;
	if (ops[0]->asks && !c->noprompt && !c->dry_run && !cli_confirm(c))
		return 0;
	for (i = 0; i < n; i++) {
		res = ops[i]->fn(c, values[i]);
		if (res && !status)
			status = res;
	}
	return status;
}

int cli_run(struct sysfs *s, FILE *in, const volatile sig_atomic_t *stop,
	    int argc, char **argv)
{
	const struct cmd **ops = xcalloc(cmds_count + 1, sizeof(*ops));
	const char **values = xcalloc(cmds_count + 1, sizeof(*values));
	struct cli c = { .s = s, .in = in, .stop = stop };
	bool help = false;
	int status;
	size_t n, i;

	status = opt_parse(&c, argc, argv, ops, values, &n, &help);
	if (status || help)
		goto out;
	status = 1;
	if (!check_combination(ops, n))
		goto out;
	for (i = 0; i < n; i++)
		if (!check_needs(&c, ops[i]))
			goto out;
	s->dry_run = c.dry_run;
	status = run_ops(&c, ops, values, n);
	if (!c.list_json)
		printf("\n%s\n", status ? "Not all done." : "All done.");
out:
	node_free(c.have);
	free(ops);
	free(values);
	return status;
}
