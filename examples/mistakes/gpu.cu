#include <cstdio>

__global__ void twice(int *a)
{
    a[threadIdx.x] *= 2;
}

int main()
{
    int a[64] = {1};
    twice<<<1, 64>>>(a);
    cudaDeviceSynchronize();
    printf("%d\n", a[0]);
}
