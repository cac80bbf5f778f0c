// workers: 1 2 8
// Random graphs, built node by node and by capture, against the same sums computed in order. A node
// stores the sum of the values of those that it needs, plus its number.
#include <vector>

#include "show.h"

enum { GRAPHS = 200, MOST_NODES = 24, STREAMS = 4 };

struct inputs {
    int count, from[MOST_NODES];
};
static unsigned state = 12345;
static unsigned draw(unsigned below)
{
    state = state * 1664525 + 1013904223;
    return (state >> 8) % below;
}

__global__ void add_up(int *values, int node, inputs needs)
{
    int sum = node;
    for (int i = 0; i < needs.count; i++) {
        sum += values[needs.from[i]];
    }
    values[node] = sum;
}

struct host_call {
    int *values;
    int node;
    inputs needs;
};
static void add_up_on_host(void *data)
{
    const host_call *call = (const host_call *)data;
    int sum = call->node;
    for (int i = 0; i < call->needs.count; i++) {
        sum += call->values[call->needs.from[i]];
    }
    call->values[call->node] = sum;
}

static std::vector<inputs> random_nodes()
{
    std::vector<inputs> nodes(2 + draw(MOST_NODES - 1));
    for (int i = 0; i < (int)nodes.size(); i++) {
        nodes[i].count = 0;
        for (int k = 0; k < i; k++) {
            if (draw(4) == 0) {
                nodes[i].from[nodes[i].count++] = k;
            }
        }
    }
    return nodes;
}

static cudaError_t build(cudaGraph_t *graph, const std::vector<inputs> &nodes, int *values,
                         std::vector<host_call> &calls)
{
    cudaError_t error = cudaGraphCreate(graph, 0);
    std::vector<cudaGraphNode_t> made(nodes.size());
    for (int i = 0; i < (int)nodes.size() && error == cudaSuccess; i++) {
        std::vector<cudaGraphNode_t> needs;
        for (int k = 0; k < nodes[i].count; k++) {
            needs.push_back(made[nodes[i].from[k]]);
        }
        calls[i] = {values, i, nodes[i]};
        if (draw(3) == 0) {
            cudaHostNodeParams params = {add_up_on_host, &calls[i]};
            error = cudaGraphAddHostNode(&made[i], *graph, needs.data(), needs.size(), &params);
        } else {
            cudaKernelNodeParams params = {};
            void *args[] = {&values, &i, (void *)&nodes[i]};
            params.func = (void *)add_up;
            params.gridDim = params.blockDim = dim3(1);
            params.kernelParams = args;
            error = cudaGraphAddKernelNode(&made[i], *graph, needs.data(), needs.size(), &params);
        }
    }
    return error;
}

static cudaStream_t streams[STREAMS];
static cudaEvent_t events[MOST_NODES + 1];

// Each node in a random stream. Events order them; the first stream waits for all at the end.
static cudaError_t capture(cudaGraph_t *graph, const std::vector<inputs> &nodes, int *values,
                           std::vector<host_call> &calls)
{
    cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeThreadLocal);
    cudaEventRecord(events[MOST_NODES], streams[0]);
    for (int i = 1; i < STREAMS; i++) {
        cudaStreamWaitEvent(streams[i], events[MOST_NODES], 0);
    }
    for (int i = 0; i < (int)nodes.size(); i++) {
        cudaStream_t stream = streams[draw(STREAMS)];
        for (int k = 0; k < nodes[i].count; k++) {
            cudaStreamWaitEvent(stream, events[nodes[i].from[k]], 0);
        }
        calls[i] = {values, i, nodes[i]};
        if (draw(3) == 0) {
            cudaLaunchHostFunc(stream, add_up_on_host, &calls[i]);
        } else {
            add_up<<<1, 1, 0, stream>>>(values, i, nodes[i]);
        }
        cudaEventRecord(events[i], stream);
    }
    for (int i = 1; i < STREAMS; i++) {
        cudaEventRecord(events[MOST_NODES], streams[i]);
        cudaStreamWaitEvent(streams[0], events[MOST_NODES], 0);
    }
    return cudaStreamEndCapture(streams[0], graph);
}

int main()
{
    int *values, wrong = 0, tried = 0;
    MUST(cudaMallocManaged(&values, MOST_NODES * sizeof *values));
    for (cudaStream_t &stream : streams) {
        MUST(cudaStreamCreate(&stream));
    }
    for (cudaEvent_t &event : events) {
        MUST(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    }
    for (int g = 0; g < GRAPHS; g++) {
        std::vector<inputs> nodes = random_nodes();
        std::vector<host_call> calls(nodes.size());
        std::vector<int> expected(nodes.size());
        cudaGraph_t graph;
        cudaGraphExec_t exec;
        MUST((g % 2 ? capture : build)(&graph, nodes, values, calls));
        MUST(cudaGraphInstantiate(&exec, graph, 0));
        for (int i = 0; i < MOST_NODES; i++) {
            values[i] = -1000;
        }
        MUST(cudaGraphLaunch(exec, streams[draw(STREAMS)]));
        MUST(cudaGraphLaunch(exec, streams[draw(STREAMS)]));
        MUST(cudaDeviceSynchronize());
        for (int i = 0; i < (int)nodes.size(); i++) {
            expected[i] = i;
            for (int k = 0; k < nodes[i].count; k++) {
                expected[i] += expected[nodes[i].from[k]];
            }
            wrong += values[i] != expected[i];
            tried++;
        }
        MUST(cudaGraphExecDestroy(exec));
        MUST(cudaGraphDestroy(graph));
    }
    printf("%d graphs, %s, %d wrong\n", GRAPHS, tried > 1000 ? "over 1000 nodes" : "few", wrong);
    for (cudaStream_t &stream : streams) {
        cudaStreamDestroy(stream);
    }
    for (cudaEvent_t &event : events) {
        cudaEventDestroy(event);
    }
    MUST(cudaFree(values));
}
