#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# scstadmin with many objects: 500 targets of 2 LUNs each (B29, W05), and a file
# with every attribute that can be set, which has to settle at once (W01).
#
# Time is CPU time by instruction count, so that a busy host does not matter. A kernel
# that looks for leaks takes ten times as many.
#
# vm: -n -t 900

# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"

plan 10
on_exit unload_modules
dir=$(mktemp -d)
on_exit rm -rf "$dir"
tool=$SCST_PROJECT/scstadmin/scstadmin

# timed SECONDS DESCRIPTION ARGUMENT...: status 0 within the time
timed()
{
	local limit=$1 what=$2 TIMEFORMAT='%U %S' cpu
	shift 2

	{ time "$tool" "$@" >"$dir/out" 2>"$dir/err" </dev/null; echo $? >"$dir/status"; } \
		2>"$dir/time"
	is "$(cat "$dir/status")" 0 "$what" || sed 's/^/# /' "$dir/err" >&2
	cpu=$(awk '{ print $1 + $2 }' "$dir/time")
	diag "$what: $cpu s"
	if [ -e /sys/kernel/debug/kmemleak ]; then
		skip 1 "the debug kernel takes most of it"
	else
		ok "$what: within $limit s" awk "BEGIN { exit !($cpu < $limit) }"
	fi
}

load_modules scst_vdisk scst_nullio scst_local

{
	echo "HANDLER vdisk_nullio {"
	for ((i = 0; i < 1000; i++)); do
		echo "	DEVICE vol$i"
	done
	echo "}"
	echo "TARGET_DRIVER scst_local {"
	for ((i = 0; i < 500; i++)); do
		printf '\tTARGET t%d {\n\t\tLUN 0 vol%d\n\t\tLUN 1 vol%d\n\t}\n' \
			$i $((2 * i)) $((2 * i + 1))
	done
	echo "}"
} >"$dir/many"

timed 5 "-config of 500 targets with 2 LUNs" -config "$dir/many"
timed 3 "-config again" -config "$dir/many"
like "$(cat "$dir/out")" 'Done, 0 change' "changes nothing"
timed 5 "-clear_config" -clear_config -force -noprompt

make_file "$dir/disk" 16
cat >"$dir/all" <<CONF
threads 3
max_tasklet_cmd 12
HANDLER vdisk_fileio {
	DEVICE full {
		filename $dir/disk
		blocksize 0x1000
		read_only 0
		write_through 1
		nv_cache 0
		o_direct 0
		rotational 0
		thin_provisioned 1
		removable 1
		tst 0
		t10_dev_id some-id
		usn 12345
		naa_id 0x6000ABC00000038f4937570ed9a20002
		eui64_id 0123456789abcdef
		prod_id "a product"
		t10_vend_id VENDOR
		prod_rev_lvl 1.0
		threads_num 3
		threads_pool_type shared
		max_tgt_dev_commands 32
	}
}
HANDLER vdisk_nullio {
	DEVICE null {
		size 1073745920
		blocksize 4096
		dummy 0
		read_zero 1
	}
}
TARGET_DRIVER scst_local {
	TARGET t {
		comment "text # with things"
		addr_method flat
		io_grouping_type never
		cpu_mask 1
		session_name s
		LUN 0 full
		LUN 1 null {
			read_only 0
		}
	}
}
CONF
sed -i 's/text # with/text \\# with/' "$dir/all"
"$tool" -config "$dir/all" -force -noprompt >"$dir/out" 2>&1
is $? 0 "-config of every attribute" || sed 's/^/# /' "$dir/out" >&2
"$tool" -config "$dir/all" -force -noprompt >"$dir/out" 2>&1
like "$(cat "$dir/out")" 'Done, 0 change' "settles at once" || sed 's/^/# /' "$dir/out" >&2
"$tool" -write_config "$dir/saved" -nonkey >/dev/null
"$tool" -config "$dir/saved" -force -noprompt >"$dir/out" 2>&1
like "$(cat "$dir/out")" 'Done, 0 change' "as does what -write_config -nonkey saves" ||
	sed 's/^/# /' "$dir/out" >&2
"$tool" -clear_config -force -noprompt >/dev/null
