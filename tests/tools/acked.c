// SPDX-License-Identifier: GPL-2.0
/*
 * Does a disk keep what it said it had written?
 *
 *	acked write DISK BLOCKS SECONDS sync|fua LOG
 *		Write blocks of 4 KB in random order, in groups. A group whose
 *		writes, and with "sync" the fsync() after them, all succeeded is
 *		acknowledged, and only then its blocks are added to LOG. With "fua"
 *		each write is to be stable by itself. Errors are counted; the
 *		groups that they hit are not acknowledged.
 *	acked check DISK LOG
 *		Each block in LOG holds what was acknowledged last, or something
 *		newer.
 *
 * Each sector says which block it is a part of and when it was written.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BLOCK		4096
#define SECTOR		512
#define GROUP		8
#define FILL		0xacc3d00dacc3d00dULL

struct sector {
	uint64_t block;
	uint64_t version;
	uint64_t fill[(SECTOR - 16) / 8];
};

static struct sector *buf;	/* one block */

static void die(const char *what)
{
	fprintf(stderr, "acked: %s: %s\n", what, strerror(errno));
	exit(2);
}

static void fill_block(uint64_t block, uint64_t version)
{
	unsigned int i, k;

	for (i = 0; i < BLOCK / SECTOR; i++) {
		buf[i].block = block;
		buf[i].version = version;
		for (k = 0; k < sizeof(buf[i].fill) / 8; k++)
			buf[i].fill[k] = FILL ^ version ^ k;
	}
}

/* The oldest version of any sector, 0 if one is neither. */
static uint64_t block_version(uint64_t block)
{
	uint64_t oldest = UINT64_MAX;
	unsigned int i, k;

	for (i = 0; i < BLOCK / SECTOR; i++) {
		if (buf[i].block != block)
			return 0;
		for (k = 0; k < sizeof(buf[i].fill) / 8; k++)
			if (buf[i].fill[k] != (FILL ^ buf[i].version ^ k))
				return 0;
		if (buf[i].version < oldest)
			oldest = buf[i].version;
	}
	return oldest;
}

/* One group; returns 0 if all of it was acknowledged. */
static int write_group(int fd, const uint64_t *blocks, uint64_t version, int sync)
{
	int failed = 0, i;

	for (i = 0; i < GROUP; i++) {
		fill_block(blocks[i], version);
		failed |= pwrite(fd, buf, BLOCK, blocks[i] * BLOCK) != BLOCK;
	}
	/* Also after an error: what it tells must not be left for the next group. */
	if (sync)
		failed |= fsync(fd) != 0;
	return failed;
}

static int do_write(const char *disk, uint64_t nblocks, int seconds, int sync, const char *log)
{
	int fd = open(disk, O_RDWR | (sync ? 0 : O_DIRECT | O_DSYNC));
	FILE *f = fopen(log, "a");
	time_t end = time(NULL) + seconds;
	uint64_t blocks[GROUP], version = time(NULL) * 1000000ULL;
	unsigned long good = 0, bad = 0;
	int i;

	if (fd < 0 || !f)
		die(fd < 0 ? disk : log);
	while (time(NULL) < end) {
		version++;
		for (i = 0; i < GROUP; i++)
			blocks[i] = random() % nblocks;
		if (write_group(fd, blocks, version, sync)) {
			bad++;
			continue;
		}
		good++;
		for (i = 0; i < GROUP; i++)
			fprintf(f, "%llu %llu\n", (unsigned long long)blocks[i],
				(unsigned long long)version);
		if (fflush(f))
			die(log);
	}
	printf("%lu groups acknowledged, %lu not\n", good, bad);
	return 0;
}

/* The newest version that was acknowledged of each block, 0 if none was. */
static uint64_t *read_log(const char *name, uint64_t *nblocks)
{
	unsigned long long block, version;
	FILE *f = fopen(name, "r");
	uint64_t *wanted = NULL;
	char *line = NULL;
	size_t room = 0;

	if (!f)
		die(name);
	*nblocks = 0;
	/* The last line may be cut, with the machine that was writing it. */
	while (getline(&line, &room, f) > 0 && strchr(line, '\n') &&
	       sscanf(line, "%llu %llu", &block, &version) == 2) {
		if (block >= *nblocks) {
			wanted = realloc(wanted, (block + 1) * sizeof(*wanted));
			if (!wanted)
				die("memory");
			memset(wanted + *nblocks, 0, (block + 1 - *nblocks) * sizeof(*wanted));
			*nblocks = block + 1;
		}
		wanted[block] = version;
	}
	free(line);
	fclose(f);
	return wanted;
}

static int do_check(const char *disk, const char *log)
{
	int fd = open(disk, O_RDONLY | O_DIRECT);
	unsigned long checked = 0, lost = 0;
	uint64_t nblocks, found, i;
	uint64_t *wanted = read_log(log, &nblocks);

	if (fd < 0)
		die(disk);
	for (i = 0; i < nblocks; i++) {
		if (!wanted[i])
			continue;
		checked++;
		if (pread(fd, buf, BLOCK, i * BLOCK) != BLOCK)
			die(disk);
		found = block_version(i);
		if (found >= wanted[i])
			continue;
		printf("block %llu: version %llu was acknowledged, %llu is there\n",
		       (unsigned long long)i, (unsigned long long)wanted[i],
		       (unsigned long long)found);
		lost++;
	}
	free(wanted);
	printf("%lu blocks checked, %lu lost\n", checked, lost);
	return lost || !checked;
}

int main(int argc, char **argv)
{
	if (posix_memalign((void **)&buf, BLOCK, BLOCK))
		die("memory");
	if (argc == 7 && !strcmp(argv[1], "write"))
		return do_write(argv[2], strtoull(argv[3], NULL, 0), atoi(argv[4]),
				!strcmp(argv[5], "sync"), argv[6]);
	if (argc == 4 && !strcmp(argv[1], "check"))
		return do_check(argv[2], argv[3]);
	fprintf(stderr, "usage: acked write DISK BLOCKS SECONDS sync|fua LOG\n"
			"       acked check DISK LOG\n");
	return 2;
}
