// As on hardware: the launch succeeds, a child that does not use the pointer succeeds, and a child
// that uses it fails the tree.
// cdpcc: --check=space
// env: CDP_ILLEGAL_POINTERS=hardware
// stderr: cudaErrorInvalidAddressSpace: read of 4 bytes of shared variable 'cell' of the parent
// stderr: in kernel child, block \(0,0,0\), thread \(1,0,0\), at child \(s33_hardware.*:13:
#include "hide.h"
#include "show.h"
__device__ int runs, value;
__global__ void child(const int *p, bool use)
{
    if (threadIdx.x == 1 && use) {
        value = *p; // line 13
    }
    atomicAdd(&runs, 1);
}
__global__ void parent(bool use)
{
    __shared__ int cell;
    cell = 5;
    child<<<1, 2>>>(hide(&cell), use);
    if (cudaGetLastError() != cudaSuccess) {
        printf("the launch itself reports success\n");
    }
    cudaDeviceSynchronize();
}
int main()
{
    for (int use = 0; use < 2; use++) {
        int result[2];
        parent<<<1, 1>>>(use);
        SHOW(cudaDeviceSynchronize());
        SHOW(cudaGetLastError());
        MUST(cudaDeviceReset());
        MUST(cudaMemcpyFromSymbol(&result[0], runs, sizeof(int)));
        MUST(cudaMemcpyFromSymbol(&result[1], value, sizeof(int)));
        printf("%s %d\n", use ? "used" : result[0] == 2 ? "both ran" : "wrong", result[1]);
    }
}
