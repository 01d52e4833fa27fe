# SPDX-License-Identifier: GPL-2.0
#
# make                     build the modules against KDIR, and scstadmin
# make 2release            mode: tracepoints, no extra checks (the default)
# make 2perf               mode: no tracing, no extra checks
# make 2debug              mode: extra checks, debugging information
# make install             into INSTALL_MOD_PATH and DESTDIR
# make demo                a file served over SRP, in a virtual machine
# make shell               the same machine, for you to look around in
# make check               all tests; unit, fuzz, vm run a part of them
# make vm TESTS=FILES      some tests in the virtual machine
# make bench               instruction counts beside the mainline target's
# make debug-kernel        build a kernel that watches the modules, once
# make check-debug         the tests in the virtual machine under that kernel
# make soak                the long ones at random, for SOAK_MINUTES (30)
# make lint clean
#
# Variables: KDIR, SCST_MAX_TGT_DEV_COMMANDS (default 64), DESTDIR,
# INSTALL_MOD_PATH. The mode and SCST_MAX_TGT_DEV_COMMANDS are remembered in
# build/mode.mk until "make clean".

KDIR	?= $(shell scripts/kdir)
DESTDIR	?=
PREFIX	?= /usr
TESTS	?= $(wildcard tests/vm/*.t)

-include build/mode.mk
SCST_MODE ?= release
SCST_MAX_TGT_DEV_COMMANDS ?= 64

SCST_CFLAGS := -DSCST_MAX_TGT_DEV_COMMANDS=$(SCST_MAX_TGT_DEV_COMMANDS)
SCST_CFLAGS-perf := -DCONFIG_SCST_PERF
SCST_CFLAGS-debug := -DCONFIG_SCST_DEBUG -O2 -g
SCST_CFLAGS += $(SCST_CFLAGS-$(SCST_MODE)) $(EXTRA_CFLAGS)

KBUILD = $(MAKE) -C $(KDIR) M=$(CURDIR) KCFLAGS='$(strip $(SCST_CFLAGS) $(KCFLAGS))' \
	 CONFIG_SCST=m CONFIG_SCST_VDISK=m CONFIG_SCST_NULLIO=m \
	 CONFIG_SCST_LOCAL=m CONFIG_SCST_SRPT=m

.PHONY: all modules scstadmin install install-modules install-user clean \
	2perf 2release 2debug setup unit fuzz vm check lint demo shell bench \
	debug-kernel check-debug soak

all: modules scstadmin

modules:
	+$(KBUILD) modules

scstadmin:
	$(MAKE) -C scstadmin

2perf 2release 2debug:
	@mkdir -p build
	@printf 'SCST_MODE ?= %s\nSCST_MAX_TGT_DEV_COMMANDS ?= %s\n' \
		$(@:2%=%) $(SCST_MAX_TGT_DEV_COMMANDS) >build/mode.mk
	@echo "Build mode is now $(@:2%=%); run make."

# Below updates/, where modprobe looks before it takes the kernel's own ib_srpt.
install-modules: modules
	$(KBUILD) modules_install INSTALL_MOD_DIR=updates \
		KERNELRELEASE=$(shell KDIR=$(KDIR) scripts/kdir --version)
	depmod $(if $(INSTALL_MOD_PATH),-b $(INSTALL_MOD_PATH)) \
		$(shell KDIR=$(KDIR) scripts/kdir --version)

install-user: scstadmin
	install -D -m 755 scstadmin/scstadmin $(DESTDIR)$(PREFIX)/sbin/scstadmin
	for f in doc/man/*.[1-8]; do [ ! -e $$f ] || \
		install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/man/man$${f##*.} $$f; done
	install -D -m 644 scripts/scst.service $(DESTDIR)/lib/systemd/system/scst.service
	[ -e $(DESTDIR)/etc/scst.conf ] || \
		install -D -m 644 scripts/scst.conf $(DESTDIR)/etc/scst.conf
	install -d $(DESTDIR)/var/lib/scst/pr $(DESTDIR)/var/lib/scst/vdev_mode_pages

install: install-modules install-user

clean:
	+$(KBUILD) clean
	$(MAKE) -C scstadmin clean
	$(MAKE) -C tests/unit clean
	$(MAKE) -C tests/fuzz clean
	rm -f build/mode.mk

setup:
	@scripts/setup build test

unit:
	$(MAKE) -C tests/unit check

fuzz:
	$(MAKE) -C tests/fuzz check

vm: setup all
	tests/vm/run $(TESTS)

check: setup all
	scripts/check $(TESTS)

lint:
	scripts/lint

demo: setup all
	tests/demo/run

shell: setup all
	tests/demo/shell

bench: setup all
	tests/bench/run

debug-kernel:
	scripts/debug-kernel

check-debug: setup scstadmin
	scripts/check-debug $(TESTS)

soak: setup scstadmin
	tests/vm/soak $(TESTS)
