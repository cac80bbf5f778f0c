// cdpcc: -g
// stderr: cudaErrorInvalidAddressSpace: parameter 1 \('out'\) of kernel child points to local
// stderr: points to local variable 'local' of thread \(2,0,0\) of block \(1,0,0\) of kernel parent
// stderr: in kernel parent, block \(1,0,0\), thread \(2,0,0\), at parent \(s33_local.*cu:18:
// stderr: parent was launched by the host at main \(s33_local_pointer_.*cu:26:
// stderr: CDP_ILLEGAL_POINTERS=hardware
#include "hide.h"
#include "show.h"
__device__ int runs;
__global__ void child(int *out, int n)
{
    atomicAdd(&runs, 1);
}
__global__ void parent()
{
    int local = threadIdx.x;
    if (blockIdx.x == 1 && threadIdx.x == 2) {
        child<<<1, 1>>>(hide(&local), 1);
        if (cudaGetLastError() != cudaSuccess) {
            printf("the launch itself reports success\n");
        }
    }
}
int main()
{
    parent<<<2, 4>>>();
    SHOW(cudaDeviceSynchronize());
    void *memory;
    SHOW(cudaMalloc(&memory, 4));
    SHOW(cudaGetLastError());
    SHOW(cudaDeviceReset());
    int count;
    MUST(cudaMemcpyFromSymbol(&count, runs, sizeof count));
    printf("children: %d\n", count);
}
