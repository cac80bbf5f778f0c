// cdpcc: --entry=block -O2
// env: CDP_STATS=1 CDP_SEED=0
// block stderr: cdp: 3 blocks ran by block entries, 0 had an unsupported shape
// entries: it tests their code
// Threads that take a lock must not wait in a vector for the one that has it, also if the loop is
// left on a condition that no thread changes. A loop that only counts may contain atomics with any
// results.
#include "show.h"

__global__ void lock_and_leave(int *lock, int last, int *count)
{
    for (;;) {
        if (atomicCAS(lock, 0, 1) == 0) {
            if (last > 5) {
                break;
            }
            atomicExch(lock, 0);
        }
    }
    *count += 1;
    atomicExch(lock, 0);
}

__global__ void take_first(int *taken, int *mine, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        if (atomicCAS(&taken[(threadIdx.x + i) % n], -1, (int)blockIdx.x) == -1) {
            sum += atomicAdd(&mine[blockIdx.x], 1) >= 0;
        }
    }
    atomicAdd(&mine[gridDim.x], sum);
}

int main()
{
    int *words;
    MUST(cudaMallocManaged(&words, 70 * sizeof(int)));
    for (int i = 0; i < 70; i++) {
        words[i] = 0;
    }
    lock_and_leave<<<2, 64>>>(words, 6, words + 1);
    MUST(cudaDeviceSynchronize());
    printf("locked by %d threads\n", words[1]);
    for (int i = 0; i < 64; i++) {
        words[i] = -1;
    }
    take_first<<<3, 64>>>(words, words + 64, 64);
    MUST(cudaDeviceSynchronize());
    printf("taken: %d, one after the other %d\n", words[67], words[64] + words[65] + words[66]);
    MUST(cudaFree(words));
}
