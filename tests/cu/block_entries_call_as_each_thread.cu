// cdpcc: --entry=block -O2
// env: CDP_SEED=0
// exit: 0
// stderr: thread: \[35,0,0\] Assertion `x != 35` failed
// Calls are executed by one thread after the other, each with its own identity. A thread whose
// assertion fails ends alone.
#include <cassert>
#include <cstdio>
#include <cstring>

__device__ __noinline__ int who(int x)
{
    return (int)threadIdx.x * 1000 + x;
}

__global__ void calls(int *seen)
{
    int x = (int)threadIdx.x;
    if (x % 16 == 3) {
        printf("thread %d of block %d\n", (int)threadIdx.x, (int)blockIdx.x);
        seen[x] = who(x);
    }
    if (x > 32 && x < 36) {
        char *text = (char *)malloc(16);
        text[0] = (char)x;
        seen[x] = text[0] + who(0);
        free(text);
    }
}

__global__ void asserts(int *seen)
{
    int x = (int)threadIdx.x;
    assert(x != 35);
    seen[x] = 1;
}

int main()
{
    int *seen;
    cudaMallocManaged(&seen, 64 * sizeof(int));
    memset(seen, 0, 64 * sizeof(int));
    calls<<<1, 40>>>(seen);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; i++) {
        if (seen[i] != 0) {
            printf("%d: %d\n", i, seen[i]);
        }
        seen[i] = 0;
    }
    asserts<<<1, 64>>>(seen);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    int count = 0;
    for (int i = 0; i < 64; i++) {
        count += seen[i];
    }
    printf("%d threads went on\n", count);
    return 0;
}
