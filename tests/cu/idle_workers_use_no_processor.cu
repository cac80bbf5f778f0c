#include "show.h"
#include <ctime>
#include <unistd.h>
// Workers without work poll for some microseconds, then sleep.
__global__ void count(int *value)
{
    atomicAdd(value, 1);
}
static double processorMs()
{
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return double(t.tv_sec) * 1e3 + double(t.tv_nsec) * 1e-6;
}
int main()
{
    int *value, result = 0;
    MUST(cudaMalloc(&value, sizeof(int)));
    MUST(cudaMemset(value, 0, sizeof(int)));
    for (int i = 0; i < 100; i++) {
        count<<<16, 32>>>(value);
    }
    MUST(cudaMemcpy(&result, value, sizeof(int), cudaMemcpyDeviceToHost));
    // On a busy machine they fall asleep late.
    double used = 1000;
    for (int i = 0; i < 50 && used >= 5; i++) {
        double before = processorMs();
        usleep(200000);
        used = processorMs() - before;
    }
    printf("%d, %s\n", result, used < 5 ? "idle" : "busy");
}
