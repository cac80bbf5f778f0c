// Channel formats whose kind says that integers are normalized: textures of them return floats, and other read
// modes are refused. Surfaces see the integers.
#include <cstdio>
#include <cstring>

__global__ void fetch(cudaTextureObject_t texture, float4 *out)
{
    *out = tex2D<float4>(texture, 0.5f, 0.5f);
}

__global__ void surface(cudaSurfaceObject_t surface, unsigned char *out)
{
    *out = surf2Dread<unsigned char>(surface, 0, 0);
}

static void show(int kind, int channels, int bits)
{
    const unsigned char texel[8] = {0x80, 0xff, 0x40, 0x7f, 0x01, 0x00, 0xff, 0xff};
    cudaChannelFormatDesc format = {bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0,
                                    channels > 2 ? bits : 0, (cudaChannelFormatKind)kind};
    cudaChannelFormatDesc back = {};
    cudaResourceDesc resource = {};
    cudaTextureDesc how = {};
    cudaTextureObject_t texture;
    cudaSurfaceObject_t object;
    float4 *out;
    unsigned char *byte;
    size_t bytes = channels * bits / 8;
    resource.resType = cudaResourceTypeArray;
    cudaError_t made = cudaMallocArray(&resource.res.array.array, &format, 1, 1, cudaArraySurfaceLoadStore);
    if (made != cudaSuccess) {
        printf("kind %d, %d of %d bits: %s\n", kind, channels, bits, cudaGetErrorName(made));
        return;
    }
    cudaMemcpy2DToArray(resource.res.array.array, 0, 0, texel, bytes, bytes, 1, cudaMemcpyHostToDevice);
    cudaGetChannelDesc(&back, resource.res.array.array);
    cudaError_t as_elements = cudaCreateTextureObject(&texture, &resource, &how, nullptr);
    how.readMode = cudaReadModeNormalizedFloat;
    cudaCreateTextureObject(&texture, &resource, &how, nullptr);
    cudaCreateSurfaceObject(&object, &resource);
    cudaMallocManaged(&out, sizeof *out);
    cudaMallocManaged(&byte, 1);
    fetch<<<1, 1>>>(texture, out);
    surface<<<1, 1>>>(object, byte);
    cudaDeviceSynchronize();
    printf("kind %d, %d %d %d %d bits: elements %s; %.6g %.6g %.6g %.6g; surface %#x\n", back.f, back.x, back.y,
           back.z, back.w, cudaGetErrorName(as_elements), out->x, out->y, out->z, out->w, *byte);
    cudaFree(out);
    cudaFree(byte);
    cudaDestroyTextureObject(texture);
    cudaDestroySurfaceObject(object);
    cudaFreeArray(resource.res.array.array);
}

int main()
{
    for (int kind = cudaChannelFormatKindUnsignedNormalized8X1; kind <= cudaChannelFormatKindSignedNormalized16X4;
         kind++) {
        int index = kind - cudaChannelFormatKindUnsignedNormalized8X1;
        show(kind, 1 << index % 3, index % 6 < 3 ? 8 : 16);
    }
    show(cudaChannelFormatKindUnsignedNormalized8X4, 2, 8);
    show(cudaChannelFormatKindUnsignedNormalized8X4, 4, 16);
    show(4, 4, 8);
    show(17, 4, 8);
    return 0;
}
