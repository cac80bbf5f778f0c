// The guides' y(): the address of a local variable is not a child's to use; the guides
// call the result undefined, hardware and cdpcc end the launch.
// stderr: cudaErrorInvalidAddressSpace: .*'p'.* kernel child .*local variable 'value' of thread \(0,0,0\)
#include "show.h"
__global__ void child(int *p) { printf("%d\n", *p); }
__device__ void y() {
    int value = 5;
    int *volatile p = &value;
    child<<<1, 1>>>(p);
}
__global__ void parent() { y(); }
int main() {
    parent<<<1, 1>>>();
    SHOW(cudaDeviceSynchronize());
}
