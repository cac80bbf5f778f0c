// Values that are no pointers, and legal pointers, are not treated as illegal ones.
#include "hide.h"
#include "show.h"
union Either {
    void *pointer;
    unsigned long bits;
};
struct Mixed {
    unsigned long number;
    Either either;
    void (*code)(int);
    int *null;
};
__device__ int global;
__constant__ int constant = 5;
__managed__ int managed;
__device__ int *heap;
__global__ void child(Mixed m, unsigned long bits, int *a, int *b, const int *c, int *d, int *e,
                      cudaStream_t stream)
{
    *a += 1, *b += 1, *d += *c, *e += 1;
}
__global__ void parent(int *device, int *mapped)
{
    int local = 0;
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    heap = (int *)malloc(sizeof *heap);
    *heap = 0;
    unsigned long bits = (unsigned long)hide(&local);
    Mixed mixed = {bits, {.bits = bits}, nullptr, nullptr};
    child<<<1, 1>>>(mixed, bits, device, mapped, &constant, &global, heap, stream);
    child<<<1, 1>>>(mixed, bits, device + 1, &managed, device, heap, (int *)device, stream);
}
__global__ void release(int *out)
{
    *out = *heap, free(heap);
}
int main()
{
    int *device, *mapped, seen[2], value;
    MUST(cudaMalloc(&device, 2 * sizeof *device));
    MUST(cudaMemset(device, 0, 2 * sizeof *device));
    MUST(cudaHostAlloc(&mapped, sizeof *mapped, cudaHostAllocMapped));
    *mapped = 0;
    parent<<<1, 1>>>(device, mapped);
    SHOW(cudaDeviceSynchronize());
    release<<<1, 1>>>(device + 1);
    MUST(cudaMemcpy(seen, device, sizeof seen, cudaMemcpyDefault));
    MUST(cudaMemcpyFromSymbol(&value, global, sizeof value));
    printf("%d %d %d %d %d\n", seen[0], seen[1], *mapped, value, managed);
}
