// In a texture with maxAnisotropy the share of the next level grows late and fast if a fetch names its level.
// A fetch without a level does not. The values are those of an H200.
#include <cstdio>
#include <vector>

enum { LEVELS = 4, SIDE = 8, COUNT = 9 };

// Each level is full of its number of 256ths: the results are levels of detail.
static cudaMipmappedArray_t numbers()
{
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMipmappedArray_t levels;
    cudaMallocMipmappedArray(&levels, &format, make_cudaExtent(SIDE, SIDE, 0), LEVELS);
    for (int l = 0; l < LEVELS; l++) {
        cudaArray_t array;
        cudaGetMipmappedArrayLevel(&array, levels, l);
        std::vector<float> texels((SIDE >> l) * (SIDE >> l), 256.0f * l);
        size_t row = (SIDE >> l) * sizeof(float);
        cudaMemcpy2DToArray(array, 0, 0, texels.data(), row, row, SIDE >> l, cudaMemcpyHostToDevice);
    }
    return levels;
}

__global__ void fetch(cudaTextureObject_t texture, float *out)
{
    const float level[COUNT] = {0, 42, 43, 55, 128, 200, 213, 214, 600};
    for (int i = 0; i < COUNT; i++) {
        out[i] = tex2DLod<float>(texture, 0.5f, 0.5f, level[i] / 256.0f);
    }
    out[COUNT] = tex2D<float>(texture, 0.5f, 0.5f);
}

struct how_read {
    unsigned anisotropy;
    float bias = 0.0f, least = 0.0f;
    cudaTextureFilterMode filter = cudaFilterModeLinear;
};

static void show(cudaMipmappedArray_t levels, how_read read)
{
    cudaResourceDesc resource = {};
    cudaTextureDesc how = {}, back = {};
    cudaTextureObject_t texture;
    float *out;
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = levels;
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    how.filterMode = cudaFilterModeLinear;
    how.mipmapFilterMode = read.filter;
    how.normalizedCoords = 1;
    how.maxAnisotropy = read.anisotropy;
    how.mipmapLevelBias = read.bias / 256.0f;
    how.minMipmapLevelClamp = read.least / 256.0f;
    how.maxMipmapLevelClamp = LEVELS;
    cudaCreateTextureObject(&texture, &resource, &how, nullptr);
    cudaGetTextureObjectTextureDesc(&back, texture);
    cudaMallocManaged(&out, (COUNT + 1) * sizeof *out);
    fetch<<<1, 1>>>(texture, out);
    cudaDeviceSynchronize();
    printf("%u, bias %g, least %g:", back.maxAnisotropy, read.bias, read.least);
    for (int i = 0; i < COUNT; i++) {
        printf(" %g", out[i]);
    }
    printf(", plain %g\n", out[COUNT]);
    cudaFree(out);
    cudaDestroyTextureObject(texture);
}

int main()
{
    cudaMipmappedArray_t levels = numbers();
    for (unsigned anisotropy : {1u, 2u, 3u, 4u, 7u, 8u, 16u}) {
        show(levels, {anisotropy});
    }
    show(levels, {2, 42.7f});
    show(levels, {4, -1.5f});
    show(levels, {8, 0.3f, 64.0f});
    show(levels, {8, 0.0f, 0.0f, cudaFilterModePoint});
    cudaFreeMipmappedArray(levels);
    return 0;
}
