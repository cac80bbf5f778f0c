// Atomics, fills, copies and class assignments to a constant fault as stores do.
// races: none, but ThreadSanitizer keeps a lock of its own where its atomics fault
// stderr: cudaErrorIllegalAddress: illegal access to address 0x.* constant variable 'table'
#include "hide.h"
#include "show.h"
struct Four {
    int v[4];
};
__constant__ int table[64] = {1};
__device__ int source[64];
__global__ void child(int *to, int how, size_t size)
{
    switch (how) {
    case 0:
        atomicAdd(to, 1);
        break;
    case 1:
#ifdef __x86_64__
        atomicCAS(to, 5, 6); // writes nothing, but requests write access
#else
        atomicCAS(to, 1, 6); // ARM requests no write access if it writes nothing
#endif
        break;
    case 2:
        memset(to, 0, size);
        break;
    case 3:
        memcpy(to, source, size);
        break;
    case 4:
        *(Four *)to = Four{{1, 2, 3, 4}};
        break;
    case 5:
        *(volatile char *)to = 1;
        break;
    }
}
__global__ void parent(int how)
{
    child<<<1, 1>>>(hide((int *)table), how, sizeof table);
}
int main()
{
    for (int how = 0; how < 6; how++) {
        int value;
        parent<<<1, 1>>>(how);
        cudaError_t error = cudaDeviceSynchronize();
        MUST(cudaDeviceReset());
        MUST(cudaMemcpyFromSymbol(&value, table, sizeof value));
        printf("%d: %s, still %d\n", how, cudaGetErrorName(error), value);
    }
}
