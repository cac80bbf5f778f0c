// cdpcc: -arch=sm_90
// env: CDP_DEVICE=h200
// As many clusters as on an H200, whose multiprocessors are in groups. The numbers are its answers.
#include "show.h"

extern __shared__ char pad[];

__global__ void read(char *to)
{
    to[threadIdx.x] = pad[threadIdx.x];
}

static int ask(unsigned threads, size_t shared, unsigned blocks)
{
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {blocks, 1, 1};
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(blocks * 16);
    config.blockDim = dim3(threads);
    config.dynamicSmemBytes = shared;
    config.attrs = &attribute;
    config.numAttrs = 1;
    int clusters = -1;
    MUST(cudaOccupancyMaxActiveClusters(&clusters, read, &config));
    return clusters;
}

int main()
{
    static const struct {
        unsigned threads;
        size_t shared;
    } shapes[] = {{1024, 200000}, {1024, 0}, {640, 0}, {384, 0}, {256, 0}, {64, 0}};
    MUST(cudaFuncSetAttribute(read, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    MUST(cudaFuncSetAttribute(read, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024));
    for (auto shape : shapes) {
        for (unsigned blocks = 1; blocks <= 16; blocks++) {
            printf("%d%c", ask(shape.threads, shape.shared, blocks), blocks < 16 ? ' ' : '\n');
        }
    }
    return 0;
}
