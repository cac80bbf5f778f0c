// cdpcc: --default-stream per-thread
// Each thread launches a graph in its own default stream. The launches come one after the other.
#include <thread>

#include "show.h"

__global__ void increase(int *data)
{
    data[threadIdx.x]++; // no atomic operation is needed
}

int main()
{
    int *data;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    MUST(cudaMallocManaged(&data, 64 * sizeof *data));
    MUST(cudaMemset(data, 0, 64 * sizeof *data));
    SHOW(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal));
    increase<<<1, 64>>>(data);
    SHOW(cudaStreamEndCapture(0, &graph));
    SHOW(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 20; i++) {
        MUST(cudaGraphLaunch(exec, 0));
        std::thread other([&] { cudaGraphLaunch(exec, 0); });
        other.join();
    }
    SHOW(cudaDeviceSynchronize());
    printf("%d %d\n", data[0], data[63]);
    MUST(cudaGraphExecDestroy(exec));
    MUST(cudaGraphDestroy(graph));
    MUST(cudaFree(data));
}
