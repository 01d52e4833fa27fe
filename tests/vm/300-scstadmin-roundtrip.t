#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# scstadmin with the real modules: apply a file, see the disks, save, clear,
# apply what was saved; what it leaves alone, what it takes back, what it lists.
#
# vm: -t 600

# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"

plan 44
on_exit unload_modules
dir=$(mktemp -d)
on_exit rm -rf "$dir"
tool=$SCST_PROJECT/scstadmin/scstadmin

# run ARGUMENT...: status in $status, output in $dir/out and $dir/err
run()
{
	"$tool" "$@" >"$dir/out" 2>"$dir/err" </dev/null
	status=$?
	[ $status = 0 ] || sed 's/^/# /' "$dir/err" >&2
}

# good DESCRIPTION ARGUMENT...: status 0 and nothing on stderr (B04)
good()
{
	local what=$1
	shift
	run "$@"
	is "$status$(cat "$dir/err")" 0 "$what"
}

targets() { find "$SCST/targets/scst_local" -mindepth 1 -maxdepth 1 -type d -printf '%f\n'; }
changes() { sed -n 's/.*Done, \([0-9]*\) change.*/\1/p' "$dir/out"; }
# The file without its first line, which names the program's version.
saved() { "$tool" -write_config "$dir/$1" -force >/dev/null && sed 1d "$dir/$1"; }

load_modules scst_vdisk scst_nullio scst_local
make_file "$dir/disk" 64
make_file "$dir/other" 32

cat >"$dir/conf" <<CONF
setup_id 0x123

HANDLER vdisk_fileio {
	DEVICE f0 {
		filename $dir/disk
		nv_cache 1
		threads_num 2
		prod_id "two words"
	}
	DEVICE f1 {
		filename $dir/other
		read_only 1
	}
}
HANDLER vdisk_nullio {
	DEVICE n0
	DEVICE n1 {
		blocksize 4096
		size_mb 1024
	}
}
TARGET_DRIVER copy_manager {
	TARGET copy_manager_tgt
}
TARGET_DRIVER scst_local {
	TARGET loop {
		session_name hostA
		session_name hostB
		LUN 0 f0
		LUN 7 n1

		GROUP special {
			LUN 0 n0
			LUN 300 f1
			INITIATOR hostB
			INITIATOR "10.0.?.*"
		}
	}
}
CONF

good "-check_config accepts the file" -check_config "$dir/conf"
like "$(cat "$dir/out")" '\+ LUN 300 of scst_local/loop/special' "and shows what it would do"
is "$(ls "$SCST/devices")" "" "without doing it"
good "-config" -config "$dir/conf"
is "$(scst_read devices/f0/prod_id)" "two words" "a device attribute"
is "$(scst_read devices/n1/size)" 1073741824 "a size in MiB"
is "$(scst_read setup_id)" 0x123 "a root attribute"

# ---- the disks of the two sessions, by group
ok "session hostA has LUN 7" scsi_disk "$(local_host loop hostA)" 7
# Linux takes the flat form of the number, 0x412c, as the number.
ok "session hostB has LUN 300 of its group" scsi_disk "$(local_host loop hostB)" 16684
like "$(readlink "$SCST/targets/scst_local/loop/sessions/hostB/luns")" 'ini_groups/special/luns' \
	"its session is in the group"

# ---- again: no change (B29, W01)
good "-config once more" -config "$dir/conf"
is "$(changes)" 0 "changes nothing"
good "-config -force once more" -config "$dir/conf" -force -noprompt
like "$(cat "$dir/out")" 'Removing target scst_local/scst_local_tgt' \
	"removes the default target that the file does not have"
is "$(targets)" loop "and only that"
good "-config -force a third time" -config "$dir/conf" -force -noprompt
is "$(changes)" 0 "changes nothing"

# ---- save, clear, restore
first=$(saved first)
like "$first" 'prod_id "two words"' "-write_config quotes"
like "$first" 'session_name hostB' "saves the sessions of a target"
good "-clear_config" -clear_config -force -noprompt
is "$(ls "$SCST/devices"; targets)" "" "leaves nothing"
good "-config of what was saved" -config "$dir/first"
is "$(saved second)" "$first" "gives what was saved"
good "-config of the first file" -config "$dir/conf" -force -noprompt
is "$(changes)" 0 "is the same again"

# ---- all or nothing (W02)
sed 's/LUN 7 n1/LUN 7 n1\n\t\tLUN 8 late/; s/DEVICE n0/DEVICE n0\n\tDEVICE late {\n\t\tblocksize 32768\n\t\tsize 1000\n\t}/' \
	"$dir/conf" >"$dir/bad"
run -config "$dir/bad"
is $status 1 "a device that the kernel refuses"
like "$(cat "$dir/err")" "$dir/bad:[0-9]+:[0-9]+: error: cannot add device late" "is named with its line"
like "$(cat "$dir/err")" 'EINVAL' "and the kernel's answer"
like "$(cat "$dir/err")" 'kernel: scst' "and the kernel's reason"
is "$(saved after)" "$first" "nothing has changed"
run -config "$dir/bad" -cont_on_err
is $status 1 "with -cont_on_err the status is still 1"
sed 's/LUN 7 n1/LUN 7 nx/' "$dir/conf" >"$dir/bad"
run -config "$dir/bad"
like "$(cat "$dir/err")" "did you mean 'n[01]'" "a misspelt device: did you mean"

# ---- what the file does not mention (B01)
ok "a target made by hand" "$tool" -add_target byhand -driver scst_local -attributes session_name=x
h=$(local_host byhand x)
good "-config without it" -config "$dir/conf"
ok "leaves it alone with its session" test -e "/sys/class/scsi_host/host$h"
good "-config -force" -config "$dir/conf" -force -noprompt
ok "removes it" test ! -e "$SCST/targets/scst_local/byhand"

# ---- lists and single operations
like "$("$tool" -list_device)" 'vdisk_nullio +n0' "-list_device"
like "$("$tool" -list_sessions)" 'group +special' "-list_sessions shows the group"
is "$("$tool" -list_sessions -json | python3 -c '
import json, sys
t = [t for t in json.load(sys.stdin)["targets"] if t["name"] == "loop"][0]
print([len(s["luns"]) for s in t["sessions"]])')" "[2, 2]" "-json"
truncate -s 96M "$dir/disk"
good "-resync_dev (B04)" -resync_dev f0
is "$(scst_read devices/f0/size)" $((96 << 20)) "sees the new size"
run -close_dev f0 -handler vdisk_fileio -noprompt
is $status 1 "-close_dev of an exported device is refused (B13)"

good "-clear_config at the end" -clear_config -force -noprompt
