/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SCST_PROTO_INQUIRY_H
#define SCST_PROTO_INQUIRY_H

#include "base.h"

#define SCST_VENDOR_LEN		8
#define SCST_PRODUCT_LEN	16
#define SCST_REVISION_LEN	4
#define SCST_T10_ID_LEN		25
#define SCST_VEND_SPEC_ID_LEN	128
#define SCST_USN_LEN		20
#define SCST_SCSI_NAME_LEN	256
#define SCST_INQ_VEND_LEN	160

/**
 * struct scst_ids - what identifies a logical unit (texts NUL terminated, not padded)
 * @vendor: T10 vendor identification, INQUIRY and designator
 * @product: product identification
 * @revision: product revision level
 * @t10_dev_id: base of the default EUI-64
 * @vend_specific_id: tail of the T10 designator
 * @usn: unit serial number, VPD 80
 * @scsi_device_name: SCSI name string designator, or empty
 * @inq_vend_specific: vendor specific INQUIRY data, or empty
 * @naa: NAA designator, @naa_len bytes (0, 8 or 16)
 * @eui64: EUI-64 designator, @eui64_len bytes (0, 8, 12 or 16)
 * @naa_len: see @naa
 * @eui64_len: see @eui64
 */
struct scst_ids {
	char vendor[SCST_VENDOR_LEN + 1];
	char product[SCST_PRODUCT_LEN + 1];
	char revision[SCST_REVISION_LEN + 1];
	char t10_dev_id[SCST_T10_ID_LEN + 1];
	char vend_specific_id[SCST_VEND_SPEC_ID_LEN + 1];
	char usn[SCST_USN_LEN + 1];
	char scsi_device_name[SCST_SCSI_NAME_LEN + 1];
	char inq_vend_specific[SCST_INQ_VEND_LEN + 1];
	u8 naa[16];
	u8 eui64[16];
	u8 naa_len;
	u8 eui64_len;
};

/**
 * struct scst_inquiry - everything that INQUIRY and its VPD pages tell
 * @ids: identity of the logical unit
 * @type: peripheral device type
 * @qualifier: peripheral qualifier (0, 1 or 3)
 * @removable: RMB
 * @tpgs: TPGS field (0 none, 1 implicit, 2 explicit, 3 both)
 * @third_party_copy: 3PC bit
 * @phys_version: physical transport version descriptor, 0 if none
 * @transport_version: SCSI transport version descriptor, 0 if none
 * @rel_tgt_id: relative target port identifier, designator if not 0
 * @tpg_id: target port group, designator if not 0
 * @transport_protocol: SPC protocol identifier for PIV designators, 0xf if none
 * @block_shift: log2 of the logical block length
 * @wce: V_SUP of VPD 86
 * @rotational: rotation rate of VPD B1: 0x3a98, else 1
 * @thin: VPD B2 exists; UNMAP limits in B0
 * @lbprz: unmapped blocks read as zeroes
 * @page_size_blocks: optimal transfer length granularity, blocks
 * @max_xfer_blocks: maximum transfer length
 * @opt_xfer_blocks: optimal transfer length
 * @max_ws_blocks: maximum WRITE SAME length
 * @max_unmap_blocks: maximum UNMAP LBA count
 * @unmap_granularity: optimal unmap granularity, blocks
 * @unmap_alignment: unmap granularity alignment, blocks (UGAVALID if not 0)
 * @max_caw_blocks: maximum COMPARE AND WRITE length
 */
struct scst_inquiry {
	const struct scst_ids *ids;
	u8 type;
	u8 qualifier;
	bool removable;
	u8 tpgs;
	bool third_party_copy;
	u16 phys_version;
	u16 transport_version;
	u16 rel_tgt_id;
	u16 tpg_id;
	u8 transport_protocol;
	u8 block_shift;
	bool wce;
	bool rotational;
	bool thin;
	bool lbprz;
	u32 page_size_blocks;
	u32 max_xfer_blocks;
	u32 opt_xfer_blocks;
	u32 max_ws_blocks;
	u32 max_unmap_blocks;
	u32 unmap_granularity;
	u32 unmap_alignment;
	u8 max_caw_blocks;
};

#define SCST_INQUIRY_MAX	512	/* room that every page below fits */

/*
 * Builders: write at most @room bytes and return the complete length. What is
 * not part of a field is zero.
 */
size_t scst_inquiry_std(u8 *buf, size_t room, const struct scst_inquiry *inq);
/* Standard data for a LUN that does not exist: 36 bytes, byte 0 0x7f, vendor SCST. */
size_t scst_inquiry_absent(u8 *buf, size_t room);
/* One VPD page; 0 if the logical unit does not have @page. */
size_t scst_vpd_page(u8 *buf, size_t room, u8 page, const struct scst_inquiry *inq);

/**
 * scst_ids_default() - identity of a device that the administrator did not name
 * @ids: filled with defaults
 * @name: device name
 * @setup_id: root attribute setup_id
 * @name_crc: CRC-32C of the name with its NUL, start value 0, not inverted
 * @vendor: T10 vendor id of the handler
 * @revision: product revision level
 *
 * Same name and setup_id give the same ids on every node and in every release:
 * a change here makes every multipath host see new disks.
 */
void scst_ids_default(struct scst_ids *ids, const char *name, u32 setup_id, u32 name_crc,
		      const char *vendor, const char *revision);

/**
 * scst_ids_parse_hex() - text of naa_id or eui64_id to bytes
 * @text: hex digits, optional 0x in front; empty clears
 * @out: 16 bytes
 * @naa: apply the rules of NAA (16 digits start with 2, 3 or 5; 32 digits with 6),
 *	else those of EUI-64 (16, 24 or 32 digits)
 *
 * Return: number of bytes (0 if cleared) or -1 if the text is not acceptable.
 */
int scst_ids_parse_hex(const char *text, u8 *out, bool naa);

#endif
