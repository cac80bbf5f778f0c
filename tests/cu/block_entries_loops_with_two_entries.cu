// cdpcc: -O2 --entry=block
// env: CDP_STATS=1 CDP_SEED=0
// block stderr: 0 had an unsupported shape
// entries: it tests their code
// Loops with two entries, both taken by threads of one vector.
#include <cstdio>

__host__ __device__ void jump(unsigned x, unsigned n, unsigned *out)
{
    unsigned i = x % 11;
    *out = x;
    if (i & 1) {
        goto middle;
    }
begin:
    *out += *out >> 1;
    ++i;
middle:
    *out ^= i;
    i += 3;
    if (i < n + x % 7) {
        goto begin;
    }
}

__global__ void each(unsigned *out, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    jump(i, n, out + i);
}

// All threads take the same path, around a barrier.
__global__ void together(unsigned *out, unsigned n, unsigned start)
{
    __shared__ unsigned parts[64];
    unsigned t = threadIdx.x, i = start;
    parts[t] = t;
    __syncthreads();
    if (start & 1) {
        goto middle;
    }
begin:
    parts[t] += parts[t] >> 1;
    ++i;
middle:
    parts[t] ^= i;
    i += 3;
    if (i < n) {
        goto begin;
    }
    __syncthreads();
    out[t] = parts[t ^ 1];
}

int main()
{
    unsigned *out, wrong = 0;
    cudaMallocManaged(&out, 64 * 1000 * sizeof *out);
    for (unsigned n = 0; n < 40; n += 13) {
        each<<<1000, 64>>>(out, n);
        cudaDeviceSynchronize();
        for (unsigned i = 0; i < 64 * 1000; i++) {
            unsigned other = 0;
            jump(i, n, &other);
            wrong += out[i] != other;
        }
    }
    for (unsigned start = 0; start < 4; start++) {
        together<<<1, 64>>>(out, 20, start);
        cudaDeviceSynchronize();
        for (unsigned t = 0; t < 64; t++) {
            unsigned part = t ^ 1, i = start;
            for (bool skips = start & 1;; skips = false) {
                if (!skips) {
                    part += part >> 1;
                    ++i;
                }
                part ^= i;
                i += 3;
                if (i >= 20) {
                    break;
                }
            }
            wrong += out[t] != part;
        }
    }
    printf("%u wrong\n", wrong);
    return 0;
}
