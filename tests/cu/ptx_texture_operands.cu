// What tex and tld4 have besides a position: offsets as numbers and in registers, a predicate, a reference for
// depths, which textures of CUDA do not have, results of half; tld4 of layers, cubes and layers of cubes. The
// texel of row y and column x is 10 y + x.
#include "show.h"
#include <cuda_fp16.h>

#define RESULTS "=f"(r.x), "=f"(r.y), "=f"(r.z), "=f"(r.w)
#define OUT "{%0, %1, %2, %3}"
#define TEX(TEXT, ...)                                                                                      \
    [&] {                                                                                                   \
        float4 r;                                                                                           \
        asm volatile(TEXT : RESULTS : "l"(texture), __VA_ARGS__);                                           \
        return r;                                                                                           \
    }()
#define SHOW_ONE(NAME, ...) printf("%s: %g\n", NAME, (double)TEX(__VA_ARGS__).x)
#define SHOW_FOUR(NAME, ...)                                                                                \
    {                                                                                                       \
        const float4 r = TEX(__VA_ARGS__);                                                                  \
        printf("%s: %g %g %g %g\n", NAME, (double)r.x, (double)r.y, (double)r.z, (double)r.w);              \
    }

__global__ void lines(cudaTextureObject_t texture)
{
    SHOW_ONE("line + 2", "tex.1d.v4.f32.f32 " OUT ", [%4, {%5}], {2};", "f"(0.3f));
    SHOW_ONE("line - 1", "tex.1d.v4.f32.f32 " OUT ", [%4, {%5}], {-1};", "f"(0.3f));
}
__global__ void planes(cudaTextureObject_t texture, int dx, int dy)
{
    const float x = 0.3f, y = 0.3f; // texel 2, 1 of 8 x 4
    SHOW_ONE("plain", "tex.2d.v4.f32.f32 " OUT ", [%4, {%5, %6}];", "f"(x), "f"(y));
    SHOW_ONE("{1, 2}", "tex.2d.v4.f32.f32 " OUT ", [%4, {%5, %6}], {1, 2};", "f"(x), "f"(y));
    SHOW_ONE("{-3, -8}", "tex.2d.v4.f32.f32 " OUT ", [%4, {%5, %6}], {-3, -8};", "f"(x), "f"(y));
    SHOW_ONE("{7, 7}", "tex.2d.v4.f32.f32 " OUT ", [%4, {%5, %6}], {7, 7};", "f"(x), "f"(y));
    SHOW_ONE("registers, 4 bits", "tex.2d.v4.f32.f32 " OUT ", [%4, {%5, %6}], {%7, %8};", "f"(x), "f"(y), "r"(dx),
             "r"(dy));
    SHOW_ONE("level", "tex.level.2d.v4.f32.f32 " OUT ", [%4, {%5, %6}], %7, {1, -1};", "f"(x), "f"(y), "f"(0.0f));
    SHOW_ONE("gradient", "tex.grad.2d.v4.f32.f32 " OUT ", [%4, {%5, %6}], {%7, %7}, {%7, %7}, {1, -1};", "f"(x),
             "f"(y), "f"(0.0f));
    SHOW_ONE("reference", "tex.2d.v4.f32.f32 " OUT ", [%4, {%5, %6}], %7;", "f"(x), "f"(y), "f"(5.0f));
    SHOW_ONE("offsets, reference", "tex.2d.v4.f32.f32 " OUT ", [%4, {%5, %6}], {1, 0}, %7;", "f"(x), "f"(y),
             "f"(5.0f));
    SHOW_ONE("predicate", "{ .reg .pred p; .reg .f32 t; tex.2d.v4.f32.f32 {t, %1, %2, %3}|p, [%4, {%5, %6}];"
             " selp.f32 %0, t, 0fBF800000, p; }", "f"(x), "f"(y));
    SHOW_ONE("whole coordinates", "tex.2d.v4.f32.s32 " OUT ", [%4, {%5, %6}], {1, -1};", "r"(2), "r"(1));
    SHOW_FOUR("gather", "tld4.r.2d.v4.f32.f32 " OUT ", [%4, {%5, %6}];", "f"(x), "f"(y));
    SHOW_FOUR("gather {1, -1}", "tld4.r.2d.v4.f32.f32 " OUT ", [%4, {%5, %6}], {1, -1};", "f"(x), "f"(y));
    SHOW_FOUR("gather, 6 bits", "tld4.r.2d.v4.f32.f32 " OUT ", [%4, {%5, %6}], {%7, %8};", "f"(x), "f"(y),
              "r"(dx), "r"(dy));
    unsigned short h[4];
    unsigned low, high;
    asm volatile("tex.2d.v4.f16.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"
                 : "=h"(h[0]), "=h"(h[1]), "=h"(h[2]), "=h"(h[3])
                 : "l"(texture), "f"(x), "f"(y));
    asm volatile("tex.2d.v2.f16x2.f32 {%0, %1}, [%2, {%3, %4}], {1, 0};" : "=r"(low), "=r"(high) : "l"(texture), "f"(x), "f"(y));
    printf("halves: %04x %04x %04x %04x, %08x %08x\n", h[0], h[1], h[2], h[3], low, high);
}
__global__ void volumes(cudaTextureObject_t texture)
{
    SHOW_ONE("volume", "tex.3d.v4.f32.f32 " OUT ", [%4, {%5, %6, %7, %7}], {1, -1, 1, 0};", "f"(0.3f), "f"(0.6f),
             "f"(0.3f));
}
__global__ void layers(cudaTextureObject_t texture)
{
    SHOW_ONE("layer", "tex.a2d.v4.f32.f32 " OUT ", [%4, {%5, %6, %7, %7}], {1, -1};", "r"(1), "f"(0.3f), "f"(0.6f));
    SHOW_FOUR("gather of a layer", "tld4.r.a2d.v4.f32.f32 " OUT ", [%4, {%5, %6, %7, %7}];", "r"(1), "f"(0.3f),
              "f"(0.6f));
}
__global__ void cubes(cudaTextureObject_t texture)
{
    SHOW_FOUR("gather of a cube", "tld4.r.cube.v4.f32.f32 " OUT ", [%4, {%5, %6, %7, %7}];", "f"(0.1f), "f"(-0.9f),
              "f"(0.3f));
}
__global__ void layers_of_cubes(cudaTextureObject_t texture)
{
    SHOW_FOUR("gather of a layer of cubes", "tld4.r.acube.v4.f32.f32 " OUT ", [%4, {%5, %6, %7, %8}];", "r"(1),
              "f"(0.9f), "f"(0.1f), "f"(0.3f));
}

// 10 y + x, and 100 for each plane.
static cudaTextureObject_t texture_of(cudaExtent extent, unsigned flags, cudaTextureAddressMode mode)
{
    static float values[4096];
    const size_t height = extent.height == 0 ? 1 : extent.height, depth = extent.depth == 0 ? 1 : extent.depth;
    const size_t plane = extent.width * height;
    for (size_t i = 0; i < plane * depth; i++) {
        values[i] = (float)(i / plane * 100 + i / extent.width % height * 10 + i % extent.width);
    }
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    cudaMalloc3DArray(&resource.res.array.array, &format, extent, flags);
    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(values, extent.width * sizeof *values, extent.width, height);
    copy.dstArray = resource.res.array.array;
    copy.extent = make_cudaExtent(extent.width, height, depth);
    copy.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&copy);
    cudaTextureDesc description{};
    description.normalizedCoords = 1;
    for (auto &axis : description.addressMode) axis = mode;
    for (auto &channel : description.borderColor) channel = -5;
    cudaTextureObject_t texture;
    SHOW(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    return texture;
}

int main()
{
    const cudaExtent plane = make_cudaExtent(8, 4, 0);
    const cudaTextureAddressMode modes[] = {cudaAddressModeClamp, cudaAddressModeWrap, cudaAddressModeMirror,
                                            cudaAddressModeBorder};
    for (cudaTextureAddressMode mode : modes) {
        printf("---- mode %d\n", mode);
        planes<<<1, 1>>>(texture_of(plane, 0, mode), 17, -31);
        SHOW(cudaDeviceSynchronize());
        lines<<<1, 1>>>(texture_of(make_cudaExtent(8, 0, 0), 0, mode));
        SHOW(cudaDeviceSynchronize());
    }
    volumes<<<1, 1>>>(texture_of(make_cudaExtent(8, 4, 4), 0, cudaAddressModeWrap));
    layers<<<1, 1>>>(texture_of(make_cudaExtent(8, 4, 3), cudaArrayLayered, cudaAddressModeClamp));
    SHOW(cudaDeviceSynchronize());
    cubes<<<1, 1>>>(texture_of(make_cudaExtent(8, 8, 6), cudaArrayCubemap, cudaAddressModeClamp));
    layers_of_cubes<<<1, 1>>>(
        texture_of(make_cudaExtent(8, 8, 12), cudaArrayCubemap | cudaArrayLayered, cudaAddressModeClamp));
    SHOW(cudaDeviceSynchronize());
    return 0;
}
