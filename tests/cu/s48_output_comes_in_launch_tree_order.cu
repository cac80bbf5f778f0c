#include "show.h"
__global__ void child(int number) { printf("  child %d\n", number); }
__global__ void parent() {
    printf("parent begins\n");
    child<<<1, 1>>>(1);
    child<<<1, 1>>>(2);
    cudaDeviceSynchronize();
    printf("parent continues\n");
    child<<<1, 1>>>(3);
}
int main() {
    printf("host\n");
    parent<<<1, 1>>>();
    MUST(cudaDeviceSynchronize());
    printf("host again\n");
}
