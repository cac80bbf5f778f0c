// Shared by these programs: prints "key: number name" for a call's result, on both sides.
#pragma once
#include <cstdio>
#include <cstring>

#define TELL(key, call)                                                                            \
    do {                                                                                           \
        cudaError_t error_ = (call);                                                               \
        printf("%s: %d %s\n", key, (int)error_, cudaGetErrorName(error_));                         \
    } while (0)

#define NUMBER(key, value) printf("%s: %lld\n", key, (long long)(value))

// The questions of a program that has several: one for each process, by argument.
#define ASKED(name) (argc > 1 && strcmp(argv[1], name) == 0)

// If a call kills the process, its results so far have been printed.
static inline void begin()
{
    setvbuf(stdout, nullptr, _IONBF, 0);
}
