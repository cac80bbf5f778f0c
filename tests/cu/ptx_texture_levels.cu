// tex with levels, gradients and cubes, and tld4, in inline PTX give what CUDA's functions give. A tex without a level
// takes no bias of the levels.
#include "show.h"

#define TEXELS(TEXT, ...)                                                                                    \
    [&] {                                                                                                    \
        float4 r;                                                                                            \
        asm volatile(TEXT : "=f"(r.x), "=f"(r.y), "=f"(r.z), "=f"(r.w) : "l"(texture), __VA_ARGS__);          \
        return r;                                                                                            \
    }()

__device__ void compare(const char *name, float4 got, float4 wanted)
{
    bool is_same = got.x == wanted.x && got.y == wanted.y && got.z == wanted.z && got.w == wanted.w;
    printf("%s %s\n", name, is_same ? "same" : "differs");
}
__device__ float4 wide(float x)
{
    return make_float4(x, 0, 0, 0);
}
#define SAME(NAME, CALL, TEXT, ...) compare(NAME, TEXELS(TEXT, __VA_ARGS__), CALL)
#define OUT "{%0, %1, %2, %3}, "

__global__ void planes(cudaTextureObject_t texture)
{
    SAME("2d", wide(tex2D<float>(texture, 0.3f, 0.7f)), "tex.2d.v4.f32.f32 " OUT "[%4, {%5, %6}];", "f"(0.3f),
         "f"(0.7f));
    SAME("level 2d", wide(tex2DLod<float>(texture, 0.3f, 0.7f, 1.25f)),
         "tex.level.2d.v4.f32.f32 " OUT "[%4, {%5, %6}], %7;", "f"(0.3f), "f"(0.7f), "f"(1.25f));
    SAME("grad 2d",
         wide(tex2DGrad<float>(texture, 0.3f, 0.7f, make_float2(0.2f, 0.0f), make_float2(0.0f, 0.3f))),
         "tex.grad.2d.v4.f32.f32 " OUT "[%4, {%5, %6}], {%7, %8}, {%8, %9};", "f"(0.3f), "f"(0.7f), "f"(0.2f),
         "f"(0.0f), "f"(0.3f));
}
__global__ void layers(cudaTextureObject_t texture)
{
    SAME("a2d", wide(tex2DLayered<float>(texture, 0.6f, 0.2f, 1)),
         "tex.a2d.v4.f32.f32 " OUT "[%4, {%5, %6, %7, %7}];", "r"(1), "f"(0.6f), "f"(0.2f));
    SAME("level a2d", wide(tex2DLayeredLod<float>(texture, 0.6f, 0.2f, 1, 0.5f)),
         "tex.level.a2d.v4.f32.f32 " OUT "[%4, {%5, %6, %7, %7}], %8;", "r"(1), "f"(0.6f), "f"(0.2f), "f"(0.5f));
    SAME("grad a2d",
         wide(tex2DLayeredGrad<float>(texture, 0.6f, 0.2f, 1, make_float2(0.4f, 0), make_float2(0, 0.1f))),
         "tex.grad.a2d.v4.f32.f32 " OUT "[%4, {%5, %6, %7, %7}], {%8, 0f00000000}, {0f00000000, %9};", "r"(1),
         "f"(0.6f), "f"(0.2f), "f"(0.4f), "f"(0.1f));
}
__global__ void volumes(cudaTextureObject_t texture)
{
    SAME("level 3d", wide(tex3DLod<float>(texture, 0.1f, 0.5f, 0.9f, 0.75f)),
         "tex.level.3d.v4.f32.f32 " OUT "[%4, {%5, %6, %7, %7}], %8;", "f"(0.1f), "f"(0.5f), "f"(0.9f), "f"(0.75f));
    SAME("grad 3d",
         wide(tex3DGrad<float>(texture, 0.1f, 0.5f, 0.9f, make_float4(0.3f, 0, 0, 0), make_float4(0, 0, 0.2f, 0))),
         "tex.grad.3d.v4.f32.f32 " OUT "[%4, {%5, %6, %7, %7}], {%8, %9, %9, %9}, {%9, %9, %10, %9};", "f"(0.1f),
         "f"(0.5f), "f"(0.9f), "f"(0.3f), "f"(0.0f), "f"(0.2f));
}
__global__ void cubes(cudaTextureObject_t texture)
{
    SAME("cube", wide(texCubemap<float>(texture, 0.1f, -0.9f, 0.3f)),
         "tex.cube.v4.f32.f32 " OUT "[%4, {%5, %6, %7, %7}];", "f"(0.1f), "f"(-0.9f), "f"(0.3f));
    SAME("level cube", wide(texCubemapLod<float>(texture, 0.1f, -0.9f, 0.3f, 0.5f)),
         "tex.level.cube.v4.f32.f32 " OUT "[%4, {%5, %6, %7, %7}], %8;", "f"(0.1f), "f"(-0.9f), "f"(0.3f), "f"(0.5f));
}
__global__ void layers_of_cubes(cudaTextureObject_t texture)
{
    SAME("acube", wide(texCubemapLayered<float>(texture, -0.4f, 0.2f, 0.7f, 1)),
         "tex.acube.v4.f32.f32 " OUT "[%4, {%5, %6, %7, %8}];", "r"(1), "f"(-0.4f), "f"(0.2f), "f"(0.7f));
}
__global__ void gathers(cudaTextureObject_t texture)
{
    SAME("gather r", tex2Dgather<float4>(texture, 0.4f, 0.6f, 0), "tld4.r.2d.v4.f32.f32 " OUT "[%4, {%5, %6}];",
         "f"(0.4f), "f"(0.6f));
    SAME("gather a", tex2Dgather<float4>(texture, 0.4f, 0.6f, 3), "tld4.a.2d.v4.f32.f32 " OUT "[%4, {%5, %6}];",
         "f"(0.4f), "f"(0.6f));
}

// Texels that increase in steps that differ, in all levels and faces.
static float at(size_t i)
{
    return 3.0f + (float)(i * i % 97) + 0.25f * (float)i;
}
static void fill(cudaArray_t array, size_t width, size_t height, size_t depth)
{
    static float values[4096];
    for (size_t i = 0; i < width * height * depth; i++) values[i] = at(i + width);
    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(values, width * sizeof *values, width, height);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(width, height, depth);
    copy.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&copy);
}
static cudaTextureObject_t texture_of(cudaExtent extent, unsigned flags)
{
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMipmappedArray_t mipmap;
    cudaMallocMipmappedArray(&mipmap, &format, extent, 3, flags);
    bool is_thick = (flags & (cudaArrayLayered | cudaArrayCubemap)) != 0;
    for (unsigned i = 0; i < 3; i++) {
        cudaArray_t level;
        cudaGetMipmappedArrayLevel(&level, mipmap, i);
        fill(level, extent.width >> i, extent.height >> i, extent.depth == 0 ? 1
                                                           : is_thick       ? extent.depth
                                                                            : extent.depth >> i);
    }
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = mipmap;
    cudaTextureDesc description{};
    description.filterMode = description.mipmapFilterMode = cudaFilterModeLinear;
    description.normalizedCoords = 1;
    description.maxMipmapLevelClamp = 2;
    description.mipmapLevelBias = 0.5f;
    cudaTextureObject_t texture;
    SHOW(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    return texture;
}

int main()
{
    planes<<<1, 1>>>(texture_of(make_cudaExtent(8, 8, 0), 0));
    SHOW(cudaDeviceSynchronize());
    layers<<<1, 1>>>(texture_of(make_cudaExtent(8, 8, 2), cudaArrayLayered));
    SHOW(cudaDeviceSynchronize());
    volumes<<<1, 1>>>(texture_of(make_cudaExtent(8, 8, 8), 0));
    SHOW(cudaDeviceSynchronize());
    cubes<<<1, 1>>>(texture_of(make_cudaExtent(8, 8, 6), cudaArrayCubemap));
    SHOW(cudaDeviceSynchronize());
    layers_of_cubes<<<1, 1>>>(texture_of(make_cudaExtent(8, 8, 12), cudaArrayCubemap | cudaArrayLayered));
    SHOW(cudaDeviceSynchronize());

    cudaChannelFormatDesc format = cudaCreateChannelDesc<float4>();
    cudaArray_t array;
    SHOW(cudaMallocArray(&array, &format, 4, 4, cudaArrayTextureGather));
    float values[64];
    for (size_t i = 0; i < 64; i++) values[i] = at(i);
    SHOW(cudaMemcpy2DToArray(array, 0, 0, values, 64, 64, 4, cudaMemcpyHostToDevice));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description{};
    description.normalizedCoords = 1;
    cudaTextureObject_t texture;
    SHOW(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    gathers<<<1, 1>>>(texture);
    SHOW(cudaDeviceSynchronize());
}
