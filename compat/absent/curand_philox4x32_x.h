/* Fatal: what follows would only repeat it. */
#pragma clang diagnostic fatal "-W#warnings"
#warning "curand_philox4x32_x.h: cdpcc has no cuRAND; use the engines of thrust/random.h, which device code may call, or those of <random> on the host"
