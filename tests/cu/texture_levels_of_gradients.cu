// The level of detail that derivatives give. The lengths of four steps are approximated: those along x and y, and
// those of the diagonals. The expected levels, in 256ths, are those of an H200; the special ones were not
// compared.
#include <cmath>
#include <cstdio>
#include <vector>

struct sample {
    float ax, ay, bx, by, level;
};
static const sample lines[] = {
    {0x1.8d12440000000p-8f, 0x0.0p+0f, -0x1.11c99c0000000p-8f, 0x0.0p+0f, 985},
    {-0x1.a690c80000000p-9f, 0x0.0p+0f, 0x1.00b7640000000p-8f, 0x0.0p+0f, 852},
    {0x1.a868e80000000p-4f, 0x0.0p+0f, 0x1.af5dda0000000p-7f, 0x0.0p+0f, 1979},
    {0x1.eb7a8c0000000p-7f, 0x0.0p+0f, 0x1.0512520000000p-7f, 0x0.0p+0f, 1284},
    {0x1.53e0500000000p-12f, 0x0.0p+0f, -0x1.e02a020000000p-12f, 0x0.0p+0f, 35},
    {-0x1.0f1e100000000p-4f, 0x0.0p+0f, -0x1.7dd8fa0000000p-4f, 0x0.0p+0f, 1999},
    {-0x1.ffc3580000000p-7f, 0x0.0p+0f, 0x1.1c704a0000000p-6f, 0x0.0p+0f, 1417},
    {0x1.36b4ac0000000p-7f, 0x0.0p+0f, 0x1.76b24e0000000p-7f, 0x0.0p+0f, 1250},
};
static const sample pictures[] = {
    {-0x1.eb34620000000p-7f, -0x1.223d480000000p-5f, -0x1.2fe8b60000000p-5f, 0x1.18ac980000000p-6f, 1101},
    {0x1.f2b5c20000000p-9f, -0x1.7014020000000p-4f, -0x1.16c05c0000000p-2f, 0x1.4063fe0000000p-4f, 1832},
    {0x1.2ff0b20000000p-9f, 0x0.0p+0f, 0x0.0p+0f, 0x0.0p+0f, 63},
    {0x1.c096780000000p-7f, 0x0.0p+0f, 0x0.0p+0f, 0x1.e700e60000000p-5f, 750},
    {0x1.5269d60000000p-10f, 0x1.2313280000000p-8f, -0x1.ee051a0000000p-10f, 0x1.6290f60000000p-12f, 79},
    {0x1.171c2e0000000p-15f, -0x1.1a4b6a0000000p-8f, 0x1.0bc4da0000000p-9f, 0x1.5e62fe0000000p-10f, 36},
    {-0x1.24e75c0000000p-3f, 0x1.837b720000000p-7f, 0x0.0p+0f, 0x0.0p+0f, 1588},
    {-0x1.594cb40000000p-6f, 0x0.0p+0f, 0x0.0p+0f, 0x1.31eef40000000p-6f, 879},
    {-0x1.2438040000000p-6f, 0x1.87b4200000000p-7f, 0x1.6ca4d40000000p-6f, 0x1.b0b9600000000p-7f, 978},
    {-0x1.4b27b20000000p-7f, 0x0.0p+0f, 0x0.0p+0f, 0x0.0p+0f, 607},
    {-0x1.19380e0000000p-6f, 0x0.0p+0f, 0x0.0p+0f, -0x1.4273280000000p-9f, 803},
    {0x1.13cdbc0000000p-4f, -0x1.1b4cdc0000000p-4f, -0x1.9f7fba0000000p-7f, 0x1.2d95760000000p-6f, 1338},
};
static const sample special[] = {
    {0, 0, 0, 0, 0}, {1e30f, 0, 0, 1, 2304}, {NAN, NAN, NAN, NAN, 0}, {INFINITY, 0, 0, 0, 2304},
};

__global__ void fetch(cudaTextureObject_t texture, sample at, bool is_line, float *out)
{
    *out = is_line ? tex1DGrad<float>(texture, 0.5f, at.ax, at.bx)
                   : tex2DGrad<float>(texture, 0.5f, 0.5f, make_float2(at.ax, at.ay),
                                      make_float2(at.bx, at.by));
}

// Each level is full of its number of 256ths: the results are levels of detail.
static cudaTextureObject_t levels_of(int width, int height)
{
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaResourceDesc resource = {};
    cudaTextureDesc how = {};
    cudaTextureObject_t texture;
    int levels = 1;
    while (width >> levels > 0) {
        levels++;
    }
    resource.resType = cudaResourceTypeMipmappedArray;
    cudaMallocMipmappedArray(&resource.res.mipmap.mipmap, &format, make_cudaExtent(width, height, 0), levels);
    for (int l = 0; l < levels; l++) {
        cudaArray_t array;
        cudaGetMipmappedArrayLevel(&array, resource.res.mipmap.mipmap, l);
        size_t rows = height >> l > 0 ? height >> l : 1, row = (width >> l) * sizeof(float);
        std::vector<float> texels((width >> l) * rows, 256.0f * l);
        cudaMemcpy2DToArray(array, 0, 0, texels.data(), row, row, rows, cudaMemcpyHostToDevice);
    }
    how.filterMode = how.mipmapFilterMode = cudaFilterModeLinear;
    how.normalizedCoords = 1;
    how.maxMipmapLevelClamp = levels;
    cudaCreateTextureObject(&texture, &resource, &how, nullptr);
    return texture;
}

template <int COUNT> static void show(const char *what, int width, int height, const sample (&samples)[COUNT])
{
    cudaTextureObject_t texture = levels_of(width, height);
    float *out;
    cudaMallocManaged(&out, sizeof *out);
    for (const sample &at : samples) {
        fetch<<<1, 1>>>(texture, at, height == 0, out);
        cudaDeviceSynchronize();
        printf("%s: %g%s\n", what, *out, *out == at.level ? "" : ", WRONG");
    }
    cudaFree(out);
    cudaDestroyTextureObject(texture);
}

int main()
{
    show("line", 2048, 0, lines);
    show("picture", 512, 128, pictures);
    show("special", 512, 128, special);
    return 0;
}
