// The headers that are included automatically omit them from <cmath>, until the program includes it.
#include "show.h"
#include <cmath>
#include <cstdio>
__global__ void power(double *x)
{
    *x = std::pow(std::abs(*x), 3.0);
}
int main()
{
    double *x;
    MUST(cudaMallocManaged(&x, sizeof *x));
    *x = -std::legendre(2, 3.0);
    power<<<1, 1>>>(x);
    MUST(cudaDeviceSynchronize());
    std::printf("%g %g %g %d\n", *x, std::beta(2.0, 3.0), std::riemann_zeta(2.0), std::min(3, 4));
}
