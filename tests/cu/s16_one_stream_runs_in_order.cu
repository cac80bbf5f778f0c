#include "show.h"
#define LENGTH 200
__device__ int log1[LENGTH], log2[LENGTH], count1, count2;
__global__ void append(int *log, int *count, int value) { log[(*count)++] = value; }
__global__ void parent() {
    cudaStream_t a, b;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    for (int i = 0; i < LENGTH; i++) {
        append<<<1, 1, 0, a>>>(log1, &count1, i);
        append<<<1, 1, 0, b>>>(log2, &count2, i);
    }
}
int main() {
    parent<<<1, 1>>>();
    MUST(cudaDeviceSynchronize());
    int a[LENGTH], b[LENGTH];
    MUST(cudaMemcpyFromSymbol(a, log1, sizeof(a)));
    MUST(cudaMemcpyFromSymbol(b, log2, sizeof(b)));
    for (int i = 0; i < LENGTH; i++) {
        if (a[i] != i || b[i] != i) {
            printf("place %d: %d %d\n", i, a[i], b[i]);
            return 1;
        }
    }
    printf("in order\n");
}
