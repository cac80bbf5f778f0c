// %smid, %warpid and %laneid: only ranges can be told of the first two, as threads may move.
#include "show.h"
__global__ void kernel(int *wrong) {
    unsigned smid, warpid, laneid;
    int processors = 0, threads = 0;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(smid));
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(warpid));
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(laneid));
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, 0);
    atomicAdd(&wrong[0], smid >= (unsigned)processors);
    atomicAdd(&wrong[1], warpid >= (unsigned)threads / 32);
    atomicAdd(&wrong[2], laneid != threadIdx.x % 32);
}
int main() {
    int *wrong;
    MUST(cudaMallocManaged(&wrong, 3 * sizeof(int)));
    wrong[0] = wrong[1] = wrong[2] = 0;
    kernel<<<20, 96>>>(wrong);
    MUST(cudaDeviceSynchronize());
    printf("%d %d %d wrong\n", wrong[0], wrong[1], wrong[2]);
}
