#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The root directory: formats, modes and marks of its attributes, what they
# refuse, and that last_sysfs_mgmt_res has the result of the last write.

# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/vm/lib-sysfs.sh
. "$(dirname "$0")/lib-sysfs.sh"

key=$'\n[key]'

plan 56
load_modules scst
on_exit unload_modules

for dir in targets devices handlers; do
	mode $dir 0755
done

mode version 0444
mapfile -t lines <"$SCST/version"
like "${lines[0]}" '^SCST version: [3-9]\.[0-9]+\.[0-9]+' 'version begins with the version'
like "${lines[4]}" "$(uname -r)" 'line 5 of version names the kernel'
like "${lines[5]}" "$(uname -m)" 'line 6 of version names the architecture'

mode setup_id 0644
value setup_id 0x0
accept setup_id '0x1234\n' "0x1234$key"
accept setup_id '010' "0x8$key"
value last_sysfs_mgmt_res 0
refuse EINVAL setup_id '0x100000000'
refuse EINVAL setup_id '-1'
refuse EINVAL setup_id '12monkeys'
refuse EINVAL setup_id '\n'
value last_sysfs_mgmt_res -22
accept setup_id '0' 0x0
value last_sysfs_mgmt_res 0

mode last_sysfs_mgmt_res 0444
refuse EACCES last_sysfs_mgmt_res '0'

content_of threads
threads=$content
like "$threads" '^[1-9][0-9]*$' 'threads is a number, and the default'
accept threads "$((threads + 1))" "$((threads + 1))$key"
refuse EINVAL threads 0
refuse EINVAL threads -5
accept threads "$threads" "$threads"

value max_tasklet_cmd 10
accept max_tasklet_cmd 20 "20$key"
accept max_tasklet_cmd 10 10
value poll_us 0
accept poll_us 5 "5$key"
accept poll_us 0 0
refuse EINVAL poll_us many

for name in async_lun_replace force_global_sgv_pool; do
	value $name 0
	for bad in 2 -1 yes 1e3 '\n'; do
		refuse EINVAL $name "$bad"	# B23
	done
	accept $name 0 0
done
accept force_global_sgv_pool 1 "1$key"
accept force_global_sgv_pool 0 0

value cluster_name ''
name63=$(printf 'c%.0s' {1..63})
accept cluster_name "$name63\n" "$name63$key"
refuse EINVAL cluster_name "${name63}c\n"
refuse EINVAL cluster_name 'a\x1bb'
accept cluster_name '\n' ''

value trace_cmds ''
mode trace_cmds 0444
