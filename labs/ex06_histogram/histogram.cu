// Counts how often each value occurs among N bytes. A block counts in shared memory, and then adds its
// counts to those of all blocks.
//
//   histogram N
#include <cstdio>
#include <cstdlib>
#include <vector>

#define BINS 16
#define THREADS 128

// Ends the program if a call of CUDA failed.
#define CHECK(call) check(call, __LINE__)
static void check(cudaError_t error, int line)
{
    if (error != cudaSuccess) {
        printf("line %d: %s\n", line, cudaGetErrorString(error));
        exit(1);
    }
}

__global__ void histogram(const unsigned char *in, int n, int *counts)
{
    __shared__ int local[BINS];
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) {
        local[in[i] / 16]++;
    }
    __syncthreads();
    if (threadIdx.x < BINS) {
        atomicAdd(&counts[threadIdx.x], local[threadIdx.x]);
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    if (n < 1) {
        printf("usage: histogram N, at least 1\n");
        return 2;
    }
    std::vector<unsigned char> in(n);
    unsigned random = 1;
    for (unsigned char &byte : in) {
        random = random * 1664525 + 1013904223;
        byte = random >> 24;
    }

    unsigned char *deviceIn;
    int *deviceCounts, counts[BINS];
    CHECK(cudaMalloc(&deviceIn, n));
    CHECK(cudaMalloc(&deviceCounts, sizeof counts));
    CHECK(cudaMemcpy(deviceIn, in.data(), n, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(deviceCounts, 0, sizeof counts));
    histogram<<<(n + THREADS - 1) / THREADS, THREADS>>>(deviceIn, n, deviceCounts);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(counts, deviceCounts, sizeof counts, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(deviceIn));
    CHECK(cudaFree(deviceCounts));

    int sum = 0;
    for (int bin = 0; bin < BINS; bin++) {
        printf("%3d to %3d: %d\n", bin * 16, bin * 16 + 15, counts[bin]);
        sum += counts[bin];
    }
    printf("together %d\n", sum);
    return 0;
}
