// cdpcc: -O2 -lineinfo
// env: CDP_TIMEOUT=1
// block stderr: in kernel parent, block \(0,0,0\), of 4 threads
// block stderr: it runs its child spin: block \(0,0,0\), thread \(2,0,0\), launched at .*time_limit_in_a_serialized_child.cu:29:
// stderr: parent was launched by the host
// stderr: cudaErrorLaunchTimeout: the launch did not complete within 1 s
// plain: sanitized code runs the child as a grid of its own
// optimized: and so do -G and -O0
// workers: 1
// A child that never ends runs as a part of the code that launches it.  The report of the time limit
// names the child's thread, too.
#include "show.h"

__global__ void spin(int *x, int n)
{
    int i = threadIdx.x;
    if (i >= n) {
        return;
    }
    int count = 0;
    while (i == 2 && x[0] == 0) {
        x[1] = ++count;
    }
    x[8 + i] = 1;
}

__global__ void parent(int *x)
{
    spin<<<1, 32>>>(x + 64 * threadIdx.x, 20);
}

int main()
{
    int *x;
    MUST(cudaMallocManaged(&x, 4 * 64 * sizeof *x));
    parent<<<1, 4>>>(x);
    SHOW(cudaDeviceSynchronize());
}
