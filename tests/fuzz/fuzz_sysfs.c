// SPDX-License-Identifier: GPL-2.0
/*
 * What scstadmin reads from the kernel. A directory has the shape of the core's;
 * what its files hold is the input: flags, then texts that end with byte 1e, in
 * the order of the files below. Whatever they say, what -write_config makes of it
 * can be read again.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scstadmin/parse.h"
#include "scstadmin/snapshot.h"
#include "scstadmin/writer.h"

#define END_OF_TEXT	0x1e
#define ALL_ATTRS	0x01
#define NONKEY		0x02
#define FAIL_EVERY_8TH	0x04

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Names as administrators choose them, among them those that need quotes in a file. */
static const char * const dirs[] = {
	"devices", "devices/d", "handlers", "handlers/vdisk_fileio", "targets",
	"targets/scst_local", "targets/scst_local/t", "targets/scst_local/t/luns",
	"targets/scst_local/t/luns/0", "targets/scst_local/t/ini_groups",
	"targets/scst_local/t/ini_groups/g{#}", "targets/scst_local/t/ini_groups/g{#}/luns",
	"targets/scst_local/t/ini_groups/g{#}/luns/7",
	"targets/scst_local/t/ini_groups/g{#}/initiators", "targets/scst_local/t/sessions",
	"targets/scst_local/t/sessions/s", "device_groups", "device_groups/dg",
	"device_groups/dg/devices", "device_groups/dg/target_groups",
	"device_groups/dg/target_groups/tg", "device_groups/dg/target_groups/tg/remote",
};

static const struct {
	const char *path;
	const char *to;
} links[] = {
	{ "handlers/vdisk_fileio/d", "../../devices/d" },
	{ "targets/scst_local/t/luns/0/device", "../../../../../devices/d" },
	{ "targets/scst_local/t/ini_groups/g{#}/luns/7/device", "../../../../../../../devices/d" },
	{ "targets/scst_local/t/sessions/s/luns", "../../ini_groups/g{#}/luns" },
	{ "device_groups/dg/devices/d", "../../../devices/d" },
	{ "device_groups/dg/target_groups/tg/t", "../../../../targets/scst_local/t" },
};

static const struct {
	const char *path;
	mode_t mode;
} files[] = {
	{ "version", 0444 },
	{ "last_sysfs_mgmt_res", 0444 },
	{ "handlers/vdisk_fileio/mgmt", 0644 },
	{ "targets/scst_local/mgmt", 0644 },
	{ "targets/scst_local/t/luns/mgmt", 0644 },
	{ "devices/d/filename", 0644 },
	{ "devices/d/t10_dev_id", 0644 },
	{ "devices/d/read_only", 0444 },
	{ "trace_level", 0644 },
	{ "setup_id", 0644 },
	{ "targets/scst_local/t/enabled", 0644 },
	{ "targets/scst_local/t/rel_tgt_id", 0644 },
	{ "targets/scst_local/t/IncomingUser", 0644 },
	{ "targets/scst_local/t/IncomingUser1", 0644 },
	{ "targets/scst_local/t/LUN", 0644 },
	{ "targets/scst_local/t/luns/0/read_only", 0444 },
	{ "targets/scst_local/t/ini_groups/mgmt", 0644 },
	{ "targets/scst_local/t/ini_groups/g{#}/addr_method", 0644 },
	{ "targets/scst_local/t/ini_groups/g{#}/initiators/*[!x]", 0444 },
	{ "targets/scst_local/t/sessions/s/commands", 0444 },
	{ "targets/scst_local/t/sessions/s/transport_id", 0444 },
	{ "device_groups/dg/target_groups/tg/state", 0644 },
	{ "device_groups/dg/target_groups/tg/remote/rel_tgt_id", 0644 },
};

#define NR_FILES	(sizeof(files) / sizeof(files[0]))

static char root[32];

static struct {
	const uint8_t *text[NR_FILES];
	size_t len[NR_FILES];
	unsigned int flags;
	unsigned int reads;
} input;

static void remove_tree(void)
{
	char *cmd = xasprintf("rm -rf '%s'", root);

	if (system(cmd))
		fprintf(stderr, "%s remains\n", root);
	free(cmd);
}

static void must(int res)
{
	if (res < 0) {
		perror(root);
		exit(1);
	}
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	char *path;
	size_t i;

	strcpy(root, "/tmp/fuzz_sysfs.XXXXXX");
	if (!mkdtemp(root))
		must(-1);
	atexit(remove_tree);
	for (i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++) {
		path = xasprintf("%s/%s", root, dirs[i]);
		must(mkdir(path, 0755));
		free(path);
	}
	for (i = 0; i < sizeof(links) / sizeof(links[0]); i++) {
		path = xasprintf("%s/%s", root, links[i].path);
		must(symlink(links[i].to, path));
		free(path);
	}
	for (i = 0; i < NR_FILES; i++) {
		path = xasprintf("%s/%s", root, files[i].path);
		must(mknod(path, S_IFREG | files[i].mode, 0));
		free(path);
	}
	return 0;
}

static ssize_t fuzz_read(struct sysfs *s, const char *path, char *buf, size_t size)
{
	size_t i, n;

	if (input.flags & FAIL_EVERY_8TH && !(++input.reads % 8))
		return input.reads & 8 ? -EAGAIN : -EIO;
	for (i = 0; i < NR_FILES; i++)
		if (!strcmp(files[i].path, path))
			break;
	if (i == NR_FILES)
		return -ENOENT;
	n = input.len[i] < size ? input.len[i] : size;
	if (n)
		memcpy(buf, input.text[i], n);
	return (ssize_t)n;
}

static int fuzz_write(struct sysfs *s, const char *path, const char *text)
{
	return -EAGAIN;
}

static void fuzz_sleep(struct sysfs *s, unsigned int seconds)
{
}

static const struct sysfs_ops fuzz_ops = {
	.read	= fuzz_read,
	.write	= fuzz_write,
	.sleep	= fuzz_sleep,
};

static void take_input(const uint8_t *data, size_t size)
{
	const uint8_t *end = data + size, *p = data + 1, *stop;
	size_t i;

	memset(&input, 0, sizeof(input));
	input.flags = data[0];
	for (i = 0; i < NR_FILES && p < end; i++) {
		stop = memchr(p, END_OF_TEXT, (size_t)(end - p));
		if (!stop)
			stop = end;
		input.text[i] = p;
		input.len[i] = (size_t)(stop - p);
		p = stop + 1;
	}
}

static struct node *parse_again(const struct strbuf *text)
{
	struct diags diags = { 0 };
	struct node *n = parse_conf(sb_str(text), text->len, &diags);

	if (diags.count[DIAG_ERROR])
		abort();
	diags_free(&diags);
	return n;
}

/* Every object is in what is saved, and nothing else. */
static void write_and_read(const struct node *have)
{
	struct strbuf text = { 0 };
	struct node *copy;

	conf_write(&text, have, input.flags & NONKEY);
	copy = parse_again(&text);
	if (conf_objects(copy) != conf_objects(have))
		abort();
	node_free(copy);
	sb_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sysfs s = { .root = root, .ops = &fuzz_ops };
	struct strv notices = { 0 };
	struct node *have;
	int res;

	if (!size)
		return 0;
	take_input(data, size);
	free(core_version_fault(&s));
	res = sysfs_write(&s, "setup_id", "1");
	if (res > 0)
		abort();
	have = snapshot_read(&s, input.flags & ALL_ATTRS ? SNAP_ATTRS | SNAP_ALL_ATTRS :
			     SNAP_ATTRS, NULL, &notices);
	if (!have)
		abort();
	write_and_read(have);
	node_free(have);
	strv_free(&notices);
	return 0;
}
