/* The interface of an implementation of the workloads without device launches: memory, and the work
 * itself. workloads.c has the inputs, the checks and the table for serve.h. */
#ifndef BENCH_IMPLEMENTATION_H
#define BENCH_IMPLEMENTATION_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SAXPY_SIZE = 1 << 24,
    SAXPY_LAUNCHES = 5,
    MATRIX_SIDE = 512,
    TILE = 16,
    REDUCE_SIZE = 1 << 24,
    REDUCE_BLOCK = 256,
    STENCIL_SIDE = 4096,
    STENCIL_SWEEPS = 10,
    HISTOGRAM_SIZE = 1 << 24,
    HISTOGRAM_BLOCK = 256,
    HISTOGRAM_GRID = 256,
    BODIES = 4096,
    BODIES_BLOCK = 256,
    SCAN_SIZE = 1 << 22,
    SCAN_BLOCK = 512,
    COLLATZ_SIZE = 1 << 20,
    COLLATZ_BLOCK = 256,
    BARRIER_BLOCKS = 64,
    BARRIER_THREADS = 256,
    BARRIER_COUNT = 1000,
};
#define SOFTENING 0.01f

/* The implementation's memory; never NULL: if no memory is left, the process ends. */
void *impl_alloc(size_t bytes);
void impl_free(void *memory);
void impl_copy_in(void *to, const void *from, size_t bytes);
void impl_copy_out(void *to, const void *from, size_t bytes);

/* Each returns when its work is done. Arrays are the implementation's. */
void impl_saxpy(int n, float a, const float *x, float *y); /* SAXPY_LAUNCHES times */
void impl_multiply(int n, const float *a, const float *b, float *c);
void impl_multiply_tiled(int n, const float *a, const float *b, float *c);
void impl_reduce(int n, const float *in, float *sums); /* a sum for each REDUCE_BLOCK */
void impl_stencil(int side, float *a, float *b);       /* STENCIL_SWEEPS, from a to b and back */
void impl_histogram(int n, const unsigned char *in, unsigned *bins); /* adds to the bins */
void impl_bodies(int n, const float *bodies, float *forces);         /* x y z mass; x y z 0 */
void impl_scan(int n, const int *in, int *out);                      /* of each SCAN_BLOCK */
void impl_collatz(int n, int *lengths);
void impl_barriers(int blocks, int count, unsigned *out);

#ifdef __cplusplus
}
#endif

#endif
