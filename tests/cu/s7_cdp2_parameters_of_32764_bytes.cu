// cdpcc: --cdp=2
#include "show.h"
struct Large {
    int values[8191];
};
__global__ void child(Large large)
{
    long long sum = 0;
    for (int value : large.values) {
        sum += value;
    }
    printf("%lld\n", sum);
}
__global__ void parent(Large large)
{
    large.values[0] += 1;
    child<<<1, 1>>>(large);
}
int main()
{
    static Large large;
    for (int i = 0; i < 8191; i++) {
        large.values[i] = i;
    }
    parent<<<1, 1>>>(large);
    MUST(cudaDeviceSynchronize());
}
