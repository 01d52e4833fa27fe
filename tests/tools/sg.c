// SPDX-License-Identifier: GPL-2.0
#define _GNU_SOURCE	/* program_invocation_short_name */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sg.h"

#define TIMEOUT_MS	30000

static int fd;

void sg_die(const char *what)
{
	fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what, strerror(errno));
	exit(2);
}

void sg_open(const char *name)
{
	fd = open(name, O_RDWR | O_NONBLOCK);
	if (fd < 0)
		sg_die(name);
}

void sg_close(void)
{
	close(fd);
}

bool sg_execute(struct sg_request *rq)
{
	struct sg_io_hdr hdr = {
		.interface_id	 = 'S',
		.cmdp		 = rq->cdb,
		.cmd_len	 = rq->cdb_len,
		.dxfer_direction = rq->dir,
		.dxferp		 = rq->data,
		.dxfer_len	 = rq->len,
		.flags		 = rq->flags,
		.sbp		 = rq->sense,
		.mx_sb_len	 = sizeof(rq->sense),
		.timeout	 = TIMEOUT_MS,
	};

	memset(rq->sense, 0, sizeof(rq->sense));
	if (ioctl(fd, SG_IO, &hdr))
		sg_die("SG_IO");
	rq->status = hdr.status;
	rq->sense_len = hdr.sb_len_wr;
	rq->moved = hdr.resid > 0 ? rq->len - hdr.resid : rq->len;
	rq->direct = (hdr.info & SG_INFO_DIRECT_IO_MASK) == SG_INFO_DIRECT_IO;
	if (hdr.host_status)
		fprintf(stderr, "%s: host status %u\n", program_invocation_short_name,
			hdr.host_status);
	return !hdr.host_status;
}
