// check(cudaCall(...)): ends the program, naming the place and CUDA's error, if the call
// failed; in device code it ends the launch.  A kernel launch is checked by
// check(cudaGetLastError()) behind it, what became of the kernel by the next call that
// waits for it.
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
