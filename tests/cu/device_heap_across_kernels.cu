// rules: S36
// One kernel allocates memory, another reads and frees it.
#include "show.h"
struct List {
    int value;
    List *next;
    __device__ List(int v, List *n) : value(v), next(n) {}
};
__device__ List *lists[64];
__device__ int *arrays[64];
__global__ void build() {
    List *list = nullptr;
    for (int i = 0; i < 10; i++) {
        list = new List(i * threadIdx.x, list);
    }
    lists[threadIdx.x] = list;
    arrays[threadIdx.x] = (int *)malloc(100 * sizeof(int));
    for (int i = 0; i < 100; i++) {
        arrays[threadIdx.x][i] = threadIdx.x;
    }
}
__global__ void sum(int *out) {
    int total = 0;
    for (List *list = lists[threadIdx.x]; list != nullptr;) {
        List *next = list->next;
        total += list->value;
        delete list;
        list = next;
    }
    for (int i = 0; i < 100; i++) {
        total += arrays[threadIdx.x][i];
    }
    free(arrays[threadIdx.x]);
    atomicAdd(out, total);
}
__global__ void tooMuch() {
    void *p = malloc((size_t)1 << 40);
    printf("%d\n", p == nullptr);
    SHOW(cudaMalloc(&p, (size_t)1 << 40));
    SHOW(cudaMalloc(&p, 1000));
    SHOW(cudaFree(p));
    SHOW(cudaFree(0));
    free(nullptr);
}
int main() {
    int *out;
    MUST(cudaMallocManaged(&out, sizeof(int)));
    *out = 0;
    for (int i = 0; i < 3; i++) {
        build<<<1, 64>>>();
        sum<<<1, 64>>>(out);
    }
    MUST(cudaDeviceSynchronize());
    printf("%d\n", *out);
    tooMuch<<<1, 1>>>();
    MUST(cudaDeviceSynchronize());
}
