// SPDX-License-Identifier: GPL-2.0
/*
 * Files and attributes of the simulated kernel.
 */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fake_tree.h"

static char *full(const struct fake *f, const char *path)
{
	return xasprintf("%s/%s", f->root, path);
}

static void must(int res, const char *what, const char *path)
{
	if (res >= 0)
		return;
	fprintf(stderr, "fake kernel: %s %s: %s\n", what, path, strerror(errno));
	abort();
}

void tree_make(struct fake *f, const char *path, unsigned int mode,
	       const char *text)
{
	char *p = full(f, path);
	int fd = open(p, O_CREAT | O_TRUNC | O_WRONLY, 0600);

	must(fd, "create", p);
	must((int)write(fd, text, strlen(text)), "write", p);
	must(fchmod(fd, mode), "chmod", p);
	close(fd);
	free(p);
}

void fake_file(struct fake *f, const char *path, unsigned int mode,
	       const char *text)
{
	tree_make(f, path, mode, text);
}

void fake_dir(struct fake *f, const char *path)
{
	char *p = full(f, path);

	must(mkdir(p, 0755), "mkdir", p);
	free(p);
}

static int remove_one(const char *path, const struct stat *st, int type,
		      struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

void tree_remove(const struct fake *f, const char *path)
{
	char *p = strcmp(path, "..") ? full(f, path) : xstrdup(f->dir);

	nftw(p, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	free(p);
}

void tree_link(const struct fake *f, const char *path, const char *to)
{
	char *p = full(f, path);

	must(symlink(to, p), "link", p);
	free(p);
}

bool fake_exists(const struct fake *f, const char *path)
{
	char *p = full(f, path);
	struct stat st;
	bool res = !lstat(p, &st);

	free(p);
	return res;
}

bool tree_is_dir(const struct fake *f, const char *path)
{
	char *p = full(f, path);
	struct stat st;
	bool res = !lstat(p, &st) && S_ISDIR(st.st_mode);

	free(p);
	return res;
}

const char *fake_value(struct fake *f, const char *path)
{
	static char line[4096];
	char *p = full(f, path);
	FILE *file = fopen(p, "r");

	line[0] = '\0';
	if (file) {
		if (!fgets(line, sizeof(line), file))
			line[0] = '\0';
		fclose(file);
	}
	line[strcspn(line, "\n")] = '\0';
	free(p);
	return line;
}

/* ---- attributes ---- */

const char *spec_default(const struct fake *f, const char *path)
{
	size_t n = strlen(path), i;

	for (i = 0; i < f->defaults.n; i++)
		if (!strncmp(f->defaults.v[i], path, n) &&
		    f->defaults.v[i][n] == '=')
			return f->defaults.v[i] + n + 1;
	return NULL;
}

void spec_forget(struct fake *f, const char *dir)
{
	size_t n = strlen(dir), i, kept = 0;

	for (i = 0; i < f->defaults.n; i++) {
		char *d = f->defaults.v[i];

		if (!strncmp(d, dir, n) && d[n] == '/')
			free(d);
		else
			f->defaults.v[kept++] = d;
	}
	f->defaults.n = kept;
}

void spec_set(struct fake *f, const char *path, const char *value, int key)
{
	const char *def = spec_default(f, path);
	bool show = key == KEY_ALWAYS ||
		    (key == KEY_CHANGED && def && strcmp(def, value));
	char *text = xasprintf("%s\n%s", value, show ? "[key]\n" : "");
	struct stat st;
	char *p = full(f, path);
	unsigned int mode = 0644;

	if (!stat(p, &st))
		mode = st.st_mode & 0777;
	tree_make(f, path, mode, text);
	free(text);
	free(p);
}

void spec_make(struct fake *f, const char *dir, const struct spec *sp)
{
	char *path = *dir ? xasprintf("%s/%s", dir, sp->name) :
			    xstrdup(sp->name);
	char *def = xasprintf("%s=%s", path, sp->def);

	strv_add(&f->defaults, def);
	tree_make(f, path, sp->mode, "");
	spec_set(f, path, sp->def, sp->key);
	free(def);
	free(path);
}
