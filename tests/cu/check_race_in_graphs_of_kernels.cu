// cdpcc: --check=race
// workers: 1 2
// races: they are planted
// stderr: check_race_in_graphs_of_kernels.cu:[0-9]+:[0-9]+, .*in kernel write_first
// stderr: check_race_in_graphs_of_kernels.cu:[0-9]+:[0-9]+, .*in kernel launch_and_write
// stderr: help: the child may run before this access
// stderr: check_race_in_graphs_of_kernels.cu:[0-9]+:[0-9]+, .*in kernel read_late
// stderr: cdp: [2-4] findings
// Graphs that kernels launch. Two races: a kernel writes what the graph that it has launched writes,
// and the next node reads what that graph writes. What the launching thread did before the launch,
// tails, and what the stream does after the graph are ordered.
#include "show.h"

__device__ cudaGraphExec_t forgotten, tail;

__global__ void write_first(int *data)
{
    data[0]++;
    data[1] = data[4] = 1;
}
__global__ void write_second(int *data)
{
    data[0]++;
}
__global__ void launch_and_write(int *data, int *launched, bool is_wrong)
{
    data[0]++; // before the launch
    *launched += cudaGraphLaunch(forgotten, cudaStreamGraphFireAndForget) == cudaSuccess;
    if (is_wrong) {
        data[1] = 2;
    }
    *launched += cudaGraphLaunch(tail, cudaStreamGraphTailLaunch) == cudaSuccess;
}
__global__ void after(int *data, int *launched)
{
    data[0]++;
    *launched += data[1] != 0 && data[4] != 0;
}
__global__ void read_late(int *data, int *other, bool is_wrong)
{
    if (is_wrong) {
        *other += data[4];
    }
}

static cudaGraph_t add(cudaGraph_t graph, cudaGraphNode_t *last, const void *func, void **args)
{
    cudaKernelNodeParams params = {};
    params.func = (void *)func;
    params.gridDim = dim3(1);
    params.blockDim = dim3(1);
    params.kernelParams = args;
    if (cudaGraphAddKernelNode(last, graph, last, *last != NULL, &params) != cudaSuccess) {
        puts("no node");
    }
    return graph;
}

int main()
{
    int *data, *launched;
    cudaStream_t stream;
    cudaGraph_t graphs[3];
    cudaGraphExec_t execs[3];
    cudaGraphNode_t last[3] = {};
    MUST(cudaMalloc(&data, 64));
    MUST(cudaMemset(data, 0, 64));
    MUST(cudaStreamCreate(&stream));
    launched = data + 2;
    int *other = data + 3;
    for (int wrong = 0; wrong < 2; wrong++) {
        bool is_wrong = wrong != 0;
        void *args[] = {&data, &launched, &is_wrong}, *late[] = {&data, &other, &is_wrong};
        for (int i = 0; i < 3; i++) {
            MUST(cudaGraphCreate(&graphs[i], 0));
            last[i] = NULL;
        }
        add(graphs[0], &last[0], (void *)launch_and_write, args);
        add(graphs[0], &last[0], (void *)read_late, late);
        add(graphs[1], &last[1], (void *)write_first, args);
        add(graphs[2], &last[2], (void *)write_second, args);
        for (int i = 0; i < 3; i++) {
            MUST(cudaGraphInstantiate(&execs[i], graphs[i], cudaGraphInstantiateFlagDeviceLaunch));
            MUST(cudaGraphUpload(execs[i], stream));
        }
        MUST(cudaMemcpyToSymbol(forgotten, &execs[1], sizeof execs[1]));
        MUST(cudaMemcpyToSymbol(tail, &execs[2], sizeof execs[2]));
        for (int i = 0; i < 3; i++) {
            MUST(cudaGraphLaunch(execs[0], stream));
            after<<<1, 1, 0, stream>>>(data, launched);
        }
        MUST(cudaStreamSynchronize(stream));
        for (int i = 0; i < 3; i++) {
            MUST(cudaGraphExecDestroy(execs[i]));
            MUST(cudaGraphDestroy(graphs[i]));
        }
    }
    int sums[3];
    MUST(cudaMemcpy(sums, data, sizeof sums, cudaMemcpyDefault));
    printf("%d, %d launches\n", sums[0], sums[2]);
    MUST(cudaStreamDestroy(stream));
    MUST(cudaFree(data));
}
