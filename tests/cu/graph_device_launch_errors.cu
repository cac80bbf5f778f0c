// workers: 1 2 8
// stderr: cdp: warning \(cudaErrorInvalidValue\): cudaGraphLaunch of 0x1234 by a kernel: this is no executable graph
// stderr: in kernel launch, block \(0,0,0\), thread \(0,0,0\), at launch
// stderr: by a kernel: the graph is not uploaded: call cudaGraphUpload
// Graphs that kernels cannot launch, and launches that fail. A graph that is changed is launched as it
// was, until it is uploaded again. Executable graphs are destroyed while launches by kernels are pending.
#include <vector>

#include "show.h"

enum { MOST = 300 };

static cudaStream_t stream;
__device__ cudaGraphExec_t launched[MOST];
__device__ int sum, gate;

__global__ void add(int what)
{
    atomicAdd(&sum, what);
}
__global__ void slow(int what)
{
    for (long long end = clock64() + 500000; clock64() < end;) {
    }
    atomicAdd(&sum, what);
}
__global__ void pass(int what)
{
    while (atomicAdd(&gate, 0) == 0) {
    }
    atomicAdd(&sum, what);
}
// The results go to errors, and the last error after them. Then the gate opens.
__global__ void launch(int first, int count, cudaStream_t way, int *errors)
{
    for (int i = 0; i < count; i++) {
        errors[i] = cudaGraphLaunch(launched[first + i], way);
    }
    errors[count] = cudaGetLastError();
    atomicExch(&gate, 1);
}
__global__ void launch_self(cudaStream_t way, int *errors)
{
    if (errors[2]++ == 0) {
        errors[0] = cudaGraphLaunch(cudaGetCurrentGraphExec(), way);
        errors[1] = cudaGraphLaunch(cudaGetCurrentGraphExec(), way);
    }
}
__global__ void current(bool *is_own)
{
    *is_own = cudaGetCurrentGraphExec() != NULL && cudaGetCurrentGraphExec() == launched[0];
}
__global__ void parent(bool *is_own)
{
    current<<<1, 1>>>(is_own);
}

static void ok(const char *what, cudaError_t error)
{
    if (error != cudaSuccess) {
        printf("%s: %s\n", what, cudaGetErrorName(error));
    }
}

template <class... Args>
static cudaGraphNode_t kernel(cudaGraph_t graph, void (*func)(Args...), Args... args)
{
    void *list[] = {&args...};
    cudaKernelNodeParams params = {};
    params.func = (void *)func;
    params.gridDim = dim3(1);
    params.blockDim = dim3(1);
    params.kernelParams = list;
    cudaGraphNode_t node = NULL;
    ok("kernel node", cudaGraphAddKernelNode(&node, graph, NULL, 0, &params));
    return node;
}
// A graph of one kernel.
struct single {
    cudaGraph_t graph;
    cudaGraphNode_t node;
    cudaGraphExec_t exec = NULL;
    template <class... Args> single(unsigned long long flags, void (*func)(Args...), Args... args)
    {
        (void)cudaGraphCreate(&graph, 0);
        node = kernel(graph, func, args...);
        cudaGraphInstantiateParams how = {};
        how.flags = flags;
        how.uploadStream = stream;
        ok("exec", cudaGraphInstantiateWithParams(&exec, graph, &how));
    }
    single(const single &) = delete;
    void name(int number, bool uploads)
    {
        ok("copy", cudaMemcpyToSymbol(launched, &exec, sizeof exec, number * sizeof exec));
        if (uploads) {
            ok("upload", cudaGraphUpload(exec, stream));
        }
    }
    ~single()
    {
        ok("destroy", cudaGraphExecDestroy(exec));
        ok("destroy", cudaGraphDestroy(graph));
    }
};

// A graph that launches others, from launched[first].
static int run(const char *what, int first, int count, cudaStream_t way, int *errors,
               unsigned flags = cudaGraphInstantiateFlagDeviceLaunch)
{
    single top(flags, launch, first, count, way, errors);
    int none = 0, ran;
    MUST(cudaMemcpyToSymbol(sum, &none, sizeof none));
    MUST(cudaMemcpyToSymbol(gate, &none, sizeof none));
    MUST(cudaGraphLaunch(top.exec, stream));
    MUST(cudaStreamSynchronize(stream));
    MUST(cudaMemcpyFromSymbol(&ran, sum, sizeof ran));
    printf("%s:", what);
    for (int i = 0; i <= count; i++) {
        if (i < 3 || errors[i] != errors[i - 1]) {
            printf(" [%d] %s", i, cudaGetErrorName((cudaError_t)errors[i]));
        }
    }
    printf(", sum %d\n", ran);
    return 0;
}

static int states(int *errors)
{
    const unsigned long long flag = cudaGraphInstantiateFlagDeviceLaunch;
    const cudaStream_t forget = cudaStreamGraphFireAndForget, tail = cudaStreamGraphTailLaunch;
    cudaGraphExec_t none[2] = {NULL, (cudaGraphExec_t)0x1234};
    MUST(cudaMemcpyToSymbol(launched, none, sizeof none));
    int failed = run("NULL and garbage", 0, 2, forget, errors);
    {
        single graph(flag, add, 1);
        graph.name(0, false);
        failed |= run("not uploaded", 0, 1, forget, errors) || run("not uploaded", 0, 1, tail, errors);
        MUST(cudaGraphUpload(graph.exec, stream));
        failed |= run("uploaded", 0, 1, forget, errors) || run("uploaded", 0, 1, tail, errors);
        failed |= run("by a graph of the host", 0, 1, forget, errors, 0) ||
                  run("by a graph of the host", 0, 1, tail, errors, 0);
        failed |= run("another stream", 0, 1, 0, errors) ||
                  run("another stream", 0, 1, cudaStreamFireAndForget, errors);
        int ten = 10;
        void *args[] = {&ten};
        cudaKernelNodeParams params = {};
        params.func = (void *)add;
        params.gridDim = params.blockDim = dim3(1);
        params.kernelParams = args;
        unsigned enabled;
        MUST(cudaGraphNodeGetEnabled(graph.exec, graph.node, &enabled));
        failed |= run("read", 0, 1, forget, errors);
        MUST(cudaGraphExecKernelNodeSetParams(graph.exec, graph.node, &params));
        failed |= run("changed", 0, 1, forget, errors) || run("changed", 0, 1, tail, errors);
        MUST(cudaGraphUpload(graph.exec, stream));
        failed |= run("changed and uploaded", 0, 1, forget, errors);
        MUST(cudaGraphNodeSetEnabled(graph.exec, graph.node, 0));
        MUST(cudaGraphNodeSetEnabled(graph.exec, graph.node, 1));
        MUST(cudaGraphNodeSetEnabled(graph.exec, graph.node, 0));
        failed |= run("disabled", 0, 1, forget, errors);
        MUST(cudaGraphUpload(graph.exec, stream));
        failed |= run("disabled and uploaded", 0, 1, forget, errors);
        MUST(cudaGraphNodeSetEnabled(graph.exec, graph.node, 1));
        ten = 20;
        MUST(cudaGraphExecKernelNodeSetParams(graph.exec, graph.node, &params));
        MUST(cudaGraphLaunch(graph.exec, stream));
        failed |= run("changed and launched", 0, 1, forget, errors);
    }
    failed |= run("destroyed", 0, 1, forget, errors);
    single uploaded(flag | cudaGraphInstantiateFlagUpload, add, 1);
    uploaded.name(0, false);
    return failed | run("uploaded by a flag", 0, 1, tail, errors);
}

static int limits(int *errors)
{
    std::vector<single *> graphs;
    for (int i = 0; i < MOST; i++) {
        graphs.push_back(new single(cudaGraphInstantiateFlagDeviceLaunch, add, 1));
        graphs[i]->name(i, true);
    }
    int failed = run("forget", 0, MOST, cudaStreamGraphFireAndForget, errors) ||
                 run("siblings", 0, MOST, cudaStreamGraphFireAndForgetAsSibling, errors) ||
                 run("tails", 0, MOST, cudaStreamGraphTailLaunch, errors);
    for (single *graph : graphs) {
        delete graph;
    }
    return failed;
}

static int twice(int *errors)
{
    const unsigned long long flag = cudaGraphInstantiateFlagDeviceLaunch;
    single graph(flag, pass, 1), same(flag, add, 1);
    for (int i = 0; i < 3; i++) {
        same.name(i, true);
    }
    int failed = run("tail three times", 0, 3, cudaStreamGraphTailLaunch, errors);
    graph.name(0, true);
    graph.name(1, true);
    failed |= run("forget twice", 0, 2, cudaStreamGraphFireAndForget, errors);
    const cudaStream_t ways[] = {cudaStreamGraphFireAndForget, cudaStreamGraphTailLaunch};
    for (cudaStream_t way : ways) {
        single self(flag, launch_self, way, errors);
        errors[2] = 0;
        MUST(cudaGraphLaunch(self.exec, stream));
        MUST(cudaStreamSynchronize(stream));
        printf("self: %s %s, %d runs\n", cudaGetErrorName((cudaError_t)errors[0]),
               cudaGetErrorName((cudaError_t)errors[1]), errors[2]);
    }
    return failed;
}

// A kernel that launches graphs cannot be launched outside of them; others find that there is none.
static int which(bool *is_own, int *errors)
{
    single marked(cudaGraphInstantiateFlagDeviceLaunch, current, is_own);
    single plain(0, current, is_own), nested(0, parent, is_own);
    marked.name(0, true);
    const cudaGraphExec_t execs[] = {marked.exec, plain.exec, nested.exec};
    for (cudaGraphExec_t exec : execs) {
        *is_own = true;
        MUST(cudaGraphLaunch(exec, stream));
        MUST(cudaStreamSynchronize(stream));
        printf("current: %d\n", *is_own);
    }
    launch<<<1, 1, 0, stream>>>(0, 1, cudaStreamGraphFireAndForget, errors);
    printf("no graph: %s\n", cudaGetErrorName(cudaGetLastError()));
    current<<<1, 1, 0, stream>>>(is_own);
    MUST(cudaStreamSynchronize(stream));
    printf("no graph: %d\n", *is_own);
    return 0;
}

// Ends and changes while launches are pending.
static int ends(int *errors)
{
    int ten = 10;
    void *args[] = {&ten};
    cudaKernelNodeParams params = {};
    params.func = (void *)add;
    params.gridDim = params.blockDim = dim3(1);
    params.kernelParams = args;
    const unsigned long long flag = cudaGraphInstantiateFlagDeviceLaunch;
    const cudaStream_t ways[] = {cudaStreamGraphFireAndForget, cudaStreamGraphTailLaunch};
    int none = 0, ran;
    MUST(cudaMemcpyToSymbol(sum, &none, sizeof none));
    for (int i = 0; i < 20; i++) {
        single top(flag, launch, 0, 2, ways[i % 2], errors);
        single first(flag, slow, 1), second(flag, add, 1);
        first.name(0, true);
        second.name(1, true);
        MUST(cudaGraphLaunch(top.exec, stream));
        if (i % 5 == 0) {
            MUST(cudaGraphExecKernelNodeSetParams(first.exec, first.node, &params));
            MUST(cudaGraphUpload(first.exec, stream));
        }
        MUST(cudaGraphLaunch(top.exec, 0));
        if (i % 4 < 2) {
            MUST(cudaStreamSynchronize(0));
            MUST(cudaStreamSynchronize(stream));
        }
    }
    MUST(cudaDeviceSynchronize());
    MUST(cudaMemcpyFromSymbol(&ran, sum, sizeof ran));
    printf("ends: %s\n", ran >= 10 && ran <= 400 ? "ok" : "wrong");
    return 0;
}

static void on_host(void *)
{
}

static void instantiate(const char *what, cudaGraph_t graph, cudaGraphNode_t node,
                        unsigned long long flags = cudaGraphInstantiateFlagDeviceLaunch)
{
    cudaGraphInstantiateParams params = {};
    cudaGraphExec_t exec;
    params.flags = flags;
    params.uploadStream = stream;
    cudaError_t error = cudaGraphInstantiateWithParams(&exec, graph, &params);
    printf("%s: %s, result %d, %s\n", what, cudaGetErrorName(error), (int)params.result_out,
           params.errNode_out == NULL ? "no node" : params.errNode_out == node ? "node" : "another");
    if (error == cudaSuccess) {
        unsigned long long same;
        ok("flags", cudaGraphExecGetFlags(exec, &same));
        ok("exec", cudaGraphExecDestroy(exec));
        if (same != flags) {
            puts("other flags");
        }
    }
}

static int obstacles(int *data)
{
    cudaGraph_t graphs[10];
    cudaGraphNode_t node;
    cudaEvent_t event;
    for (cudaGraph_t &graph : graphs) {
        MUST(cudaGraphCreate(&graph, 0));
    }
    instantiate("empty", graphs[0], NULL);
    cudaHostNodeParams call = {on_host, NULL};
    kernel(graphs[1], add, 1);
    MUST(cudaGraphAddHostNode(&node, graphs[1], NULL, 0, &call));
    instantiate("host function", graphs[1], node);
    instantiate("without the flag", graphs[1], node, 0);
    MUST(cudaGraphAddChildGraphNode(&node, graphs[2], NULL, 0, graphs[1]));
    instantiate("in a child graph", graphs[2], node);
    cudaGraph_t launching;
    MUST(cudaGraphCreate(&launching, 0));
    node = kernel(launching, parent, (bool *)data);
    instantiate("kernel that launches grids", launching, node);
    MUST(cudaGraphDestroy(launching));
    MUST(cudaEventCreate(&event));
    MUST(cudaGraphAddEventRecordNode(&node, graphs[3], NULL, 0, event));
    instantiate("event", graphs[3], node);
    MUST(cudaGraphAddEmptyNode(&node, graphs[4], NULL, 0));
    instantiate("empty node", graphs[4], node);
    cudaMemAllocNodeParams memory = {};
    memory.poolProps.allocType = cudaMemAllocationTypePinned;
    memory.poolProps.location.type = cudaMemLocationTypeDevice;
    memory.bytesize = 64;
    MUST(cudaGraphAddMemAllocNode(&node, graphs[5], NULL, 0, &memory));
    instantiate("memory", graphs[5], node);
    cudaGraphConditionalHandle handle;
    MUST(cudaGraphConditionalHandleCreate(&handle, graphs[6], 1, cudaGraphCondAssignDefault));
    cudaGraphNodeParams params = {};
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.handle = handle;
    params.conditional.type = cudaGraphCondTypeIf;
    params.conditional.size = 1;
    MUST(cudaGraphAddNode(&node, graphs[6], NULL, 0, &params));
    instantiate("conditional", graphs[6], node);
    MUST(cudaGraphAddMemcpyNode1D(&node, graphs[7], NULL, 0, data, data + 1, 4, cudaMemcpyDefault));
    MUST(cudaGraphAddChildGraphNode(&node, graphs[8], NULL, 0, graphs[7]));
    instantiate("copy", graphs[7], node);
    instantiate("child graph", graphs[8], node);
    char pageable[64];
    cudaGraph_t unknown;
    MUST(cudaGraphCreate(&unknown, 0));
    MUST(cudaGraphAddMemcpyNode1D(&node, unknown, NULL, 0, data, pageable, 64, cudaMemcpyDefault));
    instantiate("pageable memory", unknown, node);
    MUST(cudaGraphDestroy(unknown));
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    MUST(cudaMallocArray(&array, &format, 16));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(data, 64, 16, 1);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(16, 1, 1);
    copy.kind = cudaMemcpyDefault;
    MUST(cudaGraphAddMemcpyNode(&node, graphs[9], NULL, 0, &copy));
    instantiate("array", graphs[9], node);
    const unsigned long long flag = cudaGraphInstantiateFlagDeviceLaunch;
    instantiate("and free", graphs[7], node, flag | cudaGraphInstantiateFlagAutoFreeOnLaunch);
    instantiate("and upload", graphs[7], node, flag | cudaGraphInstantiateFlagUpload);
    instantiate("and priority", graphs[7], node, flag | cudaGraphInstantiateFlagUseNodePriority);
    instantiate("unknown flag", graphs[7], node, 16);
    cudaGraphExec_t exec; // an upload needs a stream
    printf("upload: %s\n", cudaGetErrorName(cudaGraphInstantiate(&exec, graphs[7], cudaGraphInstantiateFlagUpload)));
    MUST(cudaFreeArray(array));
    MUST(cudaEventDestroy(event));
    for (cudaGraph_t &graph : graphs) {
        MUST(cudaGraphDestroy(graph));
    }
    return 0;
}

int main()
{
    int *errors;
    MUST(cudaMallocManaged(&errors, (MOST + 2) * sizeof *errors));
    MUST(cudaStreamCreate(&stream));
    int failed = states(errors) || limits(errors) || twice(errors) ||
                 which((bool *)(errors + MOST), errors) || ends(errors) || obstacles(errors);
    MUST(cudaStreamDestroy(stream));
    MUST(cudaFree(errors));
    return failed;
}
