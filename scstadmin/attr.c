// SPDX-License-Identifier: GPL-2.0
/*
 * The attributes of the kernel interface: their types, their defaults, and
 * when two texts mean the same value.
 *
 * An attribute that is not listed is passed on as it is: drivers may have
 * attributes this program has never heard of.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "attr.h"

#define DEV	(1u << N_DEVICE)
#define TGT	(1u << N_TARGET)
#define GRP	(1u << N_GROUP)
#define DRV	(1u << N_DRIVER)
#define ROOT	(1u << N_ROOT)

#define U16_MAX	65535
#define U31_MAX	2147483647
#define U64_MAX	(~0ull)

#define BOOL(name, kinds, def)						\
	{ name, kinds, AT_BOOL, AI_VALUE, 0, 1, NULL, def }
#define NUM(name, kinds, min, max, def)					\
	{ name, kinds, AT_NUM, AI_VALUE, min, max, NULL, def }
#define AUTO_NUM(name, kinds, min, max)					\
	{ name, kinds, AT_NUM, AI_VALUE | AI_AUTO, min, max, NULL, NULL }
#define TEXT(name, kinds, def)						\
	{ name, kinds, AT_TEXT, 0, 0, 0, NULL, def }
#define MULTI(name, kinds)						\
	{ name, kinds, AT_TEXT, AI_MULTI | AI_VALUE, 0, 0, NULL, NULL }
#define HEX(name, kinds, def)						\
	{ name, kinds, AT_HEX, 0, 0, 0, NULL, def }
#define MASK(name, kinds)						\
	{ name, kinds, AT_MASK, AI_VALUE | AI_AUTO, 0, 0, NULL, NULL }

static const struct attr_info infos[] = {
	NUM("setup_id", ROOT, 0, U64_MAX, "0x0"),
	NUM("threads", ROOT, 1, U31_MAX, NULL),
	NUM("max_tasklet_cmd", ROOT, 0, U64_MAX, "10"),
	NUM("poll_us", ROOT, 0, U64_MAX, "0"),
	NUM("force_global_sgv_pool", ROOT, 0, U64_MAX, "0"),
	TEXT("cluster_name", ROOT, ""),

	{ "filename", DEV, AT_PATH, 0, 0, 0, NULL, NULL },
	{ "blocksize", DEV, AT_BLOCKSIZE, AI_VALUE, 0, 0, NULL, "512" },
	BOOL("read_only", DEV | 1u << N_LUN, "0"),
	BOOL("write_through", DEV, "0"),
	BOOL("nv_cache", DEV, "0"),
	BOOL("o_direct", DEV, "0"),
	BOOL("async", DEV, "0"),
	BOOL("rotational", DEV, "1"),
	BOOL("thin_provisioned", DEV, NULL),
	BOOL("removable", DEV, "0"),
	BOOL("tst", DEV, "1"),
	BOOL("active", DEV, "1"),
	BOOL("bind_alua_state", DEV, NULL),
	BOOL("cluster_mode", DEV, "0"),
	BOOL("dummy", DEV, "0"),
	BOOL("read_zero", DEV, "0"),
	BOOL("expl_alua", DEV, "0"),
	BOOL("lb_per_pb_exp", DEV, "1"),
	AUTO_NUM("size", DEV, 0, U64_MAX),
	AUTO_NUM("size_mb", DEV, 0, U64_MAX >> 20),
	NUM("opt_trans_len", DEV, 0, U31_MAX, NULL),
	NUM("max_tgt_dev_commands", DEV, 0, U31_MAX, NULL),
	NUM("threads_num", DEV, 0, U31_MAX, NULL),
	{ "threads_pool_type", DEV, AT_WORD, AI_VALUE | AI_NOCASE, 0, 0,
	  "per_initiator shared", "per_initiator" },
	NUM("dif_type", DEV, 0, 3, NULL),
	{ "pr_file_name", DEV, AT_PATH, 0, 0, 0, NULL, "" },
	{ "dif_filename", DEV, AT_PATH, 0, 0, 0, NULL, NULL },
	TEXT("numa_node_id", DEV, "-1"),
	TEXT("dif_mode", DEV, NULL),
	TEXT("dif_static_app_tag", DEV, NULL),
	TEXT("t10_vend_id", DEV, NULL),
	TEXT("prod_id", DEV, NULL),
	TEXT("prod_rev_lvl", DEV, NULL),
	TEXT("vend_specific_id", DEV, NULL),
	TEXT("t10_dev_id", DEV, NULL),
	TEXT("usn", DEV, NULL),
	HEX("naa_id", DEV, ""),
	HEX("eui64_id", DEV, ""),
	TEXT("scsi_device_name", DEV, ""),
	TEXT("inq_vend_specific", DEV, ""),

	BOOL("enabled", TGT | DRV, NULL),
	AUTO_NUM("rel_tgt_id", TGT, 0, U16_MAX),
	AUTO_NUM("rel_tgt_id", 1u << N_TGTGT, 1, U16_MAX),
	TEXT("comment", TGT, ""),
	{ "addr_method", TGT | GRP, AT_WORD, AI_VALUE | AI_NOCASE, 0, 0,
	  "PERIPHERAL FLAT LUN", "PERIPHERAL" },
	{ "io_grouping_type", TGT | GRP, AT_WORD_NUM, AI_VALUE, 1, U31_MAX,
	  "auto this_group_only never", "auto" },
	MASK("cpu_mask", TGT | GRP),
	MASK("comp_v_mask", TGT),
	NUM("black_hole", TGT | GRP, 0, 4, "0"),
	BOOL("forward_src", TGT, "0"),
	BOOL("forward_dst", TGT, "0"),
	BOOL("forwarding", TGT, "0"),
	BOOL("aen_disabled", TGT, "0"),
	TEXT("port_id", TGT, "SCST SRP target"),
	MULTI("session_name", TGT),
	MULTI("IncomingUser", TGT | DRV),
	MULTI("OutgoingUser", TGT | DRV),
	MULTI("allowed_portal", TGT),

	AUTO_NUM("group_id", 1u << N_TGROUP, 1, U16_MAX),
	BOOL("preferred", 1u << N_TGROUP, "0"),
	{ "state", 1u << N_TGROUP, AT_WORD, AI_VALUE | AI_AUTO, 0, 0,
	  "active nonoptimized standby unavailable offline transitioning",
	  NULL },
};

const struct attr_info *attr_info(enum node_kind kind, const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(infos); i++)
		if (infos[i].kinds & 1u << kind && !strcmp(infos[i].name, name))
			return &infos[i];
	return NULL;
}

void attr_names(enum node_kind kind, struct strv *names)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(infos); i++)
		if (infos[i].kinds & 1u << kind)
			strv_add(names, infos[i].name);
}

static bool is_word_of(const struct attr_info *info, const char *text)
{
	struct strv words = { 0 };
	bool res = false;
	size_t i;

	strv_split(&words, info->words, " ");
	for (i = 0; i < words.n && !res; i++)
		res = info->flags & AI_NOCASE ? !strcasecmp(words.v[i], text) :
						!strcmp(words.v[i], text);
	strv_free(&words);
	return res;
}

static bool in_range(const struct attr_info *info, const char *text)
{
	unsigned long long num;

	return parse_u64(text, &num) && num >= info->min && num <= info->max;
}

static bool is_hex(const char *text, const char *also)
{
	if (!strncasecmp(text, "0x", 2))
		text += 2;
	if (!*text)
		return false;
	for (; *text; text++)
		if (!isxdigit((unsigned char)*text) && !strchr(also, *text))
			return false;
	return true;
}

static bool is_blocksize(const char *text)
{
	unsigned long long num;

	return parse_u64(text, &num) && num >= 512 && !(num & (num - 1));
}

static char *number_range(const struct attr_info *info)
{
	if (info->max >= U64_MAX >> 20)
		return xstrdup("a number");
	if (info->max == U31_MAX)
		return xasprintf("a number from %llu", info->min);
	return xasprintf("a number from %llu to %llu", info->min, info->max);
}

char *attr_expected(const struct attr_info *info, const char *text)
{
	char *range, *res;

	if (!*text)
		return info->flags & AI_VALUE ? xstrdup("a value") : NULL;

	switch (info->type) {
	case AT_TEXT:
		return NULL;
	case AT_PATH:
		return *text == '/' ? NULL : xstrdup("an absolute path");
	case AT_BOOL:
		return strcmp(text, "0") && strcmp(text, "1") ?
			xstrdup("0 or 1") : NULL;
	case AT_NUM:
		return in_range(info, text) ? NULL : number_range(info);
	case AT_BLOCKSIZE:
		return is_blocksize(text) ? NULL :
			xstrdup("a power of two, 512 or more");
	case AT_WORD:
		return is_word_of(info, text) ? NULL :
			xasprintf("one of: %s", info->words);
	case AT_WORD_NUM:
		if (is_word_of(info, text) || in_range(info, text))
			return NULL;
		range = number_range(info);
		res = xasprintf("one of: %s, or %s", info->words, range);
		free(range);
		return res;
	case AT_MASK:
		return is_hex(text, ",") ? NULL : xstrdup("a hexadecimal mask");
	case AT_HEX:
		return is_hex(text, "") ? NULL :
			xstrdup("hexadecimal digits, with or without 0x");
	}
	return NULL;
}

/* Compares hexadecimal texts, ignoring case, 0x and what @skip names. */
static bool same_hex(const char *a, const char *b, const char *skip,
		     bool leading_zeros)
{
	if (!strncasecmp(a, "0x", 2))
		a += 2;
	if (!strncasecmp(b, "0x", 2))
		b += 2;
	if (leading_zeros) {
		a += strspn(a, "0,");
		b += strspn(b, "0,");
	}
	for (;;) {
		a += strspn(a, skip);
		b += strspn(b, skip);
		if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
			return false;
		if (!*a)
			return true;
		a++;
		b++;
	}
}

bool attr_same(enum node_kind kind, const char *name, const char *a,
	       const char *b)
{
	const struct attr_info *info = attr_info(kind, name);
	unsigned long long i, j;

	if (!strcmp(a, b))
		return true;
	if (!info)
		return false;

	switch (info->type) {
	case AT_BOOL:
	case AT_NUM:
	case AT_BLOCKSIZE:
	case AT_WORD_NUM:
		return parse_u64(a, &i) && parse_u64(b, &j) && i == j;
	case AT_WORD:
		return info->flags & AI_NOCASE && !strcasecmp(a, b);
	case AT_MASK:
		return same_hex(a, b, ",", true);
	case AT_HEX:
		return *a && *b && same_hex(a, b, "", false);
	default:
		return false;
	}
}
