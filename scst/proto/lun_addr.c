// SPDX-License-Identifier: GPL-2.0
/* LUN formats, SAM-5 4.7. */
#include "lun_addr.h"

enum {
	METHOD_PERIPHERAL	= 0,
	METHOD_FLAT		= 1,
	METHOD_LUN		= 2,
};

int scst_lun_unpack(const u8 *lun, size_t len)
{
	size_t i;

	if (len < 2 || len > 8 || len % 2)
		return -1;
	/* A second level would address something behind the logical unit. */
	for (i = 2; i < len; i++)
		if (lun[i])
			return -1;

	switch (lun[0] >> 6) {
	case METHOD_PERIPHERAL:	/* bus identifier, then target or LUN */
		return lun[0] ? -1 : lun[1];
	case METHOD_FLAT:
		return (lun[0] & 0x3f) << 8 | lun[1];
	case METHOD_LUN:	/* target; bus in the upper three bits, LUN in the rest */
		if (lun[0] & 0x3f || lun[1] >> 5)
			return -1;
		return lun[1];
	default:		/* extended, which includes the well-known logical units */
		return -1;
	}
}

void scst_lun_pack(u8 out[8], unsigned int lun, enum scst_addr_method method)
{
	memset(out, 0, 8);

	/* Initiators look for LUN 0 as zeros whatever the method (SAM-5 4.7.4). */
	if (!lun)
		return;
	out[1] = lun & 0xff;
	if (method == SCST_ADDR_PERIPHERAL && lun <= 0xff)
		return;
	if (method == SCST_ADDR_LUN && lun <= 0x1f)
		out[0] = METHOD_LUN << 6;
	else
		out[0] = METHOD_FLAT << 6 | ((lun >> 8) & 0x3f);
}
