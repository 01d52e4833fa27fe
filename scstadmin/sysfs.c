// SPDX-License-Identifier: GPL-2.0
/*
 * Access to the core's directory in sysfs. Nothing else touches it.
 *
 * The kernel may queue an operation and answer EAGAIN, which is no failure: a
 * write is then finished when last_sysfs_mgmt_res can be read, and its number
 * is the result; a read has to be tried again.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sysfs.h"

#define EAGAIN_SECONDS	300
/* sysfs gives a page at most. */
#define READ_MAX	8192

static char *full_path(const struct sysfs *s, const char *path)
{
	return xasprintf("%s/%s", s->root, path);
}

static int open_path(const struct sysfs *s, const char *path, int flags)
{
	char *full = full_path(s, path);
	int fd = open(full, flags | O_CLOEXEC);
	int err = errno;

	free(full);
	return fd < 0 ? -err : fd;
}

static ssize_t real_read(struct sysfs *s, const char *path, char *buf,
			 size_t size)
{
	int fd = open_path(s, path, O_RDONLY);
	ssize_t n;
	int err;

	if (fd < 0)
		return fd;
	/* With hundreds of objects, a second read() for the end is too dear. */
	n = read(fd, buf, size);
	err = errno;
	close(fd);
	return n < 0 ? -err : n;
}

static int real_write(struct sysfs *s, const char *path, const char *text)
{
	int fd = open_path(s, path, O_WRONLY);
	size_t len = strlen(text);
	ssize_t n;
	int err;

	if (fd < 0)
		return fd;
	n = write(fd, text, len);
	err = errno;
	close(fd);
	if (n < 0)
		return -err;
	return (size_t)n == len ? 0 : -EIO;
}

static void real_sleep(struct sysfs *s, unsigned int seconds)
{
	(void)s;
	sleep(seconds);
}

const struct sysfs_ops sysfs_real_ops = {
	.read	= real_read,
	.write	= real_write,
	.sleep	= real_sleep,
};

void sysfs_wait(struct sysfs *s)
{
	s->ops->sleep(s, 1);
}

/**
 * sysfs_read() - read a file
 * @s: the tree
 * @path: below its root
 * @sb: the text is added here
 *
 * Return: 0 or -errno; -EAGAIN when the kernel was busy for five minutes.
 */
int sysfs_read(struct sysfs *s, const char *path, struct strbuf *sb)
{
	char buf[READ_MAX];
	unsigned int waited;
	ssize_t n;

	for (waited = 0; ; waited++) {
		n = s->ops->read(s, path, buf, sizeof(buf));
		if (n != -EAGAIN || waited == EAGAIN_SECONDS)
			break;
		sysfs_wait(s);
	}
	if (n >= 0)
		sb_addn(sb, buf, (size_t)n);
	return n < 0 ? (int)n : 0;
}

static int queued_result(struct sysfs *s)
{
	struct strbuf sb = { 0 };
	char *end;
	long res;
	int err;

	err = sysfs_read(s, "last_sysfs_mgmt_res", &sb);
	if (!err) {
		res = strtol(sb_str(&sb), &end, 10);
		if (end == sb_str(&sb) || res > 0 || res < INT_MIN)
			err = -EPROTO;
		else
			err = (int)res;
	}
	sb_free(&sb);
	return err;
}

/**
 * sysfs_write() - write a command or a value and wait until it is done
 * @s: the tree; with @s->dry_run the write is printed only
 * @path: below its root
 * @text: what to write, with one write()
 *
 * Return: 0 or -errno as the kernel gave it.
 */
int sysfs_write(struct sysfs *s, const char *path, const char *text)
{
	int err;

	s->writes++;
	if (s->dry_run) {
		size_t len = strcspn(text, "\n");

		printf("debug: %s/%s <- '%.*s'\n", s->root, path, (int)len,
		       text);
		return 0;
	}
	err = s->ops->write(s, path, text);
	/* A signal ends the wait in the kernel, not the operation. */
	return err == -EAGAIN || err == -EINTR ? queued_result(s) : err;
}

static int cmp_entry(const void *a, const void *b)
{
	return strcmp(((const struct sysfs_entry *)a)->name,
		      ((const struct sysfs_entry *)b)->name);
}

int sysfs_list(const struct sysfs *s, const char *path, struct sysfs_dir *dir)
{
	struct dirent *de;
	struct stat st;
	DIR *d;
	int fd;

	memset(dir, 0, sizeof(*dir));
	fd = open_path(s, path, O_RDONLY | O_DIRECTORY);
	if (fd < 0)
		return fd;
	d = fdopendir(fd);
	if (!d) {
		int err = errno;

		close(fd);
		return -err;
	}
	while ((de = readdir(d))) {
		if (!strcmp(de->d_name, ".") || !strcmp(de->d_name, ".."))
			continue;
		/* An object may vanish while its directory is read. */
		if (fstatat(fd, de->d_name, &st, AT_SYMLINK_NOFOLLOW))
			continue;
		dir->v = xrealloc(dir->v, dir->n + 1, sizeof(*dir->v));
		dir->v[dir->n].name = xstrdup(de->d_name);
		dir->v[dir->n].mode = st.st_mode;
		dir->n++;
	}
	closedir(d);
	if (dir->n)
		qsort(dir->v, dir->n, sizeof(*dir->v), cmp_entry);
	return 0;
}

void sysfs_dir_free(struct sysfs_dir *dir)
{
	size_t i;

	for (i = 0; i < dir->n; i++)
		free(dir->v[i].name);
	free(dir->v);
	memset(dir, 0, sizeof(*dir));
}

int sysfs_mode(const struct sysfs *s, const char *path, mode_t *mode)
{
	char *full = full_path(s, path);
	struct stat st;
	int err = 0;

	if (stat(full, &st))
		err = -errno;
	else
		*mode = st.st_mode;
	free(full);
	return err;
}

char *sysfs_link(const struct sysfs *s, const char *path)
{
	char *full = full_path(s, path);
	char buf[PATH_MAX];
	ssize_t n = readlink(full, buf, sizeof(buf) - 1);

	free(full);
	if (n < 0)
		return NULL;
	buf[n] = '\0';
	return xstrdup(buf);
}

int sysfs_issue_lip(struct sysfs *s, const char *target_path)
{
	char *link = xasprintf("%s/host", target_path);
	char *host = sysfs_link(s, link), *slash, *file;
	int fd, err = 0;

	free(link);
	if (!host)
		return -ENOENT;
	slash = strrchr(host, '/');
	file = xasprintf("/sys/class/fc_host/%s/issue_lip",
			 slash ? slash + 1 : host);
	free(host);
	fd = open(file, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || (!s->dry_run && write(fd, "1", 1) < 0))
		err = -errno;
	if (fd >= 0)
		close(fd);
	free(file);
	return err;
}
