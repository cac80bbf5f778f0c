/* The device's limits, and the checks that host and device launches share. */
#ifndef CDP_API_CHECK_H
#define CDP_API_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "driver_types.h"

#include "abi/cdp_abi.h"
#include "base/attr.h"
#include "exec/state/grid.h"

/* The limits that all compute capabilities have; and CDP_MOST_THREADS of exec/state/grid.h. The
 * others are in api/profile.h. */
enum {
    CDP_WARP_SIZE = 32,
    CDP_MOST_BLOCK_Z = 64,
    CDP_MOST_GRID_X = 0x7fffffff,
    CDP_MOST_GRID_YZ = 65535,
    CDP_MOST_SHARED = 48 << 10, /* without opting in */
    CDP_REGISTERS = 65536,      /* of a multiprocessor */
    CDP_MOST_PARAM_BYTES = 32764,
};

/* The shape of a launch. */
struct cdp_shape {
    dim3 grid, block;
    size_t dynamic_shared;
};

/* The most threads of a block: __launch_bounds__ or the device's limit. */
static inline uint32_t cdp_most_threads(const struct cdp_abi_kernel *kernel)
{
    return kernel->max_threads != 0 && kernel->max_threads < CDP_MOST_THREADS ? kernel->max_threads
                                                                              : CDP_MOST_THREADS;
}

/* One dimension, no dynamic shared memory, like most launches of device code. */
static inline bool cdp_is_plain_launch(const struct cdp_abi_kernel *kernel,
                                       const struct cdp_shape *shape)
{
    uint32_t others = (shape->grid.y ^ 1) | (shape->grid.z ^ 1) | (shape->block.y ^ 1) |
                      (shape->block.z ^ 1) | (uint32_t)(shape->dynamic_shared != 0);
    return others == 0 && shape->grid.x - 1 < CDP_MOST_GRID_X &&
           shape->block.x - 1 < cdp_most_threads(kernel);
}

cudaError_t cdp_check_any_launch(const struct cdp_abi_kernel *kernel, const struct cdp_shape *shape,
                                 bool on_host);

/* cudaSuccess if the kernel may be launched with this configuration. Too much shared memory is
 * cudaErrorInvalidValue on the host, cudaErrorInvalidConfiguration on the device. */
static inline cudaError_t cdp_check_launch(const struct cdp_abi_kernel *kernel,
                                           const struct cdp_shape *shape, bool on_host)
{
    return CDP_LIKELY(cdp_is_plain_launch(kernel, shape))
               ? cudaSuccess
               : cdp_check_any_launch(kernel, shape, on_host);
}

/* The most dynamic shared memory, as set by cudaFuncSetAttribute. */
size_t cdp_most_dynamic_shared(const struct cdp_abi_kernel *kernel);
/* The same for occupancy, which looks at no limit below 48 KiB, as an H200 showed. */
size_t cdp_most_of_occupancy(const struct cdp_abi_kernel *kernel);

/* The number of blocks of that size that a multiprocessor could run at the same time. */
int cdp_occupancy_of(const struct cdp_abi_kernel *kernel, int block_size, size_t dynamic_shared);
/* The multiprocessors on which blocks that meet are resident: those of an H100, or as many as there
 * are workers. */
uint32_t cdp_meeting_multiprocessors(void);
/* Whether a cooperative grid of that shape is small enough: all of its blocks would be resident on
 * the GPU of the device's profile. Without one: on an H100, or on as many multiprocessors as there
 * are workers. */
bool cdp_may_meet(const struct cdp_abi_kernel *kernel, const struct cdp_shape *shape);
/* The block size, at most limit (0: none), with the best occupancy. */
int cdp_best_block_size(const struct cdp_abi_kernel *kernel, size_t dynamic_shared, int limit);
/* The result of cudaFuncGetAttributes. */
void cdp_describe_kernel(const struct cdp_abi_kernel *kernel, struct cudaFuncAttributes *out);

#endif
