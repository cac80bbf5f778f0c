// A texture of several levels takes normalized coordinates even if the program does not ask for them. Then the
// modes wrap and mirror clamp. One level is not normalized. The values are those of an H200.
#include <cstdio>
#include <vector>

__global__ void fetch(cudaTextureObject_t texture, float *out)
{
    const float x[] = {-0.6f, 0.1f, 0.4f, 0.9f, 1.3f};
    for (int i = 0; i < 5; i++) {
        out[i] = tex1DLod<float>(texture, x[i], 0.0f);
    }
}

int main()
{
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaResourceDesc resource = {}, back;
    resource.resType = cudaResourceTypeMipmappedArray;
    float *out;
    cudaMallocManaged(&out, 5 * sizeof *out);
    for (unsigned levels : {1u, 2u}) {
        cudaMallocMipmappedArray(&resource.res.mipmap.mipmap, &format, make_cudaExtent(4, 0, 0), levels);
        cudaArray_t array;
        cudaGetMipmappedArrayLevel(&array, resource.res.mipmap.mipmap, 0);
        const float texels[4] = {10, 11, 12, 13};
        cudaMemcpy2DToArray(array, 0, 0, texels, sizeof texels, sizeof texels, 1, cudaMemcpyHostToDevice);
        for (int mode = cudaAddressModeWrap; mode <= cudaAddressModeBorder; mode++) {
            for (int normalized = 0; normalized < 2; normalized++) {
                cudaTextureDesc how = {};
                cudaTextureObject_t texture;
                how.addressMode[0] = how.addressMode[1] = (cudaTextureAddressMode)mode;
                how.normalizedCoords = normalized;
                cudaCreateTextureObject(&texture, &resource, &how, nullptr);
                fetch<<<1, 1>>>(texture, out);
                cudaDeviceSynchronize();
                cudaGetTextureObjectResourceDesc(&back, texture);
                cudaGetTextureObjectTextureDesc(&how, texture);
                printf("%u levels, mode %d:", levels, mode);
                for (int i = 0; i < 5; i++) {
                    printf(" %g", out[i]);
                }
                printf("; %s, normalized %d\n",
                       back.resType == cudaResourceTypeMipmappedArray ? "levels" : "no levels",
                       how.normalizedCoords);
                cudaDestroyTextureObject(texture);
            }
        }
        cudaFreeMipmappedArray(resource.res.mipmap.mipmap);
    }
    cudaFree(out);
    return 0;
}
