// sRGB is decoded by a table of 8 significant bits, and blended with fewer. Of two channels only the first is
// a color, and other formats than bytes are never. The values are those of an H200.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void fetch(cudaTextureObject_t texture, float x, float4 *out)
{
    *out = tex2D<float4>(texture, x, 0.5f);
}

struct how_read {
    cudaTextureFilterMode filter = cudaFilterModePoint;
    float border = 0.0f;
};

static float4 read(cudaChannelFormatDesc format, const void *texels, float x, how_read read = {})
{
    cudaResourceDesc resource = {};
    cudaTextureDesc how = {};
    cudaTextureObject_t texture;
    float4 *out;
    size_t bytes = 2 * (format.x + format.y + format.z + format.w) / 8;
    resource.resType = cudaResourceTypeArray;
    cudaMallocArray(&resource.res.array.array, &format, 2, 1);
    cudaMemcpy2DToArray(resource.res.array.array, 0, 0, texels, bytes, bytes, 1, cudaMemcpyHostToDevice);
    how.addressMode[0] = cudaAddressModeBorder;
    how.addressMode[1] = cudaAddressModeClamp;
    how.filterMode = read.filter;
    how.readMode = cudaReadModeNormalizedFloat;
    how.sRGB = 1;
    how.borderColor[0] = how.borderColor[3] = read.border;
    cudaCreateTextureObject(&texture, &resource, &how, nullptr);
    cudaMallocManaged(&out, sizeof *out);
    fetch<<<1, 1>>>(texture, x, out);
    cudaDeviceSynchronize();
    float4 result = *out;
    cudaFree(out);
    cudaDestroyTextureObject(texture);
    cudaFreeArray(resource.res.array.array);
    return result;
}

static void code(int value)
{
    unsigned char texels[2] = {(unsigned char)value, 0};
    printf("%d: %g / 65536\n", value, read(cudaCreateChannelDesc<unsigned char>(), texels, 0.5f).x * 65536);
}

// Both texels have half of the weight.
static void blend(int a, int b)
{
    unsigned char texels[2] = {(unsigned char)a, (unsigned char)b};
    how_read how = {cudaFilterModeLinear};
    printf("%d and %d: %g / 65536\n", a, b,
           read(cudaCreateChannelDesc<unsigned char>(), texels, 1.0f, how).x * 65536);
}

static void border(float color)
{
    unsigned char texels[2] = {};
    how_read how = {cudaFilterModePoint, color};
    printf("border %g: %g / 65536\n", color,
           read(cudaCreateChannelDesc<unsigned char>(), texels, -3.0f, how).x * 65536);
}

static void formats()
{
    const unsigned char four[8] = {11, 11, 11, 51}, two[4] = {11, 51};
    const unsigned short words[2] = {13107, 0};
    float4 of_four = read(cudaCreateChannelDesc<uchar4>(), four, 0.5f);
    float4 of_two = read(cudaCreateChannelDesc<uchar2>(), two, 0.5f);
    float4 of_words = read(cudaCreateChannelDesc<unsigned short>(), words, 0.5f);
    printf("four channels: %g %g %g %g\n", of_four.x * 65536, of_four.y * 65536, of_four.z * 65536, of_four.w);
    printf("two channels: %g %g\n", of_two.x * 65536, of_two.y);
    printf("16 bits: %g\n", of_words.x);
}

int main()
{
    for (int value : {0, 3, 11, 12, 32, 184, 254, 255}) {
        code(value);
    }
    blend(11, 184);
    blend(50, 200);
    blend(184, 184);
    blend(32, 32);
    blend(250, 254);
    border(0.5f);
    border(0.25f);
    formats();
    return 0;
}
