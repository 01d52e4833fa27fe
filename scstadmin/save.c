// SPDX-License-Identifier: GPL-2.0
/*
 * Replacing a file so that at every moment a whole one is there.
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "writer.h"

static int write_all(int fd, const char *text, size_t len)
{
	while (len) {
		ssize_t n = write(fd, text, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		text += n;
		len -= (size_t)n;
	}
	return 0;
}

static int write_in_place(const char *file, const char *text, size_t len)
{
	int fd = open(file, O_WRONLY | O_CLOEXEC);
	int err;

	if (fd < 0)
		return -errno;
	err = write_all(fd, text, len);
	if (close(fd) && !err)
		err = -errno;
	return err;
}

/* Is it what our output goes to, a file under another name perhaps? */
static bool is_stdout(const struct stat *st)
{
	struct stat out;

	return !fstat(STDOUT_FILENO, &out) && out.st_dev == st->st_dev &&
	       out.st_ino == st->st_ino;
}

/* The rename is on disk when the directory is. */
static void sync_directory(const char *file)
{
	char *copy = xstrdup(file);
	int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0) {
		fsync(fd);
		close(fd);
	}
	free(copy);
}

static int write_new(int fd, const char *text, size_t len,
		     const struct stat *old)
{
	int err = write_all(fd, text, len);

	/* A file may hold secrets: a new one is for root alone. */
	if (!err && old && (fchmod(fd, old->st_mode & 07777) ||
			    fchown(fd, old->st_uid, old->st_gid)))
		err = -errno;
	if (!err && fsync(fd))
		err = -errno;
	if (close(fd) && !err)
		err = -errno;
	return err;
}

/* Whatever fails, @file is the old one or the new one, whole. */
static int replace(const char *file, const char *text, size_t len,
		   const struct stat *old)
{
	char *tmp = xasprintf("%s.XXXXXX", file);
	char *bak = xasprintf("%s.bak", file);
	int fd = mkostemp(tmp, O_CLOEXEC), err;

	if (fd < 0) {
		err = -errno;
		goto out;
	}
	err = write_new(fd, text, len, old);
	if (err)
		goto err_unlink;
	if (old) {
		if (unlink(bak) && errno != ENOENT) {
			err = -errno;
			goto err_unlink;
		}
		if (link(file, bak)) {
			err = -errno;
			goto err_unlink;
		}
	}
	if (rename(tmp, file)) {
		err = -errno;
		goto err_unlink;
	}
	sync_directory(file);
	goto out;

err_unlink:
	unlink(tmp);
out:
	free(tmp);
	free(bak);
	return err;
}

int conf_save(const char *file, const char *text, size_t len)
{
	bool exists;
	struct stat st;
	char *real;
	int err;

	exists = !stat(file, &st);
	if (!exists && errno != ENOENT)
		return -errno;
	if (exists && is_stdout(&st)) {
		fflush(stdout);
		return write_all(STDOUT_FILENO, text, len);
	}
	if (exists && !S_ISREG(st.st_mode))
		return write_in_place(file, text, len);

	/* Through a link, the file it points to is the one to replace. */
	real = exists ? realpath(file, NULL) : xstrdup(file);
	if (!real)
		return -errno;
	err = replace(real, text, len, exists ? &st : NULL);
	free(real);
	return err;
}
