/* Recursive calls at the end of functions become loops. */
#ifndef CDPCC_SIMD_PREPARE_TAIL_CALLS_H
#define CDPCC_SIMD_PREPARE_TAIL_CALLS_H

struct lower_context;

void simd_replace_tail_calls(struct lower_context *lower);

#endif
