// Copies and fills of rows and boxes by device code follow the same rules as cudaMemcpyAsync:
// directions, empty copies, the stream's order, and the nesting depth.
// cdpcc: --cdp=1
#include "show.h"
__device__ signed char from[64], to[64];
__device__ int wrong;
static __device__ cudaMemcpy3DParms box(cudaMemcpyKind kind, size_t width)
{
    cudaMemcpy3DParms parms = {};
    parms.srcPtr = cudaPitchedPtr{from, 8, 8, 4}, parms.dstPtr = cudaPitchedPtr{to, 8, 8, 4};
    parms.extent = cudaExtent{width, 2, 2};
    parms.kind = kind;
    return parms;
}
__global__ void write(int value)
{
    from[threadIdx.x] = value;
}
__global__ void check(int value)
{
    // Rows 0, 1, 4 and 5 belong to the box, 0 to 3 to the rectangle.
    int row = threadIdx.x / 8;
    if (threadIdx.x % 8 < 4 && row % 4 < 2 && to[threadIdx.x] != value) {
        atomicAdd(&wrong, 1);
    }
}
__global__ void calls()
{
    const cudaMemcpyKind kinds[] = {cudaMemcpyHostToHost, cudaMemcpyHostToDevice,
                                    cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice,
                                    cudaMemcpyDefault};
    for (cudaMemcpyKind kind : kinds) {
        cudaMemcpy3DParms parms = box(kind, 4);
        printf("%d: %d %d\n", kind, cudaMemcpy2DAsync(to, 8, from, 8, 4, 4, kind, 0),
               cudaMemcpy3DAsync(&parms, 0));
    }
    cudaMemcpy3DParms nothing = box(cudaMemcpyDeviceToDevice, 0);
    cudaPitchedPtr target = {to, 8, 8, 4};
    SHOW(cudaMemcpy2DAsync(to, 8, from, 8, 0, 4, cudaMemcpyDeviceToDevice, 0));
    SHOW(cudaMemcpy2DAsync(to, 8, from, 8, 4, 0, cudaMemcpyDeviceToDevice, 0));
    SHOW(cudaMemcpy3DAsync(&nothing, 0));
    SHOW(cudaMemsetAsync(to, 1, 0, 0));
    SHOW(cudaMemset2DAsync(to, 8, 1, 0, 4, 0));
    SHOW(cudaMemset3DAsync(target, 1, cudaExtent{4, 0, 2}, 0));
    SHOW(cudaGetLastError()); // of the wrong directions
    for (int value = 1; value < 20; value++) {
        cudaMemcpy3DParms parms = box(cudaMemcpyDeviceToDevice, 4);
        write<<<1, 64>>>(value);
        cudaMemset2DAsync(to, 8, 99, 8, 8, 0);
        cudaMemcpy3DAsync(&parms, 0);
        check<<<1, 64>>>(value);
        write<<<1, 64>>>(-value);
        cudaMemset3DAsync(target, 98, cudaExtent{8, 4, 2}, 0);
        cudaMemcpy2DAsync(to, 8, from, 8, 4, 8, cudaMemcpyDeviceToDevice, 0);
        check<<<1, 64>>>(-value);
    }
}
__global__ void deepest(int depth)
{
    if (depth < 24) {
        deepest<<<1, 1>>>(depth + 1);
        return;
    }
    cudaMemcpy3DParms parms = box(cudaMemcpyDeviceToDevice, 4);
    SHOW(cudaMemcpy2DAsync(to, 8, from, 8, 4, 4, cudaMemcpyDeviceToDevice, 0));
    SHOW(cudaMemcpy3DAsync(&parms, 0));
    SHOW(cudaMemset2DAsync(to, 8, 1, 4, 4, 0));
    SHOW(cudaMemset3DAsync(cudaPitchedPtr{to, 8, 8, 4}, 1, cudaExtent{4, 2, 2}, 0));
    cudaGetLastError();
}
int main()
{
    calls<<<1, 1>>>();
    SHOW(cudaDeviceSynchronize());
    int result;
    MUST(cudaMemcpyFromSymbol(&result, wrong, sizeof result));
    printf("%d wrong\n", result);
    deepest<<<1, 1>>>(1);
    SHOW(cudaDeviceSynchronize());
}
