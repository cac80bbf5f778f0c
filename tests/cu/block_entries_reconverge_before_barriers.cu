// cdpcc: --entry=block
// Threads that diverge and reconverge before the block chooses its next barrier: trees whose loops
// begin with a barrier, and whose next step is known before it.
#include "show.h"
enum { MOST = 256, BLOCKS = 2 };

__global__ void upAndDown(const unsigned *in, unsigned *out, unsigned n)
{
    __shared__ unsigned s[2 * MOST];
    unsigned t = threadIdx.x, apart = 1, first = blockIdx.x * 2 * MOST;
    s[2 * t] = in[first + 2 * t];
    s[2 * t + 1] = in[first + 2 * t + 1];
    for (unsigned d = n; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) {
            s[apart * (2 * t + 2) - 1] += s[apart * (2 * t + 1) - 1];
        }
        apart *= 2;
    }
    if (t == 0) {
        s[2 * n - 1] = 0;
    }
    for (unsigned d = 1; d < 2 * n; d *= 2) {
        apart >>= 1;
        __syncthreads();
        if (t < d) {
            unsigned a = apart * (2 * t + 1) - 1, b = apart * (2 * t + 2) - 1, kept = s[a];
            s[a] = s[b];
            s[b] += kept;
        }
    }
    __syncthreads();
    out[first + 2 * t] = s[2 * t];
    out[first + 2 * t + 1] = s[2 * t + 1];
}

template <bool SPREAD> __global__ void tree(const unsigned *in, unsigned *out)
{
    __shared__ unsigned s[MOST];
    unsigned t = threadIdx.x, i = blockIdx.x * MOST + t;
    s[t] = in[i];
    __syncthreads();
    for (unsigned h = 1; h < blockDim.x; h *= 2) {
        unsigned at = SPREAD ? 2 * h * t : t;
        if (SPREAD ? at + h < blockDim.x : t % (2 * h) == 0 && t + h < blockDim.x) {
            s[at] += s[at + h];
        }
        __syncthreads();
    }
    out[i] = s[t];
}

/* One of two barriers; some threads have ended before. */
template <bool LEAVES>
__global__ void choose(const unsigned *in, unsigned *out, unsigned pattern, unsigned gone)
{
    __shared__ unsigned s[MOST];
    unsigned t = threadIdx.x, i = blockIdx.x * MOST + t, sum = 0;
    s[t] = in[i];
    if (LEAVES && t >= gone) {
        out[i] = 77;
        return;
    }
    for (unsigned k = 0; k < 9; k++) {
        unsigned last = k;
        if (t % 3 == k % 3) {
            sum += in[i] >> k;
            if (t % 2 == 0) {
                sum ^= last;
            }
        }
        if (pattern >> k & 1) {
            __syncthreads();
            s[t] += sum;
        } else {
            __syncthreads();
            s[t] ^= sum;
        }
    }
    out[i] = s[t] + sum;
}

static unsigned in[BLOCKS * 2 * MOST], out[BLOCKS * 2 * MOST];
static int show(const char *name, unsigned threads)
{
    unsigned hash = 2166136261u;
    MUST(cudaDeviceSynchronize());
    for (unsigned &number : out) {
        hash = (hash ^ number) * 16777619u;
        number = 0;
    }
    printf("%s of %u: %08x\n", name, threads, hash);
    return 0;
}
int main()
{
    for (unsigned i = 0; i < sizeof in / sizeof *in; i++) {
        in[i] = i * 2654435761u >> 9;
    }
    upAndDown<<<BLOCKS, MOST>>>(in, out, MOST);
    show("up and down", MOST);
    tree<false><<<BLOCKS, MOST>>>(in, out);
    show("tree", MOST);
    tree<true><<<BLOCKS, MOST>>>(in, out);
    show("spread tree", MOST);
    const unsigned sizes[] = {8, 32, 33, 64, 100, 128, 256};
    for (unsigned threads : sizes) {
        unsigned n = 1;
        while (2 * n <= threads) {
            n *= 2;
        }
        upAndDown<<<BLOCKS, n>>>(in, out, n);
        show("up and down", n);
        tree<false><<<BLOCKS, threads>>>(in, out);
        show("tree", threads);
        tree<true><<<BLOCKS, threads>>>(in, out);
        show("spread tree", threads);
        for (unsigned gone = 5; gone <= threads; gone += 41) {
            choose<true><<<BLOCKS, threads>>>(in, out, 0x135, gone);
            show("choose", threads);
        }
        choose<false><<<BLOCKS, threads>>>(in, out, 0x2c9, MOST);
        show("choose", threads);
    }
}
