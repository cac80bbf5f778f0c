// workers: 1 2 8
// stderr: this memory belongs to a graph, and is not allocated now
// Memory that graphs allocate and free: by nodes, by captured calls, freed outside, freed by the next
// launch.
#include "show.h"

enum { N = 1 << 16 };
__global__ void fill(int *out, int value)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}
__global__ void add(int *out, const int *a, int value)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = a[i] + value;
}
static void print_used(const char *when)
{
    unsigned long long used = 0, high = 0;
    cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used);
    cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemHigh, &high);
    printf("%s: in use %s, some was reserved %s\n", when, used != 0 ? "some" : "none",
           high != 0 ? "yes" : "no");
}

int main()
{
    int *out, host = 0;
    cudaStream_t stream;
    MUST(cudaMalloc(&out, N * sizeof *out));
    MUST(cudaStreamCreate(&stream));
    MUST(cudaDeviceSynchronize());

    printf("-- nodes\n");
    cudaGraph_t graph, clone, other;
    cudaGraphNode_t alloc, first, second, free_node;
    cudaGraphExec_t exec;
    cudaMemAllocNodeParams memory = {};
    memory.poolProps.allocType = cudaMemAllocationTypePinned;
    memory.poolProps.location.type = cudaMemLocationTypeDevice;
    memory.bytesize = N * sizeof *out;
    SHOW(cudaGraphCreate(&graph, 0));
    SHOW(cudaGraphAddMemAllocNode(&alloc, graph, NULL, 0, &memory));
    int value = 5, more = 2;
    void *fill_args[] = {&memory.dptr, &value}, *add_args[] = {&out, &memory.dptr, &more};
    cudaKernelNodeParams params = {};
    params.func = (void *)fill;
    params.gridDim = dim3(N / 256);
    params.blockDim = dim3(256);
    params.kernelParams = fill_args;
    SHOW(cudaGraphAddKernelNode(&first, graph, &alloc, 1, &params));
    params.func = (void *)add;
    params.kernelParams = add_args;
    SHOW(cudaGraphAddKernelNode(&second, graph, &first, 1, &params));
    SHOW(cudaGraphAddMemFreeNode(&free_node, graph, &second, 1, memory.dptr));
    SHOW(cudaGraphClone(&clone, graph));
    SHOW(cudaGraphDestroyNode(free_node));
    SHOW(cudaGraphDestroyNode(second));
    SHOW(cudaGraphRemoveDependencies(graph, &first, &second, 1));
    SHOW(cudaGraphAddMemFreeNode(&free_node, graph, NULL, 0, memory.dptr)); // a second one
    SHOW(cudaGraphCreate(&other, 0));
    SHOW(cudaGraphAddMemFreeNode(&free_node, other, NULL, 0, memory.dptr)); // its own graph frees it
    SHOW(cudaGraphDestroy(other));
    cudaMemAllocNodeParams shared = memory;
    shared.poolProps.handleTypes = cudaMemHandleTypePosixFileDescriptor;
    SHOW(cudaGraphAddMemAllocNode(&alloc, graph, NULL, 0, &shared));
    SHOW(cudaGraphInstantiate(&exec, graph, 0));
    cudaGraphExec_t another;
    SHOW(cudaGraphInstantiate(&another, graph, 0));
    for (int i = 0; i < 3; i++) {
        SHOW(cudaGraphLaunch(exec, stream));
    }
    SHOW(cudaStreamSynchronize(stream));
    MUST(cudaMemcpy(&host, out + N - 1, sizeof host, cudaMemcpyDeviceToHost));
    printf("%d\n", host);
    print_used("after the launches");
    SHOW(cudaGraphExecDestroy(exec));
    SHOW(cudaGraphDestroy(graph));

    printf("-- trimmed\n");
    unsigned long long before = 0, after = 1, again = 0;
    SHOW(cudaGraphCreate(&graph, 0));
    SHOW(cudaGraphAddMemAllocNode(&alloc, graph, NULL, 0, &memory));
    fill_args[0] = &memory.dptr;
    add_args[1] = &memory.dptr;
    params.func = (void *)fill;
    params.kernelParams = fill_args;
    SHOW(cudaGraphAddKernelNode(&first, graph, &alloc, 1, &params));
    params.func = (void *)add;
    params.kernelParams = add_args;
    SHOW(cudaGraphAddKernelNode(&second, graph, &first, 1, &params));
    SHOW(cudaGraphAddMemFreeNode(&free_node, graph, &second, 1, memory.dptr));
    SHOW(cudaGraphInstantiate(&exec, graph, 0));
    SHOW(cudaGraphLaunch(exec, stream));
    cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &before);
    SHOW(cudaDeviceGraphMemTrim(0)); // after the launch
    cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &after);
    SHOW(cudaGraphLaunch(exec, stream));
    cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &again);
    SHOW(cudaStreamSynchronize(stream));
    printf("reserved %llu, trimmed %llu, launched %llu\n", before, after, again);
    MUST(cudaMemcpy(&host, out + N - 1, sizeof host, cudaMemcpyDeviceToHost));
    printf("%d\n", host);
    SHOW(cudaGraphExecDestroy(exec));
    SHOW(cudaGraphDestroy(graph));

    printf("-- capture\n");
    int *captured;
    SHOW(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    SHOW(cudaMallocAsync(&captured, N * sizeof *captured, stream));
    fill<<<N / 256, 256, 0, stream>>>(captured, 30);
    add<<<N / 256, 256, 0, stream>>>(out, captured, 1);
    SHOW(cudaFreeAsync(captured, stream));
    SHOW(cudaStreamEndCapture(stream, &graph));
    size_t nodes = 0;
    SHOW(cudaGraphGetNodes(graph, NULL, &nodes));
    printf("%zu nodes\n", nodes);
    SHOW(cudaGraphInstantiate(&exec, graph, 0));
    SHOW(cudaGraphLaunch(exec, stream));
    SHOW(cudaStreamSynchronize(stream));
    MUST(cudaMemcpy(&host, out, sizeof host, cudaMemcpyDeviceToHost));
    printf("%d\n", host);
    SHOW(cudaGraphExecDestroy(exec));
    SHOW(cudaGraphDestroy(graph));

    printf("-- freed outside\n");
    SHOW(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    SHOW(cudaMallocAsync(&captured, N * sizeof *captured, stream));
    fill<<<N / 256, 256, 0, stream>>>(captured, 70);
    SHOW(cudaStreamEndCapture(stream, &graph));
    SHOW(cudaGraphInstantiate(&exec, graph, 0));
    SHOW(cudaGraphLaunch(exec, stream));
    SHOW(cudaGraphLaunch(exec, stream)); // its memory is not free
    print_used("after the launch");
    SHOW(cudaMemcpyAsync(&host, captured + 9, sizeof host, cudaMemcpyDeviceToHost, stream));
    SHOW(cudaFreeAsync(captured, stream));
    SHOW(cudaStreamSynchronize(stream));
    printf("%d\n", host);
    SHOW(cudaGraphLaunch(exec, stream));
    SHOW(cudaStreamSynchronize(stream));
    SHOW(cudaFree(captured));
    SHOW(cudaFree(captured)); // the graph still owns it
    SHOW(cudaFreeAsync(captured, stream));
    SHOW(cudaGraphLaunch(exec, stream));
    SHOW(cudaFree(captured));
    SHOW(cudaGraphExecDestroy(exec));

    printf("-- freed by the next launch\n");
    SHOW(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
    SHOW(cudaGraphLaunch(exec, stream));
    SHOW(cudaGraphLaunch(exec, stream));
    SHOW(cudaStreamSynchronize(stream));
    SHOW(cudaFree(captured));
    SHOW(cudaGraphExecDestroy(exec));
    SHOW(cudaGraphDestroy(graph));
    printf("-- freed by another graph\n");
    cudaGraphExec_t frees;
    SHOW(cudaGraphCreate(&graph, 0));
    SHOW(cudaGraphCreate(&other, 0));
    SHOW(cudaGraphAddMemAllocNode(&alloc, graph, NULL, 0, &memory));
    SHOW(cudaGraphAddMemFreeNode(&free_node, other, NULL, 0, memory.dptr));
    SHOW(cudaGraphInstantiate(&exec, graph, 0));
    SHOW(cudaGraphInstantiate(&frees, other, 0));
    SHOW(cudaGraphLaunch(exec, stream));
    SHOW(cudaGraphLaunch(frees, stream));
    SHOW(cudaGraphLaunch(exec, stream));
    SHOW(cudaGraphLaunch(frees, stream));
    SHOW(cudaStreamSynchronize(stream));
    SHOW(cudaGraphExecDestroy(exec));
    SHOW(cudaGraphExecDestroy(frees));
    SHOW(cudaGraphDestroy(graph));
    SHOW(cudaGraphDestroy(other));
    SHOW(cudaDeviceGraphMemTrim(0));
    print_used("at the end");
    MUST(cudaStreamDestroy(stream));
    MUST(cudaFree(out));

    printf("-- reset\n");
    MUST(cudaStreamCreate(&stream));
    SHOW(cudaGraphCreate(&graph, 0));
    memory.bytesize = 64;
    SHOW(cudaGraphAddMemAllocNode(&alloc, graph, NULL, 0, &memory));
    SHOW(cudaGraphInstantiate(&exec, graph, 0));
    SHOW(cudaGraphLaunch(exec, stream));
    SHOW(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    SHOW(cudaDeviceReset());
    MUST(cudaMalloc(&out, 64));
    MUST(cudaFree(out));
    MUST(cudaDeviceSynchronize());
}
