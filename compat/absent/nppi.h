#error "nppi.h: cdpcc has no NPP; write the operation as a kernel"
