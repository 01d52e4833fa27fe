/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SCST_PROTO_SENSE_H
#define SCST_PROTO_SENSE_H

#include "base.h"

/**
 * typedef scst_sense_t - why a command is refused
 *
 * Zero means "not refused". Everything else carries the SAM status and, for
 * CHECK CONDITION, sense key, additional sense code and qualifier and the
 * optional sense-key specific field pointer (SPC-4 4.5.2.4). It is a type of
 * its own so that sparse catches a mixture with -errno.
 */
typedef u64 __bitwise scst_sense_t;

#define SCST_OK			((__force scst_sense_t)0)

/* Layout: ascq 0-7, asc 8-15, key 16-19, status 24-31, field pointer 32-55. */
#define SCST_STATUS_ONLY(status) \
	((__force scst_sense_t)((u64)(status) << 24))
#define SCST_SENSE(key, asc, ascq) \
	((__force scst_sense_t)(((u64)SAM_CHECK_CONDITION << 24) | \
				((u64)(key) << 16) | ((u64)(asc) << 8) | (u64)(ascq)))

/* Field pointer: bits 32-47 byte, 48-50 bit, 51 BPV, 52 C/D, 53 SKSV. */
#define SCST_FIELD(cd, byte, bpv, bit) \
	(((u64)(byte) << 32) | ((u64)(bit) << 48) | ((u64)(bpv) << 51) | \
	 ((u64)(cd) << 52) | (1ULL << 53))
#define SCST_SENSE_AT(key, asc, ascq, field) \
	((__force scst_sense_t)((__force u64)SCST_SENSE(key, asc, ascq) | (field)))

/* INVALID FIELD IN CDB (5/24/00), with and without a bit pointer. */
#define SCST_CDB_FIELD(byte)		SCST_SENSE_AT(0x5, 0x24, 0, SCST_FIELD(1, byte, 0, 0))
#define SCST_CDB_FIELD_BIT(byte, bit)	SCST_SENSE_AT(0x5, 0x24, 0, SCST_FIELD(1, byte, 1, bit))
/* INVALID FIELD IN PARAMETER LIST (5/26/00). */
#define SCST_PARAM_FIELD(byte)		SCST_SENSE_AT(0x5, 0x26, 0, SCST_FIELD(0, byte, 0, 0))
#define SCST_PARAM_FIELD_BIT(byte, bit)	SCST_SENSE_AT(0x5, 0x26, 0, SCST_FIELD(0, byte, 1, bit))

/* SAM-5 status codes (5.3.1). */
enum {
	SAM_GOOD			= 0x00,
	SAM_CHECK_CONDITION		= 0x02,
	SAM_CONDITION_MET		= 0x04,
	SAM_BUSY			= 0x08,
	SAM_RESERVATION_CONFLICT	= 0x18,
	SAM_TASK_SET_FULL		= 0x28,
	SAM_ACA_ACTIVE			= 0x30,
	SAM_TASK_ABORTED		= 0x40,
};

#define SCST_RESERVATION_CONFLICT	SCST_STATUS_ONLY(SAM_RESERVATION_CONFLICT)
#define SCST_BUSY			SCST_STATUS_ONLY(SAM_BUSY)
#define SCST_TASK_SET_FULL		SCST_STATUS_ONLY(SAM_TASK_SET_FULL)
#define SCST_ACA_ACTIVE			SCST_STATUS_ONLY(SAM_ACA_ACTIVE)
#define SCST_TASK_ABORTED		SCST_STATUS_ONLY(SAM_TASK_ABORTED)

#define SCST_NO_SENSE			SCST_SENSE(0x0, 0x00, 0x00)
#define SCST_ALUA_TRANSITION		SCST_SENSE(0x2, 0x04, 0x0a)
#define SCST_ALUA_STANDBY		SCST_SENSE(0x2, 0x04, 0x0b)
#define SCST_ALUA_UNAVAILABLE		SCST_SENSE(0x2, 0x04, 0x0c)
#define SCST_NO_MEDIUM			SCST_SENSE(0x2, 0x3a, 0x00)
#define SCST_WRITE_ERROR		SCST_SENSE(0x3, 0x03, 0x00)
#define SCST_READ_ERROR			SCST_SENSE(0x3, 0x11, 0x00)
#define SCST_HARDWARE_ERROR		SCST_SENSE(0x4, 0x44, 0x00)
#define SCST_WRONG_IU_LENGTH		SCST_SENSE(0x5, 0x0e, 0x03)
#define SCST_PARAM_LIST_LENGTH		SCST_SENSE(0x5, 0x1a, 0x00)
#define SCST_INVALID_OPCODE		SCST_SENSE(0x5, 0x20, 0x00)
#define SCST_LBA_RANGE			SCST_SENSE(0x5, 0x21, 0x00)
#define SCST_LUN_NOT_SUPPORTED		SCST_SENSE(0x5, 0x25, 0x00)
#define SCST_SAVING_NOT_SUPPORTED	SCST_SENSE(0x5, 0x39, 0x00)
#define SCST_INVALID_MESSAGE		SCST_SENSE(0x5, 0x49, 0x00)
#define SCST_DATA_PROTECT		SCST_SENSE(0x7, 0x00, 0x00)
#define SCST_NO_SPACE			SCST_SENSE(0x7, 0x27, 0x07)
#define SCST_ABORTED			SCST_SENSE(0xb, 0x00, 0x00)
#define SCST_INTERNAL_FAILURE		SCST_SENSE(0xb, 0x44, 0x00)
#define SCST_MISCOMPARE			SCST_SENSE(0xe, 0x1d, 0x00)

/* Unit attentions (key 6); see ua.h for who gets which. */
#define SCST_UA(asc, ascq)		SCST_SENSE(0x6, asc, ascq)

#define SCST_SENSE_FIXED_LEN		18
#define SCST_SENSE_MAX			96

static inline u8 scst_sense_status(scst_sense_t s)
{
	return ((__force u64)s >> 24) & 0xff;
}

static inline u8 scst_sense_key(scst_sense_t s)
{
	return ((__force u64)s >> 16) & 0xf;
}

static inline u8 scst_sense_asc(scst_sense_t s)
{
	return ((__force u64)s >> 8) & 0xff;
}

static inline u8 scst_sense_ascq(scst_sense_t s)
{
	return (__force u64)s & 0xff;
}

size_t scst_sense_build(u8 *buf, size_t room, bool descriptor, scst_sense_t sense,
			bool info_valid, u64 info);

#endif
