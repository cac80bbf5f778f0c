// The order of a grid's children, of what device code prints, and of tail launches.
#include "ask.h"
__device__ int place[8], next;
__global__ void mark(int which)
{
    place[which] = atomicAdd(&next, 1);
}
__global__ void parent()
{
    mark<<<1, 1, 0, cudaStreamTailLaunch>>>(5);
    mark<<<1, 1, 0, cudaStreamTailLaunch>>>(6);
    mark<<<1, 1>>>(0);
    mark<<<1, 1>>>(1);
    mark<<<1, 1>>>(2);
    mark<<<1, 1, 0, cudaStreamFireAndForget>>>(3);
    NUMBER("printf of nothing returns", printf("plain: text\n"));
    NUMBER("printf of three returns", printf("formatted: %d %s %.1f\n", 1, "two", 3.0));
}
int main()
{
    begin();
    parent<<<1, 1>>>();
    TELL("host synchronizes", cudaDeviceSynchronize());
    int p[8];
    cudaMemcpyFromSymbol(p, place, sizeof(p));
    NUMBER("one stream in order", p[0] < p[1] && p[1] < p[2]);
    NUMBER("tails last and in order",
           p[5] > p[0] && p[5] > p[1] && p[5] > p[2] && p[5] > p[3] && p[6] > p[5]);
}
