/* Fatal: what follows would only repeat it. */
#pragma clang diagnostic fatal "-W#warnings"
#warning "cupti.h: cdpcc has no CUPTI; set CDP_STATS=1 for counts of launches, or use perf"
