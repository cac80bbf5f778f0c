#error "nvblas.h: cdpcc has no cuBLAS; write the product as a kernel, or call a BLAS for the CPU from host code: device pointers are valid there"
#pragma clang diagnostic fatal "-W#warnings"
#warning "the compilation ends here, since what follows would only repeat the error"
