// cdpcc: --check=space -Wno-cdp-constant-write
// stderr: cudaErrorIllegalAddress: write of 4 bytes at 0x[0-9a-f]+, which is a __constant__
// variable
#include <cstdio>

__constant__ int c[4];
__device__ int d[4];

__device__ __noinline__ void write(int *p)
{
    *p = 1;
}

__global__ void kernel(int kind)
{
    int *p = (int *)c;
    d[0] = p[1];
    if (kind == 0) {
        write((int *)c + 1);
    } else if (kind == 1) {
        *p = 2;
    } else if (kind == 2) {
        atomicAdd(p, 1);
    } else {
        write(d);
    }
}

int main()
{
    for (int kind = 0; kind < 4; kind++) {
        kernel<<<1, 1>>>(kind);
        cudaError_t error = cudaDeviceSynchronize();
        cudaDeviceReset();
        int h[4];
        cudaMemcpyFromSymbol(h, c, sizeof h);
        printf("%d: %d, still %d %d\n", kind, error, h[0], h[1]);
    }
}
