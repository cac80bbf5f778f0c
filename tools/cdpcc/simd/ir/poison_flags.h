/* Flags of instructions that make a result poison if a promise does not hold. */
#ifndef CDPCC_SIMD_IR_POISON_FLAGS_H
#define CDPCC_SIMD_IR_POISON_FLAGS_H
#include <llvm-c/Types.h>

/* Drops the flags of a copy that is also executed where the promises of the original need not
 * hold. */
void simd_drop_poison_flags(LLVMValueRef copy);

#endif
