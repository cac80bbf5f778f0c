// cdpcc: --check=memory
// optimized: an access in a header has no line of the user, so two findings would be one
// stderr: cdp: memory: read of 4 bytes through a texture object that is larger than its memory, at an address which is 0 bytes past the end of 128 bytes of device memory.*\(cudaErrorIllegalAddress\)
// stderr: check_memory_texture_that_is_too_large.cu:13:25, in kernel linear, block \(0,0,0\), thread \(32,0,0\)$
// stderr: in .*kernel pitched, block \(0,0,0\), thread \(0,0,0\)$
// stderr: cdp: memory: access through a texture object of memory that was freed, which is .* of a CUDA array.*\(cudaErrorIllegalAddress\)
// stderr: cdp: memory: access through a surface object of memory that was freed, .* \(cudaErrorIllegalAddress\)
// The objects say how large they are, as on a GPU. What they say is compared with the memory.
#include <cstdio>
typedef cudaTextureObject_t Texture;
__global__ void linear(Texture texture, float *out, int first)
{
    out[threadIdx.x] += tex1Dfetch<float>(texture, (int)threadIdx.x + first);
}
__global__ void pitched(Texture texture, float *out, float y)
{
    out[threadIdx.x] += tex2D<float>(texture, threadIdx.x + 0.5f, y);
}
__global__ void of_array(Texture texture, float *out)
{
    out[threadIdx.x] += tex2D<float>(texture, threadIdx.x + 0.5f, 9.0f);
}
__global__ void stored(cudaSurfaceObject_t surface)
{
    surf2Dwrite(1.0f, surface, threadIdx.x * 4, 0);
}

static Texture make(const cudaResourceDesc &resource)
{
    Texture texture;
    cudaTextureDesc description = {};
    description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
    cudaCreateTextureObject(&texture, &resource, &description, nullptr);
    return texture;
}
static void wait(const char *what)
{
    printf("%s: %s\n", what, cudaGetErrorName(cudaDeviceSynchronize()));
}

int main()
{
    float *cells, *out;
    cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
    cudaResourceDesc resource = {};
    cudaMalloc(&cells, 128);
    cudaMalloc(&out, 256);
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear = {cells, floats, 256};
    Texture texture = make(resource);
    linear<<<1, 32>>>(texture, out, 0);
    linear<<<1, 32>>>(texture, out, 64);
    linear<<<1, 32>>>(texture, out, -32);
    wait("inside, or outside of the texture");
    linear<<<1, 64>>>(texture, out, 0);
    wait("outside of the memory");
    cudaDeviceReset();

    cudaMalloc(&cells, 128);
    cudaMalloc(&out, 256);
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D = {cells, floats, 16, 4, 64};
    texture = make(resource);
    pitched<<<1, 16>>>(texture, out, 1.5f);
    pitched<<<1, 16>>>(texture, out, -8.0f);
    wait("the first rows");
    pitched<<<1, 16>>>(texture, out, 9.0f);
    wait("the last row");
    cudaDeviceReset();

    cudaArray_t array;
    cudaSurfaceObject_t surface;
    cudaMallocArray(&array, &floats, 16, 4, cudaArraySurfaceLoadStore);
    cudaMalloc(&out, 256);
    resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    texture = make(resource);
    of_array<<<1, 16>>>(texture, out);
    wait("an array");
    cudaFreeArray(array);
    of_array<<<1, 16>>>(texture, out);
    wait("an array that was freed");
    cudaDeviceReset();

    cudaMallocArray(&array, &floats, 16, 4, cudaArraySurfaceLoadStore);
    resource.res.array.array = array;
    cudaCreateSurfaceObject(&surface, &resource);
    stored<<<1, 16>>>(surface);
    wait("a surface");
    cudaFreeArray(array);
    stored<<<1, 16>>>(surface);
    wait("a surface of an array that was freed");
}
