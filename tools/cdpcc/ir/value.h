/* Helpers on LLVM-C for several passes, and collections of its values. */
#ifndef CDPCC_IR_VALUE_H
#define CDPCC_IR_VALUE_H
#include "ir/context.h"

/* Metadata of relaxed accesses that may become plain ones if no loop polls by them. */
#define LOWER_CACHED "cdp.cached"

/* The variable of inline PTX's carry, from one asm to the next (ptx/carry.c). */
#define LOWER_CARRY "cdp.ptx.carry"

/* Grows an array in the arena, whose capacity is the next power of two, for one more element. */
void *lower_grow(void *array, size_t count, size_t element_size);
#define LOWER_PUSH(array, count, value)                                                            \
    do {                                                                                           \
        (array) = lower_grow((array), (count), sizeof *(array));                                   \
        (array)[(count)++] = (value);                                                              \
    } while (0)

/* A map from pointers to numbers; zero is the empty map. A hash table with open addressing:
 * capacity is 0 or a power of two, at most half of it is in use. Keys are not NULL. In the
 * arena. */
struct lower_map {
    const void **keys;
    unsigned *values;
    size_t count, capacity;
};
/* Adds a key, or changes its number. */
void lower_map_put(struct lower_map *map, const void *key, unsigned value);
/* False if the map does not have the key; then *value does not change. */
bool lower_map_find(const struct lower_map *map, const void *key, unsigned *value);

/* The symbol or name of a value, "" if it has none. LLVM's own string: valid until it is
 * renamed. */
const char *lower_name(LLVMValueRef value);
/* The next multiple of align. */
uint64_t lower_align_up(uint64_t value, uint64_t align);
/* An attribute of the function itself, by LLVM's name: "nounwind". */
void lower_add_attribute(struct lower_context *lower, LLVMValueRef function, const char *name);
/* If accesses at address 0 are kept in one function, they are kept in the other.  Without the
 * attribute LLVM removes what surely leads to one, and a fault of the program is lost. */
void lower_copy_null_accesses(struct lower_context *lower, LLVMValueRef from, LLVMValueRef to);
/* LLVM's attribute memory(...): what the function may access. Inaccessible memory is that of the
 * runtime, which the code cannot see. */
enum lower_memory {
    LOWER_NO_MEMORY = 0,
    LOWER_INACCESSIBLE_READ = 1 << 2,
    LOWER_INACCESSIBLE_READ_WRITE = 3 << 2,
};
void lower_add_memory_attribute(struct lower_context *lower, LLVMValueRef function,
                                enum lower_memory memory);
bool lower_accesses_no_memory(LLVMValueRef function);
bool lower_has_attribute(LLVMValueRef function, const char *name);
/* A builder before the instruction, with its line. The caller disposes of it. */
LLVMBuilderRef lower_builder_before(struct lower_context *lower, LLVMValueRef instruction);
/* A builder at the very start of the function, without a line. The caller disposes of it. */
LLVMBuilderRef lower_builder_at_entry(struct lower_context *lower, LLVMValueRef function);
/* A call of LLVM's intrinsic with that name, for the given types. */
LLVMValueRef lower_intrinsic(struct lower_context *lower, LLVMBuilderRef builder, const char *name,
                             LLVMTypeRef *types, size_t type_count, LLVMValueRef *arguments,
                             unsigned count);
/* The address offset bytes after base, within the same object. */
LLVMValueRef lower_field(struct lower_context *lower, LLVMBuilderRef builder, LLVMValueRef base,
                         uint64_t offset, const char *name);
/* Loads that the optimizer may merge and move: no data of the runtime changes while a thread runs.
 * Sanitizers do not instrument them. */
LLVMValueRef lower_load_const(struct lower_context *lower, LLVMBuilderRef builder, LLVMTypeRef type,
                              LLVMValueRef address, const char *name);
/* Loads the address of the running thread's context, struct cdp_abi_thread. */
LLVMValueRef lower_self(struct lower_context *lower, LLVMBuilderRef builder);
/* The variable in which each worker has the address of cdp_abi_self. */
LLVMValueRef lower_self_variable(LLVMModuleRef module);
/* Loads the address of the running block's context, struct cdp_abi_block. */
LLVMValueRef lower_block(struct lower_context *lower, LLVMBuilderRef builder);
/* Declares a runtime function, or finds its declaration; it is convergent and does not throw. */
LLVMValueRef lower_runtime(struct lower_context *lower, const char *name, LLVMTypeRef type);
/* A list of what the optimizer must keep, as a global variable, unless it would be empty. name:
 * llvm.used or llvm.compiler.used. */
void lower_make_list(struct lower_context *lower, const char *name, LLVMValueRef *values,
                     size_t count);
/* Removes such a list, or another one, if the module has it. */
void lower_drop_list(struct lower_context *lower, const char *name);
/* A private constant with the bytes and a final zero. */
LLVMValueRef lower_string(struct lower_context *lower, const char *text);

/* One use of a value: an operand of an instruction or constant. */
struct lower_use {
    LLVMValueRef user;
    unsigned operand;
};
/* All uses of value at the time of the call, in the arena. So the caller may change them
 * meanwhile. A user with n such operands is in the list n times for each of them. */
struct lower_use *lower_uses(LLVMValueRef value, size_t *count);
/* The function that the instruction is in. */
LLVMValueRef lower_function_of(LLVMValueRef instruction);

/* Calls visit for each instruction of the module; visit may delete its own. */
void lower_each_instruction(struct lower_context *lower,
                            void (*visit)(struct lower_context *, LLVMValueRef));
/* Whether is holds for any instruction of the function. */
bool lower_any_instruction(LLVMValueRef function, bool (*is)(LLVMValueRef));
/* The instructions for which `is` holds, in the function's order. */
struct lower_list lower_instructions(LLVMValueRef function, bool (*is)(LLVMValueRef));
unsigned lower_count_instructions(LLVMValueRef function);
/* The function that a call or invoke calls directly, also through an alias; NULL for other calls
 * and other instructions. */
LLVMValueRef lower_callee(LLVMValueRef instruction);

/* The condition under which control comes to the edge between two blocks, and whether it holds
 * there. Its branch may be some blocks before, on the only way to the edge.  NULL: no condition. */
LLVMValueRef lower_condition_before(LLVMBasicBlockRef from, LLVMBasicBlockRef to, bool *holds);

/* Marks a relaxed load or store that may become a plain one if no loop polls by it. */
void lower_mark_cached(LLVMContextRef llvm, LLVMValueRef access);
/* Whether it is a load or store for which lower_mark_cached was called. */
bool lower_is_cached(LLVMValueRef access);
/* An atomic operation that leaves the value as it is: atomicAdd(flag, 0), atomicOr(flag, 0),
 * atomicCAS(flag, 0, 0). Programs load by them. */
bool lower_is_atomic_read(LLVMValueRef at);
/* An atomic operation that counts: atomicAdd(next, 1). Each one gives another number. */
bool lower_draws_number(LLVMValueRef at);

/* Marks an access of the instrumentation itself, which other checks and sanitizers leave alone.
 * Returns it. */
LLVMValueRef lower_mark_own(LLVMValueRef access);
bool lower_is_own(LLVMValueRef access);
/* Whether it is an access of --check=memory to a function's list of local variables
 * (instrument/locals.c). */
bool lower_is_frame_access(LLVMValueRef access);
/* A type with a gap of some bytes behind it, for a stack slot. */
LLVMTypeRef lower_type_with_gap(struct lower_context *lower, LLVMTypeRef type, uint64_t gap);
/* The type of a stack slot's contents, without the gap. */
LLVMTypeRef lower_slot_type(LLVMValueRef slot);

#endif
