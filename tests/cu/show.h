// Shared by the tests: prints a call and what it returned, the same on both sides.
#pragma once
#include <cstdio>

#define SHOW(call) printf("%s -> %s\n", #call, cudaGetErrorName(call))

// Ends a host program that cannot go on.
#define MUST(call)                                                                                 \
    do {                                                                                           \
        cudaError_t status_ = (call);                                                              \
        if (status_ != cudaSuccess) {                                                              \
            printf("line %d: %s -> %s\n", __LINE__, #call, cudaGetErrorName(status_));             \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)
