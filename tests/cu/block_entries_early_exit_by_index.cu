// cdpcc: --entry=block -O2
// Threads beyond the end of the data have nothing to do, so a block ends after the first vector of
// them: in grids that are much too large, for guards and grid-stride loops of any form. Others have
// something to do, and all of them do it.
#include "show.h"

enum { MOST = 4000 };

__global__ void guard(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    a[i] += i;
}
__global__ void guardOfSize(int *a, size_t n)
{
    unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
    if (n > i) {
        a[i] += i;
    }
}
__global__ void guardWithEnd(int *a, const int *end)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= *end) {
        a[i] += i;
    }
}
__global__ void stride(int *a, size_t n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        a[i] += i;
    }
}
__global__ void others(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        a[i] += i;
    } else if (i < MOST) {
        a[i] -= 1;
    }
}
__global__ void last(int *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > n && i < MOST) {
        a[i] += i;
    }
}
// All threads are at the barrier, and store after it.
__global__ void barrier(int *a, int n)
{
    __shared__ int s[1024];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = i;
    __syncthreads();
    int t = blockDim.x - 1 - threadIdx.x;
    if (i < n) {
        a[i] += i - s[t] + s[t];
    }
    __syncthreads();
    if (i < MOST) {
        a[i] += s[t] - s[t];
    }
}

static int check(int kind, const int *a, int n)
{
    int wrong = 0;
    for (int i = 0; i < MOST; i++) {
        bool is_below = i < n;
        int right = kind == 4 ? (is_below ? i : -1) : kind == 5 ? (i > n ? i : 0)
                                                                : (is_below ? i : 0);
        wrong += a[i] != right;
    }
    return wrong;
}

int main()
{
    static const int counts[] = {-5, 0, 1, 15, 16, 17, 63, 64, 100, 256, 257, 511, 1000, 3990};
    int *a, *end, wrong[7] = {0};
    MUST(cudaMallocManaged(&a, MOST * sizeof *a));
    MUST(cudaMallocManaged(&end, sizeof *end));
    for (int threads : {256, 100, 37, 1024}) {
        for (int n : counts) {
            for (int kind = 0; kind < 7; kind++) {
                int blocks = (MOST + threads - 1) / threads + 3;
                size_t size = n < 0 ? 0 : n;
                MUST(cudaMemset(a, 0, MOST * sizeof *a));
                MUST(cudaDeviceSynchronize());
                *end = n - 1;
                switch (kind) {
                case 0: guard<<<blocks, threads>>>(a, n); break;
                case 1: guardOfSize<<<blocks, threads>>>(a, size); break;
                case 2: guardWithEnd<<<blocks, threads>>>(a, end); break;
                case 3: stride<<<n > 1000 ? 2 : blocks, threads>>>(a, size); break;
                case 4: others<<<blocks, threads>>>(a, n); break;
                case 5: last<<<blocks, threads>>>(a, n); break;
                default: barrier<<<blocks, threads>>>(a, n); break;
                }
                MUST(cudaDeviceSynchronize());
                wrong[kind] += check(kind, a, n);
            }
        }
    }
    printf("guards: %d %d %d wrong, stride: %d, others: %d, last: %d, barrier: %d\n", wrong[0],
           wrong[1], wrong[2], wrong[3], wrong[4], wrong[5], wrong[6]);
    return 0;
}
