/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SCST_PROTO_LUN_ADDR_H
#define SCST_PROTO_LUN_ADDR_H

#include "base.h"

#define SCST_LUN_MAX	16383	/* flat space addressing has 14 bits */

/* How REPORT LUNS codes a LUN (SAM-5 4.7.7); the names are those of addr_method. */
enum scst_addr_method {
	SCST_ADDR_PERIPHERAL,
	SCST_ADDR_FLAT,
	SCST_ADDR_LUN,
};

/*
 * LUN number from 8 bytes as received: single level, peripheral (bus 0), flat
 * space or logical unit (bus and target 0) addressing. -1 for extended,
 * multi-level, well-known and non-zero buses. @len may be 2, 4, 6 or 8: what is
 * missing counts as zero.
 */
int scst_lun_unpack(const u8 *lun, size_t len);

/*
 * 8 bytes for a LUN number. LUN 0 is always zeros; peripheral is used up to
 * 255, flat space above that.
 */
void scst_lun_pack(u8 out[8], unsigned int lun, enum scst_addr_method method);

#endif
