// A limit raised by the host also holds for launches by kernels: 227 KB, and no more.
#include "show.h"
extern __shared__ char bytes[];
__device__ int used;
__global__ void big(int last) {
    bytes[last] = 7;
    used = last + bytes[last] - 6;
}
__global__ void parent() {
    big<<<1, 1, 232448>>>(232447);
    SHOW(cudaGetLastError());
    big<<<1, 1, 232449>>>(0);
    SHOW(cudaGetLastError());
}
int main() {
    parent<<<1, 1>>>();
    MUST(cudaDeviceSynchronize());
    MUST(cudaFuncSetAttribute(big, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448));
    parent<<<1, 1>>>();
    MUST(cudaDeviceSynchronize());
    int result;
    MUST(cudaMemcpyFromSymbol(&result, used, sizeof(int)));
    printf("%d bytes\n", result);
}
