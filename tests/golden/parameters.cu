// Parameter buffers taken by hand.
// ask: buffers no_parameters null_kernel
#include "ask.h"
__global__ void nop() {}
__global__ void buffers()
{
    void *b = cudaGetParameterBuffer(64, 4096);
    NUMBER("4096 gives NULL", b == 0);
    NUMBER("aligned to 64", (size_t)b % 64 == 0);
    NUMBER("4097 gives NULL", cudaGetParameterBuffer(64, 4097) == 0);
    TELL("last error", cudaGetLastError());
}
__global__ void noParameters()
{
    TELL("launch without buffer", cudaLaunchDevice((void *)nop, 0, dim3(1), dim3(1), 0, 0));
}
__global__ void nullKernel()
{
    TELL("launch of NULL", cudaLaunchDevice((void *)0, 0, dim3(1), dim3(1), 0, 0));
}
int main(int argc, char **argv)
{
    begin();
    if (ASKED("buffers")) {
        buffers<<<1, 1>>>();
    } else if (ASKED("no_parameters")) {
        noParameters<<<1, 1>>>();
    } else {
        nullKernel<<<1, 1>>>();
    }
    TELL("host synchronizes", cudaDeviceSynchronize());
}
