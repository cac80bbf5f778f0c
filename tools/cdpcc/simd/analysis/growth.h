/* How a value changes from one iteration of a loop to the next one. */
#ifndef CDPCC_SIMD_ANALYSIS_GROWTH_H
#define CDPCC_SIMD_ANALYSIS_GROWTH_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct simd_graph;

/* A narrow number: it has fewer bits than an address, and the value is computed from it. The growth
 * is right as long as this number does not wrap around. */
struct simd_narrow {
    LLVMValueRef value;
    int64_t by; /* from one iteration to the next one; not 0 */
    bool is_signed;
};

/* In each iteration `by` is added to the value, as its type computes: modulo 2^bits. Pointers grow
 * in bytes. A value from outside the loop grows by 0. */
struct simd_growth {
    bool is_known; /* else `by` has no meaning */
    int64_t by;
    struct simd_narrow *narrow; /* in the arena */
    size_t narrow_count;
};

struct simd_growth simd_growth_of(const struct simd_graph *graph, int loop, LLVMValueRef value);
/* The load or store goes on by a few elements in each iteration, forwards or backwards. */
bool simd_walks_along(const struct simd_graph *graph, int loop, LLVMValueRef access);

#endif
