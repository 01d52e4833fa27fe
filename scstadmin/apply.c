// SPDX-License-Identifier: GPL-2.0
/*
 * Carrying out a plan, and taking it back when it cannot be finished.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "apply.h"
#include "attr.h"
#include "klog.h"

#define SESSION_SECONDS	300

char *errno_text(int err)
{
	const char *name = strerrorname_np(err < 0 ? -err : err);

	return xasprintf("%s (%s)", strerror(err < 0 ? -err : err),
			 name ? name : "?");
}

/* What an errno means for an object of ours, where strerror() says too little. */
static const char *errno_hint(int err, enum node_kind kind)
{
	switch (-err) {
	case EBADSLT:
		return "another enabled target has this relative target id";
	case EBUSY:
		if (kind == N_GROUP)
			return "sessions are assigned to this group";
		return "it is in use, or commands did not drain in time";
	case EEXIST:
		if (kind == N_DEVICE)
			return "a device of this name or serial number exists";
		return "it exists already";
	case EMEDIUMTYPE:
		return "the backing store is not active";
	case EINVAL:
		return kind == N_DEVICE ?
			"a name, a parameter or the backing file is not accepted" :
			NULL;
	case EAGAIN:
		return "the kernel has not finished it within five minutes";
	default:
		return NULL;
	}
}

static const char *op_verb(enum step_op op)
{
	static const char *const verbs[] = {
		[STEP_ADD] = "add",
		[STEP_CHANGE] = "set",
		[STEP_REMOVE] = "remove",
	};

	return verbs[op];
}

static void report(const struct apply *a, const struct step *st, int err,
		   int klog)
{
	const char *hint = errno_hint(err, st->kind);
	char *text = errno_text(err);

	fflush(stdout);
	if (a->file && st->pos.line)
		fprintf(stderr, "%s:%u:%u: ", a->file, st->pos.line,
			st->pos.col);
	fprintf(stderr, "error: cannot %s %s: %s%s%s\n", op_verb(st->op),
		st->what, text, hint ? ": " : "", hint ? hint : "");
	klog_print(klog, stderr);
	free(text);
}

static unsigned int count_sessions(struct sysfs *s, const char *path)
{
	struct sysfs_dir dir;
	unsigned int n;

	if (sysfs_list(s, path, &dir))
		return 0;
	n = (unsigned int)dir.n;
	sysfs_dir_free(&dir);
	return n;
}

int close_sessions(struct sysfs *s, const char *target_path)
{
	char *path = xasprintf("%s/sessions", target_path);
	struct sysfs_dir dir;
	unsigned int waited;
	int err = 0;
	size_t i;

	if (sysfs_list(s, path, &dir)) {
		free(path);
		return 0;
	}
	for (i = 0; i < dir.n; i++) {
		char *file = xasprintf("%s/%s/force_close", path,
				       dir.v[i].name);

		/* It may have gone by itself; what counts is checked below. */
		sysfs_write(s, file, "1");
		free(file);
	}
	sysfs_dir_free(&dir);

	for (waited = 0; !s->dry_run && count_sessions(s, path); waited++) {
		if (waited == SESSION_SECONDS) {
			err = -ETIMEDOUT;
			break;
		}
		sysfs_wait(s);
	}
	free(path);
	return err;
}

static int do_write(struct sysfs *s, const struct write *w)
{
	return w->text ? sysfs_write(s, w->path, w->text) :
			 close_sessions(s, w->path);
}

/* Does the attribute of a new object exist, and does it need the write? */
static int look_first(struct apply *a, const struct step *st, bool *needed)
{
	struct strbuf sb = { 0 };
	mode_t mode;
	char *line;
	int err;

	*needed = true;
	if (a->s->dry_run)
		return 0;
	err = sysfs_mode(a->s, st->write.path, &mode);
	if (err == -ENOENT) {
		*needed = false;
		if (st->flags & STEP_OPTIONAL)
			return 0;
		a->ignored++;
		fprintf(stderr, "warning: %s: no such attribute; ignored\n",
			st->what);
		return 0;
	}
	if (err || !(mode & 0400) || sysfs_read(a->s, st->write.path, &sb)) {
		sb_free(&sb);
		return err;
	}
	line = xstrndup(sb_str(&sb), strcspn(sb_str(&sb), "\n"));
	if (attr_same(st->kind, st->attr, st->value, line)) {
		*needed = false;
	} else if (!(mode & 0200)) {
		*needed = false;
		a->ignored++;
		fprintf(stderr,
			"warning: %s: it is '%s' and read-only; ignored\n",
			st->what, line);
	}
	free(line);
	sb_free(&sb);
	return 0;
}

static void say(const struct apply *a, const struct step *st)
{
	static const char *const doing[] = {
		[STEP_ADD] = "Adding",
		[STEP_CHANGE] = "Setting",
		[STEP_REMOVE] = "Removing",
	};

	if (!a->quiet && !a->s->dry_run)
		printf("\t-> %s %s: done.\n", doing[st->op], st->what);
}

static int do_step(struct apply *a, const struct step *st, bool *wrote)
{
	bool needed = true;
	int err, klog;

	*wrote = false;
	if (st->flags & STEP_LOOK_FIRST) {
		err = look_first(a, st, &needed);
		if (!needed)
			return 0;
	}
	klog = a->s->dry_run ? -1 : klog_open();
	err = do_write(a->s, &st->write);
	if (!err) {
		*wrote = true;
		a->done++;
		say(a, st);
	} else if (st->flags & STEP_MAY_FAIL) {
		err = 0;
	} else {
		a->failed++;
		report(a, st, err, klog);
	}
	klog_close(klog);
	return err;
}

/* Newest first; what cannot be taken back is told, the rest still is. */
static void undo_steps(struct apply *a, const struct plan *p,
		       const bool *wrote, size_t n)
{
	unsigned int failed = 0, undone = 0;
	size_t i, j;

	for (i = n; i-- > 0;) {
		const struct writes *u = &p->v[i].undo;

		for (j = 0; wrote[i] && j < u->n; j++) {
			int err = do_write(a->s, &u->v[j]);
			char *text;

			if (!err) {
				undone++;
				continue;
			}
			failed++;
			text = errno_text(err);
			fprintf(stderr,
				"error: cannot take back %s (%s <- '%s'): %s\n",
				p->v[i].what, u->v[j].path,
				u->v[j].text ? u->v[j].text : "", text);
			free(text);
		}
	}
	a->undone = !failed;
	if (failed)
		fprintf(stderr,
			"%u of this run's changes could not be taken back; run -check_config to see what differs now\n",
			failed);
	else if (undone)
		fprintf(stderr, "all changes of this run were taken back\n");
	else
		fprintf(stderr, "nothing was changed\n");
}

int apply_plan(struct apply *a, const struct plan *p)
{
	bool *wrote = xcalloc(p->n, sizeof(*wrote));
	int err, first = 0;
	size_t i;

	for (i = 0; i < p->n; i++) {
		if (a->stop && *a->stop) {
			fprintf(stderr, "error: interrupted\n");
			first = -EINTR;
			err = -EINTR;
		} else {
			err = do_step(a, &p->v[i], &wrote[i]);
		}
		if (!err)
			continue;
		if (!first)
			first = err;
		if (err != -EINTR && (!(p->v[i].flags & STEP_OBJECT) ||
				      a->cont_on_err))
			continue;
		if (a->undo)
			undo_steps(a, p, wrote, i);
		break;
	}
	free(wrote);
	return first;
}
