// stderr: cudaErrorLaunchFailure: trap
// Two trees in two streams. One faults while the host waits for the other, which would never end.
// Tests the result of each call then, which host functions run (a callback gets the error, as on an
// H200), and that nothing remains after a reset.
#include "show.h"

#include <atomic>
#include <chrono>
#include <thread>

__device__ volatile int gate; // stays shut
__device__ int after;

__global__ void wait()
{
    while (gate == 0) {
        __nanosleep(1000);
    }
}
__global__ void trap()
{
    __trap();
}
__global__ void parent()
{
    trap<<<1, 1>>>();
}
__global__ void mark()
{
    after = 1;
}

static std::atomic<int> functions, callbacks, informed;

static void CUDART_CB function(void *)
{
    functions++;
}
static void CUDART_CB callback(cudaStream_t, cudaError_t error, void *)
{
    callbacks++;
    informed = error;
}

// This function does not test errors: the launches and the following calls may already see the fault.
static void fault(cudaStream_t stream, cudaEvent_t event)
{
    parent<<<1, 1, 0, stream>>>();
    mark<<<1, 1, 0, stream>>>();
    (void)cudaLaunchHostFunc(stream, function, nullptr);
    (void)cudaStreamAddCallback(stream, callback, nullptr, 0);
    (void)cudaEventRecord(event, stream);
}

int main()
{
    for (int turn = 0; turn < 3; turn++) {
        cudaStream_t good, bad;
        cudaEvent_t event;
        int marked = 0;
        functions = callbacks = informed = 0;
        MUST(cudaMemcpyToSymbol(after, &marked, sizeof marked));
        MUST(cudaStreamCreateWithFlags(&good, cudaStreamNonBlocking));
        MUST(cudaStreamCreateWithFlags(&bad, cudaStreamNonBlocking));
        MUST(cudaEventCreate(&event));
        wait<<<1, 1, 0, good>>>();
        MUST(cudaGetLastError());
        MUST(cudaLaunchHostFunc(bad, function, nullptr)); // runs: before the fault
        MUST(cudaStreamSynchronize(bad));
        std::thread late([=] {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            fault(bad, event);
        });
        SHOW(cudaStreamSynchronize(good));
        late.join();
        SHOW(cudaStreamSynchronize(bad));
        SHOW(cudaStreamQuery(good));
        SHOW(cudaEventSynchronize(event));
        SHOW(cudaEventQuery(event));
        SHOW(cudaStreamWaitEvent(good, event, 0));
        SHOW(cudaStreamDestroy(bad));
        SHOW(cudaGetLastError());
        printf("host functions %d, callbacks informed %d\n", functions.load(),
               callbacks == 0 || (callbacks == 1 && informed == cudaErrorLaunchFailure));
        SHOW(cudaDeviceReset());
        SHOW(cudaMemcpyFromSymbol(&marked, after, sizeof marked));
        printf("grids after the fault %d\n", marked);
        SHOW(cudaGetLastError());
    }
    return 0;
}
