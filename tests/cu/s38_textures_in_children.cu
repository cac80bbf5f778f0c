// A texture made on the host works at any depth; a child sees its contents at its launch.
#include "show.h"
#define SIDE 8
__device__ int wrong;
__global__ void leaf(cudaTextureObject_t texture, cudaTextureObject_t written, int value)
{
    int x = (int)threadIdx.x, y = (int)threadIdx.y;
    if (tex2D<int>(texture, x + 0.5f, y + 0.5f) != y * SIDE + x ||
        tex1Dfetch<int>(written, y * SIDE + x) != value) {
        atomicAdd(&wrong, 1);
    }
}
__global__ void fill(int *memory, int value)
{
    memory[threadIdx.x] = value;
}
__global__ void parent(cudaTextureObject_t texture, cudaTextureObject_t written, int *memory,
                       int depth)
{
    if (depth > 0) {
        parent<<<1, 1>>>(texture, written, memory, depth - 1);
        return;
    }
    for (int value = 1; value < 4; value++) {
        fill<<<1, SIDE * SIDE>>>(memory, value);
        leaf<<<1, dim3(SIDE, SIDE)>>>(texture, written, value);
    }
}
int main()
{
    int image[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) {
        image[i] = i;
    }
    cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t array;
    MUST(cudaMallocArray(&array, &format, SIDE, SIDE));
    MUST(cudaMemcpyToArray(array, 0, 0, image, sizeof(image), cudaMemcpyHostToDevice));
    cudaResourceDesc resource = {};
    cudaTextureDesc desc = {};
    cudaTextureObject_t texture, written;
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    MUST(cudaCreateTextureObject(&texture, &resource, &desc, nullptr));
    int *memory;
    MUST(cudaMalloc(&memory, sizeof(image)));
    resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = memory;
    resource.res.linear.desc = format;
    resource.res.linear.sizeInBytes = sizeof(image);
    MUST(cudaCreateTextureObject(&written, &resource, &desc, nullptr));
    parent<<<1, 1>>>(texture, written, memory, 3);
    MUST(cudaDeviceSynchronize());
    int result;
    MUST(cudaMemcpyFromSymbol(&result, wrong, sizeof(result)));
    printf("%d wrong\n", result);
}
