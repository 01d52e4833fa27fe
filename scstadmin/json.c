// SPDX-License-Identifier: GPL-2.0
/*
 * The lists for programs; the form is described in scstadmin(8).
 */
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>

#include "json.h"
#include "list.h"

static const char *const plural[N_KINDS] = {
	[N_HANDLER] = "handlers",	[N_DEVICE] = "devices",
	[N_DRIVER] = "drivers",		[N_TARGET] = "targets",
	[N_LUN] = "luns",		[N_GROUP] = "groups",
	[N_INITIATOR] = "initiators",	[N_DGROUP] = "device_groups",
	[N_DGDEV] = "devices",		[N_TGROUP] = "target_groups",
	[N_TGTGT] = "targets",		[N_SESSION] = "sessions",
};

static void add_string(struct json_object *obj, const char *key,
		       const char *val)
{
	json_object_object_add(obj, key,
			       val ? json_object_new_string(val) : NULL);
}

/* One value as a string, several as an array, an unreadable one as null. */
static struct json_object *attr_json(const struct attr *a)
{
	struct json_object *arr;
	size_t i;

	if (!(a->flags & ATTR_READ) || a->flags & ATTR_UNREAD)
		return NULL;
	if (a->n == 1 && !(a->flags & (ATTR_FLAGS | ATTR_DYNAMIC)))
		return json_object_new_string(a->v[0].text);
	arr = json_object_new_array();
	for (i = 0; i < a->n; i++)
		json_object_array_add(arr,
				      json_object_new_string(a->v[i].text));
	return arr;
}

static struct json_object *attrs_json(const struct node *n, unsigned int what)
{
	struct json_object *obj = json_object_new_object();
	size_t i;

	for (i = 0; i < n->nattr; i++)
		if (what & JSON_ALL_ATTRS || n->attr[i]->flags & ATTR_KEY ||
		    n->kind == N_SESSION)
			json_object_object_add(obj, n->attr[i]->name,
					       attr_json(n->attr[i]));
	return obj;
}

static struct json_object *luns_json(const struct node *n)
{
	struct json_object *arr = json_object_new_array(), *obj;
	const struct node *l;
	size_t i;

	for_each_child(l, i, n, N_LUN) {
		obj = json_object_new_object();
		json_object_object_add(obj, "lun",
				       json_object_new_int(atoi(l->name)));
		add_string(obj, "device", l->arg);
		json_object_array_add(arr, obj);
	}
	return arr;
}

static struct json_object *node_json(const struct node *n, unsigned int what);

static void add_members(struct json_object *obj, const struct node *n,
			unsigned int what)
{
	struct json_object *arr, *item;
	const struct node *c;
	size_t i;

	for (i = 0; i < n->nchild; i++) {
		c = n->child[i];
		if (!plural[c->kind] ||
		    (c->kind == N_SESSION && !(what & JSON_SESSIONS)) ||
		    (c->kind != N_SESSION && what & JSON_SESSIONS))
			continue;
		if (!json_object_object_get_ex(obj, plural[c->kind], &arr)) {
			arr = json_object_new_array();
			json_object_object_add(obj, plural[c->kind], arr);
		}
		if (what & JSON_DEEP || c->kind == N_LUN || c->kind == N_SESSION)
			item = node_json(c, what);
		else
			item = json_object_new_string(c->name);
		json_object_array_add(arr, item);
	}
}

static void add_session(struct json_object *obj, const struct node *n)
{
	char *group = session_group_name(n);
	const struct node *table = n->parent;

	add_string(obj, "group", group);
	if (group)
		table = node_find(n->parent, N_GROUP, group);
	json_object_object_add(obj, "luns", table ? luns_json(table) : NULL);
	free(group);
}

static struct json_object *node_json(const struct node *n, unsigned int what)
{
	struct json_object *obj = json_object_new_object();

	if (n->kind == N_LUN) {
		json_object_object_add(obj, "lun",
				       json_object_new_int(atoi(n->name)));
		add_string(obj, "device", n->arg);
	} else {
		add_string(obj, "name", n->name);
	}
	if (n->kind == N_TARGET)
		add_string(obj, "driver", n->parent->name);
	if (n->kind == N_DEVICE)
		add_string(obj, "handler", n->parent->name);
	if (n->kind == N_SESSION)
		add_session(obj, n);
	if (what & JSON_ATTRS)
		json_object_object_add(obj, "attributes", attrs_json(n, what));
	if (what & JSON_MEMBERS)
		add_members(obj, n, what);
	return obj;
}

void json_print(const char *key, struct node *const *nodes, size_t n,
		unsigned int what)
{
	struct json_object *doc = json_object_new_object();
	struct json_object *arr = json_object_new_array();
	size_t i;

	for (i = 0; i < n; i++)
		json_object_array_add(arr, node_json(nodes[i], what));
	json_object_object_add(doc, key, arr);
	printf("%s\n", json_object_to_json_string_ext(doc,
						      JSON_C_TO_STRING_PRETTY |
						      JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(doc);
}
