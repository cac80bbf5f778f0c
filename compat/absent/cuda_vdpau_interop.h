#error "cuda_vdpau_interop.h: cdpcc has no graphics; copy the results to the host, and draw them there"
#pragma clang diagnostic fatal "-W#warnings"
#warning "the compilation ends here, since what follows would only repeat the error"
