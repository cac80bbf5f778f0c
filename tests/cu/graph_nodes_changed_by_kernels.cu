// workers: 1 2 8
// stderr: cudaGraphKernelNodeSetParam of 0x1234 by a kernel: this is no node that kernels may change
// stderr: cudaGraphKernelNodeSetGridDim of 0x[0-9a-f]+ by a kernel: the grid is empty or too large
// Kernel nodes that kernels change: parameters, the grid, on and off, several changes at once; before
// the node in the same launch, and from outside; in graphs that kernels launch; what is refused.
#include <string.h>

#include "show.h"

enum { NODES = 40 };

struct log_of_runs {
    int sum, blocks, large[3];
};
struct large {
    int words[400];
};
static cudaStream_t stream;
__device__ cudaGraphDeviceNode_t node, chain[NODES];
__device__ cudaGraphExec_t launched;
__device__ cudaGraphKernelNodeUpdate *updates; // 3

__global__ void target(log_of_runs *log, int value, large more)
{
    if (threadIdx.x == 0) {
        atomicAdd(&log->sum, value);
        atomicAdd(&log->blocks, 1);
        if (blockIdx.x + blockIdx.y == 0) {
            log->large[0] = more.words[0];
            log->large[1] = more.words[399];
        }
    }
}
__global__ void link(int *values, int from, int add)
{
    values[from + 1] = values[from] + add;
}
// The node's parameters: log at 0, value at 8, more from 12.
__global__ void change(int what, int value)
{
    switch (what) {
    case 0:
        cudaGraphKernelNodeSetParam(node, 8, value);
        cudaGraphKernelNodeSetGridDim(node, dim3(value % 5 + 1));
        break;
    case 1: cudaGraphKernelNodeSetEnabled(node, value != 0); break;
    case 2: {
        large more;
        for (int i = 0; i < 400; i++) {
            more.words[i] = value + i;
        }
        updates[0].node = updates[1].node = updates[2].node = node;
        updates[0].field = cudaGraphKernelNodeFieldParam;
        updates[0].updateData.param.pValue = &more;
        updates[0].updateData.param.offset = 12;
        updates[0].updateData.param.size = sizeof more;
        updates[1].field = cudaGraphKernelNodeFieldGridDim;
        updates[1].updateData.gridDim = dim3(2, 3);
        updates[2].field = cudaGraphKernelNodeFieldEnabled;
        updates[2].updateData.isEnabled = 1;
        cudaGraphKernelNodeUpdatesApply(updates, 3);
        break;
    }
    }
}
__global__ void change_chain(int round)
{
    int i = threadIdx.x;
    cudaGraphKernelNodeSetParam(chain[i], 12, round * i);
    cudaGraphKernelNodeSetEnabled(chain[i], true);
}
__global__ void launch()
{
    cudaGraphLaunch(launched, cudaStreamGraphFireAndForget);
}
__global__ void mistakes(cudaError_t *errors)
{
    updates[0].node = node;
    updates[0].field = cudaGraphKernelNodeFieldInvalid;
    errors[0] = cudaGraphKernelNodeSetParam((cudaGraphDeviceNode_t)0x1234, 8, 1);
    errors[1] = cudaGraphKernelNodeSetGridDim(node, dim3(0));
    errors[2] = cudaGraphKernelNodeSetParam(node, 1610, 1);
    errors[3] = cudaGraphKernelNodeSetParam(node, 8, NULL, 4);
    errors[4] = cudaGraphKernelNodeUpdatesApply(updates, 1);
    errors[5] = cudaGraphKernelNodeUpdatesApply(NULL, 0);
    errors[6] = cudaGetLastError();
    errors[7] = cudaGetLastError();
}

template <class... Args>
static cudaGraphNode_t add(cudaGraph_t graph, cudaGraphNode_t after, void (*func)(Args...), int threads,
                           Args... args)
{
    void *list[] = {&args...};
    cudaKernelNodeParams params = {};
    params.func = (void *)func;
    params.gridDim = dim3(1);
    params.blockDim = dim3(threads);
    params.kernelParams = list;
    cudaGraphNode_t made = NULL;
    cudaError_t error = cudaGraphAddKernelNode(&made, graph, &after, after != NULL, &params);
    if (error != cudaSuccess) {
        printf("node: %s\n", cudaGetErrorName(error));
    }
    return made;
}
static cudaError_t make_changeable(cudaGraphNode_t of, cudaGraphDeviceNode_t *handle)
{
    cudaKernelNodeAttrValue value = {};
    value.deviceUpdatableKernelNode.deviceUpdatable = 1;
    cudaError_t error =
        cudaGraphKernelNodeSetAttribute(of, cudaLaunchAttributeDeviceUpdatableKernelNode, &value);
    *handle = value.deviceUpdatableKernelNode.devNode;
    return error;
}

static int run(const char *what, cudaGraphExec_t exec, log_of_runs *log)
{
    memset(log, 0, sizeof *log);
    MUST(cudaGraphLaunch(exec, stream));
    MUST(cudaStreamSynchronize(stream));
    printf("%s: sum %d, %d blocks, %d %d\n", what, log->sum, log->blocks, log->large[0], log->large[1]);
    return 0;
}

static int one_node(log_of_runs *log, cudaError_t *errors, unsigned long long flags)
{
    cudaGraph_t graph, clone;
    cudaGraphExec_t exec, second;
    cudaGraphDeviceNode_t handle, same;
    large more = {{7}};
    MUST(cudaGraphCreate(&graph, 0));
    cudaGraphNode_t first = add(graph, NULL, change, 1, 0, 23);
    cudaGraphNode_t last = add(graph, first, target, 32, log, 1, more);
    MUST(make_changeable(last, &handle));
    MUST(make_changeable(last, &same));
    printf("the same handle: %d\n", handle == same && handle != NULL);
    MUST(cudaMemcpyToSymbol(node, &handle, sizeof handle));
    MUST(cudaGraphInstantiate(&exec, graph, flags));
    MUST(cudaGraphUpload(exec, stream));
    for (int i = 0; i < 2; i++) {
        if (run("before the node", exec, log) != 0) {
            return 1;
        }
    }
    change<<<1, 1, 0, stream>>>(2, 100);
    change<<<1, 1, 0, stream>>>(1, 0);
    if (run("off", exec, log) != 0) {
        return 1;
    }
    change<<<1, 1, 0, stream>>>(1, 1);
    MUST(cudaStreamSynchronize(stream));
    if (run("on", exec, log) != 0) {
        return 1;
    }
    // The host changes it, too.
    int value = 1000;
    void *args[] = {&log, &value, &more};
    cudaKernelNodeParams params = {};
    params.func = (void *)target;
    params.gridDim = dim3(3);
    params.blockDim = dim3(1);
    params.kernelParams = args;
    MUST(cudaGraphNodeSetEnabled(exec, first, 0));
    MUST(cudaGraphExecKernelNodeSetParams(exec, last, &params));
    MUST(cudaGraphUpload(exec, stream));
    if (run("by the host", exec, log) != 0) {
        return 1;
    }
    change<<<1, 1, 0, stream>>>(0, 5);
    if (run("after that", exec, log) != 0) {
        return 1;
    }
    mistakes<<<1, 1, 0, stream>>>(errors);
    MUST(cudaStreamSynchronize(stream));
    for (int i = 0; i < 8; i++) {
        printf("[%d] %s\n", i, cudaGetErrorName(errors[i]));
    }
    cudaKernelNodeAttrValue off = {};
    cudaGraphExecUpdateResultInfo info;
    SHOW(cudaGraphKernelNodeSetAttribute(last, cudaLaunchAttributeDeviceUpdatableKernelNode, &off));
    MUST(cudaGraphKernelNodeGetAttribute(last, cudaLaunchAttributeDeviceUpdatableKernelNode, &off));
    printf("still changeable: %d\n", off.deviceUpdatableKernelNode.devNode == handle);
    SHOW(cudaGraphKernelNodeCopyAttributes(first, last));
    SHOW(cudaGraphDestroyNode(last));
    SHOW(cudaGraphClone(&clone, graph));
    SHOW(cudaGraphInstantiate(&second, graph, flags));
    SHOW(cudaGraphExecUpdate(exec, graph, &info));
    MUST(cudaGraphExecDestroy(exec));
    mistakes<<<1, 1, 0, stream>>>(errors); // the node has no executable graph
    MUST(cudaStreamSynchronize(stream));
    printf("[1] %s\n", cudaGetErrorName(errors[1]));
    MUST(cudaGraphInstantiate(&exec, graph, flags));
    MUST(cudaGraphUpload(exec, stream));
    if (run("again", exec, log) != 0) {
        return 1;
    }
    MUST(cudaGraphLaunch(exec, stream));
    MUST(cudaGraphExecDestroy(exec));
    MUST(cudaGraphDestroy(graph));
    MUST(cudaStreamSynchronize(stream));
    return 0;
}

// Many changeable nodes, one after the other, changed by a node before them; also launched by a kernel.
static int many_nodes(int *values, bool is_by_kernel)
{
    cudaGraph_t graph, top;
    cudaGraphExec_t exec, outer;
    cudaGraphDeviceNode_t handles[NODES];
    MUST(cudaGraphCreate(&graph, 0));
    cudaGraphNode_t first = add(graph, NULL, change_chain, (int)NODES, 0), last = first;
    for (int i = 0; i < NODES; i++) {
        last = add(graph, last, link, 1, values, i, 1);
        MUST(make_changeable(last, &handles[i]));
    }
    MUST(cudaMemcpyToSymbol(chain, handles, sizeof handles));
    MUST(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagDeviceLaunch));
    MUST(cudaGraphCreate(&top, 0));
    add(top, NULL, launch, 1);
    MUST(cudaGraphInstantiate(&outer, top, cudaGraphInstantiateFlagDeviceLaunch));
    MUST(cudaMemcpyToSymbol(launched, &exec, sizeof exec));
    for (int round = 0; round < 5; round++) {
        void *args[] = {&round};
        cudaKernelNodeParams params = {};
        params.func = (void *)change_chain;
        params.gridDim = dim3(1);
        params.blockDim = dim3(NODES);
        params.kernelParams = args;
        MUST(cudaGraphExecKernelNodeSetParams(exec, first, &params));
        MUST(cudaGraphUpload(exec, stream));
        values[0] = round;
        MUST(cudaGraphLaunch(is_by_kernel ? outer : exec, stream));
        MUST(cudaStreamSynchronize(stream));
        int right = round + round * (NODES - 1) * NODES / 2;
        printf("round %d: %s\n", round, values[NODES] == right ? "ok" : "wrong");
    }
    MUST(cudaGraphExecDestroy(outer));
    MUST(cudaGraphExecDestroy(exec));
    MUST(cudaGraphDestroy(top));
    MUST(cudaGraphDestroy(graph));
    return 0;
}

int main()
{
    log_of_runs *log;
    int *values;
    cudaError_t *errors;
    MUST(cudaMallocManaged(&log, sizeof *log));
    MUST(cudaMallocManaged(&values, (NODES + 1) * sizeof *values));
    MUST(cudaMallocManaged(&errors, 8 * sizeof *errors));
    void *memory;
    MUST(cudaMalloc(&memory, 3 * sizeof(cudaGraphKernelNodeUpdate)));
    MUST(cudaMemcpyToSymbol(updates, &memory, sizeof memory));
    MUST(cudaStreamCreate(&stream));
    int failed = one_node(log, errors, 0) ||
                 one_node(log, errors, cudaGraphInstantiateFlagDeviceLaunch) ||
                 many_nodes(values, false) || many_nodes(values, true);
    MUST(cudaStreamDestroy(stream));
    MUST(cudaFree(memory));
    MUST(cudaFree(errors));
    MUST(cudaFree(values));
    MUST(cudaFree(log));
    return failed;
}
