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
