// The border color has the precision of the texture's format. Integers are the bits of the floats.
// The results are those of an H200.
#include <cmath>
#include <cstdio>
#include <cstring>

static cudaTextureFilterMode filter = cudaFilterModePoint;

template <class T>
__global__ void fetch(cudaTextureObject_t texture, T *out)
{
    *out = tex2D<T>(texture, -3.0f, 9.0f);
}

template <class T>
static T border(cudaChannelFormatDesc format, bool normalized, const void *color)
{
    cudaResourceDesc resource = {};
    cudaTextureDesc how = {};
    cudaTextureObject_t texture;
    T *out, result;
    resource.resType = cudaResourceTypeArray;
    cudaMallocArray(&resource.res.array.array, &format, 4, 4);
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeBorder;
    how.filterMode = filter;
    how.readMode = normalized ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    memcpy(how.borderColor, color, sizeof how.borderColor);
    cudaCreateTextureObject(&texture, &resource, &how, nullptr);
    cudaMallocManaged(&out, sizeof *out);
    fetch<<<1, 1>>>(texture, out);
    cudaDeviceSynchronize();
    result = *out;
    cudaFree(out);
    cudaDestroyTextureObject(texture);
    cudaFreeArray(resource.res.array.array);
    return result;
}

static void floats(const char *what, cudaChannelFormatDesc format, bool normalized, const float4 &color,
                   float scale)
{
    float4 f = border<float4>(format, normalized, &color);
    printf("%s: %.9g %.9g %.9g %.9g\n", what, f.x * scale, f.y * scale, f.z * scale, f.w * scale);
}

static void integers(const char *what, cudaChannelFormatDesc format, const int4 &color)
{
    int4 i = border<int4>(format, false, &color);
    printf("%s: %d %d %d %d\n", what, i.x, i.y, i.z, i.w);
}

// 2/127 by a fetch and by a gather: 516/32767, since the gather has 16 bits.
__global__ void both(cudaTextureObject_t texture, float *out)
{
    out[0] = tex2D<float>(texture, 0.0f, 0.0f);
    out[1] = tex2Dgather<float4>(texture, 1.0f, 1.0f).x;
}

static void gather_of_bytes()
{
    cudaResourceDesc resource = {};
    cudaTextureDesc how = {};
    cudaTextureObject_t texture;
    signed char texels[4] = {2, 2, 2, 2};
    float *out;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<signed char>();
    resource.resType = cudaResourceTypeArray;
    cudaMallocArray(&resource.res.array.array, &format, 2, 2, cudaArrayTextureGather);
    cudaMemcpy2DToArray(resource.res.array.array, 0, 0, texels, 2, 2, 2, cudaMemcpyHostToDevice);
    how.readMode = cudaReadModeNormalizedFloat;
    cudaCreateTextureObject(&texture, &resource, &how, nullptr);
    cudaMallocManaged(&out, 2 * sizeof *out);
    both<<<1, 1>>>(texture, out);
    cudaDeviceSynchronize();
    printf("fetch %a, gather %a\n", out[0], out[1]);
    cudaFree(out);
    cudaDestroyTextureObject(texture);
    cudaFreeArray(resource.res.array.array);
}

int main()
{
    float4 small = {0.1f, 1.5f, -0.3f, 0.6f}, large = {-2.0f, -0.4f, NAN, -0.0f};
    floats("float", cudaCreateChannelDesc<float4>(), false, small, 1.0f);
    floats("half", cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat), false,
           {0x1.003p-1f, 1e30f, -1e30f, 0x1.8p-24f}, 1.0f);
    floats("unsigned char", cudaCreateChannelDesc<uchar4>(), true, small, 255.0f);
    floats("unsigned char", cudaCreateChannelDesc<uchar4>(), true, large, 255.0f);
    // Only 12 bits of the color count: 100.52 / 255 is still 100.
    floats("unsigned char", cudaCreateChannelDesc<uchar4>(), true,
           {0.5f, 100.52f / 255.0f, 100.98f / 255.0f, 0.0f}, 255.0f);
    floats("short", cudaCreateChannelDesc<short4>(), true, small, 32767.0f);
    floats("short", cudaCreateChannelDesc<short4>(), true, large, 32767.0f);
    floats("two of unsigned short", cudaCreateChannelDesc<ushort2>(), true, small, 65535.0f);
    int4 color = {7, -1, 0x12345678, 0x100ff};
    integers("char", cudaCreateChannelDesc<char4>(), color);
    integers("unsigned char", cudaCreateChannelDesc<uchar4>(), color);
    integers("unsigned short", cudaCreateChannelDesc<ushort4>(), color);
    integers("int", cudaCreateChannelDesc<int4>(), color);
    filter = cudaFilterModeLinear;
    floats("filtered float", cudaCreateChannelDesc<float4>(), false, {-0.0f, 0.0f, 0.1f, -1.0f}, 1.0f);
    gather_of_bytes();
}
