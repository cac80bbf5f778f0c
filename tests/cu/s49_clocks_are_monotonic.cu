#include "show.h"
__global__ void kernel() {
    long long start = clock64();
    clock_t before = clock();
    __nanosleep(1000);
    long long last = start;
    int backwards = 0;
    for (int i = 0; i < 1000; i++) {
        long long now = clock64();
        backwards += now < last;
        last = now;
        clock_t then = clock();
        backwards += clock() < then;
    }
    printf("%d %d %d\n", backwards, last > start, clock() > before);
}
int main() {
    kernel<<<1, 1>>>();
    MUST(cudaDeviceSynchronize());
}
