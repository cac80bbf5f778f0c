// stderr: cudaErrorIllegalAddress: illegal access to address 0x40
// stderr: in kernel store, block \(0,0,0\), thread \(0,0,0\)
#include "show.h"
__global__ void store(int *p) { *p = 1; }
__global__ void parent(int *p) { store<<<1, 1>>>(p); }
int main() {
    int *memory;
    parent<<<1, 1>>>((int *)64);
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaMalloc(&memory, 4));
    SHOW(cudaGetLastError());
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaDeviceReset());
    SHOW(cudaMalloc(&memory, 4));
    parent<<<1, 1>>>(memory);
    SHOW(cudaDeviceSynchronize());
}
