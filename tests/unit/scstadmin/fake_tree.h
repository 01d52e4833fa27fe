/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FAKE_TREE_H
#define FAKE_TREE_H

#include "fake_kernel.h"

enum { KEY_NEVER, KEY_CHANGED, KEY_ALWAYS };

/* An attribute of the simulated kernel. */
struct spec {
	const char *name;
	unsigned int mode;
	const char *def;
	int key;
	unsigned int where;	/* devices: bits of the handlers that have it */
};

void tree_make(struct fake *f, const char *path, unsigned int mode,
	       const char *text);
void tree_remove(const struct fake *f, const char *path);
void tree_link(const struct fake *f, const char *path, const char *to);
bool tree_is_dir(const struct fake *f, const char *path);

/* Makes the file of an attribute with its default value. */
void spec_make(struct fake *f, const char *dir, const struct spec *sp);
/* Sets it and shows [key] as the spec says. */
void spec_set(struct fake *f, const char *path, const char *value, int key);
const char *spec_default(const struct fake *f, const char *path);
void spec_forget(struct fake *f, const char *dir);

#endif
