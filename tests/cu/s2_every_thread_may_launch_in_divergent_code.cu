#include "show.h"
__device__ int counts[4];
__global__ void child(int which, int depth) {
    if (threadIdx.x == 0) {
        atomicAdd(&counts[which], 1);
    }
    if (depth > 0 && threadIdx.x % 2 == 1) {
        child<<<1, 2>>>(which, depth - 1);
    }
}
__global__ void parent() {
    switch (threadIdx.x % 4) {
    case 0:
        child<<<1, 1>>>(0, 0);
        break;
    case 1:
        for (unsigned i = 0; i < threadIdx.x; i++) {
            child<<<1, 33>>>(1, 0);
        }
        break;
    case 2:
        if (threadIdx.x > 100) {
            return;
        }
        child<<<2, 1>>>(2, 0);
        break;
    default:
        child<<<1, 2>>>(3, 3);
    }
    if (threadIdx.x % 2 == 0) {
        child<<<1, 1>>>(0, 0);
    }
}
int main() {
    parent<<<4, 129>>>();
    MUST(cudaDeviceSynchronize());
    int result[4];
    MUST(cudaMemcpyFromSymbol(result, counts, sizeof(result)));
    printf("%d %d %d %d\n", result[0], result[1], result[2], result[3]);
}
