// workers: 1 2
/* Copies of tensors need boxes in shared memory that are aligned to 1024 bytes: static ones after
 * others, dynamic ones after static ones, and in each block of a cluster. */
#include <cstdint>
#include <cstdio>

__device__ unsigned misaligned, blocks;

__device__ void check(const void *p)
{
    atomicAdd(&blocks, 1);
    if ((uintptr_t)p % 1024 != 0 || __cvta_generic_to_shared(p) % 1024 != 0) {
        atomicAdd(&misaligned, 1);
    }
}

__global__ void dynamic_only()
{
    extern __shared__ __align__(1024) char box[];
    check(box);
    box[0] = 1;
}
__global__ void dynamic_after_static()
{
    __shared__ char first[100];
    extern __shared__ __align__(1024) char box[];
    first[threadIdx.x] = 1;
    check(box);
    box[9] = first[0];
}
__global__ void __cluster_dims__(4) statics(char *out)
{
    __shared__ char first[100];
    __shared__ alignas(1024) char box[10];
    __shared__ char last[1];
    first[threadIdx.x] = last[0] = 1;
    box[9] = first[0];
    out[blockIdx.x] = box[9] + last[0];
    check(box);
}

int main()
{
    dynamic_only<<<3, 1, 10>>>();
    dynamic_after_static<<<3, 1, 10>>>();
    char *out;
    cudaMalloc(&out, 4);
    statics<<<4, 1>>>(out);
    const cudaError_t error = cudaDeviceSynchronize();
    unsigned bad, ran;
    cudaMemcpyFromSymbol(&bad, misaligned, sizeof bad);
    cudaMemcpyFromSymbol(&ran, blocks, sizeof ran);
    printf("%s, %u blocks, %u misaligned\n", cudaGetErrorName(error), ran, bad);
    return 0;
}
