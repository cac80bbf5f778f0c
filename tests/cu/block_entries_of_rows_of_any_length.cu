// cdpcc: --entry=block -O2
// env: CDP_STATS=1 CDP_SEED=0
// block stderr: cdp: 45 blocks ran by block entries, 0 had an unsupported shape
// entries: it tests their code
// Rows that are no multiple of a vector: each lane has its own threadIdx, in blocks of all shapes,
// also in calls and warp operations.
#include <cstdio>
#include <cstring>

enum { MOST = 1024 };

__device__ __noinline__ int where()
{
    return (int)(threadIdx.x + 100 * threadIdx.y + 10000 * threadIdx.z);
}

__device__ int number()
{
    return (int)((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x);
}

__global__ void transposes(int *out, int n)
{
    __shared__ int s[MOST];
    int x = (int)threadIdx.x, y = (int)threadIdx.y, z = (int)threadIdx.z, t = number();
    int size = (int)(blockDim.x * blockDim.y * blockDim.z), r = 0;
    s[t] = x * 3 + y * 5 + z * 7;
    __syncthreads();
    if (y > n) {
        return;
    }
    for (int i = 0; i < x; i++) {
        r = r * 3 + s[(t * 7 + i) % size];
    }
    r ^= (x + y) % 2 == 1 ? z : where();
    __syncthreads();
    out[t] = r + s[(z * (int)blockDim.y + y) * (int)blockDim.x];
}

__global__ void sums(int *out, int n)
{
    int v = (int)threadIdx.x * n + (int)threadIdx.y;
    for (int d = 16; d > 0; d /= 2) {
        v += __shfl_xor_sync(~0u, v, d);
    }
    out[number()] = v + (int)__ballot_sync(~0u, threadIdx.y & 1);
}

static void show(const char *name, void (*kernel)(int *, int), int argument)
{
    static int out[MOST];
    const dim3 sizes[] = {dim3(10, 10), dim3(33, 3),     dim3(5, 7, 3), dim3(1, 64),
                          dim3(16, 4),  dim3(31, 33),    dim3(8, 8),    dim3(3, 1, 50),
                          dim3(2, 2),   dim3(1, 1, 64),  dim3(32, 32),  dim3(100, 2),
                          dim3(4, 256), dim3(7, 11, 13), dim3(1024, 1)};
    printf("%s %d:", name, argument);
    for (dim3 size : sizes) {
        if (size.x * size.y * size.z > MOST) {
            continue;
        }
        memset(out, 0, sizeof out);
        kernel<<<1, size>>>(out, argument);
        cudaDeviceSynchronize();
        unsigned hash = 1;
        for (int x : out) {
            hash = (hash ^ (unsigned)x) * 16777619u;
        }
        printf(" %08x", hash);
    }
    printf("\n");
}

int main()
{
    show("transposes", transposes, 2);
    show("transposes", transposes, 100);
    show("sums", sums, 3);
    return 0;
}
