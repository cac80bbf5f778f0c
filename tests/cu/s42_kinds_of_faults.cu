// stderr: s42_kinds_of_faults\.cu:[0-9]+: void inner::check\(T\) \[with T = unsigned int\]: block: \[0,0,0\], thread: \[1,0,0\] Assertion `v < T\(1\) && "too large"` failed\.
// The error of each fault, as on an H200; the device's output before it appears. A stack overflow
// has the code that CUDA's documents name (an H200 returns 700).
#include "show.h"

#include <cassert>

namespace inner
{
template <typename T> __device__ void check(T v)
{
    assert(v < T(1) && "too large");
}
} // namespace inner

__global__ void asserts()
{
    inner::check(threadIdx.x);
}
__global__ void trapsInPtx()
{
    asm volatile("trap;");
}
__global__ void breaks()
{
    asm volatile("brkpt;");
}
__global__ void prints()
{
    if (threadIdx.x != 0) {
        return;
    }
    printf("[%s]\n", (const char *)nullptr);
    printf("before\n");
    printf("[%s]\n", (const char *)0x10);
    printf("after\n");
}
__global__ void frees()
{
    free((void *)0x12345678);
}
__device__ int recurse(int n, volatile int *p)
{
    int a[64];
    for (int i = 0; i < 64; i++) {
        a[i] = p[i] + n;
    }
    int sum = recurse(n + 1, p);
    for (int i = 0; i < 64; i++) {
        sum += a[i];
    }
    return sum;
}
__global__ void overflows(int *p)
{
    p[0] = recurse(0, p);
}

template <typename... A> static void show(const char *name, void (*kernel)(A...), A... a)
{
    kernel<<<1, 2>>>(a...);
    printf("%s -> %s\n", name, cudaGetErrorName(cudaDeviceSynchronize()));
    SHOW(cudaDeviceReset());
}

int main()
{
    int *memory;
    show("assert", asserts);
    show("trap", trapsInPtx);
    show("brkpt", breaks);
    show("printf", prints);
    show("free", frees);
    MUST(cudaMalloc(&memory, 4096));
    show("overflow", overflows, memory);
    return 0;
}
