#include "show.h"
struct Buffer {
    int *p = nullptr;
    Buffer() { cudaMalloc(&p, 100); }
    ~Buffer() { printf("%d\n", cudaFree(p) == cudaSuccess || cudaGetLastError() == cudaErrorCudartUnloading); }
};
static Buffer buffer;
__global__ void kernel(int *p) { *p = 1; }
int main() {
    kernel<<<1, 1>>>(buffer.p);
    SHOW(cudaDeviceSynchronize());
}
