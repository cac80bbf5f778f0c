/* Loops that put a word together byte by byte. */
#ifndef CDPCC_SIMD_PREPARE_BYTE_LOOPS_H
#define CDPCC_SIMD_PREPARE_BYTE_LOOPS_H
#include "simd/prepare/counted_loops.h"

/* The counters of such loops, which have few iterations. */
struct simd_counters simd_byte_loops(LLVMValueRef function);

#endif
