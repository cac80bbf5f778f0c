// Contexts of several devices: the current context decides the device of both APIs.
#include <cstdio>
#include <cuda.h>

#define SHOW(call) show(#call, call)

static void show(const char *text, CUresult result)
{
    const char *name;
    cuGetErrorName(result, &name);
    printf("%s: %s\n", text, name);
}

__global__ void store(int *p, int value)
{
    *p = value;
}

static void where(const char *after)
{
    CUdevice device = -1;
    int current = -1;
    CUresult result = cuCtxGetDevice(&device);
    cudaGetDevice(&current);
    printf("after %s: device %d of the driver (%d), %d of the runtime\n", after, device, result, current);
}

static void contexts()
{
    CUcontext primary[2], own, popped, current;
    for (int i = 0; i < 2; i++) {
        cuDevicePrimaryCtxRetain(&primary[i], i);
    }
    printf("primary contexts differ: %d\n", primary[0] != primary[1]);
    SHOW(cuCtxSetCurrent(primary[1]));
    where("cuCtxSetCurrent");
    SHOW(cuCtxCreate(&own, 0, 0));
    where("cuCtxCreate");
    SHOW(cuCtxPopCurrent(&popped));
    where("cuCtxPopCurrent");
    SHOW(cuCtxPushCurrent(own));
    where("cuCtxPushCurrent");
    cudaSetDevice(1);
    where("cudaSetDevice");
    cuCtxGetCurrent(&current);
    printf("the primary context: %d\n", current == primary[1]);
    SHOW(cuCtxSetCurrent(own));
    SHOW(cuCtxDestroy(own));
    where("cuCtxDestroy");
    cuCtxSetCurrent(primary[0]);
    unsigned flags;
    int active = -1;
    SHOW(cuDevicePrimaryCtxRelease(1));
    SHOW(cuDevicePrimaryCtxRelease(1));
    SHOW(cuDevicePrimaryCtxGetState(1, &flags, &active));
    printf("active: %d\n", active);
}

static void peers()
{
    CUcontext context[2];
    CUdeviceptr p[2];
    for (int i = 0; i < 2; i++) {
        cuDevicePrimaryCtxRetain(&context[i], i);
        cuCtxSetCurrent(context[i]);
        cuMemAlloc(&p[i], sizeof(int));
        cuMemsetD32(p[i], i + 7, 1);
    }
    CUdevice device;
    int can;
    SHOW(cuDeviceCanAccessPeer(&can, 0, 1));
    SHOW(cuDeviceGetP2PAttribute(&can, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 1));
    SHOW(cuCtxDisablePeerAccess(context[0]));
    SHOW(cuCtxEnablePeerAccess(context[0], 0));
    SHOW(cuCtxEnablePeerAccess(context[0], 0));
    SHOW(cuMemcpyPeer(p[1], context[1], p[0], context[0], sizeof(int)));
    int seen = 0;
    cuMemcpyDtoH(&seen, p[1], sizeof seen);
    printf("copied: %d\n", seen);
    cuPointerGetAttribute(&device, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, p[0]);
    printf("pointer of device %d", device);
    cuPointerGetAttribute(&device, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, p[1]);
    printf(" and %d\n", device);
    CUstream stream;
    cuStreamCreate(&stream, 0); // of device 1
    cuCtxSetCurrent(context[0]);
    store<<<1, 1, 0, stream>>>((int *)p[0], 1);
    printf("a launch in a stream of device 1: %s\n", cudaGetErrorName(cudaGetLastError()));
    SHOW(cuDevicePrimaryCtxReset(1));
    SHOW(cuMemFree(p[1]));
    SHOW(cuMemFree(p[0]));
}

int main()
{
    cuInit(0);
    int count;
    CUdevice device;
    cuDeviceGetCount(&count);
    printf("%d devices\n", count);
    SHOW(cuDeviceGet(&device, 1));
    printf("device %d\n", device);
    SHOW(cuDeviceGet(&device, 2));
    contexts();
    peers();
}
