// Textures and surfaces in inline PTX give what CUDA's functions give.
#include "show.h"

__global__ void planes(cudaTextureObject_t texture, cudaSurfaceObject_t surface)
{
    float r, g, b, a;
    asm volatile("tex.2d.v4.f32.s32 {%0, %1, %2, %3}, [%4, {%5, %6}];"
                 : "=f"(r), "=f"(g), "=f"(b), "=f"(a)
                 : "l"(texture), "r"(1), "r"(2));
    printf("%g %d\n", r, r == tex2D<float>(texture, 1.0f, 2.0f));
    asm volatile("tex.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"
                 : "=f"(r), "=f"(g), "=f"(b), "=f"(a)
                 : "l"(texture), "f"(3.5f), "f"(1.5f));
    printf("%g %d\n", r, r == tex2D<float>(texture, 3.5f, 1.5f));
    unsigned v, w;
    asm volatile("suld.b.2d.b32.clamp {%0}, [%1, {%2, %3}];" : "=r"(v) : "l"(surface), "r"(4), "r"(0));
    printf("%g\n", __uint_as_float(v));
    asm volatile("suld.b.2d.v2.b32.trap {%0, %1}, [%2, {%3, %4}];"
                 : "=r"(v), "=r"(w)
                 : "l"(surface), "r"(8), "r"(1));
    printf("%g %g\n", __uint_as_float(v), __uint_as_float(w));
    asm volatile("suld.b.2d.b32.zero %0, [%1, {%2, %3}];" : "=r"(v) : "l"(surface), "r"(400), "r"(0));
    asm volatile("sust.b.2d.b32.clamp [%0, {%1, %2}], {%3};" ::"l"(surface), "r"(400), "r"(3),
                 "r"(__float_as_uint(7.0f)));
    asm volatile("sust.b.2d.b16.zero [%0, {%1, %2}], %3;" ::"l"(surface), "r"(2), "r"(0),
                 "h"((short)0x4120));
    printf("%u %g %g\n", v, surf2Dread<float>(surface, 12, 3), surf2Dread<float>(surface, 0, 0));
}

// Whole coordinates name a texel: no filter, and zero outside, though the texture clamps. An H100
// does so.
__global__ void texels(cudaTextureObject_t texture)
{
    for (int y = -1; y < 5; y++) {
        for (int x = -1; x < 5; x++) {
            float r, g, b, a;
            asm volatile("tex.2d.v4.f32.s32 {%0, %1, %2, %3}, [%4, {%5, %6}];"
                         : "=f"(r), "=f"(g), "=f"(b), "=f"(a)
                         : "l"(texture), "r"(x), "r"(y));
            printf("%g%c", r, x < 4 ? ' ' : '\n');
        }
    }
}

__global__ void line(cudaTextureObject_t texture)
{
    int r, g, b, a;
    asm volatile("tex.1d.v4.s32.s32 {%0, %1, %2, %3}, [%4, {%5}];"
                 : "=r"(r), "=r"(g), "=r"(b), "=r"(a)
                 : "l"(texture), "r"(3));
    printf("%d %d\n", r, r == tex1Dfetch<int>(texture, 3));
}

int main()
{
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    float values[16];
    for (int i = 0; i < 16; i++) {
        values[i] = 1.0f + 10.0f * (float)i;
    }
    MUST(cudaMallocArray(&array, &format, 4, 4, cudaArraySurfaceLoadStore));
    MUST(cudaMemcpy2DToArray(array, 0, 0, values, 16, 16, 4, cudaMemcpyHostToDevice));
    cudaResourceDesc resource{};
    cudaTextureDesc description{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureObject_t texture;
    cudaSurfaceObject_t surface;
    MUST(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    MUST(cudaCreateSurfaceObject(&surface, &resource));
    planes<<<1, 1>>>(texture, surface);
    SHOW(cudaDeviceSynchronize());
    cudaTextureObject_t filtered;
    description.filterMode = cudaFilterModeLinear;
    description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
    MUST(cudaCreateTextureObject(&filtered, &resource, &description, nullptr));
    texels<<<1, 1>>>(filtered);
    SHOW(cudaDeviceSynchronize());

    int *numbers;
    MUST(cudaMallocManaged(&numbers, 8 * sizeof *numbers));
    for (int i = 0; i < 8; i++) {
        numbers[i] = -i;
    }
    cudaResourceDesc linear{};
    linear.resType = cudaResourceTypeLinear;
    linear.res.linear.devPtr = numbers;
    linear.res.linear.desc = cudaCreateChannelDesc<int>();
    linear.res.linear.sizeInBytes = 8 * sizeof *numbers;
    description.filterMode = cudaFilterModePoint; // integers have no other
    MUST(cudaCreateTextureObject(&texture, &linear, &description, nullptr));
    line<<<1, 1>>>(texture);
    SHOW(cudaDeviceSynchronize());
}
