/* The CPUs of this process, and their order among memory's nodes. */
#ifndef CDP_OS_CPU_H
#define CDP_OS_CPU_H

#include <stdbool.h>
#include <stdint.h>

/* CPUs this process may run on, at least 1. */
unsigned cdp_os_cpu_count(void);
/* The number of the index-th CPU this process was started with, modulo their count. */
int cdp_os_cpu(unsigned index);
/* The CPU after that number; after the last CPU, the first. */
int cdp_os_next_cpu(int cpu);
/* Pins the thread to the CPU of that number. A sleeping thread will wake there. For a thread that
 * has ended, the result is false, and this is no error. */
bool cdp_os_move(int thread_number, int cpu);
/* A CPU that this process was started with. */
struct cdp_os_cpu_info {
    int cpu;
    int node;     /* of memory; 0 if the system reports none */
    int distance; /* of the node from the host's */
    int round;    /* its number within its node, if the order alternates between nodes */
};
enum { CDP_OS_MOST_CPUS = 1024 };
/* The order in which workers get CPUs: node by node, or alternating between the nodes. */
struct cdp_os_order {
    bool is_spread;
    int host_cpu; /* comes last; its node first, then the nearest */
};
/* The CPUs in that order; returns their number. */
unsigned cdp_os_ordered_cpus(const struct cdp_os_order *order, struct cdp_os_cpu_info *out);
/* Sorts CPUs, whose numbers are set, into that order. directory: like /sys/devices/system/node, or
 * absent. */
void cdp_os_sort_cpus(struct cdp_os_cpu_info *cpus, unsigned count, const char *directory,
                      const struct cdp_os_order *order);
/* The sum of the sizes of these CPUs' last-level caches; 0 if the system does not report any.
 * directory: like /sys/devices/system/cpu. */
uint64_t cdp_os_sum_caches(const char *directory, const struct cdp_os_cpu_info *cpus,
                           unsigned count);
/* The same for the CPUs this process was started with. */
uint64_t cdp_os_caches(void);
/* The number of the CPU the calling thread runs on now. */
int cdp_os_current_cpu(void);

#endif
