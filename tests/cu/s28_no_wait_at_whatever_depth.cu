// A wait fails at level 65,536 and beyond, as at level 2.
#include "show.h"
__device__ int answers;
__global__ void deep(int left)
{
    if (left <= 1) {
        answers += cudaDeviceSynchronize();
    }
    if (left > 0) {
        deep<<<1, 1>>>(left - 1);
    }
}
int main()
{
    int result;
    for (int depth = 65535; depth <= 65537; depth++) {
        deep<<<1, 1>>>(depth);
        MUST(cudaDeviceSynchronize());
        MUST(cudaMemcpyFromSymbol(&result, answers, sizeof result));
        printf("%d\n", result);
    }
}
