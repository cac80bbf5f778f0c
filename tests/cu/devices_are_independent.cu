// env: CDP_DEVICES=3 CDP_MEMORY_MB=256
// stderr: cudaErrorIllegalAddress
// overruns: a kernel accesses address 16
// Each device has memory, limits, streams and faults of its own, and each host thread a current one.
#include <cstdio>
#include <pthread.h>

__global__ void fail()
{
    *(volatile int *)16 = 1;
}

__global__ void add(int *p, int n)
{
    atomicAdd(p, n);
}

__global__ void own(int *out)
{
    int device = -1, count = -1;
    cudaGetDevice(&device);
    cudaGetDeviceCount(&count);
    out[0] = device;
    out[1] = count;
}

static const char *name(cudaError_t error)
{
    return cudaGetErrorName(error);
}

static void *thread(void *)
{
    int device = -1;
    cudaGetDevice(&device);
    printf("a new thread's device: %d\n", device);
    printf("set 2: %s\n", name(cudaSetDevice(2)));
    return nullptr;
}

static size_t used()
{
    size_t available, total;
    cudaMemGetInfo(&available, &total);
    return total - available;
}

static void memory()
{
    int *p[3];
    for (int i = 0; i < 3; i++) {
        cudaSetDevice(i);
        cudaMalloc(&p[i], (size_t)(i + 1) << 20);
    }
    for (int i = 0; i < 3; i++) {
        cudaSetDevice(i);
        cudaPointerAttributes a;
        cudaPointerGetAttributes(&a, p[i]);
        printf("device %d: %zu MiB in use, pointer of device %d, type %d\n", i, used() >> 20, a.device,
               a.type);
    }
    // The size is each device's own.
    void *large, *more;
    printf("200 MiB: %s\n", name(cudaMalloc(&large, (size_t)200 << 20)));
    printf("200 MiB again: %s\n", name(cudaMalloc(&more, (size_t)200 << 20)));
    cudaGetLastError();
    cudaSetDevice(0);
    printf("on device 0: %s\n", name(cudaMalloc(&more, (size_t)200 << 20)));
    // Any thread may free memory of any device.
    printf("free: %s %s\n", name(cudaFree(large)), name(cudaFree(more)));
    for (int i = 0; i < 3; i++) {
        cudaFree(p[i]);
    }
    cudaSetDevice(2);
    printf("device 2: %zu bytes in use\n", used());
}

static void limits()
{
    size_t value;
    cudaSetDevice(1);
    cudaDeviceSetLimit(cudaLimitMallocHeapSize, 5 << 20);
    cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 7);
    for (int i = 0; i < 2; i++) {
        cudaSetDevice(i);
        cudaDeviceGetLimit(&value, cudaLimitMallocHeapSize);
        printf("device %d: heap %zu", i, value);
        cudaDeviceGetLimit(&value, cudaLimitDevRuntimeSyncDepth);
        printf(", depth %zu\n", value);
    }
}

static void faults()
{
    int *p[2], value = 5;
    for (int i = 0; i < 2; i++) {
        cudaSetDevice(i);
        cudaMalloc(&p[i], 2 * sizeof(int));
        cudaMemset(p[i], 0, 2 * sizeof(int));
    }
    cudaSetDevice(1);
    cudaStream_t s;
    cudaStreamCreate(&s);
    fail<<<2, 3, 0, s>>>();
    printf("device 1 fails: %s\n", name(cudaDeviceSynchronize()));
    cudaSetDevice(0);
    cudaGetLastError();
    own<<<1, 1>>>(p[0]);
    printf("device 0: %s", name(cudaDeviceSynchronize()));
    int seen[2];
    printf(" %s", name(cudaMemcpy(seen, p[0], sizeof seen, cudaMemcpyDeviceToHost)));
    printf(", its kernels see %d of %d\n", seen[0], seen[1]);
    cudaSetDevice(1);
    printf("device 1: %s, %s\n", name(cudaMemcpy(p[1], &value, 4, cudaMemcpyHostToDevice)),
           name(cudaStreamQuery(s)));
    printf("reset: %s\n", name(cudaDeviceReset()));
    printf("its stream: %s, its memory: %s\n", name(cudaStreamDestroy(s)), name(cudaFree(p[1])));
    cudaGetLastError();
    int *q;
    cudaMalloc(&q, 2 * sizeof(int));
    own<<<1, 1>>>(q);
    cudaMemcpy(seen, q, sizeof seen, cudaMemcpyDeviceToHost);
    printf("after it: %s, its kernels see %d\n", name(cudaGetLastError()), seen[0]);
    size_t value2;
    cudaDeviceGetLimit(&value2, cudaLimitDevRuntimeSyncDepth);
    printf("depth %zu\n", value2);
    cudaSetDevice(0); // the memory of device 0 is still there
    add<<<4, 32>>>(p[0], 1);
    cudaMemcpy(seen, p[0], sizeof seen, cudaMemcpyDeviceToHost);
    printf("device 0: %d %s\n", seen[0], name(cudaFree(p[0])));
}

int main()
{
    int count, device;
    cudaGetDeviceCount(&count);
    printf("%d devices\n", count);
    printf("set 3: %s\n", name(cudaSetDevice(3)));
    printf("set -1: %s\n", name(cudaSetDevice(-1)));
    cudaGetLastError();
    int list[] = {2, 1};
    cudaSetValidDevices(list, 2);
    cudaGetDevice(&device);
    printf("first valid device: %d\n", device);
    cudaSetDevice(1);
    cudaSetValidDevices(list, 2);
    pthread_t other;
    pthread_create(&other, nullptr, thread, nullptr);
    pthread_join(other, nullptr);
    cudaGetDevice(&device);
    printf("this thread's device: %d\n", device);
    for (int i = 0; i < count; i++) {
        char id[20];
        int found = -1;
        cudaDeviceGetPCIBusId(id, sizeof id, i);
        cudaDeviceGetByPCIBusId(&found, id);
        printf("%s is device %d\n", id, found);
    }
    memory();
    limits();
    faults();
}
