// stderr: cudaErrorLaunchFailure: trap
// Each host call after a fault: its result, and the results of cudaPeekAtLastError() and
// cudaGetLastError() (twice) after it. The expected lines are an H200's. The old calls
// (cudaThread...), which CUDA 13 does not have, behave like their replacements.
#include "host_calls.inc"

#include <thread>

__global__ void trap()
{
    __trap();
}

static void show(const char *name, cudaError_t result)
{
    cudaError_t peeked = cudaPeekAtLastError(), got = cudaGetLastError();
    printf("%-48s %d peek %d get %d %d\n", name, result, peeked, got, cudaGetLastError());
}

int main()
{
    prepareCalls();
    trap<<<1, 1>>>();
    show("the first to see it", cudaDeviceSynchronize());
    for (const HostCall &call : hostCalls) {
        show(call.name, call.run());
    }
    std::thread([] {
        show("another thread", cudaSuccess);
        show("another thread's cudaMalloc", cudaMalloc(&pointer, 4));
    }).join();

    // After a reset the device is as new; the old handles are invalid.
    show("cudaDeviceReset", cudaDeviceReset());
    show("old stream", cudaStreamQuery(stream));
    prepareCalls();
    for (const HostCall &call : hostCalls) {
        cudaError_t error = call.run();
        if ((error != cudaSuccess && error != cudaErrorNotReady) ||
            cudaGetLastError() != cudaSuccess) {
            show(call.name, error);
        }
    }
    return 0;
}
