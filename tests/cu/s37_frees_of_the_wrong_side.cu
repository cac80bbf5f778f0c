// cdpcc: -g
// stderr: cudaFree\(0x.*\) at main .s37.*: it is in the device heap, allocated at take .s37
// stderr: cudaErrorIllegalAddress: free\(0x.*\): it is device memory, allocated at main .s37.*
// stderr: cudaErrorIllegalAddress: free\(0x.*\): it was freed already, at give .s37_.*at take
// stderr: cudaErrorIllegalAddress: cudaFree\(0x.*\): it is 8 bytes into 100 bytes of the devic
// stderr: cudaErrorIllegalAddress: cudaFree\(0x.*\): it is device memory, allocated at main .s37.*
// stderr: cudaErrorIllegalAddress: cudaFree\(0x.*\): it was freed already, at give_by_cuda .s37
// stderr: cudaErrorIllegalAddress: free\(0x.*\): it is local memory of a kernel
// stderr: in kernel give, block \(0,0,0\), thread \(0,0,0\), at give \(s37_.*cu:
#include "hide.h"
#include "show.h"
__device__ char *memory;
__global__ void take()
{
    memory = (char *)malloc(100);
}
__global__ void give(void *pointer)
{
    free(pointer);
}
__global__ void give_by_cuda(void *pointer)
{
    SHOW(cudaFree(pointer));
}
__global__ void give_local()
{
    int local = 0;
    free(hide(&local));
}
static char *taken()
{
    char *pointer = nullptr;
    take<<<1, 1>>>();
    (void)cudaMemcpyFromSymbol(&pointer, memory, sizeof pointer);
    return pointer;
}
int main()
{
    void *device;
    SHOW(cudaFree(taken()));
    SHOW(cudaGetLastError());
    MUST(cudaMalloc(&device, 64));
    give<<<1, 1>>>(device);
    SHOW(cudaDeviceSynchronize());
    MUST(cudaDeviceReset());
    char *heap = taken();
    give<<<1, 1>>>(heap);
    SHOW(cudaDeviceSynchronize());
    give<<<1, 1>>>(heap);
    SHOW(cudaDeviceSynchronize());
    MUST(cudaDeviceReset());
    give_by_cuda<<<1, 1>>>(taken() + 8);
    SHOW(cudaDeviceSynchronize());
    MUST(cudaDeviceReset());
    MUST(cudaMalloc(&device, 64));
    give_by_cuda<<<1, 1>>>(device);
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaFree(device)); // sticky
    MUST(cudaDeviceReset());
    heap = taken();
    give_by_cuda<<<1, 1>>>(heap);
    give_by_cuda<<<1, 1>>>(heap);
    SHOW(cudaDeviceSynchronize());
    MUST(cudaDeviceReset());
    give_local<<<1, 1>>>();
    SHOW(cudaDeviceSynchronize());
    MUST(cudaDeviceReset());
}
