#error "curand_kernel.h: cdpcc has no cuRAND; use the engines of thrust/random.h, which device code may call, or those of <random> on the host"
#pragma clang diagnostic fatal "-W#warnings"
#warning "the compilation ends here, since what follows would only repeat the error"
