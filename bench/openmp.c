#include "openmp.h"

#include <string.h>

void openmp_vector_add(const float *a, const float *b, float *sum, int n)
{
#pragma omp parallel for simd
    for (int i = 0; i < n; i++) {
        sum[i] = a[i] + b[i];
    }
}

/* Rows of the second factor are read in order, so the inner loop is vector code. */
void openmp_matrix_multiply(const float *a, const float *b, float *product, int n)
{
#pragma omp parallel for
    for (int row = 0; row < n; row++) {
        float *out = product + (long)row * n;
        memset(out, 0, (size_t)n * sizeof *out);
        for (int k = 0; k < n; k++) {
            float factor = a[(long)row * n + k];
            for (int column = 0; column < n; column++) {
                out[column] += factor * b[(long)k * n + column];
            }
        }
    }
}

float openmp_sum(const float *in, int n)
{
    float sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
    for (int i = 0; i < n; i++) {
        sum += in[i];
    }
    return sum;
}

void openmp_histogram(const unsigned char *bytes, int n, unsigned *bins)
{
    memset(bins, 0, 256 * sizeof *bins);
#pragma omp parallel
    {
        unsigned mine[256] = {0};
#pragma omp for nowait
        for (int i = 0; i < n; i++) {
            mine[bytes[i]]++;
        }
#pragma omp critical
        for (int i = 0; i < 256; i++) {
            bins[i] += mine[i];
        }
    }
}
