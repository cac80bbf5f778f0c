/* Launches by the host: what launches by <<<>>> and launches of graphs share. */
#ifndef CDP_API_LAUNCH_H
#define CDP_API_LAUNCH_H

#include "driver_types.h"

#include "api/check.h"
#include "api/devices.h"
#include "base/attr.h"
#include "base/status.h"
#include "exec/launch/chain.h"

struct cdp_runtime;

/* A launch without parameters, on the current device. site: of the call, for reports. */
static inline struct cdp_launch cdp_launch_of(const struct cdp_abi_kernel *kernel,
                                              const struct cdp_shape *shape, const void *site)
{
    return (struct cdp_launch){
        .kernel = kernel,
        .device = (uint8_t)cdp_device_number,
        .grid_dim = {shape->grid.x, shape->grid.y, shape->grid.z},
        .block_dim = {shape->block.x, shape->block.y, shape->block.z},
        .dynamic_shared = (uint32_t)shape->dynamic_shared,
        .site = site,
    };
}

/* What may overlap with a launch. Here nothing does: a kernel begins when those before it have
 * ended, and its event is recorded behind it. Captures keep it in the edges of their graphs. */
struct cdp_overlap {
    bool is_early;          /* it may begin before the kernels before it have ended */
    bool has_event;         /* the launch records one */
    cudaEvent_t event;      /* of the launch */
    cudaGraphEdgeData edge; /* from the launch to what waits for the event */
};

/* A launch as the host requests it. */
struct cdp_host_launch {
    const void *func;
    struct cdp_shape shape;
    void **args;
    cudaStream_t stream;
    const void *site;     /* of the call */
    bool returns_nothing; /* the program's call is <<<>>> */
    bool is_cooperative;
    dim3 cluster; /* the size of a cluster; zero: the kernel's, if it has one */
    struct cdp_overlap overlap;
};
/* Checks the launch and queues it. Sets the last error. */
cudaError_t cdp_launch_by_host(const struct cdp_host_launch *ask);

/* The shape, stream and attributes of a launch, without kernel and arguments. Does not set the last
 * error. */
cudaError_t cdp_launch_of_config(const cudaLaunchConfig_t *config, struct cdp_host_launch *out);

/* The error of a launch if no kernel has that address, or if its module could not be joined
 * (api/register.c). */
cudaError_t cdp_launch_error_of_unknown(const void *func);
/* Queues a launch that has been checked, and tells the checks of it. */
enum cdp_status cdp_launch_queue(struct cdp_runtime *runtime, uint64_t stream,
                                 const struct cdp_launch *launch) CDP_MUST_CHECK;

#endif
