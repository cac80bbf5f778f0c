/* Launches by the host, and the queries and settings of a kernel. */
#include <stddef.h>
#include <string.h>

#include "cuda_runtime_api.h"

#include "api/agreement.h"
#include "api/capture.h"
#include "api/check.h"
#include "api/cluster.h"
#include "api/error.h"
#include "api/handle.h"
#include "api/launch.h"
#include "api/profile.h"
#include "api/register.h"
#include "api/runtime.h"
#include "api/unread.h"
#include "api/unwaited.h"
#include "exec/report/finding.h"
#include "exec/report/profile.h"

/* Configurations pushed by <<<>>> and not yet popped by the kernel's stub. There is more than one
 * if an argument of a launch itself launches. Few, since a library that is loaded late has little
 * memory for threads' variables. */
enum { MOST_CONFIGURATIONS = 8 };
struct configuration {
    struct cdp_shape shape;
    cudaStream_t stream;
    const void *site; /* the address of <<<>>>: the stub's own call is not in the user's code */
};
static __thread struct {
    unsigned count;
    const void *site; /* of the configuration popped last, until its launch uses it */
    struct configuration stack[MOST_CONFIGURATIONS];
} pushed;

unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream)
{
    if (pushed.count == MOST_CONFIGURATIONS) {
        /* If an argument throws an exception, its launch's configuration stays: drop the oldest. */
        memmove(pushed.stack, pushed.stack + 1, sizeof pushed.stack - sizeof pushed.stack[0]);
        pushed.count--;
    }
    pushed.stack[pushed.count++] =
        (struct configuration){.shape = {.grid = grid, .block = block, .dynamic_shared = shared},
                               .stream = stream,
                               .site = __builtin_return_address(0)};
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream)
{
    if (pushed.count == 0) {
        return cdp_api_fail(cudaErrorMissingConfiguration);
    }
    const struct configuration *top = &pushed.stack[--pushed.count];
    *grid = top->shape.grid;
    *block = top->shape.block;
    *shared = top->shape.dynamic_shared;
    *(cudaStream_t *)stream = top->stream;
    pushed.site = top->site;
    return cudaSuccess;
}

/* The source position of the launch: at <<<>>> if this is a stub's call, else at the call. */
static inline void take_site(struct cdp_host_launch *ask, const void *call)
{
    const void *site = pushed.site;
    ask->returns_nothing = site != NULL;
    ask->site = site != NULL ? site : call;
    pushed.site = NULL;
}

CDP_COLD cudaError_t cdp_launch_error_of_unknown(const void *func)
{
    if (!cdp_registry_is_whole()) {
        return cudaErrorMemoryAllocation;
    }
    return func == NULL || cdp_registry_names(func) ? cudaErrorInvalidDeviceFunction
                                                    : cudaErrorInvalidResourceHandle;
}

static cudaError_t fail_unknown(const void *func)
{
    return cdp_api_fail(cdp_launch_error_of_unknown(func));
}

/* The launch did not run. */
CDP_COLD static cudaError_t refuse(const struct cdp_host_launch *ask, cudaError_t error)
{
    if (ask->returns_nothing) {
        struct cdp_unread_launch unread = {.kernel = cdp_registry_find_kernel(ask->func),
                                           .shape = ask->shape,
                                           .site = ask->site,
                                           .error = error};
        cdp_unread_add(&unread);
    }
    return cdp_api_fail(error);
}

CDP_COLD static cudaError_t refuse_status(const struct cdp_host_launch *ask, enum cdp_status status)
{
    return refuse(ask, cdp_api_fail_status(status));
}

CDP_COLD static void note_for_checks(const struct cdp_launch *launch)
{
    const uint32_t *grid = launch->grid_dim, *block = launch->block_dim;
    struct cdp_shape shape = {.grid = {grid[0], grid[1], grid[2]},
                              .block = {block[0], block[1], block[2]},
                              .dynamic_shared = launch->dynamic_shared};
    cdp_agreement_launched(launch->kernel, &shape);
    if (cdp_finding_is_on(CDP_CHECKS_API)) {
        cdp_unwaited_launched(launch->kernel, launch->site);
    }
}

enum cdp_status cdp_launch_queue(struct cdp_runtime *runtime, uint64_t stream,
                                 const struct cdp_launch *launch)
{
    enum cdp_status status = cdp_stream_launch(runtime->streams, stream, launch);
    if (status == CDP_OK && cdp_finding_is_on(CDP_CHECKS_ALL)) {
        note_for_checks(launch);
    }
    return status;
}

/* Cooperative launches have other codes than the rest, as an H200 showed. */
static cudaError_t check_cooperative(const struct cdp_abi_kernel *kernel,
                                     const struct cdp_shape *shape)
{
    cudaError_t error = cdp_check_launch(kernel, shape, true);
    if (error == cudaErrorInvalidConfiguration) {
        return cudaErrorInvalidValue;
    }
    bool is_too_large = error == cudaSuccess
                            ? !cdp_may_meet(kernel, shape)
                            : shape->dynamic_shared > cdp_most_dynamic_shared(kernel);
    return is_too_large ? cudaErrorCooperativeLaunchTooLarge : error;
}

/* CUDA takes only events without times, of this process. */
static cudaError_t check_event(struct cdp_runtime *runtime, const struct cdp_overlap *overlap)
{
    unsigned flags;
    if (!overlap->has_event) {
        return cudaSuccess;
    }
    enum cdp_status status =
        cdp_event_flags(runtime->streams, cdp_handle_of_event(overlap->event), &flags);
    if (status != CDP_OK) {
        return cdp_api_fail_status(status);
    }
    if ((flags & CDP_EVENT_DISABLE_TIMING) == 0) {
        return cudaErrorNotSupported;
    }
    return (flags & CDP_EVENT_INTERPROCESS) == 0 ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cdp_launch_by_host(const struct cdp_host_launch *ask)
{
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return refuse(ask, error);
    }
    const struct cdp_abi_kernel *kernel = cdp_registry_find_kernel(ask->func);
    if (kernel == NULL) {
        return refuse(ask, cdp_launch_error_of_unknown(ask->func));
    }
    error = ask->is_cooperative ? check_cooperative(kernel, &ask->shape)
                                : cdp_check_launch(kernel, &ask->shape, true);
    if (error != cudaSuccess) {
        if (error == cudaErrorInvalidValue && CDP_UNLIKELY(cdp_capture_is_on())) {
            cdp_capture_invalidate(ask->stream);
        }
        bool has_clusters = ask->cluster.x != 0; /* another code then, as an H100 showed */
        return refuse(ask, has_clusters && error == cudaErrorInvalidConfiguration
                               ? cudaErrorInvalidValue
                               : error);
    }
    if (kernel->param_count > 0 && ask->args == NULL) {
        return refuse(ask, cudaErrorInvalidValue);
    }
    struct cdp_launch order = cdp_launch_of(kernel, &ask->shape, ask->site);
    order.args = ask->args;
    order.is_cooperative = ask->is_cooperative;
    if (CDP_UNLIKELY(ask->cluster.x != 0 || ask->cluster.y != 0 || ask->cluster.z != 0 ||
                     cdp_cluster_is_given(kernel))) {
        error = cdp_cluster_of_launch(kernel, ask->cluster, ask->shape.grid, order.cluster_dim);
        if (error != cudaSuccess) {
            return refuse(ask, error);
        }
    }
    error = check_event(runtime, &ask->overlap);
    if (error != cudaSuccess) {
        return refuse(ask, error);
    }
    if (CDP_UNLIKELY(cdp_capture_is_on()) && cdp_capture_launch(ask, &order, &error)) {
        return error != cudaSuccess ? refuse(ask, error) : cudaSuccess;
    }
    if (CDP_UNLIKELY((kernel->flags & CDP_KERNEL_LAUNCHES_GRAPHS) != 0)) { /* only within graphs */
        return refuse(ask, cudaErrorNotSupported);
    }
    enum cdp_status status = cdp_launch_queue(runtime, cdp_handle_of_stream(ask->stream), &order);
    cdp_engine_lend(runtime->engine); /* the program may poll without another call */
    if (CDP_UNLIKELY(status != CDP_OK)) {
        return refuse_status(ask, status);
    }
    return CDP_UNLIKELY(ask->overlap.has_event) ? cudaEventRecord(ask->overlap.event, ask->stream)
                                                : cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void *func, dim3 grid, dim3 block, void **args, size_t shared,
                             cudaStream_t stream)
{
    CDP_PROFILE_CALL();
    struct cdp_host_launch ask = {.func = func,
                                  .shape = {.grid = grid, .block = block, .dynamic_shared = shared},
                                  .args = args,
                                  .stream = stream};
    take_site(&ask, __builtin_return_address(0));
    return cdp_launch_by_host(&ask);
}

cudaError_t cudaLaunchCooperativeKernel(const void *func, dim3 grid, dim3 block, void **args,
                                        size_t shared, cudaStream_t stream)
{
    CDP_PROFILE_CALL();
    struct cdp_host_launch ask = {.func = func,
                                  .shape = {.grid = grid, .block = block, .dynamic_shared = shared},
                                  .args = args,
                                  .stream = stream,
                                  .site = __builtin_return_address(0),
                                  .is_cooperative = true};
    return cdp_launch_by_host(&ask);
}

static bool is_cooperative(const cudaLaunchConfig_t *config)
{
    bool is = false;
    for (unsigned i = 0; i < config->numAttrs; i++) {
        const cudaLaunchAttribute *attr = &config->attrs[i];
        is = attr->id == cudaLaunchAttributeCooperative ? attr->val.cooperative != 0 : is;
    }
    return is;
}

static cudaError_t set_event(struct cdp_overlap *overlap, cudaEvent_t event, int flags,
                             cudaGraphEdgeData edge)
{
    overlap->has_event = true;
    overlap->event = event;
    overlap->edge = edge;
    return flags == cudaEventRecordDefault ? cudaSuccess : cudaErrorIllegalState;
}

/* cudaErrorNotSupported: an attribute needs a node of a graph. */
static cudaError_t take_attribute(const cudaLaunchAttribute *attr, struct cdp_overlap *overlap)
{
    const cudaLaunchAttributeValue *value = &attr->val;
    cudaGraphEdgeData edge = {.from_port = cudaGraphKernelNodePortLaunchCompletion};
    switch ((int)attr->id) {
    case cudaLaunchAttributeProgrammaticStreamSerialization:
        overlap->is_early = value->programmaticStreamSerializationAllowed != 0;
        return cudaSuccess;
    case cudaLaunchAttributeProgrammaticEvent:
        edge.type = cudaGraphDependencyTypeProgrammatic;
        if (value->programmaticEvent.triggerAtBlockStart == 0) {
            edge.from_port = cudaGraphKernelNodePortProgrammatic;
        }
        return set_event(overlap, value->programmaticEvent.event, value->programmaticEvent.flags,
                         edge);
    case cudaLaunchAttributeLaunchCompletionEvent:
        return set_event(overlap, value->launchCompletionEvent.event,
                         value->launchCompletionEvent.flags, edge);
    case cudaLaunchAttributeDeviceUpdatableKernelNode:
        return cudaErrorNotSupported;
    default:
        return cudaSuccess;
    }
}

static cudaError_t take_attributes(const cudaLaunchConfig_t *config, struct cdp_overlap *overlap)
{
    cudaError_t error = cudaSuccess;
    for (unsigned i = 0; i < config->numAttrs && error == cudaSuccess; i++) {
        error = take_attribute(&config->attrs[i], overlap);
    }
    return error;
}

cudaError_t cdp_launch_of_config(const cudaLaunchConfig_t *config, struct cdp_host_launch *out)
{
    if (config == NULL || (config->numAttrs > 0 && config->attrs == NULL)) {
        return cudaErrorInvalidValue;
    }
    *out = (struct cdp_host_launch){.shape = {.grid = config->gridDim,
                                              .block = config->blockDim,
                                              .dynamic_shared = config->dynamicSmemBytes},
                                    .stream = config->stream,
                                    .is_cooperative = is_cooperative(config),
                                    .cluster = cdp_cluster_requested(config)};
    return take_attributes(config, &out->overlap);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *func, void **args)
{
    CDP_PROFILE_CALL();
    struct cdp_host_launch ask;
    cudaError_t error = cdp_launch_of_config(config, &ask);
    if (error != cudaSuccess) {
        return cdp_api_fail(error);
    }
    ask.func = func;
    ask.args = args;
    ask.site = __builtin_return_address(0);
    return cdp_launch_by_host(&ask);
}

/* ---- Kernels ---- */

/* Finds the kernel, or stores an error. */
static cudaError_t find(const void *func, struct cdp_abi_kernel **kernel)
{
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    *kernel = cdp_registry_find_kernel(func);
    return *kernel != NULL ? cudaSuccess : fail_unknown(func);
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr, const void *func)
{
    CDP_PROFILE_CALL();
    struct cdp_abi_kernel *kernel;
    cudaError_t error = find(func, &kernel);
    if (error != cudaSuccess) {
        return error;
    }
    if (attr == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    cdp_describe_kernel(kernel, attr);
    return cudaSuccess;
}

static cudaError_t set_dynamic_shared(struct cdp_abi_kernel *kernel, int value)
{
    uint32_t most = (uint32_t)cdp_profile_here()->capability->optin;
    if (value < 0 || (uint32_t)value + kernel->shared_size > most) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    __atomic_store_n(&kernel->max_dynamic_shared, (uint32_t)value + 1, __ATOMIC_RELAXED);
    return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attr, int value)
{
    CDP_PROFILE_CALL();
    struct cdp_abi_kernel *kernel;
    cudaError_t error = find(func, &kernel);
    if (error != cudaSuccess) {
        return error;
    }
    switch ((int)attr) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
        return set_dynamic_shared(kernel, value);
    case cudaFuncAttributePreferredSharedMemoryCarveout:
        return value < -1 || value > 100 ? cdp_api_fail(cudaErrorInvalidValue) : cudaSuccess;
    case cudaFuncAttributeClusterDimMustBeSet:
    case cudaFuncAttributeRequiredClusterWidth:
    case cudaFuncAttributeRequiredClusterHeight:
    case cudaFuncAttributeRequiredClusterDepth:
    case cudaFuncAttributeNonPortableClusterSizeAllowed:
    case cudaFuncAttributeClusterSchedulingPolicyPreference:
        return cdp_cluster_set(kernel, attr, value);
    default:
        return cdp_api_fail(cudaErrorInvalidValue);
    }
}

/* Hints about hardware caches: checked, and otherwise ignored. */
cudaError_t cudaFuncSetCacheConfig(const void *func, enum cudaFuncCache config)
{
    CDP_PROFILE_CALL();
    struct cdp_abi_kernel *kernel;
    cudaError_t error = find(func, &kernel);
    if (error == cudaSuccess && (unsigned)config > cudaFuncCachePreferEqual) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    return error;
}

cudaError_t cudaFuncSetSharedMemConfig(const void *func, enum cudaSharedMemConfig config)
{
    CDP_PROFILE_CALL();
    struct cdp_abi_kernel *kernel;
    cudaError_t error = find(func, &kernel);
    if (error == cudaSuccess && (unsigned)config > cudaSharedMemBankSizeEightByte) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    return error;
}

cudaError_t cudaFuncGetName(const char **name, const void *func)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter_any(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    const struct cdp_abi_kernel *kernel = cdp_registry_find_kernel(func);
    if (kernel == NULL) {
        return fail_unknown(func);
    }
    if (name == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    *name = kernel->name;
    return cudaSuccess;
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *func, const void *symbol)
{
    CDP_PROFILE_CALL();
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    struct cdp_abi_kernel *kernel = cdp_registry_find_kernel(symbol);
    if (kernel == NULL) {
        return cdp_api_fail(cudaErrorInvalidDeviceFunction);
    }
    if (func != NULL) { /* as on an H100 */
        *func = (cudaFunction_t)(void *)kernel;
    }
    return cudaSuccess;
}

/* ---- Occupancy ---- */

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *func,
                                                                   int block_size, size_t shared,
                                                                   unsigned int flags)
{
    CDP_PROFILE_CALL();
    struct cdp_abi_kernel *kernel;
    cudaError_t error = find(func, &kernel);
    if (error != cudaSuccess) {
        return error;
    }
    if (blocks == NULL || block_size <= 0 ||
        (flags & ~(unsigned)cudaOccupancyDisableCachingOverride) != 0) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    *blocks = cdp_occupancy_of(kernel, block_size, shared);
    return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *func,
                                                          int block_size, size_t shared)
{
    CDP_PROFILE_CALL();
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, func, block_size, shared,
                                                                  cudaOccupancyDefault);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *shared, const void *func, int blocks,
                                                      int block_size)
{
    CDP_PROFILE_CALL();
    struct cdp_abi_kernel *kernel;
    cudaError_t error = find(func, &kernel);
    if (error != cudaSuccess) {
        return error;
    }
    const struct cdp_capability *limits = cdp_profile_here()->capability;
    if (shared == NULL || blocks <= 0 || blocks > limits->blocks ||
        cdp_occupancy_of(kernel, block_size, 0) < blocks) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    size_t each = (size_t)limits->shared / (unsigned)blocks;
    size_t most = cdp_most_dynamic_shared(kernel);
    size_t own = kernel->shared_size + (size_t)limits->reserved;
    size_t free = each > own ? each - own : 0;
    *shared = free < most ? free : most;
    return cudaSuccess;
}

cudaError_t __cdp_occupancy(int *grid, int *block, const void *func, size_t shared, int limit)
{
    struct cdp_abi_kernel *kernel;
    cudaError_t error = find(func, &kernel);
    if (error != cudaSuccess) {
        return error;
    }
    if (grid == NULL || block == NULL) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    *block = cdp_best_block_size(kernel, shared, limit);
    int multiprocessors = 0;
    (void)cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount,
                                 (int)cdp_device_number);
    *grid = multiprocessors * cdp_occupancy_of(kernel, *block, shared);
    return cudaSuccess;
}
