// Dynamic shared memory starts after the static, aligned, under the name of every type. A store by one
// name changes what is read by another.
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
/* All threads store the same number. */
__global__ void stores(int *out, int n)
{
    extern __shared__ int ints[];
    extern __shared__ float floats[];
    ints[0] = 5;
    ints[1] = 6;
    __syncthreads();
    floats[n & 1] = n;
    out[threadIdx.x] = ints[1];
}
__managed__ int out[64];
int main()
{
    kernel<<<1, 64, 64 * sizeof(int)>>>();
    MUST(cudaDeviceSynchronize());
    stores<<<1, 64, 64 * sizeof(int)>>>(out, 3);
    MUST(cudaDeviceSynchronize());
    int wrong = 0;
    for (int number : out) {
        wrong += number != 0x40400000;
    }
    printf("%d wrong\n", wrong);
}
