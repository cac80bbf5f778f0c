// Memory pools, managed memory, attributes of streams and kernel nodes, parameters of nodes of any
// kind, clusters' occupancy, and what a capture refuses.
#include <cstdio>
#include <cstring>

#include "show.h"

enum { N = 64 };

__global__ void add(int *p, int value)
{
    p[threadIdx.x] += value;
}

static CUstream stream;
static CUdeviceptr memory;

static void pools()
{
    CUmemoryPool pool, used, made;
    puts("-- pools");
    SHOW(cuDeviceGetDefaultMemPool(&pool, 0));
    SHOW(cuDeviceGetMemPool(&used, 0));
    printf("%d\n", pool == used);
    SHOW(cuDeviceGetDefaultMemPool(&pool, 99));
    SHOW(cuDeviceGetDefaultMemPool(NULL, 0));
    CUmemPoolProps props = {};
    SHOW(cuMemPoolCreate(&made, &props));
    SHOW(cuMemPoolCreate(&made, NULL));
    props.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    props.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    props.maxSize = 1 << 20;
    SHOW(cuMemPoolCreate(&made, &props));
    CUdeviceptr p = 0, q = 0;
    SHOW(cuMemAllocFromPoolAsync(&p, 1 << 19, made, stream));
    SHOW(cuMemAllocFromPoolAsync(&q, 1 << 20, made, stream));
    SHOW(cuMemAllocFromPoolAsync(&q, 0, made, stream));
    cuuint64_t bytes = 0;
    SHOW(cuMemPoolGetAttribute(made, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &bytes));
    printf("%llu\n", bytes);
    bytes = 4096;
    SHOW(cuMemPoolSetAttribute(made, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &bytes));
    bytes = 0;
    SHOW(cuMemPoolGetAttribute(made, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &bytes));
    printf("%llu\n", bytes);
    SHOW(cuMemPoolSetAttribute(made, (CUmemPool_attribute)99, &bytes));
    CUmemAccess_flags flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
    CUmemAccessDesc access = {props.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    SHOW(cuMemPoolGetAccess(&flags, made, &props.location));
    printf("%d\n", flags);
    SHOW(cuMemPoolSetAccess(made, &access, 1));
    SHOW(cuDeviceSetMemPool(0, made));
    SHOW(cuDeviceGetMemPool(&used, 0));
    printf("%d\n", used == made);
    SHOW(cuMemFreeAsync(p, stream));
    SHOW(cuStreamSynchronize(stream));
    SHOW(cuMemPoolTrimTo(made, 0));
    CUmemPoolPtrExportData data;
    int fd = -1;
    SHOW(cuMemPoolExportPointer(&data, memory));
    SHOW(cuMemPoolExportToShareableHandle(&fd, made, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    SHOW(cuMemPoolDestroy(made));
    SHOW(cuMemPoolDestroy(made));
    SHOW(cuDeviceGetMemPool(&used, 0));
    SHOW(cuDeviceGetDefaultMemPool(&pool, 0));
    printf("%d\n", pool == used);
    props.handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    SHOW(cuMemPoolCreate(&made, &props));
    SHOW(cuMemPoolExportToShareableHandle(&fd, made, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    SHOW(cuMemPoolImportFromShareableHandle(&used, (void *)(size_t)fd,
                                            CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    SHOW(cuMemPoolImportPointer(&q, used, NULL));
    SHOW(cuMemPoolDestroy(used));
    SHOW(cuMemPoolDestroy(made));
}

static void managed()
{
    CUdeviceptr p;
    puts("-- managed memory");
    SHOW(cuMemAllocManaged(&p, 4096, CU_MEM_ATTACH_GLOBAL));
    SHOW(cuMemPrefetchAsync(p, 4096, 0, stream));
    SHOW(cuMemPrefetchAsync(p, 4096, CU_DEVICE_CPU, stream));
    SHOW(cuMemPrefetchAsync(p, 4096, 99, stream));
    CUmemLocation location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    SHOW(cuMemPrefetchAsync(p, 4096, location, 0, stream));
    SHOW(cuMemPrefetchAsync(p, 4096, location, 1, stream));
    SHOW(cuMemAdvise(p, 4096, CU_MEM_ADVISE_SET_READ_MOSTLY, 0));
    location.type = CU_MEM_LOCATION_TYPE_HOST;
    SHOW(cuMemAdvise(p, 4096, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, location));
    location.type = CU_MEM_LOCATION_TYPE_INVALID;
    SHOW(cuMemAdvise(p, 4096, CU_MEM_ADVISE_SET_ACCESSED_BY, location));
    SHOW(cuMemAdvise(p, 4096, CU_MEM_ADVISE_SET_READ_MOSTLY, location)); // it is for no place
    int value = -9, device = -9;
    SHOW(cuMemRangeGetAttribute(&value, sizeof value, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, p, 4096));
    void *data[] = {&value, &device};
    size_t sizes[] = {sizeof value, sizeof device};
    CUmem_range_attribute attrs[] = {CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY,
                                     CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION};
    SHOW(cuMemRangeGetAttributes(data, sizes, attrs, 2, p, 4096));
    SHOW(cuMemRangeGetAttributes(data, sizes, attrs, 0, p, 4096));
    SHOW(cuStreamAttachMemAsync(stream, p, 0, CU_MEM_ATTACH_GLOBAL));
    SHOW(cuStreamAttachMemAsync(stream, memory, 0, CU_MEM_ATTACH_GLOBAL));
    SHOW(cuMemFree(p));
}

static void streams()
{
    CUstream other;
    puts("-- streams");
    SHOW(cuStreamCreateWithPriority(&other, CU_STREAM_NON_BLOCKING, -1));
    CUstreamAttrValue value;
    SHOW(cuStreamGetAttribute(other, CU_STREAM_ATTRIBUTE_PRIORITY, &value));
    printf("%d\n", value.priority);
    SHOW(cuStreamGetAttribute(other, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
    SHOW(cuStreamSetAttribute(other, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &value));
    SHOW(cuStreamCopyAttributes(stream, other));
    unsigned long long one, two;
    CUdevice device = -1;
    SHOW(cuStreamGetId(stream, &one));
    SHOW(cuStreamGetId(other, &two));
    SHOW(cuStreamGetDevice(other, &device));
    printf("%d %d\n", one != two, device);
    SHOW(cuStreamDestroy(other));
}

// Rows of 3, 4 and 5 bytes beside each other.
static void fills()
{
    unsigned char bytes[64] = {};
    puts("-- fills of rows");
    SHOW(cuMemsetD8Async(memory, 0, 64, stream));
    SHOW(cuMemsetD2D8Async(memory, 16, 1, 3, 2, stream));
    SHOW(cuMemsetD2D16Async(memory + 4, 16, 0x0203, 2, 3, stream));
    SHOW(cuMemsetD2D32Async(memory + 8, 16, 0x04050607, 1, 4, stream));
    SHOW(cuMemsetD2D32Async(memory + 2, 16, 0, 1, 1, stream));
    SHOW(cuMemcpyDtoHAsync(bytes, memory, sizeof bytes, stream));
    SHOW(cuStreamSynchronize(stream));
    for (int i = 0; i < 64; i++) {
        printf("%d%s", bytes[i], i % 16 == 15 ? "\n" : " ");
    }
}

static void show_first(CUgraphExec exec)
{
    int first = -1;
    SHOW(cuGraphLaunch(exec, stream));
    SHOW(cuStreamSynchronize(stream));
    SHOW(cuMemcpyDtoH(&first, memory, sizeof first));
    printf("%d\n", first);
}

static void note(void *data)
{
    ++*(int *)data;
}

static void nodes()
{
    CUgraph graph;
    CUgraphNode fill, kernel, host;
    CUgraphExec exec;
    puts("-- parameters of nodes");
    SHOW(cuGraphCreate(&graph, 0));
    CUgraphNodeParams set = {}, run = {}, call = {};
    set.type = CU_GRAPH_NODE_TYPE_MEMSET;
    set.memset.dst = memory;
    set.memset.elementSize = 4;
    set.memset.value = 1;
    set.memset.width = N;
    set.memset.height = 1;
    SHOW(cuGraphAddNode(&fill, graph, NULL, 0, &set));
    int value = 10;
    void *args[] = {&memory, &value};
    cudaFunction_t function;
    (void)cudaGetFuncBySymbol(&function, (const void *)add);
    run.type = CU_GRAPH_NODE_TYPE_KERNEL;
    run.kernel.func = (CUfunction)function;
    run.kernel.gridDimX = run.kernel.gridDimY = run.kernel.gridDimZ = 1;
    run.kernel.blockDimX = N;
    run.kernel.blockDimY = run.kernel.blockDimZ = 1;
    run.kernel.kernelParams = args;
    SHOW(cuGraphAddNode(&kernel, graph, &fill, 1, &run));
    int calls = 0;
    call.type = CU_GRAPH_NODE_TYPE_HOST;
    call.host.fn = note;
    call.host.userData = &calls;
    SHOW(cuGraphAddNode(&host, graph, &kernel, 1, &call));
    set.memset.value = 2;
    SHOW(cuGraphNodeSetParams(fill, &set));
    SHOW(cuGraphNodeSetParams(kernel, &set));
    SHOW(cuGraphNodeSetParams(kernel, NULL));
    SHOW(cuGraphInstantiate(&exec, graph, 0));
    show_first(exec);
    value = 30;
    SHOW(cuGraphExecNodeSetParams(exec, kernel, &run));
    set.memset.value = 5;
    SHOW(cuGraphExecNodeSetParams(exec, fill, &set));
    SHOW(cuGraphExecNodeSetParams(exec, host, &call));
    SHOW(cuGraphExecNodeSetParams(exec, host, &run));
    call.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
    SHOW(cuGraphNodeSetParams(host, &call));
    SHOW(cuGraphExecNodeSetParams(exec, host, &call));
    show_first(exec);
    printf("%d calls\n", calls);
    CUkernelNodeAttrValue attr = {};
    attr.cooperative = 1;
    SHOW(cuGraphKernelNodeSetAttribute(kernel, CU_KERNEL_NODE_ATTRIBUTE_COOPERATIVE, &attr));
    attr.cooperative = 0;
    SHOW(cuGraphKernelNodeGetAttribute(kernel, CU_KERNEL_NODE_ATTRIBUTE_COOPERATIVE, &attr));
    printf("%d\n", attr.cooperative);
    SHOW(cuGraphKernelNodeGetAttribute(fill, CU_KERNEL_NODE_ATTRIBUTE_COOPERATIVE, &attr));
    attr.priority = -2;
    SHOW(cuGraphKernelNodeSetAttribute(kernel, CU_KERNEL_NODE_ATTRIBUTE_PRIORITY, &attr));
    run.kernel.gridDimX = 6; // the attributes stay
    SHOW(cuGraphNodeSetParams(kernel, &run));
    attr.priority = attr.cooperative = 0;
    SHOW(cuGraphKernelNodeGetAttribute(kernel, CU_KERNEL_NODE_ATTRIBUTE_PRIORITY, &attr));
    printf("%d\n", attr.priority);
    SHOW(cuGraphKernelNodeGetAttribute(kernel, CU_KERNEL_NODE_ATTRIBUTE_COOPERATIVE, &attr));
    printf("%d\n", attr.cooperative);
    attr.cooperative = 0;
    SHOW(cuGraphKernelNodeSetAttribute(kernel, CU_KERNEL_NODE_ATTRIBUTE_COOPERATIVE, &attr));
    attr.clusterDim.x = 4;
    attr.clusterDim.y = attr.clusterDim.z = 1;
    SHOW(cuGraphKernelNodeSetAttribute(kernel, CU_KERNEL_NODE_ATTRIBUTE_CLUSTER_DIMENSION, &attr));
    attr.clusterDim.x = 2;
    SHOW(cuGraphKernelNodeSetAttribute(kernel, CU_KERNEL_NODE_ATTRIBUTE_CLUSTER_DIMENSION, &attr));
    run.kernel.gridDimX = 5;
    SHOW(cuGraphNodeSetParams(kernel, &run));
    SHOW(cuGraphKernelNodeSetAttribute(kernel, CU_LAUNCH_ATTRIBUTE_IGNORE, &attr));
    SHOW(cuGraphKernelNodeGetAttribute(kernel, (CUkernelNodeAttrID)999, &attr));
    SHOW(cuGraphAddEventRecordNode(&host, graph, NULL, 0, NULL));
    SHOW(cuGraphKernelNodeCopyAttributes(kernel, kernel));
    SHOW(cuGraphExecDestroy(exec));
    SHOW(cuGraphDestroy(graph));
}

static void clusters()
{
    cudaFunction_t function;
    (void)cudaGetFuncBySymbol(&function, (const void *)add);
    CUfunction adds = (CUfunction)function;
    int found = -1, same = -2, size = 0;
    CUlaunchConfig config = {};
    CUlaunchAttribute attr = {};
    puts("-- occupancy");
    config.gridDimX = 64;
    config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
    config.blockDimX = 128;
    attr.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    attr.value.clusterDim.x = 2;
    attr.value.clusterDim.y = attr.value.clusterDim.z = 1;
    config.attrs = &attr;
    config.numAttrs = 1;
    SHOW(cuOccupancyMaxActiveClusters(&found, adds, &config));
    cudaLaunchConfig_t runtime = {};
    cudaLaunchAttribute runtime_attr = {};
    runtime.gridDim = dim3(64);
    runtime.blockDim = dim3(128);
    runtime_attr.id = cudaLaunchAttributeClusterDimension;
    runtime_attr.val.clusterDim.x = 2;
    runtime_attr.val.clusterDim.y = runtime_attr.val.clusterDim.z = 1;
    runtime.attrs = &runtime_attr;
    runtime.numAttrs = 1;
    (void)cudaOccupancyMaxActiveClusters(&same, (const void *)add, &runtime);
    printf("%d\n", found == same);
    SHOW(cuOccupancyMaxPotentialClusterSize(&found, adds, &config));
    printf("%d\n", found);
    SHOW(cuOccupancyMaxActiveClusters(&found, adds, NULL));
    SHOW(cuOccupancyMaxActiveClusters(&found, (CUfunction)&found, &config));
    SHOW(cuOccupancyMaxPotentialBlockSizeWithFlags(&found, &size, adds, NULL, 0, 0,
                                                   CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE));
    printf("%d\n", size);
    SHOW(cuOccupancyMaxPotentialBlockSizeWithFlags(&found, &size, adds, NULL, 0, 0, 7));
}

// The call in a capture, and how the capture ends. An H100 answers so.
template <typename F> static void in_capture(const char *name, F call)
{
    CUgraph graph = NULL;
    CUresult begun = cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
    CUresult result = call(), ended = cuStreamEndCapture(stream, &graph);
    printf("%s: %d %d %d\n", name, begun, result, ended);
    if (graph != NULL) {
        cuGraphDestroy(graph);
    }
}

// A launch behind another one of its kind, which it may overlap.
static void overlapped()
{
    cudaFunction_t function;
    (void)cudaGetFuncBySymbol(&function, (const void *)add);
    CUgraph graph;
    CUgraphNode from, to;
    const CUgraphNode *deps;
    const CUgraphEdgeData *edges;
    CUgraphEdgeData edge = {};
    CUstreamCaptureStatus status;
    size_t count = 1;
    int value = 1;
    void *args[] = {&memory, &value};
    CUlaunchConfig config = {};
    CUlaunchAttribute attr = {};
    puts("-- edges of captures");
    config.gridDimX = config.gridDimY = config.gridDimZ = 1;
    config.blockDimX = config.blockDimY = config.blockDimZ = 1;
    config.hStream = stream;
    config.attrs = &attr;
    config.numAttrs = 1;
    attr.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    attr.value.programmaticStreamSerializationAllowed = 1;
    SHOW(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    SHOW(cuLaunchKernelEx(&config, (CUfunction)function, args, NULL));
    SHOW(cuLaunchKernelEx(&config, (CUfunction)function, args, NULL));
    SHOW(cuStreamGetCaptureInfo(stream, &status, NULL, &graph, &deps, &edges, &count));
    printf("%zu %d\n", count, edges == NULL);
    SHOW(cuGraphGetEdges(graph, &from, &to, &edge, &count));
    printf("%zu: port %d, type %d\n", count, edge.from_port, edge.type);
    edge.from_port = CU_GRAPH_KERNEL_NODE_PORT_LAUNCH_ORDER;
    SHOW(cuStreamUpdateCaptureDependencies(stream, &to, &edge, 1,
                                           CU_STREAM_SET_CAPTURE_DEPENDENCIES));
    SHOW(cuStreamGetCaptureInfo(stream, &status, NULL, &graph, &deps, &edges, &count));
    printf("%zu: port %d\n", count, edges == NULL ? 0 : edges[0].from_port);
    SHOW(cuStreamGetCaptureInfo(stream, &status, NULL, &graph, &deps, NULL, &count));
    edge.type = 7;
    SHOW(cuStreamUpdateCaptureDependencies(stream, &to, &edge, 1,
                                           CU_STREAM_SET_CAPTURE_DEPENDENCIES));
    SHOW(cuStreamEndCapture(stream, &graph));
    SHOW(cuGraphDestroy(graph));
}

static void refused()
{
    CUcontext context;
    puts("-- what a capture refuses");
    SHOW(cuCtxGetCurrent(&context));
    in_capture("prefetch", [] { return cuMemPrefetchAsync(memory, N, 0, stream); });
    in_capture("attach", [] { return cuStreamAttachMemAsync(stream, memory, 0, 1); });
    in_capture("peer copy", [=] {
        return cuMemcpyPeerAsync(memory, context, memory + N, context, N, stream);
    });
    in_capture("callback", [] {
        return cuStreamAddCallback(stream, [](CUstream, CUresult, void *) {}, NULL, 0);
    });
    in_capture("limit", [] { return cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 1 << 24); });
    in_capture("free of nothing", [] { return cuMemFree(0); });
}

int main()
{
    CUdevice device;
    CUcontext context;
    SHOW(cuInit(0));
    SHOW(cuDeviceGet(&device, 0));
    SHOW(cuDevicePrimaryCtxRetain(&context, device));
    SHOW(cuCtxSetCurrent(context));
    SHOW(cuMemAlloc(&memory, N * sizeof(int)));
    SHOW(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    pools();
    managed();
    streams();
    fills();
    nodes();
    clusters();
    overlapped();
    refused();
    SHOW(cuStreamDestroy(stream));
    SHOW(cuMemFree(memory));
    return 0;
}
