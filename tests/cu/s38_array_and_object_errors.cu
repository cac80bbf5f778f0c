// An H200's errors for wrong arrays and objects; where it crashes, a message.
// stderr: access through a texture object that does not exist
#include "show.h"
__managed__ float out;
__global__ void read(cudaTextureObject_t texture)
{
    out = tex1Dfetch<float>(texture, 0);
}
// Flat copies continue from row to row; x is in bytes.
static int flat_copies(const cudaChannelFormatDesc *desc)
{
    float in[64], out[32];
    cudaArray_t a, b;
    cudaStream_t stream;
    for (int i = 0; i < 64; i++) {
        in[i] = i;
    }
    MUST(cudaStreamCreate(&stream));
    MUST(cudaMallocArray(&a, desc, 8, 4));
    MUST(cudaMallocArray(&b, desc, 8, 4));
    MUST(cudaMemcpyToArrayAsync(a, 0, 0, in, 128, cudaMemcpyHostToDevice, stream));
    SHOW(cudaMemcpyToArray(a, 32, 0, in + 40, 4, cudaMemcpyHostToDevice)); // the next row
    SHOW(cudaMemcpyToArray(a, 4, 2, in + 50, 32, cudaMemcpyDefault));
    SHOW(cudaMemcpyArrayToArray(b, 0, 1, a, 4, 2, 36));
    MUST(cudaMemcpyFromArrayAsync(out, a, 0, 0, 128, cudaMemcpyDeviceToHost, stream));
    SHOW(cudaStreamSynchronize(stream));
    printf("%g %g %g %g %g %g\n", out[7], out[8], out[16], out[17], out[24], out[25]);
    SHOW(cudaMemcpyFromArray(out, b, 0, 1, 36, cudaMemcpyDeviceToHost));
    printf("%g %g %g\n", out[0], out[7], out[8]);
    SHOW(cudaMemcpyToArray(a, 0, 3, in, 36, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpyToArray(a, 0, 4, in, 4, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpyToArray(a, (size_t)-4, 1, in, 4, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpyArrayToArray(b, 0, 3, a, 0, 0, 64));
    SHOW(cudaMemcpyToArray(a, 0, 0, in, 4, cudaMemcpyDeviceToHost));
    SHOW(cudaMemcpyFromArray(out, a, 0, 0, 4, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpyFromArray(nullptr, a, 0, 0, 4, cudaMemcpyDeviceToHost));
    MUST(cudaFreeArray(a));
    MUST(cudaFreeArray(b));
    MUST(cudaStreamDestroy(stream));
    return 0;
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
    const unsigned layered_gather = cudaArrayLayered | cudaArrayTextureGather;
    SHOW(cudaMalloc3DArray(&array, &floats, cudaExtent{4, 4, 2}, layered_gather));
    SHOW(cudaFreeArray(nullptr));
    if (flat_copies(&floats) != 0) {
        return 1;
    }
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
