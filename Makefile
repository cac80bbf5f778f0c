# cdpcc: `make help` lists the targets.
#
# Everything is built under build/, laid out like an installation: build/bin/cdpcc
# finds its headers in ../include/cdpcc and the runtime in ../lib.
LLVM_VERSION := 22
CLANG := clang-$(LLVM_VERSION)
LLVM_CONFIG := llvm-config-$(LLVM_VERSION)
CC := $(CLANG)
PREFIX ?= /usr/local
MODE ?= release

# Each mode has a tree of its own: build/ for release, build/MODE/ for others.
B := $(if $(filter release,$(MODE)),build,build/$(MODE))
O := $(B)/obj

# `make V=1` shows the commands.
ifeq ($(V),)
.SILENT:
endif

WARN := -Wall -Wextra -Wshadow -Wconversion -Wundef -Wvla -Wmissing-prototypes \
        -Wstrict-prototypes -Wswitch-enum -Werror
MODEFLAGS_release := -O2 -g
MODEFLAGS_debug := -O0 -g3 -DCDP_DEBUG
MODEFLAGS_asan := -O1 -g -fsanitize=address,undefined -fno-omit-frame-pointer
MODEFLAGS_tsan := -O1 -g -fsanitize=thread
MODEFLAGS := $(MODEFLAGS_$(MODE))
ifeq ($(MODEFLAGS),)
$(error MODE=$(MODE): must be release, debug, asan or tsan)
endif

.PHONY: all setup setup-tests demo check check-all bench lint install deb clean help
all: # first, so that it is what `make` makes

include mk/runtime.mk mk/libraries.mk mk/compiler.mk mk/report.mk mk/install.mk mk/tests.mk

all: $(B)/bin/cdpcc $(foreach v,$(VARIANTS),$(B)/lib/$(VNAME_$(v)).a) $(B)/include/cdpcc $(B)/lib/cdp_object.S $(LIBRARIES) \
     $(foreach f,libcdprt.so cdp_register.o cdp_lab.o,$(B)/lib/$(f) $(TARGET:%=$(B)/lib/%/$(f))) $(B)/version.json \
     $(B)/bin/cdp-gdb $(B)/bin/cdp-lldb $(B)/bin/cdp-prof $(B)/share/cdpcc/cdp_gdb.py $(B)/share/cdpcc/cmake/cdpcc.cmake \
     $(B)/bin/cdp-fuzz $(B)/bin/cdp-sanitizer $(B)/bin/cdp-lab $(B)/share/cdpcc/labs $(B)/bin/cdp-report $(B)/share/cdpcc/report/page.html

# ---- the commands ----

# These build with as many jobs as there are processors, where no -j says otherwise.
TO_BUILD = --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc)) all

include mk/setup.mk

## demo: build everything, compile a CUDA Dynamic Parallelism program and run it
demo: setup
	@$(MAKE) $(TO_BUILD)
	$(B)/bin/cdpcc examples/quadtree.cu -o $(B)/quadtree
	$(B)/quadtree

## check: build everything and run all tests (MODE=debug|asan|tsan for other builds)
check: setup-tests
	@$(MAKE) $(TO_BUILD)
	@CDPCC="$(CURDIR)/$(B)/bin/cdpcc" MODE=$(MODE) MAKE="$(MAKE)" tests/run_all.sh

## check-all: check, and what is slow and finds little that check does not
# Chromium opens the page of cdp-report, mmdebstrap makes clean roots.
check-all: BARE_TEST_PACKAGES += chromium mmdebstrap
check-all: setup-tests
	@$(MAKE) $(TO_BUILD)
	@CDPCC="$(CURDIR)/$(B)/bin/cdpcc" MODE=$(MODE) MAKE="$(MAKE)" tests/run_all.sh --all

## bench: kernels without device launches, trees, launches, the compiler: build/bench/table.md
bench: setup-tests
	@$(MAKE) $(TO_BUILD)
	@CDPCC="$(CURDIR)/$(B)/bin/cdpcc" BENCH_BUILD="$(CURDIR)/$(B)/bench" bench/run.sh

## lint: layers, format, warnings of a second compiler, clang-tidy, sizes of headers and structs
lint: setup-tests
	@tools/check_layers.sh
	@tools/lint.sh

## clean: remove build/
clean:
	rm -rf build

## help: this list
help:
	@sed -n 's/^## //p' Makefile mk/*.mk
