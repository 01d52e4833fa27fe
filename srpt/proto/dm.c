// SPDX-License-Identifier: GPL-2.0
#include "dm.h"

/* Offsets in the header of a management datagram, and its data. */
enum {
	MAD_METHOD		= 3,
	MAD_STATUS		= 4,
	MAD_ATTR		= 16,
	MAD_MODIFIER		= 20,
	MAD_HEADER_LEN		= 24,
	MAD_DATA		= 64,
};

enum {
	METHOD_GET		= 0x01,
	METHOD_SET		= 0x02,
	METHOD_RESPONSE		= 0x80,	/* a bit */
};

enum {
	ATTR_CLASS_PORT_INFO	= 0x0001,
	ATTR_IO_UNIT_INFO	= 0x0010,
	ATTR_IOC_PROFILE	= 0x0011,
	ATTR_SERVICE_ENTRIES	= 0x0012,
};

enum {
	STATUS_GOOD		= 0x0000,
	STATUS_METHOD		= 0x0008,	/* method not supported */
	STATUS_ATTR		= 0x000c,	/* method and attribute not supported */
	STATUS_FIELD		= 0x001c,	/* invalid field */
	STATUS_NO_IOC		= 0x0100,
};

#define IO_CLASS_SRP_16A	0x0100
#define IO_SUBCLASS_SCSI	0x609e
#define PROTOCOL_SRP		0x0108
#define RESPONSE_TIME		20
/* Send to the controller and from it, RDMA READ and WRITE from it. */
#define OPERATIONS		0x2b
#define SERVICE_NAME_LEN	40

static u16 class_port_info(u8 *data)
{
	data[0] = 1;		/* base version */
	data[1] = 1;		/* class version */
	data[7] = RESPONSE_TIME;
	return STATUS_GOOD;
}

static u16 io_unit_info(u8 *data)
{
	data[1] = 1;		/* change identifier */
	data[2] = SRP_DM_SLOTS;
	data[4] = 0x10;		/* slot 1: present; the others: not installed */
	return STATUS_GOOD;
}

static u16 ioc_profile(u8 *data, u32 slot, const struct srp_dm_info *info)
{
	if (!slot || slot > SRP_DM_SLOTS)
		return STATUS_FIELD;
	if (slot > 2)
		return STATUS_NO_IOC;

	put_unaligned_be64(info->guid, data);
	put_unaligned_be32(info->vendor_id, data + 8);
	put_unaligned_be32(info->device_id, data + 12);
	put_unaligned_be16(info->device_version, data + 16);
	put_unaligned_be32(info->vendor_id, data + 20);		/* subsystem */
	put_unaligned_be16(IO_CLASS_SRP_16A, data + 28);
	put_unaligned_be16(IO_SUBCLASS_SCSI, data + 30);
	put_unaligned_be16(PROTOCOL_SRP, data + 32);
	put_unaligned_be16(1, data + 34);			/* protocol version */
	put_unaligned_be16(info->send_queue_depth, data + 40);
	data[43] = info->rdma_read_depth;
	put_unaligned_be32(info->send_size, data + 44);
	put_unaligned_be32(info->rdma_size, data + 48);
	data[52] = OPERATIONS;
	data[54] = 1;						/* service entries */
	memcpy(data + 64, info->id, min_t(size_t, strlen(info->id), 64));
	return STATUS_GOOD;
}

/* @modifier: slot, last and first entry. */
static u16 service_entries(u8 *data, u32 modifier, const struct srp_dm_info *info)
{
	u32 slot = modifier >> 16, last = modifier >> 8 & 0xff, first = modifier & 0xff;
	char name[SERVICE_NAME_LEN];

	if (!slot || slot > SRP_DM_SLOTS)
		return STATUS_FIELD;
	if (slot > 2 || first > last || last > 1)
		return STATUS_NO_IOC;

	memset(name, 0, sizeof(name));
	scnprintf(name, sizeof(name), "SRP.T10:%016llx", (unsigned long long)info->guid);
	memcpy(data, name, sizeof(name));
	put_unaligned_be64(info->guid, data + SERVICE_NAME_LEN);
	return STATUS_GOOD;
}

static u16 get_attr(const u8 *req, const struct srp_dm_info *info, u8 *data)
{
	u32 modifier = get_unaligned_be32(req + MAD_MODIFIER);

	switch (get_unaligned_be16(req + MAD_ATTR)) {
	case ATTR_CLASS_PORT_INFO:
		return class_port_info(data);
	case ATTR_IO_UNIT_INFO:
		return io_unit_info(data);
	case ATTR_IOC_PROFILE:
		return ioc_profile(data, modifier, info);
	case ATTR_SERVICE_ENTRIES:
		return service_entries(data, modifier, info);
	default:
		return STATUS_ATTR;
	}
}

bool srp_dm_answer(const u8 req[SRP_DM_MAD_LEN], const struct srp_dm_info *info,
		   u8 rsp[SRP_DM_MAD_LEN])
{
	u8 method = req[MAD_METHOD];
	u16 status;

	if (method & METHOD_RESPONSE)
		return false;
	memset(rsp, 0, SRP_DM_MAD_LEN);
	memcpy(rsp, req, MAD_HEADER_LEN);
	rsp[MAD_METHOD] = METHOD_GET | METHOD_RESPONSE;

	if (method == METHOD_GET)
		status = get_attr(req, info, rsp + MAD_DATA);
	else
		status = method == METHOD_SET ? STATUS_ATTR : STATUS_METHOD;
	put_unaligned_be16(status, rsp + MAD_STATUS);
	return true;
}
