// The table that an H200 printed, and cases that it did not show.
#include "show.h"
__device__ int gvar, big[1000];
__constant__ int cvar;
__managed__ int mvar;
__global__ void spaces(int *g, int *host_ptr)
{
    __shared__ int s;
    extern __shared__ int dynamic[];
    int l = 0;
    int *lp = &l;
    printf("isGlobal g=%d gvar=%d big=%d mapped=%d managed=%d s=%d l=%d c=%d null=%d\n",
           (int)__isGlobal(g), (int)__isGlobal(&gvar), (int)__isGlobal(big),
           (int)__isGlobal(host_ptr), (int)__isGlobal(&mvar), (int)__isGlobal(&s),
           (int)__isGlobal(lp), (int)__isGlobal(&cvar), (int)__isGlobal((void *)0));
    printf("isShared g=%d s=%d l=%d c=%d\n", (int)__isShared(g), (int)__isShared(&s),
           (int)__isShared(lp), (int)__isShared(&cvar));
    printf("isLocal g=%d s=%d l=%d c=%d\n", (int)__isLocal(g), (int)__isLocal(&s),
           (int)__isLocal(lp), (int)__isLocal(&cvar));
    printf("isConstant g=%d s=%d l=%d c=%d\n", (int)__isConstant(g), (int)__isConstant(&s),
           (int)__isConstant(lp), (int)__isConstant(&cvar));
    int *h = (int *)malloc(64);
    printf("isGlobal heap=%d\n", (int)__isGlobal(h));
    free(h);
    printf("dynamic: isShared=%d isGlobal=%d\n", (int)__isShared(dynamic + 3),
           (int)__isGlobal(dynamic));
    printf("null: isShared=%d isLocal=%d isConstant=%d\n", (int)__isShared(nullptr),
           (int)__isLocal(nullptr), (int)__isConstant(nullptr));
    printf("isGridConstant g=%d s=%d l=%d\n", (int)__isGridConstant(g), (int)__isGridConstant(&s),
           (int)__isGridConstant(lp));
    printf("code: isShared=%d isLocal=%d\n", (int)__isShared((void *)spaces),
           (int)__isLocal((void *)spaces));
}
// A child classifies its parent's shared and local memory correctly.
__global__ void child(unsigned long shared, unsigned long local)
{
    printf("of the parent: isShared=%d isLocal=%d\n", (int)__isShared((void *)shared),
           (int)__isLocal((void *)local));
}
__global__ void parent()
{
    __shared__ int s;
    int l = 0;
    child<<<1, 1>>>((unsigned long)&s, (unsigned long)&l);
}
int main()
{
    int *g, *host;
    MUST(cudaMalloc(&g, 64));
    MUST(cudaHostAlloc(&host, 64, cudaHostAllocMapped));
    spaces<<<1, 1, 64>>>(g, host);
    SHOW(cudaDeviceSynchronize());
    parent<<<1, 1>>>();
    SHOW(cudaDeviceSynchronize());
}
