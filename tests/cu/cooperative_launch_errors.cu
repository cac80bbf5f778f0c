// workers: 1 2
// stderr: cdp: cudaErrorLaunchFailure: grid.sync\(\) in a grid that cudaLaunchCooperativeKernel did not launch
// The codes of cooperative launches, which are not those of other launches: an H200's. It accepts
// grid.sync() in other launches, too, which no document promises. Here it is an error.
#include <cooperative_groups.h>

#include "show.h"

__global__ void kernel(int *x)
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    grid.sync();
    if (grid.thread_rank() == 0) {
        *x = 1;
    }
}

int main()
{
    int *x, value = 0;
    MUST(cudaMalloc(&x, sizeof *x));
    void *args[] = {&x};
    SHOW(cudaDeviceGetAttribute(&value, cudaDevAttrCooperativeLaunch, 0));
    printf("%d\n", value);
    SHOW(cudaLaunchCooperativeKernel(kernel, 100000, 128, args));
    SHOW(cudaGetLastError());
    SHOW(cudaLaunchCooperativeKernel(kernel, 0, 128, args));
    SHOW(cudaLaunchCooperativeKernel(kernel, 1, 2048, args));
    SHOW(cudaLaunchCooperativeKernel(kernel, 100000, 2048, args));
    SHOW(cudaLaunchCooperativeKernel(kernel, 1, 128, args, 1 << 20));
    SHOW(cudaLaunchCooperativeKernel(kernel, 1, 128, nullptr));
    SHOW(cudaLaunchCooperativeKernel((const void *)nullptr, 1, 128, args));
    SHOW(cudaGetLastError());
    SHOW(cudaLaunchCooperativeKernel(kernel, 4, 128, args, 0, cudaStreamLegacy));
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaMemcpy(&value, x, sizeof value, cudaMemcpyDefault));
    kernel<<<2, 32>>>(x);
    SHOW(cudaGetLastError());
    SHOW(cudaDeviceSynchronize());
}
