#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# devices/<d> of every handler: which attributes there are, their modes, their
# defaults, when they are marked to be saved, what they refuse (B23).

# shellcheck source=tests/vm/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/vm/lib-sysfs.sh
. "$(dirname "$0")/lib-sysfs.sh"

key=$'\n[key]'
file=/dev/shm/sysfs-device

# table DEVICE: lines "NAME MODE VALUE"; - is an empty value, a trailing + is [key].
# Everything else in the directory is an error.
table()
{
	local name wanted_mode wanted listed='' names

	while read -r name wanted_mode wanted; do
		listed+="$name "
		mode "devices/$1/$name" "$wanted_mode"
		case $wanted in
		'')	;;
		-)	value "devices/$1/$name" '' ;;
		*+)	value "devices/$1/$name" "${wanted%+}$key" ;;
		*)	value "devices/$1/$name" "$wanted" ;;
		esac
	done
	names=$(cd "$SCST/devices/$1" && echo *)
	is "$(tr ' ' '\n' <<<"$names" | sort)" "$(tr ' ' '\n' <<<"${listed% }" | sort)" \
		"$1 has these attributes and no others"
}

plan 433
load_modules scst_nullio scst_vdisk
on_exit unload_modules
make_file $file 4
on_exit rm -f $file $file.2
add_nullio n
add_fileio f $file
modprobe loop
losetup /dev/loop0 $file
on_exit losetup -d /dev/loop0
scst_write handlers/vdisk_blockio/mgmt 'add_device b filename=/dev/loop0'
scst_write handlers/vcdrom/mgmt 'add_device c'
on_exit sh -c "for d in $SCST/devices/*; do echo del_device \${d##*/} >\$d/handler/mgmt; done"

# usn and the ids made of it: crc32c of the name with its NUL, setup_id is 0
table n <<-END
	exported 0755
	handler 0777
	type 0444
	max_tgt_dev_commands 0644 64
	numa_node_id 0644 -1
	threads_num 0644 1
	threads_pool_type 0644 per_initiator
	size 0644 2748779069440
	size_mb 0644 2621440
	blocksize 0444 512
	read_only 0444 0
	rotational 0444 1
	removable 0444 0
	tst 0444 1
	cluster_mode 0644 0
	dummy 0444 0
	read_zero 0644 0
	opt_trans_len 0644 524288
	t10_vend_id 0644
	prod_id 0644 n
	prod_rev_lvl 0644 3110
	vend_specific_id 0644
	t10_dev_id 0644
	usn 0644
	naa_id 0644 -
	eui64_id 0644 -
	scsi_device_name 0644 -
	inq_vend_specific 0644 -
END
table f <<-END
	exported 0755
	handler 0777
	type 0444
	max_tgt_dev_commands 0644 64
	numa_node_id 0644 -1
	threads_num 0644 8
	threads_pool_type 0644 per_initiator
	filename 0644
	size 0444 4194304+
	size_mb 0444 4
	blocksize 0444 512
	read_only 0444 0
	write_through 0444 0
	nv_cache 0444 0
	o_direct 0444 0
	async 0644 0
	rotational 0444 1
	removable 0444 0
	thin_provisioned 0444 0
	tst 0444 1
	expl_alua 0644 0
	active 0644 1
	bind_alua_state 0644 0
	cluster_mode 0644 0
	opt_trans_len 0644 524288
	lb_per_pb_exp 0644 1
	resync_size 0200
	sync 0200
	t10_vend_id 0644 SCST_FIO
	prod_id 0644 f
	prod_rev_lvl 0644 3110
	vend_specific_id 0644
	t10_dev_id 0644
	usn 0644
	naa_id 0644 -
	eui64_id 0644 -
	scsi_device_name 0644 -
	inq_vend_specific 0644 -
END
table b <<-END
	exported 0755
	handler 0777
	type 0444
	max_tgt_dev_commands 0644 64
	numa_node_id 0644 -1
	threads_num 0644 1
	threads_pool_type 0644 per_initiator
	filename 0644
	size 0644 4194304+
	size_mb 0644 4
	blocksize 0444 512
	read_only 0444 0
	write_through 0444 0
	nv_cache 0444 0
	rotational 0444 1
	removable 0444 0
	thin_provisioned 0444
	gen_tp_soft_threshold_reached_UA 0200
	tst 0444 1
	expl_alua 0644 0
	active 0644 1
	bind_alua_state 0644 1
	cluster_mode 0644 0
	opt_trans_len 0644
	lb_per_pb_exp 0644 1
	resync_size 0200
	sync 0200
	t10_vend_id 0644 SCST_BIO
	prod_id 0644 b
	prod_rev_lvl 0644 3110
	vend_specific_id 0644
	t10_dev_id 0644
	usn 0644
	naa_id 0644 -
	eui64_id 0644 -
	scsi_device_name 0644 -
	inq_vend_specific 0644 -
END
table c <<-END
	exported 0755
	handler 0777
	type 0444
	max_tgt_dev_commands 0644 64
	numa_node_id 0644 -1
	threads_num 0644 8
	threads_pool_type 0644 per_initiator
	filename 0644 none
	size 0444 0+
	size_mb 0444 0
	tst 0444 1
	t10_vend_id 0644 SCST_FIO
	prod_id 0644 c
	prod_rev_lvl 0644 3110
	vend_specific_id 0644
	t10_dev_id 0644
	usn 0644
	naa_id 0644 -
	eui64_id 0644 -
	scsi_device_name 0644 -
	inq_vend_specific 0644 -
END

content_of devices/n/type
like "$content" '^0 - ' 'type of a disk'
content_of devices/c/type
like "$content" '^5 - ' 'type of a CD drive'
is "$(readlink $SCST/devices/n/handler)" ../../handlers/vdisk_nullio 'link to the handler'
is "$(readlink $SCST/handlers/vdisk_nullio/n)" ../../devices/n 'link from the handler'
value devices/f/filename "$file$key"$'\n'

# ---- marks of what was given at creation
accept handlers/vdisk_nullio/mgmt 'add_device k read_only=1;rotational=0;removable=1;tst=0;dummy=1;blocksize=4096;size_mb=1024;t10_dev_id=mine'
for a in read_only=1 rotational=0 removable=1 tst=0 dummy=1 blocksize=4096 size=1073741824 \
	t10_dev_id=mine; do
	value "devices/k/${a%=*}" "${a#*=}$key"
done
accept handlers/vdisk_nullio/mgmt 'del_device k'
accept handlers/vdisk_fileio/mgmt "add_device k filename=$file;write_through=1;nv_cache=1;thin_provisioned=0"
for a in write_through=1 nv_cache=1 thin_provisioned=0; do
	value "devices/k/${a%=*}" "${a#*=}$key"
done
accept handlers/vdisk_fileio/mgmt 'del_device k'

# ---- B23: a boolean takes 0 and 1 and nothing else
for bad in 2 -1 7200 yes '\n' 1e3 ' 1' true '1 0'; do
	for a in n/read_zero n/cluster_mode f/async f/active f/expl_alua f/lb_per_pb_exp \
		f/bind_alua_state; do
		refuse EINVAL "devices/$a" "$bad"
	done
done
for a in read_only rotational removable tst dummy; do
	for bad in 2 -1 7200 yes 1e3; do
		refuse EINVAL handlers/vdisk_nullio/mgmt "add_device k $a=$bad"
	done
done
for a in n/read_zero f/expl_alua; do
	accept "devices/$a" '1\n' "1$key"
	accept "devices/$a" 0 0
done
accept devices/f/lb_per_pb_exp 0 "0$key"
accept devices/f/lb_per_pb_exp '1 \n' 1
accept devices/n/cluster_mode 0 0
refuse EINVAL devices/n/cluster_mode 1

# ---- numbers
accept devices/n/max_tgt_dev_commands 32 "32$key"
accept devices/n/max_tgt_dev_commands 0x40 64
accept devices/n/max_tgt_dev_commands 0 "0$key"
refuse EINVAL devices/n/max_tgt_dev_commands -1
refuse EINVAL devices/n/max_tgt_dev_commands 5000000000
accept devices/n/numa_node_id 0 "0$key"
accept devices/n/numa_node_id -1 -1
for bad in -2 99999 x '\n'; do
	refuse EINVAL devices/n/numa_node_id "$bad"
done
accept devices/f/threads_num 4 "4$key"
accept devices/f/threads_num 0 "0$key"
value devices/f/threads_pool_type Async
accept devices/f/threads_num 8 8
refuse EINVAL devices/f/threads_num -1
accept devices/f/threads_pool_type 'SHARED\n' "shared$key"
accept devices/f/threads_pool_type per_initiator per_initiator
refuse EINVAL devices/f/threads_pool_type none
accept devices/n/opt_trans_len 1048576 "1048576$key"
for bad in 0 100 1000 4294967296 x; do
	refuse EINVAL devices/n/opt_trans_len "$bad"
done

# ---- size
accept devices/n/size 1048576 "1048576$key"
value devices/n/size_mb 1
accept devices/n/size_mb 3 3
value devices/n/size "3145728$key"
for bad in 513 -1 x 18446744073709551615 36893488147419103232; do
	refuse EINVAL devices/n/size "$bad"
done
refuse EINVAL devices/n/size_mb 18446744073709551615
accept devices/n/size 2748779069440 2748779069440
refuse EACCES devices/f/size 1048576

# ---- backing store
refuse EINVAL devices/f/filename $file.2
accept devices/f/active 0 "0$key"
refuse EMEDIUMTYPE devices/f/resync_size 1
make_file $file.2 8
refuse EINVAL devices/f/filename relative
refuse EINVAL devices/f/filename '\n'
accept devices/f/filename "$file.2\n" "$file.2$key"$'\n'
accept devices/f/active 1 1
value devices/f/size "8388608$key"
make_file $file.2 16
accept devices/f/resync_size 1
value devices/f/size_mb 16
accept devices/f/sync 1
accept devices/c/filename $file "$file$key"$'\n'
value devices/c/size "4194304$key"
refuse EINVAL devices/c/filename relative
accept devices/c/filename ' \n' none

# ---- identity
while read -r name max; do
	text=$(printf 'i%.0s' $(seq "$max"))
	accept "devices/n/$name" "$text\nrest" "$text$key"
	refuse EINVAL "devices/n/$name" "${text}i"
	refuse EINVAL "devices/n/$name" 'a\x07b'
	accept "devices/n/$name" 'a=;b' "a=;b$key"
done <<-END
	t10_vend_id 8
	prod_id 16
	prod_rev_lvl 4
	vend_specific_id 128
	t10_dev_id 25
	usn 20
	scsi_device_name 256
	inq_vend_specific 160
END
accept devices/n/scsi_device_name '\n' ''
accept devices/n/inq_vend_specific '\n' ''
accept devices/n/naa_id 0x5000C50012345678 "0x5000c50012345678$key"
accept devices/n/naa_id 60123456789abcdef0123456789abcde "0x60123456789abcdef0123456789abcde$key"
for bad in 1000c50012345678 5000c5001234567 50123456789abcdef0123456789abcde hello 0x; do
	refuse EINVAL devices/n/naa_id "$bad"
done
accept devices/n/naa_id '\n' ''
accept devices/n/eui64_id 0x1111222233334444 "0x1111222233334444$key"
accept devices/n/eui64_id 111122223333444455556666 "0x111122223333444455556666$key"
accept devices/n/eui64_id 11112222333344445555666677778888 "0x11112222333344445555666677778888$key"
refuse EINVAL devices/n/eui64_id 1234
accept devices/n/eui64_id '\n' ''

