// stderr: stream 0x3 is for launches by device code
// stderr: stream 0x4 is for launches by device code
#include "show.h"
__global__ void kernel() { printf("never\n"); }
int main() {
    kernel<<<1, 1, 0, (cudaStream_t)3>>>();
    printf("%d\n", cudaGetLastError() != cudaSuccess);
    kernel<<<1, 1, 0, (cudaStream_t)4>>>();
    printf("%d\n", cudaGetLastError() != cudaSuccess);
    SHOW(cudaDeviceSynchronize());
}
