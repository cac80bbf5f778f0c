#include "show.h"
__global__ void child() { printf("never\n"); }
__global__ void big() {
    extern __shared__ char bytes[];
    bytes[0] = 1;
}
int main() {
    child<<<1, 1025>>>();
    SHOW(cudaGetLastError());
    child<<<0, 1>>>();
    SHOW(cudaGetLastError());
    child<<<1, 0>>>();
    SHOW(cudaGetLastError());
    child<<<1, dim3(1, 1, 65)>>>();
    SHOW(cudaGetLastError());
    child<<<dim3(1, 65536), 1>>>();
    SHOW(cudaGetLastError());
    const dim3 grids[] = {{1, 0, 1}, {1, 1, 0}, {0x80000000u, 1, 1}, {1, 1, 65536}};
    const dim3 blocks[] = {{1, 0, 1}, {1, 1, 0}, {1, 1025, 1}, {32, 33, 1}, {16, 16, 5}};
    for (dim3 grid : grids) {
        child<<<grid, 1>>>();
        printf("%d ", cudaGetLastError());
    }
    for (dim3 block : blocks) {
        child<<<1, block>>>();
        printf("%d ", cudaGetLastError());
    }
    puts("");
    big<<<1, 1, 49153>>>();
    SHOW(cudaGetLastError());
    SHOW(cudaFuncSetAttribute(big, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448));
    big<<<1, 1, 232448>>>();
    SHOW(cudaGetLastError());
    big<<<1, 1, 232449>>>();
    SHOW(cudaGetLastError());
    SHOW(cudaGetLastError());
    SHOW(cudaDeviceSynchronize());
}
