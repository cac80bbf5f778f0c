/* Fatal: what follows would only repeat it. */
#pragma clang diagnostic fatal "-W#warnings"
#warning "cusparse.h: cdpcc has no cuSPARSE; write the operation as a kernel, or call a sparse library for the CPU from host code: device pointers are valid there"
