// Error codes of captures and of wrong graphs.
#include <cuda_profiler_api.h>
#include <thread>

#include "show.h"

__global__ void kernel()
{
}
__global__ void with_parameter(int *)
{
}
static cudaStream_t stream, other, third;
static cudaGraph_t graph;

static void begin(cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal)
{
    printf("--\n");
    SHOW(cudaStreamBeginCapture(stream, mode));
}
static void end()
{
    graph = (cudaGraph_t)1;
    SHOW(cudaStreamEndCapture(stream, &graph));
    printf("graph: %s\n", graph == NULL ? "none" : "one");
    cudaGetLastError();
}

static cudaGraphNode_t first_node_of(cudaGraph_t of)
{
    cudaGraphNode_t first = NULL;
    size_t count = 1;
    cudaGraphGetNodes(of, &first, &count);
    return first;
}

static void expect_success(cudaError_t error)
{
    if (error != cudaSuccess) {
        printf("%s\n", cudaGetErrorName(error));
    }
}

// Whether a call is refused during a capture of another stream, and what becomes of the capture: by
// the thread that captures, and by another one, each of which has one of the three modes.
template <typename Call> static void during_captures(const char *name, Call call)
{
    printf("%s:", name);
    for (int mode = 0; mode < 3; mode++) {
        for (int kind = 0; kind < 4; kind++) {
            cudaError_t error = cudaErrorUnknown;
            cudaStreamCaptureStatus status;
            expect_success(cudaStreamBeginCapture(third, (cudaStreamCaptureMode)mode));
            auto in_mode = [&](cudaStreamCaptureMode of_thread) {
                expect_success(cudaThreadExchangeStreamCaptureMode(&of_thread));
                error = call();
                expect_success(cudaThreadExchangeStreamCaptureMode(&of_thread));
            };
            if (kind == 3) {
                std::thread(in_mode, cudaStreamCaptureModeGlobal).join();
            } else {
                in_mode((cudaStreamCaptureMode)kind);
            }
            expect_success(cudaStreamIsCapturing(third, &status));
            bool is_lost = status == cudaStreamCaptureStatusInvalidated;
            printf(" %s%s", error == cudaSuccess ? "done" : cudaGetErrorName(error) + 9,
                   is_lost == (error != cudaSuccess) ? "" : "?");
            cudaGraph_t none;
            if (cudaStreamEndCapture(third, &none) == cudaSuccess) {
                expect_success(cudaGraphDestroy(none));
            }
        }
    }
    printf("\n");
    cudaGetLastError();
}

static void unsafe_calls(cudaEvent_t recorded)
{
    printf("-- calls that may wait for other work\n");
    during_captures("free of nothing", [] { return cudaFree(NULL); });
    during_captures("array", [] {
        cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
        cudaArray_t array;
        cudaError_t error = cudaMallocArray(&array, &desc, 8, 8);
        return error == cudaSuccess ? cudaFreeArray(array) : error;
    });
    during_captures("registered memory", [] {
        static char page[8192];
        cudaError_t error = cudaHostRegister(page, sizeof page, 0);
        return error == cudaSuccess ? cudaHostUnregister(page) : error;
    });
    during_captures("pool", [] {
        cudaMemPoolProps props = {};
        props.allocType = cudaMemAllocationTypePinned;
        props.location.type = cudaMemLocationTypeDevice;
        cudaMemPool_t pool;
        cudaError_t error = cudaMemPoolCreate(&pool, &props);
        return error == cudaSuccess ? cudaMemPoolDestroy(pool) : error;
    });
    during_captures("trim", [] {
        cudaMemPool_t pool;
        cudaDeviceGetDefaultMemPool(&pool, 0);
        return cudaMemPoolTrimTo(pool, 0);
    });
    during_captures("wait for a stream", [] { return cudaStreamSynchronize(other); });
    during_captures("state of a stream", [] { return cudaStreamQuery(other); });
    during_captures("wait for an event", [=] { return cudaEventSynchronize(recorded); });
    during_captures("state of an event", [=] { return cudaEventQuery(recorded); });
    during_captures("executable graph", [] {
        cudaGraph_t empty;
        cudaGraphExec_t exec;
        cudaGraphCreate(&empty, 0);
        cudaError_t error = cudaGraphInstantiate(&exec, empty, 0);
        cudaGraphDestroy(empty);
        return error == cudaSuccess ? cudaGraphExecDestroy(exec) : error;
    });
    during_captures("limit", [] { return cudaDeviceSetLimit(cudaLimitStackSize, 2048); });
    during_captures("profiler", [] { return cudaProfilerStart(); });
    during_captures("device", [] { return cudaDeviceSynchronize(); });
    during_captures("memory left", [] {
        size_t left, total;
        return cudaMemGetInfo(&left, &total);
    });
    during_captures("event", [] {
        cudaEvent_t event;
        cudaError_t error = cudaEventCreate(&event);
        return error == cudaSuccess ? cudaEventDestroy(event) : error;
    });
    cudaStreamCaptureMode mode = (cudaStreamCaptureMode)7;
    SHOW(cudaThreadExchangeStreamCaptureMode(&mode));
    mode = cudaStreamCaptureModeGlobal;
    SHOW(cudaThreadExchangeStreamCaptureMode(&mode));
    printf("the mode was %d\n", (int)mode);
}

static void ended_by_another_thread()
{
    for (int mode = 0; mode < 3; mode++) {
        cudaStreamCaptureStatus status;
        begin((cudaStreamCaptureMode)mode);
        std::thread(end).join();
        SHOW(cudaStreamIsCapturing(stream, &status));
        printf("status %d\n", (int)status);
    }
}

int main()
{
    int *memory = NULL, value = 0;
    cudaEvent_t event, recorded, never;
    MUST(cudaMalloc(&memory, 64));
    MUST(cudaStreamCreate(&stream));
    MUST(cudaStreamCreate(&other));
    MUST(cudaStreamCreateWithFlags(&third, cudaStreamNonBlocking));
    MUST(cudaEventCreate(&event));
    MUST(cudaEventCreate(&recorded));
    MUST(cudaEventCreate(&never));
    MUST(cudaEventRecord(recorded, other));
    MUST(cudaDeviceSynchronize());

    SHOW(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal));
    SHOW(cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeGlobal));
    SHOW(cudaStreamEndCapture(stream, &graph));
    // with CUDA 12's parameters, and with those of CUDA 13
    SHOW(cudaStreamUpdateCaptureDependencies(stream, nullptr, 0, cudaStreamSetCaptureDependencies));
    SHOW(cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0));
    SHOW(cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0,
                                             cudaStreamSetCaptureDependencies));

    begin();
    SHOW(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    end();
    begin();
    SHOW(cudaStreamSynchronize(stream));
    kernel<<<1, 1, 0, stream>>>();
    SHOW(cudaGetLastError());
    end();
    begin();
    SHOW(cudaStreamQuery(stream));
    end();
    begin();
    SHOW(cudaDeviceSynchronize());
    end();
    begin();
    kernel<<<1, 1>>>(); // the legacy stream would wait for the captured one
    SHOW(cudaGetLastError());
    end();
    begin();
    SHOW(cudaMemcpy(memory, &value, sizeof value, cudaMemcpyHostToDevice));
    end();
    begin(cudaStreamCaptureModeRelaxed);
    int *more;
    SHOW(cudaMalloc(&more, 64));
    end();
    begin();
    SHOW(cudaEventRecord(event, stream));
    SHOW(cudaStreamWaitEvent(other, event, 0));
    kernel<<<1, 1, 0, other>>>();
    SHOW(cudaStreamEndCapture(other, &graph));
    end();
    begin();
    SHOW(cudaEventRecord(event, stream));
    SHOW(cudaStreamWaitEvent(other, event, 0));
    kernel<<<1, 1, 0, other>>>();
    end(); // not joined
    begin();
    SHOW(cudaEventRecord(event, stream));
    SHOW(cudaEventQuery(event));
    end();
    begin();
    SHOW(cudaEventRecord(event, stream));
    SHOW(cudaEventSynchronize(event));
    end();
    begin();
    SHOW(cudaStreamWaitEvent(stream, recorded, 0)); // of work that is not captured
    end();
    begin();
    SHOW(cudaStreamBeginCapture(third, cudaStreamCaptureModeGlobal));
    SHOW(cudaEventRecord(event, third));
    SHOW(cudaStreamWaitEvent(stream, event, 0));
    cudaGraph_t unused;
    SHOW(cudaStreamEndCapture(third, &unused));
    end();

    begin();
    SHOW(cudaStreamWaitEvent(stream, never, 0)); // no effect
    end();
    printf("-- a graph in use by a capture\n");
    cudaStreamCaptureStatus status;
    unsigned long long id;
    cudaGraph_t taken;
    const cudaGraphNode_t *deps;
    size_t dep_count;
    SHOW(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    kernel<<<1, 1, 0, stream>>>();
    SHOW(cudaStreamGetCaptureInfo_v2(stream, &status, &id, &taken, &deps, &dep_count));
    printf("%zu dependencies\n", dep_count);
    cudaGraphNode_t node = deps[0];
    SHOW(cudaStreamUpdateCaptureDependencies(stream, &node, NULL, 1)); // adds it
    SHOW(cudaStreamGetCaptureInfo_v2(stream, &status, &id, &taken, &deps, &dep_count));
    printf("%zu dependencies\n", dep_count);
    SHOW(cudaGraphDestroyNode(deps[0]));
    SHOW(cudaGraphDestroy(taken));
    SHOW(cudaStreamBeginCaptureToGraph(other, taken, NULL, NULL, 0, cudaStreamCaptureModeGlobal));
    SHOW(cudaStreamEndCapture(stream, &graph));
    SHOW(cudaGraphDestroyNode(first_node_of(graph)));
    SHOW(cudaGraphDestroy(graph));
    cudaGetLastError();
    printf("-- a graph of the program that a capture fills\n");
    SHOW(cudaGraphCreate(&graph, 0));
    SHOW(cudaStreamBeginCaptureToGraph(stream, graph, NULL, NULL, 0, cudaStreamCaptureModeGlobal));
    SHOW(cudaGraphDestroy(graph));
    SHOW(cudaStreamQuery(stream));
    SHOW(cudaStreamEndCapture(stream, &taken));
    SHOW(cudaGraphDestroy(graph)); // it is gone with the capture
    cudaGetLastError();
    printf("-- a stream that is independent of the legacy one\n");
    SHOW(cudaStreamBeginCapture(third, cudaStreamCaptureModeGlobal));
    SHOW(cudaMemcpy(memory, &value, sizeof value, cudaMemcpyHostToDevice));
    kernel<<<1, 1>>>();
    SHOW(cudaGetLastError());
    SHOW(cudaMalloc(&more, 64));
    SHOW(cudaStreamEndCapture(third, &unused));
    cudaGetLastError();

    unsafe_calls(recorded);
    ended_by_another_thread();
    printf("-- graphs\n");
    cudaGraphNode_t a, b;
    cudaGraphExec_t exec;
    cudaKernelNodeParams params = {};
    SHOW(cudaGraphCreate(&graph, 1));
    SHOW(cudaGraphCreate(&graph, 0));
    SHOW(cudaGraphAddKernelNode(&a, graph, NULL, 0, &params));
    params.func = (void *)kernel;
    params.gridDim = dim3(1);
    params.blockDim = dim3(2000);
    SHOW(cudaGraphAddKernelNode(&a, graph, NULL, 0, &params));
    params.blockDim = dim3(1);
    SHOW(cudaGraphAddKernelNode(&a, graph, NULL, 0, &params));
    SHOW(cudaGraphAddEmptyNode(&b, graph, &a, 1));
    SHOW(cudaGraphAddDependencies(graph, &a, &b, 1));
    SHOW(cudaGraphAddDependencies(graph, &b, &a, 1));
    SHOW(cudaGraphInstantiate(&exec, graph, 0));
    SHOW(cudaGraphRemoveDependencies(graph, &b, &a, 1));
    SHOW(cudaGraphRemoveDependencies(graph, &b, &a, 1));
    SHOW(cudaGraphInstantiate(&exec, graph, 0));
    cudaHostNodeParams host = {};
    SHOW(cudaGraphAddHostNode(&b, graph, NULL, 0, &host));
    SHOW(cudaGraphLaunch(exec, stream));
    SHOW(cudaStreamSynchronize(stream));
    SHOW(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    SHOW(cudaGraphLaunch(exec, stream));
    cudaGraph_t nothing;
    SHOW(cudaStreamEndCapture(stream, &nothing));
    SHOW(cudaGraphDestroyNode(a));
    size_t count = 0;
    SHOW(cudaGraphGetNodes(graph, NULL, &count));
    printf("%zu nodes\n", count);
    SHOW(cudaGraphExecDestroy(exec));
    SHOW(cudaGraphDestroy(graph));
    cudaStreamDestroy(stream);
    cudaStreamDestroy(other);
    cudaStreamDestroy(third);
    cudaEventDestroy(event);
    cudaEventDestroy(recorded);
    cudaEventDestroy(never);
    cudaFree(memory);
    cudaFree(more);
}
