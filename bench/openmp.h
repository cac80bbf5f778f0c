/* The same work as flat.cu's kernels, the simplest good way in C with OpenMP. */
#ifndef BENCH_OPENMP_H
#define BENCH_OPENMP_H

#ifdef __cplusplus
extern "C" {
#endif
void openmp_vector_add(const float *a, const float *b, float *sum, int n);
void openmp_matrix_multiply(const float *a, const float *b, float *product, int n);
float openmp_sum(const float *in, int n);
void openmp_histogram(const unsigned char *bytes, int n, unsigned *bins);
#ifdef __cplusplus
}
#endif

#endif
