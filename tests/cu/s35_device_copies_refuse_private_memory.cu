// The codes that an H200 returned, for cudaMemcpyAsync and the other copies.
#include "show.h"
__global__ void copies(char *g, char *h)
{
    __shared__ char s[64];
    char l[64];
    char *volatile hidden = l;
    char *lp = hidden;
    SHOW(cudaMemcpyAsync(g, g + 8, 16, cudaMemcpyDeviceToDevice, 0));
    SHOW(cudaMemcpyAsync(g, g + 8, 16, cudaMemcpyDefault, 0));
    SHOW(cudaMemcpyAsync(g, h, 16, cudaMemcpyHostToDevice, 0));
    SHOW(cudaMemcpyAsync(h, g, 16, cudaMemcpyDeviceToHost, 0));
    SHOW(cudaMemcpyAsync(h, h, 16, cudaMemcpyHostToHost, 0));
    SHOW(cudaMemcpyAsync(s, g, 16, cudaMemcpyDeviceToDevice, 0));
    SHOW(cudaMemcpyAsync(g, s, 16, cudaMemcpyDeviceToDevice, 0));
    SHOW(cudaMemcpyAsync(g, lp, 16, cudaMemcpyDeviceToDevice, 0));
    SHOW(cudaMemcpy2DAsync(g, 8, lp, 8, 4, 2, cudaMemcpyDeviceToDevice, 0));
    SHOW(cudaMemsetAsync(g, 0, 16, 0));
    SHOW(cudaMemsetAsync(s, 0, 16, 0));
    SHOW(cudaMemsetAsync(lp, 0, 16, 0));
    SHOW(cudaMemset2DAsync(s, 8, 0, 4, 2, 0));
    SHOW(cudaMemcpyAsync(0, g, 16, cudaMemcpyDeviceToDevice, 0));
    SHOW(cudaMemcpyAsync(g, 0, 16, cudaMemcpyDeviceToDevice, 0));
    SHOW(cudaMemsetAsync(0, 0, 16, 0));
    SHOW(cudaMemcpyAsync(g, g + 8, 0, cudaMemcpyDeviceToDevice, 0));
    SHOW(cudaGetLastError());
    SHOW(cudaGetLastError());
    cudaPitchedPtr to = {g, 16, 16, 4}, shared = {s, 16, 16, 4};
    cudaExtent extent = {4, 2, 1};
    SHOW(cudaMemset3DAsync(to, 0, extent, 0));
    SHOW(cudaMemset3DAsync(shared, 0, extent, 0));
    cudaMemcpy3DParms parms = {};
    parms.srcPtr = to, parms.dstPtr = shared, parms.extent = extent;
    parms.kind = cudaMemcpyDeviceToDevice;
    SHOW(cudaMemcpy3DAsync(&parms, 0));
    SHOW(cudaGetLastError());
}
int main()
{
    char *g, *h;
    MUST(cudaMalloc(&g, 64));
    MUST(cudaHostAlloc(&h, 64, cudaHostAllocMapped));
    copies<<<1, 1>>>(g, h);
    SHOW(cudaDeviceSynchronize());
}
