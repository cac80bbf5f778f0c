#error "nvvm.h: cdpcc has no libNVVM; compile the kernels with cdpcc, or at run time with <nvrtc.h>"
#pragma clang diagnostic fatal "-W#warnings"
#warning "the compilation ends here, since what follows would only repeat the error"
