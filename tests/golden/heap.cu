// The device's heap, and which side may free which memory.
// ask: calls across_sides device_frees_host_memory double_free fills
#include "ask.h"
__device__ void *kept;
__global__ void calls()
{
    void *p = 0, *q = 0, *z = (void *)1;
    TELL("cudaMalloc", cudaMalloc(&p, 1024));
    TELL("cudaMalloc of 16 GB", cudaMalloc(&q, (size_t)1 << 34));
    NUMBER("gives NULL", q == 0);
    NUMBER("malloc of 16 GB gives NULL", malloc((size_t)1 << 34) == 0);
    TELL("cudaFree(0)", cudaFree(0));
    TELL("cudaMalloc of 0", cudaMalloc(&z, 0));
    NUMBER("gives NULL then", z == 0);
    NUMBER("malloc of 0 gives NULL", malloc(0) == 0);
    kept = new char[(size_t)1 << 34];
    NUMBER("new of 16 GB gives NULL", kept == 0);
    free(0);
    kept = p;
}
__global__ void later()
{
    *(volatile int *)kept = 5;
    NUMBER("a later kernel uses it", *(volatile int *)kept);
    TELL("and frees it", cudaFree(kept));
}
__global__ void give(void **out)
{
    TELL("cudaMalloc", cudaMalloc(out, 1024));
}
__global__ void take(void *p)
{
    TELL("device frees", cudaFree(p));
}
__global__ void twice()
{
    void *p = malloc(64);
    free(p);
    free(p);
}
__global__ void fill()
{
    int blocks = 0;
    while (malloc(1 << 20) != 0 && blocks < 100) {
        blocks++;
    }
    NUMBER("at most 8 megabytes fit", blocks <= 8);
    NUMBER("at least 4 fit", blocks >= 4);
}
int main(int argc, char **argv)
{
    begin();
    if (ASKED("calls")) {
        calls<<<1, 1>>>();
        TELL("host synchronizes first", cudaDeviceSynchronize());
        later<<<1, 1>>>();
        TELL("heap limit after that", cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 26));
    } else if (ASKED("across_sides")) {
        void **out, *p = 0;
        cudaMalloc(&out, sizeof(*out));
        give<<<1, 1>>>(out);
        TELL("host copies", cudaMemcpy(&p, out, sizeof(p), cudaMemcpyDeviceToHost));
        TELL("host frees device heap", cudaFree(p));
        TELL("last error", cudaGetLastError());
    } else if (ASKED("device_frees_host_memory")) {
        int *g;
        cudaMalloc(&g, 4096);
        take<<<1, 1>>>(g);
    } else if (ASKED("double_free")) {
        twice<<<1, 1>>>();
    } else if (ASKED("fills")) {
        fill<<<1, 1>>>();
    }
    TELL("host synchronizes", cudaDeviceSynchronize());
}
