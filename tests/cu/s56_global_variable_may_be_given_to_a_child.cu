// The guides' x(): the address of a device variable is a child's to use.
#include "show.h"
__device__ int value;
__global__ void child(int *p) { printf("%d\n", *p); }
__device__ void x() {
    value = 5;
    child<<<1, 1>>>(&value);
}
__global__ void parent() { x(); }
int main() {
    parent<<<1, 1>>>();
    SHOW(cudaDeviceSynchronize());
}
