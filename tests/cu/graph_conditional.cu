// workers: 1 2 8
// Conditional nodes: if, if with else, while and switch; nested; with bodies of several branches, of
// copies, fills and child graphs, and with captured bodies; default values at each launch.
#include <vector>

#include "show.h"

enum { N = 1000 };

__global__ void set(cudaGraphConditionalHandle handle, const int *value)
{
    cudaGraphSetConditional(handle, (unsigned)*value);
}
__global__ void add(int *to, int what)
{
    *to += what;
}
__global__ void add_each(int *to, const int *from)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        to[i] += from[i];
    }
}
// A loop: count goes from 0 to end.
__global__ void count_up(cudaGraphConditionalHandle handle, int *count, int end)
{
    cudaGraphSetConditional(handle, ++*count < end);
}
__global__ void outer_step(cudaGraphConditionalHandle handle, int *outer, int *inner)
{
    *inner = 0;
    cudaGraphSetConditional(handle, ++*outer < 4);
}

template <class... Args>
static cudaGraphNode_t kernel(cudaGraph_t graph, std::vector<cudaGraphNode_t> deps, dim3 grid,
                              dim3 block, void (*func)(Args...), Args... args)
{
    void *list[] = {&args...};
    cudaKernelNodeParams params = {};
    params.func = (void *)func;
    params.gridDim = grid;
    params.blockDim = block;
    params.kernelParams = list;
    cudaGraphNode_t node = NULL;
    cudaError_t error =
        cudaGraphAddKernelNode(&node, graph, deps.data(), deps.size(), &params);
    if (error != cudaSuccess) {
        printf("kernel node: %s\n", cudaGetErrorName(error));
    }
    return node;
}

struct conditional {
    cudaGraphNode_t node;
    cudaGraph_t *body;
};
static conditional add_conditional(cudaGraph_t graph, std::vector<cudaGraphNode_t> deps,
                                   cudaGraphConditionalHandle handle,
                                   cudaGraphConditionalNodeType type, unsigned size)
{
    cudaGraphNodeParams params = {};
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.handle = handle;
    params.conditional.type = type;
    params.conditional.size = size;
    conditional made = {};
    cudaError_t error =
        cudaGraphAddNode(&made.node, graph, deps.data(), deps.size(), &params);
    if (error != cudaSuccess) {
        printf("conditional node: %s\n", cudaGetErrorName(error));
    }
    made.body = params.conditional.phGraph_out;
    return made;
}

static cudaStream_t stream;

static int run(cudaGraphExec_t exec)
{
    MUST(cudaGraphLaunch(exec, stream));
    MUST(cudaStreamSynchronize(stream));
    return 0;
}

static int branches(int *data)
{
    static const char *const names[] = {"if", "if else", "switch"};
    for (int form = 0; form < 3; form++) {
        cudaGraph_t graph;
        cudaGraphConditionalHandle handle;
        cudaGraphExec_t exec;
        MUST(cudaGraphCreate(&graph, 0));
        MUST(cudaGraphConditionalHandleCreate(&handle, graph));
        unsigned size = form == 2 ? 4 : form + 1;
        int *value = data, *sum = data + 1;
        cudaGraphNode_t first =
            kernel<cudaGraphConditionalHandle, const int *>(graph, {}, 1, 1, set, handle, value);
        conditional made = add_conditional(
            graph, {first}, handle, form == 2 ? cudaGraphCondTypeSwitch : cudaGraphCondTypeIf, size);
        int step = 1;
        for (unsigned i = 0; i < size; i++, step *= 10) {
            kernel(made.body[i], {}, 1, 1, add, sum, step);
        }
        kernel(graph, {made.node}, 1, 1, add, sum, 100000);
        MUST(cudaGraphInstantiate(&exec, graph, 0));
        printf("%s:", names[form]);
        for (int i = 0; i < 6; i++) {
            *value = i;
            *sum = 0;
            if (run(exec) != 0) {
                return 1;
            }
            printf(" %d", *sum);
        }
        puts("");
        cudaGraphNodeType type;
        MUST(cudaGraphNodeGetType(made.node, &type));
        printf("type %d\n", (int)type);
        MUST(cudaGraphExecDestroy(exec));
        MUST(cudaGraphDestroy(graph));
    }
    return 0;
}

// An outer loop of 4 rounds, in each an inner loop of 3 rounds, in each a switch that is never taken
// and an if that is taken once in all.
static int nested(int *data)
{
    int *outer = data, *inner = data + 1, *rounds = data + 2, *once = data + 3, *never = data + 4;
    int *ends = data + 5;
    cudaGraph_t graph;
    cudaGraphConditionalHandle on_outer, on_inner, on_if, on_switch;
    cudaGraphExec_t exec;
    MUST(cudaGraphCreate(&graph, 0));
    MUST(cudaGraphConditionalHandleCreate(&on_outer, graph, 1, cudaGraphCondAssignDefault));
    conditional out = add_conditional(graph, {}, on_outer, cudaGraphCondTypeWhile, 1);
    MUST(cudaGraphConditionalHandleCreate(&on_inner, graph, 1, cudaGraphCondAssignDefault));
    MUST(cudaGraphConditionalHandleCreate(&on_if, out.body[0], 1, cudaGraphCondAssignDefault));
    MUST(cudaGraphConditionalHandleCreate(&on_switch, graph, 7, cudaGraphCondAssignDefault));
    cudaGraphNode_t step = kernel(out.body[0], {}, 1, 1, outer_step, on_outer, outer, inner);
    conditional in = add_conditional(out.body[0], {step}, on_inner, cudaGraphCondTypeWhile, 1);
    cudaGraphNode_t count = kernel(in.body[0], {}, 1, 1, count_up, on_inner, inner, 3);
    conditional taken = add_conditional(in.body[0], {count}, on_if, cudaGraphCondTypeIf, 1);
    kernel(in.body[0], {count}, 1, 1, add, rounds, 1);
    kernel(taken.body[0], {}, 1, 1, add, once, 1);
    kernel<cudaGraphConditionalHandle, const int *>(taken.body[0], {}, 1, 1, set, on_if, data + 9);
    conditional not_taken =
        add_conditional(in.body[0], {taken.node}, on_switch, cudaGraphCondTypeSwitch, 2);
    kernel(not_taken.body[1], {}, 1, 1, add, never, 1);
    // The inner loop has ended with 0. Its next beginning needs another value.
    int *one = data + 8;
    kernel<cudaGraphConditionalHandle, const int *>(out.body[0], {in.node}, 1, 1, set, on_inner, one);
    kernel(graph, {out.node}, 1, 1, add, ends, 1);
    for (int i = 0; i < 8; i++) {
        data[i] = 0;
    }
    data[9] = 0;
    *one = 1;
    MUST(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 2; i++) {
        *outer = 0;
        if (run(exec) != 0) {
            return 1;
        }
        printf("nested: outer %d, inner %d, rounds %d, if %d, switch %d, ends %d\n", *outer, *inner,
               *rounds, *once, *never, *ends);
    }
    MUST(cudaGraphExecDestroy(exec));
    MUST(cudaGraphDestroy(graph));
    return 0;
}

// A loop over a fill, two branches, a copy and a child graph; 5 launches follow each other at once.
static int large_body(int *data)
{
    int *a = data, *b = a + N, *c = b + N, *count = c + N;
    cudaGraph_t graph, child;
    cudaGraphConditionalHandle handle;
    cudaGraphExec_t exec;
    MUST(cudaGraphCreate(&graph, 0));
    MUST(cudaGraphCreate(&child, 0));
    MUST(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
    cudaMemsetParams zero = {count, 0, 0, 4, 1, 1};
    cudaGraphNode_t first, filled, copied, inner;
    MUST(cudaGraphAddMemsetNode(&first, graph, NULL, 0, &zero));
    conditional loop = add_conditional(graph, {first}, handle, cudaGraphCondTypeWhile, 1);
    cudaGraph_t body = loop.body[0];
    cudaMemsetParams ones = {a, 0, 1, 4, N, 1};
    MUST(cudaGraphAddMemsetNode(&filled, body, NULL, 0, &ones));
    dim3 grid((N + 127) / 128), block(128);
    cudaGraphNode_t left = kernel<int *, const int *>(body, {filled}, grid, block, add_each, b, a);
    cudaGraphNode_t right = kernel<int *, const int *>(body, {filled}, grid, block, add_each, c, a);
    cudaGraphNode_t counted = kernel(body, {filled}, 1, 1, count_up, handle, count, 20);
    cudaGraphNode_t all[] = {left, right, counted};
    MUST(cudaGraphAddMemcpyNode1D(&copied, body, all, 3, a, c, N * sizeof *a, cudaMemcpyDeviceToDevice));
    kernel<int *, const int *>(child, {}, grid, block, add_each, b, a);
    kernel(child, {}, 1, 1, add, count + 1, 1);
    MUST(cudaGraphAddChildGraphNode(&inner, body, &copied, 1, child));
    for (int i = 0; i < 3 * N + 2; i++) {
        data[i] = 0;
    }
    MUST(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 5; i++) {
        MUST(cudaGraphLaunch(exec, i % 2 ? stream : 0));
    }
    MUST(cudaDeviceSynchronize());
    int wrong = 0; // round r: c = r, b = r before + 1 + r
    for (int i = 0; i < N; i++) {
        wrong += c[i] != 100 || b[i] != 100 + 100 * 101 / 2 || a[i] != 100;
    }
    printf("large body: %d wrong, %d in the child, count %d\n", wrong, count[1], count[0]);

    // Parameters of a node in the body; the end while a launch is pending.
    cudaKernelNodeParams params;
    MUST(cudaGraphKernelNodeGetParams(counted, &params));
    int end = 3;
    void *args[] = {params.kernelParams[0], params.kernelParams[1], &end};
    params.kernelParams = args;
    MUST(cudaGraphExecKernelNodeSetParams(exec, counted, &params));
    MUST(cudaGraphLaunch(exec, stream));
    MUST(cudaGraphExecDestroy(exec));
    MUST(cudaStreamSynchronize(stream));
    printf("changed: count %d, c %d\n", count[0], c[N - 1]);
    MUST(cudaGraphInstantiate(&exec, graph, 0)); // again, after the end of the first
    MUST(cudaGraphLaunch(exec, cudaStreamPerThread));
    MUST(cudaGraphLaunch(exec, stream));
    MUST(cudaDeviceSynchronize());
    printf("again: count %d, c %d\n", count[0], c[N - 1]);
    MUST(cudaGraphExecDestroy(exec));
    MUST(cudaGraphDestroy(graph));
    MUST(cudaGraphDestroy(child));
    return 0;
}

// The node is added while the stream is captured, and the body is captured.
static int captured(int *data)
{
    cudaStream_t other, forked;
    cudaEvent_t fork, join;
    MUST(cudaStreamCreate(&other));
    MUST(cudaStreamCreate(&forked));
    MUST(cudaEventCreate(&fork));
    MUST(cudaEventCreate(&join));
    cudaStreamCaptureStatus status;
    cudaGraph_t graph, same;
    const cudaGraphNode_t *deps;
    size_t count;
    MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    MUST(cudaMemsetAsync(data, 0, 4 * sizeof *data, stream));
    MUST(cudaStreamGetCaptureInfo_v2(stream, &status, NULL, &graph, &deps, &count));
    cudaGraphConditionalHandle handle;
    MUST(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
    std::vector<cudaGraphNode_t> before(deps, deps + count);
    conditional loop = add_conditional(graph, before, handle, cudaGraphCondTypeWhile, 1);
    MUST(cudaStreamUpdateCaptureDependencies(stream, &loop.node, 1, cudaStreamSetCaptureDependencies));
    MUST(cudaStreamBeginCaptureToGraph(other, loop.body[0], NULL, NULL, 0, cudaStreamCaptureModeGlobal));
    count_up<<<1, 1, 0, other>>>(handle, data, 1000);
    MUST(cudaEventRecord(fork, other));
    MUST(cudaStreamWaitEvent(forked, fork, 0));
    add<<<1, 1, 0, forked>>>(data + 1, 1);
    add<<<1, 1, 0, other>>>(data + 2, 2);
    MUST(cudaEventRecord(join, forked));
    MUST(cudaStreamWaitEvent(other, join, 0));
    MUST(cudaStreamEndCapture(other, &same));
    printf("the same graph: %d\n", same == loop.body[0]);
    add<<<1, 1, 0, stream>>>(data + 3, 5);
    MUST(cudaStreamEndCapture(stream, &graph));
    cudaGraphExec_t exec;
    MUST(cudaGraphInstantiate(&exec, graph, 0));
    if (run(exec) != 0 || run(exec) != 0) {
        return 1;
    }
    printf("captured: %d %d %d %d\n", data[0], data[1], data[2], data[3]);
    MUST(cudaGraphExecDestroy(exec));
    MUST(cudaGraphDestroy(graph));
    MUST(cudaStreamDestroy(other));
    MUST(cudaStreamDestroy(forked));
    MUST(cudaEventDestroy(fork));
    MUST(cudaEventDestroy(join));
    return 0;
}

// Without a default at each launch the value stays. A body without nodes runs as well.
static int kept(int *data)
{
    int *value = data, *sum = data + 1;
    cudaGraph_t graph;
    cudaGraphConditionalHandle handle, other;
    cudaGraphExec_t exec;
    MUST(cudaGraphCreate(&graph, 0));
    MUST(cudaGraphConditionalHandleCreate(&handle, graph, 0, 0));
    MUST(cudaGraphConditionalHandleCreate(&other, graph, 0, 0));
    conditional taken = add_conditional(graph, {}, handle, cudaGraphCondTypeIf, 2);
    conditional empty = add_conditional(graph, {taken.node}, other, cudaGraphCondTypeIf, 2);
    kernel(taken.body[0], {}, 1, 1, add, sum, 1);
    kernel<cudaGraphConditionalHandle, const int *>(graph, {empty.node}, 1, 1, set, handle, value);
    MUST(cudaGraphInstantiate(&exec, graph, 0));
    *sum = 0;
    printf("kept:");
    for (int i = 0; i < 4; i++) {
        *value = i < 2;
        if (run(exec) != 0) {
            return 1;
        }
        printf(" %d", *sum);
    }
    puts("");
    MUST(cudaGraphExecDestroy(exec));
    MUST(cudaGraphDestroy(graph));
    return 0;
}

int main()
{
    int *data;
    MUST(cudaMallocManaged(&data, (3 * N + 10) * sizeof *data));
    MUST(cudaStreamCreate(&stream));
    int failed = branches(data) || nested(data) || large_body(data) || captured(data) || kept(data);
    MUST(cudaStreamDestroy(stream));
    MUST(cudaFree(data));
    return failed;
}
