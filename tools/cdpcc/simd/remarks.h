/* What would change a refusal. */
#ifndef CDPCC_SIMD_REMARKS_H
#define CDPCC_SIMD_REMARKS_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

/* What an author could do about a refusal; NULL: nothing is known. */
const char *simd_advice(const char *reason);

#endif
