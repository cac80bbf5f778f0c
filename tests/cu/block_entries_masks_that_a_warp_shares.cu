// cdpcc: --entry=block -O2
// Masks that are known at run time only: a parameter, the threads of a block that is smaller than a warp, and votes of
// the lanes that took a branch. All lanes that they name are there.
#include <cstdio>

__device__ int sum(unsigned mask, int value, int count)
{
    for (int delta = 16; delta > 0; delta /= 2) {
        int lane = threadIdx.x % 32, other = __shfl_down_sync(mask, value, delta);
        value += lane + delta < count ? other : 0;
    }
    return value;
}

__global__ void parameter(int *out, const int *in, unsigned mask)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, value = in[i];
    int total = sum(mask, value, 32);
    unsigned large = __ballot_sync(mask, value > 500);
    out[i] = total + __popc(large) * 100000 + (__all_sync(mask, value > 10) ? 7 : 0) +
             __reduce_max_sync(mask, value) * 3;
}

__global__ void small(int *out, const int *in)
{
    unsigned mask = 0xffffffffu >> (32 - blockDim.x);
    int i = blockIdx.x * blockDim.x + threadIdx.x, total = sum(mask, in[i], blockDim.x);
    out[i] = __shfl_sync(mask, total, 0) + (__any_sync(mask, in[i] > 900) ? 1000000 : 0);
}

// The mask names the lanes that are active; what they vote on is the same for all.
__global__ void active(int *out, const int *in, int limit)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, value = in[i], result = -1;
    for (int round = 0; round < 3; round++) {
        if (in[i + round] > limit) {
            unsigned mask = __ballot_sync(__activemask(), in[i + round] > limit);
            int leader = __ffs(mask) - 1;
            result = __shfl_sync(mask, value + round, leader) * 64 + __popc(mask);
        }
        __syncwarp();
        value += result;
    }
    out[i] = result;
}

static int in[1100], out[1024];

static void show(const char *name)
{
    unsigned hash = 0;
    int error = cudaDeviceSynchronize();
    for (int i = 0; i < 1024; i++) {
        hash = hash * 31 + out[i];
        out[i] = 0;
    }
    printf("%s: %d %08x\n", name, error, hash);
}

int main()
{
    for (int i = 0; i < 1100; i++) {
        in[i] = (i * 2654435761u >> 12) % 1000;
    }
    parameter<<<8, 128>>>(out, in, ~0u);
    show("parameter");
    for (int threads : {5, 16, 31, 32}) {
        small<<<9, threads>>>(out, in);
        show("small");
    }
    for (int limit : {0, 100, 500, 900, 1000}) {
        active<<<6, 160>>>(out, in, limit);
        show("active");
    }
}
