// Each function that CUDA's header declares for device code exists there and works.
#include "show.h"
#include <cstring>
__global__ void child(int *p) { atomicAdd(p, 1); }
__global__ void parent(int *memory) {
    int value = 0, blocks = 0;
    size_t limit = 0;
    cudaFuncCache cache;
    cudaSharedMemConfig config;
    cudaFuncAttributes attributes;
    cudaStream_t stream;
    cudaEvent_t event;
    SHOW(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0));
    SHOW(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
    SHOW(cudaDeviceGetCacheConfig(&cache));
    SHOW(cudaDeviceGetSharedMemConfig(&config));
    SHOW(cudaGetLastError());
    SHOW(cudaPeekAtLastError());
    printf("%s %s\n", cudaGetErrorString(cudaSuccess), cudaGetErrorName(cudaSuccess));
    SHOW(cudaGetDeviceCount(&value));
    SHOW(cudaGetDevice(&value));
    SHOW(cudaRuntimeGetVersion(&value));
    SHOW(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    SHOW(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    SHOW(cudaEventRecord(event, stream));
    SHOW(cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault));
    SHOW(cudaStreamWaitEvent(stream, event, 0));
    SHOW(cudaEventDestroy(event));
    SHOW(cudaFuncGetAttributes(&attributes, child));
    SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, child, 64, 0));
    SHOW(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, child, 64, 0, 0));
    SHOW(cudaOccupancyMaxPotentialBlockSize(&value, &blocks, child, 0, 0));
    int *mine;
    SHOW(cudaMalloc(&mine, 64));
    SHOW(cudaFree(mine));

    SHOW(cudaMemsetAsync(memory, 1, 64, stream));
    SHOW(cudaMemset2DAsync(memory + 16, 16, 2, 8, 2, stream));
    cudaPitchedPtr box = {memory + 24, 8, 8, 2};
    SHOW(cudaMemset3DAsync(box, 3, cudaExtent{8, 2, 1}, stream));
    SHOW(cudaMemcpyAsync(memory + 32, memory, 16, cudaMemcpyDeviceToDevice, stream));
    SHOW(cudaMemcpy2DAsync(memory + 36, 8, memory + 16, 16, 8, 2, cudaMemcpyDeviceToDevice, stream));
    cudaMemcpy3DParms parameters;
    memset(&parameters, 0, sizeof(parameters));
    parameters.srcPtr = box;
    parameters.dstPtr = cudaPitchedPtr{memory + 40, 8, 8, 2};
    parameters.extent = cudaExtent{8, 2, 1};
    parameters.kind = cudaMemcpyDeviceToDevice;
    SHOW(cudaMemcpy3DAsync(&parameters, stream));

    void *buffer = cudaGetParameterBuffer(64, sizeof(int *));
    *(int **)buffer = memory + 63;
    SHOW(cudaLaunchDevice((void *)child, buffer, dim3(2), dim3(2), 0, stream));
    buffer = cudaGetParameterBufferV2((void *)child, dim3(3), dim3(2), 0);
    *(int **)buffer = memory + 63;
    SHOW(cudaLaunchDeviceV2(buffer, stream));
    cudaTriggerProgrammaticLaunchCompletion();
    cudaGridDependencySynchronize();
    SHOW(cudaStreamDestroy(stream));
}
int main() {
    int *memory;
    MUST(cudaMallocManaged(&memory, 64 * sizeof(int)));
    memset(memory, 0, 64 * sizeof(int));
    parent<<<1, 1>>>(memory);
    MUST(cudaDeviceSynchronize());
    for (int i : {0, 15, 16, 18, 20, 24, 27, 32, 35, 36, 39, 40, 43, 63}) {
        printf("%x ", memory[i]);
    }
    printf("\n");
}
