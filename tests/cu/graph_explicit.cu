// workers: 1 2 8
// A graph that is built node by node: a diamond of kernels between copies, a fill, a host function, a
// child graph, events. Launched several times, with changed parameters, as a clone, and updated.
#include <string.h>

#include "show.h"

enum { N = 1000 };
static int log_count;

__global__ void scale(int *out, const int *in, int factor)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        out[i] = in[i] * factor;
    }
}
__global__ void sum(int *out, const int *a, const int *b)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        out[i] = a[i] + b[i];
    }
}
__global__ void increase(int *data)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        data[i]++;
    }
}
static void count(void *data)
{
    log_count += *(int *)data;
}

static cudaKernelNodeParams kernel(void *func, void **args)
{
    cudaKernelNodeParams params = {};
    params.func = func;
    params.gridDim = dim3((N + 127) / 128);
    params.blockDim = dim3(128);
    params.kernelParams = args;
    return params;
}

// Nodes of several kinds by one call, which also changes them.
static int nodes_of_any_kind()
{
    int *data, first = -1, one = 1;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t fill, increases, counts;
    MUST(cudaMalloc(&data, N * sizeof *data));
    MUST(cudaGraphCreate(&graph, 0));
    void *args[] = {&data};
    cudaMemsetParamsV2 zeros = {};
    zeros.dst = data, zeros.elementSize = sizeof *data, zeros.width = N, zeros.height = 1;
    cudaKernelNodeParamsV2 launch = {};
    launch.func = (void *)increase, launch.gridDim = dim3(8), launch.blockDim = dim3(128);
    launch.kernelParams = args;
    cudaHostNodeParamsV2 host = {};
    host.fn = count, host.userData = &one;
    cudaGraphNodeParams params = {};
    params.type = cudaGraphNodeTypeMemset, params.memset = zeros;
    SHOW(cudaGraphAddNode(&fill, graph, nullptr, 0, &params));
    params.type = cudaGraphNodeTypeKernel, params.kernel = launch;
    SHOW(cudaGraphAddNode(&increases, graph, &fill, 1, &params));
    params.type = cudaGraphNodeTypeHost, params.host = host;
    SHOW(cudaGraphAddNode(&counts, graph, &increases, 1, &params));
    params.type = cudaGraphNodeTypeMemset, params.memset = zeros, params.memset.value = 5;
    SHOW(cudaGraphNodeSetParams(fill, &params));
    SHOW(cudaGraphNodeSetParams(counts, &params));
    MUST(cudaGraphInstantiate(&exec, graph, 0));
    const int before = log_count;
    for (int value : {5, 7}) {
        params.memset.value = value;
        SHOW(cudaGraphExecNodeSetParams(exec, fill, &params));
        MUST(cudaGraphLaunch(exec, 0));
        MUST(cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost));
        printf("%d, %d\n", first, log_count - before);
    }
    MUST(cudaGraphExecDestroy(exec));
    MUST(cudaGraphDestroy(graph));
    MUST(cudaFree(data));
    return 0;
}

static size_t *in_two(size_t *count)
{
    *count = 2;
    return count;
}

// Data of edges: which ones a GPU takes, and what queries return.
static int edges_with_data()
{
    int *p;
    cudaGraph_t graph, clone;
    cudaGraphNode_t from, to, other, nodes[2], more[2];
    cudaGraphEdgeData out[2];
    size_t count;
    MUST(cudaMalloc(&p, sizeof *p));
    void *args[] = {&p, &p, &p};
    cudaKernelNodeParams params = kernel((void *)scale, args);
    cudaMemsetParams set = {p, 0, 0, 4, 1, 1};
    MUST(cudaGraphCreate(&graph, 0));
    MUST(cudaGraphAddKernelNode(&from, graph, NULL, 0, &params));
    MUST(cudaGraphAddKernelNode(&to, graph, NULL, 0, &params));
    MUST(cudaGraphAddMemsetNode(&other, graph, NULL, 0, &set));
    const cudaGraphEdgeData tries[] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 0, 1}, {1, 0, 1},
                                       {2, 0, 1}, {3, 0, 1}, {0, 1, 0}, {0, 0, 2}, {0, 0, 0, {1}}};
    for (const cudaGraphEdgeData &data : tries) {
        printf("%d %d %d:", data.from_port, data.to_port, data.type);
        const cudaGraphNode_t pairs[3][2] = {{from, to}, {from, other}, {other, to}};
        for (auto &pair : pairs) {
            cudaError_t error = cudaGraphAddDependencies(graph, &pair[0], &pair[1], &data, 1);
            printf(" %s", cudaGetErrorName(error));
            if (error == cudaSuccess) {
                MUST(cudaGraphRemoveDependencies(graph, &pair[0], &pair[1], NULL, 1));
            }
        }
        puts("");
    }
    const cudaGraphNode_t both_from[] = {from, from}, both_to[] = {to, other};
    const cudaGraphEdgeData good_and_bad[] = {{2, 0, 0}, {0, 0, 2}}, good[] = {{2, 0, 0}, {0, 0, 0}};
    SHOW(cudaGraphAddDependencies(graph, both_from, both_to, good_and_bad, 2));
    SHOW(cudaGraphGetEdges(graph, NULL, NULL, NULL, &count));
    printf("%zu edges\n", count);
    SHOW(cudaGraphAddDependencies(graph, both_from, both_to, good, 2));
    SHOW(cudaGraphAddDependencies(graph, &from, &to, NULL, 1));
    SHOW(cudaGraphGetEdges(graph, nodes, more, in_two(&count)));
    SHOW(cudaGraphGetEdges(graph, nodes, more, out, in_two(&count)));
    printf("%zu edges, ports %d %d\n", count, out[0].from_port, out[1].from_port);
    SHOW(cudaGraphNodeGetDependencies(to, nodes, in_two(&count)));
    SHOW(cudaGraphNodeGetDependencies(to, nodes, out, in_two(&count)));
    printf("%zu, from %d, port %d\n", count, nodes[0] == from, out[0].from_port);
    SHOW(cudaGraphNodeGetDependentNodes(from, nodes, out, in_two(&count)));
    printf("%zu, port %d\n", count, out[0].from_port);
    SHOW(cudaGraphNodeGetDependentNodes(from, NULL, out, &count));
    cudaGraphNodeParams empty = {};
    empty.type = cudaGraphNodeTypeEmpty;
    SHOW(cudaGraphAddNode(&nodes[0], graph, &from, good_and_bad + 1, 1, &empty));
    SHOW(cudaGraphAddNode(&nodes[0], graph, &from, good, 1, &empty));
    SHOW(cudaGraphClone(&clone, graph));
    SHOW(cudaGraphGetEdges(clone, nodes, more, out, in_two(&count)));
    printf("%zu edges, port %d\n", count, out[0].from_port);
    cudaLaunchAttributeValue value = {};
    value.priority = -2;
    SHOW(cudaGraphKernelNodeSetAttribute(from, cudaKernelNodeAttributePriority, &value));
    SHOW(cudaGraphKernelNodeCopyAttributes(to, from));
    value.priority = 0;
    SHOW(cudaGraphKernelNodeGetAttribute(to, cudaKernelNodeAttributePriority, &value));
    printf("priority %d\n", value.priority);
    MUST(cudaGraphDestroy(clone));
    MUST(cudaGraphDestroy(graph));
    cudaFree(p);
    return 0;
}

int main()
{
    int *in, *a, *b, *out, host[N], result[N], two = 2, five = 5, seven = 7, step = 3;
    MUST(cudaMalloc(&in, sizeof host));
    MUST(cudaMalloc(&a, sizeof host));
    MUST(cudaMalloc(&b, sizeof host));
    MUST(cudaMalloc(&out, sizeof host));
    for (int i = 0; i < N; i++) {
        host[i] = i;
    }

    cudaGraph_t graph, child, inner;
    cudaGraphNode_t upload, left, right, join, more, download, host_node, fill, extra;
    SHOW(cudaGraphCreate(&graph, 0));
    SHOW(cudaGraphCreate(&child, 0));
    void *child_args[] = {&out};
    cudaKernelNodeParams params = kernel((void *)increase, child_args);
    SHOW(cudaGraphAddKernelNode(&extra, child, NULL, 0, &params));
    SHOW(cudaGraphAddKernelNode(&more, child, &extra, 1, &params));

    SHOW(cudaGraphAddMemcpyNode1D(&upload, graph, NULL, 0, in, host, sizeof host,
                                  cudaMemcpyHostToDevice));
    void *left_args[] = {&a, &in, &two}, *right_args[] = {&b, &in, &five}, *join_args[] = {&out, &a, &b};
    params = kernel((void *)scale, left_args);
    SHOW(cudaGraphAddKernelNode(&left, graph, &upload, 1, &params));
    params = kernel((void *)scale, right_args);
    SHOW(cudaGraphAddKernelNode(&right, graph, &upload, 1, &params));
    cudaGraphNode_t both[] = {left, right};
    params = kernel((void *)sum, join_args);
    SHOW(cudaGraphAddKernelNode(&join, graph, both, 2, &params));
    SHOW(cudaGraphAddChildGraphNode(&more, graph, &join, 1, child));
    SHOW(cudaGraphAddMemcpyNode1D(&download, graph, &more, 1, result, out, sizeof result,
                                  cudaMemcpyDeviceToHost));
    cudaHostNodeParams call = {count, &step};
    SHOW(cudaGraphAddHostNode(&host_node, graph, &download, 1, &call));
    cudaMemsetParams set = {a, 0, 0x01020304, 4, N, 1};
    SHOW(cudaGraphAddMemsetNode(&fill, graph, &join, 1, &set));

    size_t nodes = 0, edges = 0, roots = 0;
    SHOW(cudaGraphGetNodes(graph, NULL, &nodes));
    SHOW(cudaGraphGetEdges(graph, NULL, NULL, &edges));
    SHOW(cudaGraphGetRootNodes(graph, NULL, &roots));
    SHOW(cudaGraphChildGraphNodeGetGraph(more, &inner));
    size_t inner_nodes = 0;
    SHOW(cudaGraphGetNodes(inner, NULL, &inner_nodes));
    printf("%zu nodes, %zu edges, %zu roots, %zu in the child\n", nodes, edges, roots, inner_nodes);

    cudaGraphExec_t exec;
    cudaStream_t stream;
    SHOW(cudaStreamCreate(&stream));
    SHOW(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 3; i++) {
        SHOW(cudaGraphLaunch(exec, stream));
    }
    SHOW(cudaStreamSynchronize(stream));
    int wrong = 0, filled[N];
    for (int i = 0; i < N; i++) {
        wrong += result[i] != 7 * i + 2;
    }
    MUST(cudaMemcpy(filled, a, sizeof filled, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++) {
        wrong += filled[i] != 0x01020304;
    }
    printf("%d wrong, %d counted\n", wrong, log_count);

    // Parameters of the executable graph, and of the graph.
    void *new_args[] = {&a, &in, &seven};
    params = kernel((void *)scale, new_args);
    SHOW(cudaGraphExecKernelNodeSetParams(exec, left, &params));
    SHOW(cudaGraphNodeSetEnabled(exec, fill, 0));
    cudaMemsetParams rows = {a, 16, 1, 1, 8, 2}; // fills of several rows do not change
    SHOW(cudaGraphExecMemsetNodeSetParams(exec, fill, &rows));
    SHOW(cudaGraphExecMemsetNodeSetParams(exec, fill, &set));
    SHOW(cudaGraphLaunch(exec, 0));
    SHOW(cudaDeviceSynchronize());
    for (int i = wrong = 0; i < N; i++) {
        wrong += result[i] != 12 * i + 2;
    }
    printf("%d wrong\n", wrong);

    cudaGraph_t clone;
    cudaGraphNode_t in_clone;
    SHOW(cudaGraphClone(&clone, graph));
    SHOW(cudaGraphNodeFindInClone(&in_clone, right, clone));
    cudaKernelNodeParams old = {};
    SHOW(cudaGraphKernelNodeGetParams(in_clone, &old));
    printf("grid %u, block %u, factor %d\n", old.gridDim.x, old.blockDim.x,
           *(int *)old.kernelParams[2]);
    *(int *)old.kernelParams[2] = 1;
    cudaGraphNodeParams any = {};
    any.type = cudaGraphNodeTypeKernel;
    any.kernel = old;
    SHOW(cudaGraphNodeSetParams(in_clone, &any));
    MUST(cudaGraphKernelNodeGetParams(in_clone, &any.kernel)); // the old arguments are gone
    SHOW(cudaGraphExecNodeSetParams(exec, right, &any));
    any.type = cudaGraphNodeTypeHost;
    SHOW(cudaGraphExecNodeSetParams(exec, right, &any));
    any.type = cudaGraphNodeTypeMemFree;
    SHOW(cudaGraphNodeSetParams(in_clone, &any));
    cudaGraphExecUpdateResultInfo info;
    SHOW(cudaGraphExecUpdate(exec, clone, &info));
    printf("update: %d\n", (int)info.result);
    SHOW(cudaGraphLaunch(exec, stream));
    SHOW(cudaStreamSynchronize(stream));
    for (int i = wrong = 0; i < N; i++) {
        wrong += result[i] != 3 * i + 2;
    }
    printf("%d wrong\n", wrong);
    unsigned is_enabled = 1; // the update keeps what is disabled
    SHOW(cudaGraphNodeGetEnabled(exec, fill, &is_enabled));
    printf("enabled: %u\n", is_enabled);
    SHOW(cudaGraphAddEmptyNode(&extra, clone, &in_clone, 1));
    SHOW(cudaGraphExecUpdate(exec, clone, &info));
    printf("update: %d\n", (int)info.result);

    MUST(cudaGraphExecDestroy(exec));
    MUST(cudaGraphDestroy(graph));
    MUST(cudaGraphDestroy(child));
    MUST(cudaGraphDestroy(clone));
    MUST(cudaStreamDestroy(stream));
    cudaFree(in);
    cudaFree(a);
    cudaFree(b);
    cudaFree(out);
    return edges_with_data() + nodes_of_any_kind();
}
