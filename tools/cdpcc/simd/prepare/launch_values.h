/* Numbers that follow from a launch: from the kernel's parameters, the grid and constants. */
#ifndef CDPCC_SIMD_PREPARE_LAUNCH_VALUES_H
#define CDPCC_SIMD_PREPARE_LAUNCH_VALUES_H
#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

/* A number that follows from the launch.  Life: that of the arena. */
struct simd_launch_value {
    enum { VALUE_CONSTANT, VALUE_PARAMETER, VALUE_EXTENT, VALUE_OPERATION } kind;
    LLVMTypeRef type;  /* of integers; i64 for extents */
    LLVMOpcode opcode; /* of an operation; else LLVMRet */
    /* The constant, the parameter's offset, or the dimension of which this is the number of the
     * grid's threads. */
    uint64_t number;
    uint64_t block_factor;                       /* of an extent: as in struct simd_index_bound */
    const struct simd_launch_value *operands[2]; /* the second one may be NULL */
};

/* A copy in the arena. */
const struct simd_launch_value *simd_copy_launch_value(struct simd_launch_value value);
/* What a kernel computes from its parameters and constants.  NULL: it depends on more, or computing
 * it elsewhere might trap or give poison. */
const struct simd_launch_value *simd_find_launch_value(LLVMValueRef value);
/* Both are computed in the same way; NULL is the same as NULL. */
bool simd_are_launch_values_same(const struct simd_launch_value *a,
                                 const struct simd_launch_value *b);

#endif
