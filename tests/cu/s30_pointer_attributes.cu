// The results of cudaPointerGetAttributes for each kind of memory.
#include <cstdlib>

#include "show.h"
__device__ int variable;
__constant__ int constant;
__managed__ int managed_variable;
__device__ void *heap;
__global__ void take()
{
    heap = malloc(64);
}
__global__ void give()
{
    free(heap);
}
static void show(const char *what, const void *pointer)
{
    static const char *const types[] = {"unregistered", "host", "device", "managed"};
    cudaPointerAttributes is;
    cudaError_t error = cudaPointerGetAttributes(&is, pointer);
    printf("%s: %s, %s, device %d, on the device %s, on the host %s\n", what,
           cudaGetErrorName(error), types[is.type], is.device,
           is.devicePointer == pointer   ? "same"
           : is.devicePointer == nullptr ? "null"
                                         : "other",
           is.hostPointer == pointer   ? "same"
           : is.hostPointer == nullptr ? "null"
                                       : "other");
}
int main()
{
    char *host = (char *)malloc(64), *device, *pinned, *managed, *address;
    MUST(cudaMalloc(&device, 64));
    MUST(cudaHostAlloc(&pinned, 64, cudaHostAllocMapped));
    MUST(cudaMallocManaged(&managed, 64));
    show("malloc", host);
    show("stack", &host);
    show("cudaMalloc", device);
    show("inside cudaMalloc", device + 63);
    show("behind cudaMalloc", device + 64);
    show("cudaHostAlloc", pinned + 1);
    show("cudaMallocManaged", managed + 1);
    MUST(cudaHostRegister(host, 64, 0));
    show("registered", host + 5);
    MUST(cudaHostUnregister(host));
    show("unregistered again", host + 5);
    MUST(cudaGetSymbolAddress((void **)&address, variable));
    show("__device__", address);
    MUST(cudaGetSymbolAddress((void **)&address, constant));
    show("__constant__", address);
    MUST(cudaGetSymbolAddress((void **)&address, managed_variable));
    show("__managed__", address);
    show("__managed__ by name", &managed_variable);
    take<<<1, 1>>>();
    MUST(cudaMemcpyFromSymbol(&address, heap, sizeof address));
    show("device heap", address);
    give<<<1, 1>>>();
    MUST(cudaDeviceSynchronize());
    show("device heap, freed", address);
    MUST(cudaFree(device));
    show("cudaMalloc, freed", device);
    show("null", nullptr);
    SHOW(cudaPointerGetAttributes(nullptr, device));
    free(host);
}
