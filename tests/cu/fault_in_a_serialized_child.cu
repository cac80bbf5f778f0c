// cdpcc: -O2 -lineinfo
// stderr: illegal access to address 0x
// stderr: in kernel fill, block \(2,0,0\), thread \(3,0,0\), at fill \(.*fault_in_a_serialized_child.cu:18:
// stderr: fill was launched by block \(1,0,0\) at parent \(.*fault_in_a_serialized_child.cu:26:
// stderr: parent was launched by the host
// overruns: it reports the same fault in another way
// entries: -fsanitize=thread runs the child as a grid of its own, with other lines
// optimized: so do -G and -O0
// A child of few threads runs as a part of the code that launches it.  Its fault is still reported
// as that of the child's thread, ends its launch tree, and leaves a device that works again.
#include "show.h"

__global__ void fill(int *x, int n, int *bad)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int *to = i == 19 && bad != NULL ? bad : x + i;
        *to = i;
    }
}

__global__ void parent(int *x, int *bad)
{
    int t = threadIdx.x;
    if (t >= 40) {
        fill<<<3, 8>>>(x + (t - 40) * 24, 20, blockIdx.x == 1 && t == 45 ? bad : NULL);
    }
}

int main()
{
    int *x, result[24 * 24];
    MUST(cudaMalloc(&x, sizeof result));
    parent<<<2, 64>>>(x, (int *)64);
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaDeviceReset());
    MUST(cudaMalloc(&x, sizeof result));
    parent<<<2, 64>>>(x, NULL);
    SHOW(cudaDeviceSynchronize());
    MUST(cudaMemcpy(result, x, sizeof result, cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 0; i < 24 * 24; i++) {
        wrong += i % 24 < 20 && result[i] != i % 24;
    }
    printf("%d wrong\n", wrong);
}
