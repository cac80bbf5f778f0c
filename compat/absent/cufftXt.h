#error "cufftXt.h: cdpcc has no cuFFT; call FFTW from host code: device pointers are valid there"
