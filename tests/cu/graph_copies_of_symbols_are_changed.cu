// Copy nodes of symbols, scalars as well as arrays, get new parameters: in the graph, and in the executable one alone.
#include "show.h"

__device__ int one;
__device__ int many[4];
__device__ int other[4];

__global__ void triple() {
    one *= 3;
    for (int i = 0; i < 4; i++) {
        other[i] = many[i] * 3;
    }
}

static int from_one, from_other[4];

static void run(const char *what, cudaGraphExec_t exec) {
    SHOW(cudaGraphLaunch(exec, 0));
    SHOW(cudaDeviceSynchronize());
    printf("%s: %d, %d %d %d %d\n", what, from_one, from_other[0], from_other[1], from_other[2], from_other[3]);
}

int main() {
    int five = 5, seven = 7, first[] = {1, 2, 3, 4}, second[] = {10, 20};
    cudaGraph_t graph;
    cudaGraphNode_t in, array_in, kernel, out, array_out;
    MUST(cudaGraphCreate(&graph, 0));
    MUST(cudaGraphAddMemcpyNodeToSymbol(&in, graph, nullptr, 0, one, &five, 4, 0, cudaMemcpyHostToDevice));
    MUST(cudaGraphAddMemcpyNodeToSymbol(&array_in, graph, &in, 1, many, first, 16, 0, cudaMemcpyHostToDevice));
    cudaKernelNodeParams params = {};
    params.func = (void *)triple;
    params.gridDim = params.blockDim = dim3(1);
    MUST(cudaGraphAddKernelNode(&kernel, graph, &array_in, 1, &params));
    MUST(cudaGraphAddMemcpyNodeFromSymbol(&out, graph, &kernel, 1, &from_one, one, 4, 0, cudaMemcpyDeviceToHost));
    MUST(cudaGraphAddMemcpyNodeFromSymbol(&array_out, graph, &out, 1, from_other, other, 16, 0, cudaMemcpyDeviceToHost));
    cudaGraphExec_t exec, again;
    MUST(cudaGraphInstantiate(&exec, graph, 0));
    run("at first", exec);
    MUST(cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, in, one, &seven, 4, 0, cudaMemcpyHostToDevice));
    MUST(cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, array_out, from_other, many, 8, 8, cudaMemcpyDeviceToHost));
    run("the executable graph is changed", exec);
    MUST(cudaGraphMemcpyNodeSetParamsToSymbol(array_in, many, second, 8, 4, cudaMemcpyHostToDevice));
    MUST(cudaGraphMemcpyNodeSetParamsFromSymbol(out, &from_one, many, 4, 12, cudaMemcpyDeviceToHost));
    MUST(cudaGraphInstantiate(&again, graph, 0));
    run("the graph is changed", again);
    // Beyond the symbol, no symbol, no node, and another kind of node.
    SHOW(cudaGraphMemcpyNodeSetParamsToSymbol(in, one, &five, 4, 4, cudaMemcpyHostToDevice));
    SHOW(cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, in, one, &five, 4, 4, cudaMemcpyHostToDevice));
    SHOW(cudaGraphMemcpyNodeSetParamsFromSymbol(out, &from_one, (const void *)nullptr, 4, 0, cudaMemcpyDeviceToHost));
    SHOW(cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, out, &from_one, five, 4, 0, cudaMemcpyDeviceToHost));
    SHOW(cudaGraphMemcpyNodeSetParamsToSymbol(nullptr, one, &five, 4, 0, cudaMemcpyHostToDevice));
    SHOW(cudaGraphExecMemcpyNodeSetParamsToSymbol(nullptr, in, one, &five, 4, 0, cudaMemcpyHostToDevice));
    SHOW(cudaGraphMemcpyNodeSetParamsToSymbol(kernel, one, &five, 4, 0, cudaMemcpyHostToDevice));
}
