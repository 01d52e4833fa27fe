// SPDX-License-Identifier: GPL-2.0
/*
 * The operations. Lists given together run in the order of this table.
 */
#include "cli.h"

#define HND	(1u << WITH_HANDLER)
#define DRV	(1u << WITH_DRIVER)
#define TGT	(1u << WITH_TARGET)
#define GRP	(1u << WITH_GROUP)
#define TO	(1u << WITH_TO)
#define DEV	(1u << WITH_DEVICE)
#define DGRP	(1u << WITH_DEV_GROUP)
#define TGRP	(1u << WITH_TGT_GROUP)
#define ATTR	(1u << WITH_ATTRIBUTES)

#define LIST(name, arg, needs, fn, help)				\
	{ name, ARG_##arg, CMD_LIST, needs, false, fn, help }
/* Operations that ask before they do something, and those that do not. */
#define ASK(name, arg, needs, fn, help)					\
	{ name, ARG_##arg, CMD_CHANGE, needs, true, fn, help }
#define DO(name, arg, needs, fn, help)					\
	{ name, ARG_##arg, CMD_CHANGE, needs, false, fn, help }
#define FILE_CMD(name, arg, fn, help)					\
	{ name, ARG_##arg, CMD_FILE, 0, false, fn, help }

const struct cmd cmds[] = {
	FILE_CMD("config", OPTIONAL, cmd_config,
		 "apply a file (default /etc/scst.conf)"),
	FILE_CMD("check_config", OPTIONAL, cmd_check_config,
		 "check a file and show what applying it would do"),
	FILE_CMD("write_config", REQUIRED, cmd_write_config,
		 "save the running configuration"),
	FILE_CMD("clear_config", NONE, cmd_clear_config,
		 "remove everything; needs -force"),

	LIST("list_handler", OPTIONAL, 0, cmd_list_handler,
	     "handlers, or the devices of one"),
	LIST("list_device", OPTIONAL, 0, cmd_list_device,
	     "devices, or the attributes of one"),
	LIST("list_dgrp", OPTIONAL, 0, cmd_list_dgrp,
	     "device groups, or the members of one"),
	LIST("list_tgrp", OPTIONAL, DGRP, cmd_list_tgrp,
	     "target groups of a device group, or the targets of one"),
	LIST("list_driver", OPTIONAL, 0, cmd_list_driver,
	     "target drivers, or the targets of one"),
	LIST("list_target", OPTIONAL, 0, cmd_list_target,
	     "targets, or what is in one"),
	LIST("list_group", OPTIONAL, 0, cmd_list_group,
	     "LUNs and initiators by target and group"),
	LIST("list_sessions", NONE, 0, cmd_list_sessions,
	     "who is logged in, with its group and LUNs"),
	LIST("list_scst_attr", NONE, 0, cmd_list_scst_attr,
	     "attributes of the core"),
	LIST("list_hnd_attr", REQUIRED, 0, cmd_list_hnd_attr,
	     "attributes of a handler"),
	LIST("list_dev_attr", REQUIRED, 0, cmd_list_dev_attr,
	     "attributes of a device"),
	LIST("list_drv_attr", REQUIRED, 0, cmd_list_drv_attr,
	     "attributes of a target driver"),
	LIST("list_tgt_attr", REQUIRED, DRV, cmd_list_tgt_attr,
	     "attributes of a target"),
	LIST("list_grp_attr", REQUIRED, DRV | TGT, cmd_list_grp_attr,
	     "attributes of a group"),
	LIST("list_lun_attr", REQUIRED, DRV | TGT, cmd_list_lun_attr,
	     "attributes of a LUN [of a -group]"),
	LIST("list_init_attr", REQUIRED, DRV | TGT | GRP, cmd_list_init_attr,
	     "attributes of an initiator"),
	LIST("list_dgrp_attr", REQUIRED, 0, cmd_list_dgrp_attr,
	     "attributes of a device group"),
	LIST("list_tgrp_attr", REQUIRED, DGRP, cmd_list_tgrp_attr,
	     "attributes of a target group"),
	LIST("list_ttgt_attr", REQUIRED, DGRP | TGRP, cmd_list_ttgt_attr,
	     "attributes of a target in a target group"),
	LIST("explain", REQUIRED, 0, cmd_explain,
	     "which groups an initiator name would match"),
	LIST("dumpAttrs", NONE, 0, cmd_dump_attrs,
	     "all attributes of the core and of every device"),

	ASK("set_scst_attr", NONE, ATTR, cmd_set_scst_attr,
	    "set attributes of the core"),
	ASK("set_hnd_attr", REQUIRED, ATTR, cmd_set_hnd_attr,
	    "set attributes of a handler"),
	ASK("set_dev_attr", REQUIRED, ATTR, cmd_set_dev_attr,
	    "set attributes of a device"),
	ASK("set_drv_attr", REQUIRED, ATTR, cmd_set_drv_attr,
	    "set attributes of a target driver"),
	ASK("set_tgt_attr", REQUIRED, DRV | ATTR, cmd_set_tgt_attr,
	    "set attributes of a target"),
	ASK("set_grp_attr", REQUIRED, DRV | TGT | ATTR, cmd_set_grp_attr,
	    "set attributes of a group"),
	ASK("set_lun_attr", REQUIRED, DRV | TGT | ATTR, cmd_set_lun_attr,
	    "set attributes of a LUN [of a -group]"),
	ASK("set_init_attr", REQUIRED, DRV | TGT | GRP | ATTR,
	    cmd_set_init_attr, "set attributes of an initiator"),
	ASK("set_dgrp_attr", REQUIRED, ATTR, cmd_set_dgrp_attr,
	    "set attributes of a device group"),
	ASK("set_tgrp_attr", REQUIRED, DGRP | ATTR, cmd_set_tgrp_attr,
	    "set attributes of a target group"),
	ASK("set_ttgt_attr", REQUIRED, DGRP | TGRP | ATTR, cmd_set_ttgt_attr,
	    "set attributes of a target in a target group"),

	DO("add_drv_attr", REQUIRED, ATTR, cmd_add_drv_attr,
	   "add a value to a driver's dynamic attribute"),
	ASK("rem_drv_attr", REQUIRED, ATTR, cmd_rem_drv_attr,
	    "remove a value from a driver's dynamic attribute"),
	DO("add_tgt_attr", REQUIRED, DRV | ATTR, cmd_add_tgt_attr,
	   "add a value to a target's dynamic attribute"),
	ASK("rem_tgt_attr", REQUIRED, DRV | ATTR, cmd_rem_tgt_attr,
	    "remove a value from a target's dynamic attribute"),

	DO("open_dev", REQUIRED, HND, cmd_open_dev,
	   "open a device [with -attributes]"),
	ASK("close_dev", REQUIRED, HND, cmd_close_dev,
	    "close a device; -force: also when it is exported"),
	DO("resync_dev", REQUIRED, 0, cmd_resync_dev,
	   "read the size of the backing store again"),
	DO("add_target", REQUIRED, DRV, cmd_add_target,
	   "make a target [with -attributes]"),
	ASK("rem_target", REQUIRED, DRV, cmd_rem_target,
	    "disable a target, close its sessions, remove it"),
	DO("enable_target", REQUIRED, 0, cmd_enable_target,
	   "enable a target [of -driver]"),
	ASK("disable_target", REQUIRED, 0, cmd_disable_target,
	    "disable a target [of -driver]"),
	DO("add_group", REQUIRED, DRV | TGT, cmd_add_group,
	   "make an initiator group"),
	ASK("rem_group", REQUIRED, DRV | TGT, cmd_rem_group,
	    "remove an initiator group; -force: also when not empty"),
	DO("add_init", REQUIRED, DRV | TGT | GRP, cmd_add_init,
	   "add an initiator name or pattern to a group"),
	ASK("rem_init", REQUIRED, DRV | TGT | GRP, cmd_rem_init,
	    "remove an initiator from a group"),
	ASK("move_init", REQUIRED, DRV | TGT | GRP | TO, cmd_move_init,
	    "move an initiator to another group"),
	ASK("clear_inits", NONE, DRV | TGT | GRP, cmd_clear_inits,
	    "remove all initiators from a group"),
	DO("add_lun", REQUIRED, DRV | TGT | DEV, cmd_add_lun,
	   "map a device [in a -group] [with -attributes]"),
	ASK("replace_lun", REQUIRED, DRV | TGT | DEV, cmd_replace_lun,
	    "put another device behind a LUN"),
	ASK("rem_lun", REQUIRED, DRV | TGT, cmd_rem_lun,
	    "remove a LUN [from a -group]"),
	ASK("clear_luns", NONE, DRV | TGT, cmd_clear_luns,
	    "remove all LUNs of a target or of its -group"),
	DO("add_dgrp", REQUIRED, 0, cmd_add_dgrp, "make a device group"),
	DO("rem_dgrp", REQUIRED, 0, cmd_rem_dgrp,
	   "remove a device group; -force: also when not empty"),
	DO("add_dgrp_dev", REQUIRED, DGRP, cmd_add_dgrp_dev,
	   "add a device to a device group"),
	DO("rem_dgrp_dev", REQUIRED, DGRP, cmd_rem_dgrp_dev,
	   "remove a device from a device group"),
	DO("add_tgrp", REQUIRED, DGRP, cmd_add_tgrp, "make a target group"),
	DO("rem_tgrp", REQUIRED, DGRP, cmd_rem_tgrp,
	   "remove a target group; -force: also when not empty"),
	DO("add_tgrp_tgt", REQUIRED, DGRP | TGRP, cmd_add_tgrp_tgt,
	   "add a target to a target group"),
	DO("rem_tgrp_tgt", REQUIRED, DGRP | TGRP, cmd_rem_tgrp_tgt,
	   "remove a target from a target group"),
	DO("issue_lip", OPTIONAL, 0, cmd_issue_lip,
	   "issue a LIP on fibre channel targets"),
};

const size_t cmds_count = ARRAY_SIZE(cmds);
