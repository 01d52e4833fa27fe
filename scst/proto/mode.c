// SPDX-License-Identifier: GPL-2.0
/* MODE SENSE and MODE SELECT, SPC-4 6.9 to 6.12, SBC-3 6.5. */
#include "mode.h"
#include "out.h"

#define MODE_SELECT_10		0x55
#define MODE_SENSE_10		0x5a
#define TYPE_DISK		0x00

#define PAGE_ALL		0x3f
#define PAGE_CACHING		0x08
#define PAGE_CONTROL		0x0a
#define PAGE_PS			0x80
#define PAGE_SPF		0x40
#define PAGE_CODE		0x3f

#define CDB_PF			0x10
#define CDB_SP			0x01
#define CDB_DBD			0x08

#define DEVICE_WP		0x80
#define DEVICE_DPOFUA		0x10
#define BLOCK_DESC_LEN		8

/* Pretended geometry, for the initiators that still ask. */
#define HEADS			255
#define SECTORS_PER_TRACK	56
#define ROTATION_RATE		0x3a98

enum page_control {
	PC_CURRENT,
	PC_CHANGEABLE,
	PC_DEFAULT,
	PC_SAVED,
};

/* Caching page, byte 2. */
#define WCE			0x04

/* Control page, bytes 2 to 5. */
#define TST_SHIFT		5
#define TMF_ONLY		0x10
#define DPICZ			0x08
#define D_SENSE			0x04
#define QAM_SHIFT		4
#define QERR_SHIFT		1
#define SWP			0x08
#define TAS			0x40

/* Builds what follows PAGE LENGTH; @mode is NULL for a mask of what can be changed. */
typedef void (*page_fn)(struct scst_out *out, const struct scst_mode *mode,
			const struct scst_mode_ctx *ctx);

static void page_read_write_recovery(struct scst_out *out, const struct scst_mode *mode,
				     const struct scst_mode_ctx *ctx)
{
	static const u8 values[0x0a] = {
		0xc0, 0x01, [6] = 0x01, [8] = 0xff, [9] = 0xff,
	};

	if (mode)
		scst_out_bytes(out, values, sizeof(values));
	else
		scst_out_fill(out, 0, sizeof(values));
}

static void page_disconnect(struct scst_out *out, const struct scst_mode *mode,
			    const struct scst_mode_ctx *ctx)
{
	static const u8 values[0x0e] = { 0x80, 0x80, [3] = 0x0a };

	if (mode)
		scst_out_bytes(out, values, sizeof(values));
	else
		scst_out_fill(out, 0, sizeof(values));
}

static void page_format(struct scst_out *out, const struct scst_mode *mode,
			const struct scst_mode_ctx *ctx)
{
	if (!mode) {
		scst_out_fill(out, 0, 0x16);
		return;
	}
	scst_out_fill(out, 0, 8);
	scst_out_be16(out, SECTORS_PER_TRACK);
	scst_out_be16(out, ctx->block_shift < 16 ? 1U << ctx->block_shift : 0);
	scst_out_fill(out, 0, 6);
	scst_out_u8(out, 0x40);		/* HSEC */
	scst_out_fill(out, 0, 3);
}

static void page_geometry(struct scst_out *out, const struct scst_mode *mode,
			  const struct scst_mode_ctx *ctx)
{
	u64 cylinders;

	if (!mode) {
		scst_out_fill(out, 0, 0x16);
		return;
	}
	cylinders = min_t(u64, ctx->nblocks, (u64)0xffffff * HEADS * SECTORS_PER_TRACK);
	cylinders = DIV_ROUND_UP_ULL(cylinders, HEADS * SECTORS_PER_TRACK);
	scst_out_be24(out, cylinders);
	scst_out_u8(out, HEADS);
	scst_out_fill(out, 0, 14);
	scst_out_be16(out, ROTATION_RATE);
	scst_out_be16(out, 0);
}

static void page_caching(struct scst_out *out, const struct scst_mode *mode,
			 const struct scst_mode_ctx *ctx)
{
	bool wce = mode ? mode->wce : !ctx->wce_fixed;

	scst_out_u8(out, wce ? WCE : 0);
	scst_out_fill(out, 0, 9);
	scst_out_u8(out, mode ? 0x80 : 0);	/* FSW */
	scst_out_u8(out, mode ? 0x14 : 0);	/* NUMBER OF CACHE SEGMENTS */
	scst_out_fill(out, 0, 6);
}

static void page_control(struct scst_out *out, const struct scst_mode *mode,
			 const struct scst_mode_ctx *ctx)
{
	static const struct scst_mode changeable = {
		.tmf_only = true,
		.qam = 0xf,
		.qerr = 0x3,
		.swp = true,
		.tas = true,
		.d_sense = true,
		.dpicz = true,
	};
	const struct scst_mode *m = mode ?: &changeable;

	scst_out_u8(out, (m->tst & 7) << TST_SHIFT | (m->tmf_only ? TMF_ONLY : 0) |
			 (m->dpicz ? DPICZ : 0) | (m->d_sense ? D_SENSE : 0));
	scst_out_u8(out, (m->qam & 0xf) << QAM_SHIFT | (m->qerr & 3) << QERR_SHIFT);
	scst_out_u8(out, m->swp ? SWP : 0);
	scst_out_u8(out, m->tas ? TAS : 0);
	scst_out_be32(out, 0);
	scst_out_be16(out, mode ? 0x024b : 0);	/* EXTENDED SELF-TEST COMPLETION TIME */
}

static void page_exceptions(struct scst_out *out, const struct scst_mode *mode,
			    const struct scst_mode_ctx *ctx)
{
	scst_out_u8(out, mode ? 0x08 : 0);	/* DEXCPT */
	scst_out_fill(out, 0, 9);
}

/* In the order of page 3F. */
static const struct mode_page {
	u8 code;
	u8 len;
	bool disk_only;
	page_fn build;
} pages[] = {
	{ .code = 0x01, .len = 0x0a, .build = page_read_write_recovery },
	{ .code = 0x02, .len = 0x0e, .build = page_disconnect, .disk_only = true },
	{ .code = 0x03, .len = 0x16, .build = page_format, .disk_only = true },
	{ .code = PAGE_CACHING, .len = 0x12, .build = page_caching, .disk_only = true },
	{ .code = PAGE_CONTROL, .len = 0x0a, .build = page_control },
	{ .code = 0x1c, .len = 0x0a, .build = page_exceptions },
	{ .code = 0x04, .len = 0x16, .build = page_geometry, .disk_only = true },
};

static bool has_page(const struct mode_page *page, const struct scst_mode_ctx *ctx)
{
	return !page->disk_only || ctx->type == TYPE_DISK;
}

/* PS: MODE SELECT with SP can save the page. */
static bool can_save_page(u8 code, const struct scst_mode_ctx *ctx)
{
	if (code == PAGE_CACHING)
		return ctx->can_save && !ctx->wce_fixed;
	return code == PAGE_CONTROL && ctx->can_save;
}

/* Returns false if there is no such page. */
static bool put_pages(struct scst_out *out, u8 code, const struct scst_mode *mode,
		      const struct scst_mode_ctx *ctx)
{
	const struct mode_page *page;
	bool found = false;

	for (page = pages; page < pages + ARRAY_SIZE(pages); page++) {
		if (!has_page(page, ctx) || (code != PAGE_ALL && code != page->code))
			continue;
		scst_out_u8(out, page->code | (can_save_page(page->code, ctx) ? PAGE_PS : 0));
		scst_out_u8(out, page->len);
		page->build(out, mode, ctx);
		found = true;
	}
	return found;
}

/*
 * Short block descriptor. For disks SBC-3 6.5.2.2 gives the count all of bytes
 * 0 to 3; elsewhere (SPC-4 7.5.7.1) byte 0 is the density code.
 */
static void put_block_descriptor(struct scst_out *out, const struct scst_mode_ctx *ctx)
{
	u32 most = ctx->type == TYPE_DISK ? U32_MAX : 0xffffff;

	scst_out_be32(out, min_t(u64, ctx->nblocks, most));
	scst_out_be32(out, (1U << ctx->block_shift) & 0xffffff);
}

static void put_header(struct scst_out *out, bool is_10, bool with_desc,
		       const struct scst_mode_ctx *ctx)
{
	u8 device = (ctx->read_only ? DEVICE_WP : 0) |
		    (ctx->type == TYPE_DISK ? DEVICE_DPOFUA : 0);
	u8 desc_len = with_desc ? BLOCK_DESC_LEN : 0;

	if (is_10) {
		scst_out_be24(out, 0);
		scst_out_u8(out, device);
		scst_out_be16(out, 0);
		scst_out_be16(out, desc_len);
	} else {
		scst_out_be16(out, 0);
		scst_out_u8(out, device);
		scst_out_u8(out, desc_len);
	}
	if (with_desc)
		put_block_descriptor(out, ctx);
}

/* MODE DATA LENGTH does not count itself. */
static void patch_data_length(struct scst_out *out, bool is_10)
{
	u8 n = out->len - 1;

	if (is_10)
		scst_out_patch_be16(out, 0, out->len - 2);
	else
		scst_out_patch(out, 0, &n, 1);
}

scst_sense_t scst_mode_sense(u8 *buf, size_t room, const u8 *cdb, const struct scst_mode *cur,
			     const struct scst_mode *saved, const struct scst_mode *def,
			     const struct scst_mode_ctx *ctx, size_t *needed)
{
	struct scst_out out = { .buf = buf, .room = room };
	bool is_10 = cdb[0] == MODE_SENSE_10;
	const struct scst_mode *mode = NULL;

	switch ((enum page_control)(cdb[2] >> 6)) {
	case PC_CURRENT:
		mode = cur;
		break;
	case PC_CHANGEABLE:
		break;
	case PC_DEFAULT:
		mode = def;
		break;
	case PC_SAVED:
		if (!ctx->can_save)
			return SCST_SAVING_NOT_SUPPORTED;
		mode = saved;
		break;
	}
	if (cdb[3])
		return SCST_CDB_FIELD(3);

	put_header(&out, is_10, !(cdb[1] & CDB_DBD), ctx);
	if (!put_pages(&out, cdb[2] & PAGE_CODE, mode, ctx))
		return SCST_CDB_FIELD_BIT(2, 0);
	patch_data_length(&out, is_10);
	*needed = out.len;
	return SCST_OK;
}

static scst_sense_t select_caching(const u8 *page, size_t off, struct scst_mode *mode, bool save,
				   const struct scst_mode_ctx *ctx)
{
	bool wce = page[2] & WCE;

	if (save && ctx->wce_fixed)
		return SCST_CDB_FIELD_BIT(1, 0);
	if (wce != mode->wce && ctx->wce_fixed)
		return SCST_PARAM_FIELD_BIT(off + 2, 2);
	mode->wce = wce;
	return SCST_OK;
}

static scst_sense_t select_control(const u8 *page, size_t off, struct scst_mode *mode)
{
	u8 qerr = (page[3] >> QERR_SHIFT) & 3;
	u8 qam = page[3] >> QAM_SHIFT;

	if (page[2] >> TST_SHIFT != mode->tst)
		return SCST_PARAM_FIELD_BIT(off + 2, 7);
	if (qam > 1)
		return SCST_PARAM_FIELD_BIT(off + 3, 7);
	if (qerr == 2)	/* reserved */
		return SCST_PARAM_FIELD_BIT(off + 3, 2);

	mode->tmf_only = page[2] & TMF_ONLY;
	mode->dpicz = page[2] & DPICZ;
	mode->d_sense = page[2] & D_SENSE;
	mode->qam = qam;
	mode->qerr = qerr;
	mode->swp = page[4] & SWP;
	mode->tas = page[5] & TAS;
	return SCST_OK;
}

/* A page that MODE SELECT takes, or NULL. */
static const struct mode_page *find_selectable(u8 code, const struct scst_mode_ctx *ctx)
{
	const struct mode_page *page;

	if (code != PAGE_CACHING && code != PAGE_CONTROL)
		return NULL;
	for (page = pages; page < pages + ARRAY_SIZE(pages); page++)
		if (page->code == code && has_page(page, ctx))
			return page;
	return NULL;
}

/* One page at @off, @left bytes before the end of the list; sets @used. */
static scst_sense_t select_page(const u8 *buf, size_t off, size_t left, struct scst_mode *mode,
				bool save, const struct scst_mode_ctx *ctx, size_t *used)
{
	const struct mode_page *page;
	const u8 *p = buf + off;

	if (left < 2)
		return SCST_PARAM_LIST_LENGTH;
	if (p[0] & PAGE_PS)
		return SCST_PARAM_FIELD_BIT(off, 7);
	if (p[0] & PAGE_SPF)
		return SCST_PARAM_FIELD_BIT(off, 6);
	page = find_selectable(p[0], ctx);
	if (!page)
		return SCST_PARAM_FIELD(off);
	if (p[1] != page->len)
		return SCST_PARAM_FIELD(off + 1);
	if (left - 2 < page->len)
		return SCST_PARAM_LIST_LENGTH;

	*used = 2 + page->len;
	if (page->code == PAGE_CACHING)
		return select_caching(p, off, mode, save, ctx);
	return select_control(p, off, mode);
}

scst_sense_t scst_mode_select(const u8 *cdb, const u8 *buf, size_t len, struct scst_mode *mode,
			      const struct scst_mode_ctx *ctx)
{
	bool is_10 = cdb[0] == MODE_SELECT_10;
	size_t header = is_10 ? 8 : 4;
	struct scst_mode taken = *mode;
	bool save = cdb[1] & CDB_SP;
	size_t off, desc_len, used;
	scst_sense_t sense;

	if (!(cdb[1] & CDB_PF))
		return SCST_CDB_FIELD(1);
	if (save && !ctx->can_save)
		return SCST_CDB_FIELD_BIT(1, 0);
	if (!len)
		return SCST_OK;
	if (len < header)
		return SCST_PARAM_LIST_LENGTH;

	desc_len = is_10 ? get_unaligned_be16(buf + 6) : buf[3];
	if (desc_len != 0 && desc_len != BLOCK_DESC_LEN)
		return SCST_PARAM_FIELD(is_10 ? 6 : 3);
	if (desc_len > len - header)
		return SCST_PARAM_LIST_LENGTH;

	for (off = header + desc_len; off < len; off += used) {
		sense = select_page(buf, off, len - off, &taken, save, ctx, &used);
		if (sense != SCST_OK)
			return sense;
	}
	*mode = taken;
	return SCST_OK;
}

void scst_mode_default(struct scst_mode *mode, bool wce, u8 tst)
{
	memset(mode, 0, sizeof(*mode));
	mode->wce = wce;
	mode->tst = tst;
	mode->qam = 1;
}
