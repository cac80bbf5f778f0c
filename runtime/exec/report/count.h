/* Builds that count (cdpcc --count): requests of warps, for each site.
 *
 * The threads of a warp run one after the other. A request is what the lanes of a warp execute
 * together: the calls with the same key. It is added to its site's sums once all lanes have
 * arrived, or when no lane can arrive any more: all threads of the warp have ended, or all its
 * threads have been far behind this request. */
#ifndef CDP_EXEC_REPORT_COUNT_H
#define CDP_EXEC_REPORT_COUNT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "abi/cdp_check.h"
#include "base/attr.h"
#include "exec/report/count_kernels.h"
#include "exec/report/count_sums.h"

struct cdp_block;

/* What a thread does at a site, or at the start of a basic block. */
struct cdp_count_event {
    void *what;                     /* struct cdp_abi_site, const; or struct cdp_abi_count_block */
    enum cdp_abi_count_space space; /* CDP_COUNT_SPACES: a basic block */
    uint64_t value;                 /* the address; BRANCH: the number of the side */
    uint64_t size;
    uint64_t key;
};

/* The thread with that linear number in its block arrives. True: it should let others run, because
 * it is far ahead of them. */
bool cdp_count_add(struct cdp_block *block, uint32_t thread, const struct cdp_count_event *event);
/* The thread has ended. */
void cdp_count_thread_ended(struct cdp_block *block, uint32_t thread);
/* The block ends; a fault may have ended its threads. */
void cdp_count_block_ends(struct cdp_block *block);

/* At the end of the program: a table on standard error, or JSON in the file of CDP_COUNT. Nothing
 * if nothing was counted. path: may be NULL. Once. */
void cdp_count_print(const char *path, cdp_count_occupancy *occupancy);

#endif
