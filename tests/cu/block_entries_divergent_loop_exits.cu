// cdpcc: --entry=block -march=native -O2
// entries: it tests their code
// Live-out values of loops that lanes leave at different times: by the only exit, by one of
// several, past an exit that they reached before; and sums of 128 threads at a time that end in
// code that runs lane by lane.
#include "show.h"

enum { THREADS = 256, BLOCKS = 3, COUNT = THREADS * BLOCKS };

__host__ __device__ static int collatz(unsigned long long value)
{
    int steps = 0;
    while (value != 1) {
        value = value & 1 ? 3 * value + 1 : value >> 1;
        ++steps;
    }
    return steps;
}

/* Reaches the first exit in every iteration, and leaves by it or by the second. */
__host__ __device__ static unsigned two_ways(unsigned seed, unsigned limit)
{
    unsigned a = seed, b = 0, turn = 0;
    for (;;) {
        a = a * 1664525u + 1013904223u;
        if ((a >> 28) == 3) {
            return a ^ turn;
        }
        b += a >> 7;
        if (++turn > limit + (seed & 7)) {
            return b - turn;
        }
    }
}

/* The inner loop's lanes leave the outer one, too. */
__host__ __device__ static unsigned nested(unsigned seed)
{
    unsigned state = seed, last = 0;
    for (unsigned i = 0; i < 9; i++) {
        for (unsigned j = 0; j < (state & 15); j++) {
            state = state * 22695477u + 1;
            last = state >> 16;
            if ((last & 63) == 17) {
                return last + i * 100 + j;
            }
        }
        if ((state & 0xff00) == 0x4200) {
            break;
        }
        state += last ^ i;
    }
    return state ^ last;
}

__global__ void leave(int *steps, unsigned *ways, unsigned *deep, unsigned limit)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % 97 == 5) {
        return;
    }
    steps[i] = collatz(i + 1);
    ways[i] = two_ways(i * 7919u, limit);
    deep[i] = nested(i * 2654435761u);
}

__global__ void sums(const float *in, int width, float *out, unsigned *tally)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < width; k++) {
        sum += in[k] * in[k * 3 % width + i % 5];
    }
    out[i] = sum;
    if ((i & 3) != 1) {
        atomicAdd(&tally[(int)sum & 15], 1u + i);
    }
}

static int check_leaving(unsigned limit)
{
    static int steps[COUNT];
    static unsigned ways[COUNT], deep[COUNT];
    int *theirs;
    unsigned *others, wrong = 0;
    MUST(cudaMalloc(&theirs, sizeof steps));
    MUST(cudaMalloc(&others, 2 * sizeof ways));
    leave<<<BLOCKS, THREADS>>>(theirs, others, others + COUNT, limit);
    MUST(cudaMemcpy(steps, theirs, sizeof steps, cudaMemcpyDeviceToHost));
    MUST(cudaMemcpy(ways, others, sizeof ways, cudaMemcpyDeviceToHost));
    MUST(cudaMemcpy(deep, others + COUNT, sizeof deep, cudaMemcpyDeviceToHost));
    for (int i = 0; i < COUNT; i++) {
        wrong +=
            i % 97 != 5 && (steps[i] != collatz(i + 1) || ways[i] != two_ways(i * 7919u, limit) ||
                            deep[i] != nested(i * 2654435761u));
    }
    MUST(cudaFree(theirs));
    MUST(cudaFree(others));
    return wrong;
}

static int check_sums()
{
    enum { WIDTH = 40 };
    static float in[WIDTH + 8], out[COUNT];
    float *from, *to;
    unsigned tally[16] = {0}, *counters, wrong = 0;
    for (int i = 0; i < WIDTH + 8; i++) {
        in[i] = (float)(i % 11) / 4;
    }
    MUST(cudaMalloc(&from, sizeof in));
    MUST(cudaMalloc(&to, sizeof out));
    MUST(cudaMalloc(&counters, sizeof tally));
    MUST(cudaMemset(counters, 0, sizeof tally));
    MUST(cudaMemcpy(from, in, sizeof in, cudaMemcpyHostToDevice));
    sums<<<BLOCKS, THREADS>>>(from, WIDTH, to, counters);
    MUST(cudaMemcpy(out, to, sizeof out, cudaMemcpyDeviceToHost));
    MUST(cudaMemcpy(tally, counters, sizeof tally, cudaMemcpyDeviceToHost));
    for (int i = 0; i < COUNT; i++) {
        float sum = 0;
        for (int k = 0; k < WIDTH; k++) {
            sum += in[k] * in[k * 3 % WIDTH + i % 5];
        }
        wrong += sum != out[i];
        tally[(int)sum & 15] -= (i & 3) != 1 ? 1u + i : 0;
    }
    for (unsigned left : tally) {
        wrong += left != 0;
    }
    return wrong;
}

int main()
{
    printf("wrong lanes: %d %d\n", check_leaving(20), check_leaving(0));
    printf("wrong sums: %d\n", check_sums());
    return 0;
}
