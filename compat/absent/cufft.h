#error "cufft.h: cdpcc has no cuFFT; call FFTW from host code: device pointers are valid there"
#pragma clang diagnostic fatal "-W#warnings"
#warning "the compilation ends here, since what follows would only repeat the error"
