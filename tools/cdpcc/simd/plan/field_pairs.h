/* Field pairs: two neighbouring fields as one access. */
#ifndef CDPCC_SIMD_PLAN_FIELD_PAIRS_H
#define CDPCC_SIMD_PLAN_FIELD_PAIRS_H
#include <llvm-c/Types.h>
#include <stdbool.h>

struct simd_access;
struct simd_kernel;

/* The access of the neighbouring field that runs together with this one; NULL: none.  Of a store,
 * it comes next in the program; of a load, it is of the field after this one.  `accesses`, by value
 * number: what has been decided so far; such accesses are not taken again. */
LLVMValueRef simd_find_pair(const struct simd_kernel *kernel, LLVMValueRef access,
                            const struct simd_access *accesses);
/* The first access is of the lower address. */
bool simd_is_below(LLVMValueRef access, LLVMValueRef other);

#endif
