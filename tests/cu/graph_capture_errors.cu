// Error codes of captures and of wrong graphs.
#include "show.h"

__global__ void kernel()
{
}
__global__ void with_parameter(int *)
{
}
static cudaStream_t stream, other, third;
static cudaGraph_t graph;

static void begin(cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal)
{
    printf("--\n");
    SHOW(cudaStreamBeginCapture(stream, mode));
}
static void end()
{
    graph = (cudaGraph_t)1;
    SHOW(cudaStreamEndCapture(stream, &graph));
    printf("graph: %s\n", graph == NULL ? "none" : "one");
    cudaGetLastError();
}

static cudaGraphNode_t first_node_of(cudaGraph_t of)
{
    cudaGraphNode_t first = NULL;
    size_t count = 1;
    cudaGraphGetNodes(of, &first, &count);
    return first;
}

int main()
{
    int *memory = NULL, value = 0;
    cudaEvent_t event, recorded, never;
    MUST(cudaMalloc(&memory, 64));
    MUST(cudaStreamCreate(&stream));
    MUST(cudaStreamCreate(&other));
    MUST(cudaStreamCreateWithFlags(&third, cudaStreamNonBlocking));
    MUST(cudaEventCreate(&event));
    MUST(cudaEventCreate(&recorded));
    MUST(cudaEventCreate(&never));
    MUST(cudaEventRecord(recorded, other));
    MUST(cudaDeviceSynchronize());

    SHOW(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal));
    SHOW(cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeGlobal));
    SHOW(cudaStreamEndCapture(stream, &graph));

    begin();
    SHOW(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    end();
    begin();
    SHOW(cudaStreamSynchronize(stream));
    kernel<<<1, 1, 0, stream>>>();
    SHOW(cudaGetLastError());
    end();
    begin();
    SHOW(cudaStreamQuery(stream));
    end();
    begin();
    SHOW(cudaDeviceSynchronize());
    end();
    begin();
    kernel<<<1, 1>>>(); // the legacy stream would wait for the captured one
    SHOW(cudaGetLastError());
    end();
    begin();
    SHOW(cudaMemcpy(memory, &value, sizeof value, cudaMemcpyHostToDevice));
    end();
    begin(cudaStreamCaptureModeRelaxed);
    int *more;
    SHOW(cudaMalloc(&more, 64));
    end();
    begin();
    SHOW(cudaEventRecord(event, stream));
    SHOW(cudaStreamWaitEvent(other, event, 0));
    kernel<<<1, 1, 0, other>>>();
    SHOW(cudaStreamEndCapture(other, &graph));
    end();
    begin();
    SHOW(cudaEventRecord(event, stream));
    SHOW(cudaStreamWaitEvent(other, event, 0));
    kernel<<<1, 1, 0, other>>>();
    end(); // not joined
    begin();
    SHOW(cudaEventRecord(event, stream));
    SHOW(cudaEventQuery(event));
    end();
    begin();
    SHOW(cudaEventRecord(event, stream));
    SHOW(cudaEventSynchronize(event));
    end();
    begin();
    SHOW(cudaStreamWaitEvent(stream, recorded, 0)); // of work that is not captured
    end();
    begin();
    SHOW(cudaStreamBeginCapture(third, cudaStreamCaptureModeGlobal));
    SHOW(cudaEventRecord(event, third));
    SHOW(cudaStreamWaitEvent(stream, event, 0));
    cudaGraph_t unused;
    SHOW(cudaStreamEndCapture(third, &unused));
    end();

    begin();
    SHOW(cudaStreamWaitEvent(stream, never, 0)); // no effect
    end();
    printf("-- a graph in use by a capture\n");
    cudaStreamCaptureStatus status;
    unsigned long long id;
    cudaGraph_t taken;
    const cudaGraphNode_t *deps;
    size_t dep_count;
    SHOW(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    kernel<<<1, 1, 0, stream>>>();
    SHOW(cudaStreamGetCaptureInfo_v2(stream, &status, &id, &taken, &deps, &dep_count));
    printf("%zu dependencies\n", dep_count);
    SHOW(cudaGraphDestroyNode(deps[0]));
    SHOW(cudaGraphDestroy(taken));
    SHOW(cudaStreamBeginCaptureToGraph(other, taken, NULL, NULL, 0, cudaStreamCaptureModeGlobal));
    SHOW(cudaStreamEndCapture(stream, &graph));
    SHOW(cudaGraphDestroyNode(first_node_of(graph)));
    SHOW(cudaGraphDestroy(graph));
    cudaGetLastError();
    printf("-- a graph of the program that a capture fills\n");
    SHOW(cudaGraphCreate(&graph, 0));
    SHOW(cudaStreamBeginCaptureToGraph(stream, graph, NULL, NULL, 0, cudaStreamCaptureModeGlobal));
    SHOW(cudaGraphDestroy(graph));
    SHOW(cudaStreamQuery(stream));
    SHOW(cudaStreamEndCapture(stream, &taken));
    SHOW(cudaGraphDestroy(graph)); // it is gone with the capture
    cudaGetLastError();
    printf("-- a stream that is independent of the legacy one\n");
    SHOW(cudaStreamBeginCapture(third, cudaStreamCaptureModeGlobal));
    SHOW(cudaMemcpy(memory, &value, sizeof value, cudaMemcpyHostToDevice));
    kernel<<<1, 1>>>();
    SHOW(cudaGetLastError());
    SHOW(cudaMalloc(&more, 64));
    SHOW(cudaStreamEndCapture(third, &unused));
    cudaGetLastError();

    printf("-- graphs\n");
    cudaGraphNode_t a, b;
    cudaGraphExec_t exec;
    cudaKernelNodeParams params = {};
    SHOW(cudaGraphCreate(&graph, 1));
    SHOW(cudaGraphCreate(&graph, 0));
    SHOW(cudaGraphAddKernelNode(&a, graph, NULL, 0, &params));
    params.func = (void *)kernel;
    params.gridDim = dim3(1);
    params.blockDim = dim3(2000);
    SHOW(cudaGraphAddKernelNode(&a, graph, NULL, 0, &params));
    params.blockDim = dim3(1);
    SHOW(cudaGraphAddKernelNode(&a, graph, NULL, 0, &params));
    SHOW(cudaGraphAddEmptyNode(&b, graph, &a, 1));
    SHOW(cudaGraphAddDependencies(graph, &a, &b, 1));
    SHOW(cudaGraphAddDependencies(graph, &b, &a, 1));
    SHOW(cudaGraphInstantiate(&exec, graph, 0));
    SHOW(cudaGraphRemoveDependencies(graph, &b, &a, 1));
    SHOW(cudaGraphRemoveDependencies(graph, &b, &a, 1));
    SHOW(cudaGraphInstantiate(&exec, graph, 0));
    cudaHostNodeParams host = {};
    SHOW(cudaGraphAddHostNode(&b, graph, NULL, 0, &host));
    SHOW(cudaGraphLaunch(exec, stream));
    SHOW(cudaStreamSynchronize(stream));
    SHOW(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    SHOW(cudaGraphLaunch(exec, stream));
    cudaGraph_t nothing;
    SHOW(cudaStreamEndCapture(stream, &nothing));
    SHOW(cudaGraphDestroyNode(a));
    size_t count = 0;
    SHOW(cudaGraphGetNodes(graph, NULL, &count));
    printf("%zu nodes\n", count);
    SHOW(cudaGraphExecDestroy(exec));
    SHOW(cudaGraphDestroy(graph));
    cudaStreamDestroy(stream);
    cudaStreamDestroy(other);
    cudaStreamDestroy(third);
    cudaEventDestroy(event);
    cudaEventDestroy(recorded);
    cudaEventDestroy(never);
    cudaFree(memory);
    cudaFree(more);
}
