/* One request of a warp: what its lanes access together, and what that costs on a GPU. */
#ifndef CDP_EXEC_REPORT_COUNT_REQUEST_H
#define CDP_EXEC_REPORT_COUNT_REQUEST_H

#include "exec/report/count_sums.h"
#include "abi/cdp_check.h"

enum {
    CDP_COUNT_LANES = 32,
    CDP_COUNT_SECTOR = 32, /* bytes */
    CDP_COUNT_WORD = 4,    /* bytes of a bank */
    CDP_COUNT_BANKS = 32,
    CDP_COUNT_MOST_BYTES = 16, /* of a lane; a longer copy counts as if it were this long */
};

struct cdp_count_request {
    const struct cdp_abi_site *site;
    enum cdp_abi_count_space space;
    uint32_t size;  /* bytes of each lane */
    uint32_t lanes; /* those that execute it */
    /* of each lane: the address; of a branch, the number of the side that it takes */
    const uint64_t *values;
};

/* As in struct cdp_count_sums. */
struct cdp_count_parts {
    uint32_t parts, conflicts, same_address;
};

struct cdp_count_parts cdp_count_request_parts(const struct cdp_count_request *request);
/* Bytes of each lane that count. */
static inline uint32_t cdp_count_size(const struct cdp_count_request *request)
{
    return request->size == 0                     ? 1
           : request->size < CDP_COUNT_MOST_BYTES ? request->size
                                                  : CDP_COUNT_MOST_BYTES;
}

/* Lanes that shared memory serves in one phase: a power of two. */
static inline uint32_t cdp_count_phase(const struct cdp_count_request *request)
{
    uint32_t size = cdp_count_size(request);
    return size <= 4 ? 32 : size <= 8 ? 16 : 8;
}

/* The bits of so many lanes, the lowest ones. */
static inline uint32_t cdp_count_run(uint32_t count)
{
    return (uint32_t)((UINT64_C(1) << count) - 1);
}

/* Adds the request to a sum. */
static inline void cdp_count_add_request(struct cdp_count_sum *sum,
                                         const struct cdp_count_request *request,
                                         const struct cdp_count_parts *parts)
{
    bool is_full = request->lanes == UINT32_MAX; /* processors without popcnt need a while */
    uint64_t lanes = is_full ? CDP_COUNT_LANES : (uint64_t)__builtin_popcount(request->lanes);
    sum->requests++;
    sum->lanes += lanes;
    sum->bytes += lanes * request->size;
    sum->parts += parts->parts;
    sum->conflicts += parts->conflicts;
    sum->same_address += parts->same_address;
}

#endif
