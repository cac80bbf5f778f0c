// Dynamic shared memory starts after the static, aligned, under the name of every type.
#include "show.h"
__global__ void kernel()
{
    __shared__ char odd[5];
    extern __shared__ int ints[];
    extern __shared__ __align__(16) float4 vectors[];
    odd[threadIdx.x % 5] = 1;
    ints[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
        printf("%d %d %d\n", (void *)ints == (void *)vectors, (int)((size_t)vectors % 16),
               (char *)ints >= odd + 5 || (char *)(ints + 64) <= odd);
    }
}
int main()
{
    kernel<<<1, 64, 64 * sizeof(int)>>>();
    MUST(cudaDeviceSynchronize());
}
