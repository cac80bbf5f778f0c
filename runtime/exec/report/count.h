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

struct cdp_block;

enum cdp_count_space { CDP_COUNT_GLOBAL, CDP_COUNT_SHARED, CDP_COUNT_BRANCH, CDP_COUNT_SPACES };

/* Sums of a site. Any worker adds to them; read at the end of the program. */
struct cdp_count_sums {
    struct {
        _Atomic uint64_t requests, lanes;
        _Atomic uint64_t bytes;
        /* GLOBAL: sectors of 32 bytes. SHARED: wavefronts. BRANCH: warps with lanes on both sides.
         */
        _Atomic uint64_t parts;
        _Atomic uint64_t conflicts; /* SHARED: of banks */
        /* of atomics: for each request, the most lanes with one address, less one */
        _Atomic uint64_t same_address;
    } in[CDP_COUNT_SPACES];
};

/* What a thread does at a site. */
struct cdp_count_event {
    const struct cdp_abi_site *site;
    enum cdp_count_space space;
    uint64_t value; /* the address; BRANCH: 1 if it is taken */
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

/* The site's sums; NULL: nothing was counted there. */
const struct cdp_count_sums *cdp_count_sums_of(uint32_t site);
/* At the end of the program: a table on standard error, or JSON in the file of CDP_COUNT. Nothing
 * if nothing was counted. path: may be NULL. */
void cdp_count_print(const char *path);

#endif
