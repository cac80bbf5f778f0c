// A child reads what a thread wrote to a surface before the launch, by the surface and
// by a texture of the same array, at every depth; a child's writes are visible after a
// wait.
#include "show.h"
#define DEPTH 5
__device__ int wrong;
__global__ void child(cudaSurfaceObject_t surface, cudaTextureObject_t texture, int depth)
{
    int x = (int)threadIdx.x;
    int by_surface = surf2Dread<int>(surface, 4 * x, 0), by_texture = tex2D<int>(texture, x, 0);
    if (by_surface != 10 * depth + x || by_texture != by_surface) {
        atomicAdd(&wrong, 1);
    }
    __syncthreads();
    if (depth < DEPTH) {
        surf2Dwrite(10 * (depth + 1) + x, surface, 4 * x, 0);
        __syncthreads();
        if (x == 0) {
            child<<<1, 8>>>(surface, texture, depth + 1);
            cudaDeviceSynchronize();
        }
        __syncthreads();
    }
    // The deepest child's mark, through all levels.
    if (depth == DEPTH && x == 3) {
        surf2Dwrite(-1, surface, 4 * 5, 1);
    }
    __syncthreads();
    if (depth < DEPTH && surf2Dread<int>(surface, 4 * 5, 1) != -1) {
        atomicAdd(&wrong, 1);
    }
}
int main()
{
    int texels[16] = {0, 1, 2, 3, 4, 5, 6, 7};
    cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t array;
    MUST(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, DEPTH + 1));
    MUST(cudaMallocArray(&array, &format, 8, 2, cudaArraySurfaceLoadStore));
    MUST(cudaMemcpy2DToArray(array, 0, 0, texels, 32, 32, 2, cudaMemcpyHostToDevice));
    cudaResourceDesc resource = {};
    cudaTextureDesc desc = {};
    cudaSurfaceObject_t surface;
    cudaTextureObject_t texture;
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    MUST(cudaCreateSurfaceObject(&surface, &resource));
    MUST(cudaCreateTextureObject(&texture, &resource, &desc, nullptr));
    child<<<1, 8>>>(surface, texture, 0);
    SHOW(cudaDeviceSynchronize());
    int count;
    MUST(cudaMemcpyFromSymbol(&count, wrong, sizeof count));
    MUST(cudaMemcpy2DFromArray(texels, 32, array, 0, 0, 32, 2, cudaMemcpyDeviceToHost));
    printf("%d wrong; %d %d %d\n", count, texels[0], texels[7], texels[13]);
}
