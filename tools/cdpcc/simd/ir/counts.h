/* How many values and nodes a kernel has: the lengths of arrays by number. */
#ifndef CDPCC_SIMD_IR_COUNTS_H
#define CDPCC_SIMD_IR_COUNTS_H
#include <stddef.h>

struct simd_kernel;

size_t simd_value_count(const struct simd_kernel *kernel);
size_t simd_node_count(const struct simd_kernel *kernel);

#endif
