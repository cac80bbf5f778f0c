#error "cuda_gl_interop.h: cdpcc has no graphics; copy the results to the host, and draw them there"
