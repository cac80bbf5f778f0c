// stderr: error 912 \(cudaErrorInvalidClusterSize\)
// Error codes of launches with clusters, attributes of kernels, and occupancy: as on an H100.
#include <cooperative_groups.h>
#include <cstdio>

__managed__ int ran;

__global__ void __cluster_dims__(2) fixed()
{
    if (threadIdx.x == 0) {
        atomicAdd(&ran, 1);
    }
}
__global__ void plain()
{
    if (threadIdx.x == 0) {
        atomicAdd(&ran, 1);
    }
    cooperative_groups::this_cluster().sync();
}

static void go(const char *name, void (*kernel)(), dim3 grid, dim3 block, dim3 cluster,
               size_t shared = 0)
{
    cudaLaunchAttribute attr = {};
    attr.id = cudaLaunchAttributeClusterDimension;
    attr.val.clusterDim.x = cluster.x;
    attr.val.clusterDim.y = cluster.y;
    attr.val.clusterDim.z = cluster.z;
    cudaLaunchConfig_t config = {};
    config.gridDim = grid;
    config.blockDim = block;
    config.dynamicSmemBytes = shared;
    config.attrs = &attr;
    config.numAttrs = 1;
    ran = 0;
    int launched = cudaLaunchKernelExC(&config, (const void *)kernel, NULL);
    int ended = cudaDeviceSynchronize(), last = cudaGetLastError();
    int active = -1, potential = -1;
    int asked = cudaOccupancyMaxActiveClusters(&active, kernel, &config);
    int asked_size = cudaOccupancyMaxPotentialClusterSize(&potential, kernel, &config);
    cudaGetLastError();
    printf("%s: %d %d %d, ran %d, active %s %d, potential %d %d\n", name, launched, ended, last,
           ran,
           active > 0   ? "yes"
           : active < 0 ? "unset"
                        : "0",
           asked, potential, asked_size);
}

static void show(const char *name, void (*kernel)())
{
    cudaFuncAttributes a;
    cudaFuncGetAttributes(&a, kernel);
    printf("%s: must %d, %d x %d x %d, policy %d, large %d\n", name, a.clusterDimMustBeSet,
           a.requiredClusterWidth, a.requiredClusterHeight, a.requiredClusterDepth,
           a.clusterSchedulingPolicyPreference, a.nonPortableClusterSizeAllowed);
}

static void report(const char *name)
{
    int launched = cudaGetLastError();
    printf("%s: %d %d\n", name, launched, cudaDeviceSynchronize());
}

static int set(void (*kernel)(), cudaFuncAttribute attr, int value)
{
    cudaError_t error = cudaFuncSetAttribute(kernel, attr, value);
    cudaGetLastError();
    return error;
}

int main()
{
    show("fixed", fixed);
    show("plain", plain);
    fixed<<<4, 32>>>();
    report("fixed<4>");
    fixed<<<3, 32>>>();
    report("fixed<3>");
    go("grid 3 of 2", plain, 3, 32, {2, 1, 1});
    go("grid 4 x 3 of 2 x 2", plain, {4, 3, 1}, 32, {2, 2, 1});
    go("16", plain, 16, 32, {16, 1, 1});
    go("9", plain, 9, 32, {9, 1, 1});
    go("3", plain, 3, 32, {3, 1, 1});
    go("0 x 1 x 1", plain, 4, 32, {0, 1, 1});
    go("0 x 0 x 0", plain, 4, 32, {0, 0, 0});
    go("1", plain, 4, 32, {1, 1, 1});
    go("block of 2000", plain, 4, 2000, {2, 1, 1});
    go("shared 100000", plain, 4, 32, {2, 1, 1}, 100000);
    go("fixed, 2", fixed, 4, 32, {2, 1, 1});
    go("fixed, 4", fixed, 4, 32, {4, 1, 1});
    go("fixed, 1", fixed, 4, 32, {1, 1, 1});
    printf("shared %d\n", set(plain, cudaFuncAttributeMaxDynamicSharedMemorySize, 220000));
    go("8 of 1024, 219000", plain, 8, 1024, {8, 1, 1}, 219000);
    printf("large %d %d\n", set(plain, cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
           set(plain, cudaFuncAttributeNonPortableClusterSizeAllowed, 2));
    go("16", plain, 16, 32, {16, 1, 1});
    go("9", plain, 9, 32, {9, 1, 1});
    go("32", plain, 32, 32, {32, 1, 1});
    go("16 of 128, 219000", plain, 16, 128, {16, 1, 1}, 219000);
    show("plain", plain);
    printf("must %d\n", set(plain, cudaFuncAttributeClusterDimMustBeSet, 1));
    plain<<<1, 32>>>();
    report("plain<1>");
    printf("required %d %d %d, policy %d\n", set(plain, cudaFuncAttributeRequiredClusterWidth, 2),
           set(plain, cudaFuncAttributeRequiredClusterHeight, 1),
           set(plain, cudaFuncAttributeRequiredClusterDepth, 1),
           set(plain, cudaFuncAttributeClusterSchedulingPolicyPreference, 1));
    show("plain", plain);
    plain<<<2, 32>>>();
    report("plain<2>");
    plain<<<3, 32>>>();
    report("plain<3>");
    go("required 2, asked 1", plain, 4, 32, {1, 1, 1});
    go("required 2, asked 4", plain, 4, 32, {4, 1, 1});
    printf("required of fixed %d\n", set(fixed, cudaFuncAttributeRequiredClusterWidth, 4));
    int supported = 0;
    cudaDeviceGetAttribute(&supported, cudaDevAttrClusterLaunch, 0);
    printf("supported %d\n", supported);
    fixed<<<3, 32>>>();
}
