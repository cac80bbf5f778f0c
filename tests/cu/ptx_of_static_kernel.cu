// A source with PTX is compiled in another way. The host still finds static kernels and variables.
#include <cstdio>

static __device__ unsigned base = 5;

__device__ unsigned lane()
{
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    unsigned short bits;
    asm("cvt.u16.u32 %0, %1;" : "=h"(bits) : "r"(lane)); // a constraint that clang does not know
    return bits;
}

static __global__ void fill(unsigned *p)
{
    p[threadIdx.x] = lane() + base;
}

int main()
{
    unsigned *p, more = 10, sum = 0;
    cudaMallocManaged(&p, 64 * sizeof *p);
    fill<<<1, 64>>>(p);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    for (int i = 0; i < 64; i++) {
        sum += p[i];
    }
    printf("%u\n", sum);
    printf("%s\n", cudaGetErrorString(cudaMemcpyToSymbol(base, &more, sizeof more)));
    fill<<<1, 64>>>(p);
    cudaDeviceSynchronize();
    printf("%u\n", p[33]);
    return 0;
}
