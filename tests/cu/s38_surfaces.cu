// Surfaces: x counts bytes; an access outside reads zero, is clamped, or is a fault.
// stderr: surface access at x = 16 \(bytes\), y = 0, z or layer = 0, outside of 4 x 2 x 1 elements
#include "show.h"
__managed__ unsigned got[16];
__global__ void read(cudaSurfaceObject_t surface)
{
    const int at[7][2] = {{0, 0}, {4, 1}, {12, 1}, {16, 0}, {-4, 0}, {0, 2}, {0, -1}};
    for (int i = 0; i < 7; i++) {
        got[i] = surf2Dread<unsigned>(surface, at[i][0], at[i][1], cudaBoundaryModeZero);
        surf2Dread(&got[i + 7], surface, at[i][0], at[i][1], cudaBoundaryModeClamp);
    }
}
__global__ void write(cudaSurfaceObject_t surface)
{
    surf2Dwrite(99u, surface, 16, 0, cudaBoundaryModeZero);
    surf2Dwrite(77u, surface, 20, 1, cudaBoundaryModeClamp);
    surf2Dwrite(55u, surface, 0, 0);
}
__global__ void parent(cudaSurfaceObject_t surface)
{
    write<<<1, 1>>>(surface);
}
__global__ void stray(cudaSurfaceObject_t surface)
{
    got[0] = surf2Dread<unsigned>(surface, 16, 0);
}
int main()
{
    unsigned texels[8] = {10, 11, 12, 13, 20, 21, 22, 23};
    cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned>();
    cudaArray_t array;
    MUST(cudaMallocArray(&array, &format, 4, 2, cudaArraySurfaceLoadStore));
    MUST(cudaMemcpy2DToArray(array, 0, 0, texels, 16, 16, 2, cudaMemcpyHostToDevice));
    cudaResourceDesc resource = {};
    cudaSurfaceObject_t surface;
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    MUST(cudaCreateSurfaceObject(&surface, &resource));
    read<<<1, 1>>>(surface);
    parent<<<1, 1>>>(surface);
    MUST(cudaDeviceSynchronize());
    for (int i = 0; i < 14; i++) {
        printf("%u%c", got[i], i % 7 == 6 ? '\n' : ' ');
    }
    MUST(cudaMemcpy2DFromArray(texels, 16, array, 0, 0, 16, 2, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 8; i++) {
        printf("%u%c", texels[i], i == 7 ? '\n' : ' ');
    }
    stray<<<1, 1>>>(surface);
    SHOW(cudaDeviceSynchronize());
}
