// With one worker, 40 launches of a busy block are pending at the same time, and the first of them
// waits for the millisecond that the block runs. Not with a seed, whose clocks count steps.
// env: CDP_STATS=1 CDP_SEED=0
// workers: 1
// stderr: ^cdp: 40 launches by device code; latency [1-9][0-9]{3,}\.[0-9]{3} us on average, [1-9][0-9]{3,}\.[0-9]{3} us at most; at most 40 pending; depth 1$
#include "show.h"
__global__ void child() {}
__global__ void parent() {
    for (int i = 0; i < 40; i++) {
        child<<<1, 1>>>();
    }
    long long start, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(start));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    } while (now - start < 1000000);
}
int main() {
    parent<<<1, 1>>>();
    MUST(cudaDeviceSynchronize());
}
