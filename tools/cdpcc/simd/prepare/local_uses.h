/* What the threads' own variables are used for. */
#ifndef CDPCC_SIMD_PREPARE_LOCAL_USES_H
#define CDPCC_SIMD_PREPARE_LOCAL_USES_H
#include "ir/value.h"

#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lower_context;

enum {
    SIMD_MOST_FILLED = 64,   /* elements that a memset or memcpy of an array may have */
    SIMD_MOST_VARIABLES = 8, /* whose addresses are chosen */
};

/* One array, or several variables whose addresses are chosen by a phi or a select, and all uses of
 * the addresses. There are at least two elements. Valid until the function changes. In the arena.
 */
struct simd_local_uses {
    struct lower_context *lower;
    LLVMValueRef *allocas;     /* the variables */
    LLVMValueRef *addresses;   /* the variables, and all that are computed of them */
    LLVMValueRef *accesses;    /* loads and stores of one element */
    LLVMValueRef *wide;        /* loads and stores of integers of several elements */
    LLVMValueRef *comparisons; /* of addresses; one may be here twice */
    LLVMValueRef *fills;       /* memset, memcpy, memmove: of constant lengths; as above */
    LLVMValueRef *marks;       /* lifetimes */
    size_t alloca_count, address_count, access_count, wide_count, comparison_count, fill_count,
        mark_count;
    struct lower_map numbers; /* of `addresses` */
    uint64_t element;         /* bytes of the smallest access; 0: none was seen */
    uint64_t size;            /* bytes of a thread's copies */
};

/* False: the address of the variable escapes, its accesses are not of whole elements, or it is no
 * array. */
bool simd_find_local_uses(struct simd_local_uses *array, struct lower_context *lower,
                          LLVMValueRef alloca);
/* The variables of the function. The list stays good when instructions are erased. In the arena. */
LLVMValueRef *simd_find_variables(LLVMValueRef function, size_t *count);

#endif
