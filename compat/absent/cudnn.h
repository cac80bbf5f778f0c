/* Fatal: what follows would only repeat it. */
#pragma clang diagnostic fatal "-W#warnings"
#warning "cudnn.h: cdpcc has no cuDNN; write the operation as a kernel"
