// check(cudaCall(...)): if the call failed, ends the program and names the line and CUDA's error;
// in device code it ends the launch. To check a kernel launch, call check(cudaGetLastError()) after
// it. The next call that waits for the kernel reports errors of the kernel itself.
#ifndef CHECK_H
#define CHECK_H

#include <cstdio>
#include <cstdlib>

__host__ __device__ inline void check(cudaError_t error, const char *file = __builtin_FILE(),
                                      int line = __builtin_LINE())
{
    if (error == cudaSuccess) {
        return;
    }
    printf("%s:%d: %s: %s\n", file, line, cudaGetErrorName(error), cudaGetErrorString(error));
#ifdef __CUDA_ARCH__
    __trap();
#else
    exit(1);
#endif
}

#endif
