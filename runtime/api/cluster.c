/* Clusters of launches.  All error codes are as an H100 showed. */
#include "api/cluster.h"

#include "cuda_runtime_api.h"

#include "api/check.h"
#include "api/error.h"
#include "api/profile.h"
#include "api/register.h"
#include "api/runtime.h"
#include "exec/report/profile.h"

enum { MOST_PORTABLE = 8, MOST = 16 };
enum { FIRST_MAJOR = 9 }; /* compute capability with clusters */
/* A multiprocessor runs at most so many blocks of clusters. */
enum { MOST_ON_MULTIPROCESSOR = 8 };

/* Other host threads may set attributes meanwhile. */
static uint32_t required(const struct cdp_abi_kernel *kernel, int axis)
{
    return __atomic_load_n(&kernel->cluster.required[axis], __ATOMIC_RELAXED);
}

static uint32_t most_blocks(const struct cdp_abi_kernel *kernel)
{
    return __atomic_load_n(&kernel->cluster.large, __ATOMIC_RELAXED) != 0 ? MOST : MOST_PORTABLE;
}

static bool is_given(const uint32_t dim[3])
{
    return (dim[0] | dim[1] | dim[2]) != 0;
}

/* What the kernel gives; zero: nothing. */
static void given_size(const struct cdp_abi_kernel *kernel, uint32_t dim[3])
{
    for (int i = 0; i < 3; i++) {
        dim[i] = is_given(kernel->cluster.dim) ? kernel->cluster.dim[i] : required(kernel, i);
    }
}

/* Without the limit of blocks. */
static cudaError_t find_size(const struct cdp_abi_kernel *kernel, dim3 requested, dim3 grid,
                             uint32_t dim[3])
{
    const uint32_t wish[3] = {requested.x, requested.y, requested.z},
                   blocks[3] = {grid.x, grid.y, grid.z};
    given_size(kernel, dim);
    bool is_fixed = is_given(dim);
    for (int i = 0; i < 3 && is_given(wish); i++) {
        if (is_fixed && wish[i] != dim[i]) {
            return cudaErrorInvalidClusterSize;
        }
        dim[i] = wish[i];
    }
    for (int i = 0; i < 3 && is_given(dim); i++) {
        if (dim[i] == 0 || blocks[i] % dim[i] != 0) {
            return cudaErrorInvalidClusterSize;
        }
    }
    return cudaSuccess;
}

static uint64_t blocks_of(const uint32_t dim[3])
{
    return (uint64_t)dim[0] * dim[1] * dim[2];
}

cudaError_t cdp_cluster_of_launch(const struct cdp_abi_kernel *kernel, dim3 requested, dim3 grid,
                                  uint32_t dim[3])
{
    cudaError_t error = find_size(kernel, requested, grid, dim);
    if (is_given(dim) && cdp_profile_here()->capability->major < FIRST_MAJOR) {
        return cudaErrorNotSupported;
    }
    return error == cudaSuccess && blocks_of(dim) > most_blocks(kernel)
               ? cudaErrorInvalidClusterSize
               : error;
}

dim3 cdp_cluster_requested(const cudaLaunchConfig_t *config)
{
    dim3 requested = {0, 0, 0};
    for (unsigned i = 0; i < config->numAttrs; i++) {
        const cudaLaunchAttribute *attr = &config->attrs[i];
        if (attr->id == cudaLaunchAttributeClusterDimension) {
            requested.x = attr->val.clusterDim.x;
            requested.y = attr->val.clusterDim.y;
            requested.z = attr->val.clusterDim.z;
        }
    }
    return requested;
}

/* ---- Attributes of kernels ---- */

static cudaError_t require(struct cdp_abi_kernel *kernel, int axis, int value)
{
    if (value < 0 || is_given(kernel->cluster.dim)) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    __atomic_store_n(&kernel->cluster.required[axis], (uint32_t)value, __ATOMIC_RELAXED);
    return cudaSuccess;
}

cudaError_t cdp_cluster_set(struct cdp_abi_kernel *kernel, enum cudaFuncAttribute attr, int value)
{
    switch ((int)attr) {
    case cudaFuncAttributeRequiredClusterWidth:
        return require(kernel, 0, value);
    case cudaFuncAttributeRequiredClusterHeight:
        return require(kernel, 1, value);
    case cudaFuncAttributeRequiredClusterDepth:
        return require(kernel, 2, value);
    case cudaFuncAttributeNonPortableClusterSizeAllowed:
        __atomic_store_n(&kernel->cluster.large, (uint32_t)value, __ATOMIC_RELAXED);
        return cudaSuccess;
    case cudaFuncAttributeClusterSchedulingPolicyPreference:
        if (value < cudaClusterSchedulingPolicyDefault ||
            value > cudaClusterSchedulingPolicyLoadBalancing) {
            return cdp_api_fail(cudaErrorInvalidValue);
        }
        __atomic_store_n(&kernel->cluster.policy, (uint32_t)value, __ATOMIC_RELAXED);
        return cudaSuccess;
    default: /* cudaFuncAttributeClusterDimMustBeSet is the kernel's own */
        return cdp_api_fail(cudaErrorInvalidValue);
    }
}

void cdp_cluster_describe(const struct cdp_abi_kernel *kernel, struct cudaFuncAttributes *out)
{
    uint32_t dim[3];
    given_size(kernel, dim);
    out->clusterDimMustBeSet = is_given(kernel->cluster.dim);
    out->requiredClusterWidth = (int)dim[0];
    out->requiredClusterHeight = (int)dim[1];
    out->requiredClusterDepth = (int)dim[2];
    out->nonPortableClusterSizeAllowed =
        (int)__atomic_load_n(&kernel->cluster.large, __ATOMIC_RELAXED);
    out->clusterSchedulingPolicyPreference =
        (int)__atomic_load_n(&kernel->cluster.policy, __ATOMIC_RELAXED);
}

/* ---- Occupancy ---- */

/* The kernel, its blocks on a multiprocessor, and the cluster's size; an error is stored. */
struct question {
    const struct cdp_abi_kernel *kernel;
    int blocks;
    uint32_t dim[3];
};
static cudaError_t ask(const int *result, const void *func, const cudaLaunchConfig_t *config,
                       struct question *out)
{
    struct cdp_runtime *runtime;
    cudaError_t error = cdp_api_enter(&runtime);
    if (error != cudaSuccess) {
        return error;
    }
    out->kernel = cdp_registry_find_kernel(func);
    if (out->kernel == NULL) {
        return cdp_api_fail(cudaErrorInvalidDeviceFunction);
    }
    if (result == NULL || config == NULL || (config->numAttrs > 0 && config->attrs == NULL)) {
        return cdp_api_fail(cudaErrorInvalidValue);
    }
    error = find_size(out->kernel, cdp_cluster_requested(config), config->gridDim, out->dim);
    if (error == cudaSuccess && blocks_of(out->dim) > MOST_PORTABLE &&
        most_blocks(out->kernel) == MOST_PORTABLE) {
        error = cudaErrorInvalidClusterSize;
    }
    if (error != cudaSuccess) {
        return cdp_api_fail(error);
    }
    const dim3 block = config->blockDim;
    uint64_t threads = (uint64_t)block.x * block.y * block.z;
    bool is_possible = threads <= CDP_MOST_THREADS &&
                       config->dynamicSmemBytes <= cdp_most_of_occupancy(out->kernel);
    out->blocks =
        is_possible ? cdp_occupancy_of(out->kernel, (int)threads, config->dynamicSmemBytes) : 0;
    return cudaSuccess;
}

/* The multiprocessors of an H100 and an H200 are in groups, as their answers show. A cluster runs
 * in one group, which has a multiprocessor for each of its blocks. */
static const uint8_t groups[] = {18, 18, 16, 16, 16, 16, 16, 8, 2, 2, 2, 2};
enum { GROUPED = 132 }; /* multiprocessors in all groups */

static uint64_t most_clusters(uint64_t size, uint64_t each)
{
    uint32_t multiprocessors = cdp_meeting_multiprocessors();
    if (multiprocessors != GROUPED) {
        return each * multiprocessors / size;
    }
    uint64_t sum = 0;
    for (size_t i = 0; i < sizeof groups; i++) {
        sum += groups[i] >= size ? each * groups[i] / size : 0;
    }
    return sum;
}

cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *func,
                                           const cudaLaunchConfig_t *config)
{
    CDP_PROFILE_CALL();
    struct question question;
    cudaError_t error = ask(clusters, func, config, &question);
    if (error == cudaSuccess) {
        uint64_t size = blocks_of(question.dim);
        uint64_t each = question.blocks < MOST_ON_MULTIPROCESSOR ? (uint64_t)question.blocks
                                                                 : MOST_ON_MULTIPROCESSOR;
        bool is_possible = size != 0 && size <= MOST;
        *clusters = is_possible ? (int)most_clusters(size, each) : 0;
    }
    return error;
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, const void *func,
                                                 const cudaLaunchConfig_t *config)
{
    CDP_PROFILE_CALL();
    struct question question;
    cudaError_t error = ask(size, func, config, &question);
    if (error == cudaSuccess) {
        *size = question.blocks != 0 ? (int)most_blocks(question.kernel) : 0;
    }
    return error;
}
