#include <cstdio>

// Appends the numbers that are multiples of 3, in any order.
__global__ void select(const int *a, int *to, int *count)
{
    int x = a[blockIdx.x * blockDim.x + threadIdx.x];
    if (x % 3 == 0) {
        to[atomicAdd(count, 1)] = x;
    }
}

int main()
{
    int *a, *to, *count;
    cudaMallocManaged(&a, 256 * sizeof *a);
    cudaMallocManaged(&to, 256 * sizeof *to);
    cudaMallocManaged(&count, sizeof *count);
    for (int i = 0; i < 256; i++) {
        a[i] = i;
    }
    *count = 0;
    select<<<8, 32>>>(a, to, count);
    cudaDeviceSynchronize();
    printf("%d numbers, the first one is %d\n", *count, to[0]);
    cudaFree(a);
    cudaFree(to);
    cudaFree(count);
}
