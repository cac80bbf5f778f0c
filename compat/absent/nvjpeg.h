#error "nvjpeg.h: cdpcc has no nvJPEG; call libjpeg from host code"
