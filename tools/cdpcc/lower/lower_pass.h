/* What the passes of the lowering share: the module, what is known of its kernels
 * and shared variables, and small helpers on top of the LLVM-C API.
 *
 * A pass is one function of the table in lower.c.  It returns nothing: errors are
 * counted in the context by lower_error, and the runner stops after a pass that
 * made any. */
#ifndef CDPCC_LOWER_PASS_H
#define CDPCC_LOWER_PASS_H

#include "lower/lower.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How one argument of the kernel's function is made from the parameter buffer. */
enum lower_argument_kind {
    LOWER_ARGUMENT_UNUSED, /* not stored anywhere: any value will do */
    LOWER_ARGUMENT_VALUE,  /* loaded */
    LOWER_ARGUMENT_BOOL,   /* loaded as a byte and compared with 0 */
    LOWER_ARGUMENT_COPY,   /* the address of the thread's own copy, or of its place in the
                            * buffer if it is a grid constant: classes in memory */
};

struct lower_argument {
    enum lower_argument_kind kind;
    unsigned parameter; /* index into lower_kernel.params */
    uint64_t offset;    /* from the start of that parameter */
    bool is_restrict;
};

/* One parameter of the source. */
struct lower_param {
    uint64_t offset, size, align;
    LLVMValueRef slot; /* the function's alloca, or the argument that is its address;
                        * NULL if the alloca only holds that address */
    const char *name;
    LLVMMetadataRef type; /* in the debug information */
    bool is_reference;
    bool is_grid_constant; /* in the buffer, for all threads */
};

/* A pointer to data within a parameter. */
struct lower_pointer {
    uint64_t offset;
    unsigned parameter; /* index into lower_kernel.params */
    const char *name;   /* as the source has it */
};
struct lower_pointers {
    struct lower_pointer *pointers; /* count of them */
    size_t count;
};

struct lower_kernel {
    LLVMValueRef function;   /* as the source has it; from lower_entry on, the entry */
    LLVMValueRef descriptor; /* K.cdpk; what the kernel's address means */
    LLVMValueRef entry;      /* cdp.thread.K; NULL for a kernel of another unit */
    const char *name;        /* mangled, without suffix */
    bool is_defined;
    LLVMLinkage linkage;
    LLVMVisibility visibility;
    LLVMComdatRef comdat;             /* the kernel's group under its new name, or NULL */
    unsigned max_threads, min_blocks; /* of __launch_bounds__ */
    struct lower_param *params;       /* param_count of them */
    unsigned param_count;
    uint64_t param_size;
    struct lower_pointers pointers;   /* by offset, which is from the buffer's start */
    struct lower_argument *arguments; /* argument_count: one for each of the function's */
    unsigned argument_count;
    const unsigned *shared; /* indices of the variables it reaches */
    unsigned shared_count;
    uint64_t shared_size, shared_extent;
    bool warp_ops;
    LLVMValueRef block_entry;   /* cdp.block.K; NULL if there is none */
    bool block_entry_runs_rows; /* one call of it may run several blocks */
    bool is_brief;              /* has one, and runs few instructions */
    bool parts_at_barriers;     /* threads of a warp may wait at different ones; set by blocks */
};

enum lower_shared_place {
    LOWER_SHARED_DYNAMIC,  /* extern __shared__: the block's dynamic part */
    LOWER_SHARED_BLOCK,    /* at an offset of the kernel's static part */
    LOWER_SHARED_EXPORTED, /* in the module's segment: other units' kernels reach it */
};

struct lower_shared {
    LLVMValueRef variable;
    const char *name;     /* of the source */
    LLVMMetadataRef type; /* in the debug information; may be NULL */
    LLVMMetadataRef node; /* its entry there; may be NULL */
    uint64_t size, align;
    enum lower_shared_place place;
    uint64_t offset;
};

/* Metadata of relaxed loads that may be plain ones where no loop polls by them. */
#define LOWER_CACHED "cdp.cached"

/* The domain of alias scopes, one for each shared variable, of accesses that the program makes by
 * its name. */
#define LOWER_SHARED_DOMAIN "cdp.variables"

struct lower_context {
    const struct lower_options *options;
    LLVMContextRef llvm;
    LLVMModuleRef module;
    LLVMTargetMachineRef machine; /* set by the runner; borrowed */
    LLVMTargetDataRef layout;
    LLVMTypeRef ptr, i1, i8, i32, i64, void_type;
    struct lower_kernel *kernels;
    size_t kernel_count;
    struct lower_shared *shared;
    size_t shared_count;
    LLVMValueRef *managed; /* variables annotated cdp.managed */
    size_t managed_count;
    LLVMValueRef *device; /* annotated cdp.device, also declarations */
    size_t device_count;
    LLVMValueRef *host; /* annotated cdp.host: functions of both sides */
    size_t host_count;
    uint64_t segment_size;  /* bytes of exported shared variables */
    LLVMValueRef *retained; /* for llvm.used */
    size_t retained_count;
    LLVMValueRef first_generation;  /* what needs it, as lower/generation.c found; or NULL */
    LLVMValueRef second_generation; /* likewise */
    bool blocks_are_known;          /* blocks has looked at all kernels */
    unsigned errors;
    LLVMDIBuilderRef block_debug; /* while block entries are made */
};

/* A context with no tables yet; the caller disposes of layout. */
void lower_context_init(struct lower_context *lower, const struct lower_options *options,
                        LLVMModuleRef module, LLVMTargetMachineRef machine);

/* Runs the pass of that name; false if there is none. */
bool lower_run_pass(struct lower_context *lower, const char *name);

/* The passes, in the order of the table in lower.c. */
void lower_collect(struct lower_context *lower);
void lower_check(struct lower_context *lower);
void lower_generation(struct lower_context *lower);
void lower_pointers(struct lower_context *lower);
void lower_params(struct lower_context *lower);
void lower_front(struct lower_context *lower);
void lower_ptx(struct lower_context *lower);
void lower_builtin(struct lower_context *lower);
void lower_dims(struct lower_context *lower);
void lower_print(struct lower_context *lower);
void lower_math(struct lower_context *lower);
void lower_float(struct lower_context *lower);
void lower_convert(struct lower_context *lower);
void lower_divide(struct lower_context *lower);
void lower_shift(struct lower_context *lower);
void lower_entry(struct lower_context *lower);
void lower_locals(struct lower_context *lower);
void lower_view(struct lower_context *lower);
void lower_warp(struct lower_context *lower);
void lower_shared(struct lower_context *lower);
void lower_symbol(struct lower_context *lower);
void lower_blocks(struct lower_context *lower);
void lower_barriers(struct lower_context *lower);
void lower_table(struct lower_context *lower);
void lower_target(struct lower_context *lower);

/* ir/report.c: messages in clang's form.  A place in the source; file is NULL where
 * none is known, column 0 likewise. */
struct lower_place {
    const char *file;
    unsigned line, column;
};
/* Of a DIFile, as messages have it; NULL if there is none. */
const char *lower_file_path(LLVMMetadataRef file);
/* Of an instruction or a function; where may be NULL. */
struct lower_place lower_place_of(LLVMValueRef where);
/* Of a DILocation; may be NULL. */
struct lower_place lower_place_at(LLVMMetadataRef location);

/* Sets the column to where the line has the name. */
void lower_place_find(struct lower_place *place, const char *name);

/* Prints "file:line:column: error: ..." with the line of the source, and counts it. */
void lower_error(struct lower_context *lower, LLVMValueRef where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* False if it was not wanted.  Counts as an error if the user says so. */
bool lower_warning(struct lower_context *lower, enum warning warning,
                   const struct lower_place *place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* More about the message before. */
void lower_note(const struct lower_context *lower, const struct lower_place *place,
                const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Appends to an array in the arena whose capacity is the next power of two. */
void *lower_grow(void *array, size_t count, size_t element_size);
#define LOWER_PUSH(array, count, value)                                                            \
    do {                                                                                           \
        (array) = lower_grow((array), (count), sizeof *(array));                                   \
        (array)[(count)++] = (value);                                                              \
    } while (0)

/* Numbers given to pointers. */
struct lower_map {
    const void **keys;
    unsigned *values;
    size_t count, capacity;
};
void lower_map_put(struct lower_map *map, const void *key, unsigned value);
bool lower_map_find(const struct lower_map *map, const void *key, unsigned *value);

/* ir/value.c: shorthand on LLVM-C. */
const char *lower_name(LLVMValueRef value);
uint64_t lower_align_up(uint64_t value, uint64_t align);
void lower_add_attribute(struct lower_context *lower, LLVMValueRef function, const char *name);
bool lower_has_attribute(LLVMValueRef function, const char *name);
LLVMBuilderRef lower_builder_before(struct lower_context *lower, LLVMValueRef instruction);
/* At the very start of the function. */
LLVMBuilderRef lower_builder_at_entry(struct lower_context *lower, LLVMValueRef function);
/* A call of LLVM's own function of that name, for the types that it is overloaded on. */
LLVMValueRef lower_intrinsic(struct lower_context *lower, LLVMBuilderRef builder, const char *name,
                             LLVMTypeRef *types, size_t type_count, LLVMValueRef *arguments,
                             unsigned count);
LLVMValueRef lower_field(struct lower_context *lower, LLVMBuilderRef builder, LLVMValueRef base,
                         uint64_t offset, const char *name);
/* Loads that the optimizer may merge and move: nothing of ours changes while a
 * thread runs.  Sanitizers leave them alone. */
LLVMValueRef lower_load_const(struct lower_context *lower, LLVMBuilderRef builder, LLVMTypeRef type,
                              LLVMValueRef address, const char *name);
LLVMValueRef lower_self(struct lower_context *lower, LLVMBuilderRef builder);
/* In which each worker has the address of that. */
LLVMValueRef lower_self_variable(LLVMModuleRef module);
LLVMValueRef lower_block(struct lower_context *lower, LLVMBuilderRef builder);
/* Declares a runtime function; it is convergent and does not throw. */
LLVMValueRef lower_runtime(struct lower_context *lower, const char *name, LLVMTypeRef type);
/* A private constant with the bytes and a final zero. */
LLVMValueRef lower_string(struct lower_context *lower, const char *text);

/* All uses of value, as (user, operand index) pairs at the time of the call. */
struct lower_use {
    LLVMValueRef user;
    unsigned operand;
};
struct lower_use *lower_uses(LLVMValueRef value, size_t *count);
/* The function that the instruction is in. */
LLVMValueRef lower_function_of(LLVMValueRef instruction);

/* Calls visit for each instruction of the module; visit may delete its own. */
void lower_each_instruction(struct lower_context *lower,
                            void (*visit)(struct lower_context *, LLVMValueRef));
/* The function a call instruction calls directly, or NULL. */
LLVMValueRef lower_callee(LLVMValueRef instruction);

/* A relaxed load becomes one that may be plain where nobody polls by it. */
void lower_mark_cached(LLVMContextRef llvm, LLVMValueRef load);
bool lower_is_cached(LLVMValueRef load);

/* lower/check.c */
/* A __constant__ variable, or a constant of C++. */
bool lower_is_constant_variable(LLVMValueRef value);
/* The address an instruction writes to, or NULL. */
LLVMValueRef lower_written_address(LLVMValueRef at);
/* The name of a function that launches a kernel whose parameters are in its buffer. */
bool lower_is_launch(const char *name);
/* Complains where a launch by the instruction is not allowed. */
void lower_check_launch(struct lower_context *lower, LLVMValueRef at);

/* ir/debug_info.c: what only the debug information knows. */
/* Size and alignment of a type of the source; false where it is incomplete. */
bool lower_type_layout(const struct lower_context *lower, LLVMMetadataRef type, uint64_t *size,
                       uint64_t *align);
bool lower_type_is_reference(const struct lower_context *lower, LLVMMetadataRef type);
/* Adds the pointers to data in an object of the type, which lies at an offset and has a
 * name: none of those in unions, which may hold something else. */
void lower_type_pointers(const struct lower_context *lower, LLVMMetadataRef type, uint64_t at,
                         const char *name, struct lower_pointers *found);
/* Operands of a metadata node, in the arena; some may be NULL. */
LLVMMetadataRef *lower_md_operands(const struct lower_context *lower, LLVMMetadataRef node,
                                   unsigned *count);
/* Whether the node's text, for which LLVM's C interface has no other reader, has the word. */
bool lower_md_says(const struct lower_context *lower, LLVMMetadataRef node, const char *word);
/* The type of a local variable's debug information, and its name, "" if it has none. */
LLVMMetadataRef lower_variable_type(const struct lower_context *lower, LLVMMetadataRef variable);
const char *lower_variable_name(const struct lower_context *lower, LLVMMetadataRef variable);
/* What the debug information says of a global variable, or NULL. */
LLVMMetadataRef lower_debug_node(LLVMValueRef global);
/* A global variable's type in the debug information, or NULL. */
LLVMMetadataRef lower_source_type(struct lower_context *lower, LLVMValueRef global);
/* The function's name in the source; its symbol without debug information. */
const char *lower_function_name(struct lower_context *lower, LLVMValueRef function);
/* Name of a local variable or function by its node, "" if it has none. */
const char *lower_node_name(const struct lower_context *lower, LLVMMetadataRef node);
/* The scope around a block of a function. */
LLVMMetadataRef lower_scope_parent(const struct lower_context *lower, LLVMMetadataRef scope);
/* Where a global variable is declared; no column. */
struct lower_place lower_global_place(struct lower_context *lower, LLVMValueRef global);
/* Name of the source for a variable; its symbol if there is no other. */
const char *lower_source_name(struct lower_context *lower, LLVMValueRef global);

/* lower/constant.c */
/* Whether the stack slot or argument is that of a __grid_constant__ parameter; takes the note away.
 */
bool lower_take_grid_constant(LLVMValueRef slot);
/* Puts such parameters of a kernel that has its entry where they lie in the buffer. */
void lower_grid_constants(struct lower_context *lower, LLVMBuilderRef builder,
                          const struct lower_kernel *kernel);

/* lower/table.c: a table of struct cdp_abi_shared_variable, for the shared variables with
 * these numbers. */
LLVMValueRef lower_shared_table(struct lower_context *lower, const unsigned *variables,
                                unsigned count);

/* lower/view.c: shows the debugger what lies at the address, an instruction near the
 * function's start, as one of its local variables. */
void lower_view_variable(struct lower_context *lower, LLVMValueRef function, LLVMValueRef address,
                         const char *name, LLVMMetadataRef type);
/* Takes the shared variables off the debugger's list of global ones. */
void lower_view_forget_shared(struct lower_context *lower);

/* ir/call_graph.c: who calls whom within the module. */
struct lower_graph {
    LLVMValueRef *functions; /* count of them, numbered by this order */
    size_t count;
    struct lower_map numbers;
    unsigned **callees; /* direct, defined or not */
    size_t *callee_count;
    bool *is_address_taken;
    bool *calls_unknown; /* calls through a pointer, or inline assembly */
};
void lower_graph_build(struct lower_context *lower, struct lower_graph *graph);
/* Sets reached[i] for each function that a call of function number from may run. */
void lower_graph_reach(const struct lower_graph *graph, unsigned from, bool *reached);

/* lower/float.c: makes the instruction one that is not contracted with any other. */
void lower_forbid_contraction(struct lower_context *lower, LLVMValueRef at);

/* lower/math.c: whether it is one of cdpcc's mathematical functions. */
bool lower_math_is_own(LLVMValueRef function);

/* lower/symbol.c: whether an undefined function is the runtime's, the compiler's or
 * the C library's, and not device code of another unit. */
bool lower_symbol_is_kept(LLVMValueRef function);

/* ir/constant_uses.c: a constant address that becomes a value of each function. */
struct lower_replacement {
    LLVMValueRef constant;
    /* The address within a function: an instruction near its start. */
    LLVMValueRef (*address_in)(struct lower_context *lower, void *data, LLVMValueRef function);
    void *data;
};
/* Also where the constant is part of other constants; these become instructions. */
void lower_replace_uses(struct lower_context *lower, const struct lower_replacement *replacement);
/* Each function that uses the constant, perhaps several times. */
void lower_using_functions(LLVMValueRef constant, void (*visit)(void *data, LLVMValueRef function),
                           void *data);

#endif
