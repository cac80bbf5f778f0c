#include "show.h"
#define LENGTH 200
__device__ int logA[LENGTH], logB[LENGTH], countA, countB;
__global__ void append(int *log, int *count, int value) { log[(*count)++] = value; }
__global__ void parent() {
    cudaStream_t a, b;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    for (int i = 0; i < LENGTH; i++) {
        append<<<1, 1, 0, a>>>(logA, &countA, i);
        append<<<1, 1, 0, b>>>(logB, &countB, i);
    }
}
int main() {
    parent<<<1, 1>>>();
    MUST(cudaDeviceSynchronize());
    int a[LENGTH], b[LENGTH];
    MUST(cudaMemcpyFromSymbol(a, logA, sizeof(a)));
    MUST(cudaMemcpyFromSymbol(b, logB, sizeof(b)));
    for (int i = 0; i < LENGTH; i++) {
        if (a[i] != i || b[i] != i) {
            printf("place %d: %d %d\n", i, a[i], b[i]);
            return 1;
        }
    }
    printf("in order\n");
}
