// Shared by the questions: "key: number name" of what a call returned, on both sides.
#pragma once
#include <cstdio>
#include <cstring>

#define TELL(key, call)                                                                            \
    do {                                                                                           \
        cudaError_t error_ = (call);                                                               \
        printf("%s: %d %s\n", key, (int)error_, cudaGetErrorName(error_));                         \
    } while (0)

#define NUMBER(key, value) printf("%s: %lld\n", key, (long long)(value))

// The questions of a program with several: one for each process, by argument.
#define ASKED(name) (argc > 1 && strcmp(argv[1], name) == 0)

// A process that a call kills has told what it heard before.
static inline void begin()
{
    setvbuf(stdout, nullptr, _IONBF, 0);
}
