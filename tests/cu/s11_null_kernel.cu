#include "show.h"
__global__ void parent(void (*kernel)(int)) {
    kernel<<<1, 1>>>(1);
    SHOW(cudaGetLastError());
}
int main() {
    parent<<<1, 1>>>(nullptr);
    MUST(cudaDeviceSynchronize());
    SHOW(cudaLaunchKernel((const void *)nullptr, dim3(1), dim3(1), nullptr, 0, 0));
    SHOW(cudaGetLastError());
}
