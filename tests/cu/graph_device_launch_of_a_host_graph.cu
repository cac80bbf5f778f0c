// stderr: cudaGraphLaunch of .*: the graph was instantiated without cudaGraphInstantiateFlagDeviceLaunch
// A kernel that launches a graph which was not instantiated for kernels faults, as on an H100. Also if
// the kernels of that graph may launch others, and if the program has no graph for kernels at all.
#include "show.h"

__device__ cudaError_t launched;
__device__ int runs;

__global__ void put()
{
    runs = 1;
}
__global__ void go(cudaGraphExec_t exec, cudaStream_t way)
{
    launched = cudaGraphLaunch(exec, way);
}

template <class... Args>
static cudaGraphExec_t graph_of(unsigned long long flags, void (*func)(Args...), Args... args)
{
    cudaGraph_t graph;
    cudaGraphNode_t node;
    cudaGraphExec_t exec = NULL;
    void *list[] = {&args..., NULL};
    cudaKernelNodeParams params = {};
    params.func = (void *)func;
    params.gridDim = params.blockDim = dim3(1);
    params.kernelParams = list;
    if (cudaGraphCreate(&graph, 0) != cudaSuccess ||
        cudaGraphAddKernelNode(&node, graph, NULL, 0, &params) != cudaSuccess ||
        cudaGraphInstantiate(&exec, graph, flags) != cudaSuccess) {
        puts("no graph");
    }
    return exec;
}

static int run(unsigned long long flags, cudaStream_t way, bool was_launched)
{
    int ran = 0;
    cudaStream_t stream;
    MUST(cudaStreamCreate(&stream));
    cudaGraphExec_t plain = graph_of(0, put);
    cudaGraphExec_t outer = graph_of(flags, go, plain, way);
    if (was_launched) {
        MUST(cudaGraphLaunch(plain, stream));
        MUST(cudaStreamSynchronize(stream));
        MUST(cudaMemcpyFromSymbol(&ran, runs, sizeof ran));
        printf("%d\n", ran);
    }
    SHOW(cudaGraphLaunch(outer, stream));
    SHOW(cudaStreamSynchronize(stream));
    SHOW(cudaDeviceReset());
    return 0;
}

int main()
{
    unsigned long long for_kernels = cudaGraphInstantiateFlagDeviceLaunch;
    return run(0, cudaStreamGraphFireAndForget, false) ||
           run(for_kernels, cudaStreamGraphFireAndForget, false) ||
           run(for_kernels, cudaStreamGraphTailLaunch, true);
}
