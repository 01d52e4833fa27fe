// SPDX-License-Identifier: GPL-2.0
/*
 * What the kernel logged about an operation that it refused.
 */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "klog.h"
#include "util.h"

#define RECORD_MAX	8192
#define LINES_MAX	10

static const char *const prefixes[] = {
	"scst: ", "scst_vdisk: ", "scst_nullio: ", "scst_local: ", "ib_srpt: ",
};

int klog_open(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd >= 0)
		lseek(fd, 0, SEEK_END);
	return fd;
}

void klog_close(int fd)
{
	if (fd >= 0)
		close(fd);
}

const char *klog_message(const char *record, size_t *len)
{
	const char *msg = strchr(record, ';');
	size_t i;

	if (!msg)
		return NULL;
	msg++;
	*len = strcspn(msg, "\n");
	for (i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (str_starts(msg, prefixes[i]))
			return msg;
	return NULL;
}

void klog_print(int fd, FILE *f)
{
	char record[RECORD_MAX];
	unsigned int lines = 0;
	const char *msg;
	ssize_t n;
	size_t len;

	while (fd >= 0 && lines < LINES_MAX) {
		n = read(fd, record, sizeof(record) - 1);
		if (n <= 0)
			break;
		record[n] = '\0';
		msg = klog_message(record, &len);
		if (!msg)
			continue;
		fprintf(f, "\tkernel: %.*s\n", (int)len, msg);
		lines++;
	}
}
