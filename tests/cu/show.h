// Shared by the tests: prints a call and its result, in the same way on both sides.
#pragma once
#include <cstdio>

#define SHOW(call) printf("%s -> %s\n", #call, cudaGetErrorName(call))

// Ends a host program that cannot continue.
#define MUST(call)                                                                                 \
    do {                                                                                           \
        cudaError_t status_ = (call);                                                              \
        if (status_ != cudaSuccess) {                                                              \
            printf("line %d: %s -> %s\n", __LINE__, #call, cudaGetErrorName(status_));             \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)

// A number that depends on each of the words and on their order.
inline unsigned hashOfWords(const unsigned *words, unsigned count)
{
    unsigned h = 1;
    for (unsigned i = 0; i < count; i++) {
        h = (h ^ words[i]) * 16777619u;
    }
    return h;
}
