// A texture or surface object, a stream or an event that is destroyed after a launch which uses it
// lives until that launch is complete, in any stream; the host can no longer use it.
// races: a kernel polls what the host writes
// stderr: cudaErrorIllegalAddress: access through a texture object that does not exist
// stderr: cudaErrorInvalidResourceHandle
#include "show.h"
#define N 1024
__device__ int wrong;
__global__ void gate(const volatile int *open)
{
    while (*open == 0) {
    }
}
__global__ void read(cudaTextureObject_t texture, int value)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (tex1Dfetch<int>(texture, i) != value) {
        atomicAdd(&wrong, 1);
    }
}
__global__ void parent(cudaTextureObject_t texture, int value)
{
    read<<<N / 64, 64>>>(texture, value);
}
__global__ void write(cudaSurfaceObject_t surface)
{
    surf2Dwrite((int)threadIdx.x, surface, (int)threadIdx.x * 4, 0);
}
__global__ void add(int *sum)
{
    atomicAdd(sum, 1);
}
static cudaTextureObject_t makeTexture(int *memory)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = memory;
    resource.res.linear.sizeInBytes = N * sizeof(int);
    resource.res.linear.desc = cudaCreateChannelDesc<int>();
    cudaTextureDesc desc = {};
    cudaTextureObject_t texture = 0;
    cudaCreateTextureObject(&texture, &resource, &desc, nullptr);
    return texture;
}
int main()
{
    int *memory, *open, *sum, back[64], result;
    MUST(cudaMalloc(&memory, N * sizeof(int)));
    MUST(cudaMemset(memory, 1, N * sizeof(int)));
    MUST(cudaMallocManaged(&open, sizeof *open));
    MUST(cudaMallocManaged(&sum, sizeof *sum));
    *open = *sum = 0;
    cudaStream_t streams[3];
    for (int i = 0; i < 3; i++) {
        MUST(cudaStreamCreateWithFlags(&streams[i], i == 0 ? cudaStreamDefault : cudaStreamNonBlocking));
    }
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    MUST(cudaMallocArray(&array, &format, 64, 1, cudaArraySurfaceLoadStore));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t surface;
    MUST(cudaCreateSurfaceObject(&surface, &resource));
    cudaTextureObject_t texture = makeTexture(memory);

    // Everything waits for the gate, directly or indirectly.
    cudaEvent_t event;
    MUST(cudaEventCreate(&event));
    gate<<<1, 1, 0, streams[1]>>>(open);
    MUST(cudaEventRecord(event, streams[1]));
    MUST(cudaStreamWaitEvent(streams[0], event));
    MUST(cudaStreamWaitEvent(streams[2], event));
    MUST(cudaEventDestroy(event));
    for (cudaStream_t stream : streams) {
        read<<<N / 64, 64, 0, stream>>>(texture, 0x01010101);
        parent<<<2, 1, 0, stream>>>(texture, 0x01010101);
        add<<<1, 1, 0, stream>>>(sum);
    }
    write<<<1, 64, 0, streams[2]>>>(surface);
    cudaResourceDesc asked;
    SHOW(cudaDestroyTextureObject(texture));
    SHOW(cudaDestroySurfaceObject(surface));
    SHOW(cudaDestroyTextureObject(texture));
    SHOW(cudaGetTextureObjectResourceDesc(&asked, texture));
    SHOW(cudaGetSurfaceObjectResourceDesc(&asked, surface));
    for (int i = 0; i < 30000; i++) { // others are created and destroyed meanwhile
        if (cudaDestroyTextureObject(makeTexture(memory)) != cudaSuccess) {
            printf("object %d\n", i);
        }
        if (i == 100) {
            *(volatile int *)open = 1;
        }
    }
    for (cudaStream_t stream : streams) {
        MUST(cudaStreamDestroy(stream));
    }
    SHOW(cudaStreamSynchronize(streams[0]));
    SHOW(cudaDeviceSynchronize());
    MUST(cudaMemcpyFromSymbol(&result, wrong, sizeof result));
    MUST(cudaMemcpy2DFromArray(back, sizeof back, array, 0, 0, sizeof back, 1, cudaMemcpyDeviceToHost));
    printf("%d wrong, %d added, %d written\n", result, *sum, back[63]);

    read<<<1, 64>>>(texture, 0x01010101); // no earlier work is left to wait for
    SHOW(cudaDeviceSynchronize());
    MUST(cudaDeviceReset());
}
