// cdpcc: --cdp=2
// with: units/m2_child.cu --cdp=1
#include "show.h"
__global__ void child(int *count);
__global__ void parent(int *count) {
    child<<<1, 1>>>(count);
    SHOW(cudaGetLastError());
}
int main() {
    int *count;
    MUST(cudaMallocManaged(&count, sizeof(int)));
    *count = 0;
    parent<<<1, 1>>>(count);
    MUST(cudaDeviceSynchronize());
    printf("%d\n", *count);
}
