// Converts an address within a space to a generic pointer and back.
#include "show.h"
__device__ int gvar = 1;
__constant__ int cvar = 2;
__global__ void convert()
{
    __shared__ int s;
    int l = 4;
    s = 3;
    int *volatile lp = &l;
    size_t global = __cvta_generic_to_global(&gvar), shared = __cvta_generic_to_shared(&s);
    size_t local = __cvta_generic_to_local(lp), constant = __cvta_generic_to_constant(&cvar);
    printf("%d %d %d %d\n", __cvta_global_to_generic(global) == &gvar,
           __cvta_shared_to_generic(shared) == &s, __cvta_local_to_generic(local) == lp,
           __cvta_constant_to_generic(constant) == &cvar);
    printf("%d %d %d %d\n", *(int *)__cvta_global_to_generic(global),
           *(int *)__cvta_constant_to_generic(constant), *(int *)__cvta_shared_to_generic(shared),
           *(int *)__cvta_local_to_generic(local));
}
int main()
{
    convert<<<1, 1>>>();
    SHOW(cudaDeviceSynchronize());
}
