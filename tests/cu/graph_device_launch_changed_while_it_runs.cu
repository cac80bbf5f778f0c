// workers: 1 2 8
// races: the host changes a flag that kernels poll
// A graph that launches itself again and again is changed meanwhile: the change waits for the launch that
// refers to the graph, and not for the last one. Until the next upload the graph runs as it was.
#include "show.h"

__device__ int stop, runs, changed_runs;

__global__ void again(int is_changed)
{
    atomicAdd(&runs, 1);
    atomicAdd(&changed_runs, is_changed);
    if (atomicAdd(&stop, 0) == 0) {
        cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
    }
}
__global__ void begin(cudaGraphExec_t exec, cudaError_t *error)
{
    *error = cudaGraphLaunch(exec, cudaStreamGraphFireAndForget);
}

static cudaGraph_t graph;
static cudaGraphNode_t node;
template <class... Args> static int make(cudaGraphExec_t *exec, void (*func)(Args...), Args... args)
{
    void *list[] = {&args...};
    cudaKernelNodeParams params = {};
    params.func = (void *)func;
    params.gridDim = params.blockDim = dim3(1);
    params.kernelParams = list;
    MUST(cudaGraphCreate(&graph, 0));
    MUST(cudaGraphAddKernelNode(&node, graph, NULL, 0, &params));
    MUST(cudaGraphInstantiate(exec, graph, cudaGraphInstantiateFlagDeviceLaunch));
    return 0;
}
static int value_of(const int &variable)
{
    int value = -1;
    (void)cudaMemcpyFromSymbol(&value, variable, sizeof value);
    return value;
}

int main()
{
    cudaGraphExec_t self, first;
    cudaStream_t stream, other;
    cudaError_t *error;
    MUST(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    MUST(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    MUST(cudaMallocManaged(&error, sizeof *error));
    int failed = make(&self, again, 0);
    cudaGraphNode_t changed = node;
    failed |= make(&first, begin, self, error);
    MUST(cudaGraphUpload(self, stream));
    int yes = 1, no = 0, *flag, *counter;
    MUST(cudaGetSymbolAddress((void **)&flag, stop));
    MUST(cudaGetSymbolAddress((void **)&counter, runs));
    void *list[] = {&yes};
    cudaKernelNodeParams params = {};
    params.func = (void *)again;
    params.gridDim = params.blockDim = dim3(1);
    params.kernelParams = list;
    for (int i = 0; i < 10; i++) {
        MUST(cudaMemcpyAsync(flag, &no, sizeof no, cudaMemcpyHostToDevice, other));
        MUST(cudaMemsetAsync(counter, 0, sizeof(int), other));
        MUST(cudaStreamSynchronize(other));
        MUST(cudaGraphLaunch(first, stream));
        MUST(cudaGraphExecKernelNodeSetParams(self, changed, &params)); // while it runs
        MUST(cudaGraphExecKernelNodeSetParams(self, changed, &params));
        MUST(cudaMemcpyAsync(flag, &yes, sizeof yes, cudaMemcpyHostToDevice, other));
        MUST(cudaStreamSynchronize(stream));
        printf("%s, %s\n", cudaGetErrorName(*error), value_of(runs) > 0 ? "has run" : "has not run");
        if (i == 4) {
            printf("runs of the changed graph: %d\n", value_of(changed_runs));
            MUST(cudaGraphUpload(self, stream));
        }
    }
    printf("after the upload there are runs of the changed graph: %d\n", value_of(changed_runs) > 0);
    MUST(cudaGraphExecDestroy(first));
    MUST(cudaGraphExecDestroy(self));
    return failed;
}
