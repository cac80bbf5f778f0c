// Texels of all formats, levels of detail, layers, cubes and volumes, with an H200's results.
#include "show.h"
__managed__ float out[16];
__global__ void bytes(cudaTextureObject_t texture)
{
    uchar4 v = tex2D<uchar4>(texture, 1.5f, 0.5f);
    out[0] = v.x, out[1] = v.y, out[2] = v.z, out[3] = v.w;
}
__global__ void sample(cudaTextureObject_t texture, float first, float step)
{
    out[threadIdx.x] = tex2D<float>(texture, first + step * threadIdx.x, 0.5f);
}
__global__ void level(cudaTextureObject_t texture, float lod)
{
    out[0] = tex2DLod<float>(texture, .3f, .6f, lod);
}
__global__ void layer(cudaTextureObject_t texture)
{
    for (int i = 0; i < 4; i++) {
        out[i] = tex2DLayered<float>(texture, 1.7f, 2.2f, i - 1);
    }
}
__global__ void volume(cudaTextureObject_t texture)
{
    out[threadIdx.x] = tex3D<float>(texture, threadIdx.x % 2, threadIdx.x / 2 % 2, threadIdx.x / 4);
}
__global__ void cube(cudaTextureObject_t texture)
{
    const float toward[8][3] = {{1, .5f, .5f}, {-1, .5f, .5f}, {.5f, 1, .5f},   {.5f, -1, .5f},
                                {.5f, .5f, 1}, {.5f, .5f, -1}, {-.5f, .5f, -1}, {1, .1f, .2f}};
    const float *d = toward[threadIdx.x];
    out[threadIdx.x] = texCubemap<float>(texture, d[0], d[1], d[2]);
}
static int show(const char *what, int count)
{
    MUST(cudaDeviceSynchronize());
    printf("%s:", what);
    for (int i = 0; i < count; i++) {
        printf(" %.9g", out[i]);
    }
    puts("");
    return 0;
}
static cudaTextureObject_t texture_of(cudaArray_t array, const cudaTextureDesc &desc)
{
    cudaResourceDesc resource = {};
    cudaTextureObject_t texture = 0;
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    SHOW(cudaCreateTextureObject(&texture, &resource, &desc, nullptr));
    return texture;
}
static int small_formats()
{
    unsigned char texels[16];
    for (int i = 0; i < 16; i++) {
        texels[i] = (unsigned char)(i * 17);
    }
    cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
    cudaArray_t array;
    MUST(cudaMallocArray(&array, &format, 4, 1));
    MUST(cudaMemcpy2DToArray(array, 0, 0, texels, 16, 16, 1, cudaMemcpyHostToDevice));
    cudaTextureDesc desc = {};
    bytes<<<1, 1>>>(texture_of(array, desc));
    show("uchar4", 4);
    desc.readMode = cudaReadModeNormalizedFloat;
    sample<<<1, 8>>>(texture_of(array, desc), 0, .5f);
    show("as floats", 8);
    desc.filterMode = cudaFilterModeLinear;
    desc.readMode = cudaReadModeElementType;
    texture_of(array, desc);
    unsigned char signs[16] = {0, 1, 127, 128, 129, 255, 254, 64};
    format = cudaCreateChannelDesc<char>();
    MUST(cudaMallocArray(&array, &format, 16, 1));
    MUST(cudaMemcpy2DToArray(array, 0, 0, signs, 16, 16, 1, cudaMemcpyHostToDevice));
    desc.filterMode = cudaFilterModePoint;
    desc.readMode = cudaReadModeNormalizedFloat;
    sample<<<1, 8>>>(texture_of(array, desc), .5f, 1);
    show("signed bytes", 8);
    format = cudaCreateChannelDesc<int>();
    MUST(cudaMallocArray(&array, &format, 4, 1));
    texture_of(array, desc);
    unsigned short halves[4] = {0x3c00, 0x3800, 0xc000, 0x7bff};
    format = cudaCreateChannelDescHalf();
    MUST(cudaMallocArray(&array, &format, 4, 1));
    MUST(cudaMemcpy2DToArray(array, 0, 0, halves, 8, 8, 1, cudaMemcpyHostToDevice));
    desc.readMode = cudaReadModeElementType;
    sample<<<1, 4>>>(texture_of(array, desc), .5f, 1);
    show("halves", 4);
    return 0;
}
static int levels()
{
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMipmappedArray_t array;
    cudaArray_t part;
    MUST(cudaMallocMipmappedArray(&array, &format, make_cudaExtent(8, 4, 0), 3));
    for (int l = 0; l < 3; l++) {
        float texels[32];
        for (int i = 0; i < 32; i++) {
            texels[i] = (float)(100 * l + i);
        }
        cudaExtent extent;
        MUST(cudaGetMipmappedArrayLevel(&part, array, l));
        MUST(cudaArrayGetInfo(nullptr, &extent, nullptr, part));
        printf("level %d: %zu x %zu x %zu\n", l, extent.width, extent.height, extent.depth);
        size_t row = extent.width * sizeof(float);
        MUST(cudaMemcpy2DToArray(part, 0, 0, texels, row, row, extent.height,
                                 cudaMemcpyHostToDevice));
    }
    SHOW(cudaGetMipmappedArrayLevel(&part, array, 3));
    for (int linear = 0; linear < 2; linear++) {
        cudaResourceDesc resource = {};
        cudaTextureDesc desc = {};
        cudaTextureObject_t texture;
        resource.resType = cudaResourceTypeMipmappedArray;
        resource.res.mipmap.mipmap = array;
        desc.normalizedCoords = 1;
        desc.mipmapFilterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
        desc.maxMipmapLevelClamp = 2;
        MUST(cudaCreateTextureObject(&texture, &resource, &desc, nullptr));
        const float lods[] = {-1, 0, .25f, .5f, .75f, 1, 1.3f, 1.5f, 1.51f, 2, 2.5f, 7};
        for (float lod : lods) {
            level<<<1, 1>>>(texture, lod);
            MUST(cudaDeviceSynchronize());
            printf("%g ", out[0]);
        }
        puts("");
    }
    MUST(cudaFreeMipmappedArray(array));
    return 0;
}
static int fill(cudaArray_t array, float *texels, cudaExtent extent)
{
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(texels, extent.width * 4, extent.width, extent.height);
    copy.dstArray = array;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    MUST(cudaMemcpy3D(&copy));
    return 0;
}
static int slices()
{
    float texels[32], faces[24];
    for (int i = 0; i < 32; i++) {
        texels[i] = (float)((i * 37) % 101) + 0.25f * i;
    }
    for (int i = 0; i < 24; i++) {
        faces[i] = (float)(10 * (i / 4) + i % 4);
    }
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaTextureDesc desc = {};
    cudaArray_t array;
    desc.addressMode[0] = desc.addressMode[1] = desc.addressMode[2] = cudaAddressModeClamp;
    MUST(cudaMalloc3DArray(&array, &format, make_cudaExtent(4, 4, 2)));
    fill(array, texels, make_cudaExtent(4, 4, 2));
    volume<<<1, 8>>>(texture_of(array, desc));
    show("volume", 8);
    desc.filterMode = cudaFilterModeLinear;
    MUST(cudaMalloc3DArray(&array, &format, make_cudaExtent(4, 4, 2), cudaArrayLayered));
    fill(array, texels, make_cudaExtent(4, 4, 2));
    layer<<<1, 1>>>(texture_of(array, desc));
    show("layers -1 to 2", 4);
    MUST(cudaMalloc3DArray(&array, &format, make_cudaExtent(2, 2, 6), cudaArrayCubemap));
    fill(array, faces, make_cudaExtent(2, 2, 6));
    desc.normalizedCoords = 1;
    cube<<<1, 8>>>(texture_of(array, desc));
    show("cube", 8);
    return 0;
}
int main()
{
    return small_formats() + levels() + slices();
}
