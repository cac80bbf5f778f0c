// Planted: a parent reads what its child wrote without waiting for it.  -DMENDED waits.
#include <cstdio>

__global__ void child(int *cell)
{
    *cell = 42;
}

__global__ void parent(int *cells)
{
    int *cell = &cells[threadIdx.x];
    child<<<1, 1>>>(cell);
#ifdef MENDED
    cudaDeviceSynchronize();
#endif
    cells[32 + threadIdx.x] = *(volatile int *)cell + 1;
}

int main()
{
    int *cells, total = 0;
    cudaMallocManaged(&cells, 64 * sizeof(int));
    parent<<<1, 32>>>(cells);
    cudaError_t error = cudaDeviceSynchronize();
    for (int i = 32; i < 64; i++) {
        total += cells[i];
    }
    printf("%s: %d\n", cudaGetErrorString(error), total);
    return 0;
}
