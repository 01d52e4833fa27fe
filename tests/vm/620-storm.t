#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Everything that can be configured is changed at random, by several at once,
# under I/O from two initiators. B91, B97, B100, B101, B107, B192.
#
# First what goes on around a LUN does not disturb its I/O; then nothing is
# spared, and modules are reloaded. Nothing hangs, and in the end all is gone.
#
#	fio, dd, sg --- scst_local hosts ------------------\
#	fio, dd, sg --- ib_srp hosts --- rxe0 --- ib_srpt --+-- fileio, blockio, nullio, cdrom

# vm: -c 2 -m 2G -t 900
# soak: STORM_SECONDS=240
# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"

seconds=${STORM_SECONDS:-30}
seed=${STORM_SEED:-$SRANDOM}
dir=/dev/shm/storm
stop=$dir/stop
mkdir -p $dir
plan 19
echo "# STORM_SEED=$seed"

handlers=(vdisk_fileio vdisk_blockio vdisk_nullio vcdrom)
declare -A backing=([vdisk_fileio]="$dir/file1 $dir/file2" [vdisk_blockio]="/dev/ram0 /dev/nullb0"
	[vcdrom]="$dir/disc" [vdisk_nullio]=none)

# ---- what a worker does -------------------------------------------------------

# put PATH TEXT: one configuration operation; it may be refused
put()
{
	{ echo "$2" >"$SCST/$1"; } 2>/dev/null || return
	operations=$((operations + 1))
}

# one_of WORD...: without a process, into $one
one_of() { local i=$((RANDOM % $# + 1)); one=${!i}; }
chance() { [ $((RANDOM % 100)) -lt "$1" ]; }

any_device() { device=v$((RANDOM % 6 + 1)); }
# In the first part LUN 0 and the initiators that use it are left alone.
any_lun() { lun=$((RANDOM % 7 + (wild ? 0 : 1))); }
any_target() { one_of "$local_target" "$srp_target" scst_local/t{1,2}; target=$one; }

devices()
{
	local handler

	any_device
	one_of "${handlers[@]}"
	handler=$one
	# shellcheck disable=SC2086 # words are wanted
	one_of ${backing[$handler]}
	case $handler in
	vcdrom)		put handlers/vcdrom/mgmt "add_device $device" &&
				put "devices/$device/filename" "$one" ;;
	vdisk_nullio)	put "handlers/$handler/mgmt" "add_device $device size_mb=64" ;;
	*)		put "handlers/$handler/mgmt" "add_device $device filename=$one" ;;
	esac
	chance 60 || return
	any_device
	for handler in "${handlers[@]}"; do
		put "handlers/$handler/mgmt" "del_device $device" && break
	done
}

luns()
{
	local map

	any_target
	map=targets/$target
	! chance 30 || map+=/ini_groups/g$((RANDOM % 2 + 1))
	any_device
	any_lun
	case $((RANDOM % 8)) in
	[0-3])	put "$map/luns/mgmt" "add $device $lun" ;;
	4)	put "$map/luns/mgmt" "add $device $lun read_only=1" ;;
	5)	put "$map/luns/mgmt" "del $lun" ;;
	*)	put "$map/luns/mgmt" "replace $device $lun" ;;
	esac
	[ "$map" = "targets/$target" ] || ! chance 5 || put "$map/luns/mgmt" clear
}

groups()
{
	local g ini='other* s?'

	any_target
	g=g$((RANDOM % 2 + 1))
	[ $wild = 0 ] || ini+=" $LOCAL_SESSION $RXE_ADDR *"
	set -f
	# shellcheck disable=SC2086 # words are wanted
	one_of $ini
	set +f
	case $((RANDOM % 6)) in
	[0-1])	put "targets/$target/ini_groups/mgmt" "create $g" ;;
	[2-3])	put "targets/$target/ini_groups/$g/initiators/mgmt" "add $one" ;;
	4)	put "targets/$target/ini_groups/$g/initiators/mgmt" "del $one" ;;
	5)	chance 50 || put "targets/$target/ini_groups/$g/initiators/mgmt" clear
		put "targets/$target/ini_groups/mgmt" "del $g" ;;
	esac
}

targets()
{
	local t=t$((RANDOM % 2 + 1)) s=s$((RANDOM % 3 + 1)) mgmt=targets/scst_local/mgmt

	case $((RANDOM % 8)) in
	0)	put $mgmt "add_target $t" ;;
	1)	put $mgmt "add_target $t session_name=s1;session_name=s2" &&
			sessions=$((sessions + 2)) ;;
	[2-3])	put $mgmt "add_session $t $s" && sessions=$((sessions + 1)) ;;
	4)	put $mgmt "del_session $t $s" ;;
	5)	put $mgmt "del_target $t" ;;
	6)	put "targets/scst_local/$t/sessions/$s/force_close" 1 ;;
	7)	[ $wild = 1 ] || return 0
		put $mgmt "del_session $LOCAL_TARGET $LOCAL_SESSION"
		put $mgmt "add_session $LOCAL_TARGET $LOCAL_SESSION" && sessions=$((sessions + 1)) ;;
	esac
}

# Other initiator ports of this machine come and go; in the end all of them.
logins()
{
	local guid p

	{ read -r guid </sys/module/ib_srpt/parameters/srpt_service_guid; } 2>/dev/null || return
	guid=${guid#0x}
	{ echo "id_ext=$guid,ioc_guid=$guid,dest=$RXE_ADDR:$SRP_PORT,src=$RXE_ADDR,$(
		)initiator_ext=000000000000000$((RANDOM % 3 + 1))" \
		>/sys/class/infiniband_srp/srp-rxe0-1/add_target; } 2>/dev/null &&
		sessions=$((sessions + 1))
	for p in /sys/class/srp_remote_ports/*; do
		[ "$p" = "/sys/class/srp_remote_ports/port-$kept_host:1" ] && [ $wild = 0 ] ||
			! chance 60 || { echo 1 >"$p/delete"; } 2>/dev/null
	done
}

attributes()
{
	any_device
	! chance 30 || device=keep
	any_target
	case $((RANDOM % 16)) in
	0)	put "devices/$device/threads_num" $((RANDOM % 5)) ;;
	1)	one_of per_initiator shared; put "devices/$device/threads_pool_type" "$one" ;;
	2)	put "devices/$device/max_tgt_dev_commands" $((RANDOM % 64 + 1)) ;;
	3)	[ $device = keep ] || put "devices/$device/active" $((RANDOM % 2)) ;;
	4)	[ $device = keep ] || put "devices/$device/read_only" $((RANDOM % 2)) ;;
	5)	put "devices/$device/resync_size" 1 ;;
	6)	put "devices/$device/sync" 1 ;;
	7)	[ $device = keep ] || put "devices/$device/size_mb" $((RANDOM % 64 + 1)) ;;
	8)	put "devices/$device/usn" "usn$RANDOM" ;;
	9)	put "devices/$device/t10_dev_id" "id$RANDOM" ;;
	10)	put "targets/$target/rel_tgt_id" $((RANDOM % 9 + 1)) ;;
	11)	put "targets/$target/cpu_mask" 1 ;;
	12)	put "targets/$target/comment" "text $RANDOM" ;;
	13)	one_of flat peripheral lun; put "targets/$target/addr_method" "$one" ;;
	14)	one_of auto never 1; put "targets/$target/io_grouping_type" "$one" ;;
	15)	put threads $((RANDOM % 4 + 1)) ;;
	esac
}

ports()
{
	case $((RANDOM % 4)) in
	0)	put "targets/$srp_target/enabled" 0
		sleep 0.$RANDOM ;;
	1)	for s in "$SCST/targets/$srp_target"/sessions/*; do
			! chance 50 || put "${s#"$SCST"/}/force_close" 1
		done ;;
	esac
	put "targets/$srp_target/enabled" 1
	sleep 1
}

# reload MODULE [PARAMETER]: while a disk is open scst_local must stay
reload()
{
	rmmod "$1" || return
	sleep 0.$RANDOM
	load_module "$@" && operations=$((operations + 2))
}

modules()
{
	case $((RANDOM % 4)) in
	0)	reload scst_nullio ;;
	1)	reload scst_vdisk ;;
	2)	wait_for 5 reload scst_local ;;
	3)	reload ib_srpt rdma_cm_port=$SRP_PORT ;;
	esac >/dev/null 2>&1
	sleep 1
}

readers()
{
	find "$SCST/" -type f -perm -400 -exec cat {} + >/dev/null 2>&1
}

# A disk of the hosts of DRIVER, into $disk and its generic device into $sg.
any_disk()
{
	local h name disks=() found

	for h in /sys/class/scsi_host/host*; do
		{ read -r name <"$h/proc_name"; } 2>/dev/null || continue
		[ "$name" != "$1" ] || disks+=("$h"/device/target*/*:*)
	done
	[ ${#disks[@]} -gt 0 ] || return
	one_of "${disks[@]}"
	found=("$one"/block/*)
	disk=/dev/${found[0]##*/}
	found=("$one"/scsi_generic/*)
	sg=/dev/${found[0]##*/}
	[ -e "$disk" ] && [ -e "$sg" ]
}

# Whatever it is: errors are no matter, as the disk may go at any time.
io()
{
	local disk sg model='' kept

	any_disk "$1" || { sleep 0.2; return; }
	{ read -r model <"/sys/block/${disk##*/}/device/model"; } 2>/dev/null
	[ "$wild" = 1 ] || [ "$model" != keep ] || { sleep 0.1; return; }
	case $((RANDOM % 8)) in
	[0-2])	dd if="$disk" of=/dev/null bs=64k count=100 iflag=direct ;;
	[3-4])	dd if=/dev/zero of="$disk" bs=64k count=100 oflag=direct conv=nocreat ;;
	5)	sg_inq "$sg"; sg_luns "$sg"; sg_turs "$sg"; sg_readcap "$sg" ;;
	6)	sg_reset -d "$sg" ;;
	7)	# open while everything goes on
		{ exec {kept}<"$disk"; } || return
		sleep 0.$RANDOM
		exec {kept}<&- ;;
	esac </dev/null >/dev/null 2>&1
}

# A host does not notice new LUNs by itself.
scans()
{
	local h

	for h in /sys/class/scsi_host/host*; do
		! chance 50 || { echo '- - -' >"$h/scan"; } 2>/dev/null
	done
	sleep 0.5
}

# ---- the storm ---------------------------------------------------------------

# worker NUMBER COMMAND...: again and again
worker()
{
	RANDOM=$((seed + $1))
	operations=0 sessions=0
	until [ -e $stop ]; do
		"${@:2}"
	done
	echo $operations $sessions >"$dir/count.$wild.$1"
}

# storm SECONDS WORKER...
storm()
{
	local w i=0

	rm -f $stop
	for w in "${@:2}"; do
		i=$((i + 1))
		# shellcheck disable=SC2086 # words are wanted
		worker $i $w &
	done
	sleep "$1"
	touch $stop
	# None of them waits for anything without end.
	wait_for 120 no_workers
}

no_workers() { ! jobs -r | grep -q worker; }

set_up()
{
	load_modules scst_nullio scst_vdisk scst_local
	load_module ib_srpt rdma_cm_port=$SRP_PORT || return 1
	wait_for 10 srp_target || return 1
	local_target=scst_local/$LOCAL_TARGET srp_target=ib_srpt/$(srp_target)
	wait_for 10 srp_enable 1
}

# remove_all: whatever the storm has left
remove_all()
{
	local m

	for m in scst_local ib_srpt scst_vdisk scst_nullio scst; do
		SECONDS=0
		# A disk that was just found may still be read.
		! module_loaded $m || wait_for 10 rmmod $m || return 1
		echo "$m: $SECONDS s"
	done
}

verify()
{
	fio_verify "$1" --offset="$2" --size=8m --time_based --runtime="$seconds" \
		--rw=randrw --verify_backlog=32
}

read_disk() { dd if="$1" of=/dev/null bs=1M count=8 iflag=direct; }

# In KiB, when caches are empty
memory_used()
{
	sync
	echo 3 >/proc/sys/vm/drop_caches
	awk '/^MemTotal/ { total = $2 } /^MemAvailable/ { print total - $2 }' /proc/meminfo
}

clean_up()
{
	touch $stop
	srp_logout
	unload_modules
	rxe_down
	modprobe -rq brd null_blk
	rm -rf $dir
}
on_exit clean_up

make_file $dir/keep 16
make_file $dir/file1 32
make_file $dir/file2 16
make_file $dir/disc 4
modprobe -a sd_mod sr_mod sg
modprobe brd rd_nr=1 rd_size=32768
modprobe null_blk nr_devices=1 gb=1
modprobe ib_srp fast_io_fail_tmo=1 dev_loss_tmo=2 reconnect_delay=1
ok "soft-RoCE port" rxe_up
# The first time allocates what the kernel keeps.
ok "modules" set_up
ok "unload" unload_modules
before=$(memory_used)

wild=0
ok "modules again" set_up
ok "a device that stays" add_fileio keep $dir/keep
ok "LUN of scst_local" add_lun "$local_target" keep 0
ok "LUN of ib_srpt" add_lun "$srp_target" keep 0
ok "login" srp_login ch_count=1
kept_host=$SRP_HOST
verify "$(local_disk 0)" 0 >$dir/fio.local 2>&1 &
fio_local=$!
verify "$(scsi_disk "$SRP_HOST" 0)" 8m >$dir/fio.srp 2>&1 &
fio_srp=$!
ok "storm around a LUN, $seconds s" storm "$seconds" devices luns groups targets targets logins attributes \
	readers scans 'io scst_local' 'io ib_srp'
ok "its I/O through scst_local goes on" wait $fio_local || diag "$(cat $dir/fio.local)"
ok "its I/O through ib_srp goes on" wait $fio_srp || diag "$(cat $dir/fio.srp)"

wild=1
ok "storm that spares nothing, $seconds s" storm "$seconds" devices luns groups targets targets logins \
	attributes ports modules readers scans 'io scst_local' 'io ib_srp'
srp_logout
ok "all modules unload within 10 s each" remove_all

wild=0
ok "modules once more" set_up
add_nullio after && add_lun "$local_target" after 0 && add_lun "$srp_target" after 0
ok "login" srp_login ch_count=1
ok "I/O of scst_local as before" read_disk "$(local_disk 0)"
ok "I/O of ib_srp as before" read_disk "$(scsi_disk "$SRP_HOST" 0)"
srp_logout
unload_modules
after=$(memory_used)
ok "memory: $before KiB used before, $after KiB after" [ "$after" -le $((before + $(awk \
	'/^MemTotal/ { print int($2 / 20) }' /proc/meminfo))) ]
rxe_down

cat $dir/count.* >$dir/counts
tally "$(awk '{ n += $1 } END { print n }' $dir/counts)" "config operations done"
tally "$(awk '{ n += $2 } END { print n }' $dir/counts)" "sessions cycled"
assert_clean "kernel log clean"
