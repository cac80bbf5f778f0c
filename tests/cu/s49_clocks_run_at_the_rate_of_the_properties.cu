// clock64() and clock() have the rate in clockRate, in every run; a disturbed measurement is repeated.
#include "show.h"
#include <cmath>
struct Moment {
    long long wide, narrow;
    unsigned long long ns;
};
__device__ Moment now()
{
    unsigned long long ns;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(ns));
    return Moment{clock64(), clock(), ns};
}
__global__ void measure(Moment *moments)
{
    moments[0] = now();
    do {
        moments[1] = now();
    } while (moments[1].ns - moments[0].ns < 5000000);
}
int main()
{
    cudaDeviceProp prop;
    Moment *m;
    int attribute, wide = 0, narrow = 0;
    MUST(cudaGetDeviceProperties(&prop, 0));
    MUST(cudaDeviceGetAttribute(&attribute, cudaDevAttrClockRate, 0));
    printf("%d %d\n", prop.clockRate, attribute);
    MUST(cudaMallocManaged(&m, 2 * sizeof *m));
    for (int i = 0; i < 100 && (!wide || !narrow); i++) {
        measure<<<1, 1>>>(m);
        MUST(cudaDeviceSynchronize());
        double expected = (m[1].ns - m[0].ns) * (prop.clockRate / 1e6);
        wide |= std::fabs((m[1].wide - m[0].wide) / expected - 1) < 0.01;
        narrow |= std::fabs((m[1].narrow - m[0].narrow) / expected - 1) < 0.01;
    }
    printf("%d %d\n", wide, narrow);
}
