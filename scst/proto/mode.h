/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SCST_PROTO_MODE_H
#define SCST_PROTO_MODE_H

#include "base.h"
#include "sense.h"

/**
 * struct scst_mode - the changeable part of the mode pages
 * @wce: write cache enable (page 08)
 * @tst: task set type (page 0A)
 * @tmf_only: TMF_ONLY
 * @qam: queue algorithm modifier
 * @qerr: QErr
 * @swp: software write protect
 * @tas: task aborted status
 * @d_sense: descriptor format sense data
 * @dpicz: DPICZ
 */
struct scst_mode {
	bool wce;
	u8 tst;
	bool tmf_only;
	u8 qam;
	u8 qerr;
	bool swp;
	bool tas;
	bool d_sense;
	bool dpicz;
};

/**
 * struct scst_mode_ctx - what MODE SENSE and MODE SELECT need to know besides
 * @type: peripheral device type
 * @read_only: WP bit (for this nexus)
 * @wce_fixed: WCE cannot be changed (nv_cache)
 * @can_save: saved values exist (PC 3, SP)
 * @block_shift: log2 of the logical block length
 * @nblocks: capacity in blocks
 */
struct scst_mode_ctx {
	u8 type;
	bool read_only;
	bool wce_fixed;
	bool can_save;
	u8 block_shift;
	u64 nblocks;
};

#define SCST_MODE_MAX	256	/* room that page 3F with header and block descriptor fits */

/**
 * scst_mode_sense() - build MODE SENSE data (6 and 10; SPC-4 6.11)
 * @buf: where to build
 * @room: size of @buf, SCST_MODE_MAX suffices
 * @cdb: the CDB
 * @cur: current values; @saved: values for PC 3; @def: values for PC 2
 * @saved: see @cur
 * @def: see @cur
 * @ctx: the rest
 * @needed: length of the complete data (truncation to the allocation length is the caller's)
 *
 * Return: SCST_OK, or 5/24/00 field 2:0 (page), field 3 (subpage), 5/39/00 (PC 3 without saving).
 */
scst_sense_t scst_mode_sense(u8 *buf, size_t room, const u8 *cdb, const struct scst_mode *cur,
			     const struct scst_mode *saved, const struct scst_mode *def,
			     const struct scst_mode_ctx *ctx, size_t *needed);

/**
 * scst_mode_select() - check and take a MODE SELECT parameter list
 * @cdb: the CDB (6 or 10)
 * @buf: parameter list as received
 * @len: bytes received
 * @mode: current values; changed only if SCST_OK is returned
 * @ctx: the rest
 *
 * All pages are checked before any is taken. SP (save pages) is checked here
 * (can_save; page 08 with wce_fixed) and acted upon by the caller.
 *
 * Return: SCST_OK, 5/24/00 (PF 0: field 1; SP: field 1:0), 5/26/00 with pointer, 5/1A/00 (list
 * too short for its content).
 */
scst_sense_t scst_mode_select(const u8 *cdb, const u8 *buf, size_t len, struct scst_mode *mode,
			      const struct scst_mode_ctx *ctx);

/* Device defaults: TST 1, QAM 1, WCE as given. */
void scst_mode_default(struct scst_mode *mode, bool wce, u8 tst);

#endif
