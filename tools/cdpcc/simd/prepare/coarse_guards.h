/* Versions of coarse loops without the guard of each element. */
#ifndef CDPCC_SIMD_PREPARE_COARSE_GUARDS_H
#define CDPCC_SIMD_PREPARE_COARSE_GUARDS_H
#include <llvm-c/Types.h>

struct lower_context;
struct simd_counters;

/* Versions such loops of the function. The counters of the copies, which have no guards, are added
 * to `counters`. */
void simd_version_guarded_loops(struct lower_context *lower, LLVMValueRef function,
                                struct simd_counters *counters);

#endif
