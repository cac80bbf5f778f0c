// cdpcc: -O2
// stderr: illegal access to address 0x
// stderr: in kernel fill.*, block \([01],0,0\)
// stderr: fill was launched by block .* at parent
// stderr: parent was launched by the host
// overruns: it reports the same fault in another way
// A child of a few instructions may run inside the launch.  Its fault is still reported as the
// child's, ends its launch tree, and leaves a device that works again after a reset.  Where it does
// not run inside, its two blocks may run at the same time, and either may be the first to fault.
#include "show.h"

__global__ void fill(int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        x[i] = i;
    }
}

__global__ void parent(int *good, int *x, int n)
{
    fill<<<2, 32>>>(good, 64);
    if (threadIdx.x == 5) {
        fill<<<2, 32>>>(x, n);
    }
    fill<<<2, 32>>>(good + 64, 64);
}

int main()
{
    int *good, result[128];
    MUST(cudaMalloc(&good, sizeof result));
    parent<<<1, 8>>>(good, (int *)64, 64);
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaDeviceReset());
    MUST(cudaMalloc(&good, sizeof result));
    parent<<<3, 8>>>(good, good, 64);
    SHOW(cudaDeviceSynchronize());
    MUST(cudaMemcpy(result, good, sizeof result, cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 0; i < 128; i++) {
        wrong += result[i] != i % 64;
    }
    printf("%d wrong\n", wrong);
}
