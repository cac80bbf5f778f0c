// cdpcc: --entry=block -O3
// The next region and the chunks with active lanes are determined once, only from values known then:
// not from values that the region may have changed, nor from a bound that no lane of a chunk read.
#include <stdio.h>
__global__ void bounded(int *out, const int *skips, const int *bound, int flag)
{
    int t = threadIdx.x;
    if (flag) {
        if (skips[t]) {
            return;
        }
    }
    if (t < *bound) {
        out[t] = t + 1;
    }
}
__global__ void bounded_steps(int *out, const int *skips, const int *bound, int flag)
{
    __shared__ int sums[1024], limits[16];
    int t = threadIdx.x, n = blockDim.x;
    sums[t] = t * 7 % 31;
    if (t < 16) {
        limits[t] = *bound >> t;
    }
    __syncthreads();
    for (int i = 0; i < 8; i++) {
        bool goes = !flag || !skips[(t + i * 64) % 1024];
        if (flag && !goes) {
            goto next;
        }
        if (t < limits[i] && t + limits[i] < n) {
            sums[t] += sums[t + limits[i]];
        }
    next:
        __syncthreads();
    }
    out[t] = sums[t];
}
__global__ void renewed(int *out, const int *__restrict__ flags, int v, int stop)
{
    __shared__ int sums[128];
    int t = threadIdx.x, at = 0, w = 1, steps = 0;
    sums[t] = 0;
    for (;;) {
        v = v * 5 % 11;
        w *= 2;
        for (;;) {
            int flag = flags[at++];
            if (flag == 1) {
                break;
            }
            if (v == stop) {
                goto done;
            }
            __syncthreads();
            sums[(t + w) & 127] += v * 3 + w;
            steps++;
        }
    }
done:
    __syncthreads();
    out[t] = sums[t] * 100 + steps;
}
__global__ void renewed_by_shared(int *out, const int *flags, int v, int stop)
{
    __shared__ int sums[128], known[64];
    int t = threadIdx.x, at = 0, w = 1;
    sums[t] = 0;
    if (t < 64) {
        known[t] = flags[t];
    }
    __syncthreads();
    for (;;) {
        v = v * 5 % 11;
        w <<= 1;
        for (;;) {
            if (known[at++ & 63] == 1) {
                break;
            }
            if ((v ^ stop) < 2) {
                __syncthreads();
                sums[127 - t] += w;
                __syncthreads();
                out[t] = sums[t] + at * 1000;
                return;
            }
            __syncthreads();
            sums[(t + w) & 127] += v * 3 + w;
        }
    }
}
static int out[1024];
static void show(const char *what, int number)
{
    cudaError_t error = cudaDeviceSynchronize();
    long long sum = 0;
    for (int i = 0; i < 1024; i++) {
        sum += out[i] * (i + 3ll);
        out[i] = 0;
    }
    printf("%s %d: %d, %lld\n", what, number, error, sum);
}
int main()
{
    static int skips[1024], flags[1024], bound;
    for (int i = 0; i < 1024; i++) {
        skips[i] = i % 256 < 64;
        flags[i] = i % 3 == 2;
    }
    for (int size : {100, 128, 200, 256, 1000}) {
        bound = size * 3 / 4;
        bounded<<<1, size>>>(out, skips, &bound, 1);
        show("bounded", size);
        bounded_steps<<<1, size>>>(out, skips, &bound, 1);
        show("bounded steps", size);
    }
    for (int stop : {1, 3, 4, 5, 9}) {
        renewed<<<1, 128>>>(out, flags, 1, stop);
        show("renewed", stop);
        renewed_by_shared<<<1, 128>>>(out, flags, 1, stop);
        show("by shared memory", stop);
    }
}
