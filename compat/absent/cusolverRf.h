/* Fatal: what follows would only repeat it. */
#pragma clang diagnostic fatal "-W#warnings"
#warning "cusolverRf.h: cdpcc has no cuSOLVER; call LAPACK from host code: device pointers are valid there"
