// cdpcc: --entry=block -O2
// Each lane has its own arrays: many lanes with large arrays must not overflow the stack.
#include <stdio.h>
__global__ void fill(int n, int *out)
{
    int a[12000], t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < 12000; ++i)
        a[i] = i * t + n;
    for (int i = 0; i < 12000; ++i)
        a[(i * 7 + t) % 12000] ^= a[(i * n) % 12000];
    out[t] = a[(t * n) % 12000];
}
__global__ void fill_between_barriers(int n, int *out)
{
    __shared__ int s[128];
    int a[512], t = threadIdx.x;
    for (int i = 0; i < 512; ++i)
        a[(i * 5) & 511] = i * t + n;
    s[t] = a[t * n & 511];
    __syncthreads();
    out[blockIdx.x * blockDim.x + t] = a[s[127 - t] & 511];
}
static int out[256];
static void show()
{
    cudaError_t error = cudaDeviceSynchronize();
    unsigned hash = 0;
    for (int x : out)
        hash = hash * 31 + x;
    printf("%s %u\n", cudaGetErrorString(error), hash);
}
int main()
{
    fill<<<2, 128>>>(37, out);
    show();
    fill_between_barriers<<<2, 128>>>(37, out);
    show();
}
