// env: CDP_ILLEGAL_POINTERS=warn
// stderr: warning \(cudaErrorInvalidAddressSpace\): parameter 1 \('p'\) of kernel child
#include "hide.h"
#include "show.h"
__device__ int runs;
__global__ void child(int *p)
{
    atomicAdd(&runs, 1);
}
__global__ void parent()
{
    int local = 0;
    child<<<1, 1>>>(hide(&local));
}
int main()
{
    int count;
    parent<<<1, 1>>>();
    SHOW(cudaDeviceSynchronize());
    MUST(cudaMemcpyFromSymbol(&count, runs, sizeof count));
    printf("children: %d\n", count);
}
