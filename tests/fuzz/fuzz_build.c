// SPDX-License-Identifier: GPL-2.0
/*
 * Everything that builds data for an initiator. Input: a letter, the room, four
 * bytes that are for each builder what it needs, then what fills its structs.
 * Whatever it is told, a builder writes every byte that it says it has, and
 * none beyond the room.
 */
#include "fuzz.h"
#include "scst/proto/cdb.h"
#include "scst/proto/inquiry.h"
#include "scst/proto/mode.h"
#include "scst/proto/sense.h"

#define MOST	4096

struct input {
	const u8 *arg;		/* four bytes */
	const u8 *data;
	size_t size;
};

/* Returns the length of the complete data, 0 if there is none. */
typedef size_t (*build_fn)(u8 *buf, size_t room, const struct input *in);

static void fill(void *to, size_t len, const struct input *in)
{
	memset(to, 0, len);
	if (in->size)
		memcpy(to, in->data, min(len, in->size));
}

static size_t build_sense(u8 *buf, size_t room, const struct input *in)
{
	struct {
		u64 info;
		u16 byte;
		u8 key, asc, ascq, flags;
	} s;
	scst_sense_t sense;

	fill(&s, sizeof(s), in);
	sense = SCST_SENSE(s.key & 0xf, s.asc, s.ascq);
	if (in->arg[0] & 1)
		sense = SCST_SENSE_AT(s.key & 0xf, s.asc, s.ascq,
				      SCST_FIELD(s.flags & 1, s.byte, s.flags >> 1 & 1,
						 s.flags >> 5));
	return scst_sense_build(buf, room, in->arg[0] & 2, sense, in->arg[0] & 4, s.info);
}

static void end_texts(struct scst_ids *ids)
{
	char *const ends[] = {
		ids->vendor + SCST_VENDOR_LEN, ids->product + SCST_PRODUCT_LEN,
		ids->revision + SCST_REVISION_LEN, ids->t10_dev_id + SCST_T10_ID_LEN,
		ids->vend_specific_id + SCST_VEND_SPEC_ID_LEN, ids->usn + SCST_USN_LEN,
		ids->scsi_device_name + SCST_SCSI_NAME_LEN,
		ids->inq_vend_specific + SCST_INQ_VEND_LEN,
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(ends); i++)
		*ends[i] = '\0';
}

/* Texts of any length: those of the input, over and over. */
static void fill_ids(struct scst_ids *ids, const struct input *in)
{
	static const u8 lens[] = { 0, 8, 12, 16 };
	u8 *p = (u8 *)ids;
	size_t i;

	memset(ids, 0, sizeof(*ids));
	for (i = 0; in->size && i < sizeof(*ids); i++)
		p[i] = in->data[i % in->size];
	end_texts(ids);
	ids->naa_len = in->arg[1] & 1 ? 0 : lens[in->arg[1] & 2 ? 1 : 3];
	ids->eui64_len = lens[in->arg[1] >> 2 & 3];
}

static size_t build_inquiry(u8 *buf, size_t room, const struct input *in)
{
	struct scst_inquiry inq;
	struct scst_ids ids;

	fill_ids(&ids, in);
	inq = (struct scst_inquiry){
		.ids = &ids,
		.type = in->arg[2] & 1 ? SCST_TYPE_ROM : in->arg[2] & 2 ? 0x1f : SCST_TYPE_DISK,
		.qualifier = in->arg[2] >> 2 & 1,
		.thin = in->arg[2] & 0x08,
		.wce = in->arg[2] & 0x10,
		.removable = in->arg[2] & 0x20,
		.rotational = in->arg[2] & 0x40,
		.third_party_copy = in->arg[2] & 0x80,
		.tpgs = in->arg[3],
		.phys_version = in->arg[3] & 4 ? 0x0940 : 0,
		.transport_version = in->arg[3] & 8 ? 0x0940 : 0,
		.rel_tgt_id = in->arg[3] >> 4,
		.tpg_id = in->arg[1] >> 4,
		.transport_protocol = in->arg[3] & 0xf,
		.page_size_blocks = in->size,
		.unmap_alignment = in->arg[0],
	};
	if (in->arg[0] == 1)
		return scst_inquiry_std(buf, room, &inq);
	if (in->arg[0] == 2)
		return scst_inquiry_absent(buf, room);
	return scst_vpd_page(buf, room, in->arg[0], &inq);
}

static void fill_mode(struct scst_mode *mode, u8 bits, u8 fields)
{
	*mode = (struct scst_mode){
		.wce = bits & 0x01,
		.tmf_only = bits & 0x02,
		.swp = bits & 0x04,
		.tas = bits & 0x08,
		.d_sense = bits & 0x10,
		.dpicz = bits & 0x20,
		.tst = fields & 0x07,
		.qam = fields >> 3 & 0x0f,
		.qerr = bits >> 6,
	};
}

static size_t build_mode(u8 *buf, size_t room, const struct input *in)
{
	const u8 cdb[10] = { in->arg[0] & 1 ? 0x5a : 0x1a, in->arg[1], in->arg[2], in->arg[3] };
	struct scst_mode cur, saved, def;
	struct scst_mode_ctx ctx = {
		.type = in->arg[0] & 2 ? SCST_TYPE_ROM : SCST_TYPE_DISK,
		.read_only = in->arg[0] & 4,
		.wce_fixed = in->arg[0] & 8,
		.can_save = in->arg[0] & 16,
		.block_shift = 9 + (in->arg[0] >> 5),
	};
	size_t needed = 0;
	u8 bytes[6];

	fill(bytes, sizeof(bytes), in);
	fill(&ctx.nblocks, sizeof(ctx.nblocks), in);
	fill_mode(&cur, bytes[0], bytes[1]);
	fill_mode(&saved, bytes[2], bytes[3]);
	fill_mode(&def, bytes[4], bytes[5]);
	if (scst_mode_sense(buf, room, cdb, &cur, &saved, &def, &ctx, &needed) != SCST_OK)
		return 0;
	MUST(needed <= SCST_MODE_MAX);
	return needed;
}

static bool some(const struct scst_cdb_desc *desc, void *arg)
{
	const u8 *pick = arg;

	return desc->opcode & *pick || desc->service_action & *pick;
}

static size_t build_opcodes(u8 *buf, size_t room, const struct input *in)
{
	u8 cdb[12] = { 0xa3, 0x0c, in->arg[0], in->arg[1], 0, in->arg[2] };
	u8 type = in->arg[3] & 1 ? SCST_TYPE_ROM : SCST_TYPE_DISK, pick = in->arg[3];
	size_t needed;

	if (scst_report_opcodes(buf, room, cdb, type, some, &pick, &needed) != SCST_OK)
		return 0;
	MUST(needed >= 4);
	return needed;
}

/* Designators fill the page, none reaches beyond it. */
static void check_page_83(const u8 *page, size_t len)
{
	size_t off = 4;

	while (off < len) {
		MUST(len - off >= 4);
		MUST(page[off + 3] && page[off + 3] <= len - off - 4);
		off += 4 + page[off + 3];
	}
}

/* The length that the data says it has. */
static void check_length(u8 which, const u8 *buf, size_t len, const struct input *in)
{
	switch (which) {
	case 's':
		MUST(buf[7] + 8U == len && len <= SCST_SENSE_MAX);
		break;
	case 'i':
		MUST(len <= SCST_INQUIRY_MAX);
		if (in->arg[0] == 1 || in->arg[0] == 2) {
			MUST(buf[4] + 5U == len);
			break;
		}
		MUST(buf[1] == in->arg[0] && get_unaligned_be16(buf + 2) + 4U == len);
		if (in->arg[0] == 0x83)
			check_page_83(buf, len);
		break;
	case 'm':
		MUST((in->arg[0] & 1 ? get_unaligned_be16(buf) + 2U : buf[0] + 1U) == len);
		break;
	case 'o':
		if (!(in->arg[0] & 7))
			MUST(get_unaligned_be32(buf) + 4 == len);
		break;
	}
}

static void check(u8 which, build_fn build, size_t room, const struct input *in)
{
	size_t len = build(NULL, 0, in), i;
	u8 *whole, *again, *part;

	MUST(len <= MOST);
	if (!len)
		return;
	whole = malloc(len);
	again = malloc(len);
	part = malloc(room);
	MUST(whole && again && part);

	/* No byte is left as it was found. */
	memset(whole, 0x00, len);
	memset(again, 0xff, len);
	MUST(build(whole, len, in) == len && build(again, len, in) == len);
	MUST(!memcmp(whole, again, len));
	check_length(which, whole, len, in);

	memset(part, 0x5a, room);
	MUST(build(part, room, in) == len);
	MUST(!memcmp(part, whole, min(room, len)));
	for (i = len; i < room; i++)
		MUST(part[i] == 0x5a);
	free(whole);
	free(again);
	free(part);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct {
		u8 letter;
		build_fn build;
	} builders[] = {
		{ 's', build_sense },
		{ 'i', build_inquiry },
		{ 'm', build_mode },
		{ 'o', build_opcodes },
	};
	struct input in;
	size_t i;

	if (size < 6)
		return 0;
	in = (struct input){ .arg = data + 2, .data = data + 6, .size = size - 6 };
	for (i = 0; i < ARRAY_SIZE(builders); i++)
		if (builders[i].letter == data[0])
			check(data[0], builders[i].build, data[1], &in);
	return 0;
}
