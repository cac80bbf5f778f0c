/* The shape of the launch tells more than its error does: several mistakes have the same error. */
#include "api/launch_advice.h"

#include <stddef.h>
#include <stdint.h>

static const char *of_block(const struct cdp_abi_kernel *kernel, dim3 block)
{
    uint64_t threads = (uint64_t)block.x * block.y * block.z;
    if (threads > CDP_MOST_THREADS) {
        return "a block has at most 1024 threads: launch more blocks with fewer threads each";
    }
    if (block.z > CDP_MOST_BLOCK_Z) {
        return "a block has at most 64 threads in z: use x or y";
    }
    if (threads == 0) {
        return "a block has at least 1 thread in each dimension";
    }
    return kernel != NULL && threads > cdp_most_threads(kernel)
               ? "the kernel's __launch_bounds__ allows fewer threads in a block"
               : NULL;
}

static const char *of_grid(dim3 grid)
{
    if (grid.x == 0 || grid.y == 0 || grid.z == 0) {
        return "a grid has at least 1 block in each dimension: test that there is work before the "
               "launch";
    }
    if (grid.y > CDP_MOST_GRID_YZ || grid.z > CDP_MOST_GRID_YZ) {
        return "a grid has at most 65535 blocks in y and in z: use x, which allows 2147483647";
    }
    return grid.x > CDP_MOST_GRID_X ? "a grid has at most 2147483647 blocks in x" : NULL;
}

static const char *of_shared(const struct cdp_abi_kernel *kernel, size_t bytes)
{
    if (kernel == NULL || bytes <= cdp_most_dynamic_shared(kernel)) {
        return NULL;
    }
    return "a kernel gets more than 48 KiB of shared memory only after the host's "
           "cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)";
}

/* These have one cause each. */
static const char *of_error(cudaError_t error)
{
    switch ((int)error) {
    case cudaErrorInvalidClusterSize:
        return "the grid must consist of whole clusters, of the kernel's own size if it has "
               "__cluster_dims__, and of at most 8 blocks, or 16 after "
               "cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1)";
    case cudaErrorLaunchMaxDepthExceeded:
        return "grids nest at most 24 deep with CDP1, the host's launch included: end the "
               "recursion earlier, or compile with --cdp=2";
    case cudaErrorLaunchPendingCountExceeded:
        return "let the host call cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, n) "
               "before its launch, or let fewer threads launch";
    case cudaErrorInvalidDeviceFunction:
        return "launch a kernel that this version of cdpcc compiled";
    case cudaErrorMemoryAllocation:
        return "there was no memory for the launch: let fewer launches be pending, or raise "
               "CDP_LAUNCH_MEMORY if it is set";
    default:
        return NULL;
    }
}

const char *cdp_launch_advice(const struct cdp_abi_kernel *kernel, const struct cdp_shape *shape,
                              cudaError_t error)
{
    const char *advice = of_error(error);
    advice = advice != NULL ? advice : of_block(kernel, shape->block);
    advice = advice != NULL ? advice : of_grid(shape->grid);
    return advice != NULL ? advice : of_shared(kernel, shape->dynamic_shared);
}
