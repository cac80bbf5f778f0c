// stderr: cudaErrorIllegalAddress: illegal access to address .*, which is 2097152 bytes past the end of 256 bytes of device memory
// overruns: it does
// Memory is mapped in pages of 2 MiB, as on a GPU: an access that far beyond the last allocation faults.
#include <cstdio>

__global__ void store(int *p, size_t at)
{
    p[at] = 1;
}

int main()
{
    int *p;
    cudaMalloc(&p, 256);
    store<<<1, 1>>>(p, (2 << 20) / sizeof(int) + 64);
    puts(cudaGetErrorName(cudaDeviceSynchronize()));
}
