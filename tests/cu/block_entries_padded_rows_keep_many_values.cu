// cdpcc: --entry=block -O2
// env: CDP_STATS=1 CDP_SEED=0
// block stderr: cdp: 6 blocks ran by block entries, 0 had an unsupported shape
// plain: not all of its kernels have block entries with sanitizers
// Values that padded rows keep across a barrier are counted correctly, and blocks of another shape
// have their own limit: both shapes allow 32 values.
#include <stdio.h>

enum { KEPT = 32, MOST = 8192 };

__global__ void keeps(float *out, const float *in)
{
    __shared__ float s[1024];
    int t = threadIdx.y * blockDim.x + threadIdx.x, g = blockIdx.x * blockDim.x * blockDim.y + t;
    float kept[KEPT];
#pragma unroll
    for (int i = 0; i < KEPT; i++) {
        kept[i] = in[(g + i * 5) % MOST];
    }
    s[t] = kept[3];
    __syncthreads();
    float sum = s[t ^ 1];
#pragma unroll
    for (int i = 0; i < KEPT; i++) {
        sum = sum * kept[i] + s[t];
    }
    out[g] = sum;
}

static int check(const float *in, const float *out, int threads)
{
    int wrong = 0;
    for (int g = 0; g < 3 * threads; g++) {
        int of = g / threads * threads, t = g % threads;
        float sum = in[(of + (t ^ 1) + 15) % MOST];
        for (int i = 0; i < KEPT; i++) {
            sum = sum * in[(g + i * 5) % MOST] + in[(g + 15) % MOST];
        }
        wrong += out[g] != sum;
    }
    return wrong;
}

int main()
{
    float *in, *out;
    cudaMallocManaged(&in, MOST * sizeof *in);
    cudaMallocManaged(&out, MOST * sizeof *out);
    for (int i = 0; i < MOST; i++) {
        in[i] = (float)(i % 3 - 1);
    }
    keeps<<<3, dim3(30, 30)>>>(out, in);
    cudaDeviceSynchronize();
    printf("%d wrong", check(in, out, 900));
    keeps<<<3, dim3(32, 32)>>>(out, in);
    cudaDeviceSynchronize();
    printf(", %d wrong, %s\n", check(in, out, 1024), cudaGetErrorName(cudaGetLastError()));
}
