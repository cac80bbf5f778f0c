// An H200's errors for wrong arrays and objects; where it crashes, a message.
// stderr: access through a texture object that does not exist
#include "show.h"
__managed__ float out;
__global__ void read(cudaTextureObject_t texture)
{
    out = tex1Dfetch<float>(texture, 0);
}
int main()
{
    cudaChannelFormatDesc none = {}, floats = cudaCreateChannelDesc<float>();
    cudaChannelFormatDesc three = cudaCreateChannelDesc(8, 8, 8, 0, cudaChannelFormatKindUnsigned);
    cudaArray_t array;
    float image[32];
    SHOW(cudaMallocArray(&array, &none, 4, 4));
    SHOW(cudaMallocArray(&array, &three, 4, 4));
    SHOW(cudaMallocArray(&array, &floats, 0, 4));
    SHOW(cudaFreeArray(nullptr));
    SHOW(cudaMallocArray(&array, &floats, 8, 4));
    SHOW(cudaMemcpy2DToArray(array, 4, 0, image, 32, 32, 1, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy2DToArray(array, 0, 1, image, 32, 32, 4, cudaMemcpyHostToDevice));
    SHOW(cudaFreeArray(array));
    SHOW(cudaFreeArray(array));
    cudaResourceDesc resource = {};
    cudaTextureDesc desc = {};
    cudaTextureObject_t texture;
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    SHOW(cudaCreateTextureObject(&texture, &resource, &desc, nullptr));
    float *memory;
    MUST(cudaMalloc(&memory, 64));
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.desc = floats;
    resource.res.linear.sizeInBytes = 64;
    resource.res.linear.devPtr = nullptr;
    SHOW(cudaCreateTextureObject(&texture, &resource, &desc, nullptr));
    resource.res.linear.devPtr = memory + 1;
    SHOW(cudaCreateTextureObject(&texture, &resource, &desc, nullptr));
    resource.res.linear.devPtr = memory;
    SHOW(cudaCreateTextureObject(&texture, &resource, &desc, nullptr));
    cudaResourceDesc result;
    SHOW(cudaGetTextureObjectResourceDesc(&result, texture));
    printf("%d %d %zu\n", result.resType, result.res.linear.devPtr == memory,
           result.res.linear.sizeInBytes);
    SHOW(cudaDestroyTextureObject(0));
    SHOW(cudaDestroyTextureObject(texture));
    read<<<1, 1>>>(texture);
    SHOW(cudaDeviceSynchronize());
}
