// %smid, %warpid and %laneid: for the first two only ranges can be tested, because threads may
// move. Also their numbers, and the upper halves of clocks.
#include "show.h"
__global__ void kernel(int *wrong)
{
    unsigned smid, warpid, laneid, smids, warpids, clocks[3], timers[3];
    int processors = 0, threads = 0;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(smid));
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(warpid));
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(laneid));
    asm volatile("mov.u32 %0, %%nsmid;" : "=r"(smids));
    asm volatile("mov.u32 %0, %%nwarpid;" : "=r"(warpids));
    asm volatile("{ .reg .u64 t; .reg .u32 l, h; mov.u32 %0, %%clock_hi; mov.u64 t, %%clock64;"
                 "mov.b64 {l, h}, t; mov.u32 %1, h; mov.u32 %2, %%clock_hi; }"
                 : "=r"(clocks[0]), "=r"(clocks[1]), "=r"(clocks[2]));
    asm volatile(
        "{ .reg .u64 t; .reg .u32 l, h; mov.u32 %0, %%globaltimer_hi; mov.u64 t, %%globaltimer;"
        "mov.b64 {l, h}, t; mov.u32 %1, h; mov.u32 %2, %%globaltimer_hi; }"
        : "=r"(timers[0]), "=r"(timers[1]), "=r"(timers[2]));
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, 0);
    atomicAdd(&wrong[0], smid >= (unsigned)processors);
    atomicAdd(&wrong[1], warpid >= (unsigned)threads / 32);
    atomicAdd(&wrong[2], laneid != threadIdx.x % 32);
    atomicAdd(&wrong[3], smids != (unsigned)processors || warpids != (unsigned)threads / 32);
    atomicAdd(&wrong[4], clocks[0] > clocks[1] || clocks[1] > clocks[2]);
    atomicAdd(&wrong[5], timers[0] > timers[1] || timers[1] > timers[2]);
}
int main()
{
    int *wrong;
    MUST(cudaMallocManaged(&wrong, 6 * sizeof(int)));
    MUST(cudaMemset(wrong, 0, 6 * sizeof(int)));
    kernel<<<20, 96>>>(wrong);
    MUST(cudaDeviceSynchronize());
    for (int i = 0; i < 6; i++) {
        printf("%d ", wrong[i]);
    }
    printf("wrong\n");
}
