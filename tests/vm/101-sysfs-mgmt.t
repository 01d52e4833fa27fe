#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# mgmt files: help texts that tools parse, the grammar of commands, names that
# are refused (B24, B25), and lines from hell.

# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/vm/lib-sysfs.sh
. "$(dirname "$0")/lib-sysfs.sh"

nullio=handlers/vdisk_nullio/mgmt
driver=targets/scst_local
luns=$driver/$LOCAL_TARGET/luns/mgmt
groups=$driver/$LOCAL_TARGET/ini_groups/mgmt
ini=$driver/$LOCAL_TARGET/ini_groups/g/initiators

chars() { local s; printf -v s '%*s' "$1" ''; echo "${s// /${2:-x}}"; }

# parameters FILE: what a tool finds there, sorted
parameters()
{
	sed -n 's/^The following parameters available: \(.*\)\.$/\1/p' "$SCST/$1" |
		tr , '\n' | tr -d ' ' | sort | tr '\n' ' '
}

is_device() { [ -e "$SCST/devices/$1" ]; }

plan 176
load_modules scst_nullio scst_vdisk scst_local
on_exit unload_modules

for f in $nullio $driver/mgmt $luns $groups; do
	mode "$f" 0644
done

# ---- help texts
is "$(parameters $nullio)" \
	'blocksize cluster_mode dummy numa_node_id read_only removable rotational size size_mb t10_dev_id tst ' \
	'parameters of vdisk_nullio'
is "$(parameters handlers/vdisk_fileio/mgmt)" \
	'active async bind_alua_state blocksize cluster_mode filename numa_node_id nv_cache o_direct read_only removable rotational t10_dev_id thin_provisioned tst write_through ' \
	'parameters of vdisk_fileio'
is "$(parameters handlers/vdisk_blockio/mgmt)" \
	'active bind_alua_state blocksize cluster_mode filename numa_node_id nv_cache read_only removable rotational t10_dev_id thin_provisioned tst write_through ' \
	'parameters of vdisk_blockio'
is "$(parameters handlers/vcdrom/mgmt)" 't10_dev_id tst ' 'parameters of vcdrom'
is "$(parameters $driver/mgmt)" 'session_name ' 'parameters of scst_local'
is "$(parameters $luns)" 'read_only ' 'parameters of a LUN'
content_of handlers/vdisk_fileio/mgmt
[[ $content != *H:C:I:L* ]]
result $? 'a virtual handler does not look like pass-through'

# ---- grammar
accept $nullio 'add_device d1 '
accept $nullio 'ADD_DEVICE d2\n'
accept $nullio 'add_device d3 size_mb = 8; rotational 0;\n'
value devices/d3/size_mb 8
value devices/d3/rotational $'0\n[key]'
accept $nullio '  \x09 add_device\x09d4 Size_MB=16;'
value devices/d4/size_mb 16
accept $nullio 'add_device d5 rotational=0;;nonsense=1'
value devices/d5/rotational $'0\n[key]'
accept $nullio 'add_device d6 rotational=0\nsize_mb=32\n'
value devices/d6/size_mb 32
accept $nullio 'add_device d7\x00'
refuse EEXIST $nullio 'add_device d1'
for i in 1 2 3 4 5 6 7; do
	accept $nullio "Del_Device d$i"
done
refuse EINVAL $nullio 'del_device d1'
refuse EINVAL $nullio 'del_device d1 d2'
refuse EINVAL $nullio 'del_device'
refuse EINVAL $nullio 'add_device'
refuse EINVAL $nullio 'add_device d rotational'
refuse EINVAL $nullio 'add_device d rotational=1 0'
refuse EINVAL $nullio 'add_device d nonsense=1'
refuse EINVAL $nullio 'add_device d filename=/dev/null'
for verb in ' ' '\n' ';' '=' = add add_devic add_devices del_target exit; do
	refuse EINVAL $nullio "$verb"
	refuse EINVAL $driver/mgmt "$verb"
done
for verb in '\n' add 'clear all' 'del' 'del 1 2' 'del x' 'create a b'; do
	refuse EINVAL $luns "$verb"
	refuse EINVAL $groups "$verb"
done
refuse EINVAL $groups create

# ---- B24: long names
n63=$(chars 63) n64=$(chars 64)
for name in y "$n63" "$n64"; do
	accept $nullio "add_device $name"
	mode "devices/$name" 0755
	mode "handlers/vdisk_nullio/$name" 0777
	accept $nullio "del_device $name"
done
refuse EINVAL $nullio "add_device ${n64}1"
refuse EINVAL $nullio "add_device $(chars 255)"
refuse EINVAL $nullio "add_device $(chars 3000)"
nok 'names that are equal in their first 64 characters leave nothing' is_device "$n64"
refuse EINVAL $groups "create $(chars 256)"
accept $groups "create $(chars 255)"
accept $groups "del $(chars 255)"

# ---- B25: names that are no file names
for name in . .. a/b ../x /x a.b; do
	refuse EINVAL $nullio "add_device $name"
done
for name in . .. a/b ../../x /x 'a\x01b' 'a\x1b[2J' 'x\x00y'; do
	refuse EINVAL $groups "create $name"
	refuse EINVAL $driver/mgmt "add_target $name"
done
refuse EINVAL $nullio 'add_device a\x7fb'
refuse EINVAL $nullio 'add_device a b'
for name in %s %n%x é à '"q"' "it's" '*' '{a}' '#'; do
	accept $nullio "add_device $name"
	ok "device $name is there" is_device "$name"
	accept $nullio "del_device $name"
done
refuse EEXIST $nullio 'add_device mgmt'
refuse EEXIST $nullio 'add_device type'
mode $nullio 0644
refuse EEXIST $groups 'create mgmt'

accept $groups 'create g'
for name in . .. a/b '*/x'; do
	refuse EINVAL $ini/mgmt "add $name"
done
refuse EEXIST $ini/mgmt 'add mgmt'
for name in '*' 'fe80:*' '192.168.5.?' '!*' %s 'iqn.1994-05.com.x:y' a.b; do
	accept $ini/mgmt "add $name"
	value "$ini/$name" "$name"
done
refuse EEXIST $ini/mgmt 'add %s'
accept $ini/mgmt 'clear\n'
mode "$ini/%s" none
accept $groups 'del g'

# ---- lines that are too long
refuse EINVAL $nullio "add_device z size_mb=1;$(chars 4100 ' ')"
nok 'nothing of a line that is too long was done' is_device z
refuse EINVAL $luns "add $(chars 4000)"
refuse EINVAL $luns "$(chars 2000 a=)"
