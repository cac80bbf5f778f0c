// Edges with data in captures: from attributes of launches, and from the program.
#include <vector>

#include "show.h"

static cudaStream_t stream, other;
static cudaEvent_t event;
static int *data;

__global__ void add(int *p)
{
    *p += 1;
}

static cudaLaunchAttribute serialization()
{
    cudaLaunchAttribute attr = {};
    attr.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attr.val.programmaticStreamSerializationAllowed = 1;
    return attr;
}
static cudaLaunchAttribute programmatic(cudaEvent_t of, int at_start)
{
    cudaLaunchAttribute attr = {};
    attr.id = cudaLaunchAttributeProgrammaticEvent;
    attr.val.programmaticEvent.event = of;
    attr.val.programmaticEvent.triggerAtBlockStart = at_start;
    return attr;
}
static cudaLaunchAttribute completion(cudaEvent_t of)
{
    cudaLaunchAttribute attr = {};
    attr.id = cudaLaunchAttributeLaunchCompletionEvent;
    attr.val.launchCompletionEvent.event = of;
    return attr;
}
static cudaError_t launch(cudaStream_t in, cudaLaunchAttribute attr)
{
    cudaLaunchConfig_t config = {};
    config.gridDim = config.blockDim = 1;
    config.stream = in;
    config.attrs = &attr;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, add, data);
}

static const char *kind(cudaGraphNode_t node)
{
    cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
    cudaGraphNodeGetType(node, &type);
    return type == cudaGraphNodeTypeKernel ? "kernel" : type == cudaGraphNodeTypeMemset ? "fill" : "?";
}
static void tell(cudaGraph_t graph)
{
    size_t count = 0;
    cudaGraphGetEdges_v2(graph, NULL, NULL, NULL, &count);
    std::vector<cudaGraphNode_t> from(count), to(count);
    std::vector<cudaGraphEdgeData> edges(count);
    cudaGraphGetEdges_v2(graph, from.data(), to.data(), edges.data(), &count);
    for (size_t i = 0; i < count; i++) {
        printf("  %s to %s: port %d, type %d\n", kind(from[i]), kind(to[i]), edges[i].from_port,
               edges[i].type);
    }
}
// Ends the capture, and runs the graph: each launch adds 1.
static void end()
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    int sum = -1;
    SHOW(cudaStreamEndCapture(stream, &graph));
    tell(graph);
    cudaMemset(data, 0, sizeof(int));
    SHOW(cudaGraphInstantiate(&exec, graph, 0));
    cudaGraphLaunch(exec, stream);
    SHOW(cudaStreamSynchronize(stream));
    cudaMemcpy(&sum, data, sizeof sum, cudaMemcpyDefault);
    printf("sum %d\n", sum);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
}
static void begin(const char *what)
{
    printf("-- %s\n", what);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
}

static void serialized()
{
    begin("programmatic serialization");
    add<<<1, 1, 0, stream>>>(data);
    SHOW(launch(stream, serialization()));
    SHOW(launch(stream, serialization()));
    end();
    begin("behind a fill");
    cudaMemsetAsync(data, 0, sizeof(int), stream);
    SHOW(launch(stream, serialization()));
    end();
}

// The other stream waits for the event, with a kernel or a fill, and joins again.
static void with_event(const char *what, cudaLaunchAttribute attr, bool fills)
{
    begin(what);
    SHOW(launch(stream, attr));
    cudaStreamWaitEvent(other, event);
    if (fills) {
        cudaMemsetAsync(data + 1, 0, sizeof(int), other);
    } else {
        add<<<1, 1, 0, other>>>(data);
    }
    cudaEventRecord(event, other);
    cudaStreamWaitEvent(stream, event);
    add<<<1, 1, 0, stream>>>(data);
    end();
}

// Outside of captures the event is recorded behind the kernel.
static void outside()
{
    cudaEvent_t timed;
    int value = -1;
    puts("-- outside of captures");
    cudaMemset(data, 0, sizeof(int));
    SHOW(launch(stream, programmatic(event, 0)));
    SHOW(cudaEventSynchronize(event));
    cudaMemcpy(&value, data, sizeof value, cudaMemcpyDefault);
    printf("%d\n", value);
    SHOW(launch(stream, completion(event)));
    SHOW(cudaStreamSynchronize(stream));
    cudaEventCreate(&timed);
    SHOW(launch(stream, completion(timed))); // only events without times
    cudaLaunchAttribute flags = completion(event);
    flags.val.launchCompletionEvent.flags = cudaEventRecordExternal;
    SHOW(launch(stream, flags));
    SHOW(cudaEventDestroy(timed));
}

// The program gives a capture edges, and asks for them.
static int given()
{
    puts("-- given by the program");
    cudaGraph_t graph, out = NULL;
    cudaGraphNode_t seed;
    cudaKernelNodeParams params = {};
    void *args[] = {&data};
    params.func = (void *)add;
    params.gridDim = params.blockDim = 1;
    params.kernelParams = args;
    MUST(cudaGraphCreate(&graph, 0));
    MUST(cudaGraphAddKernelNode(&seed, graph, NULL, 0, &params));
    cudaGraphEdgeData wrong = {}, early = {};
    wrong.type = 2;
    early.from_port = cudaGraphKernelNodePortLaunchCompletion;
    auto mode = cudaStreamCaptureModeGlobal;
    SHOW(cudaStreamBeginCaptureToGraph(stream, graph, &seed, &wrong, 1, mode));
    SHOW(cudaStreamBeginCaptureToGraph(stream, graph, &seed, &early, 1, mode));
    cudaStreamCaptureStatus status;
    const cudaGraphNode_t *deps;
    const cudaGraphEdgeData *edges;
    size_t count;
    SHOW(cudaStreamGetCaptureInfo_v3(stream, &status, NULL, NULL, &deps, &edges, &count));
    printf("%zu, port %d\n", count, edges == NULL ? 0 : edges[0].from_port);
    SHOW(cudaStreamGetCaptureInfo_v2(stream, &status, NULL, NULL, &deps, &count));
    SHOW(cudaStreamGetCaptureInfo_v2(stream, &status, NULL, NULL, NULL, &count));
    SHOW(cudaStreamUpdateCaptureDependencies_v2(stream, &seed, &wrong, 1,
                                                cudaStreamSetCaptureDependencies));
    SHOW(cudaStreamUpdateCaptureDependencies(stream, &seed, 1, cudaStreamSetCaptureDependencies));
    SHOW(cudaStreamGetCaptureInfo_v3(stream, &status, NULL, NULL, &deps, &edges, &count));
    printf("%zu, %s\n", count, edges == NULL ? "no data" : "data");
    SHOW(cudaStreamUpdateCaptureDependencies_v2(stream, &seed, &early, 1,
                                                cudaStreamSetCaptureDependencies));
    add<<<1, 1, 0, stream>>>(data);
    SHOW(cudaStreamEndCapture(stream, &out));
    tell(graph);
    MUST(cudaGraphDestroy(graph));
    return 0;
}

int main()
{
    MUST(cudaStreamCreate(&stream));
    MUST(cudaStreamCreate(&other));
    MUST(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    MUST(cudaMalloc(&data, 2 * sizeof(int)));
    serialized();
    with_event("programmatic event", programmatic(event, 0), false);
    with_event("at the start of blocks", programmatic(event, 1), false);
    with_event("launch completion event", completion(event), false);
    with_event("programmatic event, a fill waits", programmatic(event, 0), true);
    with_event("launch completion event, a fill waits", completion(event), true);
    outside();
    return given();
}
