/* SPDX-License-Identifier: GPL-2.0 */
/* What the fuzzers share. */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stdint.h>
#include <stdlib.h>

#include "scst/proto/base.h"

/* Not assert(): a build with NDEBUG would find nothing. */
#define MUST(cond)	do { if (!(cond)) __builtin_trap(); } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A copy that ends where the data ends. */
static inline void *fuzz_copy(const u8 *data, size_t size)
{
	void *copy = malloc(size);

	MUST(copy);
	if (size)
		memcpy(copy, data, size);
	return copy;
}

/* The same as a string. */
static inline char *fuzz_string(const u8 *data, size_t size)
{
	char *copy = malloc(size + 1);

	MUST(copy);
	if (size)
		memcpy(copy, data, size);
	copy[size] = '\0';
	return copy;
}

#endif
