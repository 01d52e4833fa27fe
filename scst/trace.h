/* SPDX-License-Identifier: GPL-2.0 */
/* Tracepoints at the state changes of commands and task management functions. */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM scst

#ifdef CONFIG_SCST_PERF
#ifndef SCST_NO_TRACE
#define SCST_NO_TRACE
#define trace_scst_cmd_state(cmd, state)	do { } while (0)
#define trace_scst_tmf_done(tmf)		do { } while (0)
#endif
#else

#if !defined(SCST_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define SCST_TRACE_H

#include <linux/tracepoint.h>

#include "internal.h"

#define scst_show_state(state)				\
	__print_symbolic(state,				\
		{ SCST_CMD_NEW,		"NEW" },	\
		{ SCST_CMD_PARSED,	"PARSED" },	\
		{ SCST_CMD_WAIT_DATA,	"WAIT_DATA" },	\
		{ SCST_CMD_QUEUED,	"QUEUED" },	\
		{ SCST_CMD_EXEC,	"EXEC" },	\
		{ SCST_CMD_DONE,	"DONE" },	\
		{ SCST_CMD_SENDING,	"SENDING" })

TRACE_EVENT(scst_cmd_state,
	TP_PROTO(const struct scst_cmd *cmd, u8 state),
	TP_ARGS(cmd, state),
	TP_STRUCT__entry(
		__string(initiator, cmd->sess->initiator)
		__field(u64, tag)
		__field(int, lun)
		__field(u8, state)
		__field(u8, status)
		__field(u32, data_len)
		__array(u8, cdb, 16)
	),
	TP_fast_assign(
		__assign_str(initiator, cmd->sess->initiator);
		__entry->tag = cmd->tag;
		__entry->lun = cmd->nexus ? (int)cmd->nexus->lun : -1;
		__entry->state = state;
		__entry->status = cmd->status;
		__entry->data_len = cmd->data_len;
		memcpy(__entry->cdb, cmd->cdb, sizeof(__entry->cdb));
	),
	TP_printk("%s lun %d tag %llu %s status %#x len %u cdb %s", __get_str(initiator),
		  __entry->lun, __entry->tag, scst_show_state(__entry->state), __entry->status,
		  __entry->data_len, __print_hex(__entry->cdb, sizeof(__entry->cdb)))
);

TRACE_EVENT(scst_tmf_done,
	TP_PROTO(const struct scst_tmf *tmf),
	TP_ARGS(tmf),
	TP_STRUCT__entry(
		__string(initiator, tmf->sess->initiator)
		__field(u64, tag)
		__field(u8, fn)
		__field(u8, result)
	),
	TP_fast_assign(
		__assign_str(initiator, tmf->sess->initiator);
		__entry->tag = tmf->tag;
		__entry->fn = tmf->fn;
		__entry->result = tmf->result;
	),
	TP_printk("%s function %u tag %llu result %u", __get_str(initiator), __entry->fn,
		  __entry->tag, __entry->result)
);

#endif

#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>

#endif
