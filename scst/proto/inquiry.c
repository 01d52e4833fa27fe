// SPDX-License-Identifier: GPL-2.0
/* Standard INQUIRY data (SPC-4 6.4.2) and the identity of a logical unit. */
#include "inquiry.h"
#include "out.h"
#include "text.h"

#define VERSION_SPC4		6	/* VERSION field */
#define FORMAT_NORMACA		0x22	/* RESPONSE DATA FORMAT 2, NormACA */
#define INQUIRY_ABSENT_LEN	36
#define SHORT_VEND_LEN		20	/* vendor specific bytes 36 to 55 */
#define LONG_VEND_OFF		96

/* Version descriptors, SPC-4 6.4.2 table 142. */
#define VERSION_SAM5_DESC	0x008b
#define VERSION_SPC4_DESC	0x0463
#define VERSION_SBC3_DESC	0x04c0
#define VERSION_MMC_DESC	0x02a0

static void put_version_descriptors(struct scst_out *out, const struct scst_inquiry *inq)
{
	scst_out_be16(out, VERSION_SAM5_DESC);
	if (inq->phys_version)
		scst_out_be16(out, inq->phys_version);
	if (inq->transport_version)
		scst_out_be16(out, inq->transport_version);
	scst_out_be16(out, VERSION_SPC4_DESC);
	scst_out_be16(out, inq->type == 0x05 ? VERSION_MMC_DESC : VERSION_SBC3_DESC);
}

static void patch_additional_length(struct scst_out *out)
{
	u8 n = out->len - 5;

	scst_out_patch(out, 4, &n, 1);
}

size_t scst_inquiry_std(u8 *buf, size_t room, const struct scst_inquiry *inq)
{
	struct scst_out out = { .buf = buf, .room = room };
	const struct scst_ids *ids = inq->ids;
	const char *vend = ids->inq_vend_specific;
	size_t vend_len = strnlen(vend, SCST_INQ_VEND_LEN);

	scst_out_u8(&out, inq->qualifier << 5 | (inq->type & 0x1f));
	scst_out_u8(&out, inq->removable ? 0x80 : 0);
	scst_out_u8(&out, VERSION_SPC4);
	scst_out_u8(&out, FORMAT_NORMACA);
	scst_out_u8(&out, 0);
	scst_out_u8(&out, (inq->third_party_copy ? 0x08 : 0) | (inq->tpgs & 3) << 4);
	scst_out_u8(&out, 0x10);	/* MULTIP */
	scst_out_u8(&out, 0x02);	/* CMDQUE */
	scst_out_text(&out, ids->vendor, SCST_VENDOR_LEN, ' ');
	scst_out_text(&out, ids->product, SCST_PRODUCT_LEN, ' ');
	scst_out_text(&out, ids->revision, SCST_REVISION_LEN, ' ');
	scst_out_text(&out, vend_len <= SHORT_VEND_LEN ? vend : "", SHORT_VEND_LEN, 0);
	scst_out_be16(&out, 0);
	put_version_descriptors(&out, inq);
	if (vend_len > SHORT_VEND_LEN) {
		scst_out_fill(&out, 0, LONG_VEND_OFF - out.len);
		scst_out_bytes(&out, vend, vend_len);
	}
	patch_additional_length(&out);
	return out.len;
}

size_t scst_inquiry_absent(u8 *buf, size_t room)
{
	struct scst_out out = { .buf = buf, .room = room };

	scst_out_u8(&out, 0x7f);	/* no logical unit, no type */
	scst_out_u8(&out, 0);
	scst_out_u8(&out, VERSION_SPC4);
	scst_out_u8(&out, FORMAT_NORMACA);
	scst_out_u8(&out, INQUIRY_ABSENT_LEN - 5);
	scst_out_fill(&out, 0, 3);
	scst_out_text(&out, "SCST", SCST_VENDOR_LEN, ' ');
	scst_out_fill(&out, ' ', SCST_PRODUCT_LEN + SCST_REVISION_LEN);
	return out.len;
}

void scst_ids_default(struct scst_ids *ids, const char *name, u32 setup_id, u32 name_crc,
		      const char *vendor, const char *revision)
{
	u64 id = (u64)setup_id << 32 | name_crc;
	int n;

	memset(ids, 0, sizeof(*ids));
	strscpy(ids->vendor, vendor, sizeof(ids->vendor));
	strscpy(ids->product, name, sizeof(ids->product));
	strscpy(ids->revision, revision, sizeof(ids->revision));
	scnprintf(ids->usn, sizeof(ids->usn), "%llx", id);
	n = scnprintf(ids->t10_dev_id, sizeof(ids->t10_dev_id), "%llx-", id);
	strscpy(ids->t10_dev_id + n, name, sizeof(ids->t10_dev_id) - n);
	strscpy(ids->vend_specific_id, ids->t10_dev_id, sizeof(ids->vend_specific_id));
}

/* First digits that name a registered authority, and their lengths (SPC-4 7.8.6.6). */
static bool good_naa(char first, size_t digits)
{
	return (digits == 16 && strchr("235", first)) || (digits == 32 && first == '6');
}

int scst_ids_parse_hex(const char *text, u8 *out, bool naa)
{
	u8 id[16] = { 0 };
	size_t digits;

	if (!*text) {
		memset(out, 0, 16);
		return 0;
	}
	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
		text += 2;
	digits = strlen(text);
	if (digits != 16 && digits != 32 && (naa || digits != 24))
		return -1;
	if (naa && !good_naa(*text, digits))
		return -1;
	if (scst_text_hex(text, id, digits / 2))
		return -1;
	memcpy(out, id, sizeof(id));
	return digits / 2;
}
