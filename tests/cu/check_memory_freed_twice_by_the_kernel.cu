// cdpcc: --check=memory
// stderr: cdp: memory: free\(0x.*\): it was freed already, at twice \(check_.*cu:11:[0-9]+\) \(allocated at twice \(check_.*cu:10:[0-9]+\)\) \(cudaErrorIllegalAddress\)
// stderr: check_memory_freed_twice_by_the_kernel.cu:12:[0-9]+, in kernel twice, block \(0,0,0\), thread \(1,0,0\)
#include <cstdio>
__global__ void twice()
{
    if (threadIdx.x != 1) {
        return;
    }
    void *p = malloc(16);
    free(p);
    free(p);
}

int main()
{
    twice<<<1, 2>>>();
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
