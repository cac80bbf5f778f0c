// cdpcc: --cdp=1
// env: CDP_DEVICES=4 CDP_MEMORY_MB=64
// A host thread for each device, children of kernels, output, and graphs that use several devices.
#include <cstdio>
#include <pthread.h>

enum { DEVICES = 4, ROUNDS = 40, SIZE = 256 };

__global__ void child(int *p, int n)
{
    int device = -1;
    cudaGetDevice(&device);
    if (threadIdx.x < n) {
        p[threadIdx.x] += device;
    }
}

__global__ void parent(int *p, int n)
{
    child<<<1, 256>>>(p, n);
    cudaDeviceSynchronize();
    int *q = (int *)malloc(16); // from the device heap of this device
    q[0] = p[0];
    p[0] = q[0] + 1;
    free(q);
}

__global__ void say(int number)
{
    int device = -1;
    cudaGetDevice(&device);
    printf("kernel %d on device %d\n", number, device);
}

__global__ void note(int *p)
{
    cudaGetDevice(p);
}

static int wrong[DEVICES];

static void *work(void *number)
{
    int device = (int)(size_t)number;
    cudaSetDevice(device);
    int *p, seen[SIZE];
    cudaStream_t s[2];
    cudaEvent_t e;
    cudaMalloc(&p, sizeof seen);
    cudaMemset(p, 0, sizeof seen);
    cudaStreamCreate(&s[0]);
    cudaStreamCreateWithFlags(&s[1], cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
    cudaDeviceSynchronize();
    for (int i = 0; i < ROUNDS; i++) {
        cudaStream_t here = s[i % 2];
        parent<<<1, 1, 0, here>>>(p, SIZE);
        cudaEventRecord(e, here);
        cudaStreamWaitEvent(s[(i + 1) % 2], e, 0);
        if (i % 8 == 7) {
            cudaDeviceSynchronize();
        }
    }
    cudaStreamSynchronize(s[0]);
    cudaStreamSynchronize(s[1]);
    wrong[device] += cudaMemcpy(seen, p, sizeof seen, cudaMemcpyDeviceToHost) != cudaSuccess;
    for (int i = 0; i < SIZE; i++) {
        wrong[device] += seen[i] != ROUNDS * (device + (i == 0));
    }
    cudaFree(p);
    cudaStreamDestroy(s[0]);
    cudaStreamDestroy(s[1]);
    cudaEventDestroy(e);
    return nullptr;
}

static void threads()
{
    pthread_t thread[DEVICES];
    for (int i = 0; i < DEVICES; i++) {
        pthread_create(&thread[i], nullptr, work, (void *)(size_t)i);
    }
    for (int i = 0; i < DEVICES; i++) {
        pthread_join(thread[i], nullptr);
        printf("device %d: %d wrong\n", i, wrong[i]);
    }
}

// Only the output of the current device is printed.
static void output()
{
    for (int i = 0; i < 2; i++) {
        cudaSetDevice(i);
        say<<<1, 1>>>(i);
    }
    cudaDeviceSynchronize();
    printf("device 1 was synchronized\n");
    fflush(stdout);
    cudaSetDevice(0);
    cudaDeviceSynchronize();
}

// Nodes run on the device that was current when they were made.
static void graphs()
{
    cudaStream_t s[2];
    cudaGraph_t graph, captured;
    cudaGraphNode_t node[2];
    cudaGraphExec_t exec;
    int *p;
    cudaMallocManaged(&p, 4 * sizeof(int));
    for (int i = 0; i < 4; i++) {
        p[i] = -1;
    }
    cudaSetDevice(2);
    cudaStreamCreate(&s[0]);
    cudaStreamBeginCapture(s[0], cudaStreamCaptureModeGlobal);
    note<<<1, 1, 0, s[0]>>>(p);
    cudaStreamEndCapture(s[0], &captured);
    cudaSetDevice(3);
    cudaStreamCreate(&s[1]);
    cudaGraphCreate(&graph, 0);
    cudaGraphAddChildGraphNode(&node[0], graph, nullptr, 0, captured);
    int *q = p + 1;
    void *args[] = {&q};
    cudaKernelNodeParams params = {};
    params.func = (void *)note;
    params.gridDim = params.blockDim = dim3(1);
    params.kernelParams = args;
    cudaGraphAddKernelNode(&node[1], graph, node, 1, &params);
    cudaGraphInstantiate(&exec, graph, 0);
    printf("launch: %s\n", cudaGetErrorName(cudaGraphLaunch(exec, s[1])));
    cudaStreamSynchronize(s[1]);
    printf("nodes ran on devices %d and %d\n", p[0], p[1]);
    p[0] = p[1] = -1;
    printf("in a stream of another device: %s\n", cudaGetErrorName(cudaGraphLaunch(exec, s[0])));
    cudaStreamSynchronize(s[0]);
    printf("nodes ran on devices %d and %d\n", p[0], p[1]);
    cudaSetDevice(1);
    cudaDeviceReset();
    cudaSetDevice(3);
    p[0] = p[1] = -1;
    cudaGraphLaunch(exec, s[1]);
    printf("after the reset of device 1: %s", cudaGetErrorName(cudaStreamSynchronize(s[1])));
    printf(", devices %d and %d\n", p[0], p[1]);
    cudaDeviceReset();
    printf("after the reset of device 3: %s\n", cudaGetErrorName(cudaGraphLaunch(exec, s[0])));
    cudaGraphDestroy(graph);
    cudaGraphDestroy(captured);
}

int main()
{
    cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 4);
    threads();
    output();
    graphs();
}
