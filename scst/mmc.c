// SPDX-License-Identifier: GPL-2.0
/* Device server, CD-ROM commands (MMC). */
#include "internal.h"

#define SCST_MMC_LEAD_OUT	0xaa

/* Address field of a TOC: LBA, or minute, second, frame with the two second pregap. */
static void scst_mmc_address(u8 *field, u64 lba, bool msf)
{
	u64 frames = lba + 150;

	if (!msf) {
		put_unaligned_be32(min_t(u64, lba, U32_MAX), field);
		return;
	}
	field[0] = 0;
	field[1] = min_t(u64, frames / (60 * 75), 99);
	field[2] = frames / 75 % 60;
	field[3] = frames % 75;
}

static void scst_mmc_track(u8 *desc, u8 track, u64 lba, bool msf)
{
	desc[1] = 0x14;				/* Q channel: position; data track */
	desc[2] = track;
	scst_mmc_address(desc + 4, lba, msf);
}

/* READ TOC/PMA/ATIP, format 0: one data track (MMC-3 6.30). */
scst_sense_t scst_mmc_read_toc(struct scst_cmd *cmd)
{
	u64 nblocks = READ_ONCE(cmd->nexus->dev->nblocks);
	bool msf = cmd->cdb[1] & 0x02;
	u8 track = cmd->cdb[6];
	u8 buf[20] = {};
	size_t len = 4;

	if (cmd->cdb[2] & 0x0f)
		return SCST_CDB_FIELD_BIT(2, 3);
	if (!nblocks)
		return SCST_NO_MEDIUM;
	if (track > 1 && track != SCST_MMC_LEAD_OUT)
		return SCST_CDB_FIELD(6);

	if (track <= 1) {
		scst_mmc_track(buf + len, 1, 0, msf);
		len += 8;
	}
	scst_mmc_track(buf + len, SCST_MMC_LEAD_OUT, nblocks, msf);
	len += 8;
	put_unaligned_be16(len - 2, buf);
	buf[2] = 1;				/* first and last track */
	buf[3] = 1;
	return scst_cmd_reply(cmd, buf, len);
}
