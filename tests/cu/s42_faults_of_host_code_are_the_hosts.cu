// A fault of host code goes to the program's handler, also while device code runs and after it has
// faulted.
// stderr: cudaErrorIllegalAddress
#include "show.h"

#include <csetjmp>
#include <csignal>

static sigjmp_buf place;
static volatile sig_atomic_t caught;

static void handle(int)
{
    caught++;
    siglongjmp(place, 1);
}

__global__ void store(int *p)
{
    *p = 1;
}

static void faultHere()
{
    if (sigsetjmp(place, 1) == 0) {
        *(volatile int *)0x10 = 1;
    }
    printf("caught %d\n", (int)caught);
}

int main()
{
    int *memory;
    signal(SIGSEGV, handle);
    faultHere();
    MUST(cudaMalloc(&memory, 4));
    faultHere();
    store<<<1, 1>>>((int *)64);
    SHOW(cudaDeviceSynchronize());
    faultHere();
    SHOW(cudaDeviceReset());
    SHOW(cudaMalloc(&memory, 4));
    SHOW(cudaMemcpy(memory, (void *)0x10, 4, cudaMemcpyHostToDevice));
    faultHere();
    return 0;
}
