# Tests in C: each file is one Check program.
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
$(O)/tests/fuzz/emit: tests/fuzz/emit.c tests/fuzz/order.c $(O)/tests/fuzz/program.o \
    tests/fuzz/program.h tests/fuzz/order.h
	$(CC) -std=c11 -O2 -g $(WARN) -Wno-sign-conversion -o $@ tests/fuzz/emit.c tests/fuzz/order.c \
	    $(O)/tests/fuzz/program.o
# Single passes of the lowering, for tests/cdpcc/ll.
TOOL_OBJ := $(TOOL_SRC:tools/cdpcc/%.c=$(O)/tool/%.o) $(BITCODE_OBJ)
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
