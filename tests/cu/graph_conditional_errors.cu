// workers: 1 2 8
// stderr: cdp: cudaErrorIllegalAddress: cudaGraphSetConditional: no executable graph has a condition with the handle 0x1234
// What conditional nodes refuse: wrong parameters, foreign conditions, nodes that a body cannot have,
// copies, a second executable graph, unused conditions; and changes of other kinds.
#include <string.h>

#include "show.h"

__global__ void add_one(int *to)
{
    ++*to;
}
__global__ void set(cudaGraphConditionalHandle handle, unsigned value)
{
    cudaGraphSetConditional(handle, value);
}
static void on_host(void *)
{
}

static cudaGraphNodeParams conditional(cudaGraphConditionalHandle handle, int type, unsigned size)
{
    cudaGraphNodeParams params = {};
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.handle = handle;
    params.conditional.type = (cudaGraphConditionalNodeType)type;
    params.conditional.size = size;
    return params;
}

// A graph whose if node adds to *to, with the value.
static int build(cudaGraph_t *graph, cudaGraphNode_t *in_body, int *to, unsigned value,
                 int type = cudaGraphCondTypeIf, unsigned size = 1)
{
    cudaGraphConditionalHandle handle;
    cudaGraphNode_t node;
    MUST(cudaGraphCreate(graph, 0));
    MUST(cudaGraphConditionalHandleCreate(&handle, *graph, value, cudaGraphCondAssignDefault));
    cudaGraphNodeParams params = conditional(handle, type, size);
    MUST(cudaGraphAddNode(&node, *graph, NULL, 0, &params));
    void *args[] = {&to};
    cudaKernelNodeParams kernel = {};
    kernel.func = (void *)add_one;
    kernel.gridDim = kernel.blockDim = dim3(1);
    kernel.kernelParams = args;
    MUST(cudaGraphAddKernelNode(in_body, params.conditional.phGraph_out[0], NULL, 0, &kernel));
    return 0;
}

int main()
{
    int *data;
    MUST(cudaMallocManaged(&data, 4 * sizeof *data));
    memset(data, 0, 4 * sizeof *data);
    cudaGraph_t graph, other, child, clone;
    cudaGraphConditionalHandle handle, foreign, unused;
    SHOW(cudaGraphCreate(&graph, 0));
    SHOW(cudaGraphCreate(&other, 0));
    SHOW(cudaGraphConditionalHandleCreate(NULL, graph, 1, 0));
    SHOW(cudaGraphConditionalHandleCreate(&handle, NULL, 1, 0));
    SHOW(cudaGraphConditionalHandleCreate(&handle, graph, 1, 2));
    SHOW(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
    SHOW(cudaGraphConditionalHandleCreate(&foreign, other, 1, 0));

    struct {
        cudaGraphConditionalHandle handle;
        int type;
        unsigned size;
    } const tries[] = {{0, 0, 1}, {foreign, 0, 1}, {handle, 0, 0}, {handle, 0, 3}, {handle, 1, 2},
                       {handle, 1, 0}, {handle, 2, 0}, {handle, 3, 1}, {handle, 0, 1}};
    cudaGraphNode_t node = NULL, extra;
    cudaGraphNodeParams params = {};
    for (const auto &attempt : tries) {
        params = conditional(attempt.handle, attempt.type, attempt.size);
        printf("type %d, size %u: %s\n", attempt.type, attempt.size,
               cudaGetErrorName(cudaGraphAddNode(&node, graph, NULL, 0, &params)));
    }
    cudaGraph_t body = params.conditional.phGraph_out[0];
    params = conditional(handle, 0, 1);
    SHOW(cudaGraphAddNode(&extra, graph, NULL, 0, &params)); // it decides a node already

    // Nodes of a body.
    cudaEvent_t event;
    cudaHostNodeParams host = {on_host, NULL};
    cudaMemAllocNodeParams memory = {};
    memory.poolProps.allocType = cudaMemAllocationTypePinned;
    memory.poolProps.location.type = cudaMemLocationTypeDevice;
    memory.bytesize = 16;
    SHOW(cudaEventCreate(&event));
    cudaGraphNode_t refused[6];
    SHOW(cudaGraphAddHostNode(&refused[0], body, NULL, 0, &host));
    SHOW(cudaGraphAddEventRecordNode(&refused[1], body, NULL, 0, event));
    SHOW(cudaGraphAddEventWaitNode(&refused[2], body, NULL, 0, event));
    SHOW(cudaGraphAddMemAllocNode(&extra, body, NULL, 0, &memory));
    SHOW(cudaGraphAddEmptyNode(&extra, body, NULL, 0));
    SHOW(cudaGraphCreate(&child, 0));
    SHOW(cudaGraphAddChildGraphNode(&extra, body, NULL, 0, child));
    cudaGraph_t inner;
    SHOW(cudaGraphChildGraphNodeGetGraph(extra, &inner));
    SHOW(cudaGraphAddHostNode(&refused[3], inner, NULL, 0, &host));
    SHOW(cudaGraphAddHostNode(&extra, child, NULL, 0, &host));
    SHOW(cudaGraphAddChildGraphNode(&refused[4], body, NULL, 0, child));
    params = conditional(handle, cudaGraphCondTypeIf, 1);
    SHOW(cudaGraphAddNode(&extra, inner, NULL, 0, &params));
    cudaStream_t stream;
    SHOW(cudaStreamCreate(&stream));
    SHOW(cudaStreamBeginCaptureToGraph(stream, body, NULL, NULL, 0, cudaStreamCaptureModeGlobal));
    SHOW(cudaLaunchHostFunc(stream, on_host, NULL));
    SHOW(cudaStreamEndCapture(stream, &clone));
    size_t count = 0;
    SHOW(cudaGraphGetNodes(body, NULL, &count));
    cudaGraphNode_t all[8];
    SHOW(cudaGraphGetNodes(body, all, &count));
    refused[5] = all[count - 1];
    cudaGraphExec_t exec, second;
    for (cudaGraphNode_t at : refused) { // each alone is enough
        SHOW(cudaGraphInstantiate(&exec, graph, 0));
        SHOW(cudaGraphDestroyNode(at));
    }

    // The graph and its body.
    SHOW(cudaGraphDestroy(body));
    SHOW(cudaGraphInstantiate(&exec, body, 0));
    SHOW(cudaGraphClone(&clone, graph));
    SHOW(cudaGraphAddChildGraphNode(&extra, other, NULL, 0, graph));
    SHOW(cudaGraphInstantiate(&exec, graph, 0));
    SHOW(cudaGraphInstantiate(&second, graph, 0));
    SHOW(cudaGraphNodeSetEnabled(exec, node, 0));
    SHOW(cudaGraphExecDestroy(exec));
    SHOW(cudaGraphConditionalHandleCreate(&unused, graph, 1, 0));
    cudaGraphInstantiateParams instantiate = {};
    SHOW(cudaGraphInstantiateWithParams(&exec, graph, &instantiate));
    printf("result %d\n", (int)instantiate.result_out);
    SHOW(cudaGraphDestroy(graph));
    SHOW(cudaGraphDestroy(other));
    SHOW(cudaGraphDestroy(child));

    // Updates: from a condition that is false to one that is true, then to other kinds of nodes.
    cudaGraphNode_t old_node, new_node, third_node;
    cudaGraph_t old_graph, new_graph, third;
    cudaGraphExecUpdateResultInfo info;
    if (build(&old_graph, &old_node, data, 0) || build(&new_graph, &new_node, data + 1, 1) ||
        build(&third, &third_node, data + 2, 1, cudaGraphCondTypeWhile)) {
        return 1;
    }
    SHOW(cudaGraphInstantiate(&exec, old_graph, 0));
    SHOW(cudaGraphLaunch(exec, stream));
    SHOW(cudaGraphExecUpdate(exec, new_graph, &info));
    SHOW(cudaGraphLaunch(exec, stream));
    SHOW(cudaStreamSynchronize(stream));
    printf("result %d: %d %d\n", (int)info.result, data[0], data[1]);
    SHOW(cudaGraphExecUpdate(exec, third, &info));
    printf("result %d\n", (int)info.result);
    SHOW(cudaGraphDestroy(old_graph)); // the executable graph lives on
    SHOW(cudaGraphDestroy(new_graph));
    SHOW(cudaGraphLaunch(exec, stream));
    SHOW(cudaStreamSynchronize(stream));
    printf("%d %d\n", data[0], data[1]);
    SHOW(cudaGraphExecDestroy(exec));
    SHOW(cudaGraphDestroy(third));

    printf("-- a capture that becomes invalid\n");
    cudaGraph_t mine, result;
    SHOW(cudaGraphCreate(&mine, 0));
    SHOW(cudaStreamBeginCaptureToGraph(stream, mine, NULL, NULL, 0, cudaStreamCaptureModeGlobal));
    SHOW(cudaStreamSynchronize(stream));
    SHOW(cudaStreamEndCapture(stream, &result));
    SHOW(cudaGraphGetNodes(mine, NULL, &count));
    SHOW(cudaStreamDestroy(stream));
    SHOW(cudaEventDestroy(event));
    SHOW(cudaFree(data));

    printf("-- kernels outside of graphs\n");
    set<<<1, 1>>>(0x1234, 1);
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaDeviceReset());
    SHOW(cudaGraphCreate(&graph, 0));
    SHOW(cudaGraphConditionalHandleCreate(&handle, graph, 0, 0));
    set<<<1, 1>>>(handle, 1);
    SHOW(cudaDeviceSynchronize());
}
