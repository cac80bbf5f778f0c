// sust.p converts its words to the format of the surface: integers are limited to a channel, floats are cut to
// half. Coordinates count texels. A channel without a word gets 0.
#include "show.h"

__device__ const unsigned words[][4] = {
    {0, 1, 0x7f, 0x80},
    {0xff, 0x100, 0xffff, 0x10000},
    {0xffffffff, 0xffffff80, 0xffffff7f, 0xffff7fff},
    {0x7fffffff, 0x80000000, 0x3fc00000, 0xbfc00000},
    {0x477fe000, 0x47800000, 0x7f800000, 0xff800000},
    {0x7f800001, 0xffc12345, 0x33800000, 0x387fffff},
};

template <bool IS_3D> __global__ void store(cudaSurfaceObject_t s)
{
    const int i = threadIdx.x, z = IS_3D ? 1 : 0;
    const unsigned *w = words[i];
    if (IS_3D) {
        asm volatile("sust.p.3d.v4.b32.trap [%0, {%1, %2, %3, %3}], {%4, %5, %6, %7};" ::"l"(s), "r"(i), "r"(0),
                     "r"(z), "r"(w[0]), "r"(w[1]), "r"(w[2]), "r"(w[3]));
    } else {
        asm volatile("sust.p.2d.v4.b32.trap [%0, {%1, %2}], {%3, %4, %5, %6};" ::"l"(s), "r"(i), "r"(z), "r"(w[0]),
                     "r"(w[1]), "r"(w[2]), "r"(w[3]));
    }
    if (!IS_3D && i == 0) {
        asm volatile("sust.p.2d.v2.b32.zero [%0, {%1, %2}], {%3, %4};" ::"l"(s), "r"(6), "r"(0), "r"(3), "r"(4));
        asm volatile("sust.p.2d.b32.clamp [%0, {%1, %2}], {%3};" ::"l"(s), "r"(100), "r"(-1), "r"(5));
        asm volatile("sust.p.2d.b32.zero [%0, {%1, %2}], %3;" ::"l"(s), "r"(-1), "r"(0), "r"(6));
    }
}

static void run(const char *name, cudaChannelFormatDesc format, bool is_3d)
{
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    cudaArray_t &array = resource.res.array.array;
    cudaMalloc3DArray(&array, &format, make_cudaExtent(8, 1, is_3d ? 2 : 0), cudaArraySurfaceLoadStore);
    unsigned char bytes[2 * 8 * 16];
    for (unsigned char &byte : bytes) byte = 0xee;
    const int texel = (format.x + format.y + format.z + format.w) / 8;
    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(bytes, 8 * texel, 8, 1);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(8, 1, is_3d ? 2 : 1);
    copy.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&copy);
    cudaSurfaceObject_t surface;
    cudaCreateSurfaceObject(&surface, &resource);
    is_3d ? store<true><<<1, 6>>>(surface) : store<false><<<1, 6>>>(surface);
    printf("%s: %s\n", name, cudaGetErrorName(cudaDeviceSynchronize()));
    copy.dstArray = nullptr;
    copy.srcArray = array;
    copy.dstPtr = copy.srcPtr;
    copy.srcPtr = cudaPitchedPtr{};
    copy.kind = cudaMemcpyDeviceToHost;
    cudaMemcpy3D(&copy);
    const int size = format.x / 8, plane = is_3d ? 8 * texel : 0;
    for (int i = 0; i < 8 * texel; i += size) {
        for (int j = size - 1; j >= 0; j--) printf("%02x", bytes[plane + i + j]);
        printf((i + size) % texel == 0 ? "\n" : " ");
    }
    cudaDestroySurfaceObject(surface);
    cudaFreeArray(array);
}

int main()
{
    const cudaChannelFormatKind u = cudaChannelFormatKindUnsigned, s = cudaChannelFormatKindSigned,
                                f = cudaChannelFormatKindFloat;
    run("bytes", cudaCreateChannelDesc(8, 8, 8, 8, u), false);
    run("signed bytes", cudaCreateChannelDesc(8, 8, 8, 8, s), false);
    run("words of 16 bits", cudaCreateChannelDesc(16, 16, 0, 0, u), false);
    run("signed words of 16 bits", cudaCreateChannelDesc(16, 16, 16, 16, s), true);
    run("words of 32 bits", cudaCreateChannelDesc(32, 0, 0, 0, s), false);
    run("floats", cudaCreateChannelDesc(32, 32, 32, 32, f), false);
    run("halves", cudaCreateChannelDesc(16, 16, 16, 16, f), false);
    return 0;
}
