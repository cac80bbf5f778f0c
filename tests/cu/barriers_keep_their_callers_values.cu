// cdpcc: -O3 -march=native
// Callers of a barrier keep nothing in registers across it. Frames that are aligned, have a dynamic
// size, are deep, or contain floating-point values must keep all values.
#include <alloca.h>
#include <cstdio>

#include "../../examples/check.h"

struct alignas(128) Wide {
    int v[32];
};

__device__ __noinline__ int deep(int n, volatile int *s)
{
    if (n == 0) {
        __syncthreads();
        return s[0];
    }
    int rest = deep(n - 1, s) + n;
    __syncthreads();
    return rest + s[n & 7];
}

__global__ void hold(int n, int *out, double d)
{
    __shared__ volatile int s[256];
    Wide wide;
    int *late = (int *)alloca(sizeof(int) * n);
    double a = d * threadIdx.x, b = a * a, c = b + a;
    for (int i = 0; i < 32; i++) {
        wide.v[i] = i * threadIdx.x;
    }
    for (int i = 0; i < n; i++) {
        late[i] = i + threadIdx.x;
    }
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += wide.v[i & 31] + late[i] + s[(threadIdx.x + i) % blockDim.x];
        __syncthreads();
        s[threadIdx.x] = sum & 1023;
        wide.v[(i + 7) & 31] += sum;
        __syncthreads();
    }
    if (((size_t)&wide & 127) != 0) {
        sum = -1;
    }
    out[threadIdx.x] = sum + deep(5, s) + (int)(a + b + c);
}

int main()
{
    int *out;
    unsigned hash = 0;
    check(cudaMallocManaged(&out, 256 * sizeof *out));
    hold<<<1, 256>>>(19, out, 1.5);
    check(cudaDeviceSynchronize());
    for (int i = 0; i < 256; i++) {
        hash = hash * 31 + out[i];
    }
    printf("%u\n", hash);
}
