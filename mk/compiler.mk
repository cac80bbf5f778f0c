# The compiler, and the mathematical functions that it carries.
CFLAGS_TOOL := -std=c11 $(WARN) -Iruntime -Itools/cdpcc -D_GNU_SOURCE

# Device code's mathematics and what is linked into programs (math/, object/) are built otherwise.
TOOL_SRC := $(sort $(filter-out tools/cdpcc/math/% tools/cdpcc/object/% tools/cdpcc/ptx/library/%,\
    $(wildcard tools/cdpcc/*.c tools/cdpcc/*/*.c tools/cdpcc/*/*/*.c)))

LLVM_CFLAGS = $(shell $(LLVM_CONFIG) --cflags | tr ' ' '\n' | grep '^-I')
LLVM_LIBS = $(shell $(LLVM_CONFIG) --ldflags --libs --system-libs)

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

# The instructions of inline PTX that are written in CUDA, with the headers of compat/.  Also for no
# processor in particular, and not vectorized: block entries do that.
PTX_SRC := $(sort $(wildcard tools/cdpcc/ptx/library/*.cu))
$(O)/ptx/%.bc: tools/cdpcc/ptx/library/%.cu
	@mkdir -p $(@D)
	@echo "  CC $@"
	$(CC) -x cuda --cuda-host-only --cuda-path=/nonexistent -nocudainc -nocudalib -fgpu-rdc -std=c++17 -cuid=ptx \
	    -Xclang -target-sdk-version=12.9 -Wno-unknown-cuda-version -Xclang -fcuda-is-device -U__CUDA_ARCH__ -D__CUDA_ARCH__=900 -D__CDP_MODE=0 \
	    -include compat/cuda_runtime.h -isystem compat -Itools/cdpcc -Itools/cdpcc/ptx/library -Iruntime $(if $(filter x86_64,$(ARCH)),-march=x86-64) \
	    -O1 -fPIC -ffp-contract=off -fno-math-errno -fno-strict-float-cast-overflow -fno-vectorize -fno-slp-vectorize \
	    -fno-unroll-loops -MMD -MP -MF $(@:.bc=.d) -emit-llvm -c $< -o $@
-include $(PTX_SRC:tools/cdpcc/ptx/library/%.cu=$(O)/ptx/%.d)
$(O)/ptx/library.bc: $(PTX_SRC:tools/cdpcc/ptx/library/%.cu=$(O)/ptx/%.bc)
	llvm-link-$(LLVM_VERSION) $^ -o $@
$(O)/tool/ptx/library/bitcode.o: tools/cdpcc/ptx/library/bitcode.S $(O)/ptx/library.bc
	@mkdir -p $(@D)
	$(CC) -DCDP_PTX_BITCODE='"$(O)/ptx/library.bc"' -c $< -o $@
BITCODE_OBJ := $(O)/tool/math/math_library.o $(O)/tool/ptx/library/bitcode.o
$(B)/bin/cdpcc: $(TOOL_SRC:tools/cdpcc/%.c=$(O)/tool/%.o) $(BITCODE_OBJ)
	@mkdir -p $(@D)
	@echo "  LINK $@"
	$(CC) $(MODEFLAGS) -o $@ $^ $(LLVM_LIBS)
