/* Sectors, wavefronts and conflicts of one request. The rules are those of docs/profile.md. */
#include "exec/report/count_request.h"

#include <string.h>

#include "base/alloc.h"
#include "base/attr.h"

enum { LANES = 32, SECTOR = 32, BANK_BYTES = 4, BANKS = 32, PHASE_BYTES = LANES * BANK_BYTES };
/* Of a lane; a longer copy counts as if it were this long. */
enum { MOST_BYTES = 16 };
enum { MOST_UNITS = LANES * (MOST_BYTES / BANK_BYTES + 1) };

/* The units of memory that a request accesses, each once, in an open hash table. A unit belongs to
 * the request of its stamp, so the table need not be cleared. Owner: the OS thread; never freed. On
 * the heap, since a library that is loaded late has little memory for threads' variables. */
enum { SLOTS = 512 }; /* a power of two, at least twice MOST_UNITS */
_Static_assert(SLOTS >= 2 * MOST_UNITS, "the table is never full");
struct units {
    struct {
        uint64_t unit;
        uint32_t stamp;
        uint32_t uses;
    } slots[SLOTS];
    uint32_t stamp;
};

/* NULL without memory; then a request that needs the table counts as no sectors or words. */
static struct units *begin_units(void)
{
    static __thread struct units *own;
    if (CDP_UNLIKELY(own == NULL) && (own = cdp_alloc_zero(sizeof *own)) == NULL) {
        return NULL;
    }
    if (++own->stamp == 0) {
        memset(own->slots, 0, sizeof own->slots);
        own->stamp = 1;
    }
    return own;
}

/* How often the unit has been added since begin_units, with this time. */
static uint32_t add_unit(struct units *units, uint64_t unit)
{
    uint64_t slot = unit * UINT64_C(0x9e3779b97f4a7c15) >> 55;
    while (units->slots[slot].stamp == units->stamp && units->slots[slot].unit != unit) {
        slot = (slot + 1) % SLOTS;
    }
    if (units->slots[slot].stamp != units->stamp) {
        units->slots[slot].unit = unit;
        units->slots[slot].stamp = units->stamp;
        units->slots[slot].uses = 0;
    }
    return ++units->slots[slot].uses;
}

static uint32_t size_of(const struct cdp_count_request *request)
{
    return request->size == 0 ? 1 : request->size < MOST_BYTES ? request->size : MOST_BYTES;
}

/* Ascending addresses, which most requests have, need no table. Zero: they do not ascend. */
static uint32_t ascending_sectors(const struct cdp_count_request *request)
{
    uint32_t count = 0, size = size_of(request);
    uint64_t next = 0; /* the first sector that no lane so far accesses */
    for (uint32_t left = request->lanes; left != 0; left &= left - 1) {
        uint64_t address = request->values[__builtin_ctz(left)];
        uint64_t unit = address / SECTOR, end = (address + size - 1) / SECTOR + 1;
        if (unit + 1 < next) {
            return 0;
        }
        unit = unit < next ? next : unit;
        count += end > unit ? (uint32_t)(end - unit) : 0;
        next = end > next ? end : next;
    }
    return count;
}

static uint32_t sectors_of(const struct cdp_count_request *request)
{
    uint32_t count = ascending_sectors(request), size = size_of(request);
    if (count != 0) {
        return count;
    }
    struct units *units = begin_units();
    for (uint32_t left = units != NULL ? request->lanes : 0; left != 0; left &= left - 1) {
        uint64_t address = request->values[__builtin_ctz(left)];
        uint64_t last = (address + size - 1) / SECTOR;
        for (uint64_t unit = address / SECTOR; unit <= last; unit++) {
            count += add_unit(units, unit) == 1;
        }
    }
    return count;
}

/* Whether no bank has two words, of which each lane accesses one: that is what programs aim at. */
static bool has_no_conflict(const struct cdp_count_request *request, uint32_t lanes)
{
    uint64_t words[BANKS];
    uint32_t used = 0;
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
        uint64_t word = request->values[__builtin_ctz(left)] / BANK_BYTES;
        uint32_t bank = (uint32_t)(word % BANKS);
        if ((used >> bank & 1) != 0 && words[bank] != word) {
            return false;
        }
        used |= UINT32_C(1) << bank;
        words[bank] = word;
    }
    return true;
}

/* The words of the fullest bank. *most: lanes that access the same word, at most; for accesses of
 * one word. */
static uint32_t words_of_fullest_bank(const struct cdp_count_request *request, uint32_t lanes,
                                      uint32_t *most)
{
    uint32_t fullest = 0, size = size_of(request);
    uint8_t in_bank[BANKS] = {0};
    struct units *units = begin_units();
    *most = 0;
    for (uint32_t left = units != NULL ? lanes : 0; left != 0; left &= left - 1) {
        uint64_t address = request->values[__builtin_ctz(left)];
        uint64_t last = (address + size - 1) / BANK_BYTES;
        for (uint64_t word = address / BANK_BYTES; word <= last; word++) {
            uint32_t uses = add_unit(units, word);
            uint32_t words_there = uses == 1 ? ++in_bank[word % BANKS] : 0;
            fullest = words_there > fullest ? words_there : fullest;
            *most = uses > *most ? uses : *most;
        }
    }
    return fullest;
}

/* Of the lanes that one phase serves. */
static uint32_t wavefronts_of(const struct cdp_count_request *request, uint32_t lanes)
{
    uint32_t unused;
    if (request->size <= BANK_BYTES && has_no_conflict(request, lanes)) {
        return lanes != 0;
    }
    return words_of_fullest_bank(request, lanes, &unused);
}

/* Lanes that one phase serves. */
static uint32_t lanes_of_phase(const struct cdp_count_request *request)
{
    uint32_t size = size_of(request), lanes = PHASE_BYTES / (size < BANK_BYTES ? BANK_BYTES : size);
    while ((lanes & (lanes - 1)) != 0) {
        lanes &= lanes - 1; /* 12 bytes: as 16 */
    }
    return lanes;
}

static uint32_t run_of_lanes(uint32_t first, uint32_t count)
{
    return (uint32_t)((UINT64_C(1) << count) - 1) << first;
}

static void add_shared(const struct cdp_count_request *request, struct cdp_count_parts *parts)
{
    uint32_t lanes = lanes_of_phase(request);
    for (uint32_t first = 0; first < LANES; first += lanes) {
        uint32_t wavefronts = wavefronts_of(request, request->lanes & run_of_lanes(first, lanes));
        parts->parts += wavefronts;
        parts->conflicts += wavefronts != 0 ? wavefronts - 1 : 0;
    }
}

static uint32_t same_address(const struct cdp_count_request *request)
{
    struct units *units = begin_units();
    uint32_t most = 1;
    for (uint32_t left = units != NULL ? request->lanes : 0; left != 0; left &= left - 1) {
        uint32_t uses = add_unit(units, request->values[__builtin_ctz(left)]);
        most = uses > most ? uses : most;
    }
    return most - 1;
}

/* Whether its lanes take different sides. */
static bool diverges(const struct cdp_count_request *request)
{
    uint64_t side = request->values[__builtin_ctz(request->lanes)];
    for (uint32_t left = request->lanes; left != 0; left &= left - 1) {
        if (request->values[__builtin_ctz(left)] != side) {
            return true;
        }
    }
    return false;
}

/* Atomic operations on words of shared memory, which histograms have: one look at each lane. */
static struct cdp_count_parts atomic_words(const struct cdp_count_request *request)
{
    uint32_t most, words = words_of_fullest_bank(request, request->lanes, &most);
    return (struct cdp_count_parts){.parts = words,
                                    .conflicts = words != 0 ? words - 1 : 0,
                                    .same_address = most != 0 ? most - 1 : 0};
}

struct cdp_count_parts cdp_count_request_parts(const struct cdp_count_request *request)
{
    struct cdp_count_parts parts = {.parts = 0};
    bool is_atomic = (request->site->flags & CDP_SITE_ATOMIC) != 0;
    bool is_aligned_word = request->size == BANK_BYTES &&
                           request->values[__builtin_ctz(request->lanes)] % BANK_BYTES == 0;
    if (is_atomic && is_aligned_word && request->space == CDP_COUNT_SHARED) {
        return atomic_words(request);
    }
    if (request->space == CDP_COUNT_GLOBAL) {
        parts.parts = sectors_of(request);
    } else if (request->space == CDP_COUNT_SHARED) {
        add_shared(request, &parts);
    } else {
        parts.parts = diverges(request);
    }
    if (is_atomic) {
        parts.same_address = same_address(request);
    }
    return parts;
}

/* ---- Affine addresses ---- */

/* The first and the last byte of the lanes, and whether lanes between them are inactive. */
struct extent {
    uint64_t low, high;
    bool has_holes;
};

static struct extent extent_of(const struct cdp_count_affine *affine, uint32_t lanes, uint32_t size)
{
    uint32_t from = (uint32_t)__builtin_ctz(lanes), to = 31 - (uint32_t)__builtin_clz(lanes);
    uint64_t a = affine->first + (uint64_t)affine->stride * from;
    uint64_t b = affine->first + (uint64_t)affine->stride * to;
    return (struct extent){.low = a < b ? a : b,
                           .high = (a < b ? b : a) + size - 1,
                           .has_holes = lanes != run_of_lanes(from, to - from + 1)};
}

/* Vectors of ascending addresses. If steps are no longer than a sector, then each sector between
 * the first and the last one of a vector is accessed. */
static bool affine_sectors(const struct cdp_count_request *request,
                           const struct cdp_count_affine *vectors, uint32_t lanes_of_each,
                           struct cdp_count_parts *parts)
{
    uint64_t next = 0;   /* the first sector that no vector so far accesses */
    uint64_t latest = 0; /* the first sector of the vector before */
    for (uint32_t i = 0; i * lanes_of_each < LANES; i++) {
        uint32_t lanes = request->lanes >> i * lanes_of_each & run_of_lanes(0, lanes_of_each);
        int64_t stride = vectors[i].stride;
        if (lanes == 0) {
            continue;
        }
        struct extent extent = extent_of(&vectors[i], lanes, size_of(request));
        uint64_t unit = extent.low / SECTOR, end = extent.high / SECTOR + 1;
        if (stride < -SECTOR || stride > SECTOR || (extent.has_holes && stride != 0) ||
            (unit + 1 < next && (unit != latest || end != next))) {
            return false;
        }
        latest = unit;
        unit = unit < next ? next : unit;
        parts->parts += end > unit ? (uint32_t)(end - unit) : 0;
        next = end > next ? end : next;
    }
    return true;
}

/* The banks of a vector's words, as bits. */
static uint32_t banks_of(const struct extent *extent)
{
    uint32_t words = (uint32_t)(extent->high / BANK_BYTES - extent->low / BANK_BYTES) + 1;
    uint32_t first = (uint32_t)(extent->low / BANK_BYTES % BANKS), run = run_of_lanes(0, words);
    return first == 0 ? run : run << first | run >> (BANKS - first);
}

/* Vectors of words that follow each other, or of one word. No bank has two words if each vector has
 * banks of its own, or the words of another one. */
static bool affine_words(const struct cdp_count_request *request,
                         const struct cdp_count_affine *vectors, uint32_t lanes_of_each,
                         struct cdp_count_parts *parts)
{
    uint32_t used = 0, all = run_of_lanes(0, lanes_of_each);
    uint64_t latest = UINT64_MAX; /* the last vector of which all lanes are active */
    for (uint32_t i = 0; i * lanes_of_each < LANES; i++) {
        uint32_t lanes = request->lanes >> i * lanes_of_each & all;
        int64_t stride = vectors[i].stride;
        if (lanes == 0 || vectors[i].first == latest) {
            continue;
        }
        if (request->size != BANK_BYTES || vectors[i].first % BANK_BYTES != 0 ||
            (stride != 0 && stride != BANK_BYTES && stride != -BANK_BYTES)) {
            return false;
        }
        struct extent extent = extent_of(&vectors[i], lanes, size_of(request));
        uint32_t banks = banks_of(&extent);
        if ((banks & used) != 0) {
            return false;
        }
        used |= banks;
        latest = lanes == all ? vectors[i].first : UINT64_MAX;
    }
    parts->parts = 1;
    return true;
}

static bool is_affine(const struct cdp_count_request *request,
                      const struct cdp_count_affine *vectors, uint32_t lanes_of_each,
                      struct cdp_count_parts *parts)
{
    *parts = (struct cdp_count_parts){.parts = 0};
    return (request->site->flags & CDP_SITE_ATOMIC) == 0 &&
           (request->space == CDP_COUNT_GLOBAL
                ? affine_sectors(request, vectors, lanes_of_each, parts)
                : affine_words(request, vectors, lanes_of_each, parts));
}

struct cdp_count_parts cdp_count_affine_parts(struct cdp_count_request *request,
                                              const struct cdp_count_affine *vectors,
                                              uint32_t lanes_of_each)
{
    struct cdp_count_parts parts;
    if (is_affine(request, vectors, lanes_of_each, &parts)) {
        return parts;
    }
    for (uint32_t lane = 0; lane < LANES; lane++) {
        const struct cdp_count_affine *vector = &vectors[lane / lanes_of_each];
        request->values[lane] = vector->first + (uint64_t)vector->stride * (lane % lanes_of_each);
    }
    return cdp_count_request_parts(request);
}

void cdp_count_finish(const struct cdp_count_request *request, const struct cdp_count_parts *parts)
{
    struct cdp_count_sums *sums = cdp_count_own(request->site->number);
    if (sums == NULL) {
        return;
    }
    struct cdp_count_sum *sum = &sums->in[request->space];
    cdp_count_plus(&sum->parts, parts->parts);
    if (request->space == CDP_COUNT_BRANCH) {
        return; /* the others follow from its basic block */
    }
    bool is_full = request->lanes == UINT32_MAX; /* processors without popcnt need a while */
    uint64_t lanes = is_full ? LANES : (uint64_t)__builtin_popcount(request->lanes);
    cdp_count_plus(&sum->requests, 1);
    cdp_count_plus(&sum->lanes, lanes);
    cdp_count_plus(&sum->bytes, lanes * request->size);
    cdp_count_plus(&sum->conflicts, parts->conflicts);
    cdp_count_plus(&sum->same_address, parts->same_address);
}
