// Grid and block may be int, dim3, or a type that converts to dim3; the rest defaults to 0.
#include "show.h"
struct Shape {
    __host__ __device__ operator dim3() const { return dim3(2, 3, 4); }
};
__device__ int threads[8];
__global__ void child(int which) {
    atomicAdd(&threads[which], 1);
    if (blockIdx.x + blockIdx.y + blockIdx.z + threadIdx.x + threadIdx.y + threadIdx.z == 0) {
        atomicAdd(&threads[which], 1000 * (int)(gridDim.x * 100 + gridDim.y * 10 + gridDim.z));
    }
}
__device__ void launchFromFunction(int which) { child<<<5, 7>>>(which); }
__global__ void parent() {
    child<<<2, 3>>>(0);
    child<<<dim3(2, 2), dim3(2, 2, 2)>>>(1);
    child<<<Shape(), Shape()>>>(2);
    child<<<threadIdx.x + 1, 'a' - 96>>>(3);
    child<<<1, 32, 16>>>(4);
    child<<<1, 32, 0, 0>>>(5);
    launchFromFunction(6);
    child<<<make_uint3(1, 2, 1), uint3{4, 1, 1}>>>(7);
}
int main() {
    parent<<<1, 1>>>();
    MUST(cudaDeviceSynchronize());
    int result[8];
    MUST(cudaMemcpyFromSymbol(result, threads, sizeof(result)));
    for (int value : result) {
        printf("%d\n", value);
    }
}
