// The calculator of cuda_occupancy.h, for GPUs of all kinds. The expected results are those of
// NVIDIA's calculator.
#include "show.h"

#include <cuda_occupancy.h>

struct Case {
    int major, minor, threads, sharedOfSm, sharedOptin; // KiB
    int regs, block, dynamic, barriers, resources;
    cudaOccPartitionedGCConfig caching;
    int carveout, cache;
};

static const Case cases[] = {
    {3, 5, 2048, 48, 48, 40, 256, 0, 1, 0, PARTITIONED_GC_OFF, -1, CACHE_PREFER_L1},
    {3, 7, 2048, 112, 48, 64, 192, 20000, 1, 0, PARTITIONED_GC_OFF, -1, CACHE_PREFER_EQUAL},
    {5, 2, 2048, 96, 48, 60, 896, 0, 1, 0, PARTITIONED_GC_ON, -1, 0},
    {5, 2, 2048, 96, 48, 60, 896, 0, 1, 0, PARTITIONED_GC_ON_STRICT, -1, 0},
    {6, 0, 2048, 64, 48, 141, 448, 0, 1, 0, PARTITIONED_GC_OFF, -1, 0},
    {6, 0, 2048, 64, 48, 90, 96, 9000, 1, 0, PARTITIONED_GC_OFF, -1, 0},
    {7, 0, 2048, 96, 96, 0, 64, 0, 1, 0, PARTITIONED_GC_OFF, 0, 0},
    {7, 5, 1024, 64, 64, 33, 100, 6000, 1, 0, PARTITIONED_GC_OFF, 50, 0},
    {8, 0, 2048, 164, 163, 256, 64, 30000, 1, 0, PARTITIONED_GC_OFF, 40, 0},
    {8, 6, 1536, 100, 99, 48, 384, 70000, 1, 0, PARTITIONED_GC_OFF, -1, 0},
    {8, 9, 1536, 100, 99, 16, 32, 0, 9, 99, PARTITIONED_GC_OFF, -1, CACHE_PREFER_L1},
    {9, 0, 2048, 228, 227, 168, 384, 200000, 1, 0, PARTITIONED_GC_OFF, -1, 0},
    {9, 0, 2048, 228, 227, 32, 128, 0, 10, 0, PARTITIONED_GC_OFF, -1, 0},
    {10, 0, 2048, 228, 227, 32, 64, 1000, 1, 30, PARTITIONED_GC_OFF, -1, CACHE_PREFER_EQUAL},
    {12, 0, 1536, 100, 99, 20, 1025, 0, 1, 0, PARTITIONED_GC_OFF, -1, 0},
    {9, 0, 2048, 228, 227, 32, 64, 0, 1, 0, PARTITIONED_GC_OFF, 101, 0},
    {13, 0, 2048, 228, 227, 32, 64, 0, 1, 0, PARTITIONED_GC_OFF, -1, 0},
};

static size_t sharedOf(int block)
{
    return (size_t)block * 36;
}

static cudaOccDeviceProp deviceOf(const Case &c)
{
    cudaOccDeviceProp device;
    device.computeMajor = c.major;
    device.computeMinor = c.minor;
    device.maxThreadsPerBlock = 1024;
    device.maxThreadsPerMultiprocessor = c.threads;
    device.regsPerBlock = device.regsPerMultiprocessor = 65536;
    device.warpSize = 32;
    device.sharedMemPerBlock = 48 << 10;
    device.sharedMemPerMultiprocessor = (size_t)c.sharedOfSm << 10;
    device.numSms = 10;
    device.sharedMemPerBlockOptin = (size_t)c.sharedOptin << 10;
    device.reservedSharedMemPerBlock = c.major >= 8 ? 1024 : 0;
    return device;
}

static void calculate(const Case &c)
{
    const cudaOccDeviceProp device = deviceOf(c);
    cudaOccFuncAttributes kernel;
    cudaOccDeviceState state;
    cudaOccResult r = {};
    kernel.maxThreadsPerBlock = 1024;
    kernel.numRegs = c.regs;
    kernel.sharedSizeBytes = 100;
    kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
    kernel.maxDynamicSharedSizeBytes = 200 << 10;
    kernel.numBlockBarriers = c.barriers;
    kernel.virtualResourceCount = c.resources;
    kernel.partitionedGCConfig = c.caching;
    state.carveoutConfig = c.carveout;
    state.cacheConfig = (cudaOccCacheConfig)c.cache;
    int error = cudaOccMaxActiveBlocksPerMultiprocessor(&r, &device, &kernel, &state, c.block,
                                                        (size_t)c.dynamic);
    printf("%d.%d: %d\n", c.major, c.minor, error);
    if (error != CUDA_OCC_SUCCESS) {
        return;
    }
    printf("    %d by %x: %d %d %d %d %d %d; %d %zu %d\n",
           r.activeBlocksPerMultiprocessor, r.limitingFactors, r.blockLimitRegs,
           r.blockLimitSharedMem, r.blockLimitWarps, r.blockLimitBlocks, r.blockLimitBarriers,
           r.blockLimitVirtual, r.allocatedRegistersPerBlock, r.allocatedSharedMemPerBlock,
           r.partitionedGCConfig);
    int grid[3] = {-1, -1, -1}, block[3] = {-1, -1, -1};
    size_t available[2] = {1, 1};
    cudaOccMaxPotentialOccupancyBlockSize(&grid[0], &block[0], &device, &kernel, &state,
                                          (size_t)c.dynamic);
    cudaOccMaxPotentialOccupancyBlockSize(&grid[1], &block[1], &device, &kernel, &state, sharedOf,
                                          0);
    cudaOccMaxPotentialOccupancyBlockSizeVariableSMem(&grid[2], &block[2], &device, &kernel, &state,
                                                      sharedOf);
    cudaOccAvailableDynamicSMemPerBlock(&available[0], &device, &kernel, &state, 1, 64);
    cudaOccAvailableDynamicSMemPerBlock(&available[1], &device, &kernel, &state, 3, 64);
    printf("    %d x %d, %d x %d, %d x %d, %zu, %zu\n", grid[0], block[0], grid[1], block[1],
           grid[2], block[2], available[0], available[1]);
}

__global__ void kernel(float *p)
{
    p[threadIdx.x] += 1.0f;
}

// It takes CUDA's structures, and agrees with CUDA's own function.
static int compare_with_the_api()
{
    cudaDeviceProp properties;
    cudaFuncAttributes attributes;
    MUST(cudaGetDeviceProperties(&properties, 0));
    MUST(cudaFuncGetAttributes(&attributes, kernel));
    cudaOccDeviceProp device = properties;
    cudaOccFuncAttributes function = attributes;
    cudaOccDeviceState state;
    cudaOccResult result;
    for (int block = 32; block <= 1024; block += 96) {
        int blocks = 0;
        MUST(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block, 0));
        cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &function, &state, block, 0);
        if (result.activeBlocksPerMultiprocessor != blocks) {
            printf("%d threads: %d, not %d\n", block, result.activeBlocksPerMultiprocessor, blocks);
        }
    }
    return 0;
}

int main()
{
    for (const Case &c : cases) {
        calculate(c);
    }
    printf("null: %d\n",
           cudaOccMaxActiveBlocksPerMultiprocessor(nullptr, nullptr, nullptr, nullptr, 32, 0));
    return compare_with_the_api();
}
