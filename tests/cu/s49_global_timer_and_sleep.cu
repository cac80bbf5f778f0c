// %globaltimer counts nanoseconds and never runs backwards; time passes during __nanosleep.
#include "show.h"
__device__ long long timer() {
    long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}
__global__ void kernel(int *backwards) {
    long long last = timer(), first = last;
    for (int i = 0; i < 100; i++) {
        __nanosleep(100);
        long long now = timer();
        atomicAdd(backwards, now < last);
        last = now;
    }
    atomicAdd(backwards + 1, last - first <= 0);
}
int main() {
    int *backwards;
    MUST(cudaMallocManaged(&backwards, 2 * sizeof(int)));
    backwards[0] = backwards[1] = 0;
    kernel<<<4, 32>>>(backwards);
    MUST(cudaDeviceSynchronize());
    printf("%d %d\n", backwards[0], backwards[1]);
}
