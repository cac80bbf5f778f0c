// Copies and fills by device code.
#include "ask.h"
__global__ void kernel(int *g, int *h)
{
    __shared__ int s[4];
    int local[4] = {};
    int *volatile l = local;
    cudaMemcpyKind toDevice = cudaMemcpyDeviceToDevice;
    TELL("device to device", cudaMemcpyAsync(g, g + 8, 16, toDevice, 0));
    TELL("default", cudaMemcpyAsync(g, g + 8, 16, cudaMemcpyDefault, 0));
    TELL("host to device", cudaMemcpyAsync(g, h, 16, cudaMemcpyHostToDevice, 0));
    TELL("device to host", cudaMemcpyAsync(h, g, 16, cudaMemcpyDeviceToHost, 0));
    TELL("to shared", cudaMemcpyAsync(s, g, 16, toDevice, 0));
    TELL("from shared", cudaMemcpyAsync(g, s, 16, toDevice, 0));
    TELL("from local", cudaMemcpyAsync(g, l, 16, toDevice, 0));
    TELL("fill", cudaMemsetAsync(g, 0, 16, 0));
    TELL("fill shared", cudaMemsetAsync(s, 0, 16, 0));
    TELL("fill local", cudaMemsetAsync(l, 0, 16, 0));
    TELL("to NULL", cudaMemcpyAsync(0, g, 16, toDevice, 0));
    TELL("from NULL", cudaMemcpyAsync(g, 0, 16, toDevice, 0));
    TELL("nothing", cudaMemcpyAsync(g, g + 8, 0, toDevice, 0));
    TELL("2D", cudaMemcpy2DAsync(g, 16, g + 64, 16, 8, 4, toDevice, 0));
    TELL("2D wider than pitch", cudaMemcpy2DAsync(g, 16, g + 64, 16, 32, 4, toDevice, 0));
    TELL("fill 2D", cudaMemset2DAsync(g, 16, 0, 8, 4, 0));
    TELL("fill 2D shared", cudaMemset2DAsync(s, 16, 0, 8, 1, 0));
    TELL("last error", cudaGetLastError());
}
int main()
{
    begin();
    int *g, *h;
    cudaMalloc(&g, 4096);
    cudaMemset(g, 0, 4096);
    cudaMallocHost(&h, 4096);
    kernel<<<1, 1>>>(g, h);
    TELL("host synchronizes", cudaDeviceSynchronize());
}
