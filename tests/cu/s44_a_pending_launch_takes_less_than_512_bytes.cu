// races: none, but what ThreadSanitizer remembers of each launch counts too
// With one worker all launches of a thread are pending together: measures the growth.
// workers: 1
#include "show.h"
#include <sys/resource.h>
#define LAUNCHES 200000
struct Params {
    int values[14];
    int *sum;
};
// A volatile access: a child that never waits might run inside its parent, and would not be pending.
__global__ void child(Params params) { *(volatile int *)params.sum += params.values[13]; }
__global__ void parent(int count, int *sum) {
    Params params = {};
    params.values[13] = 1;
    params.sum = sum;
    for (int i = 0; i < count; i++) {
        child<<<1, 1>>>(params);
    }
}
static long peak() {
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}
int main() {
    int *sum;
    MUST(cudaMallocManaged(&sum, sizeof(int)));
    *sum = 0;
    parent<<<1, 1>>>(100, sum);
    MUST(cudaDeviceSynchronize());
    long before = peak();
    parent<<<1, 1>>>(LAUNCHES, sum);
    MUST(cudaDeviceSynchronize());
    double bytes = (peak() - before) * 1024.0 / LAUNCHES;
    if (bytes > 512 + sizeof(Params) || bytes < sizeof(Params)) {
        printf("%g bytes\n", bytes);
    }
    printf("%d\n", *sum);
}
