/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SCSTADMIN_SYSFS_H
#define SCSTADMIN_SYSFS_H

#include <sys/types.h>

#include "util.h"

#define SYSFS_ROOT	"/sys/kernel/scst_tgt"

struct sysfs;

/*
 * What touches the outside world. The tests put a simulated kernel here; paths
 * are below the root, results are 0 or a length, or -errno.
 */
struct sysfs_ops {
	/* One read() of the whole file into @buf. */
	ssize_t (*read)(struct sysfs *s, const char *path, char *buf,
			size_t size);
	/* One write() of the whole text. */
	int (*write)(struct sysfs *s, const char *path, const char *text);
	void (*sleep)(struct sysfs *s, unsigned int seconds);
};

struct sysfs {
	const char *root;
	const struct sysfs_ops *ops;
	void *priv;		/* of the ops */
	bool dry_run;		/* print writes instead of doing them */
	unsigned int writes;	/* done or printed */
};

struct sysfs_entry {
	char *name;
	mode_t mode;		/* of the entry itself, links are not followed */
};

struct sysfs_dir {
	struct sysfs_entry *v;
	size_t n;
};

extern const struct sysfs_ops sysfs_real_ops;

int sysfs_read(struct sysfs *s, const char *path, struct strbuf *sb);
int sysfs_write(struct sysfs *s, const char *path, const char *text);
/* Waits one second; for callers that poll. */
void sysfs_wait(struct sysfs *s);

/* Entries in the order of their names, without "." and "..". */
int sysfs_list(const struct sysfs *s, const char *path, struct sysfs_dir *dir);
void sysfs_dir_free(struct sysfs_dir *dir);
/* -errno when the file is not there; links are followed. */
int sysfs_mode(const struct sysfs *s, const char *path, mode_t *mode);
/* Where a link points, as text; NULL when it is none. */
char *sysfs_link(const struct sysfs *s, const char *path);
/*
 * Lets a fibre channel port announce itself anew. -ENOENT when the target has
 * no port of that kind.
 */
int sysfs_issue_lip(struct sysfs *s, const char *target_path);

#endif
