/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SCSTADMIN_TREE_H
#define SCSTADMIN_TREE_H

#include "diag.h"

/*
 * One kind of tree for both sides: what the file asks for (parse.c) and what
 * runs (snapshot.c). The planner compares the two node by node.
 */
enum node_kind {
	N_ROOT,
	N_HANDLER,
	N_DEVICE,
	N_DRIVER,
	N_TARGET,
	N_LUN,
	N_GROUP,
	N_INITIATOR,
	N_ALUA,
	N_DGROUP,
	N_DGDEV,	/* a device named in a device group */
	N_TGROUP,
	N_TGTGT,	/* a target named in a target group */
	N_SESSION,	/* running state only */
	N_KINDS,
};

enum attr_flags {
	ATTR_KEY	= 1 << 0,	/* sysfs shows [key] */
	ATTR_READ	= 1 << 1,
	ATTR_WRITE	= 1 << 2,
	ATTR_BARE	= 1 << 3,	/* file: no value was written */
	ATTR_UNREAD	= 1 << 4,	/* sysfs: reading it failed */
	ATTR_FLAGS	= 1 << 5,	/* sysfs: a set of flag names (trace_level) */
	ATTR_DYNAMIC	= 1 << 6,	/* values go through add_/del_ commands */
};

struct value {
	char *text;
	struct pos pos;
};

struct attr {
	char *name;
	struct pos pos;
	unsigned int flags;
	struct value *v;
	size_t n;
	struct strv choices;	/* ATTR_FLAGS: the names the file accepts */
};

enum node_flags {
	NODE_HW		= 1 << 0,	/* HW_TARGET in the file, hardware in sysfs */
	NODE_GONE	= 1 << 1,	/* planner: will have been removed */
	NODE_CREATES	= 1 << 2,	/* driver: takes add_target */
	NODE_REMOTE	= 1 << 3,	/* N_TGTGT: not a target of this host */
	NODE_BODY	= 1 << 4,	/* file: has had a { } */
	NODE_PASS	= 1 << 5,	/* handler: its devices are H:C:I:L */
	NODE_SESS_CMDS	= 1 << 6,	/* driver: takes add_session, del_session */
	NODE_KEPT	= 1 << 7,	/* writer: from the old file, not running */
};

/* What a mgmt file says it takes. */
struct caps {
	struct strv create;	/* parameters of add_device, add_target, LUN add */
	struct strv drv_attrs;	/* names for add_attribute */
	struct strv tgt_attrs;	/* names for add_target_attribute */
};

struct node {
	enum node_kind kind;
	char *name;
	char *arg;		/* N_LUN: the device */
	struct pos pos;		/* of the keyword */
	struct pos open_pos;	/* of the keyword met last, sections can go on */
	struct pos name_pos;
	struct pos arg_pos;
	unsigned int flags;
	struct node *parent;
	struct node **child;
	size_t nchild;
	size_t child_cap;
	struct attr **attr;
	size_t nattr;
	size_t attr_cap;
	struct caps *caps;
};

struct node *node_new(enum node_kind kind, const char *name);
void node_free(struct node *n);
void node_add_child(struct node *parent, struct node *child);
/* Takes the child out of its parent without freeing it. */
void node_unlink(struct node *child);
struct node *node_find(const struct node *parent, enum node_kind kind,
		       const char *name);
size_t node_count(const struct node *parent, enum node_kind kind);
/* By kind, then name (LUNs by number), in all levels. */
void node_sort(struct node *n);
struct caps *node_caps(struct node *n);

struct attr *node_attr(const struct node *n, const char *name);
struct attr *node_add_attr(struct node *n, const char *name, struct pos pos);
void node_del_attr(struct node *n, const char *name);
void attr_add_value(struct attr *a, const char *text, struct pos pos);
bool attr_has(const struct attr *a, const char *text);
/* The first value; "" for an attribute without one and for NULL. */
const char *attr_text(const struct attr *a);

/* The device @name under any handler of @root. */
struct node *find_device(const struct node *root, const char *name);

/* scst.conf's word for a kind; NULL for those without one. */
const char *kind_keyword(enum node_kind kind);
/* What a person calls it: "device", "target", ... */
const char *kind_noun(enum node_kind kind);

/* "LUN 0 of ib_srpt/fe80:...", "group g of ib_srpt/fe80:..." */
char *node_describe(const struct node *n);
/* "driver/target/group/lun", the form of the lists. */
char *node_id(const struct node *n);
/* The object's directory (or link) below the sysfs root. */
char *node_path(const struct node *n);

/* The first child of a kind at or behind *@i, whose index *@i becomes. */
struct node *next_child(const struct node *n, size_t *i, enum node_kind kind);

#define for_each_child(c, i, n, k)					\
	for ((i) = 0; ((c) = next_child((n), &(i), (k))); (i)++)

/* All nodes of a kind in a tree; owns the array, not the nodes. */
struct nodes {
	struct node **v;
	size_t n;
	size_t cap;
};

void nodes_add(struct nodes *l, struct node *n);
void nodes_collect(struct nodes *l, const struct node *root,
		   enum node_kind kind);
void nodes_free(struct nodes *l);

#endif
