// cdpcc: --entry=block -O2
// The address of an atomic operation on shared memory is computed before a barrier, and its parts are not
// used after that.
#include <stdio.h>
__global__ void histogram(const unsigned *in, unsigned *out, unsigned *old)
{
    __shared__ unsigned bins[16];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    unsigned *bin = &bins[in[i] & 15], *other = &bins[in[i] >> 4 & 15];
    if (t < 16) {
        bins[t] = 0;
    }
    __syncthreads();
    atomicAdd(bin, 1);
    __syncthreads();
    atomicMax(other, 7);
    old[i] = atomicAdd(bin, 0);
    __syncthreads();
    if (t < 16) {
        atomicAdd(&out[t], bins[t]);
    }
}
int main()
{
    const int blocks = 5, threads = 96;
    unsigned *in, *out, *old, expected[16] = {0};
    cudaMallocManaged(&in, blocks * threads * sizeof *in);
    cudaMallocManaged(&old, blocks * threads * sizeof *old);
    cudaMallocManaged(&out, 16 * sizeof *out);
    int wrong = 0;
    for (int b = 0; b < blocks; b++) {
        unsigned bins[16] = {0};
        for (int i = b * threads; i < (b + 1) * threads; i++) {
            in[i] = i * 37u % 251;
            bins[in[i] & 15]++;
        }
        for (int i = b * threads; i < (b + 1) * threads; i++) {
            unsigned &other = bins[in[i] >> 4 & 15];
            other = other > 7 ? other : 7;
        }
        for (int k = 0; k < 16; k++) {
            out[k] = 0;
            expected[k] += bins[k];
        }
    }
    histogram<<<blocks, threads>>>(in, out, old);
    printf("%d\n", cudaDeviceSynchronize());
    for (int k = 0; k < 16; k++) {
        wrong += out[k] != expected[k];
    }
    for (int i = 0; i < blocks * threads; i++) {
        wrong += old[i] < 1;
    }
    printf("%d wrong\n", wrong);
}
