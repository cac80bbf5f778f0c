// Blocks of one grid pass a stream on; the launches of both run in it, one at a time.
// cdpcc: --cdp=2
#include "show.h"
__device__ cudaStream_t stream;
__device__ int ready, running, overlaps, runs;
__global__ void child() {
    if (atomicAdd(&running, 1) != 0) {
        atomicAdd(&overlaps, 1);
    }
    atomicAdd(&runs, 1);
    atomicSub(&running, 1);
}
__global__ void parent() {
    // The first block creates the stream; blocks that find it use it too.
    if (atomicAdd(&ready, 1) == 0) {
        cudaStream_t made;
        cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking);
        atomicExch((unsigned long long *)&stream, (unsigned long long)made);
    }
    cudaStream_t found = (cudaStream_t)atomicAdd((unsigned long long *)&stream, 0ull);
    if (found != nullptr) {
        child<<<1, 1, 0, found>>>();
        if (cudaGetLastError() != cudaSuccess) {
            printf("refused\n");
        }
    } else {
        atomicAdd(&runs, 1);
    }
}
int main() {
    parent<<<100, 1>>>();
    MUST(cudaDeviceSynchronize());
    int result[2];
    MUST(cudaMemcpyFromSymbol(&result[0], overlaps, sizeof(int)));
    MUST(cudaMemcpyFromSymbol(&result[1], runs, sizeof(int)));
    printf("%d overlaps, %d runs\n", result[0], result[1]);
}
