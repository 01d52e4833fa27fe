/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of proto/ may use: fixed-size types, unaligned big-endian
 * access, string functions. In the kernel these come from kernel headers, in
 * unit tests and fuzzers from userspace.h, which supplies the same names.
 */
#ifndef SCST_PROTO_BASE_H
#define SCST_PROTO_BASE_H

#ifdef __KERNEL__
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/ctype.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/overflow.h>
#include <linux/string.h>
#include <linux/types.h>
#include <asm/unaligned.h>
#else
#include "userspace.h"
#endif

#endif
