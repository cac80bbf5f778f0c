#error "cudnn.h: cdpcc has no cuDNN; write the operation as a kernel"
