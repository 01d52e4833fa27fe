/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The core's sysfs directory, simulated: a tree of ordinary files in a temporary
 * directory, and the commands of the mgmt files carried out on it. It knows the
 * interface only as far as scstadmin uses it.
 *
 *	handlers:	vdisk_fileio, vdisk_blockio, vdisk_nullio, vcdrom
 *	drivers:	scst_local (targets and sessions by command)
 *			ib_srpt (two ports, no commands)
 *			iscsi (dynamic attributes)
 *			copy_manager (takes every device; optional)
 */
#ifndef FAKE_KERNEL_H
#define FAKE_KERNEL_H

#include "scstadmin/sysfs.h"

#define PORT_1	"fe80:0000:0000:0000:0011:22ff:fe33:4401"
#define PORT_2	"fe80:0000:0000:0000:0011:22ff:fe33:4402"

/* Writes whose "path<-text" contains @match fail with @err, @times times. */
struct fake_fault {
	const char *match;
	int err;
	unsigned int skip;	/* this many matches go through first */
	unsigned int times;	/* 0: for ever */
	unsigned int hits;
};

struct fake {
	struct sysfs s;
	char dir[64];			/* for files of the test, goes in the end */
	char root[80];
	struct strv writes;		/* "path<-text", those that worked */
	struct fake_fault fault;	/* of writes */
	const char *unreadable;		/* reading such a path gives EIO */
	bool queue;			/* writes give EAGAIN and are done later */
	unsigned int busy_reads;	/* so many result reads give EAGAIN */
	int queued_result;
	unsigned int slept;
	struct strv defaults;		/* "path=default" */
};

struct fake *fake_new(bool copy_manager);
void fake_free(struct fake *f);

/* A file of the tree, for what no command does. */
void fake_file(struct fake *f, const char *path, unsigned int mode,
	       const char *text);
void fake_dir(struct fake *f, const char *path);
bool fake_exists(const struct fake *f, const char *path);
/* First line of a file; "" when there is none. Valid until the next call. */
const char *fake_value(struct fake *f, const char *path);
/* A session, as after a login; @group may be NULL. */
void fake_session(struct fake *f, const char *target_path, const char *name,
		  const char *group);

#endif
