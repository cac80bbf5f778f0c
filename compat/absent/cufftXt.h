/* Fatal: what follows would only repeat it. */
#pragma clang diagnostic fatal "-W#warnings"
#warning "cufftXt.h: cdpcc has no cuFFT; call FFTW from host code: device pointers are valid there"
