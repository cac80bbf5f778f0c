// Graphs and stream capture of the driver API: calls and their codes, as an H100 has them. The
// argument, if there is one, is a module made of tests/driver/module.cu.
#include <cstdio>
#include <cstring>
#include <unistd.h>

#include "show.h"

enum { N = 64 };
static bool is_of_module; // the kernel that adds

extern "C" __global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}

__global__ void count_down(int *p, cudaGraphConditionalHandle handle)
{
    cudaGraphSetConditional(handle, --*p > 0);
}

template <typename T> static CUfunction kernel(T *symbol)
{
    cudaFunction_t function = NULL;
    cudaGetFuncBySymbol(&function, (const void *)symbol);
    return (CUfunction)function;
}

static CUfunction adds;
static CUdeviceptr a, b, c;
static float out[N];
static int n = N;

static void CUDA_CB note(void *data)
{
    ++*(int *)data;
}

static CUDA_KERNEL_NODE_PARAMS add_params(void **args)
{
    CUDA_KERNEL_NODE_PARAMS params = {};
    params.func = adds;
    params.gridDimX = params.gridDimY = params.gridDimZ = 1;
    params.blockDimX = N;
    params.blockDimY = params.blockDimZ = 1;
    params.kernelParams = args;
    return params;
}

static CUDA_MEMSET_NODE_PARAMS fill_params(CUdeviceptr dst, float value)
{
    CUDA_MEMSET_NODE_PARAMS params = {};
    params.dst = dst;
    params.elementSize = 4;
    memcpy(&params.value, &value, 4);
    params.width = N;
    params.height = 1;
    return params;
}

static CUDA_MEMCPY3D copy_params()
{
    CUDA_MEMCPY3D params = {};
    params.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    params.srcDevice = c;
    params.dstMemoryType = CU_MEMORYTYPE_HOST;
    params.dstHost = out;
    params.WidthInBytes = sizeof out;
    params.Height = params.Depth = 1;
    return params;
}

// fill a, fill b -> add -> copy -> host function
static void built(CUcontext context)
{
    CUgraph graph, clone;
    CUgraphNode fill_a, fill_b, sum, copy, host, empty, got[8], from[8], to[8];
    CUgraphExec exec;
    CUgraphNodeType type;
    size_t count = 0;
    int calls = 0;
    SHOW(cuGraphCreate(NULL, 0));
    SHOW(cuGraphCreate(&graph, 1));
    SHOW(cuGraphCreate(&graph, 0));
    CUDA_MEMSET_NODE_PARAMS fill = fill_params(a, 1.5f);
    SHOW(cuGraphAddMemsetNode(&fill_a, graph, NULL, 0, &fill, context));
    fill = fill_params(b, 2);
    SHOW(cuGraphAddMemsetNode(&fill_b, graph, NULL, 0, &fill, context));
    void *args[] = {&a, &b, &c, &n};
    CUDA_KERNEL_NODE_PARAMS launch = add_params(args);
    CUgraphNode fills[] = {fill_a, fill_b};
    SHOW(cuGraphAddKernelNode(NULL, graph, fills, 2, &launch));
    SHOW(cuGraphAddKernelNode(&sum, graph, fills, 2, NULL));
    launch.func = NULL;
    SHOW(cuGraphAddKernelNode(&sum, graph, fills, 2, &launch));
    launch.func = adds;
    launch.blockDimX = 4096;
    SHOW(cuGraphAddKernelNode(&sum, graph, fills, 2, &launch));
    launch.blockDimX = N;
    SHOW(cuGraphAddKernelNode(&sum, graph, fills, 2, &launch));
    CUDA_MEMCPY3D move = copy_params();
    SHOW(cuGraphAddMemcpyNode(&copy, graph, &sum, 1, &move, context));
    CUDA_HOST_NODE_PARAMS call = {};
    SHOW(cuGraphAddHostNode(&host, graph, &copy, 1, &call));
    call.fn = note;
    call.userData = &calls;
    SHOW(cuGraphAddHostNode(&host, graph, &copy, 1, &call));
    SHOW(cuGraphAddEmptyNode(&empty, graph, NULL, 0));
    SHOW(cuGraphAddDependencies(graph, &host, &empty, NULL, 1));
    SHOW(cuGraphAddDependencies(graph, &host, &empty, NULL, 1));
    SHOW(cuGraphAddDependencies(graph, &empty, &fill_a, NULL, 1));
    SHOW(cuGraphInstantiate(&exec, graph, 0));
    SHOW(cuGraphRemoveDependencies(graph, &empty, &fill_a, NULL, 1));
    SHOW(cuGraphRemoveDependencies(graph, &empty, &fill_a, NULL, 1));

    SHOW(cuGraphGetNodes(graph, NULL, &count));
    printf("%zu\n", count);
    count = 8;
    SHOW(cuGraphGetRootNodes(graph, got, &count));
    printf("%zu %d %d\n", count, got[0] == fill_a, got[1] == fill_b);
    count = 0;
    SHOW(cuGraphGetEdges(graph, NULL, NULL, NULL, &count));
    printf("%zu\n", count);
    CUgraphEdgeData edges[8];
    memset(edges, 1, sizeof edges);
    SHOW(cuGraphGetEdges(graph, from, to, edges, &count));
    printf("%d %d\n", edges[0].type, edges[0].from_port);
    count = 8;
    SHOW(cuGraphNodeGetDependencies(sum, got, NULL, &count));
    printf("%zu %d %d\n", count, got[0] == fill_a, got[1] == fill_b);
    count = 8;
    SHOW(cuGraphNodeGetDependentNodes(sum, got, NULL, &count));
    printf("%zu %d\n", count, got[0] == copy);
    SHOW(cuGraphNodeGetType(copy, &type));
    printf("%d\n", type == CU_GRAPH_NODE_TYPE_MEMCPY);
    SHOW(cuGraphNodeGetType(NULL, &type));

    CUDA_KERNEL_NODE_PARAMS got_launch;
    SHOW(cuGraphKernelNodeGetParams(sum, &got_launch));
    printf("%d %u %u %g\n", got_launch.func == adds, got_launch.gridDimX, got_launch.blockDimX,
           (double)**(int **)(got_launch.kernelParams + 3));
    cudaKernelNodeParams by_runtime;
    cudaError_t wanted = is_of_module ? cudaErrorInvalidDeviceFunction : cudaSuccess;
    printf("%d\n", cudaGraphKernelNodeGetParams((cudaGraphNode_t)sum, &by_runtime) == wanted);
    printf("%d\n", is_of_module || by_runtime.func == (void *)add); // not the CUfunction
    cudaGetLastError();
    CUDA_MEMSET_NODE_PARAMS got_fill;
    SHOW(cuGraphMemsetNodeGetParams(fill_b, &got_fill));
    printf("%d %u %zu %zu %x\n", got_fill.dst == b, got_fill.elementSize, got_fill.width,
           got_fill.height, got_fill.value);
    CUDA_MEMCPY3D got_move;
    SHOW(cuGraphMemcpyNodeGetParams(copy, &got_move));
    printf("%zu %zu %zu %d %d\n", got_move.WidthInBytes, got_move.Height, got_move.Depth,
           got_move.srcDevice == c, got_move.dstHost == (void *)out);
    CUDA_HOST_NODE_PARAMS got_call;
    SHOW(cuGraphHostNodeGetParams(host, &got_call));
    printf("%d %d\n", got_call.fn == note, got_call.userData == &calls);
    SHOW(cuGraphHostNodeGetParams(copy, &got_call));

    SHOW(cuGraphInstantiate(&exec, graph, 0));
    SHOW(cuGraphUpload(exec, NULL));
    SHOW(cuGraphLaunch(exec, NULL));
    SHOW(cuCtxSynchronize());
    printf("%g %g %d\n", out[0], out[N - 1], calls);

    fill = fill_params(b, 4);
    SHOW(cuGraphExecMemsetNodeSetParams(exec, fill_b, &fill, context));
    SHOW(cuGraphLaunch(exec, NULL));
    SHOW(cuCtxSynchronize());
    printf("%g %d\n", out[0], calls);
    void *doubled[] = {&b, &b, &c, &n};
    launch = add_params(doubled);
    SHOW(cuGraphExecKernelNodeSetParams(exec, sum, &launch));
    SHOW(cuGraphExecHostNodeSetParams(exec, host, &call));
    SHOW(cuGraphExecMemcpyNodeSetParams(exec, copy, &move, context));
    unsigned enabled = 5;
    SHOW(cuGraphNodeSetEnabled(exec, sum, 1));
    SHOW(cuGraphNodeGetEnabled(exec, sum, &enabled));
    printf("%u\n", enabled);
    SHOW(cuGraphLaunch(exec, NULL));
    SHOW(cuCtxSynchronize());
    printf("%g %d\n", out[0], calls);
    cuuint64_t flags = 7;
    SHOW(cuGraphExecGetFlags(exec, &flags));
    printf("%llu\n", (unsigned long long)flags);

    // The graph itself still adds a and b; an update brings that back.
    CUgraphExecUpdateResultInfo info = {};
    SHOW(cuGraphExecUpdate(exec, graph, &info));
    printf("%d\n", info.result);
    SHOW(cuGraphLaunch(exec, NULL));
    SHOW(cuCtxSynchronize());
    printf("%g %d\n", out[0], calls);
    SHOW(cuGraphClone(&clone, graph));
    SHOW(cuGraphNodeFindInClone(&got[0], sum, clone));
    SHOW(cuGraphDestroyNode(got[0]));
    SHOW(cuGraphExecUpdate(exec, clone, &info));
    printf("%d\n", info.result);
    fill = fill_params(a, 10);
    SHOW(cuGraphMemsetNodeSetParams(fill_a, &fill));
    SHOW(cuGraphKernelNodeSetParams(sum, &launch));
    SHOW(cuGraphMemcpyNodeSetParams(copy, &move));
    SHOW(cuGraphHostNodeSetParams(host, &call));
    SHOW(cuGraphRemoveDependencies(graph, &host, &empty, NULL, 1));
    SHOW(cuGraphDestroy(clone));
    SHOW(cuGraphExecDestroy(exec));
    CUDA_GRAPH_INSTANTIATE_PARAMS how = {};
    SHOW(cuGraphInstantiateWithParams(&exec, graph, &how));
    printf("%d\n", how.result_out);
    SHOW(cuGraphLaunch(exec, NULL));
    SHOW(cuCtxSynchronize());
    printf("%g %d\n", out[0], calls);
    SHOW(cuGraphExecDestroy(exec));
    SHOW(cuGraphDebugDotPrint(graph, "/dev/null", CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE));
    SHOW(cuGraphDestroy(graph));
}

// Events, child graphs, memory, and cuGraphAddNode.
static void other_nodes(CUcontext context)
{
    CUgraph graph, child, got_child;
    CUgraphNode record, wait, inner, alloc, release, fill_node, copy_node, nodes[4];
    CUgraphExec exec;
    CUevent event, second, got_event;
    SHOW(cuEventCreate(&event, CU_EVENT_DEFAULT));
    SHOW(cuEventCreate(&second, CU_EVENT_DEFAULT));
    SHOW(cuGraphCreate(&graph, 0));
    SHOW(cuGraphCreate(&child, 0));
    CUDA_MEMSET_NODE_PARAMS fill = fill_params(c, 3);
    SHOW(cuGraphAddMemsetNode(&fill_node, child, NULL, 0, &fill, context));
    SHOW(cuGraphAddEventRecordNode(&record, graph, NULL, 0, event));
    SHOW(cuGraphEventRecordNodeGetEvent(record, &got_event));
    printf("%d\n", got_event == event);
    SHOW(cuGraphAddEventWaitNode(&wait, graph, &record, 1, event));
    SHOW(cuGraphEventWaitNodeGetEvent(wait, &got_event));
    printf("%d\n", got_event == event);
    SHOW(cuGraphEventRecordNodeSetEvent(record, second));
    SHOW(cuGraphEventWaitNodeSetEvent(wait, second));
    SHOW(cuGraphAddChildGraphNode(&inner, graph, &wait, 1, child));
    SHOW(cuGraphChildGraphNodeGetGraph(inner, &got_child));
    printf("%d\n", got_child != child);

    CUDA_MEM_ALLOC_NODE_PARAMS ask = {}, got_ask;
    ask.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    ask.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    ask.bytesize = sizeof out;
    SHOW(cuGraphAddMemAllocNode(&alloc, graph, &inner, 1, &ask));
    printf("%d\n", ask.dptr != 0);
    SHOW(cuGraphMemAllocNodeGetParams(alloc, &got_ask));
    printf("%d %zu\n", got_ask.dptr == ask.dptr, got_ask.bytesize);
    CUgraphNodeParams params = {};
    params.type = CU_GRAPH_NODE_TYPE_KERNEL;
    CUdeviceptr temporary = ask.dptr;
    void *args[] = {&c, &c, &temporary, &n};
    params.kernel.func = adds;
    params.kernel.gridDimX = params.kernel.gridDimY = params.kernel.gridDimZ = 1;
    params.kernel.blockDimX = N;
    params.kernel.blockDimY = params.kernel.blockDimZ = 1;
    params.kernel.kernelParams = args;
    SHOW(cuGraphAddNode(&nodes[0], graph, &alloc, NULL, 1, &params));
    memset(&params, 0, sizeof params);
    params.type = CU_GRAPH_NODE_TYPE_MEMCPY;
    params.memcpy.copyCtx = context;
    params.memcpy.copyParams = copy_params();
    params.memcpy.copyParams.srcDevice = temporary;
    SHOW(cuGraphAddNode(&copy_node, graph, &nodes[0], NULL, 1, &params));
    SHOW(cuGraphAddMemFreeNode(&release, graph, &copy_node, 1, temporary));
    CUdeviceptr got_ptr = 0;
    SHOW(cuGraphMemFreeNodeGetParams(release, &got_ptr));
    printf("%d\n", got_ptr == temporary);
    SHOW(cuGraphInstantiate(&exec, graph, 0));
    SHOW(cuGraphExecEventRecordNodeSetEvent(exec, record, event));
    SHOW(cuGraphExecEventWaitNodeSetEvent(exec, wait, event));
    fill = fill_params(c, 8);
    SHOW(cuGraphMemsetNodeSetParams(fill_node, &fill));
    SHOW(cuGraphExecChildGraphNodeSetParams(exec, inner, child));
    SHOW(cuGraphLaunch(exec, NULL));
    SHOW(cuCtxSynchronize());
    printf("%g\n", out[N / 2]);
    cuuint64_t bytes = 1;
    SHOW(cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &bytes));
    printf("%d\n", bytes > 0);
    SHOW(cuDeviceGraphMemTrim(0));
    SHOW(cuGraphExecDestroy(exec));
    SHOW(cuGraphDestroy(child));
    SHOW(cuGraphDestroy(graph));
    SHOW(cuEventDestroy(event));
    SHOW(cuEventDestroy(second));
}

// A kernel may start another one before its end. What the program says of an edge can be asked for.
static void programmatic()
{
    CUgraph graph, clone;
    CUgraphNode first, second, same, deps[2];
    CUgraphEdgeData edge = {}, got;
    size_t count = 9;
    SHOW(cuGraphCreate(&graph, 0));
    void *args[] = {&a, &b, &c, &n};
    CUDA_KERNEL_NODE_PARAMS launch = add_params(args);
    SHOW(cuGraphAddKernelNode(&first, graph, NULL, 0, &launch));
    edge.type = CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC;
    edge.from_port = CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC;
    CUgraphNodeParams params = {};
    params.type = CU_GRAPH_NODE_TYPE_EMPTY;
    SHOW(cuGraphAddNode(&second, graph, &first, &edge, 1, &params));
    SHOW(cuGraphGetNodes(graph, NULL, &count));
    printf("%zu\n", count);
    params.type = CU_GRAPH_NODE_TYPE_KERNEL;
    params.kernel.func = adds;
    params.kernel.gridDimX = params.kernel.gridDimY = params.kernel.gridDimZ = 1;
    params.kernel.blockDimX = N;
    params.kernel.blockDimY = params.kernel.blockDimZ = 1;
    params.kernel.kernelParams = args;
    SHOW(cuGraphAddNode(&second, graph, &first, &edge, 1, &params));
    SHOW(cuGraphClone(&clone, graph));
    SHOW(cuGraphNodeFindInClone(&same, second, clone));
    count = 2;
    SHOW(cuGraphNodeGetDependencies(same, deps, &got, &count));
    printf("%zu %d %d\n", count, got.type, got.from_port);
    SHOW(cuGraphDestroy(clone));
    SHOW(cuGraphDestroy(graph));
}

static void conditional(CUcontext context)
{
    CUgraph graph;
    CUgraphNode loop, body_node;
    CUgraphExec exec;
    CUgraphConditionalHandle handle;
    int count = 5;
    SHOW(cuMemcpyHtoD(a, &count, sizeof count));
    SHOW(cuGraphCreate(&graph, 0));
    SHOW(cuGraphConditionalHandleCreate(&handle, graph, context, 1, CU_GRAPH_COND_ASSIGN_DEFAULT));
    CUgraphNodeParams params = {};
    params.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
    params.conditional.handle = handle;
    params.conditional.type = CU_GRAPH_COND_TYPE_WHILE;
    params.conditional.size = 1;
    params.conditional.ctx = context;
    SHOW(cuGraphAddNode(&loop, graph, NULL, NULL, 0, &params));
    void *args[] = {&a, &handle};
    CUDA_KERNEL_NODE_PARAMS launch = add_params(args);
    launch.func = kernel(count_down);
    launch.blockDimX = 1;
    SHOW(cuGraphAddKernelNode(&body_node, params.conditional.phGraph_out[0], NULL, 0, &launch));
    SHOW(cuGraphInstantiate(&exec, graph, 0));
    SHOW(cuGraphLaunch(exec, NULL));
    SHOW(cuMemcpyDtoH(&count, a, sizeof count));
    printf("%d\n", count);
    SHOW(cuGraphExecDestroy(exec));
    SHOW(cuGraphDestroy(graph));
}

static void captured()
{
    CUstream stream, second;
    CUevent fork, join;
    CUgraph graph, got_graph;
    CUgraphExec exec;
    CUgraphNode empty;
    CUstreamCaptureStatus status;
    cuuint64_t id = 0;
    const CUgraphNode *deps = NULL;
    size_t count = 9;
    int calls = 0;
    SHOW(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    SHOW(cuStreamCreate(&second, CU_STREAM_NON_BLOCKING));
    SHOW(cuEventCreate(&fork, CU_EVENT_DISABLE_TIMING));
    SHOW(cuEventCreate(&join, CU_EVENT_DISABLE_TIMING));
    SHOW(cuStreamEndCapture(stream, &graph));
    SHOW(cuStreamBeginCapture(NULL, CU_STREAM_CAPTURE_MODE_GLOBAL));
    SHOW(cuStreamBeginCapture(stream, (CUstreamCaptureMode)7));
    SHOW(cuStreamIsCapturing(stream, &status));
    printf("%d\n", status);
    SHOW(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    SHOW(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    SHOW(cuMemsetD32Async(a, 0x40000000, N, stream));
    SHOW(cuEventRecord(fork, stream));
    SHOW(cuStreamWaitEvent(second, fork, 0));
    SHOW(cuMemsetD32Async(b, 0x3f800000, N, second));
    SHOW(cuEventRecord(join, second));
    SHOW(cuStreamWaitEvent(stream, join, 0));
    void *args[] = {&a, &b, &c, &n};
    SHOW(cuLaunchKernel(adds, 1, 1, 1, N, 1, 1, 0, stream, args, NULL));
    SHOW(cuMemcpyDtoHAsync(out, c, sizeof out, stream));
    SHOW(cuLaunchHostFunc(stream, note, &calls));
    SHOW(cuStreamIsCapturing(second, &status));
    printf("%d\n", status);
    SHOW(cuStreamGetCaptureInfo(stream, &status, &id, &got_graph, &deps, NULL, &count));
    printf("%d %d %zu\n", status, id != 0, count);
    SHOW(cuGraphAddEmptyNode(&empty, got_graph, deps, count));
    SHOW(cuStreamUpdateCaptureDependencies(stream, &empty, NULL, 1,
                                           CU_STREAM_SET_CAPTURE_DEPENDENCIES));
    SHOW(cuStreamEndCapture(second, &graph));
    SHOW(cuStreamEndCapture(stream, &graph));
    SHOW(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
    SHOW(cuMemsetD32Async(a, 0x40000000, N, stream));
    SHOW(cuEventRecord(fork, stream));
    SHOW(cuStreamWaitEvent(second, fork, 0));
    SHOW(cuMemsetD32Async(b, 0x3f800000, N, second));
    SHOW(cuEventRecord(join, second));
    SHOW(cuStreamWaitEvent(stream, join, 0));
    SHOW(cuLaunchKernel(adds, 1, 1, 1, N, 1, 1, 0, stream, args, NULL));
    SHOW(cuMemcpyDtoHAsync(out, c, sizeof out, stream));
    SHOW(cuLaunchHostFunc(stream, note, &calls));
    SHOW(cuStreamEndCapture(stream, &graph));
    printf("%d\n", calls);
    SHOW(cuGraphGetNodes(graph, NULL, &count));
    printf("%zu\n", count);
    SHOW(cuGraphInstantiate(&exec, graph, 0));
    SHOW(cuGraphLaunch(exec, stream));
    SHOW(cuStreamSynchronize(stream));
    printf("%g %d\n", out[0], calls);
    SHOW(cuGraphExecDestroy(exec));
    SHOW(cuStreamBeginCaptureToGraph(stream, graph, NULL, NULL, 0, CU_STREAM_CAPTURE_MODE_RELAXED));
    SHOW(cuMemsetD32Async(a, 0, N, stream));
    SHOW(cuStreamEndCapture(stream, &got_graph));
    printf("%d\n", got_graph == graph);
    SHOW(cuGraphGetNodes(graph, NULL, &count));
    printf("%zu\n", count);
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    SHOW(cuThreadExchangeStreamCaptureMode(&mode));
    printf("%d\n", mode);
    SHOW(cuThreadExchangeStreamCaptureMode(&mode));
    SHOW(cuGraphDestroy(graph));
    SHOW(cuEventDestroy(fork));
    SHOW(cuEventDestroy(join));
    SHOW(cuStreamDestroy(stream));
    SHOW(cuStreamDestroy(second));
}

static void objects()
{
    CUgraph graph;
    CUuserObject object;
    int destroyed = 0;
    SHOW(cuGraphCreate(&graph, 0));
    SHOW(cuUserObjectCreate(&object, &destroyed, note, 1, 0));
    SHOW(cuUserObjectCreate(&object, &destroyed, note, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    SHOW(cuUserObjectRetain(object, 1));
    SHOW(cuUserObjectRelease(object, 1));
    SHOW(cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
    printf("%d\n", destroyed);
    SHOW(cuGraphReleaseUserObject(graph, object, 1));
    for (int i = 0; i < 1000 && !*(volatile int *)&destroyed; i++) {
        usleep(1000);
    }
    printf("%d\n", destroyed);
    SHOW(cuGraphDestroy(graph));
    SHOW(cuGraphDestroy(NULL));
}

int main(int argc, char **argv)
{
    setbuf(stdout, NULL);
    CUcontext context;
    CUgraph early;
    CUctxCreateParams none = {};
    SHOW(cuInit(0));
    SHOW(cuGraphCreate(&early, 0));
    SHOW(cuCtxCreate(&context, &none, 0, 0));
    adds = kernel(add);
    if (argc > 1) { // a kernel of a module
        CUmodule module = NULL;
        is_of_module = true;
        adds = NULL;
        cuModuleLoad(&module, argv[1]);
        cuModuleGetFunction(&adds, module, "add");
    }
    printf("%d\n", adds != NULL);
    SHOW(cuMemAlloc(&a, sizeof out));
    SHOW(cuMemAlloc(&b, sizeof out));
    SHOW(cuMemAlloc(&c, sizeof out));
    built(context);
    other_nodes(context);
    programmatic();
    conditional(context);
    captured();
    objects();
    SHOW(cuMemFree(a));
    SHOW(cuMemFree(b));
    SHOW(cuMemFree(c));
}
