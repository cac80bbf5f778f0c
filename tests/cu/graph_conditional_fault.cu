// workers: 1 2 8
// stderr: .*
// A kernel fails in the body of a loop whose condition stays true: the loop ends. After a reset of the
// device graphs work again.
#include "show.h"

__global__ void fail_in_round(int *round, int last)
{
    if (++*round == last) {
        __trap();
    }
}

static int run(int last, int *round)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphConditionalHandle handle;
    cudaGraphNode_t loop, node;
    MUST(cudaGraphCreate(&graph, 0));
    MUST(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
    cudaGraphNodeParams params = {};
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.handle = handle;
    params.conditional.type = cudaGraphCondTypeWhile;
    params.conditional.size = 1;
    MUST(cudaGraphAddNode(&loop, graph, NULL, 0, &params));
    void *args[] = {&round, &last};
    cudaKernelNodeParams kernel = {};
    kernel.func = (void *)fail_in_round;
    kernel.gridDim = kernel.blockDim = dim3(1);
    kernel.kernelParams = args;
    MUST(cudaGraphAddKernelNode(&node, params.conditional.phGraph_out[0], NULL, 0, &kernel));
    MUST(cudaGraphInstantiate(&exec, graph, 0));
    MUST(cudaGraphLaunch(exec, 0));
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaDeviceReset());
    SHOW(cudaGraphLaunch(exec, 0));
    return 0;
}

int main()
{
    static int *round;
    for (int last = 1; last < 300; last *= 17) {
        MUST(cudaMallocHost(&round, sizeof *round));
        *round = 0;
        if (run(last, round) != 0) {
            return 1;
        }
    }
    puts("end");
}
