#error "nvjpeg.h: cdpcc has no nvJPEG; call libjpeg from host code"
#pragma clang diagnostic fatal "-W#warnings"
#warning "the compilation ends here, since what follows would only repeat the error"
