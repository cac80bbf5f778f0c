// A surface access that is clamped starts at a multiple of its size, and a negative layer is beyond the last one. An
// RTX 3060 does so.
#include "show.h"

__global__ void lines(cudaSurfaceObject_t surface)
{
    for (int x = -16; x <= 32; x += 16) {
        uint4 v = surf1Dread<uint4>(surface, x, cudaBoundaryModeClamp);
        printf("%d: %u %u %u %u\n", x, v.x, v.y, v.z, v.w);
    }
    surf1Dwrite(make_uint4(10, 11, 12, 13), surface, 16, cudaBoundaryModeClamp);
    for (int x = 0; x < 24; x += 4) printf("%u ", surf1Dread<unsigned>(surface, x));
    printf("\n");
}
__global__ void layers(cudaSurfaceObject_t layered, cudaSurfaceObject_t volume)
{
    for (int z = -1; z < 4; z++) {
        printf("%u %u\n", surf2DLayeredread<unsigned>(layered, 4, 1, z, cudaBoundaryModeClamp),
               surf3Dread<unsigned>(volume, 4, 1, z, cudaBoundaryModeClamp));
    }
}

static cudaSurfaceObject_t surface_of(cudaExtent extent, unsigned flags)
{
    unsigned values[24];
    for (unsigned i = 0; i < 24; i++) values[i] = i;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned>();
    cudaMemcpy3DParms copy{};
    cudaMalloc3DArray(&copy.dstArray, &format, extent, flags | cudaArraySurfaceLoadStore);
    copy.srcPtr = make_cudaPitchedPtr(values, extent.width * 4, extent.width, extent.height);
    copy.extent = make_cudaExtent(extent.width, extent.height == 0 ? 1 : extent.height, extent.depth == 0 ? 1 : extent.depth);
    copy.kind = cudaMemcpyHostToDevice;
    SHOW(cudaMemcpy3D(&copy));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = copy.dstArray;
    cudaSurfaceObject_t surface;
    SHOW(cudaCreateSurfaceObject(&surface, &resource));
    return surface;
}

int main()
{
    lines<<<1, 1>>>(surface_of(make_cudaExtent(6, 0, 0), 0));
    SHOW(cudaDeviceSynchronize());
    cudaExtent extent = make_cudaExtent(4, 2, 3);
    layers<<<1, 1>>>(surface_of(extent, cudaArrayLayered), surface_of(extent, 0));
    SHOW(cudaDeviceSynchronize());
}
