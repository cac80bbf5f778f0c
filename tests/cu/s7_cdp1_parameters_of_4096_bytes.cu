// cdpcc: --cdp=1
#include "show.h"
struct Large {
    int values[1024];
};
__global__ void child(Large large)
{
    printf("%d %d\n", large.values[0], large.values[1023]);
}
__global__ void parent(Large large)
{
    large.values[0] += 1;
    child<<<1, 1>>>(large);
}
int main()
{
    Large large;
    for (int i = 0; i < 1024; i++) {
        large.values[i] = i;
    }
    parent<<<1, 1>>>(large);
    MUST(cudaDeviceSynchronize());
}
