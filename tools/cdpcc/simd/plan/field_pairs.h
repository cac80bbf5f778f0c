/* Field pairs: two adjacent fields as one access. */
#ifndef CDPCC_SIMD_PLAN_FIELD_PAIRS_H
#define CDPCC_SIMD_PLAN_FIELD_PAIRS_H
#include <llvm-c/Types.h>
#include <stdbool.h>

struct simd_access;
struct simd_kernel;

/* The access of the adjacent field that is combined with this one; NULL: none.  For a store, it is
 * the next one in the program; for a load, it is of the field after this one.  `accesses`, by value
 * number: what has been planned so far; planned accesses are not used again. */
LLVMValueRef simd_find_pair(const struct simd_kernel *kernel, LLVMValueRef access,
                            const struct simd_access *accesses);
/* The first access has the lower address. */
bool simd_is_below(LLVMValueRef access, LLVMValueRef other);

#endif
