/* One request of a warp: what its lanes access together, and what that costs on a GPU. */
#ifndef CDP_EXEC_REPORT_COUNT_REQUEST_H
#define CDP_EXEC_REPORT_COUNT_REQUEST_H

#include "exec/report/count.h"

struct cdp_count_request {
    const struct cdp_abi_site *site;
    enum cdp_count_space space;
    uint32_t size;  /* bytes of each lane */
    uint32_t lanes; /* those that have arrived */
    uint64_t values[32];
};

/* As in struct cdp_count_sums. */
struct cdp_count_parts {
    uint32_t parts, conflicts, same_address;
};

struct cdp_count_parts cdp_count_request_parts(const struct cdp_count_request *request);

#endif
