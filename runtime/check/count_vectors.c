/* Builds that count: formulas for requests whose addresses are affine in each vector. */
#include "check/count_vectors.h"

static inline uint32_t lanes_of_vector(const struct cdp_count_request *request,
                                       const struct cdp_count_vectors *vectors, uint32_t vector)
{
    return request->lanes >> vector * vectors->lanes & cdp_count_run(vectors->lanes);
}

/* The first and the last byte that the lanes of a vector access. */
struct extent {
    uint64_t low, high;
};

static inline struct extent extent_of(const struct cdp_count_vectors *vectors, uint32_t vector,
                                      uint32_t lanes, uint32_t size)
{
    uint32_t from = (uint32_t)__builtin_ctz(lanes), to = 31 - (uint32_t)__builtin_clz(lanes);
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
                                  const struct cdp_count_vectors *vectors)
{
    uint32_t size = cdp_count_size(request), count = 0;
    uint64_t latest = 0, next = 0; /* the sectors of the vector before, and behind them */
    if (vectors->stride < -CDP_COUNT_SECTOR || vectors->stride > CDP_COUNT_SECTOR) {
        return 0;
    }
    for (uint32_t i = 0; i * vectors->lanes < CDP_COUNT_LANES; i++) {
        uint32_t lanes = lanes_of_vector(request, vectors, i);
        if (lanes == 0) {
            continue;
        }
        struct extent extent = extent_of(vectors, i, lanes, size);
        uint64_t unit = extent.low / CDP_COUNT_SECTOR, end = extent.high / CDP_COUNT_SECTOR + 1;
        if ((vectors->stride != 0 && has_holes(lanes)) ||
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
                                     const struct cdp_count_vectors *vectors)
{
    uint32_t used = 0;
    const void *latest = NULL; /* the vector before, if all its lanes are active */
    for (uint32_t i = 0; i * vectors->lanes < CDP_COUNT_LANES; i++) {
        uint32_t lanes = lanes_of_vector(request, vectors, i);
        if (lanes == 0 || vectors->first[i] == latest) {
            continue;
        }
        struct extent extent = extent_of(vectors, i, lanes, CDP_COUNT_WORD);
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
static uint32_t units_of(const struct cdp_count_request *request,
                         const struct cdp_count_vectors *vectors)
{
    return (request->site->flags & CDP_SITE_ATOMIC) != 0 ? 0
           : request->space == CDP_COUNT_GLOBAL          ? sectors_of(request, vectors)
           : !has_elements(request, vectors)             ? 0
           : request->size == CDP_COUNT_WORD             ? one_wavefront(request, vectors)
                                                         : phases_of(request, vectors);
}

struct cdp_count_parts cdp_count_vector_parts(const struct cdp_count_request *request,
                                              const struct cdp_count_vectors *vectors)
{
    uint64_t values[CDP_COUNT_LANES];
    struct cdp_count_request whole = *request;
    uint32_t units = units_of(request, vectors);
    if (units != 0) {
        return (struct cdp_count_parts){.parts = units};
    }
    for (uint32_t lane = 0; lane < CDP_COUNT_LANES; lane++) {
        uint64_t first = (uintptr_t)vectors->first[lane / vectors->lanes];
        values[lane] = first + (uint64_t)vectors->stride * (lane % vectors->lanes);
    }
    whole.values = values;
    return cdp_count_request_parts(&whole);
}
