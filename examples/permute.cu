// Recursion with dynamic shared memory: each grid moves the even-indexed numbers of its range
// before the odd-indexed ones and launches one child on each half. At the end the numbers are in
// bit-reversed order.
//
// Shared memory belongs to one block. So the block writes its result back to global memory before
// it launches, and each child is launched with half as many threads and half as much dynamic shared
// memory.
//
//   permute [log2 of n, up to 10]        default 8
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "check.h"

__global__ void permute(int n, int *data)
{
    extern __shared__ int numbers[]; // n of them
    if (n <= 2) {
        return;
    }
    int i = threadIdx.x;
    numbers[i] = data[i];
    __syncthreads();
    data[i] = numbers[i < n / 2 ? 2 * i : 2 * (i - n / 2) + 1];
    __syncthreads();
    if (i == 0) {
        permute<<<1, n / 2, n / 2 * sizeof(int)>>>(n / 2, data);
        permute<<<1, n / 2, n / 2 * sizeof(int)>>>(n / 2, data + n / 2);
    }
}

static int reverseBits(int value, int bits)
{
    int reversed = 0;
    for (int i = 0; i < bits; i++) {
        reversed |= ((value >> i) & 1) << (bits - 1 - i);
    }
    return reversed;
}

int main(int argc, char **argv)
{
    int bits = argc > 1 ? atoi(argv[1]) : 8;
    if (bits < 1 || bits > 10) {
        fprintf(stderr, "usage: permute [log2 of n, from 1 to 10]\n");
        return 2;
    }
    int n = 1 << bits;
    std::vector<int> host(n);
    for (int i = 0; i < n; i++) {
        host[i] = i;
    }

    int *data = nullptr;
    check(cudaMalloc(&data, n * sizeof(int)));
    check(cudaMemcpy(data, host.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    permute<<<1, n, n * sizeof(int)>>>(n, data);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
    check(cudaMemcpy(host.data(), data, n * sizeof(int), cudaMemcpyDeviceToHost));
    check(cudaFree(data));
    for (int i = 0; i < n; i++) {
        if (host[i] != reverseBits(i, bits)) {
            printf("permute: FAILED: place %d holds %d instead of %d\n", i, host[i],
                   reverseBits(i, bits));
            return 1;
        }
    }
    printf("permute: %d numbers in bit-reversed order\n", n);
    return 0;
}
