// Read modes and filters that a format does not have, and modes that do not exist. An H200 gives the same
// errors.
#include <cstdio>

static cudaError_t create(cudaArray_t array, const cudaTextureDesc &how)
{
    cudaResourceDesc resource = {};
    cudaTextureObject_t texture;
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaError_t error = cudaCreateTextureObject(&texture, &resource, &how, nullptr);
    if (error == cudaSuccess) {
        cudaDestroyTextureObject(texture);
    }
    return error;
}

static void formats()
{
    const struct {
        const char *name;
        int kind, x, y;
    } formats[] = {{"signed byte", 0, 8, 0}, {"unsigned short", 1, 16, 0}, {"int", 0, 32, 0},
                   {"two unsigned", 1, 32, 32}, {"half", 2, 16, 0}, {"float", 2, 32, 0},
                   {"normalized bytes", cudaChannelFormatKindUnsignedNormalized8X2, 8, 8}};
    for (const auto &format : formats) {
        cudaChannelFormatDesc desc = {format.x, format.y, 0, 0, (cudaChannelFormatKind)format.kind};
        cudaArray_t array;
        cudaMallocArray(&array, &desc, 8, 8);
        printf("%s:", format.name);
        for (int linear = 0; linear < 2; linear++) {
            for (int normalized = 0; normalized < 2; normalized++) {
                cudaTextureDesc how = {};
                how.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
                how.readMode = normalized ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
                printf(" %s", cudaGetErrorName(create(array, how)));
            }
        }
        printf("\n");
        cudaFreeArray(array);
    }
}

static void modes()
{
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    cudaTextureDesc address = {}, filter = {}, levels = {}, seamless = {}, steep = {};
    cudaArray_t array, cube;
    cudaMallocArray(&array, &desc, 8, 8);
    cudaMalloc3DArray(&cube, &desc, make_cudaExtent(8, 8, 6), cudaArrayCubemap);
    address.addressMode[0] = (cudaTextureAddressMode)7;
    filter.filterMode = (cudaTextureFilterMode)5;
    levels.mipmapFilterMode = (cudaTextureFilterMode)5;
    seamless.seamlessCubemap = 1;
    steep.maxAnisotropy = 100;
    printf("address mode %s\n", cudaGetErrorName(create(array, address)));
    printf("filter mode %s\n", cudaGetErrorName(create(array, filter)));
    printf("filter mode of levels %s\n", cudaGetErrorName(create(array, levels)));
    printf("seamless picture %s, cube %s\n", cudaGetErrorName(create(array, seamless)),
           cudaGetErrorName(create(cube, seamless)));
    printf("anisotropy of 100 %s\n", cudaGetErrorName(create(array, steep)));
    cudaFreeArray(array);
    cudaFreeArray(cube);
}

int main()
{
    formats();
    modes();
    return 0;
}
