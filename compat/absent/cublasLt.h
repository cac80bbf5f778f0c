/* Fatal: what follows would only repeat it. */
#pragma clang diagnostic fatal "-W#warnings"
#warning "cublasLt.h: cdpcc has no cuBLAS; write the product as a kernel, or call a BLAS for the CPU from host code: device pointers are valid there"
