// Stream memory operations: which addresses and flags they accept, what waits compare, batches,
// graph nodes, captures. An H200 gave the same codes, but for an address of 0 in a capture, which it
// accepts, and for an array that is missing, which it reads.
#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>

#include "show.h"

static __device__ unsigned word[2];

__global__ void set(unsigned *p, unsigned value)
{
    *(volatile unsigned *)p = value;
}

static CUstream stream, other;
static CUdeviceptr memory;

static void attributes()
{
    int values[6], which[] = {92, 93, 94, CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS,
                              CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR,
                              CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES};
    for (int i = 0; i < 6; i++) {
        cuDeviceGetAttribute(&values[i], (CUdevice_attribute)which[i], 0);
        printf("%d ", values[i]);
    }
    puts("");
}

static unsigned long long value_at(CUdeviceptr p)
{
    unsigned long long value = 0;
    cuStreamSynchronize(stream);
    cuMemcpyDtoH(&value, p, 8);
    return value;
}

static void addresses()
{
    puts("-- addresses");
    CUdeviceptr p = memory, of_word;
    SHOW(cuStreamWriteValue32(stream, p, 7, 0));
    printf("%llx\n", value_at(p));
    SHOW(cuStreamWriteValue64(stream, p + 8, 0x123456789abcull, 0));
    printf("%llx\n", value_at(p + 8));
    SHOW(cuStreamWriteValue32(stream, p + 1, 7, 0));
    SHOW(cuStreamWriteValue32(stream, p + 2, 7, 0));
    SHOW(cuStreamWriteValue64(stream, p + 4, 7, 0));
    SHOW(cuStreamWriteValue64(stream, p + 2, 7, 0));
    SHOW(cuStreamWaitValue32(stream, p + 2, 0, 0));
    SHOW(cuStreamWaitValue64(stream, p + 4, 0, 0));
    SHOW(cuStreamWriteValue32(stream, 0, 7, 0));
    SHOW(cuStreamWaitValue32(stream, 0, 7, 0));
    SHOW(cuStreamWriteValue32(stream, p + 4094, 7, 0));
    SHOW(cuStreamWriteValue32(stream, p + (64 << 20), 7, 0));
    static unsigned plain[4];
    SHOW(cuStreamWriteValue32(stream, (CUdeviceptr)plain, 7, 0));
    SHOW(cuStreamWaitValue32(stream, (CUdeviceptr)plain, 0, 0));
    void *pinned;
    SHOW(cuMemHostAlloc(&pinned, 64, 0));
    SHOW(cuStreamWriteValue32(stream, (CUdeviceptr)pinned, 9, 0));
    printf("%llx\n", value_at((CUdeviceptr)pinned) & 0xffffffff);
    CUdeviceptr managed;
    SHOW(cuMemAllocManaged(&managed, 64, CU_MEM_ATTACH_GLOBAL));
    SHOW(cuStreamWriteValue32(stream, managed, 9, 0));
    SHOW(cuStreamWaitValue32(stream, managed, 0, 0));
    cudaGetSymbolAddress((void **)&of_word, word);
    SHOW(cuStreamWriteValue32(stream, of_word, 9, 0));
    printf("%llx\n", value_at(of_word));
    SHOW(cuStreamWriteValue32((CUstream)0, p, 8, 0));
    printf("%llx\n", value_at(p) & 0xffffffff);
    SHOW(cuMemFreeHost(pinned));
    SHOW(cuMemFree(managed));
}

static void flags()
{
    puts("-- flags");
    SHOW(cuStreamWriteValue32(stream, memory, 1, CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER));
    SHOW(cuStreamWriteValue32(stream, memory, 1, 2));
    SHOW(cuStreamWriteValue32(stream, memory, 1, 8));
    SHOW(cuStreamWaitValue32(stream, memory, 1, CU_STREAM_WAIT_VALUE_FLUSH));
    SHOW(cuStreamWaitValue32(stream, memory, 1, 4));
    SHOW(cuStreamWaitValue32(stream, memory, 1, 8));
    SHOW(cuStreamWaitValue32(stream, memory, 1, 0xffff));
    SHOW(cuStreamSynchronize(stream));
}

/* Whether the wait ends at once. */
static void waits(bool is_64, unsigned long long at, unsigned long long value, unsigned flags)
{
    CUdeviceptr p = memory + 64;
    cuMemcpyHtoD(p, &at, 8);
    if (is_64) {
        cuStreamWaitValue64(stream, p, value, flags);
    } else {
        cuStreamWaitValue32(stream, p, (unsigned)value, flags);
    }
    CUresult result = CUDA_ERROR_NOT_READY;
    for (int i = 0; i < 60 && result == CUDA_ERROR_NOT_READY; i++) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        result = cuStreamQuery(stream);
    }
    printf("%s %llx %llx %u: %s\n", is_64 ? "64" : "32", at, value, flags,
           result == CUDA_SUCCESS ? "ends" : "waits");
    if (result != CUDA_SUCCESS) { /* a value that ends it */
        unsigned long long end = flags == 3 ? ~value & 0x7fffffff : value;
        cuStreamWriteValue64(other, p, end, 0);
        SHOW(cuStreamSynchronize(stream));
    }
}

static void comparisons()
{
    puts("-- comparisons");
    waits(false, 5, 5, CU_STREAM_WAIT_VALUE_GEQ);
    waits(false, 6, 5, CU_STREAM_WAIT_VALUE_GEQ);
    waits(false, 4, 5, CU_STREAM_WAIT_VALUE_GEQ);
    waits(false, 0x80000004, 5, CU_STREAM_WAIT_VALUE_GEQ);
    waits(false, 0x80000006, 5, CU_STREAM_WAIT_VALUE_GEQ);
    waits(false, 3, 0xfffffffe, CU_STREAM_WAIT_VALUE_GEQ);
    waits(false, 5, 5, CU_STREAM_WAIT_VALUE_EQ);
    waits(false, 6, 5, CU_STREAM_WAIT_VALUE_EQ);
    waits(false, 6, 2, CU_STREAM_WAIT_VALUE_AND);
    waits(false, 4, 3, CU_STREAM_WAIT_VALUE_AND);
    waits(false, 4, 3, CU_STREAM_WAIT_VALUE_NOR);
    waits(false, 0xfffffff0, 0xf, CU_STREAM_WAIT_VALUE_NOR);
    waits(true, 0x500000000, 0x500000000, CU_STREAM_WAIT_VALUE_GEQ);
    waits(true, 0x4ffffffff, 0x500000000, CU_STREAM_WAIT_VALUE_GEQ);
    waits(true, 0x8000000000000001, 5, CU_STREAM_WAIT_VALUE_GEQ);
    waits(true, 0x100000001, 1, CU_STREAM_WAIT_VALUE_EQ);
    waits(true, 0x100000000, 0x300000000, CU_STREAM_WAIT_VALUE_AND);
}

static CUstreamBatchMemOpParams op(CUstreamBatchMemOpType type, CUdeviceptr p, unsigned value,
                                   unsigned flags = 0)
{
    CUstreamBatchMemOpParams params;
    memset(&params, 0, sizeof params);
    params.operation = type;
    if (type == CU_STREAM_MEM_OP_BARRIER) {
        params.memoryBarrier.flags = flags;
    } else if (type == CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES) {
        params.flushRemoteWrites.flags = flags;
    } else {
        params.writeValue.address = p;
        params.writeValue.value64 = value;
        params.writeValue.flags = flags;
    }
    return params;
}

static void batches()
{
    puts("-- batches");
    CUdeviceptr p = memory;
    static CUstreamBatchMemOpParams many[300];
    for (int i = 0; i < 300; i++) {
        many[i] = op(CU_STREAM_MEM_OP_WRITE_VALUE_32, p + 4 * i, i);
    }
    SHOW(cuStreamBatchMemOp(stream, 0, many, 0));
    SHOW(cuStreamBatchMemOp(stream, 0, NULL, 0));
    SHOW(cuStreamBatchMemOp(stream, 1, NULL, 0));
    SHOW(cuStreamBatchMemOp(stream, 1, many, 1));
    SHOW(cuStreamBatchMemOp(stream, 255, many, 0));
    printf("%llx\n", value_at(p + 4 * 253));
    SHOW(cuStreamBatchMemOp(stream, 256, many, 0));
    SHOW(cuStreamBatchMemOp(stream, 257, many, 0));
    CUstreamBatchMemOpParams bad[2] = {op(CU_STREAM_MEM_OP_WRITE_VALUE_32, p, 77),
                                       op((CUstreamBatchMemOpType)7, p, 1)};
    SHOW(cuStreamBatchMemOp(stream, 2, bad, 0));
    printf("%llx\n", value_at(p) & 0xffffffff);
    bad[1] = op(CU_STREAM_MEM_OP_WRITE_VALUE_32, 0, 1);
    SHOW(cuStreamBatchMemOp(stream, 2, bad, 0));
    printf("%llx\n", value_at(p) & 0xffffffff);
    CUstreamBatchMemOpParams one = op(CU_STREAM_MEM_OP_BARRIER, 0, 0, 0);
    SHOW(cuStreamBatchMemOp(stream, 1, &one, 0));
    one = op(CU_STREAM_MEM_OP_BARRIER, 0, 0, 1);
    SHOW(cuStreamBatchMemOp(stream, 1, &one, 0));
    one = op(CU_STREAM_MEM_OP_BARRIER, 0, 0, 2);
    SHOW(cuStreamBatchMemOp(stream, 1, &one, 0));
    one = op(CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES, 0, 0, 0);
    SHOW(cuStreamBatchMemOp(stream, 1, &one, 0));
    one = op(CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES, 0, 0, 1);
    SHOW(cuStreamBatchMemOp(stream, 1, &one, 0));
    CUstreamBatchMemOpParams both[] = {op(CU_STREAM_MEM_OP_WRITE_VALUE_32, p, 3),
                                       op(CU_STREAM_MEM_OP_WAIT_VALUE_32, p, 3, 1),
                                       op(CU_STREAM_MEM_OP_BARRIER, 0, 0),
                                       op(CU_STREAM_MEM_OP_WAIT_VALUE_64, p + 8, 0),
                                       op(CU_STREAM_MEM_OP_WRITE_VALUE_64, p + 8, 4)};
    SHOW(cuStreamBatchMemOp(stream, 5, both, 0));
    printf("%llx\n", value_at(p + 8));
}

static void streams()
{
    puts("-- between streams");
    unsigned zero[2] = {};
    CUdeviceptr p = memory;
    SHOW(cuMemcpyHtoD(p, zero, 8));
    SHOW(cuStreamWaitValue32(stream, p, 1, 0));
    SHOW(cuStreamWriteValue32(stream, p + 4, 5, 0));
    SHOW(cuStreamQuery(stream));
    set<<<1, 1, 0, other>>>((unsigned *)p, 1);
    SHOW(cuStreamSynchronize(stream));
    printf("%llx\n", value_at(p));
}

static void print_op(const CUstreamBatchMemOpParams &o)
{
    if (o.operation == CU_STREAM_MEM_OP_BARRIER) {
        printf("  op %d flags %u\n", o.operation, o.memoryBarrier.flags);
        return;
    }
    printf("  op %d at %lld: %llu flags %u\n", o.operation, (long long)(o.writeValue.address - memory),
           (unsigned long long)o.writeValue.value64, o.writeValue.flags);
}

static void print_node(CUgraphNode node)
{
    CUDA_BATCH_MEM_OP_NODE_PARAMS params = {};
    SHOW(cuGraphBatchMemOpNodeGetParams(node, &params));
    printf("count %u flags %u\n", params.count, params.flags);
    for (unsigned i = 0; i < params.count; i++) {
        print_op(params.paramArray[i]);
    }
}

static void graphs()
{
    puts("-- graphs");
    CUgraph graph;
    CUgraphNode node, second, none;
    CUgraphExec exec;
    CUcontext context;
    CUdeviceptr p = memory;
    SHOW(cuCtxGetCurrent(&context));
    SHOW(cuGraphCreate(&graph, 0));
    CUstreamBatchMemOpParams ops[] = {op(CU_STREAM_MEM_OP_WRITE_VALUE_32, p, 21),
                                      op(CU_STREAM_MEM_OP_WAIT_VALUE_32, p, 21, 1),
                                      op(CU_STREAM_MEM_OP_WRITE_VALUE_64, p + 8, 22)};
    CUDA_BATCH_MEM_OP_NODE_PARAMS params = {context, 3, ops, 0};
    SHOW(cuGraphAddBatchMemOpNode(&node, graph, NULL, 0, &params));
    params.count = 0;
    SHOW(cuGraphAddBatchMemOpNode(&none, graph, NULL, 0, &params));
    params.count = 1;
    params.flags = 1;
    SHOW(cuGraphAddBatchMemOpNode(&none, graph, NULL, 0, &params));
    params.flags = 0;
    params.paramArray = NULL;
    SHOW(cuGraphAddBatchMemOpNode(&none, graph, NULL, 0, &params));
    params.paramArray = ops;
    params.ctx = NULL;
    SHOW(cuGraphAddBatchMemOpNode(&none, graph, NULL, 0, &params));
    params.ctx = context;
    SHOW(cuGraphAddBatchMemOpNode(&none, graph, NULL, 0, NULL));
    params.count = 256;
    static CUstreamBatchMemOpParams many[256];
    for (int i = 0; i < 256; i++) {
        many[i] = op(CU_STREAM_MEM_OP_WRITE_VALUE_32, p + 4 * i, i);
    }
    params.paramArray = many;
    SHOW(cuGraphAddBatchMemOpNode(&none, graph, NULL, 0, &params));
    CUstreamBatchMemOpParams wrong = op(CU_STREAM_MEM_OP_WRITE_VALUE_32, p + 2, 21);
    params.count = 1;
    params.paramArray = &wrong;
    SHOW(cuGraphAddBatchMemOpNode(&none, graph, NULL, 0, &params));
    CUgraphNodeParams general = {};
    general.type = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP;
    CUstreamBatchMemOpParams last = op(CU_STREAM_MEM_OP_WRITE_VALUE_64, p + 16, 23);
    general.memOp.ctx = context;
    general.memOp.count = 1;
    general.memOp.paramArray = &last;
    SHOW(cuGraphAddNode(&second, graph, &node, 1, &general));
    CUgraphNodeType type;
    SHOW(cuGraphNodeGetType(node, &type));
    printf("%d\n", type);
    print_node(node);
    print_node(second);
    SHOW(cuGraphInstantiate(&exec, graph, 0));
    SHOW(cuGraphLaunch(exec, stream));
    printf("%llx\n", value_at(p) & 0xffffffff);
    printf("%llx\n", value_at(p + 8));
    printf("%llx\n", value_at(p + 16));
    last = op(CU_STREAM_MEM_OP_WRITE_VALUE_64, p + 16, 24);
    params = {context, 1, &last, 0};
    SHOW(cuGraphExecBatchMemOpNodeSetParams(exec, second, &params));
    SHOW(cuGraphLaunch(exec, stream));
    printf("%llx\n", value_at(p + 16));
    params = {context, 2, ops, 0};
    SHOW(cuGraphExecBatchMemOpNodeSetParams(exec, second, &params));
    last = op(CU_STREAM_MEM_OP_WAIT_VALUE_64, p + 16, 24);
    params = {context, 1, &last, 0};
    SHOW(cuGraphExecBatchMemOpNodeSetParams(exec, second, &params));
    SHOW(cuGraphBatchMemOpNodeSetParams(second, &params));
    print_node(second);
    params = {context, 2, ops, 0};
    SHOW(cuGraphBatchMemOpNodeSetParams(second, &params));
    print_node(second);
    CUgraphExecUpdateResultInfo info = {};
    SHOW(cuGraphExecUpdate(exec, graph, &info));
    printf("%d\n", info.result);
    CUDA_KERNEL_NODE_PARAMS kernel;
    SHOW(cuGraphKernelNodeGetParams(node, &kernel));
    CUgraph clone;
    SHOW(cuGraphClone(&clone, graph));
    SHOW(cuGraphDestroy(clone));
    SHOW(cuGraphExecDestroy(exec));
    SHOW(cuGraphDestroy(graph));
}

static void captures()
{
    puts("-- captures");
    CUgraph graph;
    CUgraphNode nodes[8];
    CUdeviceptr p = memory;
    size_t count = 8;
    SHOW(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    SHOW(cuStreamWriteValue32(stream, p, 31, 0));
    SHOW(cuStreamWaitValue32(stream, p, 31, 0));
    CUstreamBatchMemOpParams ops[] = {op(CU_STREAM_MEM_OP_WRITE_VALUE_32, p + 4, 32),
                                      op(CU_STREAM_MEM_OP_BARRIER, 0, 0)};
    SHOW(cuStreamBatchMemOp(stream, 2, ops, 0));
    SHOW(cuStreamBatchMemOp(stream, 0, ops, 0));
    SHOW(cuStreamEndCapture(stream, &graph));
    SHOW(cuGraphGetNodes(graph, nodes, &count));
    printf("%zu nodes\n", count);
    for (size_t i = 0; i < count; i++) {
        CUgraphNodeType type;
        cuGraphNodeGetType(nodes[i], &type);
        printf("%d\n", type);
        print_node(nodes[i]);
    }
    CUgraphExec exec;
    SHOW(cuGraphInstantiate(&exec, graph, 0));
    SHOW(cuGraphLaunch(exec, stream));
    printf("%llx\n", value_at(p));
    SHOW(cuGraphExecDestroy(exec));
    SHOW(cuGraphDestroy(graph));
    SHOW(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
    SHOW(cuStreamWriteValue32(stream, 0, 31, 0));
    SHOW(cuStreamWriteValue32(stream, p, 31, 8));
    SHOW(cuStreamEndCapture(stream, &graph));
    if (graph != NULL) {
        count = 8;
        cuGraphGetNodes(graph, NULL, &count);
        printf("%zu nodes\n", count);
    }
}

int main()
{
    cudaFree(0);
    cuInit(0);
    SHOW(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    SHOW(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
    SHOW(cuMemAlloc(&memory, 4096));
    SHOW(cuMemsetD8(memory, 0, 4096));
    attributes();
    addresses();
    flags();
    comparisons();
    batches();
    streams();
    graphs();
    captures();
    SHOW(cuStreamSynchronize(stream));
}
