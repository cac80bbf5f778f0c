/* The kernels and the shared variables of a module, as the passes find them.
 *
 * lower_collect creates the structs, params and shared fill in layouts, entry and the vectorizer
 * add the functions, and table writes all of it for the runtime. All of them are in the arena and
 * live as long as the context. Passes refer to kernels and variables by their index or by a
 * pointer that is valid after lower_collect. */
#ifndef CDPCC_LOWER_KERNEL_H
#define CDPCC_LOWER_KERNEL_H
#include "ir/debug_info.h"

#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

/* How one argument of the kernel's function is computed from the parameter buffer. */
enum lower_argument_kind {
    LOWER_ARGUMENT_UNUSED, /* not stored anywhere: any value will do */
    LOWER_ARGUMENT_VALUE,  /* loaded */
    LOWER_ARGUMENT_BOOL,   /* loaded as a byte and compared with 0 */
    /* the address of the thread's own copy, or of the parameter in the buffer if it is a grid
     * constant: classes in memory */
    LOWER_ARGUMENT_COPY,
};

/* One argument of the kernel's LLVM function. A class that the ABI passes in two registers is two
 * arguments of one parameter. */
struct lower_argument {
    enum lower_argument_kind kind;
    unsigned parameter; /* index into lower_kernel.params */
    uint64_t offset;    /* from the start of that parameter */
    bool is_restrict;
};

/* One parameter of the source.
 *
 * Example: of f(char c, double d) the second parameter is at offset 8, with size and
 * alignment 8. */
struct lower_param {
    uint64_t offset, size, align;
    LLVMValueRef slot; /* the function's alloca, or the argument that is its address;
                        * NULL if the alloca only holds that address */
    const char *name;
    LLVMMetadataRef type; /* in the debug information */
    bool is_reference;
    bool is_grid_constant; /* in the buffer, for all threads */
};

/* A kernel's shared variables; set by lower_shared.
 *
 * Example: with int a[4] in kernels k and m, and int b[8] in m only, a is at 0, b at 16; k has 16
 * bytes, m has 48. size is what the program asks for with cudaFuncGetAttributes; extent also has
 * the red zones of AddressSanitizer. */
struct lower_kernel_shared {
    const unsigned *variables; /* indices of the ones that it reaches */
    unsigned count;
    uint64_t size, extent; /* bytes */
};

/* What the vectorizer has found of a kernel. */
struct lower_kernel_block {
    LLVMValueRef entry;        /* cdp.block.K; NULL if there is none */
    bool runs_ranges;          /* one call of the entry may run several blocks */
    bool is_brief;             /* the kernel has a block entry, and runs few instructions */
    bool never_waits;          /* its threads wait for nothing, and call nothing of the runtime */
    bool has_large_locals;     /* the entry may need more stack than is left in a parent's block */
    bool is_unsure;            /* thread entries may be faster than the block entry */
    bool diverges_at_barriers; /* threads of a warp may wait at different barriers */
};

/* What a kernel and the functions that it calls may do. */
struct lower_kernel_uses {
    bool warp_ops;        /* also if not all of the code is known */
    bool launches;        /* of grids; not if only code that is not known does it */
    bool launches_graphs; /* the same of graphs */
};

/* A kernel of the module. lower_collect finds it; later passes fill in the rest. In the arena.
 *
 * The order of the passes: collect sets function, name, linkage and bounds; params the layout and
 * the arguments; warp the uses; entry descriptor, entry and comdat; shared the shared
 * memory; blocks the block entry; table replaces the descriptor by its definition. */
struct lower_kernel {
    LLVMValueRef function;   /* the function of the source; after lower_entry, the entry */
    LLVMValueRef descriptor; /* K.cdpk; the value of the kernel's address */
    LLVMValueRef entry;      /* cdp.thread.K; NULL for a kernel of another unit */
    const char *name;        /* mangled, without suffix */
    bool is_defined;
    LLVMLinkage linkage;
    LLVMVisibility visibility;
    LLVMComdatRef comdat;             /* the kernel's group under its new name, or NULL */
    unsigned max_threads, min_blocks; /* of __launch_bounds__ */
    unsigned cluster_dim[3];          /* of __cluster_dims__; 0: none */
    struct lower_param *params;       /* param_count of them */
    unsigned param_count;
    uint64_t param_size;
    struct lower_pointers pointers; /* by offset, which is from the buffer's start */
    /* argument_count entries: one for each argument of the function */
    struct lower_argument *arguments;
    unsigned argument_count;
    struct lower_kernel_shared shared;
    struct lower_kernel_uses uses;
    struct lower_kernel_block block;
};

/* Where a shared variable is in a block's slab; lower_shared decides between the last two. */
enum lower_shared_place {
    LOWER_SHARED_DYNAMIC,  /* extern __shared__: the block's dynamic shared memory */
    LOWER_SHARED_BLOCK,    /* at an offset of the kernel's static shared memory */
    LOWER_SHARED_EXPORTED, /* in the module's segment: other units' kernels reach it */
};

/* One shared variable. lower_collect finds it and sets all fields but offset. */
struct lower_shared {
    LLVMValueRef variable;
    const char *name;     /* of the source */
    LLVMMetadataRef type; /* in the debug information; may be NULL */
    LLVMMetadataRef node; /* its entry there; may be NULL */
    uint64_t size, align;
    enum lower_shared_place place;
    uint64_t offset;
};

/* The domain of the alias scopes of accesses to shared variables. There is one scope for each
 * static variable, and one for dynamic shared memory. */
#define LOWER_SHARED_DOMAIN "cdp.variables"
/* The names of the functions by which instrumented code calls the runtime if a condition holds:
 * instrument_guard. */
#define LOWER_GUARDS "cdp.guard."
/* In checked builds, and if there may be block entries, the address of a shared variable is the
 * result of a call of this function: (address, its size, the number of its alias scope).
 * instrument/ replaces the calls by the addresses. */
#define LOWER_SHARED_MARKER "cdp.shared.address"

#endif
