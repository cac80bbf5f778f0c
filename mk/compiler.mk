# The compiler, and the mathematical functions that it carries.
CFLAGS_TOOL := -std=c11 $(WARN) -Iruntime -Itools/cdpcc -D_GNU_SOURCE

# Device code's mathematics and what is linked into programs (math/, object/) are built otherwise.
TOOL_SRC := $(sort $(filter-out tools/cdpcc/math/% tools/cdpcc/object/%,\
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
$(B)/bin/cdpcc: $(TOOL_SRC:tools/cdpcc/%.c=$(O)/tool/%.o) $(O)/tool/math/math_library.o
	@mkdir -p $(@D)
	@echo "  LINK $@"
	$(CC) $(MODEFLAGS) -o $@ $^ $(LLVM_LIBS)
