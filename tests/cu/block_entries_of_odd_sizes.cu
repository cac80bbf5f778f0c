// cdpcc: --entry=block -O2
// Block sizes that are no multiple of a vector, rows of all widths, threads that return before
// barriers that others reach, uniform values across barriers.
#include <stdio.h>
#define SIZE (3 * 128)
__global__ void k(int n, const int *q, int *o)
{
    __shared__ int s[128];
    int t = threadIdx.y * blockDim.x + threadIdx.x, nt = blockDim.x * blockDim.y,
        i = blockIdx.x * nt + t;
    s[t] = 1;
    __syncthreads();
    if (t >= n)
        return;
    int u = q[0] + q[1];
    s[t] = t * u;
    __syncthreads();
    for (int k = 0; k < u; ++k) {
        int v = s[n - 1 - t];
        __syncthreads();
        s[t] = v + k;
        __syncthreads();
        if (t >= n - k)
            return;
    }
    o[i] = s[t] + s[127 - nt + n] * 0 + u;
}
static void check(dim3 b)
{
    int q[2] = {3, 4}, bad = 0;
    static int o[SIZE], r[SIZE];
    const int n = 77, u = 7;
    for (int i = 0; i < SIZE; ++i)
        o[i] = r[i] = -1;
    int nt = b.x * b.y;
    k<<<3, b>>>(n, q, o);
    cudaDeviceSynchronize();
    for (int bl = 0; bl < 3; ++bl) {
        int s[128], v[128], dead[128] = {0};
        for (int t = 0; t < n; ++t)
            s[t] = t * u;
        for (int k = 0; k < u; ++k) {
            for (int t = 0; t < n; ++t)
                if (!dead[t])
                    v[t] = s[n - 1 - t];
            for (int t = 0; t < n; ++t)
                if (!dead[t])
                    s[t] = v[t] + k;
            for (int t = 0; t < n; ++t)
                if (t >= n - k)
                    dead[t] = 1;
        }
        for (int t = 0; t < n; ++t)
            if (!dead[t])
                r[bl * nt + t] = s[t] + u;
    }
    for (int i = 0; i < SIZE; ++i)
        if (o[i] != r[i]) {
            if (!bad++)
                printf("[%d] got %d want %d\n", i, o[i], r[i]);
        }
    printf("%u x %u threads: %s\n", b.x, b.y, bad ? "wrong" : "ok");
}
int main()
{
    const dim3 shapes[] = {99,          100,         dim3(10, 10), dim3(13, 7), 128,
                           dim3(32, 3), dim3(16, 5), 77,           80};
    for (dim3 shape : shapes)
        check(shape);
}
