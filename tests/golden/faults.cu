// How the host sees a fault in a child, and which of its calls return it.
// ask: null beyond misaligned assert trap host_launch calls
#include "ask.h"
#include <cassert>
__global__ void nop() {}
__global__ void storeToNull()
{
    *(volatile int *)0 = 1;
}
__global__ void storeBeyond(int *p)
{
    p[1ll << 40] = 1;
}
__global__ void storeMisaligned(char *p)
{
    *(volatile int *)(p + 1) = 1;
}
__global__ void failAssertion()
{
    assert(threadIdx.x > 5);
}
__global__ void trap()
{
    __trap();
}
__global__ void parent(int which, int *g)
{
    switch (which) {
    case 0:
        storeToNull<<<1, 1>>>();
        break;
    case 1:
        storeBeyond<<<1, 1>>>(g);
        break;
    case 2:
        storeMisaligned<<<1, 1>>>((char *)g);
        break;
    case 3:
        failAssertion<<<1, 2>>>();
        break;
    default:
        trap<<<1, 1>>>();
    }
    TELL("device after the launch", cudaGetLastError());
}
static int numberOf(const char *name)
{
    const char *names[] = {"null", "beyond", "misaligned", "assert", "trap"};
    for (int i = 0; i < 5; i++) {
        if (strcmp(names[i], name) == 0) {
            return i;
        }
    }
    return -1;
}
// Each of these calls, after a fault that the host has seen.
static void tellCalls(int *g)
{
    cudaStream_t stream = 0;
    cudaEvent_t event = 0;
    int *p = 0, value = 0, count = 0;
    size_t size = 0, total = 0;
    cudaDeviceProp properties;
    cudaFuncAttributes attributes;
    TELL("cudaMalloc", cudaMalloc(&p, 4));
    TELL("cudaFree", cudaFree(g));
    TELL("cudaMallocHost", cudaMallocHost(&p, 4));
    TELL("cudaMemcpy", cudaMemcpy(&value, g, 4, cudaMemcpyDeviceToHost));
    TELL("cudaMemset", cudaMemset(g, 0, 4));
    TELL("cudaMemGetInfo", cudaMemGetInfo(&size, &total));
    TELL("cudaStreamCreate", cudaStreamCreate(&stream));
    TELL("cudaStreamSynchronize", cudaStreamSynchronize(0));
    TELL("cudaStreamQuery", cudaStreamQuery(0));
    TELL("cudaEventCreate", cudaEventCreate(&event));
    TELL("cudaDeviceGetLimit", cudaDeviceGetLimit(&size, cudaLimitStackSize));
    TELL("cudaDeviceSetLimit", cudaDeviceSetLimit(cudaLimitStackSize, 2048));
    TELL("cudaGetDevice", cudaGetDevice(&value));
    TELL("cudaGetDeviceCount", cudaGetDeviceCount(&count));
    TELL("cudaSetDevice", cudaSetDevice(0));
    TELL("cudaGetDeviceProperties", cudaGetDeviceProperties(&properties, 0));
    TELL("cudaDeviceGetAttribute", cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0));
    TELL("cudaRuntimeGetVersion", cudaRuntimeGetVersion(&value));
    TELL("cudaFuncGetAttributes", cudaFuncGetAttributes(&attributes, nop));
    nop<<<1, 1>>>();
    TELL("launch, peeked", cudaPeekAtLastError());
    TELL("launch", cudaGetLastError());
    TELL("cudaGetLastError again", cudaGetLastError());
    TELL("cudaDeviceSynchronize", cudaDeviceSynchronize());
}
int main(int argc, char **argv)
{
    begin();
    int *g;
    cudaMalloc(&g, 4096);
    if (ASKED("host_launch")) {
        storeToNull<<<1, 1>>>();
        TELL("after the launch", cudaGetLastError());
        TELL("host synchronizes", cudaDeviceSynchronize());
        TELL("last error", cudaGetLastError());
        TELL("reset", cudaDeviceReset());
        TELL("cudaMalloc", cudaMalloc(&g, 4));
        return 0;
    }
    parent<<<1, 1>>>(ASKED("calls") ? 0 : numberOf(argv[1]), g);
    TELL("host synchronizes", cudaDeviceSynchronize());
    if (ASKED("calls")) {
        tellCalls(g);
        return 0;
    }
    TELL("last error", cudaGetLastError());
    TELL("cudaMalloc", cudaMalloc(&g, 4));
    TELL("host synchronizes again", cudaDeviceSynchronize());
}
