// stderr: cudaErrorInvalidValue: a copy was given host memory that is not mapped.*0x10
// Host calls with invalid addresses, for which an H200's runtime returns an error or ends the
// process; and device-side copies, with its errors.
#include "show.h"

__device__ int target[4];

__global__ void copies(int *memory)
{
    SHOW(cudaMemcpyAsync(memory, (void *)0x1000, 16, cudaMemcpyDeviceToDevice, 0));
    SHOW(cudaGetLastError());
    SHOW(cudaMemcpyAsync((void *)0x1000, memory, 16, cudaMemcpyDeviceToDevice, 0));
    SHOW(cudaMemsetAsync((void *)0x7fff0000, 0, 16, 0));
    SHOW(cudaMemsetAsync(memory, 0, 1 << 20, 0)); // more than the allocation
    SHOW(cudaGetLastError());
    SHOW(cudaMemcpyAsync(memory, target, 16, cudaMemcpyDeviceToDevice, 0));
    SHOW(cudaGetLastError());
}

int main()
{
    char *memory, *none = (char *)0x10, here[16] = "";
    cudaStream_t stream;
    SHOW(cudaMalloc(&memory, 4096));
    SHOW(cudaStreamCreate(&stream));
    SHOW(cudaMemcpy(memory, none, 16, cudaMemcpyHostToDevice));
    SHOW(cudaGetLastError());
    SHOW(cudaMemcpy(none, memory, 16, cudaMemcpyDeviceToHost));
    SHOW(cudaMemcpy(memory, none, 16, cudaMemcpyDeviceToDevice));
    SHOW(cudaMemcpy(memory, none, 16, cudaMemcpyDefault));
    SHOW(cudaMemcpy((void *)"read-only", memory, 4, cudaMemcpyDeviceToHost));
    SHOW(cudaMemcpyAsync(memory, none, 16, cudaMemcpyHostToDevice, stream));
    SHOW(cudaMemcpyAsync(none, memory, 16, cudaMemcpyDeviceToHost, stream));
    SHOW(cudaMemcpy2D(memory, 64, none, 64, 16, 4, cudaMemcpyHostToDevice));
    SHOW(cudaMemset(none, 0, 16));
    SHOW(cudaMemcpyToSymbol(target, none, 16));
    SHOW(cudaHostRegister((void *)0x1000, 4096, 0));
    SHOW(cudaFree(none));
    SHOW(cudaEventRecord((cudaEvent_t)none, 0));
    SHOW(cudaEventQuery(nullptr));
    SHOW(cudaStreamQuery((cudaStream_t)0x12340));
    // None of these errors is sticky, and copies still work.
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaMemcpy(memory, "still here", 11, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy(here, memory, 11, cudaMemcpyDeviceToHost));
    puts(here);
    copies<<<1, 1>>>((int *)memory);
    SHOW(cudaDeviceSynchronize());
    return 0;
}
