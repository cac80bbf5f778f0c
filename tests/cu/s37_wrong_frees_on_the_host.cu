// cdpcc: -g
// stderr: cudaFree\(0x.*\) at main .s37.*: it was freed already, at main .s37.* .allocated at ma
// stderr: cudaFree\(0x.*\) at main .s37.*: it is 4 bytes into 1000 bytes of device memory, all
// stderr: cudaFreeHost\(0x.*\) at main .s37.*: it is device memory, allocated at main .s37.*cu
// stderr: cudaFree\(0x.*\) at main .s37.*: it is pinned host memory, allocated at main .*cudaF
// stderr: cudaFree\(0x.*\) at main .s37.*: no cudaMalloc returned it
// stderr: cudaFree\(0x.*\) at main .s37.*: it is 0 bytes into the 4 bytes of device variable 'v
// stderr: cudaFreeAsync\(0x.*\) at main .s37.*: it was freed already
#include "show.h"
__device__ int variable;
int main()
{
    int *a, stack;
    void *pinned, *symbol, *managed;
    MUST(cudaMalloc(&a, 1000));
    MUST(cudaMallocHost(&pinned, 10));
    MUST(cudaMallocManaged(&managed, 10));
    MUST(cudaGetSymbolAddress(&symbol, variable));
    SHOW(cudaFree(a + 1));
    SHOW(cudaFreeHost(a));
    SHOW(cudaFree(pinned));
    SHOW(cudaFree(&stack));
    SHOW(cudaFree(symbol));
    SHOW(cudaFree(a));
    SHOW(cudaFree(a));
    SHOW(cudaFreeAsync(a, 0));
    SHOW(cudaFreeHost(pinned));
    SHOW(cudaFree(managed));
    SHOW(cudaFree(nullptr));
    SHOW(cudaGetLastError());
}
