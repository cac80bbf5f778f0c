// cdpcc: -Wno-cdp-generation
// A tail that launches a tail is complete when that tail replaces it: order and memory show it.
// races: none, but what ThreadSanitizer remembers of each launch counts too
#include "show.h"
#include <sys/resource.h>
__device__ int order[16], count;
__global__ void note(int number)
{
    order[count++] = number;
    if (number < 100) {
        note<<<1, 1, 0, cudaStreamTailLaunch>>>(10 * number + 1);
        note<<<1, 1, 0, cudaStreamTailLaunch>>>(10 * number + 2);
    }
}
__global__ void iterate(int left, int *rounds)
{
    ++*rounds;
    if (left > 0) {
        iterate<<<1, 1, 0, cudaStreamTailLaunch>>>(left - 1, rounds);
    }
}
// The launching block, and the next grid in its stream, wait for its child's whole chain.
__global__ void parent(int *rounds)
{
    iterate<<<1, 1>>>(1000, rounds);
    iterate<<<1, 1>>>(1000, rounds);
    cudaDeviceSynchronize();
    printf("rounds seen by the parent: %d\n", *rounds);
}
static long peak()
{
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}
int main()
{
    int numbers[16], total, *rounds;
    note<<<1, 1>>>(1);
    MUST(cudaDeviceSynchronize());
    MUST(cudaMemcpyFromSymbol(numbers, order, sizeof numbers));
    MUST(cudaMemcpyFromSymbol(&total, count, sizeof total));
    for (int i = 0; i < total; i++) {
        printf("%d ", numbers[i]);
    }
    printf("\n");
    MUST(cudaMallocManaged(&rounds, sizeof *rounds));
    *rounds = 0;
    parent<<<1, 1>>>(rounds);
    MUST(cudaDeviceSynchronize());
    long before = peak();
    iterate<<<1, 1>>>(300000, rounds);
    MUST(cudaDeviceSynchronize());
    long grown = peak() - before;
    printf("%d rounds, memory %s\n", *rounds, grown < 8192 ? "as before" : "grew");
}
