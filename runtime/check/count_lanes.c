/* Builds that count: what block entries call. Their lanes execute an instruction together, so a
 * request is complete at once. See abi/cdp_count.h. */
#include "check/count_vectors.h"

#include "abi/cdp_count.h"
#include "base/attr.h"
#include "check/count.h"
#include "exec/report/counters.h"

CDP_EXPORT void cdp_abi_count_lanes(const struct cdp_abi_site *site, const void *first,
                                    int64_t stride, uint64_t size, uint64_t active);
CDP_EXPORT void cdp_abi_count_vectors(const struct cdp_abi_site *site, const void *const *first,
                                      int64_t stride, uint32_t lanes, uint64_t size,
                                      uint64_t active);
CDP_EXPORT void cdp_abi_count_gather(const struct cdp_abi_site *site, const uint64_t *addresses,
                                     uint64_t size, uint64_t active);
CDP_EXPORT void cdp_abi_count_switch_lanes(const struct cdp_abi_site *site, const uint32_t *sides,
                                           uint64_t active);
CDP_EXPORT uint64_t *cdp_abi_count_counters(struct cdp_abi_counters *counters);
CDP_EXPORT void cdp_abi_count_launch(const struct cdp_abi_count_block *block);

/* Sets all but the lanes and the values, which need not be set. */
static void begin(struct cdp_count_request *request, const struct cdp_abi_site *site,
                  enum cdp_abi_count_space space, uint64_t size)
{
    request->site = site;
    request->space = space;
    request->size = (uint32_t)size;
}

/* One or two warps. The kind of memory is that of a lane that is active: others may be anywhere. */
__attribute__((always_inline)) static inline void
count_warps(const struct cdp_abi_site *site, const struct cdp_count_vectors *vectors, uint64_t size,
            uint64_t active)
{
    uint32_t lane = active != 0 ? (uint32_t)__builtin_ctzll(active) : 0;
    uint32_t vector = lane >> __builtin_ctz(vectors->lanes); /* lanes is a power of two */
    uint64_t address = (uintptr_t)vectors->first[vector] +
                       (uint64_t)vectors->stride * (lane & (vectors->lanes - 1));
    enum cdp_abi_count_space space = active != 0 ? cdp_count_space_of(address) : CDP_COUNT_SPACES;
    struct cdp_count_sum sum = {.requests = 0};
    struct cdp_count_request request;
    if (space == CDP_COUNT_SPACES) {
        return;
    }
    begin(&request, site, space, size);
    for (uint32_t warp = 0; warp < 2; warp++) {
        struct cdp_count_vectors own = *vectors;
        own.first += (CDP_COUNT_LANES >> __builtin_ctz(vectors->lanes)) * warp;
        request.lanes = (uint32_t)(active >> CDP_COUNT_LANES * warp);
        if (request.lanes != 0) {
            struct cdp_count_parts parts = cdp_count_vector_parts(&request, &own);
            cdp_count_add_request(&sum, &request, &parts);
        }
    }
    cdp_count_sum_add(site->number, space, &sum);
}

void cdp_abi_count_lanes(const struct cdp_abi_site *site, const void *first, int64_t stride,
                         uint64_t size, uint64_t active)
{
    const void *const warps[] = {first, (const char *)first + stride * CDP_COUNT_LANES};
    const struct cdp_count_vectors vectors = {warps, stride, CDP_COUNT_LANES};
    count_warps(site, &vectors, size, active);
}

void cdp_abi_count_vectors(const struct cdp_abi_site *site, const void *const *first,
                           int64_t stride, uint32_t lanes, uint64_t size, uint64_t active)
{
    const struct cdp_count_vectors vectors = {first, stride, lanes};
    count_warps(site, &vectors, size, active);
}

/* As of histograms, which have a request for each few instructions. */
static bool are_all_shared(const struct cdp_count_ranges *ranges, const uint64_t *addresses)
{
    uint32_t outside = 0;
    for (uint32_t lane = 0; lane < CDP_COUNT_LANES; lane++) {
        outside |= addresses[lane] - ranges->shared >= ranges->shared_size;
    }
    return outside == 0;
}

/* The lanes that access memory of another space. */
static uint32_t lanes_elsewhere(const struct cdp_count_ranges *ranges,
                                enum cdp_abi_count_space space, const uint64_t *addresses)
{
    uint32_t others = 0;
    if (space == CDP_COUNT_SHARED && are_all_shared(ranges, addresses)) {
        return 0;
    }
    for (uint32_t lane = 0; lane < CDP_COUNT_LANES; lane++) {
        others |= (uint32_t)(cdp_count_space_in(ranges, addresses[lane]) != space) << lane;
    }
    return others;
}

/* A request of the lanes that access memory of the space. Returns the other lanes. */
static uint32_t gather(const struct cdp_abi_site *site, const uint64_t *addresses, uint64_t size,
                       uint32_t active)
{
    const struct cdp_count_ranges ranges = cdp_count_ranges();
    enum cdp_abi_count_space space = cdp_count_space_in(&ranges, addresses[__builtin_ctz(active)]);
    uint32_t others = lanes_elsewhere(&ranges, space, addresses) & active;
    if (space != CDP_COUNT_SPACES) {
        struct cdp_count_request request;
        begin(&request, site, space, size);
        request.lanes = active & ~others;
        request.values = addresses;
        struct cdp_count_parts parts = cdp_count_request_parts(&request);
        struct cdp_count_sum sum = {.requests = 0};
        cdp_count_add_request(&sum, &request, &parts);
        cdp_count_sum_add(site->number, space, &sum);
    }
    return others;
}

void cdp_abi_count_gather(const struct cdp_abi_site *site, const uint64_t *addresses, uint64_t size,
                          uint64_t active)
{
    for (; active != 0; active >>= CDP_COUNT_LANES, addresses += CDP_COUNT_LANES) {
        for (uint32_t lanes = (uint32_t)active; lanes != 0;) {
            lanes = gather(site, addresses, size, lanes);
        }
    }
}

void cdp_abi_count_switch_lanes(const struct cdp_abi_site *site, const uint32_t *sides,
                                uint64_t active)
{
    uint64_t warps = 0;
    for (; active != 0; active >>= CDP_COUNT_LANES, sides += CDP_COUNT_LANES) {
        uint32_t lanes = (uint32_t)active, others = 0;
        for (uint32_t left = lanes; left != 0; left &= left - 1) {
            others += sides[__builtin_ctz(left)] != sides[__builtin_ctz(lanes)];
        }
        warps += others != 0;
    }
    if (warps != 0) {
        cdp_count_sum_add(site->number, CDP_COUNT_BRANCH, &(struct cdp_count_sum){.parts = warps});
    }
}

uint64_t *cdp_abi_count_counters(struct cdp_abi_counters *counters)
{
    return cdp_counters_own(counters);
}

void cdp_abi_count_launch(const struct cdp_abi_count_block *block)
{
    cdp_count_launched(cdp_block_of(cdp_abi_self), block->function);
}
