/* SPDX-License-Identifier: GPL-2.0 */
/* What the unit tests share; cmocka wants its four headers in this order. */
#ifndef TESTS_UNIT_COMMON_H
#define TESTS_UNIT_COMMON_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <stdlib.h>
#include <cmocka.h>

#include "scst/proto/base.h"

/* Both are 64-bit values with key, code and field pointer in hex digits of their own. */
#define assert_sense(got, want)	assert_int_equal((u64)(got), (u64)(want))

typedef size_t (*build_fn)(u8 *buf, size_t room, const void *arg);

/*
 * Call a builder with every room from 0 to what it needs. The buffers are
 * exactly that large, so that AddressSanitizer sees a byte too many; what
 * is written has to be the beginning of the complete data.
 */
static inline void check_every_room(build_fn build, const void *arg)
{
	u8 full[4096];
	size_t len, room;

	memset(full, 0x5a, sizeof(full));
	len = build(full, sizeof(full), arg);
	assert_true(len > 0 && len < sizeof(full));
	assert_int_equal(full[len], 0x5a);

	for (room = 0; room <= len; room++) {
		u8 *buf = malloc(room);

		if (room)
			memset(buf, 0xa5, room);
		assert_int_equal(build(buf, room, arg), len);
		if (room)
			assert_memory_equal(buf, full, room);
		free(buf);
	}
	assert_int_equal(build(NULL, 0, arg), len);
}

/* A copy that ends where the data ends: reading past it is caught. */
static inline u8 *exact_copy(const void *data, size_t len)
{
	u8 *copy = malloc(len);

	assert_non_null(copy);
	if (len)
		memcpy(copy, data, len);
	return copy;
}

#endif
