// cdpcc: -lineinfo
// stderr: cudaErrorLaunchFailure: trap
// stderr: in kernel stop, block \(0,0,0\), thread \(3,0,0\), at stop \(a_trap_has_its_line.cu:8(:[0-9]+)?\)
// optimized: the call is in a function of cdpcc's headers
#include <cstdio>
__global__ void stop(int thread)
{
    if (threadIdx.x == thread) __trap();
}

int main()
{
    stop<<<1, 32>>>(3);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
