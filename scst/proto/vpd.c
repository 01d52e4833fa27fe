// SPDX-License-Identifier: GPL-2.0
/* Vital product data, SPC-4 7.8 and SBC-3 6.6. */
#include "inquiry.h"
#include "out.h"
#include "param_list.h"

#define PAGE_LEN_3C		0x3c	/* PAGE LENGTH of 86, B0 and B1 */
#define VPD_HEADER_LEN		4

/* Code sets, associations and types of designators, SPC-4 7.8.6.1. */
enum {
	CODE_BINARY		= 1,
	CODE_ASCII		= 2,
	CODE_UTF8		= 3,
};

enum {
	ASSOC_LU		= 0,
	ASSOC_PORT		= 1,
	ASSOC_DEVICE		= 2,
};

enum {
	DESIG_T10_VENDOR	= 1,
	DESIG_EUI64		= 2,
	DESIG_NAA		= 3,
	DESIG_REL_PORT		= 4,
	DESIG_PORT_GROUP	= 5,
	DESIG_SCSI_NAME		= 8,
};

#define DESIG_PIV		0x80
#define NO_PROTOCOL		0xf
#define FALLBACK_EUI64_LEN	8

/* DESIGNATOR LENGTH is one byte and SCSI names are padded to a multiple of four. */
#define SCSI_NAME_MAX		251

static void put_designator_header(struct scst_out *out, const struct scst_inquiry *inq,
				  u8 code_set, u8 assoc, u8 type, u8 len)
{
	bool piv = assoc != ASSOC_LU && inq->transport_protocol != NO_PROTOCOL;

	scst_out_u8(out, (piv ? inq->transport_protocol << 4 : 0) | code_set);
	scst_out_u8(out, (piv ? DESIG_PIV : 0) | assoc << 4 | type);
	scst_out_u8(out, 0);
	scst_out_u8(out, len);
}

static void put_scsi_name(struct scst_out *out, const struct scst_inquiry *inq)
{
	size_t len = strnlen(inq->ids->scsi_device_name, SCSI_NAME_MAX);
	size_t padded = (len + 4) & ~3UL;

	put_designator_header(out, inq, CODE_UTF8, ASSOC_DEVICE, DESIG_SCSI_NAME, padded);
	scst_out_bytes(out, inq->ids->scsi_device_name, len);
	scst_out_fill(out, 0, padded - len);
}

static void put_t10_vendor(struct scst_out *out, const struct scst_inquiry *inq)
{
	const struct scst_ids *ids = inq->ids;
	size_t tail = strnlen(ids->vend_specific_id, SCST_VEND_SPEC_ID_LEN);

	put_designator_header(out, inq, CODE_ASCII, ASSOC_LU, DESIG_T10_VENDOR,
			      SCST_VENDOR_LEN + tail);
	scst_out_text(out, ids->vendor, SCST_VENDOR_LEN, ' ');
	scst_out_bytes(out, ids->vend_specific_id, tail);
}

static void put_port_number(struct scst_out *out, const struct scst_inquiry *inq, u8 type, u16 id)
{
	put_designator_header(out, inq, CODE_BINARY, ASSOC_PORT, type, 4);
	scst_out_be16(out, 0);
	scst_out_be16(out, id);
}

static void put_binary_id(struct scst_out *out, const struct scst_inquiry *inq, u8 type,
			  const u8 *id, u8 len)
{
	put_designator_header(out, inq, CODE_BINARY, ASSOC_LU, type, len);
	scst_out_bytes(out, id, len);
}

/* The order is what multipath configurations have been built upon. */
static void page_83(struct scst_out *out, const struct scst_inquiry *inq)
{
	const struct scst_ids *ids = inq->ids;

	if (ids->scsi_device_name[0])
		put_scsi_name(out, inq);
	put_t10_vendor(out, inq);
	if (inq->rel_tgt_id)
		put_port_number(out, inq, DESIG_REL_PORT, inq->rel_tgt_id);
	if (inq->tpg_id)
		put_port_number(out, inq, DESIG_PORT_GROUP, inq->tpg_id);
	if (ids->eui64_len)
		put_binary_id(out, inq, DESIG_EUI64, ids->eui64, ids->eui64_len);
	if (ids->naa_len)
		put_binary_id(out, inq, DESIG_NAA, ids->naa, ids->naa_len);
	if (!ids->eui64_len && !ids->naa_len) {
		put_designator_header(out, inq, CODE_BINARY, ASSOC_LU, DESIG_EUI64,
				      FALLBACK_EUI64_LEN);
		scst_out_text(out, ids->t10_dev_id, FALLBACK_EUI64_LEN, 0);
	}
}

static void page_00(struct scst_out *out, const struct scst_inquiry *inq)
{
	static const u8 every_type[] = { 0x00, 0x80, 0x83, 0x86 };

	scst_out_bytes(out, every_type, sizeof(every_type));
	if (inq->type != 0x00)
		return;
	scst_out_u8(out, 0xb0);
	scst_out_u8(out, 0xb1);
	if (inq->thin)
		scst_out_u8(out, 0xb2);
}

static void page_80(struct scst_out *out, const struct scst_inquiry *inq)
{
	scst_out_bytes(out, inq->ids->usn, strnlen(inq->ids->usn, SCST_USN_LEN));
}

static void page_86(struct scst_out *out, const struct scst_inquiry *inq)
{
	scst_out_u8(out, 0);			/* no protection information */
	scst_out_u8(out, 0x07);			/* HEADSUP, ORDSUP, SIMPSUP */
	scst_out_u8(out, inq->wce ? 0x01 : 0);	/* V_SUP */
	scst_out_u8(out, 0x01);			/* LUICLR */
	scst_out_fill(out, 0, PAGE_LEN_3C - 4);
}

/* Block limits, SBC-3 6.6.3. */
static void page_b0(struct scst_out *out, const struct scst_inquiry *inq)
{
	u32 alignment = inq->unmap_alignment;

	scst_out_u8(out, 0x01);			/* WSNZ */
	scst_out_u8(out, inq->max_caw_blocks);
	scst_out_be16(out, clamp_t(u32, inq->page_size_blocks, 1, U16_MAX));
	scst_out_be32(out, inq->max_xfer_blocks);
	scst_out_be32(out, inq->opt_xfer_blocks);
	scst_out_be32(out, 0);			/* PRE-FETCH is not offered */
	if (inq->thin) {
		scst_out_be32(out, inq->max_unmap_blocks);
		scst_out_be32(out, SCST_UNMAP_MAX_RANGES);
		scst_out_be32(out, inq->unmap_granularity);
		scst_out_be32(out, alignment ? alignment | 0x80000000 : 0);
	} else {
		scst_out_fill(out, 0, 16);
	}
	scst_out_be64(out, inq->max_ws_blocks);
	scst_out_fill(out, 0, PAGE_LEN_3C - 40);
}

static void page_b1(struct scst_out *out, const struct scst_inquiry *inq)
{
	scst_out_be16(out, inq->rotational ? 0x3a98 : 1);
	scst_out_fill(out, 0, PAGE_LEN_3C - 2);
}

/* Logical block provisioning, SBC-3 6.6.4. */
static void page_b2(struct scst_out *out, const struct scst_inquiry *inq)
{
	scst_out_u8(out, 0);
	scst_out_u8(out, 0xe0 | (inq->lbprz ? 0x04 : 0));	/* LBPU, LBPWS, LBPWS10 */
	scst_out_u8(out, 0x02);					/* thin provisioned */
	scst_out_u8(out, 0);
}

static const struct vpd_page {
	u8 code;
	bool disk_only;
	bool thin_only;
	void (*build)(struct scst_out *out, const struct scst_inquiry *inq);
} pages[] = {
	{ .code = 0x00, .build = page_00 },
	{ .code = 0x80, .build = page_80 },
	{ .code = 0x83, .build = page_83 },
	{ .code = 0x86, .build = page_86 },
	{ .code = 0xb0, .build = page_b0, .disk_only = true },
	{ .code = 0xb1, .build = page_b1, .disk_only = true },
	{ .code = 0xb2, .build = page_b2, .disk_only = true, .thin_only = true },
};

size_t scst_vpd_page(u8 *buf, size_t room, u8 page, const struct scst_inquiry *inq)
{
	struct scst_out out = { .buf = buf, .room = room };
	const struct vpd_page *p;

	for (p = pages; p < pages + ARRAY_SIZE(pages); p++) {
		if (p->code != page)
			continue;
		if ((p->disk_only && inq->type != 0x00) || (p->thin_only && !inq->thin))
			return 0;
		scst_out_u8(&out, inq->qualifier << 5 | (inq->type & 0x1f));
		scst_out_u8(&out, page);
		scst_out_be16(&out, 0);
		p->build(&out, inq);
		scst_out_patch_be16(&out, 2, out.len - VPD_HEADER_LEN);
		return out.len;
	}
	return 0;
}
