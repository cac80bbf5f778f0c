#include "show.h"
__global__ void kernel() {
    printf("%s\n", cudaGetErrorString(cudaSuccess));
    printf("%s\n", cudaGetErrorString(cudaErrorInvalidConfiguration));
    printf("%s\n", cudaGetErrorString(cudaErrorLaunchPendingCountExceeded));
    printf("%s\n", cudaGetErrorString((cudaError_t)12345));
    printf("%s\n", cudaGetErrorName(cudaErrorLaunchMaxDepthExceeded));
    printf("%s\n", cudaGetErrorName((cudaError_t)12345));
}
int main() {
    kernel<<<1, 1>>>();
    MUST(cudaDeviceSynchronize());
    printf("%s\n", cudaGetErrorString(cudaErrorMemoryAllocation));
    printf("%s\n", cudaGetErrorString((cudaError_t)12345));
}
