// stderr: cudaErrorLaunchFailure: trap
// Each host call after a fault: its result, and what cudaPeekAtLastError() and
// cudaGetLastError() (twice) say then.  The expected lines are an H200's; the calls of old
// (cudaThread...), which it has no more, do as those that replaced them.
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

    // A reset makes a new device of it; the handles went with the old one.
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
