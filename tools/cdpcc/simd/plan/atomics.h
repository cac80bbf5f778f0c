/* What each atomic operation becomes. */
#ifndef CDPCC_SIMD_PLAN_ATOMICS_H
#define CDPCC_SIMD_PLAN_ATOMICS_H
#include <stdbool.h>

struct simd_chunk;
struct simd_kernel;

/* How an atomic operation is emitted.  Plain operations are a load, an operation and a store: they
 * suffice for the block's shared memory, which no other thread accesses. */
enum simd_atomic_kind {
    ATOMIC_NONE,        /* the instruction is not an atomic operation */
    ATOMIC_STRAIGHT,    /* plain operations of all lanes, in straight code */
    ATOMIC_LOOP,        /* plain operations of all lanes, in a loop over vectors */
    ATOMIC_PLAIN_LANES, /* a plain operation of one active lane after the other */
    ATOMIC_LANES,       /* an atomic operation of one active lane after the other */
    ATOMIC_REDUCED,     /* one operation for the active lanes, on their reduced operands */
};

/* The most lanes whose operations a processor keeps apart in straight code. */
enum { SIMD_STRAIGHT_LANES = 16 };

/* The atomic operations of a version, by value number, for chunks whose lanes are all active, or
 * `masked`. In the arena. */
const enum simd_atomic_kind *simd_plan_atomics(const struct simd_kernel *kernel,
                                               const struct simd_chunk *chunk, bool masked);

#endif
