/* Moving memory with all threads, as OpenMP does it. */
#ifndef BENCH_MOVE_H
#define BENCH_MOVE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
void openmp_copy(void *to, const void *from, size_t bytes);
void openmp_set(void *to, int value, size_t bytes);
#ifdef __cplusplus
}
#endif

#endif
