// stderr: cdp: cudaDeviceRegisterAsyncNotification: asynchronous notifications are not supported
// Calls for kinds of arrays that do not exist here, and for notifications, say so.
#include <cstdio>

#define SHOW(call) printf("%s\n", cudaGetErrorName(call))

int main()
{
    cudaArray_t array, plane;
    cudaMipmappedArray_t levels;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    cudaExtent extent = make_cudaExtent(8, 8, 0);
    cudaArraySparseProperties properties;
    cudaArrayMemoryRequirements requirements;
    SHOW(cudaMalloc3DArray(&array, &desc, extent, 0));
    SHOW(cudaMallocMipmappedArray(&levels, &desc, extent, 2, 0));
    SHOW(cudaArrayGetSparseProperties(&properties, array));
    SHOW(cudaMipmappedArrayGetSparseProperties(&properties, levels));
    SHOW(cudaArrayGetMemoryRequirements(&requirements, array, 0));
    SHOW(cudaMipmappedArrayGetMemoryRequirements(&requirements, levels, 0));
    SHOW(cudaArrayGetMemoryRequirements(&requirements, array, 99));
    SHOW(cudaArrayGetPlane(&plane, array, 0));
    SHOW(cudaArrayGetPlane(&plane, nullptr, 0));
    SHOW(cudaMalloc3DArray(&plane, &desc, extent, cudaArraySparse));
    SHOW(cudaMalloc3DArray(&plane, &desc, extent, cudaArrayDeferredMapping));
    size_t most = 0;
    cudaChannelFormatDesc none = {};
    for (cudaChannelFormatDesc format : {cudaCreateChannelDesc<char>(), desc, cudaCreateChannelDesc<float2>(),
                                         cudaCreateChannelDesc<float4>()}) {
        SHOW(cudaDeviceGetTexture1DLinearMaxWidth(&most, &format, 0));
        printf("%zu\n", most);
    }
    SHOW(cudaDeviceGetTexture1DLinearMaxWidth(&most, &none, 0));
    SHOW(cudaDeviceGetTexture1DLinearMaxWidth(&most, nullptr, 0));
    SHOW(cudaDeviceGetTexture1DLinearMaxWidth(&most, &desc, 99));
    cudaAsyncCallbackHandle_t handle;
    SHOW(cudaDeviceRegisterAsyncNotification(0, nullptr, nullptr, &handle));
    SHOW(cudaFreeArray(array));
    SHOW(cudaFreeMipmappedArray(levels));
}
