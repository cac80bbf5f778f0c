#error "cupti.h: cdpcc has no CUPTI; set CDP_STATS=1 for counts of launches, or use perf"
