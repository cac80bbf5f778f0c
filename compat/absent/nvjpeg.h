/* Fatal: what follows would only repeat it. */
#pragma clang diagnostic fatal "-W#warnings"
#warning "nvjpeg.h: cdpcc has no nvJPEG; call libjpeg from host code"
