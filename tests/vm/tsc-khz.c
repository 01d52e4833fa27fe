// SPDX-License-Identifier: GPL-2.0
/*
 * Print the rate of the processor's time stamp counter in kHz.
 *
 * The emulator passes the counter through, and a guest that trusts it measures its
 * rate against an emulated timer, which is late when the host is busy: a rate found
 * too low by as much makes the guest's clock run fast until it is switched off. Here
 * a moment without interruption is picked at both ends.
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

struct sample {
	uint64_t ticks;
	int64_t ns;
};

static struct sample take(void)
{
	struct sample best = { 0 };
	uint64_t before, after, least = UINT64_MAX;
	struct timespec ts;
	int i;

	for (i = 0; i < 1000; i++) {
		before = __rdtsc();
		clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
		after = __rdtsc();
		if (after - before < least) {
			least = after - before;
			best.ticks = before + least / 2;
			best.ns = ts.tv_sec * 1000000000LL + ts.tv_nsec;
		}
	}
	return best;
}

int main(void)
{
	struct sample start = take(), end;

	usleep(50000);
	end = take();
	printf("%.0f\n", (end.ticks - start.ticks) * 1e6 / (end.ns - start.ns));
	return 0;
}
