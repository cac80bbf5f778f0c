/* Builds that count: what block entries call. Their lanes execute an instruction together, so a
 * request is complete at once. See abi/cdp_count.h. */
#include "check/count_lanes.h"

#include "abi/cdp_count.h"
#include "base/attr.h"
#include "check/count.h"

CDP_EXPORT void cdp_abi_count_lanes(const struct cdp_abi_site *site, const void *first,
                                    int64_t stride, uint64_t size, uint64_t active);
CDP_EXPORT void cdp_abi_count_vectors(const struct cdp_abi_site *site, const void *const *first,
                                      int64_t stride, uint32_t lanes, uint64_t size,
                                      uint64_t active);
CDP_EXPORT void cdp_abi_count_gather(const struct cdp_abi_site *site, const void *const *addresses,
                                     uint64_t size, uint64_t active);
CDP_EXPORT void cdp_abi_count_branch_lanes(const struct cdp_abi_site *site, uint64_t taken,
                                           uint64_t active);
CDP_EXPORT void cdp_abi_count_switch_lanes(const struct cdp_abi_site *site, const uint32_t *sides,
                                           uint64_t active);
CDP_EXPORT void cdp_abi_count_block_lanes(struct cdp_abi_count_block *block, uint32_t thread,
                                          uint64_t active);

/* Sets all but the lanes and the values, which need not be set. */
static void begin(struct cdp_count_request *request, const struct cdp_abi_site *site,
                  enum cdp_count_space space, uint64_t size)
{
    request->site = site;
    request->space = space;
    request->size = (uint32_t)size;
}

/* ---- Vectors of affine addresses ----
 *
 * is_full: all lanes of the warp are active, as most often. It is a constant at each call, so there
 * is code for this case that has no masks. */

static inline uint32_t lanes_of_vector(const struct cdp_count_request *request,
                                       const struct cdp_count_vectors *vectors, uint32_t vector,
                                       bool is_full)
{
    uint32_t all = cdp_count_run(vectors->lanes);
    return is_full ? all : request->lanes >> vector * vectors->lanes & all;
}

/* The first and the last byte that the lanes of a vector access. */
struct extent {
    uint64_t low, high;
};

static inline struct extent extent_of(const struct cdp_count_vectors *vectors, uint32_t vector,
                                      uint32_t lanes, uint32_t size, bool is_full)
{
    uint32_t from = is_full ? 0 : (uint32_t)__builtin_ctz(lanes);
    uint32_t to = is_full ? vectors->lanes - 1 : 31 - (uint32_t)__builtin_clz(lanes);
    uint64_t a = (uintptr_t)vectors->first[vector] + (uint64_t)vectors->stride * from;
    uint64_t b = (uintptr_t)vectors->first[vector] + (uint64_t)vectors->stride * to;
    return (struct extent){.low = a < b ? a : b, .high = (a < b ? b : a) + size - 1};
}

/* Whether lanes between the active ones are inactive. */
static inline bool has_holes(uint32_t lanes)
{
    uint32_t run = lanes >> __builtin_ctz(lanes);
    return (run & (run + 1)) != 0;
}

/* If steps are no longer than a sector, then each sector between the first and the last one of a
 * vector is accessed. Vectors must ascend, or access the sectors of the one before. 0: they do not.
 */
static inline uint32_t sectors_of(const struct cdp_count_request *request,
                                  const struct cdp_count_vectors *vectors, bool is_full)
{
    uint32_t size = cdp_count_size(request), count = 0;
    uint64_t latest = 0, next = 0; /* the sectors of the vector before, and behind them */
    if (vectors->stride < -CDP_COUNT_SECTOR || vectors->stride > CDP_COUNT_SECTOR) {
        return 0;
    }
    for (uint32_t i = 0; i * vectors->lanes < CDP_COUNT_LANES; i++) {
        uint32_t lanes = lanes_of_vector(request, vectors, i, is_full);
        if (!is_full && lanes == 0) {
            continue;
        }
        struct extent extent = extent_of(vectors, i, lanes, size, is_full);
        uint64_t unit = extent.low / CDP_COUNT_SECTOR, end = extent.high / CDP_COUNT_SECTOR + 1;
        if ((!is_full && vectors->stride != 0 && has_holes(lanes)) ||
            (unit + 1 < next && (unit != latest || end != next))) {
            return 0;
        }
        count += (uint32_t)(end - (unit < next ? next : unit));
        latest = unit;
        next = end;
    }
    return count;
}

/* The banks of a vector's words, as bits. */
static inline uint32_t banks_of(const struct extent *extent)
{
    uint32_t words = (uint32_t)((extent->high - extent->low) / CDP_COUNT_WORD) + 1;
    uint32_t first = (uint32_t)(extent->low / CDP_COUNT_WORD % CDP_COUNT_BANKS);
    uint32_t run = cdp_count_run(words);
    return first == 0 ? run : run << first | run >> (CDP_COUNT_BANKS - first);
}

/* No bank has two words if each vector has banks of its own, or the words of the one before. Then
 * there is one wavefront. */
static inline uint32_t one_wavefront(const struct cdp_count_request *request,
                                     const struct cdp_count_vectors *vectors, bool is_full)
{
    uint32_t used = 0;
    const void *latest = NULL; /* the vector before, if all its lanes are active */
    for (uint32_t i = 0; i * vectors->lanes < CDP_COUNT_LANES; i++) {
        uint32_t lanes = lanes_of_vector(request, vectors, i, is_full);
        if ((!is_full && lanes == 0) || vectors->first[i] == latest) {
            continue;
        }
        struct extent extent = extent_of(vectors, i, lanes, CDP_COUNT_WORD, is_full);
        uint32_t banks = banks_of(&extent);
        if ((banks & used) != 0) {
            return 0;
        }
        used |= banks;
        latest = lanes == cdp_count_run(vectors->lanes) ? vectors->first[i] : NULL;
    }
    return 1;
}

/* A phase within a vector has consecutive elements, or one: a wavefront. 0: phases are longer. */
static inline uint32_t phases_of(const struct cdp_count_request *request,
                                 const struct cdp_count_vectors *vectors)
{
    uint32_t lanes = cdp_count_phase(request), count = 0;
    for (uint32_t first = 0; first < CDP_COUNT_LANES && lanes <= vectors->lanes; first += lanes) {
        count += (request->lanes >> first & cdp_count_run(lanes)) != 0;
    }
    return count;
}

/* Aligned elements of a power of two of words, each vector's consecutive or the same. */
static inline bool has_elements(const struct cdp_count_request *request,
                                const struct cdp_count_vectors *vectors)
{
    uint64_t size = request->size, bits = (uint64_t)vectors->stride;
    if (size < CDP_COUNT_WORD || size > CDP_COUNT_MOST_BYTES || (size & (size - 1)) != 0 ||
        (vectors->stride != 0 && vectors->stride != (int64_t)size)) {
        return false;
    }
    for (uint32_t i = 0; i * vectors->lanes < CDP_COUNT_LANES; i++) {
        bits |= (uintptr_t)vectors->first[i];
    }
    return (bits & (size - 1)) == 0;
}

/* Sectors or wavefronts without conflicts. 0: no formula is known. */
__attribute__((always_inline)) static inline uint32_t
units_of(const struct cdp_count_request *request, const struct cdp_count_vectors *vectors,
         bool is_full)
{
    return (request->site->flags & CDP_SITE_ATOMIC) != 0 ? 0
           : request->space == CDP_COUNT_GLOBAL          ? sectors_of(request, vectors, is_full)
           : !has_elements(request, vectors)             ? 0
           : request->size == CDP_COUNT_WORD             ? one_wavefront(request, vectors, is_full)
                                                         : phases_of(request, vectors);
}

/* If some lanes are not active, or there is no formula. */
__attribute__((noinline)) static struct cdp_count_parts
parts_of_some(struct cdp_count_request *request, const struct cdp_count_vectors *vectors)
{
    uint32_t units = units_of(request, vectors, false);
    if (units != 0) {
        return (struct cdp_count_parts){.parts = units};
    }
    for (uint32_t lane = 0; lane < CDP_COUNT_LANES; lane++) {
        uint64_t first = (uintptr_t)vectors->first[lane / vectors->lanes];
        request->values[lane] = first + (uint64_t)vectors->stride * (lane % vectors->lanes);
    }
    return cdp_count_request_parts(request);
}

static inline struct cdp_count_parts parts_of(struct cdp_count_request *request,
                                              const struct cdp_count_vectors *vectors)
{
    uint32_t units = request->lanes == UINT32_MAX ? units_of(request, vectors, true) : 0;
    return CDP_LIKELY(units != 0) ? (struct cdp_count_parts){.parts = units}
                                  : parts_of_some(request, vectors);
}

struct cdp_count_parts cdp_count_vector_parts(struct cdp_count_request *request,
                                              const struct cdp_count_vectors *vectors)
{
    return parts_of(request, vectors);
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
    enum cdp_count_space space = active != 0 ? cdp_count_space_of(address) : CDP_COUNT_SPACES;
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
            struct cdp_count_parts parts = parts_of(&request, &own);
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

/* A request of the lanes that access memory of the space. Returns the other lanes. */
static uint32_t gather(const struct cdp_abi_site *site, const void *const *addresses, uint64_t size,
                       uint32_t active)
{
    enum cdp_count_space space = cdp_count_space_of((uintptr_t)addresses[__builtin_ctz(active)]);
    struct cdp_count_request request;
    uint32_t others = 0;
    begin(&request, site, space, size);
    for (uint32_t left = active; left != 0; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        request.values[lane] = (uintptr_t)addresses[lane];
        others |= cdp_count_space_of((uintptr_t)addresses[lane]) != space ? UINT32_C(1) << lane : 0;
    }
    request.lanes = active & ~others;
    if (space != CDP_COUNT_SPACES) {
        struct cdp_count_parts parts = cdp_count_request_parts(&request);
        struct cdp_count_sum sum = {.requests = 0};
        cdp_count_add_request(&sum, &request, &parts);
        cdp_count_sum_add(site->number, space, &sum);
    }
    return others;
}

void cdp_abi_count_gather(const struct cdp_abi_site *site, const void *const *addresses,
                          uint64_t size, uint64_t active)
{
    for (; active != 0; active >>= CDP_COUNT_LANES, addresses += CDP_COUNT_LANES) {
        for (uint32_t lanes = (uint32_t)active; lanes != 0;) {
            lanes = gather(site, addresses, size, lanes);
        }
    }
}

static void add_divergent(const struct cdp_abi_site *site, uint64_t warps)
{
    if (warps != 0) {
        cdp_count_sum_add(site->number, CDP_COUNT_BRANCH, &(struct cdp_count_sum){.parts = warps});
    }
}

void cdp_abi_count_branch_lanes(const struct cdp_abi_site *site, uint64_t taken, uint64_t active)
{
    uint64_t warps = 0;
    for (; active != 0; active >>= CDP_COUNT_LANES, taken >>= CDP_COUNT_LANES) {
        uint32_t lanes = (uint32_t)active, on = (uint32_t)taken & lanes;
        warps += on != 0 && on != lanes;
    }
    add_divergent(site, warps);
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
    add_divergent(site, warps);
}

void cdp_abi_count_block_lanes(struct cdp_abi_count_block *block, uint32_t thread, uint64_t active)
{
    uint64_t warps = ((uint32_t)active != 0) + (uint64_t)(active >> CDP_COUNT_LANES != 0);
    if (active != 0) {
        bool is_full = active == UINT64_MAX;
        uint64_t lanes = is_full ? 2 * CDP_COUNT_LANES : (uint64_t)__builtin_popcountll(active);
        cdp_count_starts(block, thread);
        cdp_count_ran(block, warps, lanes);
    }
}
