/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SCST_PROTO_CDB_H
#define SCST_PROTO_CDB_H

#include "base.h"
#include "sense.h"

#define SCST_CDB_MAX		32

/* SPC peripheral device types that we serve. */
#define SCST_TYPE_DISK		0x00
#define SCST_TYPE_ROM		0x05

/* Directions as SCSI names them: seen from the initiator. */
enum scst_data_dir {
	SCST_DATA_NONE,
	SCST_DATA_IN,
	SCST_DATA_OUT,
};

/* One per opcode and service action that some device type implements. */
enum scst_op {
	SCST_OP_TEST_UNIT_READY,
	SCST_OP_REQUEST_SENSE,
	SCST_OP_FORMAT_UNIT,
	SCST_OP_INQUIRY,
	SCST_OP_MODE_SELECT,
	SCST_OP_MODE_SENSE,
	SCST_OP_RESERVE,
	SCST_OP_RELEASE,
	SCST_OP_START_STOP_UNIT,
	SCST_OP_SEND_DIAGNOSTIC,
	SCST_OP_PREVENT_ALLOW,
	SCST_OP_READ_CAPACITY_10,
	SCST_OP_READ_CAPACITY_16,
	SCST_OP_READ,
	SCST_OP_WRITE,
	SCST_OP_VERIFY,
	SCST_OP_WRITE_AND_VERIFY,
	SCST_OP_SYNCHRONIZE_CACHE,
	SCST_OP_WRITE_SAME,
	SCST_OP_UNMAP,
	SCST_OP_COMPARE_AND_WRITE,
	SCST_OP_GET_LBA_STATUS,
	SCST_OP_LOG_SELECT,
	SCST_OP_LOG_SENSE,
	SCST_OP_READ_TOC,
	SCST_OP_PR_IN,
	SCST_OP_PR_OUT,
	SCST_OP_REPORT_LUNS,
	SCST_OP_REPORT_TPG,
	SCST_OP_SET_TPG,
	SCST_OP_REPORT_OPCODES,
	SCST_OP_REPORT_TMF,
	SCST_OP_NR,
};

/* Properties of a command, by the letters of doc/command-life.md. */
#define SCST_CDB_WRITES_MEDIUM	BIT(0)	/* refused on a read-only logical unit */
#define SCST_CDB_ALLOW_SPC2_RES	BIT(1)	/* allowed while another nexus holds RESERVE */
#define SCST_CDB_ALLOW_WR_EX	BIT(2)	/* unregistered nexus, Write Exclusive */
#define SCST_CDB_ALLOW_EX_AC	BIT(3)	/* unregistered nexus, Exclusive Access */
#define SCST_CDB_IMPLICIT_HQ	BIT(4)	/* HEAD OF QUEUE when sent SIMPLE */
#define SCST_CDB_NO_UA		BIT(5)	/* does not report a pending unit attention */
#define SCST_CDB_SLEEPS		BIT(6)	/* needs process context */
#define SCST_CDB_ATOMIC		BIT(7)	/* excludes overlapping commands */
#define SCST_CDB_MEDIUM_IO	BIT(8)	/* lba/nblocks name a range of the medium */
#define SCST_CDB_FAST_RW	BIT(9)	/* plain READ or WRITE: the handler's own path */
#define SCST_CDB_NEEDS_THIN	BIT(10)	/* listed and accepted on thin devices only */
#define SCST_CDB_ANY_RANGE	BIT(11)	/* overlaps with whatever an atomic command names */

/* How the length field of the CDB is to be read. */
enum scst_cdb_len_unit {
	SCST_LEN_NONE,		/* no data phase */
	SCST_LEN_BYTES,		/* allocation or parameter list length, or a fixed one */
	SCST_LEN_BLOCKS,	/* logical blocks; the data phase holds them */
	SCST_LEN_ONE_BLOCK,	/* logical blocks, the data phase holds one (WRITE SAME) */
	SCST_LEN_TWICE,		/* logical blocks, two for each (COMPARE AND WRITE) */
	SCST_LEN_VERIFY,	/* logical blocks; data phase only with BYTCHK 1 */
	SCST_LEN_RANGE,		/* logical blocks, no data phase (SYNCHRONIZE CACHE) */
};

/**
 * struct scst_cdb_desc - one opcode (and service action) of the command table
 * @name: name by the standard
 * @usage: CDB usage data for REPORT SUPPORTED OPERATION CODES (SPC-4 6.34); @len bytes.
 *	Byte 0 holds the opcode; a set bit elsewhere means that the field is looked at.
 * @opcode: operation code
 * @service_action: service action, meaningful if @has_sa
 * @has_sa: the opcode has service actions
 * @len: length of the CDB in bytes
 * @op: what the device server is asked to do
 * @dir: direction of the data phase, if there is one
 * @unit: how the length field is read
 * @lba_off: offset of the LBA field; @lba_len: its length, 0 if there is none
 * @lba_len: see @lba_off
 * @cnt_off: offset of the length field; @cnt_len: its length, 0 if there is none
 * @cnt_len: see @cnt_off
 * @types: mask of BIT(peripheral device type) that implement the command
 * @flags: SCST_CDB_*
 */
struct scst_cdb_desc {
	const char *name;
	u8 usage[SCST_CDB_MAX];
	u8 opcode;
	u8 service_action;
	bool has_sa;
	u8 len;
	u8 op;		/* enum scst_op */
	u8 dir;		/* enum scst_data_dir */
	u8 unit;	/* enum scst_cdb_len_unit */
	u8 lba_off;
	u8 lba_len;
	u8 cnt_off;
	u8 cnt_len;
	u32 types;
	u32 flags;
};

/**
 * struct scst_cdb - a decoded CDB
 * @desc: row of the command table
 * @lba: first logical block (MEDIUM_IO)
 * @nblocks: number of logical blocks; READ(6)/WRITE(6) 0 is already 256. SYNCHRONIZE CACHE
 *	and others keep 0, whose meaning is the command's own.
 * @xfer_len: bytes of the data phase by the CDB
 * @dir: direction of the data phase; SCST_DATA_NONE if @xfer_len is 0
 * @fua: FUA bit of READ/WRITE/COMPARE AND WRITE; always set for WRITE AND VERIFY, which
 *	checks what is on the medium
 */
struct scst_cdb {
	const struct scst_cdb_desc *desc;
	u64 lba;
	u32 nblocks;
	u32 xfer_len;
	enum scst_data_dir dir;
	bool fua;
};

/**
 * scst_cdb_decode() - find the row of a CDB and its LBA, length and direction
 * @cdb: the bytes as received
 * @cdb_len: how many of them there are
 * @type: peripheral device type of the logical unit
 * @block_shift: log2 of its logical block length
 * @out: result, valid if SCST_OK is returned
 *
 * Checks what a CDB alone can tell: known opcode and service action, complete,
 * NACA/LINK (row 6 of the check order: LINK set is refused at the last byte, bit 0),
 * RDPROTECT/WRPROTECT/VRPROTECT zero, BYTCHK, ANCHOR of UNMAP, FMTPINFO, transfer length
 * that does not overflow 32 bits of bytes (SCST_LBA_RANGE if it does) and lba + nblocks that does
 * not overflow 64 bits. The capacity of the device is checked by the caller.
 *
 * Context: any.
 * Return: SCST_OK, SCST_INVALID_OPCODE, SCST_LBA_RANGE or an INVALID FIELD IN CDB with pointer.
 */
scst_sense_t scst_cdb_decode(const u8 *cdb, size_t cdb_len, u8 type, unsigned int block_shift,
			     struct scst_cdb *out);

/* Length of a CDB by its group code (SPC-4 4.2.5.1), 0 for vendor and reserved groups. */
size_t scst_cdb_len(const u8 *cdb, size_t avail);

/* The table, for REPORT SUPPORTED OPERATION CODES and the tests. */
extern const struct scst_cdb_desc scst_cdb_table[];
extern const unsigned int scst_cdb_table_len;

/* First row of an opcode (and service action, if @sa >= 0) for a device type, or NULL. */
const struct scst_cdb_desc *scst_cdb_find(u8 opcode, int sa, u8 type);

/**
 * scst_report_opcodes() - build the data of REPORT SUPPORTED OPERATION CODES (SPC-4 6.34)
 * @buf: where to build, @room bytes; may be NULL with room 0 to learn the length
 * @room: size of @buf
 * @cdb: the CDB (reporting options, RCTD, requested opcode and service action)
 * @type: peripheral device type
 * @listed: asked per row whether the device offers it (thin, ALUA, ...), with @arg
 * @arg: passed to @listed
 * @needed: length of the complete data
 *
 * Timeouts descriptors with RCTD: nominal 1 s; recommended 10, 60 or 3600 s.
 *
 * Return: SCST_OK or INVALID FIELD IN CDB at byte 2.
 */
scst_sense_t scst_report_opcodes(u8 *buf, size_t room, const u8 *cdb, u8 type,
				 bool (*listed)(const struct scst_cdb_desc *desc, void *arg),
				 void *arg, size_t *needed);

#endif
