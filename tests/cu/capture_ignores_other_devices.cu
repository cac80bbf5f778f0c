// env: CDP_DEVICES=2 CDP_MEMORY_MB=256
// A wait for a device, and work in its legacy stream, invalidate only captures with streams of that device.
#include <cstdio>

int main()
{
    cudaStream_t streams[2];
    cudaEvent_t forked, joined;
    cudaGraph_t graph;
    int *data[2];
    for (int i = 0; i < 2; i++) {
        cudaSetDevice(i);
        cudaStreamCreate(&streams[i]);
        cudaMalloc(&data[i], 64);
        cudaEventCreateWithFlags(i == 0 ? &forked : &joined, cudaEventDisableTiming);
    }
    cudaSetDevice(0);
    cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeRelaxed);
    cudaMemsetAsync(data[0], 0, 64, streams[0]);
    cudaSetDevice(1);
    printf("memset: %s\n", cudaGetErrorName(cudaMemset(data[1], 0, 64)));
    printf("synchronize: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaSetDevice(0);
    printf("capture: %s\n", cudaGetErrorName(cudaStreamEndCapture(streams[0], &graph)));
    cudaGraphDestroy(graph);
    // A stream of the other device takes part.
    cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeRelaxed);
    cudaEventRecord(forked, streams[0]);
    cudaStreamWaitEvent(streams[1], forked, 0);
    cudaSetDevice(1);
    printf("synchronize: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaSetDevice(0);
    printf("capture: %s\n", cudaGetErrorName(cudaStreamEndCapture(streams[0], &graph)));
    // The capture's own device.
    cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeRelaxed);
    printf("memset: %s\n", cudaGetErrorName(cudaMemset(data[0], 0, 64)));
    printf("capture: %s\n", cudaGetErrorName(cudaStreamEndCapture(streams[0], &graph)));
}
