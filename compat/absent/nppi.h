/* Fatal: what follows would only repeat it. */
#pragma clang diagnostic fatal "-W#warnings"
#warning "nppi.h: cdpcc has no NPP; write the operation as a kernel"
