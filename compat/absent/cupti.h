#error "cupti.h: cdpcc has no CUPTI; set CDP_STATS=1 for counts of launches, or use perf"
#pragma clang diagnostic fatal "-W#warnings"
#warning "the compilation ends here, since what follows would only repeat the error"
