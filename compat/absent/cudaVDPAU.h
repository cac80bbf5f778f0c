#error "cudaVDPAU.h: cdpcc has no graphics; copy the results to the host, and draw them there"
