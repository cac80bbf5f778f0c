// The results of the calls of the device heap, compared with an H200's.
#include "show.h"
__device__ int *kept;
__global__ void calls()
{
    void *p, *q, *z = (void *)1;
    SHOW(cudaMalloc(&p, 1024));
    SHOW(cudaMalloc(&q, (size_t)1 << 34));
    printf("q null=%d\n", q == nullptr);
    printf("malloc huge null=%d\n", malloc((size_t)1 << 34) == nullptr);
    SHOW(cudaFree(0));
    SHOW(cudaMalloc(&z, 0));
    void *nothing = malloc(0);
    printf("malloc0 null=%d\n", nothing == nullptr);
    SHOW(cudaFree(p));
    free(nothing);
    free(nullptr);
    int *array = new int[10];
    array[9] = 9;
    printf("new %d\n", array[9]);
    delete[] array;
    kept = (int *)malloc(2 * sizeof *kept);
    kept[1] = 5;
}
__global__ void later()
{
    printf("kept %d\n", kept[1]);
    SHOW(cudaFree(kept));
}
__global__ void fill(size_t piece, int *count)
{
    void *first = nullptr;
    for (void **at = (void **)malloc(piece); at != nullptr; at = (void **)malloc(piece)) {
        *at = first;
        first = at;
        ++*count;
    }
    while (first != nullptr) {
        void *next = *(void **)first;
        free(first);
        first = next;
    }
}
int main()
{
    int *count;
    size_t limit;
    calls<<<1, 1>>>();
    SHOW(cudaDeviceSynchronize());
    later<<<1, 1>>>();
    SHOW(cudaDeviceSynchronize());
    MUST(cudaMallocManaged(&count, sizeof *count));
    for (int megabytes = 8; megabytes <= 32; megabytes *= 4) {
        MUST(cudaDeviceSetLimit(cudaLimitMallocHeapSize, (size_t)megabytes << 20));
        MUST(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
        *count = 0;
        fill<<<1, 1>>>(1 << 16, count);
        MUST(cudaDeviceSynchronize());
        int room = (int)(limit >> 16);
        printf("%zu: pieces of 64 KiB %s\n", limit,
               *count > room / 2 && *count <= room ? "as many as fit" : "wrong");
    }
}
