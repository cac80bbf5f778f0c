// One- and two-dimensional fetches in every mode, bit for bit with an H200's results.
#include <cmath>
#include <cstring>

#include "show.h"
#define POINTS 25
__managed__ float out[64];
__managed__ float at[2 * POINTS];
__global__ void sample1(cudaTextureObject_t texture)
{
    out[threadIdx.x] = tex1D<float>(texture, at[threadIdx.x]);
}
__global__ void sample2(cudaTextureObject_t texture)
{
    out[threadIdx.x] = tex2D<float>(texture, at[2 * threadIdx.x], at[2 * threadIdx.x + 1]);
}
__global__ void gather(cudaTextureObject_t texture, float x, float y)
{
    float4 v = tex2Dgather<float4>(texture, x, y);
    out[0] = v.x, out[1] = v.y, out[2] = v.z, out[3] = v.w;
}
__global__ void fetch(cudaTextureObject_t texture)
{
    for (int i = -1; i < 17; i++) {
        out[i + 1] = tex1Dfetch<float>(texture, i);
    }
    float4 wide = tex1Dfetch<float4>(texture, 1);
    out[18] = wide.x, out[19] = wide.y, out[20] = wide.w;
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
static const float xs[POINTS] = {-9.3f, -1.f,  -0.5f,   -0.25f, 0.f,    0.1f,  0.5f,    0.75f, 1.f,
                                 1.5f,  2.3f,  3.4999f, 3.5f,   4.001f, 6.99f, 7.5f,    7.9f,  8.f,
                                 8.5f,  11.2f, 16.4f,   1e9f,   -1e9f,  NAN,   INFINITY};
static const char *modes[] = {"wrap", "clamp", "mirror", "border"};
static int all_modes(cudaArray_t row, cudaArray_t picture, bool normalized, bool linear)
{
    for (int mode = 0; mode < 4; mode++) {
        cudaResourceDesc resource = {};
        cudaTextureDesc desc = {};
        char name[64];
        cudaTextureObject_t texture;
        resource.resType = cudaResourceTypeArray;
        desc.addressMode[0] = desc.addressMode[1] = (cudaTextureAddressMode)mode;
        desc.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
        desc.normalizedCoords = normalized;
        desc.borderColor[0] = 5.5f;
        resource.res.array.array = row;
        MUST(cudaCreateTextureObject(&texture, &resource, &desc, nullptr));
        for (int i = 0; i < POINTS; i++) {
            at[i] = normalized ? xs[i] / 8 : xs[i];
        }
        sample1<<<1, POINTS>>>(texture);
        snprintf(name, sizeof(name), "1D %s %s %s", normalized ? "norm" : "raw",
                 linear ? "linear" : "point", modes[mode]);
        show(name, POINTS);
        MUST(cudaDestroyTextureObject(texture));
        resource.res.array.array = picture;
        MUST(cudaCreateTextureObject(&texture, &resource, &desc, nullptr));
        for (int i = 0; i < POINTS; i++) {
            float y = xs[(i * 7) % POINTS];
            at[2 * i] = normalized ? xs[i] / 8 : xs[i];
            at[2 * i + 1] = normalized ? y / 4 : y;
        }
        sample2<<<1, POINTS>>>(texture);
        name[0] = '2';
        show(name, POINTS);
        MUST(cudaDestroyTextureObject(texture));
    }
    return 0;
}
__global__ void sample3(cudaTextureObject_t texture, float x, float y, float z)
{
    out[0] = tex3D<float>(texture, x, y, z);
}

template <typename T>
static int one_sample(const char *what, const T *texels, cudaExtent extent, bool normalized, float x,
                      float y = 0, float z = 0)
{
    cudaResourceDesc resource = {};
    cudaTextureDesc desc = {};
    cudaTextureObject_t texture;
    cudaMemcpy3DParms copy = {};
    cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    if (sizeof(T) == 2) {
        format = cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
    }
    MUST(cudaMalloc3DArray(&resource.res.array.array, &format, extent));
    copy.srcPtr = make_cudaPitchedPtr((void *)texels, extent.width * sizeof(T), extent.width, 2);
    copy.dstArray = resource.res.array.array;
    copy.extent = extent.depth != 0 ? extent : cudaExtent{extent.width, 1, 1};
    copy.kind = cudaMemcpyHostToDevice;
    MUST(cudaMemcpy3D(&copy));
    resource.resType = cudaResourceTypeArray;
    desc.addressMode[0] = desc.addressMode[1] = desc.addressMode[2] = cudaAddressModeClamp;
    desc.filterMode = normalized ? cudaFilterModePoint : cudaFilterModeLinear;
    desc.readMode = sizeof(T) == 1 ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    desc.normalizedCoords = normalized;
    MUST(cudaCreateTextureObject(&texture, &resource, &desc, nullptr));
    at[0] = x;
    if (extent.depth != 0) {
        sample3<<<1, 1>>>(texture, x, y, z);
    } else {
        sample1<<<1, 1>>>(texture);
    }
    show(what, 1);
    MUST(cudaDestroyTextureObject(texture));
    MUST(cudaFreeArray(resource.res.array.array));
    return 0;
}

// How blends are rounded, and which parts of weights are: an H100's rules.
static void roundings()
{
    const cudaExtent row = {2}, wide = {25}, cube = {2, 2, 2};
    const float up[] = {1, 1 + 0x1p-23f}, down[] = {-1, -1 - 0x1p-23f};
    one_sample("tie", up, row, false, 1);
    one_sample("negative tie", down, row, false, 1);
    const unsigned short halves[] = {0x3c00, 0x3c01}, far[] = {0x3c00, 0x4001};
    one_sample("tie of halves", halves, row, false, 1);
    one_sample("halves", far, row, false, 0.75f);
    const unsigned char bytes[] = {0, 1};
    one_sample("bytes", bytes, row, false, 1);
    one_sample("bytes near the first", bytes, row, false, 0.6f);
    for (int i = 0; i < 8; i++) { // 256 times the weight of each corner
        float corners[8] = {};
        corners[i] = 256;
        one_sample("corner", corners, cube, false, 0.8f, 1.05f, 1.3f);
    }
    float numbers[25];
    for (int i = 0; i < 25; i++) {
        numbers[i] = i;
    }
    one_sample("next to the first texel's end", numbers, wide, true, nextafterf(0.04f, 1));
    one_sample("beyond it", numbers, wide, true, 0.0400005f);
}

int main()
{
    float image[32];
    for (int i = 0; i < 32; i++) {
        image[i] = (float)((i * 37) % 101) + 0.25f * i;
    }
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t row, picture;
    MUST(cudaMallocArray(&row, &format, 8));
    MUST(cudaMemcpy2DToArray(row, 0, 0, image, 32, 32, 1, cudaMemcpyHostToDevice));
    MUST(cudaMallocArray(&picture, &format, 8, 4, cudaArrayTextureGather));
    MUST(cudaMemcpy2DToArray(picture, 0, 0, image, 32, 32, 4, cudaMemcpyHostToDevice));
    for (int i = 0; i < 4; i++) {
        all_modes(row, picture, i / 2, i % 2);
    }
    cudaResourceDesc resource = {};
    cudaTextureDesc desc = {};
    cudaTextureObject_t texture;
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = picture;
    desc.addressMode[0] = desc.addressMode[1] = cudaAddressModeClamp;
    MUST(cudaCreateTextureObject(&texture, &resource, &desc, nullptr));
    gather<<<1, 1>>>(texture, 2.f, 2.f);
    show("gather 2,2", 4);
    gather<<<1, 1>>>(texture, 2.6f, 1.2f);
    show("gather 2.6,1.2", 4);
    float *memory;
    MUST(cudaMalloc(&memory, 64));
    MUST(cudaMemcpy(memory, image, 64, cudaMemcpyHostToDevice));
    memset(&resource, 0, sizeof(resource));
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = memory;
    resource.res.linear.desc = format;
    resource.res.linear.sizeInBytes = 64;
    MUST(cudaCreateTextureObject(&texture, &resource, &desc, nullptr));
    fetch<<<1, 1>>>(texture);
    show("fetch -1 to 16, float4", 21);
    roundings();
}
