// Vector addition: one thread per element.
//
//   vector_add [n]        default 100000
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "check.h"

#define THREADS 256

__global__ void add(const float *a, const float *b, float *sum, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        sum[i] = a[i] + b[i];
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100000;
    if (n < 1) {
        fprintf(stderr, "usage: vector_add [n, at least 1]\n");
        return 2;
    }
    std::vector<float> a(n), b(n), sum(n);
    for (int i = 0; i < n; i++) {
        a[i] = i % 1000 * 0.5f;
        b[i] = i % 77 * 0.25f;
    }

    size_t bytes = n * sizeof(float);
    float *deviceA = nullptr, *deviceB = nullptr, *deviceSum = nullptr;
    check(cudaMalloc(&deviceA, bytes));
    check(cudaMalloc(&deviceB, bytes));
    check(cudaMalloc(&deviceSum, bytes));
    check(cudaMemcpy(deviceA, a.data(), bytes, cudaMemcpyHostToDevice));
    check(cudaMemcpy(deviceB, b.data(), bytes, cudaMemcpyHostToDevice));
    add<<<(n + THREADS - 1) / THREADS, THREADS>>>(deviceA, deviceB, deviceSum, n);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
    check(cudaMemcpy(sum.data(), deviceSum, bytes, cudaMemcpyDeviceToHost));
    check(cudaFree(deviceA));
    check(cudaFree(deviceB));
    check(cudaFree(deviceSum));
    for (int i = 0; i < n; i++) {
        if (sum[i] != a[i] + b[i]) {
            printf("vector_add: FAILED: element %d is %g instead of %g\n", i, sum[i], a[i] + b[i]);
            return 1;
        }
    }
    printf("vector_add: %d sums right\n", n);
    return 0;
}
