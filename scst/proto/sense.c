// SPDX-License-Identifier: GPL-2.0
/* Sense data, SPC-4 4.5. */
#include "sense.h"
#include "out.h"

/* The parts of a scst_sense_t that only this file needs; see SCST_FIELD(). */
static bool sense_has_field(scst_sense_t sense)
{
	return ((__force u64)sense >> 53) & 1;
}

/* SPC-4 4.5.2.4.2: SKSV, C/D, BPV, bit pointer; then the byte that is wrong. */
static void put_field_pointer(struct scst_out *out, scst_sense_t sense)
{
	u64 raw = (__force u64)sense;
	u8 flags = 0x80 | ((raw >> 52) & 1) << 6 | ((raw >> 51) & 1) << 3 | ((raw >> 48) & 7);

	scst_out_u8(out, flags);
	scst_out_be16(out, (raw >> 32) & 0xffff);
}

static void build_fixed(struct scst_out *out, scst_sense_t sense, bool info_valid, u64 info)
{
	/* SPC-4 4.5.3: an INFORMATION that does not fit is not valid. */
	if (info > U32_MAX)
		info_valid = false;

	scst_out_u8(out, 0x70 | (info_valid ? 0x80 : 0));
	scst_out_u8(out, 0);
	scst_out_u8(out, scst_sense_key(sense));
	scst_out_be32(out, info_valid ? info : 0);
	scst_out_u8(out, SCST_SENSE_FIXED_LEN - 8);
	scst_out_be32(out, 0);
	scst_out_u8(out, scst_sense_asc(sense));
	scst_out_u8(out, scst_sense_ascq(sense));
	scst_out_u8(out, 0);
	if (sense_has_field(sense))
		put_field_pointer(out, sense);
	else
		scst_out_fill(out, 0, 3);
}

static void build_descriptor(struct scst_out *out, scst_sense_t sense, bool info_valid, u64 info)
{
	scst_out_u8(out, 0x72);
	scst_out_u8(out, scst_sense_key(sense));
	scst_out_u8(out, scst_sense_asc(sense));
	scst_out_u8(out, scst_sense_ascq(sense));
	scst_out_fill(out, 0, 3);
	scst_out_u8(out, (info_valid ? 12 : 0) + (sense_has_field(sense) ? 8 : 0));

	if (info_valid) {	/* information descriptor, 4.5.2.2 */
		scst_out_u8(out, 0x00);
		scst_out_u8(out, 0x0a);
		scst_out_u8(out, 0x80);
		scst_out_u8(out, 0);
		scst_out_be64(out, info);
	}
	if (sense_has_field(sense)) {	/* sense key specific descriptor, 4.5.2.4 */
		scst_out_u8(out, 0x02);
		scst_out_u8(out, 0x06);
		scst_out_be16(out, 0);
		put_field_pointer(out, sense);
		scst_out_u8(out, 0);
	}
}

/*
 * Resets and mode changes can be what switches D_SENSE off, so these unit
 * attentions are reported in the format that needs no such agreement.
 */
static bool always_fixed(scst_sense_t sense)
{
	u8 asc = scst_sense_asc(sense);

	return scst_sense_key(sense) == 0x6 &&
	       (asc == 0x29 || (asc == 0x2a && scst_sense_ascq(sense) == 0x01));
}

/**
 * scst_sense_build() - build sense data
 * @buf: where to build
 * @room: size of @buf
 * @descriptor: descriptor format, as D_SENSE or DESC ask for
 * @sense: key, additional sense and field pointer
 * @info_valid: @info means something
 * @info: INFORMATION
 *
 * Context: any.
 * Return: length of the complete data, of which at most @room bytes were written; 0 if
 * the status of @sense does not come with sense data.
 */
size_t scst_sense_build(u8 *buf, size_t room, bool descriptor, scst_sense_t sense,
			bool info_valid, u64 info)
{
	struct scst_out out = { .buf = buf, .room = room };

	if (scst_sense_status(sense) != SAM_CHECK_CONDITION)
		return 0;
	if (descriptor && !always_fixed(sense))
		build_descriptor(&out, sense, info_valid, info);
	else
		build_fixed(&out, sense, info_valid, info);
	return out.len;
}
