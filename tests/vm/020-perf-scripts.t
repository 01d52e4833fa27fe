#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# scripts/blockdev-perftest and scripts/io-load: columns, options, and what they
# refuse.
#
#	/dev/sdX, /dev/sgN --- scsi_debug (RAM)

# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"
plan 24

modprobe sg
modprobe scsi_debug dev_size_mb=160 delay=0
on_exit modprobe -r scsi_debug
host=$(basename "$(dirname "$(grep -l scsi_debug /sys/class/scsi_host/*/proc_name)")")
disk=$(scsi_disk "${host#host}" 0)
sg=$(scsi_sg "${host#host}" 0)
perftest=scripts/blockdev-perftest
log=$(mktemp)
on_exit rm -f "$log"

run() { "$@" >"$log" 2>"$log.err"; }
table() { cat "$log"; }

num='[0-9]+(\.[0-9]+)?'

ok "fio, direct, down to 128 KB" run $perftest -f -j -d -s 18 -m 17 "$disk"
is "$(head -n 1 "$log" | tr -s ' ')" "blocksize (bytes) | W (s) W (s) W (s) W(avg, MB/s) \
W(std, MB/s) W (IOPS) | R (s) R (s) R (s) R(avg, MB/s) R(std, MB/s) R (IOPS)" "header"
is "$(awk 'NR > 1 { print $1 }' "$log" | xargs)" \
	"262144 131072" "block sizes, large to small"
like "$(tail -n 1 "$log" | xargs)" "^131072 \|( $num){6} \|( $num){6}$" "columns"
# shellcheck disable=SC2016
ok "IOPS are MB/s by block size" awk 'NR > 1 {
	want = $6 / ($1 / 1048576)
	if ($8 < want * 0.99 || $8 > want * 1.01)
		exit 1
}' "$log"
like "$(cat "$log.err")" "Overwriting the first 262144 bytes of $disk" "it says what it overwrites"

ok "dd, two passes, one size" run $perftest -d -i 2 -s 20 -m 16 -M 16 "$disk"
like "$(tail -n 1 "$log" | xargs)" "^65536 \|( $num){5} \|( $num){5}$" "columns of two passes"
ok "buffered asynchronous" run $perftest -a -w -i 1 -s 20 -m 18 -M 18 "$disk"
ok "buffered synchronous" run $perftest -w -i 1 -s 20 -m 18 -M 18 "$disk"
ok "only reads" run $perftest -d -r -i 1 -s 20 -m 18 -M 18 "$disk"
like "$(tail -n 1 "$log" | xargs)" "^262144 \|( $num){4}$" "columns of reads"
ok "only writes" run $perftest -d -w -j -i 1 -s 20 -m 18 -M 18 "$disk"
is "$(head -n 1 "$log" | tr -s ' ')" \
	"blocksize (bytes) | W (s) W(avg, MB/s) W(std, MB/s) W (IOPS)" "header of writes"

mkdir "$log.bin"
printf '#!/bin/sh\necho "$@" >%s.ssh\n' "$log" >"$log.bin/ssh"
chmod +x "$log.bin/ssh"
PATH=$log.bin:$PATH run $perftest -t root@target -d -r -i 1 -s 20 -m 18 -M 18 "$disk"
like "$(cat "$log.ssh")" 'root@target .*drop_caches' "-t drops the caches of the target"

mkfs.ext4 -q "$disk"
nok "a device with data is refused" run $perftest -s 20 -m 18 "$disk"
like "$(cat "$log.err")" 'holds data.*ext4' "and it says which"
ok "unless it is not to look" run $perftest -d -n -w -i 1 -s 20 -m 18 -M 18 "$disk"
mkfs.ext4 -q "$disk"
mkdir "$log.mnt"
mount "$disk" "$log.mnt"
nok "a mounted device is refused, -f or not" run $perftest -f -n -s 20 -m 18 "$disk"
like "$(cat "$log.err")" "mounted on $log.mnt" "and it says where"
nok "io-load refuses it as well" run scripts/io-load 512 1 "$sg"
umount "$log.mnt"

nok "a bad option value is refused" run $perftest -s many "$disk"
ok "io-load runs" run scripts/io-load 256k 2 "$sg"
like "$(cat "$log")" "^256k 2 [0-9]+ IOPS $num MB/s$" "and prints one line"
