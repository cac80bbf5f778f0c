// The device's heap gives as much memory as its limit allows, before and after it is raised.
#include "show.h"
__global__ void fill(int *megabytes) {
    void *blocks[64];
    int count = 0;
    while (count < 64 && (blocks[count] = malloc(1 << 20)) != nullptr) {
        count++;
    }
    *megabytes = count;
    for (int i = 0; i < count; i++) {
        free(blocks[i]);
    }
}
int main() {
    int *megabytes;
    MUST(cudaMallocManaged(&megabytes, sizeof(int)));
    fill<<<1, 1>>>(megabytes);
    MUST(cudaDeviceSynchronize());
    printf("%d\n", *megabytes >= 6 && *megabytes <= 8);
    SHOW(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 << 20));
    fill<<<1, 1>>>(megabytes);
    MUST(cudaDeviceSynchronize());
    printf("%d\n", *megabytes >= 28 && *megabytes <= 32);
}
