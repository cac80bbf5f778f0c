// cdpcc: -g
// overruns: AddressSanitizer reports such accesses itself
// stderr: 4000 bytes into 67108864 bytes of device memory, allocated at main .s42.*, freed at ma
// stderr: 400 bytes past the end of 67108864 bytes of managed memory, allocated at main .s42
// stderr: which is just after the null pointer
// stderr: which is the null pointer
// stderr: in kernel store, block \(0,0,0\), thread \(0,0,0\), at store \(s42_reports
#include "show.h"
__global__ void store(int *memory, long i)
{
    memory[i] = 1;
}
int main()
{
    const size_t size = 64 << 20;
    int *memory;
    MUST(cudaMalloc(&memory, size));
    MUST(cudaFree(memory));
    store<<<1, 1>>>(memory, 1000);
    SHOW(cudaDeviceSynchronize());
    MUST(cudaDeviceReset());
    MUST(cudaMallocManaged(&memory, size));
    store<<<1, 1>>>(memory, size / sizeof(int) + 100);
    SHOW(cudaDeviceSynchronize());
    MUST(cudaDeviceReset());
    store<<<1, 1>>>(nullptr, 3);
    SHOW(cudaDeviceSynchronize());
    MUST(cudaDeviceReset());
    store<<<1, 1>>>(nullptr, 0);
    SHOW(cudaDeviceSynchronize());
    MUST(cudaDeviceReset());
}
