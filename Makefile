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

CPPFLAGS_RT := -Iruntime -Icompat -D_GNU_SOURCE
CFLAGS_RT := -std=c11 -fPIC -fvisibility=hidden -gdwarf-4 $(WARN) -Wthread-safety
CFLAGS_TOOL := -std=c11 $(WARN) -Iruntime -Itools/cdpcc -D_GNU_SOURCE

RT_SRC := $(sort $(wildcard runtime/*/*.c runtime/*/*/*.c))
ARCH := $(shell uname -m)
# Where jumps lie decides their speed on Intel's processors up to 2020; the others do not mind.
ARCHFLAGS_x86_64 := -mbranches-within-32B-boundaries

# `make TARGET=aarch64-linux-gnu` also makes the runtime for that machine, with the C library
# and libgcc of Debian's g++-aarch64-linux-gnu.  Without a libffi for it, kernels in C
# (api/embed.c) are left out.
TARGET ?=
ifeq ($(TARGET),$(ARCH)-linux-gnu)
override TARGET :=
endif
# Device code's mathematics and what is linked into programs (math/, object/) are built otherwise.
TOOL_SRC := $(sort $(filter-out tools/cdpcc/math/% tools/cdpcc/object/%,\
    $(wildcard tools/cdpcc/*.c tools/cdpcc/*/*.c tools/cdpcc/simd/*/*.c)))

LLVM_CFLAGS = $(shell $(LLVM_CONFIG) --cflags | tr ' ' '\n' | grep '^-I')
LLVM_LIBS = $(shell $(LLVM_CONFIG) --ldflags --libs --system-libs)

# One runtime per sanitizer of the user's program, beside the plain one.  In MODE=asan
# and MODE=tsan the C tests have one more, instrumented as a whole: users' programs are
# linked without sanitizers there too.
VARIANTS := plain asan tsan
TEST_LIB := $(B)/lib/libcdprt.a
VFLAGS_plain := $(MODEFLAGS)
ifneq ($(filter asan tsan,$(MODE)),)
VARIANTS += check
TEST_LIB := $(B)/lib/libcdprt_check.a
VFLAGS_plain := $(MODEFLAGS_release)
VFLAGS_check := $(MODEFLAGS)
VNAME_check := libcdprt_check
endif
VFLAGS_asan := -O1 -g -fsanitize=address -fno-omit-frame-pointer
VFLAGS_tsan := -O1 -g -fsanitize=thread
VNAME_plain := libcdprt
VNAME_asan := libcdprt_asan
VNAME_tsan := libcdprt_tsan
VNAME_target := $(TARGET)/libcdprt

# The variant for another machine than this.
ifneq ($(TARGET),)
VARIANTS += target
VFLAGS_target := --target=$(TARGET) $(MODEFLAGS)
VAR_target := llvm-ar-$(LLVM_VERSION)
HAS_FFI_target := $(shell $(CC) --target=$(TARGET) -include ffi.h -x c -E /dev/null \
    >/dev/null 2>&1 && echo yes)
ifeq ($(HAS_FFI_target),)
VWITHOUT_target := runtime/api/embed.c
endif
endif
VARCH = $(if $(filter target,$(1)),$(firstword $(subst -, ,$(TARGET))),$(ARCH))

# The toolkit's names, for links by other drivers: g++ main.o link.o -lcudart -lcudadevrt.
ALIAS_NAMES := cudart cudart_static cudadevrt cuda
ALIASES := $(ALIAS_NAMES:%=$(B)/lib/lib%.a)

.PHONY: all setup demo check check-all bench lint install clean help
all: $(B)/bin/cdpcc $(foreach v,$(VARIANTS),$(B)/lib/$(VNAME_$(v)).a) $(B)/include/cdpcc \
     $(foreach f,libcdprt.so cdp_register.o,$(B)/lib/$(f) $(TARGET:%=$(B)/lib/%/$(f))) $(ALIASES) \
     $(B)/bin/cdp-gdb $(B)/share/cdpcc/cdp_gdb.py $(B)/share/cdpcc/cmake/cdpcc.cmake \
     $(B)/bin/cdp-fuzz

define variant
$(O)/$(1)/%.o: runtime/%.c
	@mkdir -p $$(@D)
	@echo "  CC $$@"
	$$(CC) $$(CFLAGS_RT) $$(ARCHFLAGS_$(VARCH)) $$(CPPFLAGS_RT) $$(VFLAGS_$(1)) -MMD -MP -c $$< -o $$@
$(O)/$(1)/%.o: runtime/%.S
	@mkdir -p $$(@D)
	$$(CC) $$(filter --target=%,$$(VFLAGS_$(1))) -fPIC -g -c $$< -o $$@
RT_OBJ_$(1) := $$(patsubst runtime/%.c,$(O)/$(1)/%.o,$$(filter-out $$(VWITHOUT_$(1)),$$(RT_SRC))) \
    $(O)/$(1)/fiber/switch_$(VARCH).o
$(B)/lib/$(VNAME_$(1)).a: $$(RT_OBJ_$(1))
	@mkdir -p $$(@D)
	rm -f $$@ && $$(or $$(VAR_$(1)),ar) rcs $$@ $$^
-include $$(RT_SRC:runtime/%.c=$(O)/$(1)/%.d)
endef
$(foreach v,$(VARIANTS),$(eval $(call variant,$(v))))

# The shared library, and what is linked into every object cdpcc makes: it hands the module's
# tables to the runtime.
define beside
$(B)/lib/$(VNAME_$(1)).so: $$(RT_OBJ_$(1))
	@mkdir -p $$(@D)
	$$(CC) -shared $$(VFLAGS_$(1)) -Wl,-soname,libcdprt.so -o $$@ $$^ -lpthread \
	    $(if $(VWITHOUT_$(1)),,-lffi) -lm
$(dir $(B)/lib/$(VNAME_$(1)))cdp_register.o: tools/cdpcc/object/cdp_register.c runtime/abi/cdp_abi.h
	@mkdir -p $$(@D)
	$$(CC) $$(filter --target=%,$$(VFLAGS_$(1))) -std=c11 -O2 -fPIC -fvisibility=hidden $(WARN) \
	    -Iruntime -c $$< -o $$@
endef
$(foreach v,plain $(TARGET:%=target),$(eval $(call beside,$(v))))

$(ALIASES): $(B)/lib/libcdprt.a
	ln -sf libcdprt.a $@

$(B)/bin/cdp-fuzz: tools/fuzz/cdp-fuzz
	@mkdir -p $(@D)
	install -m 755 $< $@
$(B)/bin/cdp-gdb: tools/gdb/cdp-gdb
	@mkdir -p $(@D)
	install -m 755 $< $@
$(B)/share/cdpcc/cdp_gdb.py: tools/gdb/cdp_gdb.py
	@mkdir -p $(@D)
	install -m 644 $< $@

$(B)/share/cdpcc/cmake/cdpcc.cmake: tools/cmake/cdpcc.cmake
	@mkdir -p $(@D)
	install -m 644 $< $@

$(B)/include/cdpcc:
	@mkdir -p $(@D)
	ln -sfn $(CURDIR)/compat $@

$(O)/tool/%.o: tools/cdpcc/%.c
	@mkdir -p $(@D)
	@echo "  CC $@"
	$(CC) $(CFLAGS_TOOL) $(LLVM_CFLAGS) $(MODEFLAGS) -MMD -MP -c $< -o $@
-include $(TOOL_SRC:tools/cdpcc/%.c=$(O)/tool/%.d)

# Device code's mathematical functions, which cdpcc carries as bitcode.  For no processor in
# particular: each function of a program gets the one that was asked for.
MATH_SRC := $(sort $(wildcard tools/cdpcc/math/*.c))
$(O)/math/%.bc: tools/cdpcc/math/%.c tools/cdpcc/math/math.h
	@mkdir -p $(@D)
	@echo "  CC $@"
	$(CC) -std=c11 $(WARN) -Itools/cdpcc $(if $(filter x86_64,$(ARCH)),-march=x86-64) -O1 -fPIC -ffp-contract=off -fno-math-errno \
	    -fno-vectorize -fno-slp-vectorize -fno-unroll-loops -emit-llvm -c $< -o $@
$(O)/math/library.bc: $(MATH_SRC:tools/cdpcc/math/%.c=$(O)/math/%.bc)
	llvm-link-$(LLVM_VERSION) $^ -o $@
$(O)/tool/math/math_library.o: tools/cdpcc/math/math_library.S $(O)/math/library.bc
	@mkdir -p $(@D)
	$(CC) -DCDP_MATH_BITCODE='"$(O)/math/library.bc"' -c $< -o $@
$(B)/bin/cdpcc: $(TOOL_SRC:tools/cdpcc/%.c=$(O)/tool/%.o) $(O)/tool/math/math_library.o
	@mkdir -p $(@D)
	@echo "  LINK $@"
	$(CC) $(MODEFLAGS) -o $@ $^ $(LLVM_LIBS)

clean:
	rm -rf build

# ---- the two commands ----------------------------------------------------------------

PACKAGES := clang-$(LLVM_VERSION) llvm-$(LLVM_VERSION)-dev libclang-rt-$(LLVM_VERSION)-dev \
            llvm-$(LLVM_VERSION)-tools lld-$(LLVM_VERSION) check libffi-dev pkg-config make gcc g++ gdb valgrind \
            libomp-$(LLVM_VERSION)-dev clang-format-$(LLVM_VERSION) clang-tidy-$(LLVM_VERSION) \
            cmake libthrust-dev libcub-dev spin
# To make programs for the other machine, and to run them.
ifeq ($(ARCH),x86_64)
PACKAGES += g++-aarch64-linux-gnu qemu-user
endif
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)

## setup: install what is missing of Debian's packages (asks for sudo only if not root)
setup:
	@missing=$$(for p in $(PACKAGES); do dpkg-query -W -f='$${Status}' $$p 2>/dev/null \
	    | grep -q 'ok installed' || echo $$p; done); \
	if [ -n "$$missing" ]; then \
	    echo "installing:" $$missing; \
	    $(SUDO) apt-get update -qq && \
	    DEBIAN_FRONTEND=noninteractive $(SUDO) apt-get install -y -qq $$missing; \
	fi

## demo: build everything, compile a CUDA Dynamic Parallelism program and run it
demo: setup
	@$(MAKE) --no-print-directory all
	$(B)/bin/cdpcc examples/quadtree.cu -o $(B)/quadtree
	$(B)/quadtree

## check: build everything and run all tests (MODE=debug|asan|tsan for other builds)
check: setup
	@$(MAKE) --no-print-directory all
	@CDPCC=$(CURDIR)/$(B)/bin/cdpcc MODE=$(MODE) MAKE="$(MAKE)" tests/run_all.sh

## check-all: check, and what is slow and finds little that check does not
check-all: setup
	@$(MAKE) --no-print-directory all
	@CDPCC=$(CURDIR)/$(B)/bin/cdpcc MODE=$(MODE) MAKE="$(MAKE)" tests/run_all.sh --all

## bench: flat kernels and trees beside C with OpenMP, launches, the compiler: build/bench/table.md
bench: setup
	@$(MAKE) --no-print-directory all
	@CDPCC=$(CURDIR)/$(B)/bin/cdpcc BENCH_BUILD=$(CURDIR)/$(B)/bench bench/run.sh

## lint: layers, format, warnings of a second compiler, clang-tidy
lint: setup
	@tools/check_layers.sh
	@tools/lint.sh

## install: headers, libraries, cdpcc and a pkg-config file under PREFIX
install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/pkgconfig \
	    $(DESTDIR)$(PREFIX)/include/cdpcc $(DESTDIR)$(PREFIX)/share/cdpcc/cmake
	install -m 755 $(B)/bin/cdpcc $(DESTDIR)$(PREFIX)/bin/cdpcc
	install -m 644 $(B)/lib/libcdprt*.a $(B)/lib/*.o $(DESTDIR)$(PREFIX)/lib
	install -m 755 $(B)/lib/libcdprt.so $(DESTDIR)$(PREFIX)/lib
	for target in $(notdir $(wildcard $(B)/lib/*-linux-gnu)); do \
	    install -d $(DESTDIR)$(PREFIX)/lib/$$target && \
	    install -m 644 $(B)/lib/$$target/* $(DESTDIR)$(PREFIX)/lib/$$target; done
	for name in $(ALIAS_NAMES); do \
	    ln -sf libcdprt.a $(DESTDIR)$(PREFIX)/lib/lib$$name.a; done
	cp -r compat/. $(DESTDIR)$(PREFIX)/include/cdpcc
	install -m 755 tools/gdb/cdp-gdb tools/fuzz/cdp-fuzz $(DESTDIR)$(PREFIX)/bin
	install -m 644 tools/gdb/cdp_gdb.py $(DESTDIR)$(PREFIX)/share/cdpcc
	install -m 644 tools/cmake/cdpcc.cmake $(DESTDIR)$(PREFIX)/share/cdpcc/cmake
	sed 's|@PREFIX@|$(PREFIX)|' tools/cdpcc.pc.in > $(DESTDIR)$(PREFIX)/lib/pkgconfig/cdpcc.pc

## clean: remove build/
## help: this list
help:
	@sed -n 's/^## //p' Makefile

# ---- tests in C: each file is one Check program ----------------------------------------

TEST_SRC := $(sort $(wildcard tests/unit/*.c tests/api/*.c))
TEST_BIN := $(TEST_SRC:tests/%.c=$(O)/tests/%)
CHECK_LIBS = $(shell pkg-config --libs check 2>/dev/null || echo -lcheck -lsubunit -lm -lrt)
$(O)/tests/%: tests/%.c $(TEST_LIB) $(wildcard tests/support/*.h)
	@mkdir -p $(@D)
	$(CC) -std=c11 -Itests $(CPPFLAGS_RT) -Wall -Wextra -Werror $(MODEFLAGS) -o $@ $< \
	    $(TEST_LIB) $(CHECK_LIBS) -lffi -lpthread -ldl
# What tests/fuzz/run.sh makes random programs with.
$(O)/tests/fuzz/program.o: tests/fuzz/program.c tests/fuzz/program.h
	@mkdir -p $(@D)
	$(CC) -std=c11 -O2 -g -fPIC $(WARN) -Wno-sign-conversion -c $< -o $@
$(O)/tests/fuzz/emit: tests/fuzz/emit.c $(O)/tests/fuzz/program.o tests/fuzz/program.h
	$(CC) -std=c11 -O2 -g $(WARN) -Wno-sign-conversion -o $@ $< $(O)/tests/fuzz/program.o
# Single passes of the lowering, for tests/cdpcc/ll.
TOOL_OBJ := $(TOOL_SRC:tools/cdpcc/%.c=$(O)/tool/%.o) $(O)/tool/math/math_library.o
$(O)/tests/cdpcc-opt: tests/support/cdpcc_opt.c $(filter-out $(O)/tool/main.o,$(TOOL_OBJ))
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_TOOL) $(LLVM_CFLAGS) $(MODEFLAGS) -o $@ $^ $(LLVM_LIBS)
.PHONY: cdpcc-opt
cdpcc-opt: $(O)/tests/cdpcc-opt
	@echo $(CURDIR)/$<
.PHONY: test-programs fuzz-tools
fuzz-tools: $(O)/tests/fuzz/program.o $(O)/tests/fuzz/emit
	@echo $(CURDIR)/$(O)/tests/fuzz
test-programs: $(TEST_BIN)
	@echo $(TEST_BIN)
