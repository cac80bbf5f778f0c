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

B := build
O := $(B)/obj-$(MODE)

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

RT_SRC := $(sort $(wildcard runtime/*/*.c))
ARCH := $(shell uname -m)
RT_ASM := runtime/fiber/switch_$(ARCH).S
TOOL_SRC := $(sort $(wildcard tools/cdpcc/*.c))

LLVM_CFLAGS = $(shell $(LLVM_CONFIG) --cflags | tr ' ' '\n' | grep '^-I')
LLVM_LIBS = $(shell $(LLVM_CONFIG) --ldflags --libs --system-libs)

# One runtime per sanitizer of the user's program, beside the plain one.
VARIANTS := plain asan tsan
VFLAGS_plain := $(MODEFLAGS)
VFLAGS_asan := -O1 -g -fsanitize=address -fno-omit-frame-pointer
VFLAGS_tsan := -O1 -g -fsanitize=thread
VNAME_plain := cdprt
VNAME_asan := cdprt_asan
VNAME_tsan := cdprt_tsan

.PHONY: all setup demo check bench lint install clean help
all: $(B)/bin/cdpcc $(foreach v,$(VARIANTS),$(B)/lib/lib$(VNAME_$(v)).a) $(B)/lib/libcdprt.so \
     $(B)/include/cdpcc $(B)/lib/cdp_register.o

define variant
$(O)/$(1)/%.o: runtime/%.c
	@mkdir -p $$(@D)
	$$(CC) $$(CFLAGS_RT) $$(CPPFLAGS_RT) $$(VFLAGS_$(1)) -MMD -MP -c $$< -o $$@
$(O)/$(1)/%.o: runtime/%.S
	@mkdir -p $$(@D)
	$$(CC) -fPIC -g -c $$< -o $$@
RT_OBJ_$(1) := $$(RT_SRC:runtime/%.c=$(O)/$(1)/%.o) $$(RT_ASM:runtime/%.S=$(O)/$(1)/%.o)
$(B)/lib/lib$(VNAME_$(1)).a: $$(RT_OBJ_$(1))
	@mkdir -p $$(@D)
	rm -f $$@ && ar rcs $$@ $$^
-include $$(RT_SRC:runtime/%.c=$(O)/$(1)/%.d)
endef
$(foreach v,$(VARIANTS),$(eval $(call variant,$(v))))

$(B)/lib/libcdprt.so: $(RT_OBJ_plain)
	$(CC) -shared $(MODEFLAGS) -Wl,-soname,libcdprt.so -o $@ $^ -lpthread -lffi -lm

# Linked into every object cdpcc makes: hands the module's tables to the runtime.
$(B)/lib/cdp_register.o: tools/cdpcc/object/cdp_register.c runtime/abi/cdp_abi.h
	@mkdir -p $(@D)
	$(CC) -std=c11 -O2 -fPIC -fvisibility=hidden $(WARN) -Iruntime -c $< -o $@

$(B)/include/cdpcc:
	@mkdir -p $(@D)
	ln -sfn ../../compat $@

$(O)/tool/%.o: tools/cdpcc/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_TOOL) $(LLVM_CFLAGS) $(MODEFLAGS) -MMD -MP -c $< -o $@
-include $(TOOL_SRC:tools/cdpcc/%.c=$(O)/tool/%.d)
$(B)/bin/cdpcc: $(TOOL_SRC:tools/cdpcc/%.c=$(O)/tool/%.o)
	@mkdir -p $(@D)
	$(CC) $(MODEFLAGS) -o $@ $^ $(LLVM_LIBS)

clean:
	rm -rf $(B)
