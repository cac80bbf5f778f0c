#include "show.h"
__constant__ int constant = 1000;
__device__ int variable = 20000;
__managed__ int managedVariable = 300000;
__global__ void child(int *global, int *mapped, int *managed, int *device)
{
    *global += constant + *mapped + *managed + *device + managedVariable;
    *mapped += 1;
    *managed += 1;
    managedVariable += 1;
}
__global__ void parent(int *global, int *mapped, int *managed)
{
    child<<<1, 1>>>(global, mapped, managed, &variable);
}
int main()
{
    int *global, *mapped, *mappedOnDevice, *managed, result;
    MUST(cudaMalloc(&global, sizeof(int)));
    MUST(cudaMemset(global, 0, sizeof(int)));
    MUST(cudaHostAlloc(&mapped, sizeof(int), cudaHostAllocMapped));
    MUST(cudaHostGetDevicePointer(&mappedOnDevice, mapped, 0));
    MUST(cudaMallocManaged(&managed, sizeof(int)));
    *mapped = 4;
    *managed = 50;
    managedVariable += 1000000;
    parent<<<1, 1>>>(global, mappedOnDevice, managed);
    MUST(cudaDeviceSynchronize());
    MUST(cudaMemcpy(&result, global, sizeof(int), cudaMemcpyDeviceToHost));
    printf("%d %d %d %d\n", result, *mapped, *managed, managedVariable);
}
