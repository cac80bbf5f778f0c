/* Levels of detail count in 256ths, and a GPU shares weights between levels before texels.  The
 * results are those of an RTX 3060. */
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t error = (call);                                                                \
        if (error != cudaSuccess) {                                                                \
            printf("%s: %s\n", #call, cudaGetErrorName(error));                                    \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

enum { LEVELS = 3, SIDE = 4, MOST = 8 };

__global__ void by_level(cudaTextureObject_t texture, const float *level, float *out, int count)
{
    for (int i = 0; i < count; i++) {
        out[i] = tex1DLod<float>(texture, 0.5f, level[i]);
    }
    out[count] = tex1D<float>(texture, 0.5f);
}

__global__ void in_volume(cudaTextureObject_t texture, float level, float *out)
{
    out[0] = tex3DLod<float>(texture, 0.25f, 0.25f, 0.5f, level);
}

__global__ void in_layer(cudaTextureObject_t plain, cudaTextureObject_t layered, float *out)
{
    out[0] = tex1D<float>(plain, 2.0f);
    out[1] = tex1DLayered<float>(layered, 2.0f, 1);
    out[2] = tex1DLayered<float>(layered, 0.0f, 1);
}

static void fill(cudaArray_t array, size_t width, size_t height, size_t depth,
                 const std::vector<float> &values)
{
    cudaMemcpy3DParms copy = {};
    copy.srcPtr =
        make_cudaPitchedPtr((void *)values.data(), width * sizeof(float), width, height);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(width, height, depth);
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
}

struct bounds {
    float bias, least, most;
};

static cudaTextureObject_t of_levels(cudaMipmappedArray_t levels, struct bounds bounds)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = levels;
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = how.addressMode[2] = cudaAddressModeClamp;
    how.filterMode = how.mipmapFilterMode = cudaFilterModeLinear;
    how.normalizedCoords = 1;
    how.mipmapLevelBias = bounds.bias;
    how.minMipmapLevelClamp = bounds.least;
    how.maxMipmapLevelClamp = bounds.most;
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &resource, &how, NULL));
    return texture;
}

static cudaMipmappedArray_t rows(const float value[LEVELS])
{
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMipmappedArray_t levels;
    CHECK(cudaMallocMipmappedArray(&levels, &format, make_cudaExtent(SIDE, 0, 0), LEVELS));
    for (int l = 0; l < LEVELS; l++) {
        cudaArray_t array;
        CHECK(cudaGetMipmappedArrayLevel(&array, levels, l));
        fill(array, SIDE >> l, 1, 1, std::vector<float>(SIDE >> l, value[l]));
    }
    return levels;
}

static void show(const char *title, cudaMipmappedArray_t levels, struct bounds bounds,
                 const std::vector<float> &level)
{
    float *in, *out;
    CHECK(cudaMallocManaged(&in, MOST * sizeof(float)));
    CHECK(cudaMallocManaged(&out, (MOST + 1) * sizeof(float)));
    for (size_t i = 0; i < level.size(); i++) {
        in[i] = level[i];
    }
    cudaTextureObject_t texture = of_levels(levels, bounds);
    by_level<<<1, 1>>>(texture, in, out, (int)level.size());
    CHECK(cudaDeviceSynchronize());
    printf("%s:", title);
    for (size_t i = 0; i < level.size(); i++) {
        printf(" %.7g->%.9g", level[i], out[i]);
    }
    printf(", plain %.9g\n", out[level.size()]);
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}

static void show_volume(float *out)
{
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMipmappedArray_t levels;
    CHECK(cudaMallocMipmappedArray(&levels, &format, make_cudaExtent(SIDE, SIDE, SIDE), 2));
    cudaArray_t array;
    CHECK(cudaGetMipmappedArrayLevel(&array, levels, 0));
    fill(array, SIDE, SIDE, SIDE, std::vector<float>(SIDE * SIDE * SIDE, 0.0f));
    CHECK(cudaGetMipmappedArrayLevel(&array, levels, 1));
    std::vector<float> front(8, 0.0f);
    for (int i = 0; i < 4; i++) {
        front[i] = 256.0f;
    }
    fill(array, 2, 2, 2, front);
    cudaTextureObject_t texture = of_levels(levels, {0.0f, 0.0f, 9.0f});
    in_volume<<<1, 1>>>(texture, 1.0f / 256.0f, out);
    CHECK(cudaDeviceSynchronize());
    printf("half of a 256th: front %g\n", out[0]);
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFreeMipmappedArray(levels));
}

static cudaTextureObject_t with_border(size_t layers, unsigned int flags)
{
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    CHECK(cudaMalloc3DArray(&resource.res.array.array, &format, make_cudaExtent(SIDE, 0, layers),
                            flags));
    size_t depth = layers > 0 ? layers : 1;
    fill(resource.res.array.array, SIDE, 1, depth, std::vector<float>(SIDE * depth, 10.0f));
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeBorder;
    how.filterMode = cudaFilterModeLinear;
    how.borderColor[0] = 2.0f;
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &resource, &how, NULL));
    return texture;
}

int main()
{
    const float counts[LEVELS] = {0.0f, 256.0f, 512.0f};
    cudaMipmappedArray_t levels = rows(counts);
    show("no bias", levels, {0.0f, 0.0f, 9.0f}, {0.5f, 1.999f, -0.3f, 7.0f});
    show("bias up", levels, {0.61f, 0.0f, 9.0f}, {-0.3f, -1.0f, 0.0f, 0.3f, 1.7f});
    show("bias down", levels, {-0.3f, 0.0f, 9.0f}, {0.1f, 0.7f, 1.3f});
    show("bounds", levels, {0.61f, 0.7f, 1.3f}, {-2.0f, 0.25f, 1.5f});
    CHECK(cudaFreeMipmappedArray(levels));

    const float far[LEVELS] = {3.0f, 16777216.0f, 0.0f};
    levels = rows(far);
    show("rounded once", levels, {0.0f, 0.0f, 9.0f}, {1.0f / 256.0f});
    CHECK(cudaFreeMipmappedArray(levels));

    float *out;
    CHECK(cudaMallocManaged(&out, 3 * sizeof(float)));
    show_volume(out);
    in_layer<<<1, 1>>>(with_border(0, 0), with_border(2, cudaArrayLayered), out);
    CHECK(cudaDeviceSynchronize());
    printf("row with a border %g, layer %g, its edge %g\n", out[0], out[1], out[2]);
    return 0;
}
