#error "cusolverMg.h: cdpcc has no cuSOLVER; call LAPACK from host code: device pointers are valid there"
