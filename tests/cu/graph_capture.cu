// workers: 1 2 8
// Streams whose work becomes a graph: forks and joins by events, copies, fills, host functions,
// the graph as a child of another one; then the same work as in streams.
#include <string.h>

#include "show.h"

enum { N = 4096 };
static int calls;

__global__ void fill(int *out, int value)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}
__global__ void add(int *out, const int *a, const int *b)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = a[i] + b[i];
}
__global__ void child(int *data)
{
    data[threadIdx.x]++;
}
__global__ void parent(int *data) // dynamic parallelism within a graph
{
    if (threadIdx.x == 0) {
        child<<<1, 64>>>(data + blockIdx.x * 64);
    }
}
static void called(void *)
{
    calls++;
}

static int *a, *b, *c;
static cudaStream_t first, second;
static cudaEvent_t fork_event, join_event;

static void work(int *host)
{
    fill<<<N / 128, 128, 0, first>>>(a, 1);
    cudaEventRecord(fork_event, first);
    cudaStreamWaitEvent(second, fork_event, 0);
    fill<<<N / 128, 128, 0, second>>>(b, 20);
    cudaMemsetAsync(c, 0, N * sizeof *c, first);
    cudaLaunchHostFunc(second, called, NULL);
    cudaEventRecord(join_event, second);
    parent<<<N / 64, 32, 0, first>>>(a);
    cudaStreamWaitEvent(first, join_event, 0);
    add<<<N / 128, 128, 0, first>>>(c, a, b);
    cudaMemcpyAsync(host, c, N * sizeof *c, cudaMemcpyDeviceToHost, first);
}

static int wrong(const int *host, int value)
{
    int count = 0;
    for (int i = 0; i < N; i++) {
        count += host[i] != value;
    }
    return count;
}

int main()
{
    int *host;
    MUST(cudaMalloc(&a, N * sizeof *a));
    MUST(cudaMalloc(&b, N * sizeof *b));
    MUST(cudaMalloc(&c, N * sizeof *c));
    MUST(cudaMallocHost(&host, N * sizeof *host));
    MUST(cudaStreamCreate(&first));
    MUST(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
    MUST(cudaEventCreate(&fork_event));
    MUST(cudaEventCreateWithFlags(&join_event, cudaEventDisableTiming));

    cudaGraph_t graph, outer;
    cudaGraphExec_t exec, outer_exec;
    cudaStreamCaptureStatus status;
    memset(host, 0, N * sizeof *host);
    SHOW(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
    work(host);
    SHOW(cudaStreamIsCapturing(second, &status));
    printf("status %d\n", (int)status);
    cudaGraph_t captured;
    unsigned long long id = 0;
    size_t deps = 0;
    const cudaGraphNode_t *nodes;
    SHOW(cudaStreamGetCaptureInfo(first, &status, &id, &captured, &nodes, &deps));
    printf("status %d, id %s, %zu dependencies\n", (int)status, id != 0 ? "yes" : "no", deps);
    SHOW(cudaStreamEndCapture(first, &graph));
    printf("the same graph: %d, nothing ran: %d, %d calls\n", graph == captured, host[5], calls);
    size_t count = 0, edges = 0;
    SHOW(cudaGraphGetNodes(graph, NULL, &count));
    SHOW(cudaGraphGetEdges(graph, NULL, NULL, &edges));
    printf("%zu nodes, %zu edges\n", count, edges);

    SHOW(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
    for (int i = 0; i < 10; i++) {
        MUST(cudaGraphLaunch(exec, i % 2 ? first : second));
    }
    SHOW(cudaStreamSynchronize(second));
    SHOW(cudaStreamSynchronize(first));
    printf("%d wrong, %d calls\n", wrong(host, 22), calls);

    // A graph within a graph.
    cudaGraphNode_t inner, last;
    SHOW(cudaGraphCreate(&outer, 0));
    SHOW(cudaGraphAddChildGraphNode(&inner, outer, NULL, 0, graph));
    cudaHostNodeParams host_params = {called, NULL};
    SHOW(cudaGraphAddHostNode(&last, outer, &inner, 1, &host_params));
    SHOW(cudaGraphInstantiate(&outer_exec, outer, 0));
    memset(host, 0, N * sizeof *host);
    SHOW(cudaGraphLaunch(outer_exec, first));
    SHOW(cudaDeviceSynchronize());
    printf("%d wrong, %d calls\n", wrong(host, 22), calls);

    // The streams work as before.
    work(host);
    SHOW(cudaStreamSynchronize(first));
    printf("%d wrong, %d calls\n", wrong(host, 22), calls);

    MUST(cudaGraphExecDestroy(exec));
    MUST(cudaGraphExecDestroy(outer_exec));
    MUST(cudaGraphDestroy(graph));
    MUST(cudaGraphDestroy(outer));
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
    cudaEventDestroy(fork_event);
    cudaEventDestroy(join_event);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    cudaFreeHost(host);
}
