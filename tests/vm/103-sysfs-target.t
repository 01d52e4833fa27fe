#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# vm: -c 2
#
# targets/<driver>/<target>: attributes of targets and groups, LUNs with their
# links, initiator patterns that move sessions, session directories and their
# counters.

# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/vm/lib-sysfs.sh
. "$(dirname "$0")/lib-sysfs.sh"

key=$'\n[key]'
driver=targets/scst_local
t=$driver/t
s=$t/sessions/host1

link() { is "$(readlink "$SCST/$1")" "$2" "$1 leads to $2"; }
entries() { (cd "$SCST/$1" && echo *); }

plan 247
load_modules scst_nullio scst_local
on_exit unload_modules
for d in d1 d2 d3; do
	add_nullio $d
done
add_nullio ro read_only=1

# ---- driver
refuse EINVAL $driver/mgmt 'add_target t nonsense=1'
mode $t none
accept $driver/mgmt 'add_target t session_name=host1;'
on_exit scst_write $driver/mgmt 'del_target t'
refuse EFAULT $driver/mgmt 'add_target t'
refuse ENOENT $driver/mgmt 'del_target nobody'
refuse EINVAL $driver/mgmt 'del_target t t'
refuse EFAULT $driver/mgmt 'add_target mgmt'

# ---- target
mode $t/enabled none
for dir in luns ini_groups sessions; do
	mode $t/$dir 0755
done
for a in rel_tgt_id comment addr_method io_grouping_type cpu_mask black_hole forward_src \
	forward_dst forwarding aen_disabled; do
	mode $t/$a 0644
done
mode $t/sg_tablesize 0444
accept $t/rel_tgt_id '77\n' "77$key"
accept $t/rel_tgt_id 0x10 "16$key"
for bad in 0 65536 -1 x; do
	refuse EINVAL $t/rel_tgt_id "$bad"
done
content_of $driver/$LOCAL_TARGET/rel_tgt_id
like "$content" '^[0-9]+' 'the default target has an identifier'
value $t/comment ''
accept $t/comment 'rack 7, "left"\nrest' "rack 7, \"left\"$key"
refuse EINVAL $t/comment 'a\x1bb'
accept $t/comment '\n' ''
for g in "$t" "$t/ini_groups/g"; do
	[ "$g" = "$t" ] || accept $t/ini_groups/mgmt 'create g'
	value "$g/addr_method" PERIPHERAL
	accept "$g/addr_method" 'flat\n' "FLAT$key"
	accept "$g/addr_method" 'LUN' "LUN$key"
	refuse EINVAL "$g/addr_method" VOLUME
	accept "$g/addr_method" peripheral PERIPHERAL
	value "$g/io_grouping_type" auto
	accept "$g/io_grouping_type" 'never\n' "never$key"
	accept "$g/io_grouping_type" this_group_only "this_group_only$key"
	accept "$g/io_grouping_type" 5 "5$key"
	refuse EINVAL "$g/io_grouping_type" 0
	refuse EINVAL "$g/io_grouping_type" -3
	accept "$g/io_grouping_type" auto auto
	content_of "$g/cpu_mask"
	all=$content
	accept "$g/cpu_mask" '1\n' "1$key"
	for bad in 0 x '' ffffffff,ffffffff,ffffffff; do
		refuse EINVAL "$g/cpu_mask" "$bad\n"
	done
	accept "$g/cpu_mask" "$all" "$all"
	for n in 1 2 3 4 0; do
		accept "$g/black_hole" "$n" "$n"
	done
	refuse EINVAL "$g/black_hole" 5
	refuse EINVAL "$g/black_hole" -1
done
for a in forward_src forward_dst aen_disabled; do
	value $t/$a 0
	accept $t/$a '1\n' "1$key"
	for bad in 2 -1 7200 yes 1e3 '\n'; do		# B23
		refuse EINVAL $t/$a "$bad"
	done
done
value $t/forwarding "1$key"
accept $t/forwarding 0 0
value $t/forward_dst 0
accept $t/forward_src 0 0
accept $t/aen_disabled 0 0

# ---- LUNs
accept $t/luns/mgmt 'add d1 0'
accept $t/luns/mgmt 'add d2 0x1 read_only=1;'
accept $t/luns/mgmt 'add d3 16383 read_only 0'
accept $t/luns/mgmt 'add ro 7'
refuse EEXIST $t/luns/mgmt 'add d1 0'
for bad in 'add nobody 2' 'add d1 16384' 'add d1 -1' 'add d1 x' 'add d1' 'add d1 2 read_only=2' \
	'add d1 2 read_only' 'add d1 2 read_only=yes' 'add d1 2 what=1' 'add d1 99999999999999999999' \
	'del 2' 'del 0 1' 'replace nobody 0' 'replace d1' 'clear 0'; do
	refuse EINVAL $t/luns/mgmt "$bad"
done
is "$(entries $t/luns)" '0 1 16383 7 mgmt' 'LUNs are decimal numbers'
is "$(find "$SCST/$t/luns/0" -type l | wc -l)" 1 'a LUN has one link'
link $t/luns/0/device ../../../../../devices/d1
link devices/d1/exported/export0 ../../../targets/scst_local/t/luns/0
value $t/luns/0/read_only 0
value $t/luns/1/read_only "1$key"
value $t/luns/7/read_only "1$key"

# B94, B95: replace, in a target and in a group
accept $t/luns/mgmt 'replace d3 0'
link $t/luns/0/device ../../../../../devices/d3
is "$(entries devices/d1/exported)" '*' 'the old device is not exported any more'
link devices/d3/exported/export1 ../../../targets/scst_local/t/luns/0
value $t/luns/0/read_only 0
accept $t/luns/mgmt 'replace_no_ua d1 1'
value $t/luns/1/read_only "1$key"
accept $t/luns/mgmt 'REPLACE d1 1 read_only=0'
value $t/luns/1/read_only 0
accept $t/luns/mgmt 'replace d2 5'
link $t/luns/5/device ../../../../../devices/d2
g=$t/ini_groups/g
accept $g/luns/mgmt 'add d1 0 read_only=1'
accept $g/luns/mgmt 'replace d2 0'
value $g/luns/0/read_only "1$key"
link $g/luns/0/device ../../../../../../../devices/d2
accept $g/luns/mgmt 'replace_no_ua d1 0 read_only=0'
value $g/luns/0/read_only 0

# ---- sessions
link $s/luns ../../luns
value $s/initiator_name host1
mode $s/force_close 0200
for lun in 0 1 5 7 16383; do
	mode "$s/lun$lun" 0755
	value "$s/lun$lun/active_commands" 0
done
mode $s/lun0/thread_pid 0444
value $s/lun0/thread_index 0
accept devices/d3/threads_pool_type shared
value $s/lun0/thread_index -1
accept devices/d3/threads_pool_type per_initiator
for a in read_cmd_count write_cmd_count bidi_cmd_count none_cmd_count unknown_cmd_count \
	read_io_count_kb write_io_count_kb bidi_io_count_kb read_unaligned_cmd_count \
	write_unaligned_cmd_count bidi_unaligned_cmd_count; do
	mode "$s/$a" 0644
	mode "$t/$a" 0444
done
refuse EACCES $t/read_cmd_count 0
local_settled()
{
	content_of $s/read_cmd_count
	local before=$content
	sleep 1
	content_of $s/read_cmd_count
	[ "$content" = "$before" ]
}
wait_for 60 local_settled
host=$(cat "$SCST/$s/host_no")
disk=$(scsi_disk "$host" 0)
accept $s/read_cmd_count 0
ok 'read 1 MiB from LUN 0' dd if="$disk" of=/dev/null bs=1M count=1 iflag=direct
content_of $s/read_io_count_kb
ok "read_io_count_kb grew by 1024 ($content)" [ "$content" -ge 1024 ]
content_of $t/read_io_count_kb
ok "and that of the target ($content)" [ "$content" -ge 1024 ]
accept $s/read_io_count_kb 'x\n' 0

# ---- groups and initiators
accept $driver/mgmt 'add_session t a.host'
accept $driver/mgmt 'add_session t b.host'
ini=$g/initiators
refuse EEXIST $t/ini_groups/mgmt 'create g'
refuse EINVAL $t/ini_groups/mgmt 'del nobody'
accept $ini/mgmt 'add A.*'
link $t/sessions/a.host/luns ../../ini_groups/g/luns
link $t/sessions/b.host/luns ../../luns
is "$(entries $t/sessions/a.host | tr ' ' '\n' | grep -c '^lun[0-9]')" 1 'the session sees the group'
value $ini/A.* 'A.*'
mode $ini/A.* 0444
refuse EEXIST $ini/mgmt 'add A.*'
refuse EINVAL $ini/mgmt 'del a.*'
refuse EINVAL $ini/mgmt 'add'
refuse EINVAL $ini/mgmt 'add a b'
refuse EINVAL $ini/mgmt 'move A.* nobody'
refuse EINVAL $ini/mgmt 'move a.* g2'
refuse EINVAL $ini/mgmt 'move A.*'
refuse EBUSY $t/ini_groups/mgmt 'del g'
accept $t/ini_groups/mgmt 'create g2'
accept $ini/mgmt 'move A.* g2'
mode "$ini/A.*" none
value "$t/ini_groups/g2/initiators/A.*" 'A.*'
link $t/sessions/a.host/luns ../../ini_groups/g2/luns
accept $ini/mgmt 'add A.*'
refuse EEXIST $ini/mgmt 'move A.* g2'
link $t/sessions/a.host/luns ../../ini_groups/g/luns
accept $ini/mgmt 'add !b.*'
accept $ini/mgmt clear
is "$(entries $ini)" mgmt 'no pattern is left'
accept $t/ini_groups/g2/initiators/mgmt 'del A.*'
link $t/sessions/a.host/luns ../../luns
accept $t/ini_groups/mgmt 'del g2'
accept $t/ini_groups/mgmt 'del g'
is "$(entries $t/ini_groups)" mgmt 'no group is left'

# ---- the same name again, and closing
accept $driver/mgmt 'add_session t c'
accept $t/sessions/c/force_close '\n'
wait_for 30 test ! -e "$SCST/$t/sessions/c"
mode $t/sessions/c none
accept $driver/mgmt 'del_session t b.host'
mode $t/sessions/b.host none

# ---- devices that are mapped go from everywhere
accept handlers/vdisk_nullio/mgmt 'del_device d2'
is "$(entries $t/luns)" '0 1 16383 7 mgmt' 'del_device takes the LUN along'
accept $t/luns/mgmt clear
is "$(entries $t/luns)" mgmt 'clear takes all LUNs'
is "$(entries devices/d1/exported) $(entries devices/d3/exported)" '* *' 'no device is exported'
