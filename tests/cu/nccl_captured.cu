// cdpcc: -O0
// env: CDP_DEVICES=4 CDP_MEMORY_MB=256
// stderr: ^cdp: ncclInvalidUsage: ncclAllReduce: the communicator of a captured operation has ended, so its graph cannot be launched$
// Operations of NCCL in captured streams: nothing runs during the capture, each launch runs them anew in the order of
// the communicator's operations, with what the memory has then. To the program such a node is a kernel's.
#include <cstdio>
#include <cstdlib>
#include <thread>

#include <nccl.h>

constexpr int ranks = 4, n = 3000;
static ncclComm_t comms[ranks];
static cudaStream_t streams[ranks];
static int *in[ranks], *out[ranks];

static void check(int result, const char *what)
{
    if (result != 0) {
        printf("%s: %d\n", what, result);
        exit(1);
    }
}
#define CHECK(call) check((int)(call), #call)

__global__ void add(int *p, int x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        p[i] += x;
    }
}

static void all_streams()
{
    for (int r = 0; r < ranks; r++) {
        CHECK(cudaStreamSynchronize(streams[r]));
    }
}

static void clear()
{
    for (int r = 0; r < ranks; r++) {
        CHECK(cudaMemset(in[r], 0, n * sizeof(int)));
        CHECK(cudaMemset(out[r], 0, ranks * n * sizeof(int)));
        CHECK(cudaDeviceSynchronize());
    }
}

static void show(const char *what, int count)
{
    printf("%s:", what);
    for (int r = 0; r < ranks; r++) {
        for (int i = 0; i < count; i++) {
            int first, last;
            CHECK(cudaMemcpy(&first, out[r] + i * n, sizeof first, cudaMemcpyDefault));
            CHECK(cudaMemcpy(&last, out[r] + i * n + n - 1, sizeof last, cudaMemcpyDefault));
            printf(first == last ? " %d" : " %d(?)", first);
        }
    }
    printf("\n");
}

// A rank's stream: a kernel, then operations of NCCL, which the group collects.
static void capture_rank(int r, ncclRedOp_t op, cudaGraphExec_t *exec)
{
    cudaGraph_t graph;
    CHECK(cudaSetDevice(r));
    CHECK(cudaStreamBeginCapture(streams[r], cudaStreamCaptureModeThreadLocal));
    add<<<(n + 127) / 128, 128, 0, streams[r]>>>(in[r], r + 1);
    CHECK(ncclAllReduce(in[r], out[r], n, ncclInt, op, comms[r], streams[r]));
    CHECK(ncclGroupStart());
    CHECK(ncclSend(in[r], n, ncclInt, (r + 1) % ranks, comms[r], streams[r]));
    CHECK(ncclRecv(out[r] + n, n, ncclInt, (r + ranks - 1) % ranks, comms[r], streams[r]));
    CHECK(ncclGroupEnd());
    CHECK(cudaStreamEndCapture(streams[r], &graph));
    cudaGraphNode_t nodes[3];
    size_t count = 3;
    CHECK(cudaGraphGetNodes(graph, nodes, &count));
    cudaGraphNodeType type;
    CHECK(cudaGraphNodeGetType(nodes[1], &type));
    cudaKernelNodeParams params;
    if (r == 0) {
        printf("%zu nodes, type %d, parameters: %s\n", count, type,
               cudaGetErrorName(cudaGraphKernelNodeGetParams(nodes[1], &params)));
    }
    CHECK(cudaGraphInstantiate(exec, graph, 0));
    CHECK(cudaGraphDestroy(graph));
}

static void graph_per_rank()
{
    cudaGraphExec_t execs[ranks];
    int factor = 3;
    std::thread threads[ranks];
    clear();
    for (int r = 0; r < ranks; r++) {
        ncclRedOp_t op;
        CHECK(ncclRedOpCreatePreMulSum(&op, &factor, ncclInt, ncclScalarHostImmediate, comms[r]));
        capture_rank(r, op, &execs[r]);
        CHECK(ncclRedOpDestroy(op, comms[r])); // the captured operation has what it needs
    }
    show("captured", 2);
    for (int step = 1; step <= 2; step++) {
        for (int r = 0; r < ranks; r++) {
            CHECK(cudaGraphLaunch(execs[r], streams[r])); // by one thread: no launch waits for a rank
        }
        all_streams();
        show("launched", 2);
    }
    // Two launches without a wait, and operations that are not captured after them.
    for (int r = 0; r < ranks; r++) {
        threads[r] = std::thread([=] {
            CHECK(cudaSetDevice(r));
            CHECK(cudaGraphLaunch(execs[r], streams[r]));
            CHECK(cudaGraphLaunch(execs[r], streams[r]));
            CHECK(ncclAllReduce(out[r], out[r] + 2 * n, n, ncclInt, ncclMax, comms[r], streams[r]));
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    all_streams();
    show("launched twice", 3);
    for (cudaGraphExec_t exec : execs) {
        CHECK(cudaGraphExecDestroy(exec));
    }
}

// One graph with the operations of all ranks, each after many kernels of its own.
static void graph_of_all(cudaGraphExec_t *exec)
{
    cudaGraph_t graph;
    cudaEvent_t start, end;
    CHECK(cudaSetDevice(0));
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&end));
    CHECK(cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeRelaxed));
    CHECK(cudaEventRecord(start, streams[0]));
    for (int r = 0; r < ranks; r++) {
        CHECK(cudaSetDevice(r));
        CHECK(cudaStreamWaitEvent(streams[r], start));
        for (int i = 0; i < 3; i++) {
            cudaStream_t stream;
            cudaEvent_t joined;
            CHECK(cudaStreamCreate(&stream));
            CHECK(cudaEventCreate(&joined));
            CHECK(cudaStreamWaitEvent(stream, start));
            add<<<(n + 127) / 128, 128, 0, stream>>>(out[r] + i * n, 1);
            CHECK(cudaEventRecord(joined, stream));
            CHECK(cudaStreamWaitEvent(streams[r], joined));
        }
        CHECK(ncclAllReduce(in[r], in[r], n, ncclInt, ncclSum, comms[r], streams[r]));
    }
    for (int r = 0; r < ranks; r++) {
        CHECK(cudaSetDevice(r));
        CHECK(ncclAllReduce(out[r], out[r], n, ncclInt, ncclSum, comms[r], streams[r]));
        CHECK(cudaMemcpyAsync(out[r] + n, in[r], n * sizeof(int), cudaMemcpyDefault, streams[r]));
        cudaEvent_t joined;
        CHECK(cudaEventCreate(&joined));
        CHECK(cudaEventRecord(joined, streams[r]));
        CHECK(cudaStreamWaitEvent(streams[0], joined));
    }
    CHECK(cudaSetDevice(0));
    CHECK(cudaStreamEndCapture(streams[0], &graph));
    CHECK(cudaGraphInstantiate(exec, graph, 0));
    CHECK(cudaGraphDestroy(graph));
    clear();
    for (int r = 0; r < ranks; r++) {
        CHECK(cudaSetDevice(r));
        add<<<(n + 127) / 128, 128, 0, streams[r]>>>(in[r], 10 * r);
    }
    all_streams();
    CHECK(cudaGraphLaunch(*exec, streams[0]));
    all_streams();
    show("one graph", 3);
    CHECK(cudaGraphLaunch(*exec, streams[0]));
    all_streams();
    show("one graph", 3);
}

int main()
{
    cudaGraphExec_t exec;
    CHECK(ncclCommInitAll(comms, ranks, nullptr));
    for (int r = 0; r < ranks; r++) {
        CHECK(cudaSetDevice(r));
        CHECK(cudaStreamCreateWithFlags(&streams[r], cudaStreamNonBlocking));
        CHECK(cudaMalloc(&in[r], n * sizeof(int)));
        CHECK(cudaMalloc(&out[r], ranks * n * sizeof(int)));
    }
    graph_per_rank();
    graph_of_all(&exec);
    for (ncclComm_t comm : comms) {
        CHECK(ncclCommDestroy(comm));
    }
    printf("after the end: %s\n", cudaGetErrorName(cudaGraphLaunch(exec, streams[0])));
    all_streams();
    CHECK(cudaGraphExecDestroy(exec));
}
