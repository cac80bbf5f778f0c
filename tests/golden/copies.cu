// Copies and fills by device code.
#include "ask.h"
static __device__ cudaMemcpy3DParms box(int *g, cudaMemcpyKind kind, size_t width)
{
    cudaMemcpy3DParms parms = {};
    parms.srcPtr = cudaPitchedPtr{g, 16, 16, 4};
    parms.dstPtr = cudaPitchedPtr{g + 64, 16, 16, 4};
    parms.extent = cudaExtent{width, 2, 2};
    parms.kind = kind;
    return parms;
}
__global__ void boxes(int *g, int *h)
{
    const char *names[] = {"host to host", "host to device", "device to host", "device to device",
                           "default"};
    for (int kind = 0; kind < 5; kind++) {
        cudaMemcpy3DParms parms = box(g, (cudaMemcpyKind)kind, 8);
        int rows = cudaMemcpy2DAsync(g, 16, g + 64, 16, 8, 4, (cudaMemcpyKind)kind, 0);
        printf("rows and box %s: %d %d\n", names[kind], rows, cudaMemcpy3DAsync(&parms, 0));
    }
    cudaMemcpy3DParms nothing = box(g, cudaMemcpyDeviceToDevice, 0);
    cudaPitchedPtr to = {g, 16, 16, 4};
    cudaMemcpyKind toDevice = cudaMemcpyDeviceToDevice;
    TELL("rows of nothing", cudaMemcpy2DAsync(g, 16, g + 64, 16, 0, 4, toDevice, 0));
    TELL("no rows", cudaMemcpy2DAsync(g, 16, g + 64, 16, 8, 0, toDevice, 0));
    TELL("empty box", cudaMemcpy3DAsync(&nothing, 0));
    TELL("fill nothing", cudaMemsetAsync(g, 1, 0, 0));
    TELL("fill rows of nothing", cudaMemset2DAsync(g, 16, 1, 0, 4, 0));
    TELL("fill empty box", cudaMemset3DAsync(to, 1, cudaExtent{8, 0, 2}, 0));
    TELL("last error of rows and boxes", cudaGetLastError());
}
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
    boxes<<<1, 1>>>(g, h);
    TELL("host synchronizes", cudaDeviceSynchronize());
}
