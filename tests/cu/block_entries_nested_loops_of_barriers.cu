// cdpcc: --entry=block
// A barrier in two nested loops with uniform bounds, and a divergent branch after it. All threads
// advance the outer counter together, after the branch, so the counter is uniform. The inner loop may
// have no iterations.
#include "show.h"
enum { MOST = 512, BLOCKS = 2 };

__global__ void marks(unsigned *k, int n, int m)
{
    unsigned i = blockIdx.x * MOST + threadIdx.x;
    for (int a = 0; a < n; a++) {
        for (int b = 0; b < m; b++) {
            __syncthreads();
            if (k[i] % 3 == 1) {
                k[i] += a * 5 + b;
            } else {
                k[i] ^= a + 1;
            }
        }
    }
}

/* The inner loop has a iterations in round a, none at first. The branch uses both counters. */
__global__ void triangle(unsigned *k, int n)
{
    __shared__ unsigned s[MOST];
    unsigned t = threadIdx.x, i = blockIdx.x * MOST + t, rounds = 0;
    s[t] = k[i];
    for (int a = 0; a < n; a++) {
        for (int b = 0; b < a; b++) {
            __syncthreads();
            if (s[t] > 40u + b) {
                s[t] -= 3 * a + b;
            }
            rounds++;
        }
    }
    k[i] = s[t] + 1000 * rounds;
}

/* Some threads define `last` again in the branch. All threads advance the counters. */
__global__ void mixed(unsigned *k, int n, int m)
{
    __shared__ unsigned s[MOST];
    unsigned t = threadIdx.x, i = blockIdx.x * MOST + t, last = 7;
    for (int a = 0; a < n; a++) {
        for (int b = 0; b < m - a; b++) {
            s[t] = k[i] + last;
            __syncthreads();
            if (k[i] & 1) {
                last = a * 16 + b;
            }
            k[i] = s[t ^ 1] / 2 + a;
            __syncthreads();
        }
    }
    k[i] += last;
}

/* In each round some threads leave a loop after the barrier earlier than others. */
__global__ void uneven(unsigned *k, int n, int m)
{
    unsigned i = blockIdx.x * MOST + threadIdx.x, sum = 0;
    for (int a = 0; a < n; a++) {
        for (int b = 0; b < m; b++) {
            __syncthreads();
            for (unsigned c = 0; c < (k[i] & 7); c++) {
                sum += c * a + b;
                if (sum % 11 == 3) {
                    break;
                }
            }
            k[i] += sum;
        }
    }
}

template <bool UP> __device__ void order(unsigned &a, unsigned &b)
{
    if ((a > b) == UP) {
        unsigned c = a;
        a = b;
        b = c;
    }
}
__global__ void bitonic(unsigned *k, unsigned length)
{
    __shared__ unsigned s[2 * MOST];
    unsigned t = threadIdx.x, half = length / 2, *own = k + blockIdx.x * length;
    s[t] = own[t];
    s[t + half] = own[t + half];
    for (unsigned size = 2; size < length; size <<= 1) {
        bool up = (t & size / 2) == 0;
        for (unsigned stride = size / 2; stride > 0; stride >>= 1) {
            __syncthreads();
            unsigned at = 2 * t - (t & (stride - 1));
            if (up) {
                order<true>(s[at], s[at + stride]);
            } else {
                order<false>(s[at], s[at + stride]);
            }
        }
    }
    for (unsigned stride = half; stride > 0; stride >>= 1) {
        __syncthreads();
        unsigned at = 2 * t - (t & (stride - 1));
        order<true>(s[at], s[at + stride]);
    }
    __syncthreads();
    own[t] = s[t];
    own[t + half] = s[t + half];
}

__managed__ unsigned k[BLOCKS * 2 * MOST];
static void fill()
{
    for (unsigned i = 0; i < BLOCKS * 2 * MOST; i++) {
        k[i] = i * 2654435761u >> 22;
    }
}
static int show(const char *name, unsigned threads)
{
    unsigned hash = 2166136261u;
    MUST(cudaDeviceSynchronize());
    for (unsigned number : k) {
        hash = (hash ^ number) * 16777619u;
    }
    printf("%s of %u: %08x\n", name, threads, hash);
    fill();
    return 0;
}
static int checkSorted(unsigned length)
{
    MUST(cudaDeviceSynchronize());
    for (unsigned i = 1; i < BLOCKS * length; i++) {
        if (i % length != 0 && k[i - 1] > k[i]) {
            printf("bitonic of %u: %u is above %u\n", length, i - 1, i);
            return 1;
        }
    }
    return show("bitonic", length);
}
int main()
{
    fill();
    const unsigned sizes[] = {2, 31, 32, 64, 100, 256, 512};
    for (unsigned threads : sizes) {
        for (int m = 0; m < 4; m += 3) {
            marks<<<BLOCKS, threads>>>(k, 4, m);
            show("marks", threads);
            mixed<<<BLOCKS, threads & ~1>>>(k, 3, m);
            show("mixed", threads);
            uneven<<<BLOCKS, threads>>>(k, 3, m);
            show("uneven", threads);
        }
        triangle<<<BLOCKS, threads>>>(k, 5);
        show("triangle", threads);
    }
    for (unsigned length = 2; length <= 2 * MOST; length *= 2) {
        bitonic<<<BLOCKS, length / 2>>>(k, length);
        checkSorted(length);
    }
}
