/* Checks of launch configurations and the arithmetic of occupancy. */
#include "api/check.h"

#include "api/cluster.h"
#include "api/devices.h"
#include "api/profile.h"
#include "api/properties.h"
#include "api/register.h"

#include <stdatomic.h>

/* Of an H100. A grid of fixed size that fits there must run here with few workers, too. */
enum { MEETING_MULTIPROCESSORS = 132 };

static size_t plain_of(const struct cdp_abi_kernel *kernel)
{
    return kernel->shared_size < CDP_MOST_SHARED ? CDP_MOST_SHARED - kernel->shared_size : 0;
}

size_t cdp_most_dynamic_shared(const struct cdp_abi_kernel *kernel)
{
    size_t plain = plain_of(kernel), own = kernel->shared_size;
    /* The field belongs to the runtime, but compiled objects define the struct, so it is not
     * declared atomic there. */
    size_t set = __atomic_load_n(&kernel->max_dynamic_shared, __ATOMIC_RELAXED);
    if (set == 0) {
        return plain;
    }
    if (set - 1 <= plain) { /* also a limit below 48 KiB holds, as on an H100 */
        return set - 1;
    }
    /* It may have opted in on another device. */
    size_t most = (size_t)cdp_profile_here()->capability->optin;
    most = own < most ? most - own : 0;
    most = most > plain ? most : plain;
    return set - 1 < most ? set - 1 : most;
}

size_t cdp_most_of_occupancy(const struct cdp_abi_kernel *kernel)
{
    size_t most = cdp_most_dynamic_shared(kernel), plain = plain_of(kernel);
    return most > plain ? most : plain;
}

static bool is_block_possible(dim3 block)
{
    if (block.x == 0 || block.y == 0 || block.z == 0 || block.x > CDP_MOST_THREADS ||
        block.y > CDP_MOST_THREADS || block.z > CDP_MOST_BLOCK_Z) {
        return false;
    }
    return (uint64_t)block.x * block.y * block.z <= CDP_MOST_THREADS;
}

/* Blocks are numbered by 32 bits here. A grid with more blocks would run for days. */
static bool is_grid_possible(dim3 grid)
{
    return grid.x != 0 && grid.y != 0 && grid.z != 0 && grid.x <= CDP_MOST_GRID_X &&
           grid.y <= CDP_MOST_GRID_YZ && grid.z <= CDP_MOST_GRID_YZ &&
           (uint64_t)grid.x * grid.y <= UINT32_MAX / grid.z;
}

cudaError_t cdp_check_any_launch(const struct cdp_abi_kernel *kernel, const struct cdp_shape *shape,
                                 bool on_host)
{
    if (!is_grid_possible(shape->grid) || !is_block_possible(shape->block)) {
        return cudaErrorInvalidConfiguration;
    }
    if (shape->block.x * shape->block.y * shape->block.z > cdp_most_threads(kernel)) {
        return on_host ? cudaErrorInvalidValue : cudaErrorLaunchOutOfResources;
    }
    if (shape->dynamic_shared > cdp_most_dynamic_shared(kernel)) {
        return on_host ? cudaErrorInvalidValue : cudaErrorInvalidConfiguration;
    }
    return cudaSuccess;
}

int cdp_occupancy_of(const struct cdp_abi_kernel *kernel, int block_size, size_t dynamic_shared)
{
    const struct cdp_capability *limits = cdp_profile_here()->capability;
    size_t optin = (size_t)limits->optin;
    if (block_size <= 0 || (uint32_t)block_size > cdp_most_threads(kernel) ||
        dynamic_shared > cdp_most_of_occupancy(kernel)) {
        return 0; /* no launch of it is possible */
    }
    int warps = (block_size + CDP_WARP_SIZE - 1) / CDP_WARP_SIZE;
    int blocks = limits->threads / CDP_WARP_SIZE / warps;
    size_t shared = kernel->shared_size + dynamic_shared + (size_t)limits->reserved;
    size_t by_shared = shared != 0 ? (size_t)limits->shared / shared : SIZE_MAX;
    if (kernel->shared_size + dynamic_shared > optin) {
        by_shared = 0;
    }
    blocks = blocks < limits->blocks ? blocks : limits->blocks;
    return by_shared < (size_t)blocks ? (int)by_shared : blocks;
}

uint32_t cdp_meeting_multiprocessors(void)
{
    int sms = 0;
    (void)cdp_property_attribute(cdp_device_number, &sms, cudaDevAttrMultiProcessorCount);
    bool is_machine = cdp_profile_here()->multiprocessors == 0;
    return (uint32_t)(is_machine && sms < MEETING_MULTIPROCESSORS ? MEETING_MULTIPROCESSORS : sms);
}

bool cdp_may_meet(const struct cdp_abi_kernel *kernel, const struct cdp_shape *shape)
{
    int threads = (int)(shape->block.x * shape->block.y * shape->block.z);
    uint64_t each = (uint64_t)cdp_occupancy_of(kernel, threads, shape->dynamic_shared);
    return (uint64_t)shape->grid.x * shape->grid.y * shape->grid.z <=
           each * cdp_meeting_multiprocessors();
}

int cdp_best_block_size(const struct cdp_abi_kernel *kernel, size_t dynamic_shared, int limit)
{
    int most = (int)cdp_most_threads(kernel);
    most = limit > 0 && limit < most ? limit : most;
    int best = 0, best_threads = 0; /* 0: no block fits */
    for (int size = most; size > 0; size = (size - 1) & ~(CDP_WARP_SIZE - 1)) {
        int threads = size * cdp_occupancy_of(kernel, size, dynamic_shared);
        if (threads > best_threads) {
            best = size;
            best_threads = threads;
        }
    }
    return best;
}

void cdp_describe_kernel(const struct cdp_abi_kernel *kernel, struct cudaFuncAttributes *out)
{
    int arch = (int)(kernel->flags >> CDP_KERNEL_ARCH_SHIFT);
    *out = (struct cudaFuncAttributes){
        .sharedSizeBytes = kernel->shared_size,
        .constSizeBytes = cdp_registry_constant_bytes(kernel),
        .localSizeBytes = kernel->local_size,
        .maxThreadsPerBlock = (int)cdp_most_threads(kernel),
        .numRegs = 32,
        .ptxVersion = arch != 0 ? arch : 90,
        .binaryVersion = arch != 0 ? arch : 90,
        .maxDynamicSharedSizeBytes = (int)cdp_most_dynamic_shared(kernel),
        .preferredShmemCarveout = cudaSharedmemCarveoutDefault,
    };
    cdp_cluster_describe(kernel, out);
}
