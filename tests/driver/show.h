/* For tests of the driver API: a call and the code that it gives. */
#ifndef TESTS_DRIVER_SHOW_H
#define TESTS_DRIVER_SHOW_H
#include <cstdio>

#include <cuda.h>

#define SHOW(call)                                                                                 \
    do {                                                                                           \
        CUresult result_ = (call);                                                                 \
        const char *name_ = "?";                                                                   \
        cuGetErrorName(result_, &name_);                                                           \
        printf("%s -> %s\n", #call, name_);                                                        \
    } while (0)

#endif
