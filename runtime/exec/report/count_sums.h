/* Builds that count (cdpcc --count): the sums. Each OS thread adds to tables of its own, so no two
 * threads write the same line of a cache. The end of the program adds up all of them. */
#ifndef CDP_EXEC_REPORT_COUNT_SUMS_H
#define CDP_EXEC_REPORT_COUNT_SUMS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/cdp_count.h"
#include "base/attr.h"

struct cdp_block;
struct cdp_abi_kernel;

/* Of a site, for each kind of memory that it accessed. */
struct cdp_count_sum {
    uint64_t requests, lanes, bytes;
    /* GLOBAL: sectors of 32 bytes. SHARED: wavefronts. BRANCH: warps with lanes on several sides;
     * the others follow from its basic block */
    uint64_t parts;
    uint64_t conflicts;    /* SHARED: of banks */
    uint64_t same_address; /* of atomics: the most lanes with one address, less one */
};
struct cdp_count_sums {
    struct cdp_count_sum in[CDP_COUNT_SPACES];
};

/* The calling thread's sums of a site; NULL without memory. */
struct cdp_count_sums *cdp_count_own(uint32_t site);
/* Only the thread adds to a number of its tables; others read it at any time. */
static inline void cdp_count_plus(uint64_t *number, uint64_t value)
{
    if (value != 0) {
        __atomic_store_n(number, __atomic_load_n(number, __ATOMIC_RELAXED) + value,
                         __ATOMIC_RELAXED);
    }
}
/* Adds to the calling thread's sums of a site. */
static inline void cdp_count_sum_add(uint32_t site, enum cdp_abi_count_space space,
                                     const struct cdp_count_sum *sum)
{
    struct cdp_count_sums *sums = cdp_count_own(site);
    if (CDP_UNLIKELY(sums == NULL)) {
        return;
    }
    struct cdp_count_sum *own = &sums->in[space];
    cdp_count_plus(&own->requests, sum->requests);
    cdp_count_plus(&own->lanes, sum->lanes);
    cdp_count_plus(&own->bytes, sum->bytes);
    cdp_count_plus(&own->parts, sum->parts);
    cdp_count_plus(&own->conflicts, sum->conflicts);
    cdp_count_plus(&own->same_address, sum->same_address);
}
/* The sums of all threads. */
struct cdp_count_sums cdp_count_total(uint32_t site);

/* ---- Basic blocks ---- */

/* Warps and lanes that executed a basic block. */
struct cdp_count_runs {
    uint64_t warps, lanes;
};

/* A copy of what the compiled code says of the block; its module may have been unloaded since.
 * Const once published; never freed. */
struct cdp_count_code {
    const struct cdp_count_code *next;
    const char *function;
    uint32_t number, line_count;
    uint32_t branch; /* the number of its site; 0: none */
    bool is_entry;   /* of a kernel */
    struct cdp_abi_count_line lines[];
};

/* Warps have executed the block: the calling thread's sums. The first execution publishes its code.
 */
void cdp_count_ran(struct cdp_abi_count_block *code, uint64_t warps, uint64_t lanes);
/* The same in two steps: the block's number, and the sums. */
uint32_t cdp_count_number_of(struct cdp_abi_count_block *code);
void cdp_count_runs_add(uint32_t number, uint64_t warps, uint64_t lanes);
/* The latest block first. */
const struct cdp_count_code *cdp_count_codes(void);
struct cdp_count_runs cdp_count_runs_of(uint32_t number);

/* ---- Kernels ---- */

struct cdp_count_kernel {
    struct cdp_count_kernel *next;
    const struct cdp_abi_kernel *kernel; /* the module may have been unloaded */
    const void *module;                  /* that had it when it was launched */
    const char *function;                /* as in struct cdp_count_code */
    const char *name;
    uint64_t launches;
    /* The largest block: its threads in the upper half, its dynamic shared memory in the lower. */
    uint64_t largest;
};

/* The first thread of the block has begun. function: of the kernel's code. */
void cdp_count_launched(const struct cdp_block *block, const char *function);
/* The kernels of a thread's launches: calls take with each of them, in no order. */
void cdp_count_each_kernel(void (*take)(const struct cdp_count_kernel *kernel, void *arg),
                           void *arg);

#endif
