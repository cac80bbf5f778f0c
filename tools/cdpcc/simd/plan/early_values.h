/* Values that are needed before the chunks of a region. */
#ifndef CDPCC_SIMD_PLAN_EARLY_VALUES_H
#define CDPCC_SIMD_PLAN_EARLY_VALUES_H
#include <llvm-c/Types.h>

/* Where such a value comes from. */
enum simd_early_kind {
    EARLY_GIVEN,      /* not a value of the kernel, such as a constant */
    EARLY_AVAILABLE,  /* available where the region begins */
    EARLY_RECOMPUTED, /* computed from indices and parameters, as chunks do */
    EARLY_CLONED,     /* the instruction is cloned in front of the chunks */
};
/* A value of the kernel as a node of the region uses it.  In the arena, const for emission. */
struct simd_early_value {
    enum simd_early_kind kind;
    LLVMValueRef value;
    const struct simd_early_value **operands; /* CLONED: of each operand */
};

/* A cloned instruction, whose operands are to be set. */
struct simd_early_value *simd_early_clone(LLVMValueRef instruction);
const struct simd_early_value *simd_early_value(enum simd_early_kind kind, LLVMValueRef value);

#endif
