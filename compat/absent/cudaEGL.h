/* Fatal: what follows would only repeat it. */
#pragma clang diagnostic fatal "-W#warnings"
#warning "cudaEGL.h: cdpcc has no graphics; copy the results to the host, and draw them there"
