// cdpcc: --check=race
// workers: 1 2
// races: they are planted
// stderr: merged_accesses.cu:1[68]:14, in kernel stores, block \(0,0,0\), thread \([0-9]+,0,0\)$
// stderr: merged_accesses.cu:1[68]:14, the write, in kernel stores
// stderr: merged_accesses.cu:35:14, in kernel loads, block \(0,0,0\), thread \(3,0,0\)$
// stderr: merged_accesses.cu:(28|29|31):20, the read, in kernel loads
// The optimizer merges the stores of two branches, and moves loads out of loops. Both still have
// lines.
#include "show.h"

__global__ void stores(int *a, const int *b, int n)
{
    int i = threadIdx.x;
    if (b[i] & 1) {
        a[0] = i;
    } else {
        a[0] = i + n;
    }
}

__global__ void loads(int *a, int *b, int n)
{
    int i = threadIdx.x;
    int sum = 0;
    for (int j = 0; j < n; j++) {
        if (n > 3) {
            sum += a[0] * j;
            sum ^= a[0] + i;
        } else {
            sum -= a[0];
        }
    }
    if (i == 3) {
        a[0] = sum;
    }
    b[i] = sum;
}

int main()
{
    int *a, *b;
    MUST(cudaMalloc(&a, 1024));
    MUST(cudaMalloc(&b, 1024));
    MUST(cudaMemset(a, 0, 1024));
    MUST(cudaMemset(b, 0, 1024));
    stores<<<1, 32>>>(a, b, 3);
    MUST(cudaDeviceSynchronize());
    loads<<<1, 32>>>(a, b, 5);
    MUST(cudaDeviceSynchronize());
    MUST(cudaFree(a));
    MUST(cudaFree(b));
}
