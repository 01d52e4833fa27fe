#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# scstadmin and SRP targets: ports by name in any case (B21), their attributes
# (B14), who is logged in and through which group (W10), initiators taken out of
# a group with a live session (B03), a port that goes and comes back (B151).
#
#	ib_srp --- rxe0 (dummy0 192.0.2.1) --- ib_srpt
#
# vm: -t 600

# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"

plan 32
on_exit unload_modules
on_exit rxe_down
on_exit srp_logout
dir=$(mktemp -d)
on_exit rm -rf "$dir"
tool=$SCST_PROJECT/scstadmin/scstadmin

run()
{
	"$tool" "$@" >"$dir/out" 2>"$dir/err" </dev/null
	status=$?
}

# status_is STATUS DESCRIPTION ARGUMENT...
status_is()
{
	local want=$1 what=$2
	shift 2
	run "$@"
	is $status "$want" "$what" || sed 's/^/# /' "$dir/out" "$dir/err" >&2
}

attr() { head -n 1 "$SCST/targets/ib_srpt/$port/$1"; }

load_modules scst_nullio
load_module ib_srpt rdma_cm_port=$SRP_PORT || bail "cannot load ib_srpt"
rxe_up || bail "no soft-RoCE"
port=$(srp_target)
upper=$(echo "$port" | tr a-f A-F)

conf()
{
	cat <<CONF
HANDLER vdisk_nullio {
	DEVICE n0
	DEVICE n1
}
TARGET_DRIVER ib_srpt {
	TARGET $upper {
		enabled 1
		rel_tgt_id 5
		io_grouping_type never
		comment "rack 4"
		LUN 0 n0

		GROUP hosts {
			LUN 0 n1
			LUN 1 n0
$1
		}
	}
}
CONF
}
initiators="			INITIATOR 192.0.2.*
			INITIATOR 10.0.0.1"

# ---- the port
like "$("$tool" -list_target)" "ib_srpt +$port" "-list_target names the port"
conf "$initiators" >"$dir/conf"
status_is 0 "-config with the port in upper case (B21)" -config "$dir/conf"
is "$(attr rel_tgt_id) $(attr io_grouping_type) $(attr comment) $(attr enabled)" \
	"5 never rack 4 1" "attributes of the port are set (B14)"
status_is 0 "-config again" -config "$dir/conf"
like "$(cat "$dir/out")" 'Done, 0 change' "changes nothing"
run -write_config "$dir/saved"
like "$(cat "$dir/saved")" "TARGET $port" "-write_config has the system's spelling"

# ---- a login
ok "login" srp_login ch_count=1
ok "the group's LUN 1 is there" scsi_disk "$SRP_HOST" 1
status_is 0 "-list_sessions" -list_sessions
like "$(cat "$dir/out")" "Session: $RXE_ADDR" "shows the initiator as it has to be written"
like "$(cat "$dir/out")" 'group +hosts' "and its group (W10)"
like "$("$tool" -explain $RXE_ADDR -driver ib_srpt)" "group 'hosts' matches by '192.0.2.\*'" \
	"-explain says why"

# ---- an initiator is taken out while it is logged in (B03)
conf "			INITIATOR 10.0.0.1" >"$dir/less"
status_is 2 "-config without it: the status says that something remains" -config "$dir/less"
like "$(cat "$dir/out")" 'initiator 192.0.2.\* of .*/hosts is not in the file' "and what"
status_is 2 "a second time as well" -config "$dir/less"
status_is 0 "-config -force" -config "$dir/less" -force -noprompt
like "$(readlink "$SCST/targets/ib_srpt/$port/sessions/$RXE_ADDR/luns")" '^../../luns$' \
	"the session sees the target's own LUNs now"
conf "" | sed '/GROUP hosts/,/^\t\t}/d' >"$dir/none"
status_is 0 "-config -force without the group" -config "$dir/none" -force -noprompt
ok "removes it with the session alive" test -d "$SCST/targets/ib_srpt/$port/sessions/$RXE_ADDR"
status_is 0 "-config puts it back" -config "$dir/conf"
like "$(readlink "$SCST/targets/ib_srpt/$port/sessions/$RXE_ADDR/luns")" 'ini_groups/hosts/luns' \
	"and the session into it"
srp_logout

# ---- the port goes (B151)
run -write_config "$dir/saved"
rdma link delete rxe0
is "$(srp_target)" "" "the port is gone"
status_is 1 "-config: the port is missed" -config "$dir/conf"
like "$(cat "$dir/err")" "$dir/conf:6:9: error: found target '$upper'" "with its line"
status_is 1 "-config -cont_on_err does the rest (B30)" -config "$dir/conf" -cont_on_err
run -write_config "$dir/saved"
like "$(cat "$dir/saved")" "TARGET $port" "-write_config keeps the section"
like "$(cat "$dir/saved")" 'INITIATOR 192.0.2.\*' "with all that is in it"

# ---- and comes back
ok "the port is back" rdma link add rxe0 type rxe netdev dummy0
status_is 0 "-config of the saved file" -config "$dir/saved"
is "$(attr enabled) $(attr rel_tgt_id)" "1 5" "the port is on again"
ok "and lets its initiator in" srp_login ch_count=1
srp_logout
status_is 0 "-clear_config" -clear_config -force -noprompt
