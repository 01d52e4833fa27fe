// SPDX-License-Identifier: GPL-2.0
/*
 * SRP login: the part that does not depend on the connection manager.
 *
 * A channel is on its port's list while it logs in, so that disabling or
 * removing the port sees it. If the login fails, the initiator gets an SRP
 * reason and the channel ends like any other.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <asm/unaligned.h>

#include "srpt.h"

#define SRPT_TRANSPORT_ID_LEN	24

static const char *srpt_rej_name(u32 reason)
{
	switch (reason) {
	case SRP_REJ_RESOURCES:
		return "insufficient resources";
	case SRP_REJ_IT_IU_TOO_LARGE:
		return "length of information units out of range";
	case SRP_REJ_NO_ASSOCIATION:
		return "wrong target port identifier";
	case SRP_REJ_BUFFER_FORMAT:
		return "unsupported buffer format";
	case SRP_REJ_MULTICHAN:
		return "unsupported multi-channel action";
	default:
		return "malformed request";
	}
}

void srpt_login_rej(const struct srpt_login_in *in, const char *name, int err,
		    u8 rej[SRP_LOGIN_REJ_LEN])
{
	struct srp_login login;
	const char *why;

	switch (err) {
	case -ESHUTDOWN:
		why = "target port is disabled";
		break;
	case -ENODEV:
		why = "HCA port is no target port";
		break;
	case -EBUSY:
		why = "too many channels";
		break;
	default:
		why = "no memory";
	}
	pr_info_ratelimited("login of %s refused: %s\n", name, why);
	srp_login_parse(in->private_data, in->private_data_len, in->compact, &login);
	srp_login_rej_build(rej, login.tag, SRP_REJ_RESOURCES);
}

static bool srpt_same_nexus(const struct srpt_ch *a, const struct srpt_ch *b)
{
	return !memcmp(a->login.initiator_port, b->login.initiator_port, 16) &&
	       !memcmp(a->login.target_port, b->login.target_port, 16);
}

/*
 * Other channels of the same I_T nexus: keep or disconnect them, as the initiator asked (SRP
 * 5.4.2). Only those that came before: of two logins at the same time the later one wins.
 *
 * Sets the multi-channel result of the login response; false if the port was disabled meanwhile.
 */
static bool srpt_login_relogin(struct srpt_ch *ch, u8 *result)
{
	bool single = (ch->login.flags & SRP_LOGIN_MULTICHAN) == SRP_LOGIN_SINGLE;
	struct srpt_port *port = ch->port;
	struct srpt_ch *other;
	bool enabled;

	*result = 0;
	mutex_lock(&port->mutex);
	list_for_each_entry(other, &port->channels, entry) {
		if (other == ch)
			break;
		if (!srpt_same_nexus(ch, other) || srpt_ch_state(other) > SRPT_CH_LIVE)
			continue;
		if (single)
			srpt_ch_close(other);
		*result = single ? SRP_LOGIN_TERMINATED : SRP_LOGIN_MAINTAINED;
	}
	enabled = port->enabled && !port->dead;
	mutex_unlock(&port->mutex);
	return enabled;
}

static int srpt_login_session(struct srpt_ch *ch)
{
	u8 transport_id[SRPT_TRANSPORT_ID_LEN] = { srpt_ops.protocol };
	struct scst_session *sess;

	memcpy(transport_id + 8, ch->login.initiator_port, 16);
	sess = scst_session_create(ch->port->tgt, ch->name, transport_id, sizeof(transport_id), ch);
	if (IS_ERR(sess))
		return PTR_ERR(sess);
	ch->sess = sess;
	return 0;
}

static int srpt_login_accept(struct srpt_ch *ch, u8 result)
{
	struct srp_login_rsp rsp = {
		.tag		= ch->login.tag,
		.req_lim_delta	= ch->credits,
		.max_it_iu_len	= srpt_max_req_size,
		.max_ti_iu_len	= ch->login.it_iu_len,
		.flags		= result,
	};
	u8 buf[SRP_LOGIN_RSP_LEN];

	if (ch->imm_offset)
		rsp.flags |= SRP_LOGIN_IMM_DATA;
	srp_login_rsp_build(buf, &rsp);
	return ch->cm->accept(ch, buf, sizeof(buf));
}

/* All steps of a login; 0 or an enum srp_rej_reason. */
static u32 srpt_login_steps(struct srpt_ch *ch)
{
	const struct srp_login_limits limits = {
		.guid		= srpt_service_guid,
		.max_it_iu_len	= srpt_max_req_size,
	};
	u32 reason;
	u8 result;
	int ret;

	if (!ch->login_good)
		return SRP_REJ_UNABLE_ESTABLISH;
	reason = srp_login_check(&ch->login, &limits);
	if (reason)
		return reason;

	ret = srpt_ch_create_resources(ch);
	if (!ret)
		ret = srpt_login_session(ch);
	if (ret) {
		atomic_inc(&ch->port->refused);
		pr_warn_ratelimited("%s: login of %s: error %d%s\n", ch->port->name, ch->name, ret,
				    ret == -ENOBUFS ? ", srpt_max_channel_mem is reached" : "");
		return SRP_REJ_RESOURCES;
	}
	if (!srpt_login_relogin(ch, &result) || srpt_login_accept(ch, result))
		return SRP_REJ_RESOURCES;
	return 0;
}

void srpt_login(struct srpt_ch *ch)
{
	u32 reason = srpt_login_steps(ch);

	if (reason) {
		u8 rej[SRP_LOGIN_REJ_LEN];

		pr_info_ratelimited("%s: login of %s rejected: %s\n", ch->port->name, ch->name,
				    srpt_rej_name(reason));
		srp_login_rej_build(rej, ch->login.tag, reason);
		ch->cm->reject(ch, rej, sizeof(rej));
		srpt_ch_close(ch);
	} else {
		ch->accepted = true;
		srpt_ch_start_probing(ch);
		pr_debug("%s: login of %s: initiator port %16phN\n", ch->port->name, ch->name,
			 ch->login.initiator_port);
	}
	complete_all(&ch->login_done);
}
