// Codes that an H100 showed: directions of copies of symbols in graphs, addresses that are no kernel,
// lists of devices, and the sizes of the driver's attributes of pointers.
// cdpcc: -lcuda
#include <cstdio>
#include <cstring>
#include <cuda.h>

__device__ int symbol[16];
__global__ void kernel()
{
}
static void function()
{
}

#define SHOW(call) printf("%s -> %s\n", #call, cudaGetErrorName(call))

static void attribute(const char *name, CUpointer_attribute which, const void *address)
{
    unsigned char bytes[8];
    memset(bytes, 0xaa, sizeof bytes);
    CUresult result = cuPointerGetAttribute(bytes, which, (CUdeviceptr)address);
    int size = 8;
    while (size > 0 && bytes[size - 1] == 0xaa) {
        size--;
    }
    unsigned value;
    memcpy(&value, bytes, sizeof value);
    printf("%s: %d, %d bytes, %u\n", name, result, size, value);
}
#define ATTRIBUTE(name, address) attribute(#name, CU_POINTER_ATTRIBUTE_##name, address)

int main()
{
    int host[16], here[] = {0, -1}, no[] = {99}, *managed, *device;
    cudaGraph_t graph;
    cudaGraphNode_t node;
    cudaFunction_t found;
    cudaGraphCreate(&graph, 0);
    SHOW(cudaGraphAddMemcpyNodeToSymbol(&node, graph, NULL, 0, symbol, host, 64, 0, cudaMemcpyDeviceToHost));
    SHOW(cudaGraphAddMemcpyNodeToSymbol(&node, graph, NULL, 0, symbol, host, 64, 0, cudaMemcpyHostToHost));
    SHOW(cudaGraphAddMemcpyNodeFromSymbol(&node, graph, NULL, 0, host, symbol, 64, 0, cudaMemcpyHostToDevice));
    SHOW(cudaGraphAddMemcpyNodeToSymbol(&node, graph, NULL, 0, symbol, host, 64, 4, cudaMemcpyHostToDevice));
    SHOW(cudaGraphAddMemcpyNodeToSymbol(&node, graph, NULL, 0, symbol, host, 60, 4, cudaMemcpyHostToDevice));
    SHOW(cudaGraphMemcpyNodeSetParamsToSymbol(node, symbol, host, 64, 0, cudaMemcpyDeviceToHost));
    SHOW(cudaGraphMemcpyNodeSetParamsToSymbol(node, symbol, host, 64, 0, cudaMemcpyDefault));
    SHOW(cudaGetFuncBySymbol(&found, (const void *)function));
    SHOW(cudaGetFuncBySymbol(&found, NULL));
    SHOW(cudaGetFuncBySymbol(NULL, (const void *)kernel));
    SHOW(cudaSetValidDevices(here, 2));
    SHOW(cudaSetValidDevices(no, 1));
    cudaMallocManaged(&managed, 64);
    cudaMalloc(&device, 64);
    ATTRIBUTE(IS_MANAGED, managed);
    ATTRIBUTE(IS_MANAGED, device);
    ATTRIBUTE(MAPPED, managed);
    ATTRIBUTE(IS_LEGACY_CUDA_IPC_CAPABLE, managed);
    ATTRIBUTE(IS_LEGACY_CUDA_IPC_CAPABLE, device);
}
