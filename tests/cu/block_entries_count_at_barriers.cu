// cdpcc: --entry=block -O2
// env: CDP_STATS=1 CDP_SEED=0
// block stderr: cdp: 72 blocks ran by block entries, 0 had an unsupported shape
// entries: it tests their code
// Barriers that count give the same result to all threads that reach them, also if some threads
// have ended, in loops, and beside another barrier.
#include <cstdio>

enum { MOST = 300 };

__device__ int hash_of(int x)
{
    return (int)((unsigned)x * 2654435761u >> 9);
}

__global__ void counts(int *out, int n)
{
    int t = (int)(threadIdx.y * blockDim.x + threadIdx.x), v = hash_of(t + n);
    int sum = __syncthreads_count(v % 3 == 0) * 1000;
    sum += __syncthreads_and(v >= 0) + 2 * __syncthreads_and(v % 5 != 0);
    sum += 4 * __syncthreads_or(v % 64 == n) + 8 * __syncthreads_or(v < 0);
    out[t] = sum;
}

// Until no thread has anything left; a thread that has more than n leaves early.
__global__ void rounds(int *out, int n)
{
    int t = (int)(threadIdx.y * blockDim.x + threadIdx.x), v = hash_of(t) % 23, turns = 0;
    int left = 1, last = 0;
    out[t] = -1;
    if (hash_of(t) % 11 == n) {
        return;
    }
    while (left != 0) {
        v -= v > 0 ? 1 + (t & 1) : 0;
        v = v < 0 ? 0 : v;
        last = left;
        left = __syncthreads_count(v > n);
        turns++;
    }
    out[t] = turns * 10000 + last * 10 + __syncthreads_and(v == 0);
}

__global__ void choices(int *out, int n)
{
    __shared__ int s[MOST];
    int t = (int)(threadIdx.y * blockDim.x + threadIdx.x), v = hash_of(t * 3), r = 0;
    s[t] = v;
    for (int i = 0; i < 4; i++) {
        if (i % 2 == n % 2) {
            r += __syncthreads_count(v & (1 << i));
        } else {
            __syncthreads();
            r += s[t / 2] % 7;
        }
        if (__syncthreads_or(r > 400)) {
            r -= 100;
        }
    }
    out[t] = r;
}

static void show(const char *name, void (*kernel)(int *, int), int argument)
{
    static int out[MOST];
    const dim3 sizes[] = {256, 100, 64, 33, 7, dim3(32, 3), dim3(16, 5), 128, 3};
    printf("%s %d:", name, argument);
    for (dim3 size : sizes) {
        for (int &x : out) {
            x = 0;
        }
        kernel<<<1, size>>>(out, argument);
        cudaDeviceSynchronize();
        unsigned hash = 1;
        for (int x : out) {
            hash = (hash ^ (unsigned)x) * 16777619u;
        }
        printf(" %08x", hash);
    }
    printf("\n");
}

int main()
{
    show("counts", counts, 0);
    show("counts", counts, 17);
    show("rounds", rounds, 0);
    show("rounds", rounds, 3);
    show("rounds", rounds, 12);
    show("choices", choices, 0);
    show("choices", choices, 1);
    show("choices", choices, 6);
    return 0;
}
