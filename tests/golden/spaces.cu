// Which kinds of memory __isGlobal and the like recognize.
#include "ask.h"
__device__ int variable;
__constant__ int constant;
__managed__ int managedVariable;
__device__ int big[1 << 20];
#define KINDS(name, p)                                                                             \
    printf("%s: global %d shared %d local %d constant %d\n", name, (int)__isGlobal(p),             \
           (int)__isShared(p), (int)__isLocal(p), (int)__isConstant(p))
struct Numbers {
    int at[16];
};
__global__ void parameters(const __grid_constant__ Numbers one, Numbers own)
{
    const int *p = &one.at[threadIdx.x];
    int *volatile q = &own.at[threadIdx.x];
    KINDS("grid constant", p);
    NUMBER("grid constant is one", __isGridConstant(p));
    KINDS("parameter", q);
    NUMBER("parameter is a grid constant", __isGridConstant(q));
}
__global__ void kernel(int *allocated, int *mapped)
{
    __shared__ int shared;
    int local = 3;
    int *volatile hidden = &local;
    KINDS("cudaMalloc", allocated);
    KINDS("variable", &variable);
    KINDS("big array", big + 5);
    KINDS("mapped", mapped);
    KINDS("managed", &managedVariable);
    KINDS("shared", &shared);
    KINDS("local", hidden);
    KINDS("constant", &constant);
    printf("NULL is global: %d\n", (int)__isGlobal((void *)0));
    int *heap = (int *)malloc(64);
    KINDS("device heap", heap);
    free(heap);
    shared = local;
}
int main()
{
    begin();
    int *allocated, *mapped;
    cudaMalloc(&allocated, 64);
    cudaMallocHost(&mapped, 64);
    kernel<<<1, 1>>>(allocated, mapped);
    parameters<<<1, 1>>>(Numbers(), Numbers());
    TELL("host synchronizes", cudaDeviceSynchronize());
}
