// workers: 1 2 8
// Graphs that kernels launch: fire and forget, siblings, tails, a graph that launches itself again;
// what each environment includes, and the order of tails.
#include <vector>

#include "show.h"

enum { MANY = 100, ROUNDS = 2000 };

static cudaStream_t stream;
__device__ cudaGraphExec_t launched[MANY];

// Kernels append to the journal what they did.
struct journal {
    int count, entries[31];
};

__device__ void note(journal *to, int what)
{
    to->entries[atomicAdd(&to->count, 1)] = what;
}
__global__ void write(journal *to, int what)
{
    note(to, what);
}
__global__ void slow(journal *to, int what)
{
    for (long long end = clock64() + 2000000; clock64() < end;) {
    }
    note(to, what);
}
__global__ void launch(int first, int count, cudaStream_t way, int *errors)
{
    for (int i = first; i < first + count; i++) {
        atomicAdd(errors, cudaGraphLaunch(launched[i], way) != cudaSuccess);
    }
}
__global__ void count_up(int *count, int blocks)
{
    atomicAdd(count, blocks == (int)gridDim.x);
}
// The graph runs again until the count is reached.
__global__ void again(int *count, int end, int *errors)
{
    if (threadIdx.x == 0 && ++*count < end) {
        cudaGraphExec_t self = cudaGetCurrentGraphExec();
        atomicAdd(errors, cudaGraphLaunch(self, cudaStreamGraphTailLaunch) != cudaSuccess);
    }
}
__global__ void wait_for(int *flag, journal *to, int what)
{
    while (atomicAdd(flag, 0) == 0) {
    }
    note(to, what);
}
__global__ void set(int *flag)
{
    atomicExch(flag, 1);
}

// A graph of kernels, one after the other.
struct chain {
    cudaGraph_t graph;
    cudaGraphNode_t last = NULL;
    cudaGraphExec_t exec = NULL;

    chain()
    {
        (void)cudaGraphCreate(&graph, 0);
    }
    template <class... Args> chain &then(dim3 grid, void (*func)(Args...), Args... args)
    {
        void *list[] = {&args...};
        cudaKernelNodeParams params = {};
        params.func = (void *)func;
        params.gridDim = grid;
        params.blockDim = dim3(1);
        params.kernelParams = list;
        cudaError_t error = cudaGraphAddKernelNode(&last, graph, &last, last != NULL, &params);
        if (error != cudaSuccess) {
            printf("node: %s\n", cudaGetErrorName(error));
        }
        return *this;
    }
    // number: of launched; -1: only the host launches it.
    int ready(int number)
    {
        MUST(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagDeviceLaunch));
        if (number >= 0) {
            MUST(cudaGraphUpload(exec, stream));
            MUST(cudaMemcpyToSymbol(launched, &exec, sizeof exec, number * sizeof exec));
        }
        return 0;
    }
    ~chain()
    {
        (void)cudaGraphExecDestroy(exec);
        (void)cudaGraphDestroy(graph);
    }
};

static int run(const char *name, const chain &graph, journal *log, int *errors)
{
    *log = journal();
    *errors = 0;
    MUST(cudaGraphLaunch(graph.exec, stream));
    write<<<1, 1, 0, stream>>>(log, 0);
    MUST(cudaStreamSynchronize(stream));
    printf("%s:", name);
    for (int i = 0; i < log->count; i++) {
        printf(" %d", log->entries[i]);
    }
    printf("%s\n", *errors != 0 ? " with errors" : "");
    return 0;
}

// What the stream does next (0) comes after all that a launch includes.
static int environments(journal *log, int *errors)
{
    chain first, second, third, top;
    first.then(1, slow, log, 1).ready(0);
    // A graph within a graph within a graph; tails after all of it.
    second.then(1, launch, 0, 1, cudaStreamGraphFireAndForget, errors).ready(1);
    third.then(1, write, log, 3).ready(2);
    top.then(1, launch, 1, 1, cudaStreamGraphFireAndForget, errors)
        .then(1, launch, 2, 1, cudaStreamGraphTailLaunch, errors)
        .ready(-1);
    for (int i = 0; i < 3; i++) {
        if (run("tail after what was forgotten", top, log, errors) != 0) {
            return 1;
        }
    }
    return 0;
}

// A tail of the launching graph does not wait for a sibling; the stream does.
static int siblings(journal *log, int *errors, int *flag)
{
    chain sibling, tail, top;
    sibling.then(1, wait_for, flag, log, 1).ready(0);
    tail.then(1, write, log, 2).then(1, set, flag).ready(1);
    top.then(1, launch, 0, 1, cudaStreamGraphFireAndForgetAsSibling, errors)
        .then(1, launch, 1, 1, cudaStreamGraphTailLaunch, errors)
        .ready(-1);
    for (int i = 0; i < 3; i++) {
        *flag = 0;
        if (run("sibling after the tail", top, log, errors) != 0) {
            return 1;
        }
    }
    return 0;
}

// A forgotten graph runs while the launching kernel does.
static int at_once(journal *log, int *errors, int *flag)
{
    chain forgotten, top;
    forgotten.then(1, set, flag).ready(0);
    top.then(1, launch, 0, 1, cudaStreamGraphFireAndForget, errors)
        .then(1, wait_for, flag, log, 1)
        .ready(-1);
    *flag = 0;
    return run("at once", top, log, errors);
}

// Tails of tails come before the tails that wait already.
static int order(journal *log, int *errors)
{
    chain tails[6], top;
    for (int i = 2; i < 6; i++) {
        tails[i].then(1, write, log, i).ready(i);
    }
    tails[0].then(1, write, log, 10).then(1, launch, 2, 2, cudaStreamGraphTailLaunch, errors).ready(0);
    tails[1].then(1, write, log, 11).then(1, launch, 4, 2, cudaStreamGraphTailLaunch, errors).ready(1);
    top.then(1, launch, 0, 2, cudaStreamGraphTailLaunch, errors).ready(-1);
    return run("tails", top, log, errors) || run("tails", top, log, errors);
}

static int repeated(journal *log, int *count, int *errors)
{
    chain loop, first, last;
    loop.then(1, count_up, count + 1, 1).then(1, again, count, (int)ROUNDS, errors).ready(0);
    *errors = 0;
    for (int i = 0; i < 2; i++) {
        count[0] = count[1] = 0;
        MUST(cudaGraphLaunch(loop.exec, stream));
        MUST(cudaStreamSynchronize(stream));
        printf("again: %d, %d\n", count[0], count[1]);
    }
    // The same loop as a tail, before another tail.
    count[0] = count[1] = 0;
    last.then(1, write, log, 1).ready(1);
    first.then(1, launch, 0, 2, cudaStreamGraphTailLaunch, errors).ready(-1);
    int failed = run("loop", first, log, errors);
    printf("again: %d, %d\n", count[0], count[1]);
    return failed;
}

static int many(int *count, int *errors)
{
    std::vector<chain> graphs(MANY);
    for (int i = 0; i < MANY; i++) {
        graphs[i].then(4, count_up, count, 4).then(3, count_up, count, 3).ready(i);
    }
    chain top;
    top.then(1, launch, 0, MANY / 2, cudaStreamGraphFireAndForget, errors)
        .then(1, launch, MANY / 2, MANY / 2, cudaStreamGraphTailLaunch, errors)
        .ready(-1);
    *count = *errors = 0;
    for (int i = 0; i < 10; i++) {
        MUST(cudaGraphLaunch(top.exec, i % 2 ? stream : 0));
        if (i == 4) { // the host launches one that kernels launch, too
            MUST(cudaGraphLaunch(graphs[0].exec, i % 2 ? stream : 0));
        }
    }
    MUST(cudaDeviceSynchronize());
    printf("many: %d, %d errors\n", *count, *errors);
    return 0;
}

// Copies, fills, child graphs and branches.
static int kinds(int *data, int *errors)
{
    chain graph, child, top;
    int *a = data, *b = data + 100, *c = data + 200;
    cudaGraphNode_t fill, copy, within;
    cudaMemsetParams zeros = {a, 0, 1, 4, 100, 1};
    MUST(cudaGraphAddMemsetNode(&fill, graph.graph, NULL, 0, &zeros));
    MUST(cudaGraphAddMemcpyNode1D(&copy, graph.graph, NULL, 0, c, b, 400, cudaMemcpyDefault));
    child.then(1, count_up, c, 1);
    MUST(cudaGraphAddChildGraphNode(&within, graph.graph, &copy, 1, child.graph));
    graph.last = within;
    graph.ready(0);
    top.then(1, launch, 0, 1, cudaStreamGraphFireAndForget, errors).ready(-1);
    for (int i = 0; i < 300; i++) {
        data[i] = i + 1;
    }
    *errors = 0;
    MUST(cudaGraphLaunch(top.exec, stream));
    MUST(cudaStreamSynchronize(stream));
    printf("kinds: %d %d %d %d, %d errors\n", a[0], a[99], c[0], c[99], *errors);
    return 0;
}

int main()
{
    int *data;
    journal *log;
    MUST(cudaMallocManaged(&data, 400 * sizeof *data));
    MUST(cudaMallocManaged(&log, sizeof *log));
    MUST(cudaStreamCreate(&stream));
    int *errors = data + 399, *flag = data + 398;
    int failed = environments(log, errors) || siblings(log, errors, flag) ||
                 at_once(log, errors, flag) || order(log, errors) ||
                 repeated(log, data, errors) || many(data, errors) || kinds(data, errors);
    MUST(cudaStreamDestroy(stream));
    MUST(cudaFree(log));
    MUST(cudaFree(data));
    return failed;
}
