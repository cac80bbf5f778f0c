// A copy or fill by device code is a launch: at the deepest level it fails.
// cdpcc: --cdp=1
#include "show.h"
__device__ int memory[4];
__device__ cudaError_t answers[2][2]; // of levels 23 and 24: to fill, to copy
__global__ void level(int depth)
{
    if (depth < 24) {
        level<<<1, 1>>>(depth + 1);
    }
    if (depth >= 23) {
        cudaError_t *answer = answers[depth - 23];
        answer[0] = cudaMemsetAsync(memory, 0, 4, 0);
        answer[1] = cudaMemcpyAsync(memory, memory + 2, 8, cudaMemcpyDeviceToDevice, 0);
        cudaGetLastError();
    }
}
int main()
{
    level<<<1, 1>>>(1);
    MUST(cudaDeviceSynchronize());
    cudaError_t result[2][2];
    MUST(cudaMemcpyFromSymbol(result, answers, sizeof(result)));
    for (int i = 0; i < 2; i++) {
        printf("%d: %s %s\n", 23 + i, cudaGetErrorName(result[i][0]),
               cudaGetErrorName(result[i][1]));
    }
}
