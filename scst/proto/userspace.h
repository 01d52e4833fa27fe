/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel names that proto/ uses, for unit tests and fuzzers. Only what is
 * needed, with the kernel's meaning; base.h is the one file that includes this.
 */
#ifndef SCST_PROTO_USERSPACE_H
#define SCST_PROTO_USERSPACE_H

#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long s64;

#define EXPORT_SYMBOL_GPL(name)
#define __bitwise
#define __force
#define fallthrough		__attribute__((fallthrough))
#define likely(x)		__builtin_expect(!!(x), 1)
#define unlikely(x)		__builtin_expect(!!(x), 0)

#define U8_MAX			((u8)~0U)
#define U16_MAX			((u16)~0U)
#define U32_MAX			((u32)~0U)
#define U64_MAX			((u64)~0ULL)

#define BIT(nr)			(1UL << (nr))
#define ARRAY_SIZE(a)		(sizeof(a) / sizeof((a)[0]))
#define DIV_ROUND_UP_ULL(n, d)	({ u64 d_ = (d); ((n) + d_ - 1) / d_; })

#define min(a, b) \
	({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ < b_ ? a_ : b_; })
#define max(a, b) \
	({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
#define min_t(type, a, b)	min((type)(a), (type)(b))
#define max_t(type, a, b)	max((type)(a), (type)(b))
#define clamp(v, lo, hi)	min(max(v, lo), hi)
#define clamp_t(type, v, lo, hi) clamp((type)(v), (type)(lo), (type)(hi))

#define check_add_overflow(a, b, sum)	__builtin_add_overflow(a, b, sum)
#define check_sub_overflow(a, b, diff)	__builtin_sub_overflow(a, b, diff)
#define check_mul_overflow(a, b, prod)	__builtin_mul_overflow(a, b, prod)

static inline u16 get_unaligned_be16(const void *p)
{
	const u8 *b = p;

	return (u16)(b[0] << 8 | b[1]);
}

static inline u32 get_unaligned_be24(const void *p)
{
	const u8 *b = p;

	return (u32)b[0] << 16 | (u32)b[1] << 8 | b[2];
}

static inline u32 get_unaligned_be32(const void *p)
{
	const u8 *b = p;

	return (u32)get_unaligned_be16(b) << 16 | get_unaligned_be16(b + 2);
}

static inline u64 get_unaligned_be64(const void *p)
{
	const u8 *b = p;

	return (u64)get_unaligned_be32(b) << 32 | get_unaligned_be32(b + 4);
}

static inline void put_unaligned_be16(u16 v, void *p)
{
	u8 *b = p;

	b[0] = (u8)(v >> 8);
	b[1] = (u8)v;
}

static inline void put_unaligned_be24(u32 v, void *p)
{
	u8 *b = p;

	b[0] = (u8)(v >> 16);
	put_unaligned_be16((u16)v, b + 1);
}

static inline void put_unaligned_be32(u32 v, void *p)
{
	u8 *b = p;

	put_unaligned_be16((u16)(v >> 16), b);
	put_unaligned_be16((u16)v, b + 2);
}

static inline void put_unaligned_be64(u64 v, void *p)
{
	u8 *b = p;

	put_unaligned_be32((u32)(v >> 32), b);
	put_unaligned_be32((u32)v, b + 4);
}

/* The number of characters copied, or a negative number (-E2BIG) if @src was cut. */
static inline long strscpy(char *dst, const char *src, size_t size)
{
	size_t n;

	for (n = 0; n < size; n++) {
		dst[n] = src[n];
		if (!src[n])
			return (long)n;
	}
	if (size)
		dst[size - 1] = '\0';
	return -7;
}

/* The number of characters written, unlike snprintf(). */
static inline __attribute__((format(printf, 3, 4)))
int scnprintf(char *buf, size_t size, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(buf, size, fmt, ap);
	va_end(ap);
	if (n >= 0 && (size_t)n >= size)
		n = size ? (int)size - 1 : 0;
	return n;
}

#endif
