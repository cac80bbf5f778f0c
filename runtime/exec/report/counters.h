/* Builds that count: the numbers that block entries count by themselves. Each OS thread has numbers
 * of its own for each block entry. */
#ifndef CDP_EXEC_REPORT_COUNTERS_H
#define CDP_EXEC_REPORT_COUNTERS_H

#include "abi/cdp_count.h"

/* The calling thread's numbers: see cdp_abi_count_counters. */
uint64_t *cdp_counters_own(struct cdp_abi_counters *counters);
/* Adds the numbers of all threads to the sums. At the end of the program, once. */
void cdp_counters_add_all(void);

#endif
