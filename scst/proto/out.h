/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writing parameter data into a buffer that may be too small. Every builder of
 * proto/ goes through here, so that "never past the room" is decided once.
 */
#ifndef SCST_PROTO_OUT_H
#define SCST_PROTO_OUT_H

#include "base.h"

/**
 * struct scst_out - data under construction
 * @buf: where it goes
 * @room: bytes that fit
 * @len: bytes that the complete data has so far; may exceed @room
 */
struct scst_out {
	u8 *buf;
	size_t room;
	size_t len;
};

/* Overwrite what was put at @at, as far as it is inside the room. */
static inline void scst_out_patch(struct scst_out *out, size_t at, const void *data, size_t n)
{
	if (at < out->room)
		memcpy(out->buf + at, data, min(n, out->room - at));
}

static inline void scst_out_patch_be16(struct scst_out *out, size_t at, u16 v)
{
	u8 b[2];

	put_unaligned_be16(v, b);
	scst_out_patch(out, at, b, sizeof(b));
}

static inline void scst_out_patch_be32(struct scst_out *out, size_t at, u32 v)
{
	u8 b[4];

	put_unaligned_be32(v, b);
	scst_out_patch(out, at, b, sizeof(b));
}

static inline void scst_out_bytes(struct scst_out *out, const void *data, size_t n)
{
	scst_out_patch(out, out->len, data, n);
	out->len += n;
}

static inline void scst_out_fill(struct scst_out *out, u8 v, size_t n)
{
	if (out->len < out->room)
		memset(out->buf + out->len, v, min(n, out->room - out->len));
	out->len += n;
}

static inline void scst_out_u8(struct scst_out *out, u8 v)
{
	scst_out_bytes(out, &v, sizeof(v));
}

static inline void scst_out_be16(struct scst_out *out, u16 v)
{
	scst_out_fill(out, 0, 2);
	scst_out_patch_be16(out, out->len - 2, v);
}

static inline void scst_out_be24(struct scst_out *out, u32 v)
{
	scst_out_u8(out, (v >> 16) & 0xff);
	scst_out_be16(out, v & 0xffff);
}

static inline void scst_out_be32(struct scst_out *out, u32 v)
{
	scst_out_fill(out, 0, 4);
	scst_out_patch_be32(out, out->len - 4, v);
}

static inline void scst_out_be64(struct scst_out *out, u64 v)
{
	scst_out_be32(out, v >> 32);
	scst_out_be32(out, v & U32_MAX);
}

/* Text of at most @width characters, padded with @pad to exactly @width. */
static inline void scst_out_text(struct scst_out *out, const char *text, size_t width, u8 pad)
{
	size_t n = 0;

	while (n < width && text[n])
		n++;
	scst_out_bytes(out, text, n);
	scst_out_fill(out, pad, width - n);
}

#endif
