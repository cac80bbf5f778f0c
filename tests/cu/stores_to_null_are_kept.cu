// cdpcc: -O2 -lineinfo
// stderr: illegal access to address \(nil\), which is the null pointer
// stderr: in kernel own, block \(0,0,0\), .*stores_to_null_are_kept.cu:15
// stderr: in kernel fill, block \(0,0,0\), thread \(0,0,0\), at fill \(.*stores_to_null_are_kept.cu:24
// overruns: it reports the same fault in another way
// A store to a constant null pointer is a fault of the program.  The optimizer must not take it for
// code that is never reached, neither in block entries nor in children.
#include "show.h"

__global__ void own(int *x, int n)
{
    x[threadIdx.x] = 1;
    for (int i = 0; i < 20; i++) {
        if (i < n) {
            ((int *)NULL)[i] = i;
        }
    }
    x[threadIdx.x] = 3;
}

__global__ void fill(int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = i;
}

__global__ void parent(int *x, int n, int which)
{
    x[threadIdx.x] = 1;
    if (which == 1) {
        fill<<<1, 32>>>(NULL, n);
    } else {
        x[threadIdx.x] = 5;
    }
}

int main()
{
    int *x;
    MUST(cudaMallocManaged(&x, 64 * sizeof *x));
    own<<<1, 64>>>(x, 0);
    SHOW(cudaDeviceSynchronize());
    printf("%d\n", x[7]);
    own<<<1, 64>>>(x, 20);
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaDeviceReset());
    MUST(cudaMallocManaged(&x, 64 * sizeof *x));
    parent<<<1, 64>>>(x, 20, 0);
    SHOW(cudaDeviceSynchronize());
    printf("%d\n", x[7]);
    parent<<<1, 64>>>(x, 0, 1);
    SHOW(cudaDeviceSynchronize());
    printf("%d\n", x[7]);
    parent<<<1, 64>>>(x, 20, 1);
    SHOW(cudaDeviceSynchronize());
}
