// SPDX-License-Identifier: GPL-2.0
/* TransportIDs, SPC-4 7.6.4. */
#include "transport_id.h"

#define FORMAT_SHIFT		6
#define PROTOCOL_MASK		0x0f

/* iSCSI: the name alone, or with the ISID, which makes it one port (7.6.4.6). */
enum {
	FORMAT_DEVICE		= 0,
	FORMAT_PORT		= 1,
};

#define ISCSI_HEADER_LEN	4
#define ISCSI_MIN_NAME		20	/* ADDITIONAL LENGTH is at least this */
#define ISCSI_SEPARATOR		",i,0x"

#define SRP_PORT_ID_OFF		8
#define SAS_ADDRESS_OFF		4

void scst_tid_srp(u8 *out, const u8 port_id[16])
{
	memset(out, 0, SCST_TID_LEN);
	out[0] = SCST_PROTOCOL_SRP;
	memcpy(out + SRP_PORT_ID_OFF, port_id, 16);
}

void scst_tid_sas(u8 *out, u64 sas_address)
{
	memset(out, 0, SCST_TID_LEN);
	out[0] = SCST_PROTOCOL_SAS;
	put_unaligned_be64(sas_address, out + SAS_ADDRESS_OFF);
}

static u8 name_format(const char *name)
{
	return strstr(name, ISCSI_SEPARATOR) ? FORMAT_PORT : FORMAT_DEVICE;
}

size_t scst_tid_iscsi(u8 *out, const char *name)
{
	size_t len = strlen(name);
	size_t padded = max_t(size_t, (len + 4) & ~(size_t)3, ISCSI_MIN_NAME);

	if (!len || padded > SCST_TID_MAX - ISCSI_HEADER_LEN)
		return 0;
	memset(out, 0, ISCSI_HEADER_LEN + padded);
	out[0] = name_format(name) << FORMAT_SHIFT | SCST_PROTOCOL_ISCSI;
	put_unaligned_be16(padded, out + 2);
	memcpy(out + ISCSI_HEADER_LEN, name, len);
	return ISCSI_HEADER_LEN + padded;
}

static const char *iscsi_name(const u8 *tid)
{
	return (const char *)tid + ISCSI_HEADER_LEN;
}

static size_t iscsi_len(const u8 *buf, size_t avail)
{
	u8 format = buf[0] >> FORMAT_SHIFT;
	size_t len, name_len;

	if (avail < ISCSI_HEADER_LEN || format > FORMAT_PORT)
		return 0;
	len = get_unaligned_be16(buf + 2);
	if (len < ISCSI_MIN_NAME || len % 4 || len > SCST_TID_MAX - ISCSI_HEADER_LEN ||
	    len > avail - ISCSI_HEADER_LEN)
		return 0;
	/* The terminator is part of what was received. */
	name_len = strnlen(iscsi_name(buf), len);
	if (!name_len || name_len == len)
		return 0;
	if (format != name_format(iscsi_name(buf)))
		return 0;
	return ISCSI_HEADER_LEN + len;
}

size_t scst_tid_len(const u8 *buf, size_t avail)
{
	if (!avail)
		return 0;
	switch (buf[0] & PROTOCOL_MASK) {
	case SCST_PROTOCOL_ISCSI:
		return iscsi_len(buf, avail);
	case SCST_PROTOCOL_SRP:
	case SCST_PROTOCOL_SAS:
		if (buf[0] >> FORMAT_SHIFT || avail < SCST_TID_LEN)
			return 0;
		return SCST_TID_LEN;
	default:
		return 0;
	}
}

/* Only what names the port is compared, so reserved bytes make no difference. */
bool scst_tid_equal(const u8 *a, size_t a_len, const u8 *b, size_t b_len)
{
	u8 protocol = a[0] & PROTOCOL_MASK;

	if (protocol != (b[0] & PROTOCOL_MASK))
		return false;
	switch (protocol) {
	case SCST_PROTOCOL_SRP:
		return !memcmp(a + SRP_PORT_ID_OFF, b + SRP_PORT_ID_OFF, 16);
	case SCST_PROTOCOL_SAS:
		return !memcmp(a + SAS_ADDRESS_OFF, b + SAS_ADDRESS_OFF, 8);
	case SCST_PROTOCOL_ISCSI:
		return !strcmp(iscsi_name(a), iscsi_name(b));
	default:
		return a_len == b_len && !memcmp(a, b, a_len);
	}
}
