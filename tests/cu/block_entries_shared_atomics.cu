// cdpcc: --entry=block -O2
// Atomic operations on shared memory, of full and of partial vectors, at equal and at different
// addresses, with and without use of their results.
#include <stdio.h>
enum { BLOCK = 80, BINS = 7 };
struct sums {
    int add[BINS], sub, high, low, tickets, wins, last, bits, ones, flips, taken[BLOCK];
    unsigned most, least;
    float real;
    double wide;
    unsigned long long far;
};
__global__ void count(struct sums *out, int limit)
{
    extern __shared__ int bins[];
    __shared__ struct sums s;
    int tid = threadIdx.x;
    for (int i = tid; i < (int)(sizeof s / sizeof(int)); i += BLOCK) {
        ((int *)&s)[i] = 0;
    }
    bins[tid] = 0;
    __syncthreads();
    if (tid == 0) {
        s.low = s.bits = -1;
        s.least = 0xffffffffu;
    }
    __syncthreads();
    atomicAdd(&s.far, 1ull << 33);
    atomicAdd(&s.real, 0.5f);
    atomicXor(&s.flips, tid);
    atomicAdd(&bins[tid % BINS], 1);
    int all = atomicAdd(&s.tickets, 1);
    atomicAdd(&s.taken[all], 1);
    if (tid < limit) {
        atomicAdd(&s.add[tid % BINS], tid);
        atomicSub(&s.sub, 2);
        atomicMax(&s.high, tid);
        atomicMin(&s.low, -tid);
        atomicMax(&s.most, 0x80000000u + tid);
        atomicMin(&s.least, 0x90000000u + tid);
        atomicAnd(&s.bits, ~(1 << (tid % 9)));
        atomicOr(&s.ones, 1 << (tid % 9));
        atomicAdd(&s.wide, 0.25);
        if (atomicCAS(&s.wins, 0, 1) == 0) {
            atomicAdd(&s.add[0], 1000);
        }
        if (atomicExch(&s.last, 1) == 0) {
            atomicAdd(&s.add[1], 1000);
        }
    }
    __syncthreads();
    if (tid < BINS) {
        s.add[tid] += 100000 * bins[tid];
    }
    __syncthreads();
    if (tid == 0) {
        out[blockIdx.x] = s;
    }
}
int main(void)
{
    static struct sums out[2];
    for (int limit = 0; limit <= BLOCK; limit += 16) {
        count<<<2, BLOCK, BLOCK * sizeof(int)>>>(out, limit);
        cudaDeviceSynchronize();
        int once = 0;
        for (int i = 0; i < BLOCK; i++) {
            once += out[1].taken[i] == 1;
        }
        printf("%d:", limit);
        for (int i = 0; i < BINS; i++) {
            printf(" %d", out[0].add[i]);
        }
        printf(" | %d %d %d %u %u %x %x %x %d %d %d %d %g %g %llx\n", out[1].sub, out[1].high,
               out[1].low, out[1].most, out[1].least, out[1].bits, out[1].ones, out[1].flips,
               out[1].tickets, once, out[1].wins, out[1].last, out[1].real, out[1].wide,
               out[1].far);
    }
    return 0;
}
