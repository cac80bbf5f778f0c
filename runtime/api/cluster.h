/* Clusters of launches: their sizes, and the attributes of kernels that limit them. */
#ifndef CDP_API_CLUSTER_H
#define CDP_API_CLUSTER_H

#include <stdbool.h>

#include "driver_types.h"

#include "abi/cdp_abi.h"
#include "base/attr.h"

/* The clusters of a launch. requested: by the launch; all zero: by the kernel, if it has clusters.
 * The result is zero if the launch has none. cudaErrorInvalidClusterSize as an H100 showed;
 * cudaErrorNotSupported on a device without clusters. */
cudaError_t cdp_cluster_of_launch(const struct cdp_abi_kernel *kernel, dim3 requested, dim3 grid,
                                  uint32_t dim[3]);

/* Whether the kernel, or cudaFuncSetAttribute, gives a cluster's size. */
static inline bool cdp_cluster_is_given(const struct cdp_abi_kernel *kernel)
{
    return (kernel->cluster.dim[0] | kernel->cluster.required[0]) != 0;
}

/* The size that a launch's attributes ask for; zero: none. */
dim3 cdp_cluster_requested(const cudaLaunchConfig_t *config);

/* cudaFuncSetAttribute and cudaFuncGetAttributes, for the attributes of clusters. */
cudaError_t cdp_cluster_set(struct cdp_abi_kernel *kernel, enum cudaFuncAttribute attr, int value);
void cdp_cluster_describe(const struct cdp_abi_kernel *kernel, struct cudaFuncAttributes *out);

#endif
