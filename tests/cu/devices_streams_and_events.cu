// env: CDP_DEVICES=2
// races: the host opens the gate while the kernel polls
// stderr: belongs to different devices, 0 and 1
// Streams and events belong to devices. Waits for events work between devices.
#include <cstdio>

#define SAY(call) printf("%-44s %s\n", #call, cudaGetErrorName(call))

__global__ void store(int *p, int value)
{
    *p = value;
}

__global__ void copy(int *to, const int *from)
{
    *to = *from;
}

__global__ void wait_open(int *is_open)
{
    while (*(volatile int *)is_open == 0) {
        __nanosleep(1000);
    }
}

// The NULL stream of a device waits for that device's streams only.
static void null_streams(cudaStream_t s0, int *p1)
{
    int *is_open;
    cudaMallocManaged(&is_open, sizeof *is_open);
    *is_open = 0;
    cudaSetDevice(0);
    wait_open<<<1, 1, 0, s0>>>(is_open);
    store<<<1, 1>>>(p1, 1); // waits for s0
    cudaSetDevice(1);
    store<<<1, 1>>>(p1, 2);
    SAY(cudaDeviceSynchronize());
    int seen;
    cudaMemcpy(&seen, p1, sizeof seen, cudaMemcpyDeviceToHost);
    printf("device 1 has not waited: %d\n", seen);
    SAY(cudaStreamQuery(s0));
    cudaSetDevice(0);
    SAY(cudaStreamQuery(0));
    cudaSetDevice(1);
    SAY(cudaStreamQuery(0));
    *(volatile int *)is_open = 1;
    cudaSetDevice(0);
    SAY(cudaDeviceSynchronize());
    cudaMemcpy(&seen, p1, sizeof seen, cudaMemcpyDeviceToHost);
    printf("then device 0: %d\n", seen);
}

static void waits(cudaStream_t s0, cudaStream_t s1, int *p0, int *p1)
{
    cudaEvent_t done;
    cudaSetDevice(0);
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    int right = 0;
    for (int i = 1; i <= 200; i++) {
        cudaSetDevice(0);
        store<<<1, 1, 0, s0>>>(p0, i);
        cudaEventRecord(done, s0);
        cudaSetDevice(1);
        cudaStreamWaitEvent(s1, done, 0);
        copy<<<1, 1, 0, s1>>>(p1, p0);
        int seen;
        cudaMemcpyAsync(&seen, p1, sizeof seen, cudaMemcpyDeviceToHost, s1);
        cudaStreamSynchronize(s1);
        right += seen == i;
    }
    printf("%d waits between devices\n", right);
    cudaEventDestroy(done);
}

int main()
{
    cudaStream_t s0, s1;
    cudaEvent_t e0, e1;
    int *p0, *p1, device = -1;
    cudaSetDevice(0);
    cudaStreamCreate(&s0);
    cudaEventCreate(&e0);
    cudaMalloc(&p0, sizeof(int));
    SAY(cudaDeviceEnablePeerAccess(1, 0));
    cudaSetDevice(1);
    cudaStreamCreate(&s1);
    cudaEventCreate(&e1);
    cudaMalloc(&p1, sizeof(int));
    SAY(cudaDeviceEnablePeerAccess(0, 0));
    cudaStreamGetDevice(s0, &device);
    printf("stream of device %d", device);
    cudaStreamGetDevice(s1, &device);
    printf(", of %d", device);
    cudaStreamGetDevice(0, &device);
    printf(", NULL stream of %d\n", device);

    // A launch needs a stream of the current device; copies and fills do not. The stream's device
    // needs access to the memory that it fills.
    store<<<1, 1, 0, s1>>>(p1, 1);
    SAY(cudaGetLastError());
    store<<<1, 1, 0, s0>>>(p1, 1);
    SAY(cudaGetLastError());
    store<<<1, 1, 0, s1>>>(p1, 1);
    SAY(cudaGetLastError());
    cudaSetDevice(0); // the thread appends no launch to its latest one of the other device
    store<<<1, 1, 0, s1>>>(p1, 1);
    SAY(cudaGetLastError());
    SAY(cudaMemsetAsync(p1, 0, sizeof(int), s1));
    SAY(cudaMemsetAsync(p1, 0, sizeof(int), s0));
    cudaDeviceDisablePeerAccess(1);
    SAY(cudaMemsetAsync(p1, 0, sizeof(int), s0));
    cudaDeviceEnablePeerAccess(1, 0);
    SAY(cudaMemcpyAsync(p0, p1, sizeof(int), cudaMemcpyDefault, s1));
    SAY(cudaStreamSynchronize(s1));

    SAY(cudaEventRecord(e1, s0));
    SAY(cudaEventRecord(e0, s0));
    SAY(cudaEventRecord(e1, s1));
    SAY(cudaEventRecord(e1, 0));
    cudaSetDevice(1);
    SAY(cudaEventRecord(e1, 0));
    SAY(cudaEventSynchronize(e0)); // of another device
    SAY(cudaEventSynchronize(e1));
    float ms;
    SAY(cudaEventElapsedTime(&ms, e0, e1));
    SAY(cudaEventElapsedTime(&ms, e1, e1));
    waits(s0, s1, p0, p1);
    null_streams(s0, p1);
    cudaGetLastError();
}
