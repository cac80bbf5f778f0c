# The runtime: one library for each way to link it, and the small object that joins a module to it.
CPPFLAGS_RT := -Iruntime -Icompat -D_GNU_SOURCE
CFLAGS_RT := -std=c11 -fPIC -fvisibility=hidden -gdwarf-4 $(WARN) -Wthread-safety
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
# The sanitizers' variants watch the user's memory, not the runtime's own, which the C tests watch in
# MODE=asan and MODE=tsan. AddressSanitizer's frames of functions that run on fibers cost more than
# all else: it looks for memory for their variables, to find uses after a return, and most switches
# run on a fiber that it sees for the first time. ThreadSanitizer sees all atomic accesses, because
# they order the user's, but plain ones only in folders that read or write the user's memory.
VFLAGS_asan := -O2 -g -fsanitize=address -fno-omit-frame-pointer -mllvm -asan-stack=0
VFLAGS_tsan := -O2 -g -fsanitize=thread
VOWN_tsan := -mllvm -tsan-instrument-memory-accesses=0
OWN_FOLDERS := base os sched fiber exec stream
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

define variant
$(O)/$(1)/%.o: runtime/%.c
	@mkdir -p $$(@D)
	@echo "  CC $$@"
	$$(CC) $$(CFLAGS_RT) $$(ARCHFLAGS_$(VARCH)) $$(CPPFLAGS_RT) $$(VFLAGS_$(1)) \
	    $$(if $$(filter $$(OWN_FOLDERS),$$(firstword $$(subst /, ,$$*))),$$(VOWN_$(1))) -MMD -MP -c $$< -o $$@
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

# The shared library, and the small objects: cdp_register.o is linked into every object cdpcc makes
# and hands the module's tables to the runtime; cdp_lab.o is linked into programs of cdpcc --lab.
define beside
$(B)/lib/$(VNAME_$(1)).so: $$(RT_OBJ_$(1))
	@mkdir -p $$(@D)
	$$(CC) -shared $$(VFLAGS_$(1)) -Wl,-soname,libcdprt.so -o $$@ $$^ -lpthread \
	    $(if $(VWITHOUT_$(1)),,-lffi) -lm
$(dir $(B)/lib/$(VNAME_$(1)))cdp_%.o: tools/cdpcc/object/cdp_%.c $(addprefix runtime/abi/,cdp_abi.h cdp_check.h cdp_tables.h)
	@mkdir -p $$(@D)
	$$(CC) $$(filter --target=%,$$(VFLAGS_$(1))) -std=c11 -O2 -fPIC -fvisibility=hidden $(WARN) \
	    -Iruntime -c $$< -o $$@
endef
$(foreach v,plain $(TARGET:%=target),$(eval $(call beside,$(v))))

$(B)/lib/cdp_object.S: tools/cdpcc/object/cdp_object.S
	@mkdir -p $(@D)
	install -m 644 $< $@
