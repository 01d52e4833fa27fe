/* SPDX-License-Identifier: GPL-2.0 */
/*
 * SRP information units (SCSI RDMA Protocol, revision 16a, and immediate data
 * of SRP-2): from bytes to structs and back. Big-endian fields at offsets that
 * iu.c names; tags stay 64-bit values that only have to come back unchanged.
 */
#ifndef SRPT_PROTO_IU_H
#define SRPT_PROTO_IU_H

#include "scst/proto/base.h"

enum srp_opcode {
	SRP_OP_LOGIN_REQ	= 0x00,
	SRP_OP_TSK_MGMT		= 0x01,
	SRP_OP_CMD		= 0x02,
	SRP_OP_I_LOGOUT		= 0x03,
	SRP_OP_CRED_RSP		= 0x41,
	SRP_OP_AER_RSP		= 0x42,
	SRP_OP_LOGIN_RSP	= 0xc0,
	SRP_OP_RSP		= 0xc1,
	SRP_OP_LOGIN_REJ	= 0xc2,
};

/* Fixed lengths; SRP_RSP and SRP_CMD are followed by data. */
#define SRP_LOGIN_REQ_LEN	64	/* as IB/CM private data */
#define SRP_LOGIN_REQ_CM_LEN	56	/* as RDMA/CM private data, without reserved fields */
#define SRP_LOGIN_RSP_LEN	52
#define SRP_LOGIN_REJ_LEN	32
#define SRP_CMD_LEN		48
#define SRP_TSK_MGMT_LEN	48
#define SRP_RSP_LEN		36
#define SRP_RSP_DATA_LEN	4
#define SRP_DESC_LEN		16	/* one memory descriptor */
#define SRP_INDIRECT_LEN	20	/* table descriptor and total length */

#define SRP_MIN_IT_IU_LEN	64

/* Buffer formats in login messages. */
#define SRP_FMT_DIRECT		BIT(1)
#define SRP_FMT_INDIRECT	BIT(2)

/* Login request flags. */
#define SRP_LOGIN_MULTICHAN	0x03	/* mask of the multi-channel action */
#define SRP_LOGIN_SINGLE	0x00
#define SRP_LOGIN_INDEPENDENT	0x01
#define SRP_LOGIN_IMM_DATA	0x80

/* Login response flags. */
#define SRP_LOGIN_TERMINATED	0x01
#define SRP_LOGIN_MAINTAINED	0x02

enum srp_rej_reason {
	SRP_REJ_UNABLE_ESTABLISH	= 0x00010000,
	SRP_REJ_RESOURCES		= 0x00010001,
	SRP_REJ_IT_IU_TOO_LARGE		= 0x00010002,
	SRP_REJ_NO_ASSOCIATION		= 0x00010003,
	SRP_REJ_BUFFER_FORMAT		= 0x00010004,
	SRP_REJ_MULTICHAN		= 0x00010005,
};

/**
 * struct srp_login - a login request
 * @tag: comes back in the answer
 * @it_iu_len: longest information unit that the initiator wants to send
 * @buf_fmt: SRP_FMT_* that it requires
 * @flags: SRP_LOGIN_*
 * @imm_offset: where immediate data will start in SRP_CMD
 * @initiator_port: initiator port identifier
 * @target_port: target port identifier: identifier extension, then IOC GUID
 */
struct srp_login {
	u64 tag;
	u32 it_iu_len;
	u16 buf_fmt;
	u16 imm_offset;
	u8 flags;
	u8 initiator_port[16];
	u8 target_port[16];
};

/* What a target port accepts. */
struct srp_login_limits {
	u64 guid;		/* both halves of the target port identifier */
	u32 max_it_iu_len;
};

struct srp_login_rsp {
	u64 tag;
	u32 req_lim_delta;
	u32 max_it_iu_len;
	u32 max_ti_iu_len;
	u8 flags;		/* SRP_LOGIN_TERMINATED ... IMM_DATA */
};

/**
 * srp_login_parse() - read a login request
 * @buf: CM private data
 * @len: its length
 * @compact: the 56-byte form of RDMA/CM
 * @login: result; the tag is set whenever it is there
 *
 * Return: false if it is too short or no login request.
 */
bool srp_login_parse(const u8 *buf, size_t len, bool compact, struct srp_login *login);

/**
 * srp_login_check() - what the target port itself finds wrong with a request
 * @login: request
 * @limits: see there
 *
 * Return: 0 or an enum srp_rej_reason.
 */
u32 srp_login_check(const struct srp_login *login, const struct srp_login_limits *limits);

/* May the initiator send immediate data, if the port can take it? */
bool srp_login_wants_imm_data(const struct srp_login *login);

void srp_login_rsp_build(u8 buf[SRP_LOGIN_RSP_LEN], const struct srp_login_rsp *rsp);
void srp_login_rej_build(u8 buf[SRP_LOGIN_REJ_LEN], u64 tag, u32 reason);

enum srp_data_dir { SRP_DATA_NONE, SRP_DATA_IN, SRP_DATA_OUT };

/* One memory descriptor: a piece of initiator memory. */
struct srp_desc {
	u64 va;
	u32 key;
	u32 len;
};

/**
 * struct srp_cmd - an SRP_CMD information unit
 * @tag: command identifier
 * @lun: 8 bytes
 * @cdb: CDB, @cdb_len bytes of it
 * @cdb_len: 16 and the additional CDB bytes
 * @task_attr: task attribute field, 0 to 7
 * @dir: direction of the data buffer
 * @data_len: length of the data buffer
 * @descs: raw memory descriptors inside the information unit, or NULL
 * @nr_descs: number of descriptors in the whole table
 * @table: where the table is in initiator memory, if @ext_table
 * @ext_table: the information unit does not hold all of the table
 * @imm_data: immediate data, @data_len bytes, or NULL
 */
struct srp_cmd {
	u64 tag;
	const u8 *lun;
	const u8 *cdb;
	size_t cdb_len;
	u8 task_attr;
	enum srp_data_dir dir;
	u32 data_len;
	const u8 *descs;
	u32 nr_descs;
	struct srp_desc table;
	bool ext_table;
	const u8 *imm_data;
};

enum srp_parsed {
	SRP_PARSED,
	SRP_BAD_DATA,	/* tag and LUN are there, the data buffer description is wrong */
	SRP_TOO_SHORT,	/* not even a tag to answer to */
};

/**
 * srp_cmd_parse() - read an SRP_CMD
 * @buf: as received
 * @len: bytes received
 * @imm_offset: negotiated offset of immediate data, 0 if there may be none
 * @max_descs: longest descriptor table that is accepted
 * @cmd: result; points into @buf
 *
 * The descriptors are known to lie inside the information unit (unless @ext_table) and to
 * cover data_len bytes.
 */
enum srp_parsed srp_cmd_parse(const u8 *buf, size_t len, u32 imm_offset, u32 max_descs,
			      struct srp_cmd *cmd);

void srp_desc_get(const u8 *raw, struct srp_desc *desc);
/* Do @nr raw descriptors cover @len bytes? */
bool srp_descs_cover(const u8 *raw, u32 nr, u32 len);

struct srp_tsk_mgmt {
	u64 tag;
	u64 task_tag;
	const u8 *lun;
	u8 function;
};

/* Task management functions, and the response codes in SRP_RSP. */
enum {
	SRP_TMF_ABORT_TASK	= 0x01,
	SRP_TMF_ABORT_TASK_SET	= 0x02,
	SRP_TMF_CLEAR_TASK_SET	= 0x04,
	SRP_TMF_LUN_RESET	= 0x08,
	SRP_TMF_CLEAR_ACA	= 0x40,
};

enum srp_rsp_code {
	SRP_RSP_COMPLETE	= 0x00,
	SRP_RSP_INVALID_FIELDS	= 0x02,
	SRP_RSP_NOT_SUPPORTED	= 0x04,
	SRP_RSP_FAILED		= 0x05,
};

/* False if the information unit is too short. */
bool srp_tsk_mgmt_parse(const u8 *buf, size_t len, struct srp_tsk_mgmt *tm);

/**
 * struct srp_rsp - what an SRP_RSP says
 * @tag: of the request
 * @req_lim_delta: credits given back
 * @status: SAM status
 * @dir: direction that @resid is about
 * @resid: bytes not transferred (> 0, underflow) or not transferable (< 0, overflow)
 * @sense: sense data
 * @sense_len: its length, 0 if there is none
 * @has_code: answer to a task management function
 * @code: ... enum srp_rsp_code
 */
struct srp_rsp {
	u64 tag;
	u32 req_lim_delta;
	u8 status;
	enum srp_data_dir dir;
	s64 resid;
	const u8 *sense;
	size_t sense_len;
	bool has_code;
	u8 code;
};

/**
 * srp_rsp_build() - build an SRP_RSP
 * @buf: where to, at least SRP_RSP_LEN + SRP_RSP_DATA_LEN bytes
 * @room: size of @buf, which cuts the sense data
 * @rsp: contents
 *
 * Return: number of bytes.
 */
size_t srp_rsp_build(u8 *buf, size_t room, const struct srp_rsp *rsp);

/* Fixed format sense data of ILLEGAL REQUEST, INVALID FIELD IN CDB. */
#define SRP_SENSE_LEN	18
void srp_sense_invalid_field(u8 sense[SRP_SENSE_LEN]);

#endif
