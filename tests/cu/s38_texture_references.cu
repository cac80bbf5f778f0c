// with: units/texture_reference.cu -Wno-deprecated-declarations
// warning: s38_texture_references.cu:[0-9]+:8: warning: 'texture<int>' is deprecated: texture references left CUDA in version 12
// Texture and surface references of CUDA 1 to 11: memory, pitched memory, arrays, layers, modes,
// rebinding between launches, static ones of one name in two units, in children.
#include "show.h"
#include <cmath>
texture<float, cudaTextureType1D, cudaReadModeElementType> line;
texture<float, 2> plane;
texture<uchar4, 2, cudaReadModeNormalizedFloat> picture;
static texture<int> own;
namespace deep {
texture<float4, cudaTextureType3D> volume;
}
texture<short, cudaTextureType2DLayered> layers;
extern texture<int> other;
surface<void, 2> target;

__global__ void read_line(float *out, int n)
{
    for (int i = 0; i < n; i++) {
        out[i] = tex1Dfetch(line, i);
    }
}
template <class T, int kind, cudaTextureReadMode mode>
__device__ T at(texture<T, kind, mode> reference, float x, float y)
{
    return tex2D(reference, x, y);
}
__global__ void read_plane(float *out)
{
    out[0] = tex2D(plane, 0.5f, 0.5f);
    out[1] = at(plane, 1.5f, 0.5f);
    out[2] = tex2D(plane, 2.0f, 1.0f);
    out[3] = tex2D(plane, 100.0f, 0.5f);
}
__global__ void read_picture(float4 *out) { out[0] = tex2D(picture, 0.25f, 0.5f); }
__global__ void read_rest(float *out, int *numbers)
{
    out[0] = tex3D(deep::volume, 1.5f, 0.5f, 1.5f).z;
    numbers[0] = tex2DLayered(layers, 1.5f, 0.5f, 1);
    numbers[1] = tex1Dfetch(own, 1);
    numbers[2] = tex1Dfetch(other, 1);
}
__global__ void child(int *out) { *out = tex1Dfetch(own, threadIdx.x + 2); }
__global__ void parent(int *out) { child<<<1, 1>>>(out); }
__global__ void write_surface(int y) { surf2Dwrite(2.0f * y, target, (int)threadIdx.x * 4, y); }
__global__ void read_surface(float *out) { out[0] = surf2Dread<float>(target, 4, 1), surf2Dread(out + 1, target, 0, 1); }
int bind_in_other_unit(int *memory);
int read_in_other_unit(int *out);

template <class T> T *managed(size_t count)
{
    T *memory;
    cudaMallocManaged(&memory, count * sizeof(T));
    return memory;
}
int main()
{
    float *data = managed<float>(64), *out = managed<float>(64);
    int *numbers = managed<int>(16), *mine = managed<int>(64), *others = managed<int>(64);
    for (int i = 0; i < 64; i++) {
        data[i] = i, mine[i] = 10 * i, others[i] = 100 * i;
    }
    // Memory: with and without an offset, a size, a description; outside it are zeros.
    size_t offset = 7;
    MUST(cudaBindTexture(&offset, line, data, 64 * sizeof(float)));
    read_line<<<1, 1>>>(out, 2);
    // The previous launch still reads the object that was bound then.
    MUST(cudaBindTexture(NULL, line, data + 8, cudaCreateChannelDesc<float>(), 2 * sizeof(float)));
    read_line<<<1, 1>>>(out + 2, 3);
    MUST(cudaDeviceSynchronize());
    printf("%zu: %g %g, %g %g %g\n", offset, out[0], out[1], out[2], out[3], out[4]);
    MUST(cudaBindTexture(&offset, line, data + 1));
    size_t again = 0;
    MUST(cudaGetTextureAlignmentOffset(&again, line));
    printf("%zu %zu; %s\n", offset, again, cudaGetErrorName(cudaBindTexture(0, line, data + 1, 8)));
    cudaGetLastError();
    MUST(cudaUnbindTexture(line));
    SHOW(cudaGetTextureAlignmentOffset(&again, line));
    SHOW(cudaUnbindTexture(line));
    const textureReference *reference;
    MUST(cudaGetTextureReference(&reference, &line));
    printf("%d %d\n", reference == &line, reference->channelDesc.x);
    SHOW(cudaGetTextureReference(&reference, &reference));

    cudaGetLastError();

    // Pitched memory, filtered.
    plane.filterMode = cudaFilterModeLinear;
    MUST(cudaBindTexture2D(&offset, plane, data, 8, 8, 8 * sizeof(float)));
    read_plane<<<1, 1>>>(out);
    MUST(cudaDeviceSynchronize());
    printf("%g %g %g %g\n", out[0], out[1], out[2], out[3]);

    // An array of bytes as fractions, with normalized coordinates in wrap mode.
    cudaArray_t array;
    cudaChannelFormatDesc bytes = cudaCreateChannelDesc<uchar4>();
    MUST(cudaMallocArray(&array, &bytes, 2, 1));
    const uchar4 two[2] = {{255, 0, 51, 102}, {0, 255, 0, 0}};
    MUST(cudaMemcpyToArray(array, 0, 0, two, sizeof two, cudaMemcpyHostToDevice));
    picture.normalized = true;
    picture.addressMode[0] = picture.addressMode[1] = cudaAddressModeWrap;
    MUST(cudaBindTextureToArray(picture, array));
    float4 *colour = managed<float4>(1);
    read_picture<<<1, 1>>>(colour);
    MUST(cudaDeviceSynchronize());
    printf("%g %g %.1f %.1f\n", colour->x, colour->y, colour->z, colour->w);

    // Volumes, layers, and static references of one name in two units.
    cudaChannelFormatDesc four = cudaCreateChannelDesc<float4>(), small = cudaCreateChannelDesc<short>();
    cudaArray_t box, stack;
    MUST(cudaMalloc3DArray(&box, &four, make_cudaExtent(2, 2, 2)));
    MUST(cudaMalloc3DArray(&stack, &small, make_cudaExtent(2, 2, 2), cudaArrayLayered));
    float4 values[8];
    short shorts[8];
    for (int i = 0; i < 8; i++) {
        values[i] = make_float4(i, i, i + 0.5f, i), shorts[i] = 100 + i;
    }
    cudaMemcpy3DParms copy = {0};
    copy.srcPtr = make_cudaPitchedPtr(values, 2 * sizeof(float4), 2, 2);
    copy.dstArray = box, copy.extent = make_cudaExtent(2, 2, 2), copy.kind = cudaMemcpyHostToDevice;
    MUST(cudaMemcpy3D(&copy));
    copy.srcPtr = make_cudaPitchedPtr(shorts, 2 * sizeof(short), 2, 2), copy.dstArray = stack;
    MUST(cudaMemcpy3D(&copy));
    MUST(cudaBindTextureToArray(deep::volume, box));
    MUST(cudaBindTextureToArray(layers, stack, small));
    MUST(cudaBindTexture(0, own, mine, 64 * sizeof(int)));
    MUST(cudaBindTexture(0, other, mine + 16, 48 * sizeof(int)));
    if (bind_in_other_unit(others)) return 1;
    read_rest<<<1, 1>>>(out, numbers);
    parent<<<1, 1>>>(numbers + 3);
    if (read_in_other_unit(numbers + 4)) return 1;
    MUST(cudaDeviceSynchronize());
    printf("%g %d, %d %d %d, %d %d\n", out[0], numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]);

    // Surfaces.
    cudaArray_t canvas;
    cudaChannelFormatDesc one = cudaCreateChannelDesc<float>();
    MUST(cudaMallocArray(&canvas, &one, 4, 4, cudaArraySurfaceLoadStore));
    MUST(cudaBindSurfaceToArray(target, canvas));
    write_surface<<<1, 4>>>(1);
    read_surface<<<1, 1>>>(out);
    MUST(cudaDeviceSynchronize());
    printf("%g %g\n", out[0], out[1]);
    // A reset destroys the objects; after another bind the references work again.
    MUST(cudaDeviceReset());
    out = managed<float>(4), data = managed<float>(4);
    data[1] = 6;
    MUST(cudaBindTexture(0, line, data, 16));
    read_line<<<1, 1>>>(out, 2);
    MUST(cudaDeviceSynchronize());
    printf("%g\n", out[1]);
}
