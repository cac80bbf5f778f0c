#error "npps.h: cdpcc has no NPP; write the operation as a kernel"
#pragma clang diagnostic fatal "-W#warnings"
#warning "the compilation ends here, since what follows would only repeat the error"
