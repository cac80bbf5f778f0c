// env: CDP_DEVICE=t4,rtx4090,h100 CDP_MEMORY_MB=64
// The properties and limits of GPUs that CDP_DEVICE names.
#include <cooperative_groups.h>
#include <cstdio>

__global__ void plain(int *p)
{
    *p = 1;
}

__global__ void meets(int *p)
{
    cooperative_groups::this_grid().sync();
    atomicAdd(p, 1);
}

static const char *name(cudaError_t error)
{
    return cudaGetErrorName(error);
}

// Most of the blocks of a cooperative grid are as many as the device's multiprocessors hold.
static void cooperative(int multiprocessors, int *p)
{
    int each = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, meets, 512, 0);
    cudaMemset(p, 0, sizeof(int));
    void *args[] = {&p};
    cudaError_t too_many = cudaLaunchCooperativeKernel(meets, multiprocessors * each + 1, 512, args, 0, 0);
    printf("  %d blocks of 512 threads each, one more: %s\n", each, name(too_many));
    cudaGetLastError();
}

int main()
{
    int count;
    cudaGetDeviceCount(&count);
    for (int i = 0; i < count; i++) {
        cudaSetDevice(i);
        cudaDeviceProp p;
        cudaGetDeviceProperties(&p, i);
        int clock, bus, memory_clock, integrated, major;
        cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, i);
        cudaDeviceGetAttribute(&bus, cudaDevAttrGlobalMemoryBusWidth, i);
        cudaDeviceGetAttribute(&memory_clock, cudaDevAttrMemoryClockRate, i);
        cudaDeviceGetAttribute(&integrated, cudaDevAttrIntegrated, i);
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, i);
        printf("%s: %d.%d (%d), %d multiprocessors, %d kHz, %zu MiB, %d kHz, %d bits, L2 %d\n", p.name, p.major,
               p.minor, major, p.multiProcessorCount, clock, p.totalGlobalMem >> 20, memory_clock, bus,
               p.l2CacheSize);
        printf("  shared memory %zu, %zu, %zu, %zu; %d threads, %d blocks, %d registers; integrated %d\n",
               p.sharedMemPerBlock, p.sharedMemPerBlockOptin, p.sharedMemPerMultiprocessor,
               p.reservedSharedMemPerBlock, p.maxThreadsPerMultiProcessor, p.maxBlocksPerMultiProcessor,
               p.regsPerMultiprocessor, integrated);
        int blocks[3], k = 0;
        for (int threads : {32, 256, 1024}) {
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks[k++], plain, threads, 0);
        }
        printf("  occupancy %d %d %d\n", blocks[0], blocks[1], blocks[2]);
        int *q;
        cudaMalloc(&q, sizeof(long long));
        // 80 KiB of shared memory: more than a T4 has.
        cudaError_t opted = cudaFuncSetAttribute(plain, cudaFuncAttributeMaxDynamicSharedMemorySize, 80 << 10);
        cudaGetLastError();
        plain<<<1, 1, 80 << 10>>>(q);
        printf("  80 KiB of shared memory: %s, %s\n", name(opted), name(cudaGetLastError()));
        cooperative(p.multiProcessorCount, q);
    }
    cudaDeviceProp wanted = {};
    wanted.major = 8;
    int chosen = -1;
    cudaChooseDevice(&chosen, &wanted);
    printf("for 8.0: device %d\n", chosen);
    cudaSetDevice(0); // the kernel has opted in on other devices
    plain<<<1, 1, 80 << 10>>>(nullptr);
    printf("80 KiB on device 0: %s\n", name(cudaGetLastError()));
}
