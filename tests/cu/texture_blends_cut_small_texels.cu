// A blend of floats has 27 bits below the largest texel, one of half 14. Subnormal texels are zero, and
// all NaN become the same one. The values are those of an H200.
#include <cstdio>
#include <cstring>
#include <cuda_fp16.h>

// Texels 0 and 1 with the weights 256 - weight and weight.
template <class T>
__global__ void fetch(cudaTextureObject_t texture, int weight, T *out)
{
    *out = tex2D<T>(texture, 0.5f + weight / 256.0f, 0.5f);
}

static unsigned bits(float value)
{
    unsigned result;
    memcpy(&result, &value, sizeof result);
    return result;
}

static float blend(cudaChannelFormatDesc format, const void *texels, cudaTextureReadMode mode, int weight)
{
    cudaResourceDesc resource = {};
    cudaTextureDesc how = {};
    cudaTextureObject_t texture;
    float *out;
    size_t bytes = 2 * (format.x / 8);
    resource.resType = cudaResourceTypeArray;
    cudaMallocArray(&resource.res.array.array, &format, 2, 1);
    cudaMemcpy2DToArray(resource.res.array.array, 0, 0, texels, bytes, bytes, 1, cudaMemcpyHostToDevice);
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    how.filterMode = cudaFilterModeLinear;
    how.readMode = mode;
    cudaCreateTextureObject(&texture, &resource, &how, nullptr);
    cudaMallocManaged(&out, sizeof *out);
    fetch<<<1, 1>>>(texture, weight, out);
    cudaDeviceSynchronize();
    float result = *out;
    cudaFree(out);
    cudaDestroyTextureObject(texture);
    cudaFreeArray(resource.res.array.array);
    return result;
}

static void floats(const char *what, unsigned a, unsigned b, int weight)
{
    unsigned texels[2] = {a, b};
    float result = blend(cudaCreateChannelDesc<float>(), texels, cudaReadModeElementType, weight);
    printf("%s: %08x\n", what, bits(result));
}

static void halves(const char *what, unsigned short a, unsigned short b, int weight)
{
    unsigned short texels[2] = {a, b};
    cudaChannelFormatDesc format = cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
    printf("%s: %08x\n", what, bits(blend(format, texels, cudaReadModeElementType, weight)));
}

static void bytes(int a, int b, int weight)
{
    signed char texels[2] = {(signed char)a, (signed char)b};
    float result =
        blend(cudaCreateChannelDesc<signed char>(), texels, cudaReadModeNormalizedFloat, weight);
    printf("%d and %d: %g / 32767\n", a, b, result * 32767.0f);
}

int main()
{
    floats("2.75 and 0.1", 0x40300000, 0x3dcccccd, 255);
    floats("1 and 2^-27", 0x3f800000, 0x32000000, 255);
    floats("1 and 2^-28", 0x3f800000, 0x31800000, 255);
    floats("negative zeros", 0x80000000, 0x80000000, 9);
    floats("zeros of both signs", 0x80000000, 0, 9);
    floats("a subnormal number and 1", 0x007fffff, 0x3f800000, 0);
    floats("a subnormal result", 0x00800000, 0x80000000, 200);
    floats("NaN", 0xffc01234, 0x3f800000, 1);
    floats("NaN without a weight", 0x3f800000, 0xffc01234, 0);
    floats("infinities of both signs", 0x7f800000, 0xff800000, 1);
    floats("infinity", 0xff800000, 0x3f800000, 255);
    halves("half: 1 and 2^-14 twice", 0x3c00, 0x0400, 255);
    halves("half: 1 and 2^-15", 0x3c00, 0x0200, 255);
    halves("half: NaN", 0xfe01, 0x3c00, 1);
    bytes(127, -128, 100);
    bytes(-128, -128, 7);
    bytes(64, 64, 7);
    bytes(-64, -64, 7);
    bytes(-65, -65, 7);
    return 0;
}
