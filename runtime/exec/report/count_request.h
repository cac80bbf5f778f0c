/* One request of a warp: what its lanes access together, and what that costs on a GPU. */
#ifndef CDP_EXEC_REPORT_COUNT_REQUEST_H
#define CDP_EXEC_REPORT_COUNT_REQUEST_H

#include "exec/report/count_sums.h"
#include "abi/cdp_check.h"

struct cdp_count_request {
    const struct cdp_abi_site *site;
    enum cdp_count_space space;
    uint32_t size;  /* bytes of each lane */
    uint32_t lanes; /* those that execute it */
    /* of each lane: the address; of a branch, the number of the side that it takes */
    uint64_t values[32];
};

/* As in struct cdp_count_sums. */
struct cdp_count_parts {
    uint32_t parts, conflicts, same_address;
};

struct cdp_count_parts cdp_count_request_parts(const struct cdp_count_request *request);
/* Adds the request to its site. */
void cdp_count_finish(const struct cdp_count_request *request, const struct cdp_count_parts *parts);

/* Addresses of a vector: lane l of it accesses first + stride * l. */
struct cdp_count_affine {
    uint64_t first;
    int64_t stride;
};
/* The same for the vectors of a warp, each of which has so many lanes. Sets values if it needs
 * them. Most requests are contiguous, and need no look at each lane. */
struct cdp_count_parts cdp_count_affine_parts(struct cdp_count_request *request,
                                              const struct cdp_count_affine *vectors,
                                              uint32_t lanes_of_each);

#endif
