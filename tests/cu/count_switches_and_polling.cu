// cdpcc: --count
// optimized: the optimizer makes a table of the switch
// plain: sanitizers add branches
// workers: 1 2
// stderr: ^ +4 +32\.00 +branch +2 +0 +0 .* choose$
// stderr: ^ +1 +128 +100\.0% +[0-9]+ +[0-9.]+ +50\.0%  choose$
// stderr: ^ +3 +192 +100\.0% +[0-9]+ +32\.00 +.* +whole$
// stderr: ^ +1 +2 .* pair$
// A switch diverges in the two warps whose lanes take several sides. A kernel's launches and threads
// are counted. Blocks that poll for other blocks give way to them, although they count.
#include <cstdio>

__device__ __noinline__ int slow(int x) { return x * x + 7; }

/* Warps 0 and 2 take one side each, 1 and 3 several. */
__global__ void choose(int *out, const int *in)
{
    int i = threadIdx.x;
    switch (in[i]) {
    case 0:
        out[i] = slow(i);
        break;
    case 1:
        out[i * 2] = 5;
        break;
    case 2:
        atomicAdd(out, i);
        break;
    case 7:
        out[i + 9] = slow(in[i]);
        break;
    }
}

__global__ void whole(float *out) { out[threadIdx.x] *= 2; }

/* Block 0 waits for block 1. */
__global__ void pair(volatile int *flag)
{
    if (blockIdx.x == 0) {
        while (*flag == 0) {
        }
    } else {
        *flag = 1;
    }
}

int main()
{
    int *in, *out;
    cudaMallocManaged(&in, 128 * sizeof *in);
    cudaMalloc(&out, 1 << 16);
    for (int i = 0; i < 128; i++) {
        in[i] = i / 32 == 0 ? 1 : i / 32 == 2 ? 7 : i % 3;
    }
    choose<<<1, 128>>>(out, in);
    for (int i = 0; i < 3; i++) {
        whole<<<1, 64>>>((float *)out);
    }
    cudaMemset(out, 0, sizeof *out);
    pair<<<2, 1>>>(out);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
