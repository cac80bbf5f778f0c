// races: a kernel polls a flag that a copy sets
// stderr: cudaFree\(0x1234\).*no cudaMalloc returned it
// Each host thread has a last error. It is read once, is not changed by calls that succeed, and is
// not set by cudaErrorNotReady: as on an H200. Errors for mistakes are also those of an H200,
// except for launches: there CUDA 13 returns cudaErrorInvalidValue where 12 returns
// cudaErrorInvalidConfiguration.
#include "show.h"

#include <thread>

__device__ volatile int gate;

__global__ void wait()
{
    while (gate == 0) {
        __nanosleep(1000);
    }
}
__global__ void empty()
{
}

// Releases the waiting kernel; without the NULL stream, for which a copy would wait.
static void open(cudaStream_t stream)
{
    int *address, one = 1;
    if (cudaGetSymbolAddress((void **)&address, gate) == cudaSuccess) {
        (void)cudaMemcpyAsync(address, &one, sizeof one, cudaMemcpyHostToDevice, stream);
    }
}

int main()
{
    cudaStream_t stream, other;
    cudaEvent_t event;
    float time;
    char *memory, pageable[16] = "";
    MUST(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    MUST(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    MUST(cudaEventCreate(&event));
    MUST(cudaMalloc(&memory, 4096));
    wait<<<1, 1, 0, stream>>>();
    MUST(cudaEventRecord(event, stream));
    SHOW(cudaStreamQuery(stream));
    SHOW(cudaPeekAtLastError());
    SHOW(cudaEventQuery(event));
    SHOW(cudaGetLastError());
    SHOW(cudaEventElapsedTime(&time, event, event));
    SHOW(cudaGetLastError());
    SHOW(cudaSetDevice(99));
    SHOW(cudaStreamQuery(stream));
    SHOW(cudaPeekAtLastError());
    SHOW(cudaGetDeviceCount(nullptr));
    SHOW(cudaPeekAtLastError()); // the latest
    open(other);
    SHOW(cudaStreamSynchronize(stream));
    SHOW(cudaGetLastError()); // success before it changed nothing
    SHOW(cudaGetLastError());

    puts("threads");
    SHOW(cudaSetDevice(99));
    std::thread([] {
        SHOW(cudaGetLastError());
        SHOW(cudaMalloc(nullptr, 4));
        SHOW(cudaPeekAtLastError());
    }).join();
    SHOW(cudaGetLastError());
    SHOW(cudaGetLastError());

    puts("launches");
    empty<<<1, 2000>>>();
    std::thread([] { SHOW(cudaGetLastError()); }).join();
    SHOW(cudaDeviceSynchronize());
    SHOW(cudaPeekAtLastError());
    empty<<<1, 1>>>();
    SHOW(cudaGetLastError());
    SHOW(cudaGetLastError());

    puts("mistakes");
    SHOW(cudaMalloc((void **)&memory, (size_t)1 << 50));
    SHOW(cudaGetLastError());
    SHOW(cudaFree((void *)0x1234));
    SHOW(cudaStreamDestroy(0));
    SHOW(cudaGetDevice(nullptr));
    MUST(cudaMalloc(&memory, 4096));
    SHOW(cudaMemcpy(0, pageable, 4, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy(0, pageable, 0, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy(memory, pageable, 4, (cudaMemcpyKind)77));
    SHOW(cudaMemset(0, 0, 4));
    SHOW(cudaMemcpy(memory, pageable, 1 << 20, cudaMemcpyHostToDevice));
    SHOW(cudaMemcpy(pageable, memory, 4, cudaMemcpyHostToDevice));
    SHOW(cudaEventCreate(nullptr));
    SHOW(cudaStreamCreate(nullptr));
    SHOW(cudaRuntimeGetVersion(nullptr));
    SHOW(cudaDriverGetVersion(nullptr));
    SHOW(cudaFuncGetAttributes(nullptr, (const void *)empty));
    SHOW(cudaLaunchHostFunc(0, nullptr, nullptr));
    SHOW(cudaGetLastError());
    SHOW(cudaGetLastError());
    return 0;
}
