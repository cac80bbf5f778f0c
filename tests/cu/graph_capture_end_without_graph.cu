// cudaStreamEndCapture() with no place for the graph: an H100's answers.
#include <cstdio>

#include <cuda_runtime.h>

__global__ void kernel(int *p)
{
    *p += 1;
}

#define SHOW(call) printf("%s: %s\n", #call, cudaGetErrorName(call))

static void status_of(cudaStream_t stream)
{
    cudaStreamCaptureStatus status;
    SHOW(cudaStreamIsCapturing(stream, &status));
    printf("status %d\n", status);
}

int main()
{
    cudaStream_t stream, other;
    cudaEvent_t event;
    int *data;
    cudaGraph_t graph, mine;
    size_t count = 9;
    cudaStreamCreate(&stream);
    cudaStreamCreate(&other);
    cudaEventCreate(&event);
    cudaMalloc(&data, sizeof *data);
    printf("-- no capture\n");
    SHOW(cudaStreamEndCapture(stream, nullptr));
    printf("-- the graph is dropped\n");
    SHOW(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    kernel<<<1, 1, 0, stream>>>(data);
    SHOW(cudaStreamEndCapture(stream, nullptr));
    status_of(stream);
    SHOW(cudaStreamEndCapture(stream, &graph));
    printf("-- into a graph of the program\n");
    SHOW(cudaGraphCreate(&mine, 0));
    SHOW(cudaStreamBeginCaptureToGraph(stream, mine, nullptr, nullptr, 0,
                                       cudaStreamCaptureModeGlobal));
    kernel<<<1, 1, 0, stream>>>(data);
    SHOW(cudaStreamEndCapture(stream, nullptr));
    status_of(stream);
    SHOW(cudaGraphGetNodes(mine, nullptr, &count));
    printf("%zu node\n", count);
    printf("-- a fork that does not join\n");
    SHOW(cudaStreamBeginCaptureToGraph(stream, mine, nullptr, nullptr, 0,
                                       cudaStreamCaptureModeGlobal));
    kernel<<<1, 1, 0, stream>>>(data);
    SHOW(cudaEventRecord(event, stream));
    SHOW(cudaStreamWaitEvent(other, event, 0));
    kernel<<<1, 1, 0, other>>>(data);
    SHOW(cudaStreamEndCapture(stream, nullptr));
    status_of(stream);
    printf("-- an invalid capture\n");
    SHOW(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    kernel<<<1, 1, 0, stream>>>(data);
    cudaMalloc(&data, sizeof *data);
    SHOW(cudaStreamEndCapture(stream, nullptr));
    status_of(stream);
    cudaGetLastError();
    SHOW(cudaGraphDestroy(mine));
    return 0;
}
