/* SPDX-License-Identifier: GPL-2.0 */
/* One command at a time through a scsi_generic node. */
#ifndef SG_H
#define SG_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <scsi/sg.h>

#define SG_CDB_MAX	32
#define SG_SENSE_MAX	96

#define CHECK_CONDITION	0x02

struct sg_request {
	uint8_t cdb[SG_CDB_MAX];
	unsigned int cdb_len;
	int dir;			/* SG_DXFER_* */
	unsigned int flags;		/* SG_FLAG_* */
	unsigned int len;
	uint8_t *data;
	/* The answer */
	int status;
	unsigned int moved;
	bool direct;			/* to @data and nowhere else */
	unsigned int sense_len;
	uint8_t sense[SG_SENSE_MAX];
};

void sg_die(const char *what) __attribute__((noreturn));
void sg_open(const char *name);
void sg_close(void);
/* Returns false if the command did not get as far as having a status. */
bool sg_execute(struct sg_request *rq);

#endif
