/* Fatal: what follows would only repeat it. */
#pragma clang diagnostic fatal "-W#warnings"
#warning "nvvm.h: cdpcc has no libNVVM; compile the kernels with cdpcc, or at run time with <nvrtc.h>"
