// A copy or fill by device code is a launch: on the deepest level there is none.
// cdpcc: --cdp=1
#include "show.h"
__device__ int memory[4];
__global__ void level(int depth)
{
    if (depth < 24) {
        level<<<1, 1>>>(depth + 1);
    }
    if (depth >= 23) {
        cudaError_t fill = cudaMemsetAsync(memory, 0, 4, 0);
        cudaError_t copy = cudaMemcpyAsync(memory, memory + 2, 8, cudaMemcpyDeviceToDevice, 0);
        printf("%d: %s %s\n", depth, cudaGetErrorName(fill), cudaGetErrorName(copy));
        cudaGetLastError();
    }
}
int main()
{
    level<<<1, 1>>>(1);
    MUST(cudaDeviceSynchronize());
}
