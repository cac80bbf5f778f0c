// Copies and fills by device code do not write constants: an error and a message.
// stderr: warning \(cudaErrorInvalidValue\): a copy by device code to constant memory \(table\)
// stderr: warning \(cudaErrorInvalidValue\): a fill by device code to constant memory \(table\)
#include "show.h"
__constant__ int table[16] = {1};
__device__ int source[16], other[16];
__global__ void child()
{
    printf("the child sees %d and %d\n", table[0], other[0]);
}
__global__ void parent()
{
    cudaPitchedPtr to = {(void *)(table + 4), 16, 8, 2}, from = {source, 16, 8, 2};
    cudaMemcpy3DParms box = {};
    box.dstPtr = to;
    box.srcPtr = from;
    box.extent = {8, 2, 1};
    box.kind = cudaMemcpyDeviceToDevice;
    void *all = (void *)table;
    printf("copies: %d", cudaMemcpyAsync(all, source, 64, cudaMemcpyDeviceToDevice, 0));
    printf(" %d", cudaMemcpy2DAsync(all, 16, source, 16, 8, 2, cudaMemcpyDeviceToDevice, 0));
    printf(" %d", cudaMemcpy3DAsync(&box, 0));
    printf(" %d\n", cudaMemcpyAsync((void *)(table + 15), source, 4, cudaMemcpyDefault, 0));
    printf("fills: %d", cudaMemsetAsync(all, 0, 64, 0));
    printf(" %d", cudaMemset2DAsync(all, 16, 0, 8, 2, 0));
    printf(" %d\n", cudaMemset3DAsync(to, 0, cudaExtent{8, 2, 1}, 0));
    printf("last error: %d\n", cudaGetLastError());
    printf("of nothing: %d %d\n", cudaMemcpyAsync(all, source, 0, cudaMemcpyDeviceToDevice, 0),
           cudaMemsetAsync(all, 0, 0, 0));
    printf("from there: %d\n", cudaMemcpyAsync(other, all, 64, cudaMemcpyDeviceToDevice, 0));
    child<<<1, 1>>>();
}
int main()
{
    int back[16], sum = 0, seven = 7;
    parent<<<1, 1>>>();
    MUST(cudaDeviceSynchronize());
    MUST(cudaMemcpyFromSymbol(back, table, sizeof back));
    for (int i = 0; i < 16; i++) {
        sum += back[i];
    }
    printf("the host reads %d, sum %d\n", back[0], sum);
    MUST(cudaMemcpyToSymbol(table, &seven, sizeof seven));
    void *address;
    MUST(cudaGetSymbolAddress(&address, table));
    MUST(cudaMemset((char *)address + 4, 0, 4));
    MUST(cudaMemcpyFromSymbol(back, table, sizeof back));
    printf("the host may write: %d\n", back[0]);
}
