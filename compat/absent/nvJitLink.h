#error "nvJitLink.h: cdpcc has no run-time compilation; compile the kernels with cdpcc"
