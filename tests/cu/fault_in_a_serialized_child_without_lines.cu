// cdpcc: -O2
// stderr: in kernel fill, block \(1,0,0\), thread \(3,0,0\)
// block stderr: in kernel fill, block \(1,0,0\), thread \(3,0,0\)$
// stderr: fill was launched by block \(0,0,0\) at parent
// plain: sanitized code runs the child as a grid of its own
// optimized: so do -G and -O0
// Without line numbers the place of a fault in a serialized child is not known: the code is a part of
// its parent's.
#include "show.h"

__global__ void fill(int *x, int n, int *bad)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int *to = i == 11 ? bad : x + i;
        *to = i;
    }
}

__global__ void parent(int *x, int *bad)
{
    fill<<<3, 8>>>(x + threadIdx.x * 24, 20, threadIdx.x == 5 ? bad : x);
}

int main()
{
    int *x;
    MUST(cudaMalloc(&x, 64 * 24 * sizeof *x));
    parent<<<1, 64>>>(x, (int *)64);
    SHOW(cudaDeviceSynchronize());
}
