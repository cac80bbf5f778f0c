#include <cstdio>

__global__ void fill(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[n * i] = i;
}

int main()
{
    int *a;
    cudaMalloc(&a, 1000 * sizeof *a);
    fill<<<10, 100>>>(a, 1000000);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
