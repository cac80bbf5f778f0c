# NVIDIA's libraries for compiling and linking while a program runs. They call cdpcc, and need nothing of
# the runtime but the files of jit/.
LIBRARY_NAMES := nvrtc nvJitLink
LIBRARIES := $(foreach n,$(LIBRARY_NAMES),$(B)/lib/lib$(n).so $(B)/lib/lib$(n)_static.a)
LIBRARY_SRC := $(sort $(wildcard libraries/*/*.c))
LIBRARY_COMMON := $(O)/plain/base/alloc.o $(patsubst runtime/%.c,$(O)/plain/%.o,$(wildcard runtime/jit/*.c))

$(O)/libraries/%.o: libraries/%.c
	@mkdir -p $(@D)
	@echo "  CC $@"
	$(CC) $(CFLAGS_RT) $(CPPFLAGS_RT) $(VFLAGS_plain) -MMD -MP -c $< -o $@
-include $(LIBRARY_SRC:libraries/%.c=$(O)/libraries/%.d)

define library
$(B)/lib/lib$(1).so.12: $(patsubst libraries/%.c,$(O)/libraries/%.o,$(wildcard libraries/$(1)/*.c)) $(LIBRARY_COMMON)
	@mkdir -p $$(@D)
	$$(CC) -shared -Wl,-soname,lib$(1).so.12 -Wl,-z,defs -o $$@ $$^
$(B)/lib/lib$(1).so: $(B)/lib/lib$(1).so.12
	ln -sf lib$(1).so.12 $$@
$(B)/lib/lib$(1)_static.a: $(patsubst libraries/%.c,$(O)/libraries/%.o,$(wildcard libraries/$(1)/*.c)) $(LIBRARY_COMMON)
	@mkdir -p $$(@D)
	rm -f $$@ && ar rcs $$@ $$^
endef
$(foreach n,$(LIBRARY_NAMES),$(eval $(call library,$(n))))

# NVML, and nvidia-smi on top of it: the devices as the runtime has them, without the runtime. They
# are in a directory of their own: where programs for GPUs look, they would hide NVIDIA's.
NVML := $(B)/lib/cdpcc-nvml
NVML_OBJ := $(patsubst libraries/%.c,$(O)/libraries/%.o,$(wildcard libraries/nvml/*.c)) \
    $(patsubst runtime/%.c,$(O)/plain/%.o,runtime/base/alloc.c runtime/base/options.c \
    $(wildcard runtime/model/*.c) \
    $(filter-out runtime/os/signals_linux.c runtime/os/unwind_linux.c,$(wildcard runtime/os/*_linux.c)))
$(NVML)/libnvidia-ml.so.1: $(NVML_OBJ)
	@mkdir -p $(@D)
	$(CC) -shared -Wl,-soname,libnvidia-ml.so.1 -Wl,-z,defs -o $@ $^
$(NVML)/libnvidia-ml.so: $(NVML)/libnvidia-ml.so.1
	ln -sf libnvidia-ml.so.1 $@
$(NVML)/nvidia-smi: $(patsubst libraries/%.c,$(O)/libraries/%.o,$(wildcard libraries/nvidia-smi/*.c)) $(NVML_OBJ)
	@mkdir -p $(@D)
	$(CC) -o $@ $^
LIBRARIES += $(NVML)/libnvidia-ml.so $(NVML)/nvidia-smi
