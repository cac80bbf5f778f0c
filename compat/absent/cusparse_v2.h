#error "cusparse_v2.h: cdpcc has no cuSPARSE; write the operation as a kernel, or call a sparse library for the CPU from host code: device pointers are valid there"
#pragma clang diagnostic fatal "-W#warnings"
#warning "the compilation ends here, since what follows would only repeat the error"
