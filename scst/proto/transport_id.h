/* SPDX-License-Identifier: GPL-2.0 */
/* TransportIDs, SPC-4 7.6.4: the name of an initiator port inside parameter data. */
#ifndef SCST_PROTO_TRANSPORT_ID_H
#define SCST_PROTO_TRANSPORT_ID_H

#include "base.h"

#define SCST_TID_LEN		24	/* of every protocol but iSCSI */
#define SCST_TID_MAX		256	/* iSCSI name, ",i,0x", ISID, header, padding */

/* Protocol identifiers, SPC-4 7.6.1. */
enum {
	SCST_PROTOCOL_SRP	= 4,
	SCST_PROTOCOL_ISCSI	= 5,
	SCST_PROTOCOL_SAS	= 6,
};

/* @out has SCST_TID_LEN bytes; @port_id is the SRP initiator port identifier. */
void scst_tid_srp(u8 *out, const u8 port_id[16]);
void scst_tid_sas(u8 *out, u64 sas_address);

/**
 * scst_tid_iscsi() - TransportID of an iSCSI initiator port
 * @out: SCST_TID_MAX bytes
 * @name: iSCSI name, followed by ",i,0x" and the ISID for the port format
 *
 * Return: its length, 0 if the name is empty or too long.
 */
size_t scst_tid_iscsi(u8 *out, const char *name);

/**
 * scst_tid_len() - check the TransportID at the beginning of a buffer
 * @buf: as received
 * @avail: bytes up to the end of the list it is part of
 *
 * Return: its length, 0 if it is cut off, malformed or of a protocol that no transport
 * here has.
 */
size_t scst_tid_len(const u8 *buf, size_t avail);

/* Do two TransportIDs that scst_tid_len() accepted name the same initiator port? */
bool scst_tid_equal(const u8 *a, size_t a_len, const u8 *b, size_t b_len);

#endif
