// cdpcc: --check=race
// workers: 1 2
// races: they are planted
// stderr: cdp: race: thread \([0-9]+,0,0\) of block \(0,0,0\) writes 4 bytes that thread \([0-9]+,0,0\) of block \(0,0,0\) writes
// stderr: check_race_in_a_graph.cu:14:[0-9]+, .*in kernel fill
// stderr: launched: fill by the host at check_race_in_a_graph.cu:3[24]
// stderr: cdp: 1 finding
// Two nodes write the same memory. A dependency between them is missing; in the second graph it is
// there.
#include "show.h"

__global__ void fill(int *data, int value)
{
    data[threadIdx.x] = value;
}

int main()
{
    int *data, one = 1, two = 2;
    cudaGraphNode_t a, b;
    cudaGraphExec_t exec;
    cudaKernelNodeParams params = {};
    MUST(cudaMalloc(&data, 1024));
    params.func = (void *)fill;
    params.gridDim = dim3(1);
    params.blockDim = dim3(64);
    void *first[] = {&data, &one}, *second[] = {&data, &two};
    for (int ordered = 0; ordered < 2; ordered++) {
        cudaGraph_t graph;
        MUST(cudaGraphCreate(&graph, 0));
        params.kernelParams = first;
        MUST(cudaGraphAddKernelNode(&a, graph, NULL, 0, &params));
        params.kernelParams = second;
        MUST(cudaGraphAddKernelNode(&b, graph, &a, ordered, &params));
        MUST(cudaGraphInstantiate(&exec, graph, 0));
        MUST(cudaGraphLaunch(exec, 0));
        MUST(cudaGraphLaunch(exec, 0));
        MUST(cudaDeviceSynchronize());
        MUST(cudaGraphExecDestroy(exec));
        MUST(cudaGraphDestroy(graph));
    }
    MUST(cudaFree(data));
}
