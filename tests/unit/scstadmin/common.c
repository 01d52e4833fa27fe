// SPDX-License-Identifier: GPL-2.0
/*
 * Helpers of the tests.
 */
#include "common.h"

#include <stdio.h>
#include <unistd.h>

#include "scstadmin/check.h"
#include "scstadmin/parse.h"

struct node *parse_text(const char *text, size_t len, struct diags *diags)
{
	/* Exactly as long as the text: a byte too many is caught. */
	char *copy = malloc(len ? len : 1);
	struct node *root;

	memcpy(copy, text, len);
	root = parse_conf(copy, len, diags);
	free(copy);
	return root;
}

struct node *parse_ok(const char *text)
{
	struct diags diags = { 0 };
	struct node *root = parse_text(text, strlen(text), &diags);

	if (diags.count[DIAG_ERROR]) {
		diags_print(&diags, "text", stderr);
		fail_msg("the text has errors");
	}
	diags_free(&diags);
	return root;
}

static void dump_word(struct strbuf *sb, const char *word)
{
	for (; *word; word++) {
		if ((unsigned char)*word < ' ')
			sb_addf(sb, "\\x%02x", (unsigned char)*word);
		else
			sb_addch(sb, *word);
	}
}

static void indent(struct strbuf *sb, unsigned int depth)
{
	while (depth--)
		sb_addch(sb, '\t');
}

void dump_tree(struct strbuf *sb, const struct node *n, unsigned int depth)
{
	size_t i, j;

	for (i = 0; i < n->nattr; i++)
		for (j = 0; j < n->attr[i]->n; j++) {
			indent(sb, depth);
			sb_addf(sb, "%s = '", n->attr[i]->name);
			dump_word(sb, n->attr[i]->v[j].text);
			sb_add(sb, "'\n");
		}
	for (i = 0; i < n->nchild; i++) {
		const struct node *c = n->child[i];

		indent(sb, depth);
		sb_addf(sb, "%s '", kind_keyword(c->kind));
		dump_word(sb, c->name);
		sb_addf(sb, "'%s%s%s\n", c->arg ? " -> " : "",
			c->arg ? c->arg : "",
			c->flags & NODE_HW ? " (hardware)" : "");
		dump_tree(sb, c, depth + 1);
	}
}

void dump_diags(struct strbuf *sb, const struct diags *d)
{
	size_t i;

	for (i = 0; i < d->n; i++)
		sb_addf(sb, "%u:%u %s: %s\n", d->v[i].pos.line,
			d->v[i].pos.col, severity_name(d->v[i].sev),
			d->v[i].text);
}

static char *read_back(FILE *f)
{
	struct strbuf sb = { 0 };
	char buf[4096];
	size_t n;

	rewind(f);
	while ((n = fread(buf, 1, sizeof(buf), f)))
		sb_addn(&sb, buf, n);
	fclose(f);
	return sb_detach(&sb);
}

static int redirect(int fd, FILE *to)
{
	int saved = dup(fd);

	assert_true(saved >= 0);
	assert_true(dup2(fileno(to), fd) >= 0);
	return saved;
}

static void restore(int fd, int saved)
{
	dup2(saved, fd);
	close(saved);
}

/* Every run has options of its own, so the root is put back afterwards. */
static int run_argv(struct fake *f, int argc, char **argv, FILE *in)
{
	const char *root = f->s.root;
	int status = cli_run(&f->s, in, NULL, argc, argv);

	f->s.root = root;
	f->s.dry_run = false;
	return status;
}

struct run run_args(struct fake *f, const char *args, const char *answer)
{
	FILE *out = tmpfile(), *err = tmpfile(), *in = tmpfile();
	struct strv words = { 0 };
	struct run r = { 0 };
	int saved_out, saved_err;
	char **argv, *c;
	size_t i;

	strv_add(&words, "scstadmin");
	strv_split(&words, args, " ");
	argv = xcalloc(words.n + 1, sizeof(*argv));
	for (i = 0; i < words.n; i++) {
		for (c = words.v[i]; *c; c++)
			if (*c == '+')
				*c = ' ';
		argv[i] = words.v[i];
	}
	fputs(answer, in);
	rewind(in);

	fflush(NULL);
	saved_out = redirect(STDOUT_FILENO, out);
	saved_err = redirect(STDERR_FILENO, err);
	r.status = run_argv(f, (int)words.n, argv, in);
	fflush(NULL);
	restore(STDOUT_FILENO, saved_out);
	restore(STDERR_FILENO, saved_err);

	r.out = read_back(out);
	r.err = read_back(err);
	fclose(in);
	free(argv);
	strv_free(&words);
	return r;
}

void run_free(struct run *r)
{
	free(r->out);
	free(r->err);
}

int run_status(struct fake *f, const char *args)
{
	struct run r = run_args(f, args, "");
	int status = r.status;

	run_free(&r);
	return status;
}

const char *conf_file(struct fake *f, const char *text)
{
	static char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/scst.conf", f->dir);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	return path;
}

struct run apply_run(struct fake *f, const char *text, const char *more)
{
	const char *file = conf_file(f, text);
	char *args = xasprintf("-config %s %s", file, more);
	struct run r = run_args(f, args, "");

	unlink(file);
	free(args);
	return r;
}

int apply_conf(struct fake *f, const char *text, const char *more)
{
	struct run r = apply_run(f, text, more);
	int status = r.status;

	if (status && !strcmp(more, ""))
		print_message("%s\n%s\n", r.out, r.err);
	run_free(&r);
	return status;
}
