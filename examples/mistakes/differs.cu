#include <cstdio>

__global__ void count(const int *a, int *found)
{
    if (a[blockIdx.x * blockDim.x + threadIdx.x] == 7) {
        *found += 1;
    }
}

int main()
{
    int *a;
    cudaMallocManaged(&a, 100001 * sizeof *a);
    for (int i = 0; i < 100000; i++) {
        a[i] = i % 10;
    }
    a[100000] = 0;
    count<<<1000, 100>>>(a, a + 100000);
    cudaDeviceSynchronize();
    printf("%d\n", a[100000]);
    cudaFree(a);
}
